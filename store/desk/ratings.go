package desk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/ratings"
)

// Reading says how tables of labels that others made are read.
type Reading struct {
	// Round is the id of a round; "" for the one that the table names, else the newest.
	Round string `help:"Round that the labels of a table are for." source:"rounds"`
	ratings.Options
}

// given is a label in a table, by the names that stand there.
type given struct {
	item, rater string
	value       label.Value
}

// readTable makes events of a labels_wide.csv or a table of others. A label that its annotator has
// given to the model already makes none, so that reading a table again adds nothing.
func (m *merging) readTable(path string, f *FileReport) ([]label.Event, error) {
	if own, err := export.IsLabels(path); err != nil {
		return nil, err
	} else if own {
		return m.readWide(path, f)
	}
	f.Others = true
	tables, err := ratings.Read(path)
	if err != nil {
		return nil, fmt.Errorf("it is neither a file of labels nor a table of them: %w", err)
	}
	var events []label.Event
	for _, t := range tables {
		here, err := m.roundOf(t)
		if err != nil {
			return nil, err
		}
		coded, err := withWords(m.how.Options, here.round).Code(t, here.round.Classes)
		if err != nil {
			return nil, err
		}
		var list []given
		for r, row := range coded.Values() {
			for i, v := range row {
				if v != "" {
					list = append(list, given{t.Items[i], t.Raters[r], v})
				}
			}
		}
		some, err := m.eventsOf(here, list, f)
		if err != nil {
			return nil, err
		}
		events = append(events, some...)
		notes := t.Notes
		if coded.Taken != "" { // else the words are the round's own
			notes = append(notes, "labels: "+coded.Taken)
		}
		f.Taken = strings.Join(notes, "; ")
	}
	return events, nil
}

// withWords has a table's words read as the round's own names of labels, where nothing else is
// asked for them.
func withWords(o ratings.Options, r label.Round) ratings.Options {
	o.Map = slices.Clone(o.Map)
	for _, v := range label.Values(r.Classes) {
		word, own := r.Words[v]
		asked := func(pair string) bool {
			from, _, ok := strings.Cut(pair, "=")
			return ok && strings.EqualFold(strings.TrimSpace(from), word)
		}
		if own && !slices.ContainsFunc(o.Map, asked) {
			o.Map = append(o.Map, word+"="+string(v))
		}
	}
	return o
}

// readWide reads our own table with a column per annotator. It does not say who adjudicated; that a
// rule has made the labels is said, since the round that takes them does not keep it.
func (m *merging) readWide(path string, f *FileReport) ([]label.Event, error) {
	rounds, err := export.ReadRounds(path, 0)
	if err != nil {
		return nil, err
	}
	var events []label.Event
	var said []string
	adjudicated := 0
	if slices.ContainsFunc(rounds, func(r export.FileRound) bool { return r.ByRule }) {
		said = append(said, label.ByRuleNote)
	}
	for _, r := range rounds {
		here, err := m.round(r.ID)
		if errors.Is(err, store.ErrNotFound) {
			return nil, fmt.Errorf("round %s is not in this workspace; open its round package first", r.ID)
		}
		if err != nil {
			return nil, err
		}
		var list []given
		for _, ev := range r.Events {
			if ev.Kind == label.Label {
				list = append(list, given{ev.Model, ev.Annotator, ev.Value})
			} else {
				adjudicated++
			}
		}
		some, err := m.eventsOf(here, list, f)
		if err != nil {
			return nil, err
		}
		events = append(events, some...)
	}
	if adjudicated > 0 {
		said = append(said, fmt.Sprintf("%s left out: the table does not say who adjudicated; labels_long.csv does",
			result.Counted(adjudicated, "final label")))
	}
	f.Taken = strings.Join(said, "; ")
	return events, nil
}

// roundOf is the round of a table: the one that it names, if it is here, else the one that was
// asked for, else the newest.
func (m *merging) roundOf(t ratings.Table) (*known, error) {
	id := m.how.Round
	if t.Round != "" && id == "" {
		if here, err := m.round(t.Round); err == nil {
			return here, nil
		}
	}
	if id == "" {
		rounds, err := m.ws.Rounds()
		if err != nil {
			return nil, err
		}
		for _, r := range rounds {
			id = max(id, r.ID)
		}
	}
	if id == "" {
		return nil, errors.New("there is no round to add labels to; make one first")
	}
	return m.round(id)
}

// eventsOf are the labels that are not yet those of their annotators.
func (m *merging) eventsOf(here *known, list []given, f *FileReport) ([]label.Event, error) {
	r := here.round
	if r.Closed {
		return nil, fmt.Errorf("round %s is closed; open it again to add labels", r.Name)
	}
	annotator, err := m.annotators(r)
	if err != nil {
		return nil, err
	}
	model := map[string]string{} // hashes by plain ids and by themselves
	for _, hash := range slices.Backward(r.Models) {
		model[hash] = hash
		if one, err := m.ws.Model(hash); err == nil {
			model[plainName(one.ID)] = hash
		}
	}
	floor := ulid.Now()
	for _, ev := range here.events {
		if id, err := ulid.ParseStrict(ev.ID); err == nil {
			floor = max(floor, id.Time()+1)
		}
	}
	f.Round = r.Name
	current, seen := label.Current(here.events), map[label.Key]label.Value{}
	var events []label.Event
	asked := r.Asked()
	for _, g := range list {
		key := label.Key{Model: model[plainName(g.item)], Annotator: annotator[plainName(g.rater)]}
		_, ok := g.value.Index(r.Classes)
		switch {
		case key.Annotator == "":
			return nil, fmt.Errorf("%s is not an annotator of round %s; it has %s", g.rater, r.Name,
				strings.Join(r.Annotators, ", "))
		case key.Model == "":
			return nil, fmt.Errorf("%s is not a model of round %s", g.item, r.Name)
		case !ok:
			return nil, fmt.Errorf("%s is no label of round %s with %d classes", g.value, r.Name, r.Classes)
		case !asked(key.Annotator, key.Model):
			return nil, fmt.Errorf("model %s of round %s is not assigned to %s; leave that label out",
				g.item, r.Name, g.rater)
		case seen[key] != "" && seen[key] != g.value:
			return nil, fmt.Errorf("%s gives model %s two labels, %s and %s", g.rater, g.item, seen[key], g.value)
		case seen[key] != "":
			continue
		}
		seen[key] = g.value
		f.Events++
		before := current[key]
		if before.Value == g.value {
			f.Known++
			continue
		}
		events = append(events, label.Event{
			ID: ulid.MustNew(floor, ulid.DefaultEntropy()).String(), Desk: m.ws.Desk(), Round: r.ID, Model: key.Model,
			Annotator: key.Annotator, Kind: label.Label, Pass: 1, Value: g.value, Sure: true,
			Saved: time.Now().UTC().Truncate(time.Millisecond), Supersedes: before.ID,
		})
	}
	return events, nil
}

// plainName is a name as tables may write it: in small letters, without the ending of a model file.
func plainName(name string) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), ".onnx")
}

// annotators are the annotators of a round by their plain names, and by those that are shown.
func (m *merging) annotators(r label.Round) (map[string]string, error) {
	shown, err := m.ws.AnnotatorNames()
	if err != nil {
		return nil, err
	}
	by := map[string]string{}
	for _, name := range slices.Backward(r.Annotators) {
		if shown[name] != "" {
			by[plainName(shown[name])] = name
		}
	}
	for _, name := range slices.Backward(r.Annotators) {
		by[plainName(name)] = name
	}
	return by, nil
}
