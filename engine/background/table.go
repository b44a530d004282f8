// Package background chooses scenes to test a classifier in (spec/background.md sections 1 to 7):
// keywords of images, their expansion through an ontology, the choice of testing scenes per target,
// and the composites of a target's foreground with a scene. It is pure: images and numbers in,
// images and numbers out.
package background

import "slices"

// Kinds of a table's images.
const (
	TargetKind     = "target"
	BackgroundKind = "background"
)

// Table is the keyword vectors of images, made by two context networks or elsewhere
// (spec/background.md section 1).
type Table struct {
	// Elements and Scenes are the names of the two parts of a vector: entries 0..len(Elements)-1
	// are shares of pixels, the rest are scene scores after softmax. Names are without prefix, in
	// column order.
	Elements, Scenes []string
	Rows             []Row
}

// Row is one image of a table.
type Row struct {
	// slash-separated; where it is compared with a suite's images, leading folders may be missing
	// on either side
	File    string
	Kind    string // TargetKind or BackgroundKind
	Label   string // class of a target, else empty
	Scene   string // the scene's true name where it is known; not used in computing
	Visible int    // pixels that were counted
	Vector  []float64
}

// entries is the number of entries of a vector.
func (t Table) entries() int { return len(t.Elements) + len(t.Scenes) }

// Of are the row numbers of one kind, in order.
func (t Table) Of(kind string) []int {
	var rows []int
	for i, r := range t.Rows {
		if r.Kind == kind {
			rows = append(rows, i)
		}
	}
	return rows
}

// Classes are the labels of the targets, in the order in which they come first: words that are no
// keywords, since they name the foreground.
func (t Table) Classes() []string {
	var classes []string
	for _, row := range t.Rows {
		if row.Kind == TargetKind && row.Label != "" && !slices.Contains(classes, row.Label) {
			classes = append(classes, row.Label)
		}
	}
	return classes
}
