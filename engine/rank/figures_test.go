package rank

import "testing"

func TestFiguresHaveTheNumbersOfTheTables(t *testing.T) {
	r := example(t)
	for _, m := range Measures(r.On[0].TopK) {
		f := r.CurvesFigure(m)
		if err := f.Check(); err != nil || len(f.Lines) == 0 {
			t.Fatalf("%s: %d lines, %v", m.Key, len(f.Lines), err)
		}
		laf := f.Lines[0]
		if laf.Name != "LaF" || len(laf.X) != 2 || laf.X[1] != 8 || laf.Y[1] != m.Of(r.Curves[0].Quality[1]).Mean {
			t.Errorf("%s: %+v", m.Key, laf)
		}
		for _, diversity := range []bool{false, true} {
			f := ConditionsFigure(r.Conditions, m, diversity)
			c := r.Conditions[0]
			x := map[bool]float64{false: c.MeanAccuracy, true: c.Diversity}[diversity]
			if err := f.Check(); err != nil || len(f.Points) != 1 {
				t.Fatalf("%s: %d points, %v", m.Key, len(f.Points), err)
			}
			p := f.Points[0]
			if p.X != x || p.Y != m.Of(c.Quality).Mean || p.ID != "hf" || f.Groups[p.Group].Name != "shifted 3 × 3, t = 5" {
				t.Errorf("%s: %+v, %+v", m.Key, p, f.Groups)
			}
		}
	}
	if f := ConditionsFigure(nil, Measure{Key: "spearman"}, false); f.Drawable() || f.Empty == "" {
		t.Error("an empty figure says nothing")
	}
}
