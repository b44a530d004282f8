// Package assess trains assessors, classifiers from the features of variance matrices to a label,
// and judges models with them: algorithms, protocols of evaluation, explanations, doubts about
// labels, and stability under fewer or other images (spec/assessors.md; the ML4ML paper, sections
// IV and V).
package assess

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Scores are the four readings of Eq. 1, in [0, 1] with 1 for invariant, NaN where they are not
// defined (no labels).
type Scores struct {
	CorrectProduct     float64 // robust accuracy
	CorrectMean        float64
	ConsistencyProduct float64
	ConsistencyMean    float64
}

// Row is a model as an assessor sees it.
type Row struct {
	ID, Hash string
	X        []float64
	// Label is the training label, empty where there is none. Basis is what it rests on: a
	// label.Basis, or the source's name.
	Label label.Value
	Basis string
	// NoLabel says why there is no label, with a code of this package; none where there is one or
	// nobody was asked.
	NoLabel result.Reason
	// Ratings are the annotators' current labels in the order of Data.Raters, empty where there is
	// none.
	Ratings  []label.Value
	Scores   Scores
	Accuracy float64 // under the identity; NaN without labels of the suite
	Holdout  bool
	Group    string // of leave-one-group-out
}

// Data is a repository of models with features and labels. It is immutable once made.
type Data struct {
	Layout  feature.Layout
	Names   []string      // columns of X
	Classes []label.Value // in order, two or three
	Raters  []string      // annotators' names; empty where labels come from a column
	Rows    []Row
	ByRule  bool // a rule has made labels of it, no person (label.Round.ByRule)
}

// Places are all rows, in order.
func (d Data) Places() []int {
	return stats.UpTo(len(d.Rows))
}

// Labelled are the rows that have a training label, in order.
func (d Data) Labelled() []int {
	var rows []int
	for i, r := range d.Rows {
		if r.Label != "" {
			rows = append(rows, i)
		}
	}
	return rows
}

// Validate checks what training relies on: widths, finite cells (the error names model and
// feature), labels among the classes. Ratings may hold labels that are not among the classes
// (borderline, where two classes leave it out).
func (d Data) Validate() error {
	if err := d.checkHead(); err != nil {
		return err
	}
	for i := range d.Rows {
		if err := d.checkRow(i); err != nil {
			return err
		}
	}
	return nil
}

// checkHead checks what belongs to no row.
func (d Data) checkHead() error {
	if err := checkClasses(d.Classes); err != nil {
		return err
	}
	return checkNames(d.Names)
}

func checkClasses(classes []label.Value) error {
	known := label.Values(len(classes))
	if known == nil {
		return fmt.Errorf("%d classes; an assessor tells two or three apart", len(classes))
	}
	if !slices.Equal(classes, known) {
		return fmt.Errorf("classes %v are not in their order %v", classes, known)
	}
	return nil
}

func checkNames(names []string) error {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		switch {
		case name == "":
			return fmt.Errorf("a feature has no name; name every column")
		case seen[name]:
			return fmt.Errorf("two features are named %s; keep one of them", name)
		}
		seen[name] = true
	}
	return nil
}

func (d Data) checkRow(i int) error {
	r := d.Rows[i]
	if err := checkCells(r, d.Names); err != nil {
		return err
	}
	if _, ok := r.Label.Index(len(d.Classes)); r.Label != "" && !ok {
		return fmt.Errorf("model %s is labelled %q, which is not among %v", r.ID, r.Label, d.Classes)
	}
	if len(r.Ratings) != 0 && len(r.Ratings) != len(d.Raters) {
		return fmt.Errorf("model %s has %d ratings of %d annotators", r.ID, len(r.Ratings), len(d.Raters))
	}
	return nil
}

// checkCells checks a model's features against the columns.
func checkCells(r Row, names []string) error {
	if len(r.X) != len(names) {
		return fmt.Errorf("model %s has %d features, not %d; measure it with the same matrices as the others", r.ID,
			len(r.X), len(names))
	}
	for c, v := range r.X {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("model %s: feature %s is %v; leave the model or its matrix out", r.ID, names[c], v)
		}
	}
	return nil
}

// truths are the classes of rows that are to be trained on or tested, all of which need a label.
func (d Data) truths(rows []int) ([]int, error) {
	y := make([]int, len(rows))
	for k, i := range rows {
		if i < 0 || i >= len(d.Rows) {
			return nil, fmt.Errorf("row %d is not among the %d models", i, len(d.Rows))
		}
		class, ok := d.Rows[i].Label.Index(len(d.Classes))
		if !ok {
			return nil, fmt.Errorf("model %s has no label among %v; label it or leave it out", d.Rows[i].ID, d.Classes)
		}
		y[k] = class
	}
	return y, nil
}
