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
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/store"
)

// agreementBlocks are all measures with their intervals, and the tables behind them.
func (r *roundReport) agreementBlocks(ctx context.Context) []Block {
	m := r.measured
	group := Table{Columns: measureColumns("Measure")}
	group.Rows = append(group.Rows, groupRows(m)...)
	blocks := []Block{group}
	pairs := Table{Caption: "Cohen's kappa of each pair", Columns: measureColumns("Pair")}
	var figures Figures
	for _, p := range m.Cohen {
		pairs.Rows = append(pairs.Rows, cohenRows(p.Raters[0]+" and "+p.Raters[1], p.Cohen)...)
		if p.N > 0 {
			figures = append(figures, Figure{
				Drawing: confusionDrawing(p.Confusion, m.Classes, p.Raters[0], p.Raters[1]),
				Caption: result.Counted(p.N, "item") + " labelled by both",
			})
		}
	}
	against := Table{Caption: "Cohen's kappa against the majority vote", Columns: measureColumns("Annotator")}
	for _, a := range m.VsMajority {
		against.Rows = append(against.Rows, cohenRows(a.Rater, a.Cohen)...)
	}
	if len(pairs.Rows) > 0 {
		blocks = append(blocks, pairs)
	}
	if len(figures) > 0 {
		blocks = append(blocks, heading("Who labelled how: rows the first of a pair, columns the second"), figures)
	}
	blocks = append(blocks, against, remark("Beside the majority vote: "+m.Note+"."))
	if self := r.selfTable(ctx); len(self.Rows) > 0 {
		blocks = append(blocks, self)
	}
	words := fmt.Sprintf("%s, %s with a label, %s with two or more. Intervals of 95 %%: jackknife over the items. "+
		"The words (poor to almost perfect) are those of Landis and Koch, a hint only.",
		result.Counted(m.Items, "item"), result.Whole(m.ItemsRated), result.Whole(m.ItemsTwo))
	return append(blocks, remark(words))
}

// selfTable is how well each annotator agrees with themselves on the items that came again.
func (r *roundReport) selfTable(ctx context.Context) Table {
	t := Table{Caption: "Self-consistency: the first labels and those of the items that came again", Columns: measureColumns("Annotator")}
	for _, id := range r.Annotators {
		first, second := label.Passes(r.Round, id, r.events)
		self := agreement.Self(r.name(id), first, second, r.Classes, r.options(ctx))
		if self.N > 0 {
			t.Rows = append(t.Rows, cohenRows(self.Rater, self.Cohen)...)
		}
	}
	return t
}

func measureColumns(first string) []Column {
	return columns(first, "Value#", "95 % interval", "n#", "In words")
}

// groupRows are the measures of all annotators together.
func groupRows(m agreement.Report) (rows [][]string) {
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
			rows = append(rows, append([]string{one.name}, estimate(*one.e)...))
		}
	}
	return rows
}

// cohenRows are the measures of two columns of labels.
func cohenRows(name string, c agreement.Cohen) (rows [][]string) {
	for _, one := range []struct {
		name string
		e    *agreement.Estimate
	}{{"κ", &c.Kappa}, {"κ, linear", c.Linear}, {"κ, quadratic", c.Quadratic}, {"percent", &c.Percent}} {
		if one.e != nil {
			rows = append(rows, append([]string{name + ": " + one.name}, estimate(*one.e)...))
		}
	}
	return rows
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
	var tiles []stripTile
	for _, m := range s.measures {
		tiles = append(tiles, stripTile{name: r.view.title(m.modality), matrix: m.matrix, scale: m.scale})
	}
	if len(tiles) == 0 {
		for _, name := range r.view.modalities {
			tiles = append(tiles, stripTile{name: r.view.title(name)})
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
	return Figure{Drawing: stripDrawing(tiles, "matrices of "+name), Caption: words}
}

// timeBlocks are the active seconds per label: quartiles by annotator, and how they are spread.
func (r *roundReport) timeBlocks() []Block {
	t := Table{Columns: columns("Annotator", "Labels#", "Lower quartile#", "Median#", "Upper quartile#", "Together#")}
	var all []float64
	for _, id := range r.Annotators {
		var times []float64
		for _, hash := range r.Models {
			if ev, ok := r.current[label.Key{Model: hash, Annotator: id}]; ok && ev.Seconds > 0 {
				times = append(times, ev.Seconds)
			}
		}
		all = append(all, times...)
		row := []string{r.name(id), result.Whole(len(times)), result.None, result.None, result.None, result.None}
		if len(times) > 0 {
			slices.Sort(times)
			sum := 0.0
			for _, s := range times {
				sum += s
			}
			row = append(row[:2], result.Duration.Say(stats.Quantile(times, 0.25), 0), result.Duration.Say(stats.Quantile(times, 0.5), 0), result.Duration.Say(stats.Quantile(times, 0.75), 0), result.Duration.Say(sum, 0))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(all) == 0 {
		return []Block{Text{Plain, "No label has a time."}}
	}
	slices.Sort(all)
	counts, width := histogram(all, 24)
	drawing := bars(counts, width, "active seconds per label (the last bar holds all longer ones)", "labels", "how the times per label are spread")
	return []Block{t, Figures{{Drawing: drawing}}}
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

// notes are what annotators wrote beside their labels, and their flags.
func (r *roundReport) notes() Table {
	t := Table{Columns: columns("Model", "Annotator", "Kind", "Label", "Flag", "Note")}
	for _, ev := range label.Active(r.events) {
		if ev.Note == "" && ev.Flag == "" {
			continue
		}
		t.Rows = append(t.Rows, []string{r.modelName(ev.Model), r.name(ev.Annotator), string(ev.Kind), string(ev.Value), ev.Flag, ev.Note})
	}
	return t
}
