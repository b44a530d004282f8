package figures

import (
	"fmt"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// Cases is the picture that explains effective invariance by the four cases that matter:
// predictions that agree or not, with confidence or without. The vectors are examples; EI and JS
// are measured on them (spec/ei.md says why the numbers printed in the paper cannot be used).
func Cases() (render.Pairs, error) {
	f := render.Pairs{
		Title: "Effective invariance in four cases", Note: "made-up softmax vectors; EI and JS as measured on them",
		Before: "image", After: "turned image", Classes: []string{"cat", "dog", "bird", "boat"},
	}
	for _, c := range []struct {
		title, says   string
		before, after []float64
	}{
		{
			"A  the same, and sure", "invariant in effect: EI is high, though the vectors differ",
			[]float64{0.90, 0.05, 0.03, 0.02},
			[]float64{0.70, 0.15, 0.10, 0.05},
		},
		{
			"B  the same, but unsure", "hardly any change, and hardly any knowledge: EI is low",
			[]float64{0.35, 0.25, 0.22, 0.18},
			[]float64{0.32, 0.28, 0.21, 0.19},
		},
		{
			"C  another class, and sure", "the worst case: EI is 0",
			[]float64{0.90, 0.05, 0.03, 0.02},
			[]float64{0.05, 0.88, 0.04, 0.03},
		},
		{
			"D  another class, unsure", "EI is 0, while the divergence calls it invariant",
			[]float64{0.30, 0.28, 0.22, 0.20},
			[]float64{0.27, 0.31, 0.22, 0.20},
		},
	} {
		v, err := measure.Compare(c.before, c.after)
		if err != nil {
			return f, err
		}
		numbers := fmt.Sprintf("EI %s   JS %s", result.Coefficient.Say(v[measure.EI], 0), result.Coefficient.Say(v[measure.JS], 0))
		f.Pairs = append(f.Pairs, render.Pair{Title: c.title, Before: c.before, After: c.after, Lines: []string{numbers, c.says}})
	}
	return f, nil
}

// CasesFigure is Cases as something that can be saved.
func CasesFigure(f render.Pairs) Figure {
	return Figure{Name: []string{"effective-invariance"}, Write: f.Write}
}
