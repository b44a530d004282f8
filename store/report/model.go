package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// models lays out the report of one or several models: each its own part, an overview in front of
// several.
func (g *gathering) models(ctx context.Context) (*Document, error) {
	v, err := g.newView(g.q.Suite, g.q.Family, g.q.Modalities, g.q.Images)
	if err != nil {
		return nil, err
	}
	list, err := g.lookAll(ctx, v)
	if err != nil {
		return nil, err
	}
	values, err := g.shared(ctx, v)
	if err != nil {
		return nil, err
	}
	v.scales(nil, list, g.colours, values)
	d := g.document(fmt.Sprintf("%d models", len(list)), v)
	if len(list) == 1 {
		d.Title = "Model " + list[0].ID
	} else {
		d.Sections = append(d.Sections, overview(list, v))
	}
	for _, s := range list {
		if err := g.model(d, s, v, len(list) > 1); err != nil {
			return nil, err
		}
	}
	d.Sections = append(d.Sections, g.parameters(v, list))
	d.number()
	return d, nil
}

// lookAll reads the models that are asked for. At least one must have signals.
func (g *gathering) lookAll(ctx context.Context, v view) ([]seen, error) {
	g.progress.SetTotal(int64(len(g.q.Models)))
	var list []seen
	for _, hash := range g.q.Models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := g.look(ctx, hash, v, true)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
		g.progress.Add(1)
	}
	if !slices.ContainsFunc(list, func(s seen) bool { return s.problem == "" }) {
		if len(list) == 1 {
			return nil, fmt.Errorf("model %s: %w", list[0].ID, problem(list[0]))
		}
		return nil, fmt.Errorf("none of the %d models can be reported on; the first, %s: %w", len(list), list[0].ID, problem(list[0]))
	}
	return list, nil
}

// problem turns a model's problem back into an error that callers can recognise.
func problem(s seen) error {
	for _, known := range []error{ErrNoSignals, variance.ErrNoImages, variance.ErrNoLabels} {
		if s.problem == known.Error() {
			return known
		}
	}
	return fmt.Errorf("%s", s.problem)
}

// document is an empty document under a view.
func (g *gathering) document(title string, v view) *Document {
	d := &Document{
		Title: title, Program: strings.TrimSpace("Variscope " + g.q.Version),
		Written: "Written " + timeText(g.q.Written), date: g.q.Written,
	}
	if v.family != "" {
		d.Subtitle = fmt.Sprintf("%s on the suite %s", g.ws.FamilyName(v.family), v.suite.Name)
	} else {
		d.Subtitle = "on the suite " + v.suite.Name
	}
	return d
}

// overview is the table of several models.
func overview(list []seen, v view) Section {
	mid := func(s seen, of func() float64) float64 {
		if s.problem != "" || len(s.answer.Accuracy) == 0 {
			return math.NaN()
		}
		return of()
	}
	t := result.Table[seen]{
		Name: "models", Title: "Overview", Noun: "model", ID: func(s seen) string { return s.Hash },
		Columns: []result.Column[seen]{
			result.Texts("model_id", "model", "", func(s seen) string { return s.ID }),
			result.Numbers("accuracy", "accuracy", "of the images as they are", result.Share, func(s seen) float64 {
				return mid(s, func() float64 { return s.answer.Accuracy[len(s.answer.Accuracy)/2] })
			}),
			result.Numbers("robust_accuracy", "robust accuracy", "images that are right under every transformation", result.Share,
				func(s seen) float64 {
					return mid(s, func() float64 { return s.answer.Robust })
				}),
			result.Lift(chance.Columns[:1], func(s seen) chance.Level { return s.chance })[0],
			result.Numbers("images", "images", "that count", result.Count, func(s seen) float64 {
				if s.problem != "" {
					return math.NaN()
				}
				return float64(s.answer.Chosen)
			}),
		},
	}
	for _, name := range v.modalities {
		c := result.Numbers(name, name, "largest element of the matrix", result.Number, func(s seen) float64 {
			if m, ok := s.answer.Matrices[name]; ok {
				return m.Max()
			}
			return math.NaN()
		})
		c.Decimals = -4
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, result.Texts("remark", "remark", "why there are no matrices", func(s seen) string { return s.problem }))
	return Section{Title: "Overview", Level: 1, Blocks: []Block{
		Table{Caption: "Below the name of each matrix stands its largest element", Sheet: t.Sheet(list)},
	}}
}

// model adds the sections of one model; as one of several it is a part of its own.
func (g *gathering) model(d *Document, s seen, v view, part bool) error {
	add := func(title string, blocks ...Block) {
		if len(blocks) > 0 {
			d.Sections = append(d.Sections, Section{Title: title, Level: 2, Blocks: blocks})
		}
	}
	head := Section{Title: "Model " + s.ID, Level: 1, Blocks: []Block{keyFigures(s)}}
	if !part {
		head.Title, head.Level = "Summary", 2
	}
	if s.problem != "" {
		head.Blocks = []Block{warning("No matrices: " + s.problem + ".")}
	} else if s.chance.Flagged() {
		head.Blocks = append([]Block{warning("Over all images of the suite: " + s.chance.Sentence() + ".")}, head.Blocks...)
	}
	d.Sections = append(d.Sections, head)
	if s.problem == "" {
		matrices, err := matrixBlocks(s, v)
		if err != nil {
			return err
		}
		accuracy, err := accuracyBlocks(s, v)
		if err != nil {
			return err
		}
		add("Variance matrices", matrices...)
		add("Accuracy", accuracy...)
	}
	labels, err := g.labelBlocks(s.Hash)
	if err != nil {
		return err
	}
	add("Labels", labels...)
	shown, err := g.shown(s.Model)
	if err != nil {
		return err
	}
	training, err := trainingBlocks(shown)
	if err != nil {
		return err
	}
	add("Training", training...)
	add("Identity and settings", identity(s)...)
	return nil
}

// keyFigures are what one looks for first.
func keyFigures(s seen) Facts {
	var f Facts
	if n := len(s.answer.Accuracy); n > 0 {
		f.add("Accuracy", result.Share.Say(s.answer.Accuracy[n/2], 0))
		f.add("Robust accuracy", result.Share.Say(s.answer.Robust, 0))
		f[1].Remark = "right under every transformation"
		low := slices.Min(s.answer.Accuracy)
		f.add("Lowest accuracy", result.Share.Say(low, 0))
	}
	f.add("Images", result.Whole(s.answer.Chosen))
	if s.answer.Chosen != s.answer.Total {
		f[len(f)-1].Remark = "of " + result.Whole(s.answer.Total)
	}
	flagged := 0
	for _, m := range s.measures {
		flagged += len(m.Extremes)
	}
	if s.answer.Set == "" {
		return f // images are ranked by their signals
	}
	f.add("Images flagged as extreme", result.Whole(flagged))
	f[len(f)-1].Remark = "over all matrices"
	return f
}

// matrixBlocks are the matrices with their figures and numbers.
func matrixBlocks(s seen, v view) ([]Block, error) {
	var figures Figures
	var judged []variance.Judged
	var extremes []variance.Extreme
	for _, m := range s.measures {
		drawing, err := render.Figure{Matrix: m.Matrix, Absent: m.Why.Text, Axis: v.axis, Scale: m.scale, Caption: m.Modality}.OnPage()
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", s.ID, err)
		}
		about := m.Modality + ": " + m.Why.Text
		if m.Why.None() {
			about = fmt.Sprintf("%s: largest %s, mean of all %s", m.Modality, result.Digits(m.Matrix.Max(), 4), result.Digits(m.Matrix.Mean(), 4))
		}
		figures = append(figures, Figure{Drawing: drawing, Caption: about, Alt: "variance matrix over " + v.axis.Name + ", " + about})
		judged, extremes = append(judged, m.Judged), append(extremes, m.Extremes...)
	}
	blocks := append([]Block{figures}, outside(s)...)
	blocks = append(blocks, Table{Sheet: variance.JudgedTable.Sheet(judged)})
	if s.answer.Set == "" {
		return append(blocks, remark("The matrices came with a round package. Without signals there are no bounds, flagged images and confidences.")), nil
	}
	blocks = append(blocks, remark(fmt.Sprintf("Half-widths: Hoeffding bound at %s confidence for %s; of δ at the largest element. "+
		"Images needed: to know δ at the largest element to within ±%s of it. "+
		"f+ is the largest possible difference, which is known for softmax signals; else it is the largest one observed, so that the bound is an estimate. "+
		"Flagged: images whose share in the matrix is 20 times an equal one or more.",
		result.Percent(variance.Confidence), result.Counted(s.answer.Chosen, "image"), result.Percent(variance.Precision))))
	if len(extremes) > 0 {
		t := variance.Extremes
		if !slices.ContainsFunc(extremes, func(x variance.Extreme) bool { return x.File != "" }) {
			t = t.Place(result.FileOnly, "file") // images of one data file have no names
		}
		blocks = append(blocks, Table{Caption: t.Title, Sheet: t.Sheet(extremes)})
	}
	return blocks, nil
}

// outside explains the marker colours where matrices have elements outside of their colour ranges.
func outside(list ...seen) []Block {
	for _, s := range list {
		for _, m := range s.measures {
			if under, over := m.scale.Outside(m.Matrix); under+over > 0 && m.scale.Over.A == 0 { // else they look like the ends
				return []Block{remark("Elements above their colour range are magenta, those below cyan.")}
			}
		}
	}
	return nil
}

// step is a transformation with what the model made of the images, NaN for what is not known.
type step struct{ v, accuracy, confidence float64 }

// accuracyBlocks are accuracy and mean confidence per transformation, as a chart and as its table.
func accuracyBlocks(s seen, v view) ([]Block, error) {
	labelled, sure := len(s.answer.Accuracy) == len(v.axis.Values), len(s.confidence) == len(v.axis.Values)
	if !labelled && !sure {
		return []Block{remark("No accuracy: the model came without its answers.")}, nil
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
		X: result.Axis{Name: "V: " + v.axis.Name, Unit: v.axis.Unit, Format: result.Number, Ticks: v.axis.Values},
		Y: result.Axis{Name: "share", Format: result.Share, High: 1},
	}
	if labelled {
		figure.Lines = append(figure.Lines, result.Line{Name: "accuracy", X: v.axis.Values, Y: s.answer.Accuracy})
	}
	if sure {
		figure.Lines = append(figure.Lines, result.Line{Name: "mean confidence", X: v.axis.Values, Y: s.confidence})
	}
	var figures Figures
	for _, caption := range []string{"From 0 to 100 %", "The same over the range of the values"} {
		drawing, err := render.OnPage(figure)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", s.ID, err)
		}
		figures = append(figures, Figure{Drawing: drawing, Caption: caption, Alt: "accuracy and mean confidence of " + s.ID + " over " + v.axis.Name})
		figure.Y.High = 0
	}
	blocks := []Block{figures}
	if !labelled {
		blocks = append(blocks, remark("No accuracy: the suite has no labels."))
	}
	value := result.Numbers("v", figure.X.Title(), "sampling value", result.Number, func(s step) float64 { return s.v })
	value.Decimals = -6
	t := result.Table[step]{
		Name: "accuracy", Title: "Accuracy", Noun: "transformation", ID: func(s step) string { return result.Number.Write(s.v) },
		Columns: []result.Column[step]{
			value,
			result.Numbers("accuracy", "accuracy", "", result.Share, func(s step) float64 { return s.accuracy }),
			result.Numbers("confidence", "mean confidence", "", result.Share,
				func(s step) float64 { return s.confidence }),
		},
	}
	return append(blocks, Table{Sheet: t.Sheet(steps), Parts: 3}), nil
}

// labelBlocks are the labels that the model has in rounds. A blind round that is open is named,
// and nothing more.
func (g *gathering) labelBlocks(hash string) ([]Block, error) {
	rounds, err := g.ws.Rounds()
	if err != nil {
		return nil, err
	}
	var rows []inRound
	for _, r := range rounds {
		if !slices.Contains(r.Models, hash) {
			continue
		}
		events, err := g.ws.Events(r.ID)
		if err != nil {
			return nil, err
		}
		rows = append(rows, g.labelRow(r, events, hash))
	}
	if len(rows) == 0 {
		return []Block{Text{Plain, "The model is in no round."}}, nil
	}
	return []Block{Table{Sheet: inRounds.Sheet(rows)}}, nil
}

// shown is a model with those fields of its record that all blind rounds allow which have it and
// are open: a report must not tell an annotator the answer.
func (g *gathering) shown(m model.Model) (model.Model, error) {
	rounds, err := g.ws.Rounds()
	for _, r := range rounds {
		if r.Secret() && slices.Contains(r.Models, m.Hash) {
			m = r.Shown(m)
		}
	}
	return m, err
}

// trainingBlocks are the training record and its curves.
func trainingBlocks(m model.Model) ([]Block, error) {
	var blocks []Block
	var figures Figures
	for _, want := range []struct{ ending, name string }{{"_loss", "loss"}, {"_accuracy", "accuracy"}} {
		f := result.Figure{X: result.Axis{Name: "epoch", Format: result.Count}, Y: result.Axis{Name: want.name, Format: result.Number}, Lines: curves(m.Curves, want.ending)}
		if len(f.Lines) == 0 {
			continue
		}
		drawing, err := render.OnPage(f)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.ID, err)
		}
		figures = append(figures, Figure{Drawing: drawing, Alt: want.name + " of " + m.ID + " over the epochs"})
	}
	if len(figures) > 0 {
		blocks = append(blocks, figures)
	}
	var f Facts
	for _, field := range m.Record {
		f.add(field.Name, field.Value)
	}
	if len(f) == 0 {
		return append(blocks, Text{Plain, "There is no training record."}), nil
	}
	return append(blocks, f), nil
}

// curves are the columns of the curves with an ending, by name.
func curves(epochs []model.Epoch, ending string) (list []result.Line) {
	var names []string
	for _, e := range epochs {
		for name := range e.Values {
			if strings.HasSuffix(name, ending) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		s := result.Line{Name: strings.ReplaceAll(name, "_", " ")}
		for _, e := range epochs {
			value, ok := e.Values[name]
			if !ok {
				value = math.NaN()
			}
			s.X, s.Y = append(s.X, float64(e.Epoch)), append(s.Y, value)
		}
		list = append(list, s)
	}
	return list
}
