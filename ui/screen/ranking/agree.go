package ranking

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// between is the matrix of a measure between all that is compared, nil where there is none.
func (v *View) between(m Measure) [][]float64 {
	switch m.Kind {
	case "spearman":
		return v.Board.Spearman
	case "kendall":
		return v.Board.Kendall
	}
	for k, top := range v.Board.TopK {
		if top == m.K && k < len(v.Board.Jaccard) {
			return v.Board.Jaccard[k]
		}
	}
	return nil
}

// comparedNames are the names of what is compared, the same ones told apart by numbers.
func (v *View) comparedNames() []string {
	uses, names := map[string]int{}, make([]string, len(v.Board.Compared))
	for k, m := range v.Board.Compared {
		name := rankerShort(m)
		if uses[name]++; uses[name] > 1 {
			name = fmt.Sprintf("%s %d", name, uses[name])
		}
		names[k] = name
	}
	return names
}

// Agreement are the cells of the matrix of a measure between all rankers: numbers, shaded by how strong they are.
func (v *View) Agreement(m Measure) (names []string, cells [][]widget.GridCell) {
	names = v.comparedNames()
	matrix := v.between(m)
	if len(matrix) != len(names) {
		return nil, nil
	}
	for r, row := range matrix {
		line := make([]widget.GridCell, len(row))
		for c, value := range row {
			line[c] = widget.GridCell{Text: present.Kappa(value), Shade: math.Abs(value), Warm: value < 0}
			line[c].Hint = fmt.Sprintf("%s of %s and %s: %s", m.Name(), names[r], names[c], present.Kappa(value))
			if math.IsNaN(value) {
				line[c].Shade = -1
				line[c].Hint = fmt.Sprintf("%s of %s and %s is undefined: one of them ranks all models alike", m.Name(), names[r], names[c])
			}
		}
		cells = append(cells, line)
	}
	return names, cells
}

// coefficients are the matrix as a figure; similarities have no negative half.
func (v *View) coefficients(m Measure) render.Coefficients {
	c := render.Coefficients{
		Title: fmt.Sprintf("%s between rankers, %s", m.Name(), v.Material.Source.Name), Note: v.Caption(), Decimals: 3,
		Scale: render.Scale{Low: -1, High: 1, Map: &render.Diverging},
	}
	if names, matrix := v.comparedNames(), v.between(m); len(matrix) == len(names) {
		c.Rows, c.Columns, c.Values = names, names, matrix
	}
	return c
}
