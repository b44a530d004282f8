package figures

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/render"
)

func TestCoefficientsAsCSV(t *testing.T) {
	var out bytes.Buffer
	err := CoefficientsCSV(render.Coefficients{
		Rows: []string{"truth", "=LaF"}, Columns: []string{"truth", "=LaF"}, Values: [][]float64{{1, -0.5}, {-0.5, math.NaN()}},
	})(&out)
	if want := ",truth,=LaF\ntruth,1,-0.5\n=LaF,-0.5,\n"; err != nil || out.String() != want {
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
	if got := texts(Figure{CSV: values}); got != "Save as CSV…" {
		t.Error(got)
	}
	if got := texts(Figure{}); got != "" {
		t.Error(got)
	}
}
