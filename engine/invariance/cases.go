package invariance

import (
	"fmt"

	"github.com/variscope/variscope/engine/result"
)

// Cases explains effective invariance by the four cases that matter: predictions that agree or not,
// with confidence or without. The vectors are examples; EI and JS are measured on them (spec/ei.md
// says why the numbers printed in the paper cannot be used).
func Cases() (list []result.Figure, err error) {
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
		v, err := Compare(c.before, c.after)
		if err != nil {
			return nil, err
		}
		f := result.Figure{
			Title: c.title, X: result.Axis{Name: "softmax", High: 1},
			Note: fmt.Sprintf("EI %s, JS %s\n%s",
				result.Coefficient.Say(v[EI], 0), result.Coefficient.Say(v[JS], 0), c.says),
			Groups: []result.Group{
				{Name: "image", Look: result.Category(0)}, {Name: "turned image", Look: result.Category(1)},
			},
		}
		for class, name := range []string{"cat", "dog", "bird", "boat"} {
			for group, p := range []float64{c.before[class], c.after[class]} {
				line := fmt.Sprintf("%s, %s: %s", name, f.Groups[group].Name, result.Number.Say(p, 2))
				foot := float64(class) + 0.4*float64(group-1)
				f.Boxes = append(f.Boxes, result.Box{
					X1: p, Y0: foot, Y1: foot + 0.4, Text: result.Number.Say(p, 2), Name: line, Group: group,
				})
			}
			f.Y.Names, f.Y.Each = append(f.Y.Names, name), true
		}
		list = append(list, f)
	}
	return list, nil
}
