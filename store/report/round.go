package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/chance"
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
	measured  *agreement.Round
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
		add("Labels", Table{Sheet: label.GivenTable(r.Classes).Sheet(r.measured.Given(r.events))})
		add("Agreement", r.agreementBlocks()...)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		disagreements, err := r.disagreements(ctx)
		if err != nil {
			return nil, err
		}
		add("Disagreements", disagreements...)
		times, err := r.timeBlocks()
		if err != nil {
			return nil, err
		}
		add("Time per item", times...)
		add("All labels", r.allLabels())
		if r.q.Notes {
			add("Notes", Table{Sheet: label.Notes(r.events, r.modelName, r.name)})
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
	names, models := make([]string, len(r.Annotators)), make([]string, len(r.Models))
	for k, id := range r.Annotators {
		names[k] = r.name(id)
	}
	for k, hash := range r.Models {
		models[k] = r.modelName(hash)
	}
	r.measured = agreement.OfRound(r.Round, r.events, models, names, agreement.Options{Intervals: true, Context: ctx})
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
	var list []label.Habit
	for _, id := range r.Annotators {
		list = append(list, label.HabitOf(r.Round, r.events, id, r.name(id)))
	}
	if r.Secret() {
		return []Block{warning(blindWords), Table{Sheet: label.Habits.Place(result.FileOnly, label.SecretHabits...).Sheet(list)}}
	}
	return []Block{Table{Sheet: label.Habits.Sheet(list)}}
}

// allLabels is the table of all items with every annotator's label, the majority vote and the
// final label. Rows are numbers of items.
func (r *roundReport) allLabels() Table {
	word := func(key, title string, of func(item int) label.Value) result.Column[int] {
		return result.Column[int]{Key: key, Title: title, Format: result.Label, Text: func(item int) string { return string(of(item)) }}
	}
	t := result.Table[int]{
		Name: "labels", Title: "All labels", Noun: "model", ID: func(item int) string { return r.Models[item] },
		Columns: []result.Column[int]{result.Texts("model_id", "model", "", func(item int) string { return r.modelName(r.Models[item]) })},
	}
	if len(r.Annotators) > mostColumns {
		t.Columns = append(t.Columns, result.Texts("labels", "labels", "", func(item int) string { return r.votes(r.Models[item]) }))
	} else {
		for _, id := range r.Annotators {
			t.Columns = append(t.Columns, word("annotator."+id, r.name(id), func(item int) label.Value {
				return r.current[label.Key{Model: r.Models[item], Annotator: id}].Value
			}))
		}
	}
	t.Columns = append(t.Columns, word("majority", "majority", func(item int) label.Value {
		return label.Value(agreement.Item{Of: r.measured, K: item}.Majority())
	}),
		word("final", "final", func(item int) label.Value { return r.decisions[item].Value }),
		result.Texts("final_by", "final by", "", func(item int) string { return string(r.decisions[item].By) }))
	items := make([]int, len(r.Models))
	for k := range items {
		items[k] = k
	}
	return Table{Sheet: t.Sheet(items)}
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
	return strings.Join(parts, ", ")
}

// roundModel is an item of a round beside chance.
type roundModel struct {
	id, hash string
	chance   chance.Level
}

var roundModels = result.Table[roundModel]{
	Name: "models", Title: "Models of the round", Noun: "model", ID: func(m roundModel) string { return m.hash },
	Columns: []result.Column[roundModel]{
		result.Texts("model_id", "model", "", func(m roundModel) string { return m.id }),
		result.Lift(chance.Columns[:1], func(m roundModel) chance.Level { return m.chance })[0],
		{Key: "model_hash", Title: "SHA-256 of the file", Format: result.ID, Text: func(m roundModel) string { return m.hash }},
	},
}

// modelTable lists the items with their hashes, and which are no better than chance, where
// matrices are of transformations.
func (r *roundReport) modelTable(ctx context.Context) (Table, error) {
	var list []roundModel
	for _, hash := range r.Models {
		one := roundModel{id: r.modelName(hash), hash: hash}
		if at := slices.IndexFunc(r.all, func(m model.Model) bool { return m.Hash == hash }); at >= 0 && r.view.scenes == nil {
			if _, err := r.all[at].Settings(); err == nil { // what cannot be read has no signals
				if one.chance, err = r.chanceOf(ctx, r.all[at], r.view); err != nil {
					return Table{}, err
				}
			}
		}
		list = append(list, one)
	}
	return Table{Caption: roundModels.Title, Sheet: roundModels.Sheet(list)}, nil
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
	return fmt.Sprintf("ONNX Runtime %s, %s, batch %d, positions %s", info.Spec.Runtime, info.Spec.Computer(),
		info.Spec.Batch, strings.Join(positions, ", ")), nil
}

// inRound are the labels of a model in a round.
type inRound struct{ id, round, state, labels, majority, final string }

var inRounds = result.Table[inRound]{
	Name: "rounds", Title: "Labels", Noun: "round", ID: func(r inRound) string { return r.id },
	Columns: []result.Column[inRound]{
		result.Texts("round", "round", "", func(r inRound) string { return r.round }),
		result.Texts("state", "state", "", func(r inRound) string { return r.state }),
		result.Texts("labels", "labels", "", func(r inRound) string { return r.labels }),
		result.Texts("majority", "majority", "", func(r inRound) string { return r.majority }),
		result.Texts("final", "final", "", func(r inRound) string { return r.final }),
	},
}

// labelRow are a model's labels in a round.
func (g *gathering) labelRow(r label.Round, events []label.Event, hash string) inRound {
	row := inRound{id: r.ID, round: r.Name, state: state(r)}
	if r.Secret() {
		row.labels = "not shown: the round is blind and still open"
		return row
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
	row.labels = strings.Join(labels, ", ")
	item := slices.Index(r.Models, hash)
	measured := agreement.OfRound(r, events, nil, r.Annotators, agreement.Options{})
	row.majority = agreement.Item{Of: measured, K: item}.Majority()
	d := label.Training(r, events, false)[item]
	if row.final = string(d.Value); d.By == label.Adjudicated {
		row.final += " (adjudicated)"
	}
	return row
}
