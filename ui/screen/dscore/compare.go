package dscore

import (
	"strconv"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// Comparison are a few models side by side, in the form of the paper's Table VI.
type Comparison struct {
	Rows []Row
	Maps []Maps // with the same colours for all
}

// mostCompared is how many models are shown side by side, fewCompared how many where none is marked.
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
		return words.T("These are the first models of the table. To compare others, mark them with a click on the dot before their names.")
	case len(v.marked) > len(c.Rows):
		return words.F("The first %d of %d marked models are shown.", len(c.Rows), len(v.marked))
	}
	return words.T("These are the marked models. A click on the dot before a name in the table marks a model or takes its mark away.")
}

// Facts are the lines beside a model's maps.
func (c Comparison) Facts(k int) []string {
	r := c.Rows[k]
	lines := []string{
		words.F("accuracy %s", present.Percent(r.Accuracies.Original)),
		words.F("v_robust %s", fixed(r.Score.Robust, 4)),
		words.F("v_fitness %s", fixed(r.Score.Fitness, 4)),
		words.F("D-Score %s", fixed(r.Score.DScore, 4)),
		words.F("p %s", fixed(r.Score.P, 4)),
	}
	if text := flagWords(r.Score.Flags); text != "" {
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

// fixedComparedColumns are the columns before those of the regions.
const fixedComparedColumns = 5

// Titles are the headings of the table: the scores, then a_i and f~_i of every region.
func (c Comparison) Titles() []string {
	list := []string{words.T("model"), words.T("accuracy"), words.T("v_robust"), words.T("v_fitness"), words.T("D-Score")}
	for _, name := range []string{"a", "f~"} {
		for k := range c.regions() {
			list = append(list, name+"_"+strconv.Itoa(k+1))
		}
	}
	return list
}

// value is the number of a column from 1.
func (c Comparison) value(row, col int) float64 {
	r := c.Rows[row]
	switch col {
	case 1:
		return r.Accuracies.Original
	case 2:
		return r.Score.Robust
	case 3:
		return r.Score.Fitness
	case 4:
		return r.Score.DScore
	}
	at := col - fixedComparedColumns
	if at < c.regions() {
		return r.Accuracies.Shifted[at]
	}
	return r.Score.Features[at-c.regions()]
}

// Cell is the text of a cell; the best and the second-best accuracy and scores carry a sign.
func (c Comparison) Cell(row, col int) string {
	if row < 0 || row >= len(c.Rows) || col < 0 || col >= fixedComparedColumns+2*c.regions() {
		return ""
	}
	switch {
	case col == 0:
		return c.Rows[row].Model.ID
	case col == 1:
		return present.Percent(c.value(row, col)) + c.sign(row, col)
	case col < fixedComparedColumns:
		return fixed(c.value(row, col), 4) + c.sign(row, col)
	}
	return present.Percent(c.value(row, col))
}

func (c Comparison) sign(row, col int) string {
	if len(c.Rows) < 2 {
		return ""
	}
	place, v := 1, c.value(row, col)
	for other := range c.Rows {
		if w := c.value(other, col); col == 2 && w < v || col != 2 && w > v {
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
		for col := 1; col < fixedComparedColumns+2*c.regions(); col++ {
			line = append(line, whole(c.value(k, col)))
		}
		rows = append(rows, line)
	}
	return head, rows
}
