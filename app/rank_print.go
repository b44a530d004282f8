package app

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/ui/present"
)

// printRankings prints the tables for people: models by ranker, quality by ranker, and what else was asked for.
func printRankings(s *session, r export.Rankings) error {
	tables := [][][]string{rankRows(r)}
	if r.Board.Truth != nil {
		tables = append(tables, qualityRows(r))
	}
	if len(r.Curves) > 0 {
		tables = append(tables, curveRows(r))
	}
	if len(r.Impact) > 0 {
		tables = append(tables, impactRows(r))
	}
	if len(r.Conditions) > 0 {
		tables = append(tables, conditionRows(r))
	}
	tables = append(tables, shiftedTables(r)...)
	for k, rows := range tables {
		if k > 0 {
			s.say("")
		}
		if err := s.print(nil, rows); err != nil {
			return err
		}
	}
	for k, line := range remarks(r) {
		if k == 0 {
			s.say("")
		}
		s.say("%s", line)
	}
	return nil
}

// remarks name rankers without a ranking, models that are no better than chance, and models that take no part.
func remarks(r export.Rankings) []string {
	var lines []string
	names := r.Columns()
	for k, one := range r.Board.Rankings {
		if one.Reason != "" {
			lines = append(lines, fmt.Sprintf("%s: no ranking: %s", names[k], one.Reason))
		}
	}
	for j, m := range r.Board.Models {
		if level := r.Board.ChanceOf(j); level.Flagged() {
			lines = append(lines, m.ID+": "+level.Sentence())
		}
	}
	for _, l := range r.LeftOut {
		lines = append(lines, fmt.Sprintf("left out: %s: %s", l.ID, l.Reason))
	}
	return lines
}

// rankRows has a row per model, in the order of the first ranking.
func rankRows(r export.Rankings) [][]string {
	b := r.Board
	header := []string{"model"}
	if b.Truth != nil {
		header = append(header, "accuracy", "chance", "rank")
	}
	order := make([]int, len(b.Models))
	for j := range order {
		order[j] = j
	}
	sorted := false
	names := r.Columns()
	for k, one := range b.Rankings {
		if one.Reason != "" {
			continue
		}
		header = append(header, names[k])
		if !sorted {
			slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(last(one.Rank[x]), last(one.Rank[y])) })
			sorted = true
		}
	}
	rows := [][]string{header}
	ranks := rank.Competition(b.Truth)
	for _, j := range order {
		row := []string{b.Models[j].ID}
		if b.Truth != nil {
			row = append(row, decimals4(b.Truth[j]), orDash(b.ChanceOf(j).Code.Word()), strconv.Itoa(ranks[j]))
		}
		for _, one := range b.Rankings {
			if one.Reason == "" {
				row = append(row, rankCell(one.Rank[j]))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// last puts models without a rank behind the others.
func last(rank int) int {
	if rank == 0 {
		return math.MaxInt
	}
	return rank
}

func rankCell(rank int) string {
	if rank == 0 {
		return "-"
	}
	return strconv.Itoa(rank)
}

func decimals4(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// qualityHeader names the columns of qualityCells.
func qualityHeader(r export.Rankings) []string {
	header := []string{"Spearman", "Kendall"}
	for _, k := range r.Board.TopK {
		header = append(header, fmt.Sprintf("Jaccard %d", k))
	}
	return header
}

func qualityCells(q rank.Quality) []string {
	cells := []string{spreadText(q.Spearman), spreadText(q.Kendall)}
	for _, s := range q.Jaccard {
		cells = append(cells, spreadText(s))
	}
	return cells
}

// spreadText is the mean, with the standard deviation where there are several values.
func spreadText(s rank.Spread) string {
	switch {
	case s.N == 0:
		return "-"
	case s.Of == 1:
		return fmt.Sprintf("%.3f", s.Mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", s.Mean, s.SD)
}

// qualityRows has a row per ranker: how it compares with true accuracy. The intervals are of rankers that are not sampled.
func qualityRows(r export.Rankings) [][]string {
	head := []string{"ranker", "labels", "models", "Spearman", "95 %", "p", "Kendall", "95 %", "p"}
	rows := [][]string{append(append(head, qualityHeader(r)[2:]...), "rests on")}
	names := r.Columns()
	for k, one := range r.Board.Rankings {
		if one.Reason != "" {
			continue
		}
		labels := "-"
		if one.Budget > 0 {
			labels = strconv.Itoa(one.Budget)
		}
		q, cells := one.Quality, qualityCells(one.Quality)
		row := []string{names[k], labels, modelsText(one), cells[0], present.Ends(q.Rho), significance(q), cells[1], present.Ends(q.Tau), present.PValue(q.KendallP())}
		rows = append(rows, append(append(row, cells[2:]...), cmp.Or(one.Note, "-")))
	}
	return rows
}

// modelsText is the number of models that have a score, "3 of 14" where some have none.
func modelsText(r rank.Ranking) string {
	if n := r.Scored(); n < len(r.Scores) {
		return fmt.Sprintf("%d of %d", n, len(r.Scores))
	}
	return strconv.Itoa(len(r.Scores))
}

// significance is the p-value of Spearman's correlation, of sampled rankers the share of repetitions in which it is below 0.05.
func significance(q rank.Quality) string {
	if q.Spearman.N > 0 && q.Spearman.Of > 1 {
		return fmt.Sprintf("<0.05 in %.0f %%", 100*q.Significant)
	}
	return present.PValue(q.SpearmanP())
}

func curveRows(r export.Rankings) [][]string {
	rows := [][]string{append([]string{"ranker", "labels"}, qualityHeader(r)...)}
	for _, c := range r.Curves {
		for k, labels := range c.Budgets {
			rows = append(rows, append([]string{string(c.Method), strconv.Itoa(labels)}, qualityCells(c.Quality[k])...))
		}
	}
	return rows
}

func impactRows(r export.Rankings) [][]string {
	rows := [][]string{append([]string{"share of", "share", "models", "images"}, qualityHeader(r)...)}
	for _, p := range r.Impact {
		factor := string(p.Factor)
		if p.Factor == rank.ShareOfSamples {
			factor = "images"
		}
		row := []string{factor, fmt.Sprintf("%.0f %%", 100*p.Share), strconv.Itoa(p.Models), strconv.Itoa(p.Samples)}
		rows = append(rows, append(row, qualityCells(p.Quality)...))
	}
	return rows
}

func conditionRows(r export.Rankings) [][]string {
	rows := [][]string{append([]string{"suite", "mean accuracy", "deviation", "lowest", "highest"}, qualityHeader(r)...)}
	for _, c := range r.Conditions {
		row := []string{c.Name, decimals4(c.MeanAccuracy), decimals4(c.Diversity), decimals4(c.Lowest), decimals4(c.Highest)}
		rows = append(rows, append(row, qualityCells(c.Quality)...))
	}
	return rows
}

// shiftedTables are one table per measure: suites by rankers, with the mean over the suites below.
func shiftedTables(r export.Rankings) [][][]string {
	if len(r.Shifted) == 0 {
		return nil
	}
	tables := [][][]string{
		shiftedTable(r, "Spearman", func(q rank.Quality) rank.Spread { return q.Spearman }),
		shiftedTable(r, "Kendall", func(q rank.Quality) rank.Spread { return q.Kendall }),
	}
	for at, k := range r.Board.TopK {
		tables = append(tables, shiftedTable(r, fmt.Sprintf("Jaccard %d", k), func(q rank.Quality) rank.Spread {
			if at < len(q.Jaccard) {
				return q.Jaccard[at]
			}
			return rank.Spread{}
		}))
	}
	return tables
}

func shiftedTable(r export.Rankings, measure string, of func(rank.Quality) rank.Spread) [][]string {
	var methods []rank.Method
	for _, one := range r.Shifted {
		for _, ranking := range one.Board.Rankings {
			if !slices.Contains(methods, ranking.Method) {
				methods = append(methods, ranking.Method)
			}
		}
	}
	header := []string{measure}
	sums, counts := make([]float64, len(methods)), make([]int, len(methods))
	for _, m := range methods {
		header = append(header, string(m))
	}
	rows := [][]string{header}
	for _, one := range r.Shifted {
		row := []string{one.Suite}
		for at, m := range methods {
			k := slices.IndexFunc(one.Board.Rankings, func(ranking rank.Ranking) bool { return ranking.Method == m })
			if k < 0 || of(one.Board.Rankings[k].Quality).N == 0 {
				row = append(row, "-")
				continue
			}
			spread := of(one.Board.Rankings[k].Quality)
			row = append(row, spreadText(spread))
			if one.Corruption != "" {
				sums[at], counts[at] = sums[at]+spread.Mean, counts[at]+1
			}
		}
		rows = append(rows, row)
	}
	return append(rows, meanRow(sums, counts))
}

// meanRow is the mean over the shifted suites, without the suite itself.
func meanRow(sums []float64, counts []int) []string {
	row := []string{"mean of the shifted"}
	for at, sum := range sums {
		cell := "-"
		if counts[at] > 0 {
			cell = fmt.Sprintf("%.3f", sum/float64(counts[at]))
		}
		row = append(row, cell)
	}
	return row
}
