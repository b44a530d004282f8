package rank

import (
	"slices"
	"testing"
)

func TestFiguresHaveTheNumbersOfTheTables(t *testing.T) {
	r := example(t)
	for _, m := range Measures(r.On[0].TopK) {
		f := CurvesFigure(r.On[0].Suite, r.On[0].Curves, m, 0)
		if err := f.Check(); err != nil || len(f.Lines) == 0 {
			t.Fatalf("%s: %d lines, %v", m.Key, len(f.Lines), err)
		}
		laf := f.Lines[0]
		if laf.Name != "LaF" || len(laf.X) != 2 || laf.X[1] != 8 ||
			laf.Y[1] != m.Of(r.On[0].Curves[0].Quality[1]).Mean {
			t.Errorf("%s: %+v", m.Key, laf)
		}
		if near := CurvesFigure(r.On[0].Suite, r.On[0].Curves, m, 7); len(near.Lines[0].X) != 1 {
			t.Errorf("%s: budgets %v up to 7", m.Key, near.Lines[0].X)
		}
		for _, diversity := range []bool{false, true} {
			f := ConditionsFigure(r.Conditions, m, diversity)
			c := r.Conditions[0]
			x := map[bool]float64{false: c.MeanAccuracy, true: c.Diversity}[diversity]
			if err := f.Check(); err != nil || len(f.Points) != 1 {
				t.Fatalf("%s: %d points, %v", m.Key, len(f.Points), err)
			}
			p := f.Points[0]
			if p.X != x || p.Y != m.Of(c.Quality).Mean || p.ID != "hf" ||
				f.Groups[p.Group].Name != "shifted 3 × 3, t = 5" {
				t.Errorf("%s: %+v, %+v", m.Key, p, f.Groups)
			}
		}
	}
	q := func(mean, sd float64) Quality { return Quality{Spearman: Spread{Mean: mean, SD: sd, N: 2, Of: 2}} }
	f := ImpactFigure([]ImpactPoint{
		{Factor: ShareOfModels, Share: 0.2, Quality: q(0.5, 0.1)},
		{Factor: ShareOfModels, Share: 1, Quality: q(0.9, undefined)},
		{Factor: ShareOfImages, Share: 1, Quality: q(0.9, undefined)},
	}, Measure{Key: "spearman"})
	if err := f.Check(); err != nil || len(f.Lines) != 2 || !slices.Equal(f.Lines[0].SD, []float64{0.1, 0}) ||
		f.Lines[1].SD != nil {
		t.Errorf("%+v, %v", f.Lines, err)
	}
	if f := ConditionsFigure(nil, Measure{Key: "spearman"}, false); f.Drawable() || f.Empty == "" {
		t.Error("an empty figure says nothing")
	}
}
