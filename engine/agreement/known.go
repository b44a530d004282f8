package agreement

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Known is how annotators agree with the known answers of a round.
type Known struct {
	Answers []int // class by item, Missing for those without a known answer
	// Against has one entry per rater: the share of the known answers that the rater gave, with
	// Wilson's interval, and Cohen's kappa; rows of Confusion are the rater's.
	Against []AgainstMajority
	orders  [][]int // by rater: the known items in the order in which they were labelled
}

// knownOf compares annotators with the known answers; nil where there are none here, and while
// labels could be changed after them.
func knownOf(r label.Round, events []label.Event, ratings [][]int, raters []string, opts Options) *Known {
	if len(r.Known) == 0 || !r.Closed || !r.HasAnswers() {
		return nil
	}
	k := &Known{Answers: make([]int, len(r.Models)), orders: make([][]int, len(raters))}
	for i, model := range r.Models {
		k.Answers[i] = Missing
		if class, ok := r.Known[model].Index(r.Classes); ok {
			k.Answers[i] = class
		}
	}
	current := label.Current(events)
	for a, row := range ratings {
		c := Measure([][]int{row, k.Answers}, r.Classes, make([]string, 2), opts).Cohen[0].Cohen
		if c.Percent.Value.Defined() && opts.Intervals {
			c.Percent.Interval = wilson(c.Percent.Value.Value, c.N)
		}
		k.Against = append(k.Against, AgainstMajority{Index: a, Rater: raters[a], Cohen: c})
		for i, class := range row {
			if class != Missing && k.Answers[i] != Missing {
				k.orders[a] = append(k.orders[a], i)
			}
		}
		event := func(i int) string { return current[label.Key{Model: r.Models[i], Annotator: r.Annotators[a]}].ID }
		slices.SortFunc(k.orders[a], func(i, j int) int { return cmp.Compare(event(i), event(j)) })
	}
	return k
}

// KnownHidden says until when the known answers of the round are hidden, "" where they may be seen
// and where there are none.
func (r *Round) KnownHidden() string {
	switch {
	case len(r.Of.Known) == 0 || r.Known != nil:
		return ""
	case !r.Of.HasAnswers():
		return "the known answers are at the desk that made the round"
	}
	return "the known answers are hidden until the round is closed"
}

func wilson(share float64, n int) *stats.Interval {
	low, high := stats.Wilson(share, n)
	return &stats.Interval{Low: low, High: high}
}

// Drift is how often a rater has given the known answers after so many of them: so far, and of
// the last ones alone.
type Drift struct {
	Of        *Round
	Rater     string
	Model     string // name of the last one
	Labels    int    // models with a known answer that the rater has labelled so far
	All, Last Estimate
}

// Drifts follow raters over the models with a known answer in the order in which each labelled
// them. window, at least 1, is how many the last ones are.
func (r *Round) Drifts(window int) (list []Drift) {
	if r.Known == nil {
		return nil
	}
	for a, rater := range r.Report.Raters {
		order := r.Known.orders[a]
		right := func(from, to int) Estimate {
			n := 0
			for _, i := range order[from:to] {
				if r.Ratings[a][i] == r.Known.Answers[i] {
					n++
				}
			}
			share := float64(n) / float64(to-from)
			return Estimate{Value: defined(share), N: to - from, Interval: wilson(share, to-from)}
		}
		for k, i := range order {
			d := Drift{
				Of: r, Rater: rater, Model: r.Models[i], Labels: k + 1,
				All: right(0, k+1), Last: Estimate{Value: undefined(WindowNotFull)},
			}
			if k+1 >= window {
				d.Last = right(k+1-window, k+1)
			}
			list = append(list, d)
		}
	}
	return list
}

// Drifts is the table of Drift.
var Drifts = result.Table[Drift]{
	Name: "agreement_drift", Title: "Known answers over time", Noun: "label",
	ID: func(d Drift) string { return fmt.Sprint(roundOf(d.Of), "/", d.Rater, "/", d.Labels) },
	Columns: slices.Concat(ofRound(func(d Drift) *Round { return d.Of }), []result.Column[Drift]{
		result.Texts("rater", "annotator", "", func(d Drift) string { return d.Rater }),
		result.Counts("labels", "labels", "of models with a known answer, in the order in which they were given",
			func(d Drift) int { return d.Labels }),
		result.Texts("model_id", "model", "with the last of these labels", func(d Drift) string { return d.Model }),
		Estimated("right", "right", "share of the known answers so far, with Wilson's interval of 95 %", result.Share,
			func(d Drift) Estimate { return d.All }),
		Estimated("window_right", "right of the last",
			"share of the known answers over the sliding window, with Wilson's interval of 95 %", result.Share,
			func(d Drift) Estimate { return d.Last }),
	}),
}

// DriftFigure draws the shares of known answers, a line per rater: over the sliding window where
// every rater has filled it, else over all labels so far.
func DriftFigure(drifts []Drift, window int) result.Figure {
	f := result.Figure{
		Title: "Known answers over time", Empty: "no model with a known answer has a label",
		X: result.Axis{Name: "models with a known answer labelled", Format: result.Count},
		Y: result.Axis{Name: fmt.Sprintf("right of the last %d known answers", window), Format: result.Share, High: 1},
	}
	full := map[string]bool{}
	for _, d := range drifts {
		full[d.Rater] = full[d.Rater] || d.Labels >= window
	}
	of := func(d Drift) Estimate { return d.Last }
	for _, is := range full {
		if !is {
			f.Y.Name, of = "known answers right so far", func(d Drift) Estimate { return d.All }
		}
	}
	for k, d := range drifts {
		if k == 0 || d.Rater != drifts[k-1].Rater {
			f.Lines = append(f.Lines, result.Line{Name: d.Rater})
		}
		l := &f.Lines[len(f.Lines)-1]
		l.X, l.Y = append(l.X, float64(d.Labels)), append(l.Y, of(d).Value.Number())
	}
	return f
}
