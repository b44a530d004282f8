package label

import (
	"math"

	"github.com/variscope/variscope/engine/result"
)

// Habit is how far an annotator has come in a round, and how.
type Habit struct {
	Annotator                 string // for people
	Models, Labelled, Skipped int    // a model that was skipped and labelled later is no skipped one
	Unsure, Flagged           int
	Repeated, Same            int // models that came again, and how many of these got the same label
}

// HabitOf counts what an annotator did; name is what people call the annotator.
func HabitOf(r Round, events []Event, annotator, name string) Habit {
	skipped, repeated := map[string]bool{}, map[string]Value{}
	for _, ev := range Active(events) {
		switch {
		case ev.Annotator != annotator:
		case ev.Kind == Skip:
			skipped[ev.Model] = true
		case ev.Kind == Label && ev.Pass == 2:
			repeated[ev.Model] = ev.Value
		}
	}
	mine := Order(r, annotator)
	h := Habit{Annotator: name, Models: len(mine), Repeated: len(repeated)}
	current := Current(events)
	for _, hash := range mine {
		ev, ok := current[Key{Model: hash, Annotator: annotator}]
		if !ok {
			continue
		}
		delete(skipped, hash)
		h.Labelled++
		if !ev.Sure {
			h.Unsure++
		}
		if ev.Flag != "" {
			h.Flagged++
		}
		if repeated[hash] == ev.Value {
			h.Same++
		}
	}
	h.Skipped = len(skipped)
	return h
}

// Habits has a row per annotator. The columns of SecretHabits are hidden while a blind
// round is open.
var Habits = result.Table[Habit]{
	Name: "annotators", Title: "Annotators", Noun: "annotator", ID: func(h Habit) string { return h.Annotator },
	Columns: []result.Column[Habit]{
		result.Texts("annotator", "annotator", "", func(h Habit) string { return h.Annotator }),
		result.Counts("labelled", "labelled", "models with a label", func(h Habit) int { return h.Labelled }),
		result.Counts("models", "of", "models that are assigned to the annotator",
			func(h Habit) int { return h.Models }),
		result.Numbers("share", "share", "of the models that are labelled", result.Share, func(h Habit) float64 {
			return float64(h.Labelled) / float64(max(h.Models, 1))
		}),
		result.Counts("skipped", "skipped", "models that were skipped and have no label",
			func(h Habit) int { return h.Skipped }),
		result.Counts("unsure", "unsure", "labels that the annotator is not sure of",
			func(h Habit) int { return h.Unsure }),
		result.Counts("flagged", "flagged", "labels with a flag", func(h Habit) int { return h.Flagged }),
		result.Counts("repeated", "repeated", "models that came again", func(h Habit) int { return h.Repeated }),
		result.Numbers("same_again", "same again",
			"share of the models that came again with the same label", result.Share,
			func(h Habit) float64 {
				if h.Repeated == 0 {
					return math.NaN()
				}
				return float64(h.Same) / float64(h.Repeated)
			}),
	},
}

// SecretHabits are the columns of Habits that are hidden while a blind round is open.
var SecretHabits = []string{"skipped", "unsure", "flagged", "repeated", "same_again"}

// Given are the labels of all models by one voice: an annotator, the majority vote, the final ones.
type Given struct {
	By     string
	Values []Value // by model, "" for none
}

// GivenTable counts labels, a row per voice and a column per class.
func GivenTable(classes int) result.Table[Given] {
	t := result.Table[Given]{
		Name: "labels", Title: "Labels", Noun: "voice", ID: func(g Given) string { return g.By },
		Columns: []result.Column[Given]{result.Texts("by", "labels by", "", func(g Given) string { return g.By })},
	}
	for _, class := range append(Words(classes), "none") {
		t.Columns = append(t.Columns, result.Counts(class, class, "models with this label", func(g Given) (n int) {
			for _, v := range g.Values {
				if string(v) == class || v == "" && class == "none" {
					n++
				}
			}
			return n
		}))
	}
	return t
}

// Notes are the events with a note or a flag.
func Notes(events []Event, model, annotator func(id string) string) *result.Sheet {
	var list []Event
	for _, ev := range Active(events) {
		if ev.Note != "" || ev.Flag != "" {
			list = append(list, ev)
		}
	}
	return result.Table[Event]{
		Name: "notes", Title: "Notes", Noun: "note", ID: func(ev Event) string { return ev.ID },
		Columns: []result.Column[Event]{
			result.Texts("model_id", "model", "", func(ev Event) string { return model(ev.Model) }),
			result.Texts("annotator", "annotator", "", func(ev Event) string { return annotator(ev.Annotator) }),
			result.Texts("kind", "kind", "", func(ev Event) string { return string(ev.Kind) }),
			{
				Key: "label", Title: "label", Format: result.Label,
				Text: func(ev Event) string { return string(ev.Value) },
			},
			result.Texts("flag", "flag", "", func(ev Event) string { return ev.Flag }),
			result.Texts("note", "note", "", func(ev Event) string { return ev.Note }),
		},
	}.Sheet(list)
}
