package export

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/stats"
)

// Rankings is a board of rankers with what was studied beside it, for files. What is nil is not written.
type Rankings struct {
	Source     string // the suite or table that the predictions are about
	Classes    int
	Board      rank.Board
	Curves     []rank.Curve
	Impact     []rank.ImpactPoint
	Conditions []rank.Conditions
	Shifted    []ShiftedBoard
	LeftOut    []RankLeftOut
	// SampleNames and ClassNames are nil for numbers; Truth holds the true class per sample, -1 for unknown, nil for none.
	SampleNames, ClassNames []string
	Truth                   []int32
}

// RankLeftOut is a model that takes no part, with the reason in words.
type RankLeftOut struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// ShiftedBoard is a board on one of several suites: the suite itself, with an empty corruption, or one that is derived from it.
type ShiftedBoard struct {
	Suite, Corruption string
	Severity          int
	Board             rank.Board
}

// File is one file of an export: its name, and what writes it.
type File struct {
	Name  string
	Write func(w io.Writer) error
}

// Files are the files that there is something for: ranking.csv (models x rankers), quality.csv (rankers x measures),
// ranking.json (both and what follows), rank_correlation.csv, hard_images.csv, curves.csv, impact.csv, conditions.csv, shifted.csv (rankers x measures on every suite).
func (r Rankings) Files() []File {
	files := []File{{"ranking.csv", r.RankingCSV}, {"ranking.json", r.JSON}}
	if r.Board.Truth != nil {
		files = append(files, File{"quality.csv", r.QualityCSV})
	}
	if len(r.Board.Compared) > 0 {
		files = append(files, File{"rank_correlation.csv", r.CorrelationCSV})
	}
	if r.Board.LaF != nil {
		files = append(files, File{"hard_images.csv", r.HardImagesCSV})
	}
	if len(r.Curves) > 0 {
		files = append(files, File{"curves.csv", r.CurvesCSV})
	}
	if len(r.Impact) > 0 {
		files = append(files, File{"impact.csv", r.ImpactCSV})
	}
	if len(r.Conditions) > 0 {
		files = append(files, File{"conditions.csv", r.ConditionsCSV})
	}
	if len(r.Shifted) > 0 {
		files = append(files, File{"shifted.csv", r.ShiftedCSV})
	}
	return files
}

// Columns names the rankings in tables, each its own: the method, with a number behind it where one was measured more than once.
func (r Rankings) Columns() []string { return columnsOf(r.Board.Rankings) }

func columnsOf(rankings []rank.Ranking) []string {
	names := make([]string, len(rankings))
	seen := map[rank.Method]int{}
	for k, one := range rankings {
		seen[one.Method]++
		names[k] = string(one.Method)
		if n := seen[one.Method]; n > 1 {
			names[k] = fmt.Sprintf("%s-%d", one.Method, n)
		}
	}
	return names
}

// RankingCSV writes one row per model: true accuracy and its rank where there is one, then score and rank of every ranker, with
// the deviation of scores over repetitions. A ranker without a ranking has empty cells.
func (r Rankings) RankingCSV(w io.Writer) error {
	header := []string{"model_id", "model_hash", "accuracy", "accuracy_rank", "chance"}
	for _, name := range r.Columns() {
		header = append(header, name+"_score", name+"_sd", name+"_rank")
	}
	t := newTable(w, header)
	ranks := rank.Competition(r.Board.Truth)
	for j, m := range r.Board.Models {
		row := []string{comma.Guard(m.ID), m.Hash, "", "", ""}
		if r.Board.Truth != nil {
			row[2], row[3], row[4] = decimal(r.Board.Truth[j]), rankText(ranks[j]), string(r.Board.ChanceOf(j).Code)
		}
		for _, one := range r.Board.Rankings {
			row = append(row, scoreCells(one, j)...)
		}
		t.row(row)
	}
	return t.finish()
}

// scoreCells are score, deviation and rank of a model.
func scoreCells(one rank.Ranking, j int) []string {
	cells := []string{"", "", ""}
	if one.Reason != "" {
		return cells
	}
	cells[0], cells[2] = decimal(one.Scores[j]), rankText(one.Rank[j])
	if one.SD != nil {
		cells[1] = decimal(one.SD[j])
	}
	return cells
}

// rankText is a rank; 0 is none.
func rankText(rank int) string {
	if rank == 0 {
		return ""
	}
	return strconv.Itoa(rank)
}

// decimal is a number with all its digits; NaN is an empty cell.
func decimal(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return number(v)
}

// qualityColumns are those of every table about quality.
func (r Rankings) qualityColumns() []string {
	columns := []string{
		"spearman", "spearman_sd", "spearman_p", "spearman_low", "spearman_high",
		"kendall", "kendall_sd", "kendall_p", "kendall_low", "kendall_high", "significant",
	}
	for _, k := range r.Board.TopK {
		columns = append(columns, fmt.Sprintf("jaccard_%d", k), fmt.Sprintf("jaccard_%d_sd", k))
	}
	return append(columns, "repetitions", "reason")
}

// endCells are the ends of a correlation's interval, empty without one.
func endCells(c stats.Correlation) []string {
	if !c.HasInterval() {
		return []string{"", ""}
	}
	return []string{decimal(c.Low), decimal(c.High)}
}

func (r Rankings) qualityCells(q rank.Quality) []string {
	cells := append([]string{decimal(q.Spearman.Mean), decimal(q.Spearman.SD), decimal(q.SpearmanP())}, endCells(q.Rho)...)
	cells = append(cells, decimal(q.Kendall.Mean), decimal(q.Kendall.SD), decimal(q.KendallP()))
	cells = append(append(cells, endCells(q.Tau)...), decimal(q.Significant))
	for at := range r.Board.TopK {
		mean, deviation := "", ""
		if at < len(q.Jaccard) {
			mean, deviation = decimal(q.Jaccard[at].Mean), decimal(q.Jaccard[at].SD)
		}
		cells = append(cells, mean, deviation)
	}
	return append(cells, strconv.Itoa(q.Spearman.Of), cmp.Or(q.Spearman.Reason, q.Kendall.Reason))
}

// QualityCSV writes one row per ranker: how its ranking compares with true accuracy.
func (r Rankings) QualityCSV(w io.Writer) error {
	t := newTable(w, append([]string{"method", "note", "models", "budget"}, r.qualityColumns()...))
	names := r.Columns()
	for k, one := range r.Board.Rankings {
		cells := append([]string{names[k], comma.Guard(one.Note), strconv.Itoa(one.Scored()), budget(one.Budget)}, r.qualityCells(one.Quality)...)
		if one.Reason != "" {
			cells[len(cells)-1] = one.Reason
		}
		t.row(cells)
	}
	return t.finish()
}

func budget(labels int) string {
	if labels == 0 {
		return ""
	}
	return strconv.Itoa(labels)
}

// CorrelationCSV writes the comparison of all rankers, and the truth, in long form: one row per measure and pair; the measures
// are spearman, kendall and jaccard_K.
func (r Rankings) CorrelationCSV(w io.Writer) error {
	t := newTable(w, []string{"measure", "first", "second", "value"})
	names := r.compared()
	write := func(measure string, matrix [][]float64) {
		for row, values := range matrix {
			for column, v := range values {
				t.row([]string{measure, names[row], names[column], decimal(v)})
			}
		}
	}
	write("spearman", r.Board.Spearman)
	write("kendall", r.Board.Kendall)
	for at, k := range r.Board.TopK {
		write(fmt.Sprintf("jaccard_%d", k), r.Board.Jaccard[at])
	}
	return t.finish()
}

// compared names the rows of the correlations as Columns does.
func (r Rankings) compared() []string {
	var names []string
	if r.Board.Truth != nil {
		names = append(names, string(rank.TruthMethod))
	}
	columns := r.Columns()
	for k, one := range r.Board.Rankings {
		if one.Reason == "" {
			names = append(names, columns[k])
		}
	}
	return names
}

// HardImage is a sample on which models disagree, as LaF sees it.
type HardImage struct {
	Image int    `json:"image"`
	Name  string `json:"name,omitempty"`
	// Difficulty is the negative of the log-easiness; undefined (null) without optimising.
	Difficulty *float64 `json:"difficulty"`
	Agreement  float64  `json:"agreement"` // share of models with the majority's class
	Majority   string   `json:"majority"`
	Likely     string   `json:"likely,omitempty"` // most probable class
	Sure       *float64 `json:"sure"`             // its probability
	True       string   `json:"true,omitempty"`
}

// HardImages are the samples that are not unanimous, the hardest first: by difficulty, then the least agreement, then number. most
// limits them; 0 is all.
func (r Rankings) HardImages(most int) []HardImage {
	l := r.Board.LaF
	if l == nil {
		return nil
	}
	order := make([]int, len(l.Kept))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if l.Easiness != nil && l.Easiness[a] != l.Easiness[b] {
			return cmp.Compare(l.Easiness[a], l.Easiness[b])
		}
		return cmp.Compare(l.PriorEasiness[a], l.PriorEasiness[b])
	})
	if most > 0 {
		order = order[:min(most, len(order))]
	}
	list := make([]HardImage, len(order))
	for at, k := range order {
		list[at] = r.hardImage(k)
	}
	return list
}

func (r Rankings) hardImage(k int) HardImage {
	l := r.Board.LaF
	i := l.Kept[k]
	h := HardImage{Image: i, Agreement: l.PriorEasiness[k], Majority: r.class(l.Pseudo[k])}
	if l.Easiness != nil {
		h.Difficulty = defined(-l.Easiness[k])
	}
	if l.Labels != nil {
		h.Likely, h.Sure = r.class(l.Labels[k]), defined(l.Sure[k])
	}
	if i < len(r.SampleNames) {
		h.Name = r.SampleNames[i]
	}
	if i < len(r.Truth) && r.Truth[i] >= 0 {
		h.True = r.class(r.Truth[i])
	}
	return h
}

// class is a class's name, or its number.
func (r Rankings) class(c int32) string {
	if int(c) < len(r.ClassNames) {
		return r.ClassNames[c]
	}
	return strconv.Itoa(int(c))
}

// defined is nil for a number that JSON cannot hold.
func defined(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// decimalOf is a number with all its digits; nil is an empty cell.
func decimalOf(v *float64) string {
	if v == nil {
		return ""
	}
	return number(*v)
}

// HardImagesCSV writes the samples that are not unanimous, the hardest first.
func (r Rankings) HardImagesCSV(w io.Writer) error {
	t := newTable(w, []string{"image", "name", "difficulty", "agreement", "majority", "likely", "sure", "true"})
	for _, h := range r.HardImages(0) {
		t.row([]string{
			strconv.Itoa(h.Image), comma.Guard(h.Name), decimalOf(h.Difficulty), decimal(h.Agreement), comma.Guard(h.Majority), comma.Guard(h.Likely), decimalOf(h.Sure),
			comma.Guard(h.True),
		})
	}
	return t.finish()
}

// CurvesCSV writes the quality of every ranker over the labelling budget.
func (r Rankings) CurvesCSV(w io.Writer) error {
	t := newTable(w, append([]string{"method", "note", "budget"}, r.qualityColumns()...))
	for _, c := range r.Curves {
		for k, labels := range c.Budgets {
			t.row(append([]string{string(c.Method), comma.Guard(c.Note), strconv.Itoa(labels)}, r.qualityCells(c.Quality[k])...))
		}
	}
	return t.finish()
}

// ImpactCSV writes LaF's quality on shares of the models and of the samples.
func (r Rankings) ImpactCSV(w io.Writer) error {
	t := newTable(w, append([]string{"factor", "share", "models", "samples"}, r.qualityColumns()...))
	for _, p := range r.Impact {
		t.row(append([]string{string(p.Factor), decimal(p.Share), strconv.Itoa(p.Models), strconv.Itoa(p.Samples)}, r.qualityCells(p.Quality)...))
	}
	return t.finish()
}

// ConditionsCSV writes LaF's quality beside mean, deviation and range of the models' accuracies on each suite.
func (r Rankings) ConditionsCSV(w io.Writer) error {
	header := []string{"suite", "corruption", "severity", "mean_accuracy", "diversity", "lowest", "highest"}
	t := newTable(w, append(header, r.qualityColumns()...))
	for _, c := range r.Conditions {
		cells := []string{
			comma.Guard(c.Name), c.Corruption, budget(c.Severity), decimal(c.MeanAccuracy), decimal(c.Diversity), decimal(c.Lowest), decimal(c.Highest),
		}
		t.row(append(cells, r.qualityCells(c.Quality)...))
	}
	return t.finish()
}

// ShiftedCSV writes how every ranker compares with true accuracy on every suite.
func (r Rankings) ShiftedCSV(w io.Writer) error {
	t := newTable(w, append([]string{"suite", "corruption", "severity", "method", "budget"}, r.qualityColumns()...))
	for _, one := range r.Shifted {
		names := columnsOf(one.Board.Rankings)
		for k, ranking := range one.Board.Rankings {
			cells := []string{comma.Guard(one.Suite), one.Corruption, budget(one.Severity), names[k], budget(ranking.Budget)}
			t.row(append(cells, r.qualityCells(ranking.Quality)...))
		}
	}
	return t.finish()
}
