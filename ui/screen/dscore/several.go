package dscore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/ui/present"
)

// Several is the form of the paper's Table V: a line per model, and for every n the three scores
// side by side. t and what the masks delete are those of the grid that is looked at, where that is
// of all layers; else those of all layers.
type Several struct {
	Grids  []score.Grid
	Models []string // hashes
	cells  map[string][]Row
	sorted int // column, 0 for the model
	turned bool
}

// perGrid is how many columns a grid has.
const perGrid = 3

// several gathers the marked models, or all that the table shows, in its order.
func (v *View) several(sorted int, turned bool) Several {
	s := Several{sorted: sorted, turned: turned, cells: map[string][]Row{}}
	want := v.Grid()
	for _, g := range v.Grids {
		if g.T == want.T && ofAllLayers(g) && takesSmall(g) == takesSmall(want) && behindNorm(g) == behindNorm(want) {
			s.Grids = append(s.Grids, g)
		}
	}
	for _, hash := range v.compared() {
		rows := make([]Row, len(s.Grids))
		some := false
		for k, g := range s.Grids {
			r, ok := v.of(hash, g)
			rows[k], some = r, some || ok
		}
		if some {
			s.Models, s.cells[hash] = append(s.Models, hash), rows
		}
	}
	if sorted > len(s.Grids)*perGrid {
		s.sorted, s.turned = 0, false
	}
	s.sort()
	return s
}

// compared are the marked models, or all that the table shows, in its order.
func (v *View) compared() []string {
	var shown, marked []string
	for k := range v.shown {
		r, _ := v.At(k)
		shown = append(shown, r.Model.Hash)
	}
	for _, hash := range v.marked {
		if !slices.Contains(shown, hash) {
			marked = append(marked, hash) // marked, and then filtered away
		}
	}
	for _, hash := range shown {
		if v.Marked(hash) {
			marked = append(marked, hash)
		}
	}
	if len(marked) > 0 {
		return marked
	}
	return shown
}

// value is the number of a column from 1, NaN where the model was not diagnosed.
func (s Several) value(hash string, col int) float64 {
	row := s.cells[hash][(col-1)/perGrid]
	if row.Model.Hash == "" {
		return math.NaN()
	}
	return [perGrid]float64{row.Score.Robust, row.Score.Fitness, row.Score.DScore}[(col-1)%perGrid]
}

// up tells whether larger is better in a column.
func (s Several) up(col int) bool { return (col-1)%perGrid != 0 }

// sort orders the models by a column, the best first; what has no value stands last.
func (s *Several) sort() {
	turn := 1.0
	if s.turned {
		turn = -1
	}
	slices.SortStableFunc(s.Models, func(a, b string) int {
		if s.sorted == 0 {
			return int(turn) * result.Natural(s.name(a), s.name(b))
		}
		x, y := s.value(a, s.sorted), s.value(b, s.sorted)
		if s.up(s.sorted) {
			x, y = -x, -y
		}
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			return cmp.Compare(bit(math.IsNaN(x)), bit(math.IsNaN(y)))
		}
		return cmp.Or(cmp.Compare(turn*x, turn*y), result.Natural(s.name(a), s.name(b)))
	})
}

// rank is a model's place in a column among all, 1 for the best; 0 without a value.
func (s Several) rank(hash string, col int) int {
	v := s.value(hash, col)
	if math.IsNaN(v) {
		return 0
	}
	place := 1
	for _, other := range s.Models {
		if w := s.value(other, col); w > v && s.up(col) || w < v && !s.up(col) {
			place++
		}
	}
	return place
}

// Titles are the headings.
func (s Several) Titles() []string {
	list := []string{"model"}
	for _, g := range s.Grids {
		for _, name := range []string{"v_robust", "v_fitness", "D-Score"} {
			list = append(list, fmt.Sprintf("%s, n = %d", name, g.N))
		}
	}
	return list
}

// best, second are the signs of the best and the second-best of a column.
const best, second = " ★", " ☆"

// Cell is the text of a cell; of several models the best and the second-best of a column carry a
// sign.
func (s Several) Cell(row, col int) string {
	if row < 0 || row >= len(s.Models) || col < 0 || col > len(s.Grids)*perGrid {
		return ""
	}
	hash := s.Models[row]
	if col == 0 {
		return s.name(hash)
	}
	text := decimals(s.value(hash, col), 4)
	if len(s.Models) < 2 {
		return text
	}
	switch s.rank(hash, col) {
	case 1:
		return text + best
	case 2:
		return text + second
	}
	return text
}

func (s Several) name(hash string) string {
	for _, r := range s.cells[hash] {
		if r.Model.Hash != "" {
			return r.Model.ID
		}
	}
	return present.Short(hash)
}

// Table is the table for a file, with a column for each number.
func (s Several) Table() (head []string, rows [][]string) {
	head = []string{"model_id", "model_hash"}
	for _, g := range s.Grids {
		for _, name := range []string{"v_robust", "v_fitness", "d_score"} {
			head = append(head, name+"_n"+strconv.Itoa(g.N)+"_t"+strconv.Itoa(g.T))
		}
	}
	for _, hash := range s.Models {
		line := []string{s.name(hash), hash}
		for col := 1; col <= len(s.Grids)*perGrid; col++ {
			line = append(line, whole(s.value(hash, col)))
		}
		rows = append(rows, line)
	}
	return head, rows
}
