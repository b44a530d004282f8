package ranking

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/figures"
)

// The figure of the rankers' agreement shows the numbers of the table; its file of values has all
// their digits.
func TestTheAgreementIsAFigure(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	for _, m := range rank.Measures(v.Board.TopK) {
		c := v.coefficients(m)
		names, cells := v.Agreement(m)
		var svg, csv bytes.Buffer
		if err := render.Draw(&svg, c, render.Part{}, "svg"); err != nil {
			t.Fatal(err)
		}
		if err := figures.Sheet(c)(&csv); err != nil {
			t.Fatal(err)
		}
		for r, name := range names {
			if !strings.Contains(svg.String(), ">"+name+"<") || !strings.Contains(csv.String(), "\n"+name+",") {
				t.Errorf("%s: %s is not in the files", m.Title(), name)
			}
			if number := cells[r][0].Text; number != "-" && !strings.Contains(svg.String(), ">"+number+"<") {
				t.Errorf("%s: %s of %s is not in the figure", m.Title(), number, name)
			}
		}
		if want := strconv.FormatFloat(v.Board.Between(m)[1][2], 'g', -1, 64); want != "NaN" &&
			!strings.Contains(csv.String(), ","+want+",") {
			t.Errorf("%s: %s is not in %q", m.Title(), want, csv.String())
		}
	}
	if err := render.Draw(&bytes.Buffer{}, v.coefficients(rank.Measure{Key: "jaccard_999", Best: 999}), render.Part{},
		"svg"); err == nil {
		t.Error("a measure that there is not has a figure")
	}
}

func TestTheAgreementIsSaved(t *testing.T) {
	r := newRig(t, nil)
	r.idle()
	r.tab("rankers")
	r.press("Save…")
	if len(r.window.Canvas().Overlays().List()) != 1 {
		t.Error("no menu of files")
	}
}
