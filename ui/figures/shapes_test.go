package figures

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
)

// TestSheetOfNames: a matrix with names on both axes has a row per row, and an empty cell where there
// is no number.
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
		return strings.Join(list, " ")
	}
	picture := func(io.Writer, string) error { return nil }
	values := func(io.Writer) error { return nil }
	if got := texts(Figure{Write: picture, CSV: values}); got != "Save as PNG… Save as SVG… Save as PDF… Save as CSV…" {
		t.Error(got)
	}
	if got := texts(Figure{CSV: values}) + texts(Figure{}); got != "Save as CSV…" {
		t.Error(got)
	}
}
