package predictions

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
)

// The limits on what is read: a file that declares more is refused before memory is asked for.
const (
	maxNumbers = 1 << 28 // of a table, all models together
	maxModels  = 1 << 14
	maxClasses = 1 << 16
	maxName    = 1 << 10 // bytes of a model's, class's or image's name
)

// sumTolerance is how far the sum of an image's probabilities may be from 1 (DESIGN.md section 4).
const sumTolerance = 1e-3

// truthName is the column or array of true classes.
const truthName = "truth"

// Read reads tables of predictions (docs/guide: "Predictions from elsewhere"):
//   - .csv: header "image" (optional), "truth" (optional; truthNames and imageNames are taken for
//     them), one column per model; cells are class numbers or names; names holds the class names,
//     nil to take those that occur, in byte order, or numbers;
//   - .npy of rank 2, whole numbers: images x models; rank 3, floats: models x images x classes;
//     models are called m1, m2, ... or as in a text file of the same name with ending .txt;
//   - .npz: one array per model, images x classes (probabilities) or images (classes); "truth" is
//     the true classes;
//   - a folder: one file per model, MODEL.npy as the arrays of .npz, or MODEL.csv with a column of
//     probabilities per class; truth.npy or truth.csv are the true classes, classes.txt the class
//     names where names is nil.
//
// The probabilities of every image must sum to 1 within 1e-3; they are divided by their sum, and
// the predicted class is the first of the largest. classes 0 takes the number that is seen, at
// least 2. An empty or negative true class is unknown. Errors name the file, row and column.
func Read(path string, names []string, classes int) (Table, error) {
	table, err := read(path, expect{names: names, classes: classes})
	if err != nil {
		return Table{}, err
	}
	base := filepath.Base(filepath.Clean(path))
	table.Name = base
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		table.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return table, nil
}

// expect is what the caller knows of the classes.
type expect struct {
	names   []string // nil for unknown ones
	classes int      // 0 for an unknown number
}

func read(path string, want expect) (Table, error) {
	if err := want.check(); err != nil {
		return Table{}, fmt.Errorf("%s: %w", path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return Table{}, fmt.Errorf("read predictions: %w", err)
	}
	if info.IsDir() {
		return readFolder(path, want)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv":
		return readCSV(path, want)
	case ".npy":
		return readArray(path, want)
	case ".npz":
		return readArchive(path, want)
	}
	return Table{}, fmt.Errorf("%s is no file of predictions; .csv, .npy, .npz and folders of them can be read", path)
}

func (w *expect) check() error {
	if w.names == nil {
		if w.classes < 0 || w.classes == 1 || w.classes > maxClasses {
			return fmt.Errorf("%d is no number of classes; it must be 2 to %d", w.classes, maxClasses)
		}
		return nil
	}
	if w.classes == 0 {
		w.classes = len(w.names)
	}
	if w.classes != len(w.names) || w.classes < 2 || w.classes > maxClasses {
		return fmt.Errorf("there are names of %d classes for %d classes; it must be the same number, at least 2",
			len(w.names), w.classes)
	}
	return differ("class", w.names)
}

// differ refuses names that are empty, too long or there twice.
func differ(kind string, names []string) error {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		switch {
		case strings.TrimSpace(name) == "":
			return fmt.Errorf("%s %d has no name", kind, i+1)
		case len(name) > maxName:
			return fmt.Errorf("the name of %s %d is longer than %d bytes", kind, i+1, maxName)
		case seen[name]:
			return fmt.Errorf("%s %s is there twice; give each its own name", kind, name)
		}
		seen[name] = true
	}
	return nil
}

// maker puts a table together from arrays, one model after the other.
type maker struct {
	expect
	table   Table
	columns [][]int32 // predicted classes per model
	from    string    // the model that set Samples
	soft    string    // the model that set Classes
	numbers int       // read so far
	named   *sheet    // the file that named the images
	truths  []string  // true classes as cells of a file of their own; empty for an unknown one
}

// probabilities adds a model with m x C probabilities, which it normalises in place.
func (b *maker) probabilities(model string, rows []float32, samples, classes int) error {
	if err := b.sized(model, samples); err != nil {
		return err
	}
	switch {
	case classes < 2:
		return fmt.Errorf("model %s has probabilities of %d classes; at least 2 are needed", model, classes)
	case b.soft != "" && classes != b.table.Classes:
		return fmt.Errorf("model %s has %d classes and model %s %d; "+
			"only models of the same classes can be ranked together", model, classes, b.soft, b.table.Classes)
	case b.classes > 0 && classes != b.classes:
		return fmt.Errorf("model %s has probabilities of %d classes in place of %d", model, classes, b.classes)
	}
	b.soft, b.table.Classes = model, classes
	labels := make([]int32, samples)
	for i := range labels {
		row := rows[i*classes : (i+1)*classes]
		if err := normalise(row); err != nil {
			return fmt.Errorf("model %s, image %d: %w", model, i, err)
		}
		labels[i] = int32(largest(row))
	}
	b.add(model, labels, rows)
	return nil
}

// labels adds a model of which only classes are known.
func (b *maker) labels(model string, labels []int32) error {
	if err := b.sized(model, len(labels)); err != nil {
		return err
	}
	for i, class := range labels {
		if class < 0 || class >= maxClasses {
			return fmt.Errorf("model %s, image %d: %d is no class; classes are numbers from 0", model, i, class)
		}
	}
	b.add(model, labels, nil)
	return nil
}

func (b *maker) add(model string, labels []int32, rows []float32) {
	b.table.Models = append(b.table.Models, model)
	b.columns = append(b.columns, labels)
	b.table.Probabilities = append(b.table.Probabilities, rows)
}

func (b *maker) sized(model string, samples int) error {
	switch {
	case samples < 1:
		return fmt.Errorf("model %s has no predictions", model)
	case b.from != "" && samples != b.table.Samples:
		return fmt.Errorf("model %s has predictions of %d images and model %s of %d; all must be of the same images",
			model, samples, b.from, b.table.Samples)
	}
	if b.from == "" {
		b.from, b.table.Samples = model, samples
	}
	return nil
}

// finish checks what the models have in common and lays the classes out by image.
func (b *maker) finish() (Table, error) {
	t := &b.table
	if len(t.Models) == 0 {
		return *t, errors.New("it has no predictions of a model")
	}
	b.leaveStrangers()
	if err := differ("model", t.Models); err != nil {
		return *t, err
	}
	if err := b.resolveTruth(); err != nil {
		return *t, err
	}
	if t.Truth != nil && len(t.Truth) != t.Samples {
		return *t, fmt.Errorf("there are %d true classes for %d images", len(t.Truth), t.Samples)
	}
	if t.SampleNames != nil && len(t.SampleNames) != t.Samples {
		return *t, fmt.Errorf("there are names of %d images for %d images", len(t.SampleNames), t.Samples)
	}
	if err := b.count(); err != nil {
		return *t, err
	}
	if b.soft == "" {
		t.Probabilities = nil
	}
	t.ClassNames = b.names
	n := len(t.Models)
	t.Labels = make([]int32, n*t.Samples)
	for j, column := range b.columns {
		for i, class := range column {
			t.Labels[i*n+j] = class
		}
	}
	return *t, nil
}

// leaveStrangers leaves out arrays of classes that are no predictions.
func (b *maker) leaveStrangers() {
	t := &b.table
	odd := strangers(b.columns, t.Truth, func(class int32) bool { return int(class) < max(b.classes, t.Classes) })
	for _, k := range slices.Backward(odd) {
		b.leave(t.Models[k], allDiffer(len(b.columns[k])))
		t.Models, b.columns = slices.Delete(t.Models, k, k+1), slices.Delete(b.columns, k, k+1)
		t.Probabilities = slices.Delete(t.Probabilities, k, k+1)
	}
}

// count finds the number of classes and refuses classes beyond it.
func (b *maker) count() error {
	seen := int32(1)
	for _, column := range append(slices.Clip(b.columns), b.table.Truth) {
		for _, class := range column {
			seen = max(seen, class)
		}
	}
	switch t := &b.table; {
	case b.classes > 0:
		t.Classes = b.classes
	case b.soft == "":
		t.Classes = int(seen) + 1
	}
	if int(seen) < b.table.Classes {
		return nil
	}
	for j, column := range append(slices.Clip(b.columns), b.table.Truth) {
		for i, class := range column {
			if int(class) >= b.table.Classes {
				return fmt.Errorf("%s, image %d: there is no class %d; classes are 0 to %d", b.name(j), i, class,
					b.table.Classes-1)
			}
		}
	}
	return nil
}

func (b *maker) name(column int) string {
	if column < len(b.table.Models) {
		return "model " + b.table.Models[column]
	}
	return truthName
}

// normalise divides the probabilities of an image by their sum.
func normalise(row []float32) error {
	sum := 0.0
	for c, p := range row {
		switch v := float64(p); {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("the probability of class %d is %v", c, p)
		case p < 0:
			return fmt.Errorf("the probability of class %d is negative (%v); "+
				"are these logits? take their softmax first", c, p)
		default:
			sum += v
		}
	}
	if math.Abs(sum-1) > sumTolerance {
		return fmt.Errorf("the probabilities sum to %s in place of 1", result.Digits(sum, 4))
	}
	for c, p := range row {
		row[c] = float32(float64(p) / sum)
	}
	return nil
}

// readNames reads a text file of one name per line; nil when there is none.
func readNames(path, kind string) ([]string, error) {
	text, err := outside.Read(path, outside.Names)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read names: %w", err)
	}
	lines := strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s is empty; it needs one name per line", path)
	}
	if err := differ(kind, lines); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lines, nil
}

// ClassNames reads a text file of class names, one per line in the order of class numbers.
func ClassNames(path string) ([]string, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("read class names: %w", err)
	}
	return readNames(path, "class")
}
