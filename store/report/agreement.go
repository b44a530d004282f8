package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/store"
)

// estimated is a measure with its name.
type estimated struct {
	name string
	agreement.Estimate
}

// estimates is a table of measures; first is the title of their names.
func estimates(caption, first string, list []estimated) Table {
	end := func(of func(stats.Interval) float64) func(estimated) float64 {
		return func(e estimated) float64 {
			if e.Interval == nil || e.Interval.Reason != "" {
				return math.NaN()
			}
			return of(*e.Interval)
		}
	}
	return Table{Caption: caption, Sheet: result.Table[estimated]{
		Name: "agreement", Title: "Agreement", Noun: "measure", ID: func(e estimated) string { return e.name },
		Columns: []result.Column[estimated]{
			result.Texts("measure", first, "", func(e estimated) string { return e.name }),
			result.Numbers("value", "value", "with its 95 % interval", result.Coefficient, func(e estimated) float64 {
				if !e.Value.Defined() {
					return math.NaN()
				}
				return e.Value.Value
			}).Between(end(func(i stats.Interval) float64 { return i.Low }), end(func(i stats.Interval) float64 { return i.High })),
			result.Counts("n", "n", "models that count", func(e estimated) int { return e.N }),
			result.Texts("remark", "in words", "what Landis and Koch call it, or why it is missing",
				func(e estimated) string { return e.Remark() }),
		},
	}.Sheet(list)}
}

// agreementBlocks are all measures with their intervals, and the tables behind them.
func (r *roundReport) agreementBlocks(ctx context.Context) []Block {
	m := r.measured
	blocks := []Block{estimates("", "measure", group(m))}
	var pairs, against, self []estimated
	var figures Figures
	for _, p := range m.Cohen {
		pairs = append(pairs, cohen(p.Raters[0]+" and "+p.Raters[1], p.Cohen)...)
		if p.N > 0 {
			figures = append(figures, Figure{
				Drawing: render.Confusion(p.Confusion, m.Classes),
				Caption: fmt.Sprintf("%s in rows, %s in columns: %s labelled by both", p.Raters[0], p.Raters[1], result.Counted(p.N, "item")),
				Alt:     "labels of " + p.Raters[0] + " against those of " + p.Raters[1],
			})
		}
	}
	for _, a := range m.VsMajority {
		against = append(against, cohen(a.Rater, a.Cohen)...)
	}
	for _, id := range r.Annotators { // the items that came again
		first, second := label.Passes(r.Round, id, r.events)
		if again := agreement.Self(r.name(id), first, second, r.Classes, r.options(ctx)); again.N > 0 {
			self = append(self, cohen(again.Rater, again.Cohen)...)
		}
	}
	if len(pairs) > 0 {
		blocks = append(blocks, estimates("Cohen's kappa of each pair", "pair", pairs))
	}
	if len(figures) > 0 {
		blocks = append(blocks, heading("Who labelled how: rows the first of a pair, columns the second"), figures)
	}
	blocks = append(blocks, estimates("Cohen's kappa against the majority vote", "annotator", against), remark("Beside the majority vote: "+m.Note+"."))
	if len(self) > 0 {
		blocks = append(blocks, estimates("Self-consistency: the first labels and those of the items that came again", "annotator", self))
	}
	words := fmt.Sprintf("%s, %s with a label, %s with two or more. Intervals of 95 %%: jackknife over the items. "+
		"The words (poor to almost perfect) are those of Landis and Koch, a hint only.",
		result.Counted(m.Items, "item"), result.Whole(m.ItemsRated), result.Whole(m.ItemsTwo))
	return append(blocks, remark(words))
}

// group are the measures of all annotators together.
func group(m agreement.Report) (list []estimated) {
	fleiss := "Fleiss' kappa"
	if m.Generalised {
		fleiss += ", generalised to missing labels"
	}
	for _, one := range []struct {
		name string
		e    *agreement.Estimate
	}{
		{"Percent agreement", &m.Percent},
		{fleiss, &m.Fleiss},
		{"Cohen's kappa, mean of the pairs", &m.CohenMean},
		{"Cohen's kappa, mean of the pairs, weighted linearly", m.CohenMeanLinear},
		{"Cohen's kappa, mean of the pairs, weighted quadratically", m.CohenMeanQuadratic},
		{"Gwet's AC1", &m.GwetAC1},
		{"Gwet's AC2, linear", m.GwetAC2Linear},
		{"Gwet's AC2, quadratic", m.GwetAC2Quadratic},
		{"Krippendorff's α, nominal", &m.KrippendorffNominal},
		{"Krippendorff's α, ordinal", m.KrippendorffOrdinal},
		{"Krippendorff's α, interval", m.KrippendorffInterval},
	} {
		if one.e != nil {
			list = append(list, estimated{one.name, *one.e})
		}
	}
	return list
}

// cohen are the measures of two columns of labels.
func cohen(name string, c agreement.Cohen) (list []estimated) {
	for _, one := range []struct {
		name string
		e    *agreement.Estimate
	}{{"κ", &c.Kappa}, {"κ, linear", c.Linear}, {"κ, quadratic", c.Quadratic}, {"percent", &c.Percent}} {
		if one.e != nil {
			list = append(list, estimated{name + ": " + one.name, *one.e})
		}
	}
	return list
}

// disagreements are the items whose labels differ, with their matrices side by side. Models that
// are not here have their labels only.
func (r *roundReport) disagreements(ctx context.Context) ([]Block, error) {
	items := label.Disagreements(r.Round, r.events)
	if len(items) == 0 {
		return []Block{Text{Plain, "No two labels of an item differ."}}, nil
	}
	r.progress.SetTotal(int64(len(items)))
	ranges, err := r.ws.RoundRanges(ctx, r.Round)
	if err != nil {
		return nil, fmt.Errorf("round %q: %w", r.Name, err)
	}
	var list []seen
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := r.look(ctx, item.Model, r.view, false)
		if errors.Is(err, store.ErrNotFound) {
			s.problem, err = "the model is not in this workspace", nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
		r.progress.Add(1)
	}
	r.view.scales(ranges, list, r.colours, nil)
	blocks := append([]Block{Text{Plain, r.disagreementWords(items)}}, outside(list...)...)
	var figures Figures
	for k, item := range items {
		figures = append(figures, r.disagreement(item, list[k]))
	}
	return append(blocks, figures), nil
}

func (r *roundReport) disagreementWords(items []label.Disagreement) string {
	tied := 0
	for _, item := range items {
		if item.Tied {
			tied++
		}
	}
	words := result.Counted(len(items), "item") + " with different labels, the widest apart first"
	if tied > 0 {
		words += fmt.Sprintf("; %d without a majority", tied)
	}
	var ranges []string
	shown, of := r.view.modalities, r.view.ranges
	if r.view.scenes != nil {
		shown, of = r.Modalities, r.Ranges
	}
	for _, name := range shown {
		if c, ok := of[name]; ok {
			ranges = append(ranges, fmt.Sprintf("%s %s to %s", name, result.Number.Write(c.Low), result.Number.Write(c.High)))
		}
	}
	return words + ". Colour ranges: " + strings.Join(ranges, ", ") + "."
}

// disagreement is the strip of one item's matrices with the labels below it.
func (r *roundReport) disagreement(item label.Disagreement, s seen) Figure {
	var tiles []render.Tile
	var names []string
	for _, m := range s.measures {
		tiles, names = append(tiles, render.Tile{Matrix: m.Matrix, Scale: m.scale}), append(names, r.view.title(m.Modality))
	}
	if len(tiles) == 0 {
		for _, name := range r.view.modalities {
			tiles, names = append(tiles, render.Tile{}), append(names, r.view.title(name))
		}
	}
	name := r.modelName(item.Model)
	var labels []string
	for a, v := range item.Values {
		if v != "" {
			labels = append(labels, r.name(r.Annotators[a])+" "+string(v))
		}
	}
	words := name + ": " + strings.Join(labels, ", ")
	if final := r.decisions[item.Item]; final.By == label.Adjudicated {
		words += "; adjudicated " + string(final.Value)
	}
	words += sceneWords(s)
	if s.problem != "" {
		words += " (no matrices: " + s.problem + ")"
	}
	return Figure{Drawing: render.Tiles(tiles, names), Caption: words, Alt: "matrices of " + name}
}

// timed are the active seconds of an annotator's labels, ascending.
type timed struct {
	annotator string
	seconds   []float64
}

// times has a row per annotator.
var times = result.Table[timed]{
	Name: "times", Title: "Time per item", Noun: "annotator", ID: func(t timed) string { return t.annotator },
	Columns: []result.Column[timed]{
		result.Texts("annotator", "annotator", "", func(t timed) string { return t.annotator }),
		result.Counts("labels", "labels", "with a time", func(t timed) int { return len(t.seconds) }),
		quartile("q25", "lower quartile", 0.25), quartile("median", "median", 0.5), quartile("q75", "upper quartile", 0.75),
		result.Numbers("seconds", "together", "", result.Duration, func(t timed) (sum float64) {
			for _, s := range t.seconds {
				sum += s
			}
			if sum == 0 {
				return math.NaN()
			}
			return sum
		}),
	},
}

func quartile(key, title string, share float64) result.Column[timed] {
	return result.Numbers(key, title, "", result.Duration, func(t timed) float64 {
		if len(t.seconds) == 0 {
			return math.NaN()
		}
		return stats.Quantile(t.seconds, share)
	})
}

// timeBlocks are the active seconds per label: quartiles by annotator, and how they are spread.
func (r *roundReport) timeBlocks() ([]Block, error) {
	var list []timed
	var all []float64
	for _, id := range r.Annotators {
		t := timed{annotator: r.name(id)}
		for _, hash := range r.Models {
			if ev, ok := r.current[label.Key{Model: hash, Annotator: id}]; ok && ev.Seconds > 0 {
				t.seconds = append(t.seconds, ev.Seconds)
			}
		}
		slices.Sort(t.seconds)
		list, all = append(list, t), append(all, t.seconds...)
	}
	if len(all) == 0 {
		return []Block{Text{Plain, "No label has a time."}}, nil
	}
	slices.Sort(all)
	counts, width := histogram(all, 24)
	steps := result.Line{} // the upper edges of bars
	for k, n := range counts {
		steps.X = append(steps.X, width*float64(k), width*float64(k), width*float64(k+1), width*float64(k+1))
		steps.Y = append(steps.Y, 0, float64(n), float64(n), 0)
	}
	drawing, err := render.OnPage(result.Figure{
		X: result.Axis{Name: "active time per label (the last bar holds all longer ones)", Unit: "s", Format: result.Number},
		Y: result.Axis{Name: "labels", Format: result.Count, High: 1}, Lines: []result.Line{steps},
	})
	return []Block{Table{Sheet: times.Sheet(list)}, Figures{{Drawing: drawing, Alt: "how the times per label are spread"}}}, err
}

// histogram counts sorted values in intervals from 0 whose width is 1, 2 or 5 times a power of
// ten, so that 95 of 100 values lie before the last.
func histogram(sorted []float64, most int) (counts []int, width float64) {
	upper := stats.Quantile(sorted, 0.95)
	width = 1e-3
	for power := -3; width*float64(most) < upper; power++ {
		for _, digit := range []float64{1, 2, 5} {
			if width = digit * math.Pow10(power); width*float64(most) >= upper {
				break
			}
		}
	}
	counts = make([]int, min(most, int(upper/width)+1)+1)
	for _, v := range sorted {
		counts[min(int(v/width), len(counts)-1)]++
	}
	return counts, width
}
