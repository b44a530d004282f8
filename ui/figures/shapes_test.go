package figures

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/render"
)

func TestShapesAsCSV(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(w io.Writer) error
		want  string
	}{
		{"coefficients", CoefficientsCSV(render.Coefficients{
			Rows: []string{"truth", "=LaF"}, Columns: []string{"truth", "=LaF"}, Values: [][]float64{{1, -0.5}, {-0.5, math.NaN()}},
		}), ",truth,=LaF\ntruth,1,-0.5\n=LaF,-0.5,\n"},
		{"bars", BarsCSV(render.Bars{Bars: []render.Bar{{Name: "=max@CONF.svm", From: 1, To: 1.5, Spread: 0.25}}}), "name,from,to,spread\n=max@CONF.svm,1,1.5,0.25\n"},
		{"swarm", SwarmCSV(render.Swarm{Rows: []render.SwarmRow{{Name: "a", X: []float64{-1, 2}, Level: []float64{0, 1}}}}), "name,dot,x,level\na,0,-1,0\na,1,2,1\n"},
	} {
		var out bytes.Buffer
		if err := c.write(&out); err != nil || out.String() != c.want {
			t.Errorf("%s: %q, want %q (%v)", c.name, out.String(), c.want, err)
		}
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
