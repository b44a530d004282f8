package agreement

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/present"
)

// Case is an item of the adjudication queue. Nobody is named: the annotators are rater 1, rater 2,
// ... in an order of each item's own.
type Case struct {
	Model, ID  string
	Why        string   // it is in the queue: one of the three words below
	Counts     string   // "2 variant, 1 invariant"
	Votes      []string // "rater 1: variant, unsure"
	Conflicts  []string // "rater 2: variant at one desk, then invariant at another"
	Notes      []string // "rater 3: a cross in CONV-1"
	Discussion []string // notes made while adjudicating
	Final      *label.Event
}

// Why a case is in the queue: two desks with different labels of one annotator, no majority, or
// any other disagreement.
const whyConflict, whyTie, whyDiffer = "conflict", "no majority", "disagreement"

// Decision is the final label as text, "" while there is none.
func (c Case) Decision() string {
	if c.Final == nil {
		return ""
	}
	return string(c.Final.Value)
}

// cases builds the queue. In a blind round nothing is adjudicated, since it would show who said
// what.
func (v *View) cases(in Input) {
	switch queue := label.Queue(in.Round, in.Events); {
	case in.Round.Secret():
		v.NoQueue = "This round is blind. Close it to adjudicate: then everybody may see all labels, and nobody can change theirs."
	case len(queue) == 0 && v.Rated == 0:
		v.NoQueue = "Nothing to adjudicate yet: no model has labels of two annotators."
	case len(queue) == 0:
		v.NoQueue = "Nothing to adjudicate: the annotators agree on every model."
	default:
		said := spoken(in)
		for _, c := range queue {
			v.Cases = append(v.Cases, v.oneCase(in, said, c))
		}
	}
}

// remarks are what the events hold beside the labels: who was unsure, and the notes.
type remarks struct {
	current    map[label.Key]label.Event
	notes      map[label.Key]string // an annotator's newest note on an item
	discussion map[string][]string  // by model
}

func spoken(in Input) remarks {
	said := remarks{current: label.Current(in.Events), notes: map[label.Key]string{}, discussion: map[string][]string{}}
	for _, ev := range label.Active(in.Events) {
		switch {
		case ev.Note == "" || ev.Kind == label.Adjudicate:
		case ev.Flag == label.Discussion:
			said.discussion[ev.Model] = append(said.discussion[ev.Model], ev.Note)
		default:
			said.notes[label.Key{Model: ev.Model, Annotator: ev.Annotator}] = ev.Note
		}
	}
	return said
}

func (v *View) oneCase(in Input, said remarks, c label.Case) Case {
	out := Case{
		Model: c.Model, ID: in.modelID(c.Model), Why: whyDiffer, Final: c.Final, Counts: counts(in.Report.Classes, c.Values),
		Discussion: said.discussion[c.Model],
	}
	switch {
	case len(c.Conflicts) > 0:
		out.Why = whyConflict
	case c.Tied:
		out.Why = whyTie
	}
	for k, a := range label.Masked(in.Round, c.Model) {
		rater, key := fmt.Sprintf("rater %d", k+1), label.Key{Model: c.Model, Annotator: in.Round.Annotators[a]}
		if c.Values[a] != "" {
			vote := rater + ": " + string(c.Values[a])
			if !said.current[key].Sure {
				vote = fmt.Sprintf("%s, unsure", vote)
			}
			out.Votes = append(out.Votes, vote)
		}
		for _, conflict := range c.Conflicts {
			if conflict.Annotator == key.Annotator {
				out.Conflicts = append(out.Conflicts, rater+": "+conflictText(conflict))
			}
		}
		if note := said.notes[key]; note != "" {
			out.Notes = append(out.Notes, rater+": "+note)
		}
	}
	return out
}

// counts says how often each label was given, most first; equal ones in the order of the classes.
func counts(classes []string, values []label.Value) string {
	var parts []string
	for n := len(values); n > 0; n-- {
		for _, class := range classes {
			k := 0
			for _, v := range values {
				if string(v) == class {
					k++
				}
			}
			if k == n {
				parts = append(parts, fmt.Sprintf("%d %s", k, class))
			}
		}
	}
	return strings.Join(parts, ", ")
}

func conflictText(c label.Conflict) string {
	said := make([]string, len(c.Labels))
	for k, ev := range c.Labels {
		said[k] = string(ev.Value)
	}
	return fmt.Sprintf("%s at another; the last one counts", strings.Join(said, " at one desk, then "))
}

// decided counts the cases with a final label.
func decided(cases []Case) int {
	n := 0
	for _, c := range cases {
		if c.Final != nil {
			n++
		}
	}
	return n
}

// progressText is the line over the queue.
func progressText(cases []Case) string {
	return fmt.Sprintf("%d of %s decided", decided(cases), present.Counted(int64(len(cases)), "case"))
}

// nextOpen is the next case without a final label after at, round the end; ok is false when all
// are decided.
func nextOpen(cases []Case, at int) (next int, ok bool) {
	for k := range cases {
		if i := (at + 1 + k) % len(cases); cases[i].Final == nil {
			return i, true
		}
	}
	return at, false
}

// fieldOf is the value of a record's column.
func fieldOf(record []model.Field, column string) string {
	for _, f := range record {
		if f.Name == column {
			return f.Value
		}
	}
	return ""
}
