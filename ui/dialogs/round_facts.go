package dialogs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// roundFacts is what the dialog needs to know of the workspace.
type roundFacts struct {
	runFacts
	ready  map[string][]string // models with signals, by suite and family
	people []store.Annotator
	judged []judgedRound
	sceneFacts
}

// judgedRound is a round whose final labels can be known answers of another.
type judgedRound struct {
	label.Round
	answers []label.Decision
}

// judgedRounds are the rounds with adjudicated models, newest first. Those that are blind and
// still open tell nobody.
func judgedRounds(ws *store.Workspace) (list []judgedRound, err error) {
	rounds, err := ws.Rounds()
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Backward(rounds) {
		events, err := ws.Events(r.ID)
		if err != nil {
			return nil, err
		}
		if answers := label.Adjudications(r, events); len(answers) > 0 && !r.Secret() {
			list = append(list, judgedRound{r, answers})
		}
	}
	return list, nil
}

func gatherRound(ws *store.Workspace) (f roundFacts, err error) {
	if f.runFacts, err = gather(ws); err != nil {
		return f, err
	}
	if f.people, err = ws.Annotators(); err != nil {
		return f, err
	}
	if f.ready, err = readyModels(ws, f.models); err != nil {
		return f, err
	}
	if f.judged, err = judgedRounds(ws); err != nil {
		return f, err
	}
	f.sceneFacts, err = gatherScenes(ws, f.models)
	return f, err
}

// startFamily is the current family, else one that has signals, else the usual one.
func (f roundFacts) startFamily() string {
	if f.current.Family != "" {
		return f.current.Family
	}
	for _, key := range slices.Sorted(maps.Keys(f.ready)) {
		if source, family, _ := strings.Cut(key, "\n"); source == f.current.Suite {
			return family
		}
	}
	return usualFamily()
}

// valueOf returns the value of a model (hash) in a column of the records, nil for no column.
func (f roundFacts) valueOf(column string) func(hash string) string {
	if column == "" {
		return nil
	}
	values := map[string]string{}
	for _, m := range f.models {
		values[m.Hash] = m.Value(column)
	}
	return func(hash string) string { return values[hash] }
}

// readyModels are the models that have signals, by suite and family. Those of transformation sets
// have no matrices to label.
func readyModels(ws *store.Workspace, models []model.Model) (map[string][]string, error) {
	ready := map[string][]string{}
	for _, m := range models {
		sets, err := ws.Sets(m.Hash, "", "")
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			if transform.IsSet(set.Spec.Family) {
				continue
			}
			key := set.Spec.Source + "\n" + set.Spec.Family
			if !slices.Contains(ready[key], m.Hash) {
				ready[key] = append(ready[key], m.Hash)
			}
		}
	}
	return ready, nil
}

// sceneFacts is what the dialog needs to know of selections.
type sceneFacts struct {
	selections []store.SelectionRecord // oldest first
	ran        map[string][]string     // models with signals in the scenes, by selection
	ids        map[string]string       // of models, by hash
}

func gatherScenes(ws *store.Workspace, models []model.Model) (f sceneFacts, err error) {
	f.ran, f.ids = map[string][]string{}, map[string]string{}
	if f.selections, err = ws.Selections(); err != nil {
		return f, err
	}
	for _, m := range models {
		f.ids[m.Hash] = m.ID
		for _, s := range f.selections {
			family, err := s.Family()
			if err != nil {
				return f, err
			}
			_, reason, err := lookup.Set(ws, m, s.Targets, family)
			if err != nil {
				return f, err
			}
			if reason.None() {
				f.ran[s.Hash] = append(f.ran[s.Hash], m.Hash)
			}
		}
	}
	return f, nil
}

// find is the selection with a hash.
func (f sceneFacts) find(hash string) (store.SelectionRecord, bool) {
	at := slices.IndexFunc(f.selections, func(s store.SelectionRecord) bool { return s.Hash == hash })
	if at < 0 {
		return store.SelectionRecord{}, false
	}
	return f.selections[at], true
}

// describe says what a selection is, "" for one that is not here.
func (f sceneFacts) describe(selection string) string {
	s, here := f.find(selection)
	if !here {
		return ""
	}
	ran := result.Counted(len(f.ran[s.Hash]), "model")
	return fmt.Sprintf("%s per target; %s ran in them", result.Counted(s.N, "scene"), ran)
}

// withoutScenes names those of the models that have nothing to judge in a selection, and says what
// to do; "" without any. What came with a round package is not known here, so of a selection that
// is not here there is no remark.
func (f sceneFacts) withoutScenes(selection string, models []string) string {
	if _, here := f.find(selection); !here {
		return ""
	}
	var names []string
	for _, hash := range models {
		if !slices.Contains(f.ran[selection], hash) {
			names = append(names, cmp.Or(f.ids[hash], result.ID.SayText(hash)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return present.ByCount(len(names),
		"%d model has no signals in these scenes yet (%s): run it on the Background screen, page Scenes; until then "+
			"it can only be skipped.",
		"%d models have no signals in these scenes yet (%s): run them on the Background screen, page Scenes; until "+
			"then they can only be skipped.",
		len(names), result.Some(names))
}

// recordFields are the fields of the models' training records and their curves, of which a round
// shows some.
type recordFields struct {
	names   []string        // in the order of their first appearance
	telling map[string]bool // those that tell the answer
	allowed []string        // those that the base round shows
	curves  []string        // by name
}

func fieldsOfRecords(models []model.Model, base label.Round) recordFields {
	f := recordFields{telling: map[string]bool{}}
	refused := map[string]bool{}
	curves := map[string]bool{}
	for _, m := range models {
		for _, epoch := range m.Curves {
			for name := range epoch.Values {
				curves[name] = true
			}
		}
		for _, field := range m.Record {
			if !slices.Contains(f.names, field.Name) {
				f.names = append(f.names, field.Name)
			}
			f.telling[field.Name] = f.telling[field.Name] || label.TellsAnswer(field.Name, field.Value)
			refused[field.Name] = refused[field.Name] || !base.Allows(field.Name, field.Value)
		}
	}
	f.curves = slices.Sorted(maps.Keys(curves))
	f.allowed = slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return refused[name] })
	return f
}

// list are the fields to tick.
func (f recordFields) list() []kit.Option {
	return named(f.names, func(name string) string {
		if f.telling[name] {
			name = fmt.Sprintf("%s (tells the answer)", name)
		}
		return name
	})
}

// told are those of the fields that tell the answer.
func (f recordFields) told(fields []string) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(name string) bool { return !f.telling[name] })
}

// shownCurves are the curves that a round shows, all where it does not say which.
func (f recordFields) shownCurves(r label.Round) []string {
	return slices.DeleteFunc(slices.Clone(f.curves), func(name string) bool { return !r.AllowsCurve(name) })
}
