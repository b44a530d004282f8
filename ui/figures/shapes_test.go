package figures

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/figuretest"
)

// TestSheetOfNames: a matrix with names on both axes has a row per row, and an empty cell where
// there is no number.
func TestSheetOfNames(t *testing.T) {
	names := []string{"truth", "LaF"}
	var out bytes.Buffer
	err := Sheet(result.Figure{
		X: result.Axis{Names: names}, Y: result.Axis{Names: names},
		Matrix: &result.Matrix{Rows: 2, Columns: 2, Values: []float64{1, -0.5, -0.5, math.NaN()}},
	})(&out)
	if want := "row,truth,LaF\ntruth,1,-0.5\nLaF,-0.5,\n"; err != nil || out.String() != want {
		t.Errorf("%q, want %q (%v)", out.String(), want, err)
	}
}

func TestEntriesAreWhatCanBeSaved(t *testing.T) {
	s := &Saver{}
	texts := func(f Figure) string {
		var list []string
		for _, item := range s.Entries(f) {
			list = append(list, item.Label)
		}
		return strings.Join(list, ",")
	}
	matrix := figuretest.Matrix(3)
	all := Of(matrix)
	all.Command = "variscope"
	const copies, pictures = "Copy values (CSV),Copy figure (SVG)",
		"Save as PNG…,Save as SVG…,Save as PDF…,Save as CSV…"
	for _, c := range []struct {
		figure Figure
		want   string
	}{
		{all, copies + ",Copy as command,," + pictures + ",Save as NPY…"},
		{Of(data()), copies + ",," + pictures},
		{Figure{CSV: Sheet(data())}, "Copy values (CSV),,Save as CSV…"},
		{Figure{}, ""},
	} {
		if got := texts(c.figure); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
