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

// agreementBlocks are all measures with their intervals, and the tables behind them.
func (r *roundReport) agreementBlocks() []Block {
	m := r.measured.Report
	var blocks []Block
	lines := r.measured.Lines()
	for len(lines) > 0 {
		section, n := lines[0].Section, 1
		for n < len(lines) && lines[n].Section == section {
			n++
		}
		blocks = append(blocks, Table{Caption: string(section), Sheet: agreement.OnPage.Sheet(lines[:n])})
		switch lines = lines[n:]; section {
		case agreement.OfPairs:
			if figures := confusions(m); len(figures) > 0 {
				blocks = append(blocks, heading("Who labelled how: rows the first of a pair, columns the second"), figures)
			}
		case agreement.WithMajority:
			blocks = append(blocks, remark("Beside the majority vote: "+m.Note+"."))
		}
	}
	words := fmt.Sprintf("%s, %s with a label, %s with two or more. Intervals of 95 %%: jackknife over the items. "+
		"The words (poor to almost perfect) are those of Landis and Koch, a hint only.",
		result.Counted(m.Items, "item"), result.Whole(m.ItemsRated), result.Whole(m.ItemsTwo))
	return append(blocks, remark(words))
}

// confusions are the labels of each pair of annotators with common items.
func confusions(m agreement.Report) (figures Figures) {
	for _, p := range m.Cohen {
		if p.N > 0 {
			figures = append(figures, Figure{
				Drawing: render.Confusion(p.Confusion, m.Classes),
				Caption: fmt.Sprintf("%s in rows, %s in columns: %s labelled by both", p.Raters[0], p.Raters[1], result.Counted(p.N, "item")),
				Alt:     "labels of " + p.Raters[0] + " against those of " + p.Raters[1],
			})
		}
	}
	return figures
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
