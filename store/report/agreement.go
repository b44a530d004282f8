package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// agreement are all measures with their intervals, and the tables behind them.
func (r *roundReport) agreement(context.Context) (blocks []Block, err error) {
	m := r.measured.Report
	lines := r.measured.Lines()
	for len(lines) > 0 {
		section, n := lines[0].Section, 1
		for n < len(lines) && lines[n].Section == section {
			n++
		}
		blocks = append(blocks, Table{Caption: string(section), Sheet: agreement.OnPage.Sheet(lines[:n])})
		switch lines = lines[n:]; section {
		case agreement.OfPairs:
			figures, err := confusions(m, r.measured.Words())
			if err != nil {
				return nil, err
			}
			if len(figures) > 0 {
				blocks = append(blocks,
					Paragraph(Heading, "Who labelled how: rows the first of a pair, columns the second"), figures)
			}
		case agreement.WithMajority:
			blocks = append(blocks, remarks("Beside the majority vote: "+m.Note+".")...)
		case agreement.WithKnown:
			var figures Figures
			window := agreement.UsualOverTime.Window
			drift := agreement.DriftFigure(r.measured.Drifts(window), window)
			if err := figures.Draw(drift, "share of the known answers over time"); err != nil {
				return nil, err
			}
			if len(figures) > 0 {
				blocks = append(blocks, figures)
			}
		}
	}
	return append(blocks, remarks(fmt.Sprintf("%s, %s with a label, %s with two or more. Intervals of 95 %%: "+
		"jackknife over the items. The words (poor to almost perfect) are those of Landis and Koch, a hint only.",
		result.Counted(m.Items, "item"), result.Whole(m.ItemsRated), result.Whole(m.ItemsTwo)))...), nil
}

// confusions are the labels of each pair of annotators with common items; classes are those of
// the round in its words.
func confusions(m agreement.Report, classes []string) (figures Figures, err error) {
	for _, p := range m.Cohen {
		if p.N > 0 {
			f := agreement.ConfusionFigure(p.Confusion, classes, p.Raters, render.Pales)
			f.Title = fmt.Sprintf("%s in rows, %s in columns: %s labelled by both",
				p.Raters[0], p.Raters[1], result.Counted(p.N, "item"))
			if err := figures.Draw(f, "labels of "+p.Raters[0]+" against those of "+p.Raters[1]); err != nil {
				return nil, err
			}
		}
	}
	return figures, nil
}

// disagreements are the items whose labels differ, with their matrices side by side. Models that
// are not here have their labels only.
func (r *roundReport) disagreements(ctx context.Context) ([]Block, error) {
	items := label.Disagreements(r.Round, r.events)
	if len(items) == 0 {
		return []Block{Paragraph(Plain, "No two labels of an item differ.")}, nil
	}
	r.progress.SetTotal(int64(len(items)))
	ranges, err := r.ws.RoundRanges(ctx, r.Round)
	if err != nil {
		return nil, fmt.Errorf("round %q: %w", r.Name, err)
	}
	var list []seen
	tied := 0
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := r.look(ctx, item.Model, false)
		if errors.Is(err, store.ErrNotFound) {
			s.problem, err = errors.New("the model is not in this workspace"), nil
		}
		if err != nil {
			return nil, err
		}
		if list = append(list, s); item.Tied {
			tied++
		}
		r.progress.Add(1)
	}
	r.view.scales(ranges, list, r.colours)
	words := result.Counted(len(items), "item") + " with different labels, the widest apart first"
	if tied > 0 {
		words += fmt.Sprintf("; %d without a majority", tied)
	}
	var figures Figures
	for k, item := range items {
		figures = append(figures, r.disagreement(item, list[k]))
	}
	blocks := []Block{Paragraph(Plain, words+". Colour ranges: "+r.colourRanges()+"."), figures}
	return append(blocks, outside(list...)...), nil
}

// colourRanges are those of the matrices that are shown, of a background round those of its
// measures.
func (r *roundReport) colourRanges() string {
	shown, of := r.view.modalities, r.view.ranges
	if r.view.scenes != nil {
		shown, of = r.Modalities, r.Ranges
	}
	var ranges []string
	for _, name := range shown {
		if c, ok := of[name]; ok {
			ranges = append(ranges, fmt.Sprintf("%s %s to %s", name, result.Number.Write(c.Low),
				result.Number.Write(c.High)))
		}
	}
	return strings.Join(ranges, ", ")
}

// disagreement is the strip of one item's matrices with the labels below it.
func (r *roundReport) disagreement(item label.Disagreement, s seen) Figure {
	tiles, names := make([]render.Tile, len(r.view.modalities)), make([]string, len(r.view.modalities))
	for k, name := range r.view.modalities {
		if names[k] = r.view.title(name); k < len(s.measures) {
			tiles[k] = render.Tile{Matrix: s.measures[k].Matrix, Scale: s.measures[k].scale}
		}
	}
	words := agreement.Item{Of: r.measured, K: item.Item}.Tell()
	if final := r.decisions[item.Item]; final.By == label.Adjudicated {
		words += "; adjudicated " + r.Word(final.Value)
	}
	words += sceneWords(s)
	if s.problem != nil {
		words += " (no matrices: " + s.problem.Error() + ")"
	}
	return Figure{Drawing: render.Tiles(tiles, names), Caption: words, Alt: "matrices of " + r.modelName(item.Model)}
}
