package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/lookup"
)

// blindWords say why a report shows no labels.
const blindWords = "The round is blind and still open: labels, agreement and disagreements are not shown, " +
	"so that a report cannot tell one annotator what the others think. Close the round to see them."

// roundReport is a round with what follows from its events.
type roundReport struct {
	*gathering
	label.Round
	events    []label.Event
	current   map[label.Key]label.Event
	decisions []label.Decision
	measured  *agreement.Round // by names; nil while labels are not shown
}

// roundSections are the sections of a round; those in the middle are left out of one that is blind
// and open.
var roundSections = [3][]section[*roundReport]{{
	{"Round", (*roundReport).settings},
	{"Progress", (*roundReport).progressBlocks},
}, {
	{"Labels", (*roundReport).given},
	{"Agreement", (*roundReport).agreement},
	{"Disagreements", (*roundReport).disagreements},
	{label.Times.Title, (*roundReport).times},
	{"All labels", (*roundReport).items},
	{"Notes", (*roundReport).notes},
}, {
	{"Guideline", (*roundReport).guideline},
	{"Parameters", (*roundReport).modelBlocks},
}}

// round lays out the report of a round.
func (g *gathering) round(ctx context.Context) (*Document, error) {
	r, err := g.ws.Round(g.q.Round)
	if err != nil {
		return nil, err
	}
	if err := g.seeRound(r); err != nil {
		return nil, fmt.Errorf("round %q: %w", r.Name, err)
	}
	one, err := g.roundOf(r)
	if err != nil {
		return nil, err
	}
	if !r.Secret() {
		one.measure(agreement.Options{Intervals: true, Context: ctx})
	}
	d := g.document("Round " + r.Name)
	for k, list := range roundSections {
		if k == 1 && r.Secret() {
			continue
		}
		if err := cmp.Or(ctx.Err(), addAll(ctx, d, 2, one, list)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// roundOf is a round with what follows from its events.
func (g *gathering) roundOf(r label.Round) (*roundReport, error) {
	events, err := g.ws.Events(r.ID)
	one := &roundReport{gathering: g, Round: r, events: label.Sorted(events)}
	one.current, one.decisions = label.Current(one.events), label.Training(r, one.events, false)
	return one, err
}

// measure computes agreement; models and annotators go by their names.
func (r *roundReport) measure(o agreement.Options) {
	names, models := make([]string, len(r.Annotators)), make([]string, len(r.Models))
	for k, id := range r.Annotators {
		names[k] = r.name(id)
	}
	for k, hash := range r.Models {
		models[k] = r.modelName(hash)
	}
	r.measured = agreement.OfRound(r.Round, r.events, models, names, o)
}

func (r *roundReport) given(context.Context) ([]Block, error) {
	return []Block{Table{Sheet: label.GivenTable(r.Classes).Sheet(r.measured.Given(r.events))}}, nil
}

func (r *roundReport) items(context.Context) ([]Block, error) {
	return []Block{Table{Sheet: itemTable(r).Place(result.FileOnly, "round", "state").Sheet(r.measured.Items())}}, nil
}

// times are how long labels took.
func (r *roundReport) times(context.Context) ([]Block, error) {
	times := label.TimesOf(r.Round, r.events, r.name)
	var figures Figures
	if err := figures.Draw(label.TimesFigure(times), "how the times per label are spread"); err != nil {
		return nil, err
	}
	if len(figures) == 0 {
		return []Block{Paragraph(Plain, "No label has a time.")}, nil
	}
	return []Block{Table{Sheet: label.Times.Sheet(times)}, figures}, nil
}

// notes are what annotators wrote, where the question asks for it.
func (r *roundReport) notes(context.Context) ([]Block, error) {
	notes := label.Notes(r.events, r.modelName, r.name)
	switch {
	case !r.q.Notes:
		return nil, nil
	case notes.Len() == 0:
		return []Block{Paragraph(Plain, "Nobody has written a note or set a flag.")}, nil
	}
	return []Block{Table{Sheet: notes}}, nil
}

func (r *roundReport) guideline(context.Context) ([]Block, error) { return guideline(r.Guideline), nil }

// settings are all that the table of rounds says of the round, but for what stands elsewhere in the
// report; annotators go by their names, with their ids behind them, which files have.
func (r *roundReport) settings(context.Context) ([]Block, error) {
	var f Facts
	f.addRow(label.Rounds.Sheet([]label.Round{r.Round}), 0,
		"round", "created", "suite_hash", "family", "model_hashes", "annotators", "state", "blind", "guideline",
		"by_rule")
	var people []string
	for _, id := range r.Annotators {
		person := r.name(id)
		if person != id {
			person += " (" + id + ")"
		}
		people = append(people, person)
	}
	f.add("Made", timeText(r.Created))
	f.add("State", r.State())
	f.add("Annotators", strings.Join(people, ", "))
	f.add("Labels", strings.Join(r.Spoken(), ", "))
	f.add("Label events", result.Whole(len(r.events)))
	return []Block{f}, nil
}

// progressBlocks say how far each annotator has come. In a blind round that is open they say no
// more.
func (r *roundReport) progressBlocks(context.Context) ([]Block, error) {
	var list []label.Habit
	for _, id := range r.Annotators {
		list = append(list, label.HabitOf(r.Round, r.events, id, r.name(id)))
	}
	if r.Secret() {
		open := label.Habits.Place(result.FileOnly, label.SecretHabits...)
		return []Block{Paragraph(Warning, blindWords), Table{Sheet: open.Sheet(list)}}, nil
	}
	return []Block{Table{Sheet: label.Habits.Sheet(list)}}, nil
}

// itemTable is that of items with everybody's labels and the majority vote, with the state of their
// rounds, the final labels, and who is not sure of theirs.
func itemTable(rounds ...*roundReport) result.Table[agreement.Item] {
	of := map[*agreement.Round]*roundReport{}
	for _, r := range rounds {
		of[r.measured] = r
	}
	decision := func(i agreement.Item) label.Decision { return of[i.Of].decisions[i.K] }
	unsure := func(i agreement.Item) string {
		var names []string
		for a, id := range of[i.Of].Annotators {
			if ev, ok := of[i.Of].current[label.Key{Model: i.Model(), Annotator: id}]; ok && !ev.Sure {
				names = append(names, i.Of.Report.Raters[a])
			}
		}
		return strings.Join(names, ", ")
	}
	t := agreement.Items
	t.Columns = append(slices.Clone(t.Columns),
		result.Texts("state", "state", "of the round", func(i agreement.Item) string { return of[i.Of].State() }))
	t.More = func(rows []agreement.Item) []result.Column[agreement.Item] {
		list := append(agreement.Items.More(rows),
			result.Column[agreement.Item]{
				Key: "final", Title: "final", Help: "label that models are trained with", Format: result.Label,
				Text: func(i agreement.Item) string { return string(decision(i).Value) },
			},
			result.Texts("final_by", "final by", "what decides it",
				func(i agreement.Item) string { return string(decision(i).By) }))
		if slices.ContainsFunc(rows, func(i agreement.Item) bool { return unsure(i) != "" }) {
			list = append(list, result.Texts("unsure", "unsure", "annotators who are not sure of their label", unsure))
		}
		return list
	}
	return t
}

// roundModel is an item of a round beside chance.
type roundModel struct {
	id, hash string
	signals  bool // are here
	chance   chance.Level
}

var roundModels = result.Table[roundModel]{
	Name: "models", Title: "Models of the round", Noun: "model", ID: func(m roundModel) string { return m.hash },
	Columns: []result.Column[roundModel]{
		result.Texts("model_id", "model", "", func(m roundModel) string { return m.id }),
		result.Lift(chance.Columns[:1], func(m roundModel) chance.Level { return m.chance })[0],
		result.Bools("signals", "signals", "whether they are in the workspace",
			func(m roundModel) bool { return m.signals }),
		{
			Key: "model_hash", Title: "SHA-256 of the file", Format: result.ID,
			Text: func(m roundModel) string { return m.hash },
		},
	},
}

// modelBlocks are what the models are seen by, what their signals were computed with, and the
// models with their hashes; those that are no better than chance are named where matrices are of
// transformations.
func (r *roundReport) modelBlocks(ctx context.Context) ([]Block, error) {
	var list []roundModel
	var sets []seen
	for _, hash := range r.Models {
		one := roundModel{id: r.modelName(hash), hash: hash}
		at := slices.IndexFunc(r.all, func(m model.Model) bool { return m.Hash == hash })
		if at >= 0 {
			if _, err := r.all[at].Settings(); err != nil {
				at = -1 // what cannot be read has no signals
			}
		}
		if at >= 0 {
			s := seen{Model: r.all[at]}
			var err error
			if s.set, one.signals, err = r.ws.BestSet(s.Model, r.Suite, r.view.family); err != nil {
				return nil, err
			}
			if sets = append(sets, s); r.view.scenes == nil {
				one.chance, err = r.chanceOf(ctx, s.Model)
				if _, err = lookup.Reason(err); err != nil { // what is damaged has none
					return nil, fmt.Errorf("model %s: %w", one.id, err)
				}
			}
		}
		list = append(list, one)
	}
	return append(r.parameters(sets), Titled(roundModels.Sheet(list))...), nil
}
