package label

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

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
			result.Texts("why", "why", "labels of one annotator that conflict, no majority, or labels that differ",
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
	// Labelled, Unsure and Skipped are of the Models that are assigned to the annotator.
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
		t := Tally{Annotator: annotator, Name: names[a], Classes: Words(r.Classes), Counts: make([]int, r.Classes)}
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
		_, t.Skipped, t.Models = Progress(r, annotator, events)
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
		result.Counts("models", "of", "models that are assigned to the annotator",
			func(t Tally) int { return t.Models }),
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

// Rounds is the table of rounds. Files and JSON have all that a round says but its pictures.
var Rounds = result.Table[Round]{
	Name: "rounds", Title: "Rounds", Noun: "round", ID: func(r Round) string { return r.ID },
	Columns: []result.Column[Round]{
		result.Texts("round", "round", "name of the round", func(r Round) string { return r.Name }),
		result.Texts("round_id", "id", "ULID", func(r Round) string { return r.ID }),
		file("kind", "kind", "variance or background", func(r Round) string { return string(r.Kind) }),
		moment("created", "created", "", func(r Round) time.Time { return r.Created }),
		file("suite_hash", "suite hash", "content hash of the suite", func(r Round) string { return r.Suite }),
		result.Texts("family", "transformations", "family of transformations; rounds about backgrounds have none",
			func(r Round) string { return r.Family }),
		file("selection", "selection", "selection of scenes, by its hash", func(r Round) string { return r.Selection }),
		file("interpolants", "interpolants", "settings of interpolated matrices",
			func(r Round) string { return list(r.Interpolants) }),
		file("modalities", "matrices", "matrices that are shown", func(r Round) string { return list(r.Modalities) }),
		file("filter", "images", "filter of the images", func(r Round) string { return r.Filter }),
		file("ranges", "colour ranges", "lowest and highest value of the colours of each matrix", Round.ranges),
		result.Counts("classes", "classes", "labels to choose from: 2, or 3 with borderline",
			func(r Round) int { return r.Classes }).
			In(result.FileOnly),
		result.Counts("models", "models", "models that are labelled", func(r Round) int { return len(r.Models) }),
		file("model_hashes", "model hashes", "SHA-256 of the models' files",
			func(r Round) string { return list(r.Models) }),
		result.Texts("annotators", "annotators", "who labels", func(r Round) string { return list(r.Annotators) }),
		result.Texts("state", "state", "open, or closed: labels do not change", func(r Round) string {
			if r.Closed {
				return "closed"
			}
			return "open"
		}).Told(Round.State),
		result.Bools("blind", "blind", "annotators do not see each other's labels",
			func(r Round) bool { return r.Blind }).In(result.FileOnly),
		file("reveal", "reveal", "when a blind round shows labels: empty when it is closed, or finished",
			func(r Round) string { return string(r.Reveal) }),
		file("order_seed", "order seed", "seed of the order of models",
			func(r Round) string { return strconv.FormatUint(r.OrderSeed, 10) }),
		result.Bools("ordered", "ordered", "everybody sees the models as they are listed",
			func(r Round) bool { return r.Ordered }).In(result.FileOnly),
		file("order", "order", "useful: the most useful models come first; empty for random or as they are listed",
			func(r Round) string { return r.Order }),
		result.Numbers("overlap", "overlap", "annotators who label each model; empty for all", result.Count,
			func(r Round) float64 {
				if r.Overlap == 0 {
					return math.NaN()
				}
				return float64(r.Overlap)
			}).In(result.FileOnly),
		file("known", "known answers",
			"models with a known answer, by which annotators are calibrated, mixed in or first", func(r Round) string {
				switch {
				case len(r.Known) == 0:
					return ""
				case r.KnownFirst:
					return strconv.Itoa(len(r.Known)) + " first"
				}
				return strconv.Itoa(len(r.Known)) + " mixed in"
			}),
		result.Numbers("repeat_share", "repeats", "share of the models that come again", result.Share,
			func(r Round) float64 { return r.RepeatShare }).
			In(result.FileOnly),
		file("fields", "fields", "fields of the training records that are shown; empty for the usual ones",
			func(r Round) string { return list(r.Fields) }),
		file("curves", "curves", "training curves that are shown; empty for all, - for none", func(r Round) string {
			if r.Curves != nil && len(r.Curves) == 0 {
				return "-"
			}
			return list(r.Curves)
		}),
		file("pinned", "pinned", "fields and curves in a fixed place, in their order",
			func(r Round) string { return list(r.Pinned) }),
		file("words", "words", "the round's own words for labels", Round.words),
		file("closings", "closings", "when, and at which desk, it was closed and opened again", Round.closings),
		file("parent", "parent", "round whose disagreements this one takes up, by its id",
			func(r Round) string { return r.Parent }),
		file("guideline", "guideline", "what annotators go by, as Markdown",
			func(r Round) string { return r.Guideline }),
		file("guideline_hash", "guideline hash", "SHA-256 of the guideline", Round.GuidelineHash),
		result.Bools("by_rule", "by rule", "whether these are "+ByRuleNote,
			func(r Round) bool { return r.ByRule }).In(result.FileOnly),
	},
}

// State is the round's state in words, and whether people have labelled it.
func (r Round) State() string {
	words := "open"
	if r.Closed {
		words = "closed"
	}
	if r.Blind {
		words += ", blind"
	}
	if r.ByRule {
		words += "; " + ByRuleNote
	}
	return words
}

// Source names the round as where labels come from.
func (r Round) Source() string { return SourceOf("round "+r.Name, r.ByRule) }

// SourceOf is where labels come from, with a remark where a rule has made them.
func SourceOf(name string, byRule bool) string {
	if byRule {
		return name + " (" + ByRuleNote + ")"
	}
	return name
}

// Row is an event with the names that people know its round and model by.
type Row struct {
	Event
	RoundName, ModelID string
}

// Labels is the table of events: of a whole log, as labels_long.csv, or of labels that count now.
// It has all of an event but its colour ranges.
var Labels = result.Table[Row]{
	Name: "labels", Title: "Labels", Noun: "label", ID: func(r Row) string { return r.ID },
	Columns: []result.Column[Row]{
		file("event_id", "event", "ULID", func(r Row) string { return r.ID }).Once(),
		file("desk", "desk", "where it was saved", func(r Row) string { return r.Desk }).Once(),
		file("round_id", "round id", "ULID", func(r Row) string { return r.Round }),
		file("round", "round", "name of the round", func(r Row) string { return r.RoundName }),
		result.Texts("model_id", "model", "name of the model", func(r Row) string { return r.ModelID }),
		file("model_hash", "model hash", "SHA-256 of the model's file", func(r Row) string { return r.Model }),
		result.Texts("annotator", "annotator", "who gave the label", func(r Row) string { return r.Annotator }),
		file("kind", "kind", "label, skip, note, undo or adjudicate", func(r Row) string { return string(r.Kind) }),
		result.Counts("pass", "pass", "1, or 2 for an unannounced repeat",
			func(r Row) int { return r.Pass }).In(result.FileOnly),
		{
			Key: "label", Title: "label", Help: "invariant, borderline or variant", Format: result.Label,
			Text: func(r Row) string { return string(r.Value) },
		},
		result.Bools("sure", "sure", "whether the annotator was sure", func(r Row) bool { return r.Sure }),
		file("flag", "flag", "what the annotator marked it with", func(r Row) string { return r.Flag }),
		result.Texts("note", "note", "what the annotator wrote beside it", func(r Row) string { return r.Note }),
		moment("started", "started", "when the model was shown", func(r Row) time.Time { return r.Started }).Once(),
		moment("saved", "saved", "when it was saved", func(r Row) time.Time { return r.Saved }).Once(),
		result.Numbers("seconds", "time", "active time", result.Duration,
			func(r Row) float64 { return r.Seconds }).In(result.FileOnly),
		file("guideline_hash", "guideline hash", "SHA-256 of the guideline in force",
			func(r Row) string { return r.Guideline }),
		file("supersedes", "supersedes", "event that it replaces or undoes",
			func(r Row) string { return r.Supersedes }).Once(),
	},
}

// file is a column of texts that files alone have.
func file[R any](key, title, help string, text func(R) string) result.Column[R] {
	return result.Texts(key, title, help, text).In(result.FileOnly)
}

// moment is a column of times that files alone have.
func moment[R any](key, title, help string, at func(R) time.Time) result.Column[R] {
	return result.Times(key, title, help, at).In(result.FileOnly)
}

func list(names []string) string { return strings.Join(names, ", ") }

// ranges are the colour ranges by modality: "max@CONF 0..0.3, max@CONV-1 0..20".
func (r Round) ranges() string {
	var parts []string
	for _, modality := range slices.Sorted(maps.Keys(r.Ranges)) {
		c := r.Ranges[modality]
		parts = append(parts, modality+" "+result.Number.Write(c.Low)+".."+result.Number.Write(c.High))
	}
	return list(parts)
}

// words are the round's own words: "robust for invariant, fragile for variant".
func (r Round) words() string {
	var parts []string
	for _, v := range Values(r.Classes) {
		if word, own := r.Words[v]; own {
			parts = append(parts, word+" for "+string(v))
		}
	}
	return list(parts)
}

// closings are the times at which the round was closed and opened again.
func (r Round) closings() string {
	parts := make([]string, len(r.Closings))
	for k, c := range r.Closings {
		parts[k] = "closed"
		if c.Open {
			parts[k] = "opened"
		}
		parts[k] += " " + c.At.UTC().Format(time.RFC3339) + " at " + c.By
	}
	return list(parts)
}
