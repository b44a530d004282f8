package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
)

// QualityColumn is a column of the table of qualities.
type QualityColumn struct {
	Title, Hint string
	Text        func(r rank.Ranking) string  // of a ranking that there is
	about       bool                         // it is about the ranker, not the ranking
	Value       func(r rank.Ranking) float64 // what the column is sorted by, best first by the largest; nil for the order of the rankers
}

// Cell is the text of the column about a ranking. One that is still being made shows nothing but its name and that; one that there is
// not shows dashes.
func (c QualityColumn) Cell(r rank.Ranking) string {
	switch {
	case c.about || r.Reason == "":
		return c.Text(r)
	case waits(r):
		return ""
	}
	return present.None
}

// qualityColumns are ranker, remarks, models, labels, both correlations with interval and p, and the Jaccard of the best.
func (v *View) qualityColumns() []QualityColumn {
	list := []QualityColumn{
		{Title: "ranker", Hint: "how well each ranker's order is that of the true accuracies", Text: v.rankerText, about: true},
		{Title: "rests on", Hint: "what the ranking rests on, or why there is none", Text: remark, about: true},
		{
			Title: "models", Hint: "how many of the models have a score by this ranker", Text: modelsText,
			Value: func(r rank.Ranking) float64 { return float64(r.Scored()) },
		},
		{
			Title: "labels", Hint: "how many images have to be labelled for one ranking", Text: labelsText,
			Value: func(r rank.Ranking) float64 { return -float64(r.Budget) },
		},
		spreadColumn(Measure{Kind: "spearman"}, "the correlation of ranks with those of the true accuracies, 1 for the same order", v.Board.TopK),
		endsColumn(func(q rank.Quality) stats.Correlation { return q.Rho }),
		{
			Title: "p", Hint: "of Spearman's ρ, two-sided; for sampled rankers the share of repetitions with p below 0.05", Text: pText,
			Value: func(r rank.Ranking) float64 { return -r.Quality.SpearmanP() },
		},
		spreadColumn(Measure{Kind: "kendall"}, "the share of pairs of models in the right order minus that in the wrong one, with ties taken into account", v.Board.TopK),
		endsColumn(func(q rank.Quality) stats.Correlation { return q.Tau }),
		{
			Title: "p", Hint: "of Kendall's τ-b, two-sided", Text: func(r rank.Ranking) string { return present.PValue(r.Quality.KendallP()) },
			Value: func(r rank.Ranking) float64 { return -r.Quality.KendallP() },
		},
	}
	for _, k := range v.Board.TopK {
		m := Measure{Kind: "jaccard", K: k}
		column := spreadColumn(m, fmt.Sprintf("how many of the %d best models by this ranker and by true accuracy are the same, as a share of all that are among either", k), v.Board.TopK)
		column.Title = fmt.Sprintf("best %d", k)
		list = append(list, column)
	}
	return list
}

func (v *View) rankerText(r rank.Ranking) string {
	if v.several(r.Method) {
		return fmt.Sprintf("%s, %s", rankerName(r.Method), noteOf(r))
	}
	return rankerName(r.Method)
}

// modelsText is how many models have a score: "14", "3 of 14".
func modelsText(r rank.Ranking) string {
	text := present.Count(int64(r.Scored()))
	if r.Scored() < len(r.Scores) {
		text = fmt.Sprintf("%s of %s", text, present.Count(int64(len(r.Scores))))
	}
	return text
}

// endsColumn are the 95 % intervals of a correlation, over resamples of the models.
func endsColumn(of func(rank.Quality) stats.Correlation) QualityColumn {
	return QualityColumn{
		Title: "95 %", Hint: "interval of the correlation over resamples of the models; not for sampled rankers and fewer than 6 models",
		Text: func(r rank.Ranking) string { return present.Ends(of(r.Quality)) },
		Value: func(r rank.Ranking) float64 {
			if c := of(r.Quality); c.HasInterval() {
				return c.Low
			}
			return math.NaN()
		},
	}
}

func labelsText(r rank.Ranking) string {
	switch {
	case !r.Method.Sampled() && r.Method != rank.RobustAccuracy:
		return ""
	case r.Method == rank.RobustAccuracy:
		return "all"
	}
	return present.Count(int64(r.Budget))
}

func spreadColumn(m Measure, hint string, topK []int) QualityColumn {
	value := func(r rank.Ranking) float64 {
		if s, ok := m.of(r.Quality, topK); ok {
			return s.Mean
		}
		return math.NaN()
	}
	return QualityColumn{Title: m.Name(), Hint: hint, Value: value, Text: func(r rank.Ranking) string {
		s, ok := m.of(r.Quality, topK)
		if !ok {
			return present.None
		}
		return spreadText(s)
	}}
}

// spreadText is "0.912 ± 0.031", or the mean alone of what was measured once.
func spreadText(s rank.Spread) string {
	if s.N <= 1 {
		return present.Kappa(s.Mean)
	}
	return present.Kappa(s.Mean) + " ± " + present.Kappa(s.SD)
}

// pText is the p-value of Spearman's correlation, of sampled rankers the share of significant repetitions.
func pText(r rank.Ranking) string {
	switch {
	case r.Quality.Spearman.N == 0:
		return present.None
	case r.Quality.Spearman.Of > 1:
		return fmt.Sprintf("<0.05 in %.0f %%", 100*r.Quality.Significant)
	}
	return present.PValue(r.Quality.SpearmanP())
}

// noteOf is what a ranking rests on: a family or set by its short name, and how many models have a score where some have none.
func noteOf(r rank.Ranking) string {
	text := present.RankNote(r.Note)
	family, rest, _ := strings.Cut(r.Note, ", ")
	if f, err := transform.ParseAny(family); err == nil && family != "" && text == r.Note {
		text = strings.TrimSuffix(f.Short()+", "+rest, ", ")
	}
	if r.Scored() < len(r.Scores) {
		text = strings.TrimPrefix(fmt.Sprintf("%s, %d of %s", text, r.Scored(), present.Counted(int64(len(r.Scores)), "model")), ", ")
	}
	return text
}

// remark is what a ranking rests on, or why there is none, or why its quality is not known.
func remark(r rank.Ranking) string {
	switch {
	case r.Reason != "":
		return present.Reason(r.Reason)
	case r.Quality.Spearman.N == 0 && r.Quality.Spearman.Reason != "":
		return strings.TrimPrefix(fmt.Sprintf("%s; quality unknown: %s", noteOf(r), present.Reason(r.Quality.Spearman.Reason)), "; ")
	}
	return noteOf(r)
}

// qualityOrder are the rankings in the order of a column of the table of qualities, best first unless turned; undefined ones
// stand last.
func (v *View) qualityOrder(col int, turned bool) []int {
	order := make([]int, len(v.Board.Rankings))
	for k := range order {
		order[k] = k
	}
	columns := v.qualityColumns()
	if col < 0 || col >= len(columns) || columns[col].Value == nil {
		if turned {
			slices.Reverse(order)
		}
		return order
	}
	value := func(k int) float64 {
		if r := v.Board.Rankings[k]; r.Reason == "" {
			return columns[col].Value(r)
		}
		return math.NaN()
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := value(a), value(b)
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			return cmp.Compare(bit(math.IsNaN(x)), bit(math.IsNaN(y)))
		case turned:
			return cmp.Compare(x, y)
		}
		return cmp.Compare(y, x)
	})
	return order
}
