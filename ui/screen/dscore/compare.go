package dscore

import (
	"fmt"
	"strconv"

	"github.com/variscope/variscope/ui/present"
)

// Comparison are a few models side by side, in the form of the paper's Table VI.
type Comparison struct {
	Rows []Row
	Maps []Maps // with the same colours for all
}

// mostCompared is how many models are shown side by side, fewCompared how many where none is
// marked.
const mostCompared, fewCompared = 4, 3

// comparison gathers the first marked models, or the first of the table.
func (v *View) comparison() Comparison {
	most := fewCompared
	if len(v.marked) > 0 {
		most = mostCompared
	}
	var c Comparison
	for _, hash := range v.compared() {
		r, ok := v.of(hash, v.Grid())
		if !ok || len(c.Rows) == most {
			continue
		}
		c.Rows = append(c.Rows, r)
		c.Maps = append(c.Maps, newMaps(r.Model.ID, r.N, r.Score.Features, r.Score.Attention))
	}
	setScales(c.Maps, v.Colours)
	return c
}

// comparedNote says which models are compared, and how to choose others.
func (v *View) comparedNote(c Comparison) string {
	switch {
	case len(v.marked) == 0:
		return "These are the first models of the table. To compare others, mark them with a click on the dot before their names."
	case len(v.marked) > len(c.Rows):
		return fmt.Sprintf("The first %d of %d marked models are shown.", len(c.Rows), len(v.marked))
	}
	return "These are the marked models. A click on the dot before a name in the table marks a model or takes its mark away."
}

// Facts are the lines beside a model's maps.
func (c Comparison) Facts(k int) []string {
	r := c.Rows[k]
	lines := []string{
		fmt.Sprintf("accuracy %s", present.Percent(r.Accuracies.Original)),
		fmt.Sprintf("v_robust %s", decimals(r.Score.Robust, 4)),
		fmt.Sprintf("v_fitness %s", decimals(r.Score.Fitness, 4)),
		fmt.Sprintf("D-Score %s", decimals(r.Score.DScore, 4)),
		fmt.Sprintf("p %s", decimals(r.Score.P, 4)),
	}
	if text := flagWords(r); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// regions is the number of regions.
func (c Comparison) regions() int {
	if len(c.Rows) == 0 {
		return 0
	}
	return c.Rows[0].N * c.Rows[0].N
}

// fixedQuantities are the quantities before those of the regions: accuracy and the three scores.
const fixedQuantities = 4

// quantities is the number of lines of the table.
func (c Comparison) quantities() int { return fixedQuantities + 2*c.regions() }

// Titles are the headings of the table, which has a column per model.
func (c Comparison) Titles() []string {
	list := []string{""}
	for _, r := range c.Rows {
		list = append(list, r.Model.ID)
	}
	return list
}

// quantity names a line of the table: the scores, then a_i and f~_i of every region.
func (c Comparison) quantity(row int) string {
	if row < fixedQuantities {
		return []string{"accuracy", "v_robust", "v_fitness", "D-Score"}[row]
	}
	if at := row - fixedQuantities; at < c.regions() {
		return "a_" + strconv.Itoa(at+1)
	}
	return "f~_" + strconv.Itoa(row-fixedQuantities-c.regions()+1)
}

// value is the number of a model in a line.
func (c Comparison) value(row, k int) float64 {
	r := c.Rows[k]
	switch row {
	case 0:
		return r.Accuracies.Original
	case 1:
		return r.Score.Robust
	case 2:
		return r.Score.Fitness
	case 3:
		return r.Score.DScore
	}
	at := row - fixedQuantities
	if at < c.regions() {
		return r.Accuracies.Shifted[at]
	}
	return r.Score.Features[at-c.regions()]
}

// Cell is the text of a cell; the best and the second-best accuracy and scores carry a sign.
func (c Comparison) Cell(row, col int) string {
	if row < 0 || row >= c.quantities() || col < 0 || col > len(c.Rows) {
		return ""
	}
	switch {
	case col == 0:
		return c.quantity(row)
	case row == 0:
		return present.Percent(c.value(row, col-1)) + c.sign(row, col-1)
	case row < fixedQuantities:
		return decimals(c.value(row, col-1), 4) + c.sign(row, col-1)
	}
	return present.Percent(c.value(row, col-1))
}

func (c Comparison) sign(row, k int) string {
	const robust = 1 // of which less is better
	if len(c.Rows) < 2 {
		return ""
	}
	place, v := 1, c.value(row, k)
	for other := range c.Rows {
		if w := c.value(row, other); row == robust && w < v || row != robust && w > v {
			place++
		}
	}
	switch place {
	case 1:
		return best
	case 2:
		return second
	}
	return ""
}

// Table is the table for a file.
func (c Comparison) Table() (head []string, rows [][]string) {
	head = []string{"model_id", "model_hash", "accuracy", "v_robust", "v_fitness", "d_score"}
	for _, name := range []string{"a", "f_share"} {
		for k := range c.regions() {
			head = append(head, name+"_"+strconv.Itoa(k+1))
		}
	}
	for k, r := range c.Rows {
		line := []string{r.Model.ID, r.Model.Hash}
		for row := range c.quantities() {
			line = append(line, whole(c.value(row, k)))
		}
		rows = append(rows, line)
	}
	return head, rows
}
