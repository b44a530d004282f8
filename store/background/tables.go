package background

import (
	"math"
	"strconv"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
)

// FieldRow is a line of a table of interpolated matrices: where one comes from and its features (spec/background.md section 13).
type FieldRow struct {
	Model, Hash, Selection string
	Measure                Measure
	Interpolant            string // I1, I2, I3 or SIZE,SIGMA,K
	Targets, Points        int
	Constant               float64 // that signals were divided by
	Undefined              int     // elements without a value
	Features               [scatter.Count]float64
}

// NewFieldRow describes the matrix that an interpolant made of a cloud. The features of one with undefined elements are NaN.
func NewFieldRow(e Evidence, measure Measure, cloud scatter.Cloud, p scatter.Interpolant, m scatter.Matrix) FieldRow {
	r := FieldRow{
		Model: e.Model.ID, Hash: e.Model.Hash, Selection: e.Selection.Name, Measure: measure, Interpolant: p.Name(), Targets: len(cloud.Signals),
		Points: cloud.Points(), Constant: e.Constants[measure],
	}
	for _, v := range m.Values {
		if math.IsNaN(v) {
			r.Undefined++
		}
	}
	features, err := scatter.Measure(m, scatter.DefaultThreshold)
	for k := range features {
		if r.Features[k] = features[k]; err != nil {
			r.Features[k] = math.NaN()
		}
	}
	return r
}

// FieldHead are the names of the columns of Cells.
func FieldHead() []string {
	head := []string{"model_id", "model_hash", "selection", "measure", "interpolant", "targets", "points", "constant", "undefined"}
	for k := range scatter.Count {
		head = append(head, scatter.Feature(k).String())
	}
	return head
}

// Cells are the row for a CSV file: numbers with all digits, "" where there is none. Names are guarded as comma.Guard does.
func (r FieldRow) Cells() []string {
	cells := []string{
		comma.Guard(r.Model), r.Hash, comma.Guard(r.Selection), string(r.Measure), r.Interpolant,
		strconv.Itoa(r.Targets), strconv.Itoa(r.Points), Digits(r.Constant), strconv.Itoa(r.Undefined),
	}
	for _, v := range r.Features {
		cells = append(cells, Digits(v))
	}
	return cells
}

// ElementHead are the names of the columns of Elements.
func ElementHead() []string {
	return []string{"model_id", "selection", "measure", "interpolant", "raster", "column", "row", "distance_i", "distance_j", "value"}
}

// Elements are a matrix for a CSV file, a row per element from the bottom-left, row by row: its distances are those of its middle, for axes
// that end at far.
func (r FieldRow) Elements(m scatter.Matrix, far float64, row func(cells ...string) error) error {
	step := far / float64(m.R)
	for b := range m.R {
		for a := range m.R {
			err := row(comma.Guard(r.Model), comma.Guard(r.Selection), string(r.Measure), r.Interpolant, strconv.Itoa(m.R), strconv.Itoa(a), strconv.Itoa(b),
				Digits((float64(a)+0.5)*step), Digits((float64(b)+0.5)*step), Digits(m.At(a, b)))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Digits is a number in a file, with all digits; "" for NaN.
func Digits(v float64) string {
	return result.Number.Write(v)
}
