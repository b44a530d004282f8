package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// blindWords say why a report shows no labels.
const blindWords = "The round is blind and still open: labels, agreement and disagreements are not shown, so that a report cannot " +
	"tell one annotator what the others think. Close the round to see them."

// mostColumns is the number of annotators up to which each has a column in the table of labels.
const mostColumns = 6

// roundReport is a round with what follows from its events.
type roundReport struct {
	*gathering
	label.Round
	view      view
	events    []label.Event
	current   map[label.Key]label.Event
	decisions []label.Decision
	measured  agreement.Report
}

// round lays out the report of a round.
func (g *gathering) round(ctx context.Context) (*Document, error) {
	r, err := g.ws.Round(g.q.Round)
	if err != nil {
		return nil, err
	}
	images, err := variance.ParseImages(cmp.Or(r.Filter, variance.AllImages().String()))
	if err != nil {
		return nil, fmt.Errorf("round %q: %w", r.Name, err)
	}
	modalities := r.Modalities
	if r.Kind == label.BackgroundRound {
		modalities = nil // true@CONF is none of variance matrices
	}
	v, err := g.newView(r.Suite, r.Family, modalities, images)
	if err == nil {
		v, err = g.roundView(r, v)
	}
	if err != nil {
		return nil, fmt.Errorf("round %q: %w", r.Name, err)
	}
	events, err := g.ws.Events(r.ID)
	if err != nil {
		return nil, err
	}
	one := &roundReport{gathering: g, Round: r, view: v, events: label.Sorted(events)}
	one.current = label.Current(one.events)
	one.decisions = label.Training(r, one.events, false)
	return one.document(ctx)
}

func (r *roundReport) document(ctx context.Context) (*Document, error) {
	d := r.gathering.document("Round "+r.Name, r.view)
	add := func(title string, blocks ...Block) {
		if len(blocks) > 0 {
			d.Sections = append(d.Sections, Section{Title: title, Level: 2, Blocks: blocks})
		}
	}
	add("Round", r.settings())
	add("Progress", r.progressBlocks()...)
	if !r.Secret() {
		r.measure(ctx)
		add("Labels", r.labelCounts())
		add("Agreement", r.agreementBlocks(ctx)...)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		disagreements, err := r.disagreements(ctx)
		if err != nil {
			return nil, err
		}
		add("Disagreements", disagreements...)
		add("Time per item", r.timeBlocks()...)
		add("All labels", r.allLabels())
		if r.q.Notes {
			add("Notes", r.notes())
		}
	}
	if strings.TrimSpace(r.Guideline) != "" {
		add("Guideline", readGuideline(r.Guideline))
	}
	made, err := r.inference()
	if err != nil {
		return nil, err
	}
	models, err := r.modelTable(ctx)
	if err != nil {
		return nil, err
	}
	add("Parameters", append(r.viewFacts(r.view), made...), models)
	d.number()
	return d, nil
}

// measure computes every measure of agreement, with intervals; annotators go by their names.
func (r *roundReport) measure(ctx context.Context) {
	names := make([]string, len(r.Annotators))
	for k, id := range r.Annotators {
		names[k] = r.name(id)
	}
	r.measured = agreement.Measure(label.Ratings(r.Round, r.events), r.Classes, names, r.options(ctx))
}

func (r *roundReport) options(ctx context.Context) agreement.Options {
	return agreement.Options{Classes: label.Words(r.Classes), Intervals: true, Context: ctx}
}

// state is the round's state in words.
func state(r label.Round) string {
	words := "open"
	if r.Closed {
		words = "closed"
	}
	if r.Blind {
		words += ", blind"
	}
	return words
}

func (r *roundReport) settings() Facts {
	var f Facts
	f.add("State", state(r.Round))
	f.add("Kind", string(r.Round.Kind))
	f.add("Items", result.Counted(len(r.Models), "model"))
	f.add("Classes", strings.Join(label.Words(r.Classes), ", "))
	var people []string
	for _, id := range r.Annotators {
		person := r.name(id)
		if person != id {
			person += " (" + id + ")" // files have the id
		}
		people = append(people, person)
	}
	f.add("Annotators", strings.Join(people, ", "))
	f.add("Made", timeText(r.Created))
	f.add("Matrices", strings.Join(r.Modalities, ", "))
	f.add("Images that count", r.view.images.String())
	for _, name := range r.Modalities {
		if c, ok := r.Ranges[name]; ok {
			f.add("Colour range of "+name, result.Number.Write(c.Low)+" to "+result.Number.Write(c.High))
		}
	}
	if r.Ordered {
		f.add("Order", "as listed")
	}
	f.add("Order seed", fmt.Sprint(r.OrderSeed))
	f.add("Items that come again", result.Share.Say(r.RepeatShare, 0))
	f.code("Id", r.ID)
	f.code("SHA-256 of the guideline", r.GuidelineHash())
	f.code("Selection", r.Selection)
	f.add("Interpolants", strings.Join(r.Interpolants, ", "))
	f.add("Label events", result.Whole(len(r.events)))
	return f
}

// progressBlocks say how far each annotator has come. In a blind round that is open they say no
// more.
func (r *roundReport) progressBlocks() []Block {
	t := Table{Columns: columns("Annotator", "Labelled#", "Of#", "Share#")}
	if !r.Secret() {
		t.Columns = append(t.Columns, columns("Skipped#", "Unsure#", "Flagged#", "Repeated#", "Same again#")...)
	}
	for _, id := range r.Annotators {
		labelled := 0
		for _, hash := range r.Models {
			if _, ok := r.current[label.Key{Model: hash, Annotator: id}]; ok {
				labelled++
			}
		}
		share := 0.0
		if len(r.Models) > 0 {
			share = float64(labelled) / float64(len(r.Models))
		}
		row := []string{r.name(id), result.Whole(labelled), result.Whole(len(r.Models)), result.Share.Say(share, 0)}
		if !r.Secret() {
			row = append(row, r.habits(id)...)
		}
		t.Rows = append(t.Rows, row)
	}
	if r.Secret() {
		return []Block{warning(blindWords), t}
	}
	return []Block{t}
}

// habits are an annotator's skipped, unsure, flagged and repeated items, and how many repeats got
// the same label.
func (r *roundReport) habits(annotator string) []string {
	skipped, repeated := map[string]bool{}, map[string]label.Value{}
	for _, ev := range label.Active(r.events) {
		switch {
		case ev.Annotator != annotator:
		case ev.Kind == label.Skip:
			skipped[ev.Model] = true
		case ev.Kind == label.Label && ev.Pass == 2:
			repeated[ev.Model] = ev.Value
		}
	}
	unsure, flagged, same := 0, 0, 0
	for _, hash := range r.Models {
		ev, ok := r.current[label.Key{Model: hash, Annotator: annotator}]
		if !ok {
			continue
		}
		delete(skipped, hash) // labelled after all
		if !ev.Sure {
			unsure++
		}
		if ev.Flag != "" {
			flagged++
		}
		if repeated[hash] == ev.Value {
			same++
		}
	}
	again := result.None
	if len(repeated) > 0 {
		again = fmt.Sprintf("%d (%s)", same, result.Share.Say(float64(same)/float64(len(repeated)), 0))
	}
	return []string{result.Whole(len(skipped)), result.Whole(unsure), result.Whole(flagged), result.Whole(len(repeated)), again}
}

// labelCounts counts labels per annotator, of the majority vote and final ones.
func (r *roundReport) labelCounts() Table {
	words := label.Words(r.Classes)
	heads := []string{"Labels by"}
	for _, word := range words {
		heads = append(heads, word+"#")
	}
	t := Table{Columns: columns(append(heads, "none#")...)}
	add := func(name string, values []label.Value) {
		row, left := []string{name}, len(values)
		for _, word := range words {
			n := 0
			for _, v := range values {
				if string(v) == word {
					n++
				}
			}
			left -= n
			row = append(row, result.Whole(n))
		}
		t.Rows = append(t.Rows, append(row, result.Whole(left)))
	}
	for _, id := range r.Annotators {
		values := make([]label.Value, len(r.Models))
		for k, hash := range r.Models {
			values[k] = r.current[label.Key{Model: hash, Annotator: id}].Value
		}
		add(r.name(id), values)
	}
	majority, final := make([]label.Value, len(r.Models)), make([]label.Value, len(r.Models))
	for k, d := range r.decisions {
		majority[k], final[k] = r.majority(k), d.Value
	}
	add("majority vote", majority)
	add("final", final)
	return t
}

// majority is the majority vote of an item, empty under a tie or without labels.
func (r *roundReport) majority(item int) label.Value {
	if class := r.measured.Majority.Unresolved[item]; class != agreement.Missing {
		return label.Values(r.Classes)[class]
	}
	return ""
}

// allLabels is the table of all items with every annotator's label, the majority vote and the
// final label.
func (r *roundReport) allLabels() Table {
	heads := []string{"Model"}
	wide := len(r.Annotators) > mostColumns
	if wide {
		heads = append(heads, "Labels")
	} else {
		for _, id := range r.Annotators {
			heads = append(heads, r.name(id))
		}
	}
	t := Table{}
	for _, title := range heads {
		t.Columns = append(t.Columns, Column{Title: title})
	}
	t.Columns = append(t.Columns, columns("Majority", "Final", "Final by")...)
	for k, hash := range r.Models {
		row := []string{r.modelName(hash)}
		if wide {
			row = append(row, r.votes(hash))
		} else {
			for _, id := range r.Annotators {
				row = append(row, valueOrNone(r.current[label.Key{Model: hash, Annotator: id}].Value))
			}
		}
		d := r.decisions[k]
		t.Rows = append(t.Rows, append(row, valueOrNone(r.majority(k)), valueOrNone(d.Value), string(d.By)))
	}
	return t
}

// votes counts an item's labels: "3 invariant, 9 variant".
func (r *roundReport) votes(hash string) string {
	var parts []string
	for _, v := range label.Values(r.Classes) {
		n := 0
		for _, id := range r.Annotators {
			if r.current[label.Key{Model: hash, Annotator: id}].Value == v {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), result.None)
}

// modelTable lists the items with their hashes, and which are no better than chance, where
// matrices are of transformations.
func (r *roundReport) modelTable(ctx context.Context) (Table, error) {
	t := Table{Caption: "Models of the round", Columns: columns("Model", "Chance", "SHA-256 of the file%")}
	for _, hash := range r.Models {
		word := result.None
		if at := slices.IndexFunc(r.all, func(m model.Model) bool { return m.Hash == hash }); at >= 0 && r.view.scenes == nil {
			if _, err := r.all[at].Settings(); err == nil { // what cannot be read has no signals
				level, err := r.chanceOf(ctx, r.all[at], r.view)
				if err != nil {
					return t, err
				}
				word = cmp.Or(level.Code.Word(), result.None)
			}
		}
		t.Rows = append(t.Rows, []string{r.modelName(hash), word, hash})
	}
	return t, nil
}

// inference says what the signals of the round's models were computed with, and for how many there
// are none.
func (r *roundReport) inference() (f Facts, err error) {
	models := map[string]int{}
	for _, hash := range r.Models {
		text := "none"
		if at := slices.IndexFunc(r.all, func(m model.Model) bool { return m.Hash == hash }); at >= 0 {
			if text, err = r.computedWith(r.all[at]); err != nil {
				return nil, err
			}
		}
		models[text]++
	}
	for _, text := range slices.Sorted(maps.Keys(models)) {
		f.add("Signals of "+result.Counted(models[text], "model"), text)
	}
	return f, nil
}

// computedWith names runtime, processor, batch and positions of a model's signals, "none" where
// there are none.
func (r *roundReport) computedWith(m model.Model) (string, error) {
	if _, err := m.Settings(); err != nil {
		return "none", nil // what cannot be read has no signals
	}
	info, ok, err := r.ws.BestSet(m, r.Suite, r.view.family)
	if err != nil || !ok {
		return "none", err
	}
	var positions []string
	for _, p := range info.Spec.Positions {
		positions = append(positions, p.Name)
	}
	return fmt.Sprintf("ONNX Runtime %s, %s, batch %d, positions %s", info.Spec.Runtime, strings.TrimSpace(info.Spec.Arch+" "+info.Spec.Level),
		info.Spec.Batch, strings.Join(positions, ", ")), nil
}

// labelRow is a round's row in the report of a model.
func (g *gathering) labelRow(r label.Round, events []label.Event, hash string) []string {
	row := []string{r.Name, state(r)}
	if r.Secret() {
		return append(row, "not shown: the round is blind and still open", result.None, result.None)
	}
	current := label.Current(events)
	var labels []string
	for _, id := range r.Annotators {
		if ev, ok := current[label.Key{Model: hash, Annotator: id}]; ok {
			text := g.name(id) + ": " + string(ev.Value)
			if !ev.Sure {
				text += " (unsure)"
			}
			labels = append(labels, text)
		}
	}
	item := slices.Index(r.Models, hash)
	majority := result.None
	ratings := label.Ratings(r, events)
	if class := agreement.Measure(ratings, r.Classes, r.Annotators, agreement.Options{}).Majority.Unresolved[item]; class != agreement.Missing {
		majority = string(label.Values(r.Classes)[class])
	}
	d := label.Training(r, events, false)[item]
	final := valueOrNone(d.Value)
	if d.By == label.Adjudicated {
		final += " (adjudicated)"
	}
	return append(row, cmp.Or(strings.Join(labels, ", "), result.None), majority, final)
}
