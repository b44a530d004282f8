// Package suite reads test suites: images with class labels from IDX, CIFAR-10 and CIFAR-100,
// NumPy arrays, image folders or a CSV manifest (DESIGN.md section 5). A suite is scanned once at
// import, which decodes every image, hashes the content and makes a Manifest; later it is opened
// from its Manifest and streamed.
package suite

import "time"

// Image is a decoded image: Channels x Height x Width float32 in [0, 1], channel by channel, row by
// row. Channels is 1 (gray) or 3 (RGB).
type Image struct {
	Channels, Height, Width int
	Pix                     []float32
}

// Format is how a suite lies on disk.
type Format string

// The formats.
const (
	IDX    Format = "idx"
	CIFAR  Format = "cifar10"
	Folder Format = "folder"
	CSV    Format = "csv"

	CIFAR100       Format = "cifar100"
	CIFARPython    Format = "cifar10-python"
	CIFAR100Python Format = "cifar100-python"
	Arrays         Format = "arrays" // .npz or .npy
)

// File is one file of a suite with what is checked when the suite is opened.
type File struct {
	Path     string    `json:"path"` // slash-separated, relative to the suite's root
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// Skipped is an image that could not be read at import.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Manifest describes an imported suite. Its identity is Hash, over labels and file bytes.
type Manifest struct {
	Hash    string    `json:"hash"`
	Name    string    `json:"name"`
	Format  Format    `json:"format"`
	Root    string    `json:"root"`            // absolute folder
	Inside  string    `json:"inside"`          // folder relative to the workspace, "" when not reachable or not copied
	Copied  bool      `json:"copied"`          // the images lie inside the workspace
	Classes []string  `json:"classes"`         // empty for a suite without labels
	Named   bool      `json:"named"`           // class names are real names, not just numbers
	Counts  []int     `json:"counts"`          // images per class
	Images  int       `json:"images"`          // without the skipped ones
	Labels  []int     `json:"labels"`          // one per image, -1 without label
	Files   []File    `json:"files"`           // folder and CSV: one per image, in order; IDX and CIFAR: the data files
	Shape   [3]int    `json:"shape"`           // channels, height, width; zeros where images differ
	White   float64   `json:"white,omitempty"` // of arrays: the value that becomes 1
	Skipped []Skipped `json:"skipped,omitempty"`
	Passed  []Passed  `json:"passed,omitempty"` // files that are no images of the suite, by reason
	Notes   []string  `json:"notes,omitempty"`  // how the files were understood, where that is not plain
	Added   time.Time `json:"added"`
	// Derived is set for a suite whose images are made from another suite's; all that belongs to
	// the files is then that one's.
	Derived *Derived `json:"derived,omitempty"`
}
