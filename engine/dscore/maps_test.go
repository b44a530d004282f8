package dscore

import (
	"fmt"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

func TestDistributionsAreInPercentAndDifferencesSigned(t *testing.T) {
	list := []Distributions{
		NewDistributions("m", "digits", Grid{N: 2, T: 5}, []float64{0.1, 0.2, 0.3, 0.4},
			[]float64{0.25, 0.25, 0.25, 0.25}),
		NewDistributions("o", "digits", Grid{N: 2, T: 5}, []float64{0.7, 0.1, 0.1, 0.1}, []float64{0.4, 0.2, 0.2, 0.2}),
	}
	ScaleTogether(list, &render.Viridis)
	for k, want := range []float64{-15, -5, 5, 15} {
		testdata.Near(t, fmt.Sprintf("difference %d", k), list[0].Values[Difference][k], want, 1e-9)
	}
	for _, one := range list {
		if one.Scales[Features] != one.Scales[Attention] || one.Scales[Features].High != 80 ||
			one.Scales[Features].Low != 0 {
			t.Errorf("scale of shares %+v", one.Scales[Features])
		}
		if s := one.Scales[Difference]; s.Low != -30 || s.High != 30 || s.Map != &render.Diverging {
			t.Errorf("scale of differences %v..%v", s.Low, s.High)
		}
		if d := one.Figure(Difference, suite.Image{}); d.Title != "Features − attention of "+one.Name+
			" on digits, n = 2" || d.Matrix.Text(5) != "+5.0" {
			t.Errorf("%q", d.Title)
		}
		testdata.Is(t, "a distribution is missing", len(one.Figures(suite.Image{})), Kinds)
	}
	for text, got := range map[string]string{
		"+15.0": RegionText(2, true)(15), "-5.0": RegionText(2, true)(-5), "0": RegionText(5, true)(0.2),
		"27": RegionText(5, false)(26.6), "26.6": RegionText(4, false)(26.6),
	} {
		testdata.Is(t, "it", got, text)
	}
}

func TestCeiling(t *testing.T) {
	for v, want := range map[float64]float64{
		0: 1, 0.3: 1, -1: 1, 1.2: 1.5, 11.2: 15, -26.5: 30, 30: 30, 31: 40, 99: 100, 100: 100,
	} {
		testdata.Near(t, fmt.Sprintf("ceiling(%v)", v), ceiling([]float64{v, math.NaN()}), want, 1e-9)
	}
}
