package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/progress"
)

// ErrCorrupt is wrapped by Scan's error when an image cannot be read and Options.SkipCorrupt is
// false.
var ErrCorrupt = errors.New("corrupt image")

// Options say how Scan reads a suite. The zero value is usual.
type Options struct {
	// Name is the suite's name; empty takes it from the path.
	Name string
	// SkipCorrupt leaves out images that cannot be read and lists them in Manifest.Skipped;
	// otherwise the first of them is an error that wraps ErrCorrupt.
	SkipCorrupt bool
	// SkipBadRows leaves out rows of a manifest that are wrong, or whose image is not there, and
	// counts them in Manifest.Passed; otherwise the first of them is an error that wraps
	// ErrBadRow.
	SkipBadRows bool
	// Labels is the labels file of an IDX suite or an array; empty finds it by name.
	Labels string
	// Classes are the class names in order, instead of classes.txt, batches.meta.txt, byte order or
	// numbers.
	Classes []string

	format Format // as recognised
}

// found is what reading a suite of one format gives.
type found struct {
	format  Format
	root    string // absolute
	files   []File
	labels  []int
	classes []string
	shape   [3]int
	digests []digest // of the files that hold images, in order
	skipped []Skipped
	passed  passing
	notes   []string
	count   int     // images of arrays
	white   float64 // of arrays
}

// note adds a sentence about how the files were understood.
func (f *found) note(text string) { f.notes = append(f.notes, text) }

// Scan reads the suite at path to the end: it recognises the format, decodes every image of
// folders and manifests, checks the sizes of IDX and CIFAR files, and hashes labels, class names
// and file bytes (DESIGN.md section 5). p may be nil. When ctx ends, its error is returned. Every
// error names the file and says what is wrong with it.
func Scan(ctx context.Context, path string, opts Options, p progress.Progress) (Manifest, error) {
	p = progress.Or(p)
	path, err := filepath.Abs(path)
	if err != nil {
		return Manifest{}, fmt.Errorf("suite %s: %w", path, err)
	}
	format, err := Recognise(path)
	if err != nil {
		return Manifest{}, err
	}
	if err := checkNames(opts.Classes, "the class names given"); err != nil {
		return Manifest{}, err
	}
	scan := map[Format]func(context.Context, string, Options, progress.Progress) (found, error){
		IDX: scanIDX, CIFAR: scanCIFAR, CIFAR100: scanCIFAR, CIFARPython: scanCIFAR, CIFAR100Python: scanCIFAR,
		Arrays: scanArrays, Folder: scanFolder, CSV: scanCSV,
	}[format]
	opts.format = format
	f, err := scan(ctx, path, opts, p)
	if err != nil {
		return Manifest{}, err
	}
	m, err := f.manifest()
	m.Name = opts.Name
	m.Name = cmp.Or(m.Name, nameFrom(path))
	return m, err
}

func (f found) manifest() (Manifest, error) {
	m := Manifest{
		Format: f.format, Root: f.root, Images: len(f.labels), Labels: f.labels,
		Classes: f.classes, Named: !slices.Equal(f.classes, numbers(len(f.classes))),
		Files: f.files, Shape: f.shape, Skipped: f.skipped, Passed: f.passed, Notes: f.notes, White: f.white,
		Added: time.Now().UTC(), Counts: make([]int, len(f.classes)),
	}
	for _, l := range f.labels {
		switch {
		case l < 0:
		case l >= len(f.classes):
			return m, fmt.Errorf("suite %s: label %d, but there are only %d classes", f.root, l, len(f.classes))
		default:
			m.Counts[l]++
		}
	}
	m.Hash = contentHash(f.classes, f.labels, f.digests)
	return m, nil
}

// numbers are the class names "0", "1", ... of n classes.
func numbers(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}

// numbered are the classes for labels that are plain numbers: names, where some are given, else
// numbers. The error does not name the suite.
func numbered(labels []int, names []string) ([]string, error) {
	if len(labels) == 0 {
		return nil, nil
	}
	n := slices.Max(labels) + 1
	switch {
	case n < 1:
		return nil, nil
	case len(names) == 0:
		return numbers(n), nil
	case len(names) < n:
		return nil, fmt.Errorf("there are labels up to %d, but only %d class names are given", n-1, len(names))
	}
	return slices.Clone(names), nil
}

// checkNames refuses class names that are empty or given twice.
func checkNames(names []string, where string) error {
	seen := map[string]bool{}
	for _, n := range names {
		if n == "" {
			return fmt.Errorf("%s: a name is empty", where)
		}
		if seen[n] {
			return fmt.Errorf("%s: %q is listed twice", where, n)
		}
		seen[n] = true
	}
	return nil
}

// readSmall reads a file that stands beside a suite.
func readSmall(path string) ([]byte, error) {
	data, err := outside.Read(path, outside.Names)
	if err != nil {
		return nil, fmt.Errorf("class names: %w", err)
	}
	return data, nil
}

// readNames reads a list of names, one per line; blank lines are left out.
func readNames(path string) ([]string, error) {
	data, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if line = strings.TrimSpace(line); line != "" {
			names = append(names, line)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("class names: %s is empty", path)
	}
	return names, checkNames(names, path)
}

// nameFrom makes a suite's name from its path: its last element without the endings of known
// formats, with the folder in front where that alone says nothing ("mnist-test").
func nameFrom(path string) string {
	base := filepath.Base(path)
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		base = strings.TrimSuffix(base, ".gz")
		base = strings.TrimSuffix(base, filepath.Ext(base))
		for _, ending := range []string{"-ubyte", ".idx3", "-idx3", "-images"} {
			base = strings.TrimSuffix(base, ending)
		}
	}
	generic := []string{
		"test", "t10k", "train", "val", "valid", "validation", "data", "suite", "manifest", "test_batch",
	}
	parent := filepath.Base(filepath.Dir(path))
	if slices.Contains(generic, strings.ToLower(base)) && parent != "." && parent != string(filepath.Separator) {
		return parent + "-" + base
	}
	return base
}

// stat describes the file at root/relative for the manifest. relative is slash-separated.
func stat(root, relative string) (File, error) {
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(relative)))
	if err != nil {
		return File{}, err
	}
	return File{Path: relative, Size: info.Size(), Modified: info.ModTime().UTC()}, nil
}

// place finds the folder that holds all the files: root itself where it does, else their deepest
// common folder. It returns that folder and the files' slash-separated paths in it. All paths are
// absolute.
func place(root string, files []string) (string, []string, error) {
	for _, f := range files {
		for !within(root, f) {
			parent := filepath.Dir(root)
			if parent == root {
				return "", nil, fmt.Errorf("suite %s: %s lies on another volume; keep the files together", root, f)
			}
			root = parent
		}
	}
	relative := make([]string, len(files))
	for i, f := range files {
		r, err := filepath.Rel(root, f)
		if err != nil {
			return "", nil, fmt.Errorf("suite %s: %w", root, err)
		}
		relative[i] = filepath.ToSlash(r)
	}
	return root, relative, nil
}

// place takes files into the suite as they lie now, below a folder if they can.
func (f *found) place(folder string, files []string) error {
	root, relative, err := place(folder, files)
	if err != nil {
		return err
	}
	f.root = root
	for _, r := range relative {
		file, err := stat(root, r)
		if err != nil {
			return err
		}
		f.files = append(f.files, file)
	}
	return nil
}

func within(root, file string) bool {
	r, err := filepath.Rel(root, file)
	return err == nil && filepath.IsLocal(r)
}
