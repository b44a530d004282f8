package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
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
	heads := []string{"Model", "Accuracy#", "Robust accuracy#", "Chance", "Images#"}
	for _, name := range v.modalities {
		heads = append(heads, name+"#")
	}
	t := Table{Caption: "Below the name of each matrix stands its largest element", Columns: columns(append(heads, "Remark")...)}
	for _, s := range list {
		row := []string{s.ID, result.None, result.None, result.None, result.None}
		if s.problem == "" {
			row[3], row[4] = cmp.Or(s.chance.Code.Word(), result.None), result.Whole(s.answer.Chosen)
			if n := len(s.answer.Accuracy); n > 0 {
				row[1], row[2] = result.Share.Say(s.answer.Accuracy[n/2], 0), result.Share.Say(s.answer.Robust, 0)
			}
		}
		for _, name := range v.modalities {
			cell := result.None
			if m, ok := s.answer.Matrices[name]; ok {
				cell = number(m.Max())
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, append(row, s.problem))
	}
	return Section{Title: "Overview", Level: 1, Blocks: []Block{t}}
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
		add("Variance matrices", matrixBlocks(s, v)...)
		add("Accuracy", accuracyBlocks(s, v)...)
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
	add("Training", trainingBlocks(shown)...)
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
		flagged += len(m.extremes)
	}
	if s.answer.Set == "" {
		return f // images are ranked by their signals
	}
	f.add("Images flagged as extreme", result.Whole(flagged))
	f[len(f)-1].Remark = "over all matrices"
	return f
}

// matrixBlocks are the matrices with their figures and numbers.
func matrixBlocks(s seen, v view) []Block {
	var figures Figures
	t := Table{Columns: columns("Matrix", "Colour range", "Largest#", "Mean of all#", "f+#", "Half-width, δ²#", "Half-width, δ#", "Images needed#", "Flagged#")}
	for _, m := range s.measures {
		figures = append(figures, Figure{Drawing: matrixDrawing(m, v.axis), Caption: caption(m)})
		if m.absent != "" {
			t.Rows = append(t.Rows, []string{m.modality, m.absent, result.None, result.None, result.None, result.None, result.None, result.None, result.None})
			continue
		}
		t.Rows = append(t.Rows, numbersOf(m))
	}
	words := fmt.Sprintf("Half-widths: Hoeffding bound at %g %% confidence for %s; of δ at the largest element. "+
		"Images needed: to know δ at the largest element to within ±%g %% of it. "+
		"f+ is the largest possible difference, which is known for softmax signals; marked ≈ it is the largest one observed, so that the bound is an estimate. "+
		"Flagged: images whose share in the matrix is 20 times an equal one or more.", 100*variance.Confidence, result.Counted(s.answer.Chosen, "image"), 100*variance.Precision)
	blocks := []Block{figures}
	blocks = append(blocks, outside(s)...)
	if s.answer.Set == "" {
		return append(blocks, t, remark("The matrices came with a round package. Without signals there are no bounds, flagged images and confidences."))
	}
	blocks = append(blocks, t, remark(words))
	if flagged := extremeTable(s); len(flagged.Rows) > 0 {
		blocks = append(blocks, flagged)
	}
	return blocks
}

// outside explains the marker colours where matrices have elements outside of their colour ranges.
func outside(list ...seen) []Block {
	for _, s := range list {
		for _, m := range s.measures {
			if under, over := m.scale.Outside(m.matrix); under+over > 0 && m.scale.Over.A == 0 { // else they look like the ends
				return []Block{remark("Elements above their colour range are magenta, those below cyan.")}
			}
		}
	}
	return nil
}

func caption(m measure) string {
	if m.absent != "" {
		return m.modality + ": " + m.absent
	}
	return fmt.Sprintf("%s: largest %s, mean of all %s", m.modality, number(m.matrix.Max()), number(m.matrix.Mean()))
}

// numbersOf is a matrix's row in the table.
func numbersOf(m measure) []string {
	largest := m.matrix.Max()
	row := []string{m.modality, result.Number.Write(m.scale.Low) + " to " + result.Number.Write(m.scale.High), number(largest), number(m.matrix.Mean())}
	if m.largestDif == 0 {
		return append(row, result.None, result.None, result.None, result.None, flaggedText(m))
	}
	bound := number(m.largestDif)
	if m.estimated {
		bound = "≈ " + bound
	}
	c := variance.Certain(m.images, largest, m.largestDif, variance.Confidence, variance.Precision)
	return append(row, bound, number(c.EpsSquares), number(c.HalfWidth), needed(c.Needed), flaggedText(m))
}

// needed is a number of images in words; 0 is not known.
func needed(n int) string {
	switch n {
	case 0:
		return result.None
	case math.MaxInt:
		return "too many"
	}
	return result.Whole(n)
}

func flaggedText(m measure) string {
	if !m.ranked {
		return result.None
	}
	return result.Whole(len(m.extremes))
}

// extremeTable lists the flagged images.
func extremeTable(s seen) Table {
	t := Table{Caption: "Images flagged as extreme", Columns: columns("Matrix", "Image#", "Share#", "Class", "Predicted", "Confidence#", "File")}
	files := false
	for _, m := range s.measures {
		for _, x := range m.extremes {
			t.Rows = append(t.Rows, []string{m.modality, fmt.Sprint(x.image), result.Share.Say(x.share, 0), x.label, x.predicted, result.Coefficient.Say(x.confidence, 0), x.file})
			files = files || x.file != ""
		}
	}
	if !files { // images of one data file have no names
		t.Columns = t.Columns[:len(t.Columns)-1]
		for k, row := range t.Rows {
			t.Rows[k] = row[:len(t.Columns)]
		}
	}
	return t
}

// accuracyBlocks are accuracy and mean confidence per transformation, as a chart and as its table.
func accuracyBlocks(s seen, v view) []Block {
	c := chart{
		xName: axisName("V", v.axis), yName: "share", low: 0, high: 1.02,
		alt: "accuracy and mean confidence of " + s.ID + " over " + v.axis.Name,
	}
	t := Table{Columns: columns(axisName("V", v.axis)+"#", "Accuracy#", "Mean confidence#")}
	labelled, sure := len(s.answer.Accuracy) == len(v.axis.Values), len(s.confidence) == len(v.axis.Values)
	if !labelled && !sure {
		return []Block{remark("No accuracy: the model came without its answers.")}
	}
	if labelled {
		c.series = append(c.series, series{name: "accuracy", x: v.axis.Values, y: s.answer.Accuracy})
	}
	if sure {
		c.series = append(c.series, series{name: "mean confidence", x: v.axis.Values, y: s.confidence})
	}
	for i, value := range v.axis.Values {
		row := []string{result.Number.Write(value), result.None, result.None}
		if labelled {
			row[1] = result.Share.Say(s.answer.Accuracy[i], 0)
		}
		if sure {
			row[2] = result.Coefficient.Say(s.confidence[i], 0)
		}
		t.Rows = append(t.Rows, row)
	}
	figures := Figures{{Drawing: c.drawing(), Caption: "From 0 to 1"}}
	c.low, c.high = 0, 0
	blocks := []Block{append(figures, Figure{Drawing: c.drawing(), Caption: "The same over the range of the values"})}
	if !labelled {
		blocks = append(blocks, remark("No accuracy: the suite has no labels."))
	}
	return append(blocks, t.fold(3))
}

// labelBlocks are the labels that the model has in rounds. A blind round that is open is named,
// and nothing more.
func (g *gathering) labelBlocks(hash string) ([]Block, error) {
	rounds, err := g.ws.Rounds()
	if err != nil {
		return nil, err
	}
	t := Table{Columns: columns("Round", "State", "Labels", "Majority", "Final")}
	for _, r := range rounds {
		if !slices.Contains(r.Models, hash) {
			continue
		}
		events, err := g.ws.Events(r.ID)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, g.labelRow(r, events, hash))
	}
	if len(t.Rows) == 0 {
		return []Block{Text{Plain, "The model is in no round."}}, nil
	}
	return []Block{t}, nil
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
func trainingBlocks(m model.Model) []Block {
	var blocks []Block
	var figures Figures
	for _, want := range []struct{ ending, name string }{{"_loss", "loss"}, {"_accuracy", "accuracy"}} {
		c := chart{xName: "epoch", yName: want.name, series: curves(m.Curves, want.ending), alt: want.name + " of " + m.ID + " over the epochs"}
		if len(c.series) > 0 {
			figures = append(figures, Figure{Drawing: c.drawing()})
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
		return append(blocks, Text{Plain, "There is no training record."})
	}
	return append(blocks, f)
}

// curves are the columns of the curves with an ending, by name.
func curves(epochs []model.Epoch, ending string) (list []series) {
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
		s := series{name: strings.ReplaceAll(name, "_", " ")}
		for _, e := range epochs {
			value, ok := e.Values[name]
			if !ok {
				value = math.NaN()
			}
			s.x, s.y = append(s.x, float64(e.Epoch)), append(s.y, value)
		}
		list = append(list, s)
	}
	return list
}
