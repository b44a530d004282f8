package label

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// Why a case is in the queue: labels of one annotator differ from desk to desk, no label has a
// majority, or annotators disagree in another way.
var (
	WhyConflict = result.Because("conflict", "conflict")
	WhyTie      = result.Because("tie", "no majority")
	WhyDiffer   = result.Because("differ", "disagreement")
)

// Why says why the case is in the queue.
func (c Case) Why() result.Reason {
	switch {
	case len(c.Conflicts) > 0:
		return WhyConflict
	case c.Tied:
		return WhyTie
	}
	return WhyDiffer
}

// Decision is the final label, "" while there is none.
func (c Case) Decision() Value {
	if c.Final == nil {
		return ""
	}
	return c.Final.Value
}

// Cases is the table of what is to be adjudicated; name is what a model (its hash) is called.
func Cases(name func(model string) string) result.Table[Case] {
	return result.Table[Case]{
		Name: "adjudication", Title: "Adjudicate", Noun: "case", ID: func(c Case) string { return c.Model },
		Columns: []result.Column[Case]{
			result.Texts("model_id", "model", "name of the model", func(c Case) string { return name(c.Model) }),
			result.Texts("why", "why", "why it is to be decided: labels of one annotator that conflict, no majority, or labels that differ",
				func(c Case) string { return c.Why().Text }).Told(func(c Case) string { return c.Why().Code }),
			{
				Key: "final", Title: "final", Help: "final label", Format: result.Label,
				Text: func(c Case) string { return string(c.Decision()) },
			},
		},
	}
}

// Tally is what an annotator did in a round.
type Tally struct {
	Annotator, Name string // id, and name for people
	// Labelled, Unsure and Skipped are models of the round, of Models in all.
	Labelled, Unsure, Skipped, Models int
	Classes                           []string
	Counts                            []int         // of labels per class; nil where Hidden says why
	Hidden                            result.Reason // none where counts are there
}

// Tallies count each annotator's current labels; names are those of r.Annotators in their order.
func Tallies(r Round, names []string, events []Event) []Tally {
	current, ratings := Current(events), Ratings(r, events)
	list := make([]Tally, len(r.Annotators))
	for a, annotator := range r.Annotators {
		t := Tally{Annotator: annotator, Name: names[a], Models: len(r.Models), Classes: Words(r.Classes), Counts: make([]int, r.Classes)}
		for i, class := range ratings[a] {
			if class == Missing {
				continue
			}
			t.Labelled++
			t.Counts[class]++
			if !current[Key{r.Models[i], annotator}].Sure {
				t.Unsure++
			}
		}
		_, t.Skipped, _ = Progress(r, annotator, events)
		list[a] = t
	}
	return list
}

// Annotators is the table of tallies, with a column label.CLASS for each class.
var Annotators = result.Table[Tally]{
	Name: "annotators", Title: "Annotators", Noun: "annotator", ID: func(t Tally) string { return t.Annotator },
	Columns: []result.Column[Tally]{
		result.Texts("annotator", "annotator", "", func(t Tally) string { return t.Name }),
		result.Counts("labelled", "labelled", "models with a label", func(t Tally) int { return t.Labelled }),
		result.Counts("models", "of", "models of the round", func(t Tally) int { return t.Models }),
		result.Counts("unsure", "unsure", "labels that are marked as unsure", func(t Tally) int { return t.Unsure }),
		result.Counts("skipped", "skipped", "models that were put off", func(t Tally) int { return t.Skipped }),
	},
	More: func(rows []Tally) []result.Column[Tally] {
		var list []result.Column[Tally]
		for _, row := range rows {
			for k, class := range row.Classes {
				if slices.ContainsFunc(list, func(c result.Column[Tally]) bool { return c.Title == class }) {
					continue
				}
				count := func(t Tally) float64 {
					if k < len(t.Counts) {
						return float64(t.Counts[k])
					}
					return math.NaN()
				}
				list = append(list, result.Numbers("label."+class, class, "labels "+class, result.Count, count).
					Because(func(t Tally) result.Reason { return t.Hidden }))
			}
		}
		return list
	},
}
