package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/present"
)

// View is the table of models and rankers: what its rows and columns are, and the order of the
// rows. It knows no Fyne.
type View struct {
	Answer
	order      []int // models in the order of the rows
	sorted     int   // column
	descending bool
	selected   string // key of a model, "" for none
}

// The columns of the table: the model, the true accuracy and its chance level where they are
// known, then the rankings.
const columnModel, columnTruth, columnChance = 0, 1, 2

// NewView makes an empty view.
func NewView() *View { return &View{} }

// Take shows another answer. What was selected and sorted by stays where it is still there.
func (v *View) Take(a Answer) {
	before, was := "", v.sorted
	if was > columnModel && was < v.columns() {
		before = v.Title(was)
	}
	v.Answer = a
	v.sorted = -1
	for col := range v.columns() {
		if v.Title(col) == before {
			v.sorted = col
		}
	}
	if v.sorted < 0 {
		v.sorted, v.descending = v.best(), false
	}
	v.arrange()
}

// best is the column of the first ranking that there is, else that of the model.
func (v *View) best() int {
	for k, r := range v.Board.Rankings {
		if r.Reason.None() {
			return v.first() + k
		}
	}
	return columnModel
}

// first is the column of the first ranking.
func (v *View) first() int {
	switch {
	case v.isChance(columnChance):
		return columnChance + 1
	case v.Board.Truth != nil:
		return columnTruth + 1
	}
	return 1
}

// isChance tells whether a column is that of the chance levels, which there is beside true
// accuracies where some model has one.
func (v *View) isChance(col int) bool {
	if col != columnChance || v.Board.Truth == nil {
		return false
	}
	for j := range v.Board.Models {
		if v.Board.ChanceOf(j).Flagged() {
			return true
		}
	}
	return false
}

func (v *View) columns() int { return v.first() + len(v.Board.Rankings) }

// ranking is that of a column; ok is false for the others.
func (v *View) ranking(col int) (r rank.Ranking, ok bool) {
	if at := col - v.first(); at >= 0 && at < len(v.Board.Rankings) {
		return v.Board.Rankings[at], true
	}
	return rank.Ranking{}, false
}

// scores are the numbers of a column, ranks their ranks, sd their deviations; all nil where there
// are none.
func (v *View) scores(col int) (scores []float64, ranks []int, sd []float64) {
	if r, ok := v.ranking(col); ok {
		return r.Scores, r.Rank, r.SD
	}
	if col == columnTruth && v.Board.Truth != nil {
		return v.Board.Truth, rank.Competition(v.Board.Truth), nil
	}
	return nil, nil, nil
}

// Title is a column's heading. A ranker that was measured in several ways has its note in it.
func (v *View) Title(col int) string {
	r, ok := v.ranking(col)
	switch {
	case ok && v.several(r.Method):
		return r.Method.Short() + ", " + r.Note
	case ok:
		return r.Method.Title()
	case col == columnModel:
		return "model"
	case v.isChance(col):
		return "chance"
	}
	return "true accuracy"
}

func (v *View) several(m rank.Method) bool {
	n := 0
	for _, r := range v.Board.Rankings {
		if r.Method == m {
			n++
		}
	}
	return n > 1
}

// Hint says what a column tells.
func (v *View) Hint(col int) string {
	r, ok := v.ranking(col)
	switch {
	case ok && !r.Reason.None():
		return r.Method.Help() + " — " + r.Reason.Text
	case ok && r.Note != "":
		return r.Method.Help() + " — " + r.Note
	case ok:
		return r.Method.Help()
	case col == columnModel:
		return "a double click opens the model on Inspect"
	case v.isChance(col):
		return "models whose true accuracy is not above chance, or nearly all of whose predictions are one class"
	}
	if n := known(v.Data); n < v.Data.Samples {
		return fmt.Sprintf("the share of right predictions among the %d images whose class is known", n)
	}
	return rank.TruthMethod.Help()
}

// Len is the number of rows.
func (v *View) Len() int { return len(v.order) }

// At is the model in a row; ok is false outside.
func (v *View) At(row int) (m rank.Model, ok bool) {
	if row < 0 || row >= len(v.order) {
		return rank.Model{}, false
	}
	return v.Board.Models[v.order[row]], true
}

// Cell is the text of a cell: rank and score, with the deviation of a sampled ranker.
func (v *View) Cell(row, col int) string {
	m, ok := v.At(row)
	if !ok {
		return ""
	}
	if col == columnModel {
		return m.ID
	}
	j := v.order[row]
	r, ranked := v.ranking(col)
	switch {
	case v.isChance(col):
		return v.Board.ChanceOf(j).Code.Word()
	case ranked && waits(r):
		return ""
	}
	scores, ranks, sd := v.scores(col)
	if j >= len(scores) || math.IsNaN(scores[j]) {
		return present.None
	}
	text := strconv.Itoa(ranks[j]) + "   " + scoreText(scores[j])
	if j < len(sd) {
		text += " ± " + deviationText(sd[j])
	}
	return text
}

// scoreText writes a score with four decimals: scores of good models differ little.
func scoreText(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) >= 1000 {
		return present.Number(v)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

func deviationText(v float64) string {
	if math.IsNaN(v) {
		return present.None
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// SortBy sorts by a column, best first; the same one again turns the order round. What has no
// score stands last.
func (v *View) SortBy(col int) {
	if col < 0 || col >= v.columns() {
		return
	}
	if col == v.sorted {
		v.descending = !v.descending
	} else {
		v.sorted, v.descending = col, false
	}
	v.arrange()
}

// Order is the column that the table is sorted by, and whether from the worst to the best.
func (v *View) Order() (col int, descending bool) { return v.sorted, v.descending }

func (v *View) arrange() {
	v.order = make([]int, len(v.Board.Models))
	for j := range v.order {
		v.order[j] = j
	}
	_, ranks, _ := v.scores(v.sorted)
	turn := 1
	if v.descending {
		turn = -1
	}
	slices.SortStableFunc(v.order, func(a, b int) int {
		byName := result.Natural(v.Board.Models[a].ID, v.Board.Models[b].ID)
		if ranks == nil {
			return turn * byName
		}
		if unranked := cmp.Compare(bit(ranks[a] == 0), bit(ranks[b] == 0)); unranked != 0 {
			return unranked
		}
		return cmp.Or(turn*cmp.Compare(ranks[a], ranks[b]), byName)
	})
}

// bit is 1 for true.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Select selects a model by its key, "" for none.
func (v *View) Select(key string) { v.selected = key }

// Row is the row of the selected model, -1 without one.
func (v *View) Row() int {
	return slices.IndexFunc(v.order, func(j int) bool { return keyOf(v.Board.Models[j]) == v.selected })
}

// Detail is the line about a row: the model's rank by every ranker.
func (v *View) Detail(row int) string {
	m, ok := v.At(row)
	if !ok {
		return ""
	}
	text := m.ID
	for col := 1; col < v.columns(); col++ {
		if _, ranks, _ := v.scores(col); ranks != nil && ranks[v.order[row]] > 0 {
			text += fmt.Sprintf(", %s %d", v.Title(col), ranks[v.order[row]])
		}
	}
	if level := v.Board.ChanceOf(v.order[row]); level.Flagged() {
		text += "; " + level.Sentence()
	}
	return text
}

// Caption is the line over the table: how much was ranked, and what it rests on.
func (v *View) Caption() string {
	text := fmt.Sprintf("%s on %s of %s", present.Counted(int64(len(v.Board.Models)), "model"), present.Counted(int64(v.Board.Samples), "image"), v.Material.Source.Name)
	switch n := known(v.Data); {
	case n == 0:
		text = fmt.Sprintf("%s, without true classes", text)
	case n < v.Data.Samples:
		text = fmt.Sprintf("%s, the classes of %s are known", text, present.Counted(int64(n), "image"))
	}
	if n := len(v.Material.Left); n > 0 {
		text = fmt.Sprintf("%s, %s left out", text, present.Count(int64(n)))
	}
	return text
}
