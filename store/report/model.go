package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// modelReport is one model of a report.
type modelReport struct {
	*gathering
	seen
	labels []Block     // what rounds say of it
	shown  model.Model // with the fields of its record that may be shown
}

// modelSections are the sections of a model. Those of methods stand behind the first ones where the
// report is of it alone.
var modelSections, lastSections = []section[*modelReport]{
	{"Variance matrices", (*modelReport).matrices},
	{"Accuracy", (*modelReport).accuracy},
}, []section[*modelReport]{
	{"Labels", func(m *modelReport, _ context.Context) ([]Block, error) { return m.labels, nil }},
	{"Training", (*modelReport).training},
	{"Identity and settings", (*modelReport).identity},
}

// models lays out the report of one or several models: each its own part, an overview and what
// methods say of them all in front of several.
func (g *gathering) models(ctx context.Context) (d *Document, err error) {
	if g.view, err = g.newView(g.q.Suite, g.q.Family, g.q.Modalities, g.q.Images); err != nil {
		return nil, err
	}
	g.progress.SetTotal(int64(len(g.q.Models) + len(methods)))
	list, err := g.lookAll(ctx)
	if err != nil {
		return nil, err
	}
	ranges, err := g.shared(ctx)
	if err != nil {
		return nil, err
	}
	g.view.scales(ranges, list, g.colours)
	alone := len(list) == 1
	if alone {
		d = g.document("Model " + list[0].ID)
	} else {
		d = g.document(fmt.Sprintf("%d models", len(list)))
		d.Add(1, "Overview", g.overview(list))
		if err := g.addMethods(ctx, d, 1); err != nil {
			return nil, err
		}
	}
	for _, s := range list {
		if err := g.model(ctx, d, s, alone); err != nil {
			return nil, fmt.Errorf("model %s: %w", s.ID, err)
		}
	}
	level := 1
	if alone {
		level = 2
	}
	d.Add(level, "Parameters", g.parameters(list)...)
	return d, nil
}

// model adds the sections of one model; as one of several it is a part of its own.
func (g *gathering) model(ctx context.Context, d *Document, s seen, alone bool) (err error) {
	one := &modelReport{gathering: g, seen: s}
	if one.labels, one.shown, err = g.inRounds(s.Model); err != nil {
		return err
	}
	if alone {
		d.Add(2, "Summary", s.summary()...)
	} else {
		d.Add(1, "Model "+s.ID, s.summary()...)
	}
	if s.problem == nil {
		if err := addAll(ctx, d, 2, one, modelSections); err != nil {
			return err
		}
	}
	if alone {
		if err := g.addMethods(ctx, d, 2); err != nil {
			return err
		}
	}
	return addAll(ctx, d, 2, one, lastSections)
}

// lookAll reads the models that are asked for. At least one must have signals.
func (g *gathering) lookAll(ctx context.Context) ([]seen, error) {
	var list []seen
	for _, hash := range g.q.Models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := g.look(ctx, hash, true)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", g.modelName(hash), err)
		}
		list = append(list, s)
		g.progress.Add(1)
	}
	switch first := list[0]; {
	case slices.ContainsFunc(list, func(s seen) bool { return s.problem == nil }):
		return list, nil
	case len(list) == 1:
		return nil, fmt.Errorf("model %s: %w", first.ID, first.problem)
	default:
		return nil, fmt.Errorf("none of the %d models can be reported on; the first, %s: %w",
			len(list), first.ID, first.problem)
	}
}

// overview is the table of several models.
func (g *gathering) overview(list []seen) Table {
	number := func(
		key, title, help string, format result.Format, of func(seen) float64, missing func(seen) bool,
	) result.Column[seen] {
		return result.Numbers(key, title, help, format, func(s seen) float64 {
			if missing(s) {
				return math.NaN()
			}
			return of(s)
		})
	}
	unlabelled := func(s seen) bool { return len(s.answer.Accuracy) == 0 }
	t := result.Table[seen]{
		Name: "models", Title: "Overview", Noun: "model", ID: func(s seen) string { return s.Hash },
		Columns: []result.Column[seen]{
			result.Texts("model_id", "model", "", func(s seen) string { return s.ID }),
			number("accuracy", "accuracy", "of the images as they are", result.Share,
				func(s seen) float64 { return s.answer.Accuracy[len(s.answer.Accuracy)/2] }, unlabelled),
			number("robust_accuracy", "robust accuracy", "images that are right under every transformation",
				result.Share,
				func(s seen) float64 { return s.answer.Robust }, unlabelled),
			result.Lift(chance.Columns[:1], func(s seen) chance.Level { return s.chance })[0],
			number("images", "images", "that count", result.Count,
				func(s seen) float64 { return float64(s.answer.Chosen) },
				func(s seen) bool { return s.problem != nil }),
		},
	}
	for _, name := range g.view.modalities {
		c := number(name, name, "largest element of the matrix", result.Number,
			func(s seen) float64 { return s.answer.Matrices[name].Max() },
			func(s seen) bool { return s.answer.Matrices[name].N == 0 })
		c.Decimals = -4
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, result.Texts("remark", "remark", "why there are no matrices", func(s seen) string {
		if s.problem == nil {
			return ""
		}
		return s.problem.Error()
	}))
	return Table{Caption: "Below the name of each matrix stands its largest element", Sheet: t.Sheet(list)}
}

// summary is what one looks for first.
func (s seen) summary() (blocks []Block) {
	if s.problem != nil {
		return []Block{Paragraph(Warning, "No matrices: "+s.problem.Error()+".")}
	}
	if s.chance.Flagged() {
		blocks = append(blocks, Paragraph(Warning, "Over all images of the suite: "+s.chance.Sentence()+"."))
	}
	var f Facts
	add := func(name, value, remark string) { f = append(f, Fact{Name: name, Value: value, Remark: remark}) }
	if n := len(s.answer.Accuracy); n > 0 {
		add("Accuracy", result.Share.Say(s.answer.Accuracy[n/2], 0), "")
		add("Robust accuracy", result.Share.Say(s.answer.Robust, 0), "right under every transformation")
		add("Lowest accuracy", result.Share.Say(slices.Min(s.answer.Accuracy), 0), "")
	}
	of := ""
	if s.answer.Chosen != s.answer.Total {
		of = "of " + result.Whole(s.answer.Total)
	}
	add("Images", result.Whole(s.answer.Chosen), of)
	if s.answer.Set != "" { // images are ranked by their signals
		flagged := 0
		for _, m := range s.measures {
			flagged += len(m.Extremes)
		}
		add("Images flagged as extreme", result.Whole(flagged), "over all matrices")
	}
	return append(blocks, f)
}

// matrices are the matrices with their figures and numbers.
func (s *modelReport) matrices(context.Context) ([]Block, error) {
	v := s.view
	var figures Figures
	var judged []variance.Judged
	var extremes []variance.Extreme
	for _, m := range s.measures {
		f := m.Matrix.Figure(v.axis, m.scale, m.Modality)
		f.Empty, f.Title = m.Why.Text, m.Modality+": "+m.Why.Text
		if m.Why.None() {
			f.Title = fmt.Sprintf("%s: largest %s, mean of all %s",
				m.Modality, result.Digits(m.Matrix.Max(), 4), result.Digits(m.Matrix.Mean(), 4))
		}
		if err := figures.Draw(f, "variance matrix over "+v.axis.Name+", "+f.Title); err != nil {
			return nil, err
		}
		judged, extremes = append(judged, m.Judged), append(extremes, m.Extremes...)
	}
	blocks := append([]Block{figures}, outside(s.seen)...)
	blocks = append(blocks, Table{Sheet: variance.JudgedTable.Sheet(judged)})
	if s.answer.Set == "" {
		return append(blocks, remarks("The matrices came with a round package. "+
			"Without signals there are no bounds, flagged images and confidences.")...), nil
	}
	blocks = append(blocks, remarks(fmt.Sprintf("Half-widths: Hoeffding bound at %s confidence for %s; of δ at the "+
		"largest element. Images needed: to know δ at the largest element to within ±%s of it. f+ is the largest "+
		"possible difference, which is known for softmax signals; else it is the largest one observed, so that the "+
		"bound is an estimate. Flagged: images whose share in the matrix is 20 times an equal one or more.",
		result.Percent(variance.Confidence), result.Counted(s.answer.Chosen, "image"),
		result.Percent(variance.Precision)))...)
	t := variance.Extremes
	if !slices.ContainsFunc(extremes, func(x variance.Extreme) bool { return x.File != "" }) {
		t = t.Place(result.FileOnly, "file") // images of one data file have no names
	}
	return append(blocks, Titled(t.Sheet(extremes))...), nil
}

// outside explains the marker colours where matrices have elements outside of their colour ranges.
func outside(list ...seen) []Block {
	for _, s := range list {
		for _, m := range s.measures {
			// Without colours of their own these elements look like the ends of the map.
			if under, over := m.scale.Outside(m.Matrix); under+over > 0 && m.scale.Over.A == 0 {
				return remarks("Elements above their colour range are magenta, those below cyan.")
			}
		}
	}
	return nil
}

// step is a transformation with what the model made of the images, NaN for what is not known.
type step struct{ v, accuracy, confidence float64 }

// accuracy are accuracy and mean confidence per transformation, as a chart and as its table.
func (s *modelReport) accuracy(context.Context) ([]Block, error) {
	v := s.view
	labelled, sure := len(s.answer.Accuracy) == len(v.axis.Values), len(s.confidence) == len(v.axis.Values)
	if !labelled && !sure {
		return remarks("No accuracy: the model came without its answers."), nil
	}
	steps := make([]step, len(v.axis.Values))
	for i, value := range v.axis.Values {
		steps[i] = step{value, math.NaN(), math.NaN()}
		if labelled {
			steps[i].accuracy = s.answer.Accuracy[i]
		}
		if sure {
			steps[i].confidence = s.confidence[i]
		}
	}
	figure := result.Figure{
		Title: "From 0 to 100 %",
		X:     result.Axis{Name: "V: " + v.axis.Name, Unit: v.axis.Unit, Format: result.Number, Ticks: v.axis.Values},
		Y:     result.Axis{Name: "share", Format: result.Share, High: 1},
	}
	if labelled {
		figure.Lines = append(figure.Lines, result.Line{Name: "accuracy", X: v.axis.Values, Y: s.answer.Accuracy})
	}
	if sure {
		figure.Lines = append(figure.Lines, result.Line{Name: "mean confidence", X: v.axis.Values, Y: s.confidence})
	}
	var figures Figures
	alt := "accuracy and mean confidence of " + s.ID + " over " + v.axis.Name
	if err := figures.Draw(figure, alt); err != nil {
		return nil, err
	}
	figure.Title, figure.Y.High = "The same over the range of the values", 0
	if err := figures.Draw(figure, alt); err != nil {
		return nil, err
	}
	blocks := []Block{figures}
	if !labelled {
		blocks = append(blocks, remarks("No accuracy: the suite has no labels.")...)
	}
	value := result.Numbers("v", figure.X.Title(), "sampling value", result.Number, func(s step) float64 { return s.v })
	value.Decimals = -6
	t := result.Table[step]{
		Name: "accuracy", Title: "Accuracy", Noun: "transformation",
		ID: func(s step) string { return result.Number.Write(s.v) },
		Columns: []result.Column[step]{
			value,
			result.Numbers("accuracy", "accuracy", "", result.Share, func(s step) float64 { return s.accuracy }),
			result.Numbers("confidence", "mean confidence", "", result.Share,
				func(s step) float64 { return s.confidence }),
		},
	}
	return append(blocks, Table{Sheet: t.Sheet(steps), Parts: 3}), nil
}

// inRounds are the labels that the model has in rounds, and the model with those fields of its
// record that all blind rounds allow which have it and are open: a report must not tell an
// annotator the answer. Of such a round nothing but the name is said.
func (g *gathering) inRounds(m model.Model) (blocks []Block, shown model.Model, err error) {
	rounds, err := g.ws.Rounds()
	if err != nil {
		return nil, m, err
	}
	var told []*roundReport
	var items []agreement.Item
	for _, r := range rounds {
		at := slices.Index(r.Models, m.Hash)
		if at < 0 {
			continue
		}
		if r.Secret() {
			blocks = append(blocks, remarks("Round "+r.Name+" is not shown: the round is blind and still open.")...)
			m = r.Shown(m)
			continue
		}
		one, err := g.roundOf(r)
		if err != nil {
			return nil, m, err
		}
		one.measure(agreement.Options{})
		told, items = append(told, one), append(items, agreement.Item{Of: one.measured, K: at})
	}
	if len(items) > 0 {
		table := Table{Sheet: itemTable(told...).Place(result.FileOnly, "model_id").Sheet(items)}
		blocks = append([]Block{table}, blocks...)
	} else if len(blocks) == 0 {
		blocks = []Block{Paragraph(Plain, "The model is in no round.")}
	}
	return blocks, m, nil
}

// training are the training record and its curves.
func (s *modelReport) training(context.Context) (blocks []Block, err error) {
	m := s.shown
	var figures Figures
	for _, kind := range []string{"loss", "accuracy"} {
		f := inventory.Curves(m, kind)
		if err := figures.Draw(f, kind+" of "+m.ID+" over the "+f.X.Name+"s"); err != nil {
			return nil, err
		}
	}
	if len(figures) > 0 {
		blocks = append(blocks, figures)
	}
	var f Facts
	for _, field := range m.Record {
		f.add(field.Name, field.Value)
	}
	if len(f) == 0 {
		return append(blocks, Paragraph(Plain, "There is no training record.")), nil
	}
	return append(blocks, f), nil
}
