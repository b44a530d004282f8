package widget

import (
	"fmt"
	"strconv"
)

// KappaTable is the matrix of Cohen's kappa between annotators, the majority vote as the last of
// them. Cells come from present.KappaCell: an undefined kappa is a dash whose hint is the reason.
type KappaTable struct{ Grid }

// NewKappaTable makes an empty table.
func NewKappaTable() *KappaTable {
	t := &KappaTable{}
	t.start()
	t.ExtendBaseWidget(t)
	return t
}

// Confusion counts how often two annotators gave each pair of labels.
type Confusion struct{ Grid }

// NewConfusion makes an empty table.
func NewConfusion() *Confusion {
	c := &Confusion{}
	c.start()
	c.ExtendBaseWidget(c)
	return c
}

// SetCounts shows counts[r][c], the items that rowRater labelled classes[r] and colRater labelled
// classes[c]. Cells are shaded by their share of the largest count; the hint says the cell in
// words.
func (c *Confusion) SetCounts(rowRater, colRater string, classes []string, counts [][]int) {
	largest := 1
	for _, row := range counts {
		for _, n := range row {
			largest = max(largest, n)
		}
	}
	cells := make([][]GridCell, len(counts))
	for i, row := range counts {
		cells[i] = make([]GridCell, len(row))
		for j, n := range row {
			shade := -1.0
			if n > 0 {
				shade = float64(n) / float64(largest)
			}
			hint := ""
			if i < len(classes) && j < len(classes) {
				hint = fmt.Sprintf("%s labelled %s by %s and %s by %s", strconv.Itoa(n), classes[i], rowRater,
					classes[j], colRater)
			}
			cells[i][j] = GridCell{Text: strconv.Itoa(n), Shade: shade, Hint: hint}
		}
	}
	// the usual way to say: rows are the first, columns the second
	c.SetCells(rowRater+" \\ "+colRater, classes, classes, cells)
}

// AgreementTable is a matrix of coefficients from -1 to 1 with their numbers in the cells, such as
// rank correlations between rankings.
type AgreementTable struct{ Grid }

// NewAgreementTable makes an empty table.
func NewAgreementTable() *AgreementTable {
	t := &AgreementTable{}
	t.start()
	t.ExtendBaseWidget(t)
	return t
}
