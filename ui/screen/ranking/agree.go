package ranking

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// comparedNames are the names of what is compared, the same ones told apart by numbers.
func (v *View) comparedNames() []string {
	uses, names := map[string]int{}, make([]string, len(v.Board.Compared))
	for k, m := range v.Board.Compared {
		name := m.Short()
		if uses[name]++; uses[name] > 1 {
			name = fmt.Sprintf("%s %d", name, uses[name])
		}
		names[k] = name
	}
	return names
}

// Agreement are the cells of the matrix of a measure between all rankers: numbers, shaded by how
// strong they are.
func (v *View) Agreement(m rank.Measure) (names []string, cells [][]widget.GridCell) {
	names = v.comparedNames()
	matrix := v.Board.Between(m)
	if len(matrix) != len(names) {
		return nil, nil
	}
	for r, row := range matrix {
		line := make([]widget.GridCell, len(row))
		for c, value := range row {
			line[c] = widget.GridCell{Text: present.Kappa(value), Shade: math.Abs(value), Warm: value < 0}
			line[c].Hint = fmt.Sprintf("%s of %s and %s: %s", m.Title(), names[r], names[c], present.Kappa(value))
			if math.IsNaN(value) {
				line[c].Shade = -1
				line[c].Hint = fmt.Sprintf("%s of %s and %s is undefined: one of them ranks all models alike", m.Title(), names[r], names[c])
			}
		}
		cells = append(cells, line)
	}
	return names, cells
}

// coefficients are the matrix as a figure; similarities have no negative half.
func (v *View) coefficients(m rank.Measure) render.Coefficients {
	c := render.Coefficients{
		Title: fmt.Sprintf("%s between rankers, %s", m.Title(), v.Material.Source.Name), Note: v.Caption(), Decimals: 3,
		Scale: render.Scale{Low: -1, High: 1, Map: &render.Diverging},
	}
	if names, matrix := v.comparedNames(), v.Board.Between(m); len(matrix) == len(names) {
		c.Rows, c.Columns, c.Values = names, names, matrix
	}
	return c
}
