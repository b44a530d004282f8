package evidence

import (
	"strings"
	"testing"
)

func TestAccuracyFigureSaysWhyThereIsNone(t *testing.T) {
	for want, e := range map[string]Evidence{
		"no signals yet":                       {State: "stale"},
		"no accuracy: no images left":          {Total: 60},
		"no accuracy: the suite has no labels": {Images: 60, Total: 60},
	} {
		if d := AccuracyFigure(e); d.Empty != want || len(d.Lines) != 0 {
			t.Errorf("%q, want %q", d.Empty, want)
		}
	}
	e := Evidence{
		Suite: "shapes", Values: []float64{-1, 0, 1}, Accuracy: []float64{0.5, 1, 0.75}, Robust: 0.5,
		Images: 4, Total: 4,
	}
	e.Model.ID = "m1"
	f := AccuracyFigure(e)
	if len(f.Lines) != 2 || f.Lines[1].Y[0] != 0.5 || !strings.HasPrefix(f.Title, "Accuracy of m1, shapes") ||
		f.Note == "" || f.Check() != nil {
		t.Errorf("%+v", f)
	}
}
