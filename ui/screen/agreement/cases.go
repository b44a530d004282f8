package agreement

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// queue lists what is to be adjudicated. In a blind round that is nothing, since it would show who
// said what.
func (v *View) queue() {
	switch queue := label.Queue(v.Round, v.Events); {
	case v.Round.Secret():
		v.NoQueue = "This round is blind. " +
			"Close it to adjudicate: then everybody may see all labels, and nobody can change theirs."
	case len(queue) == 0 && v.rated() == 0:
		v.NoQueue = "Nothing to adjudicate yet: no model has labels of two annotators."
	case len(queue) == 0:
		v.NoQueue = "Nothing to adjudicate: the annotators agree on every model."
	default:
		v.Cases = queue
	}
}

// heading says what a case is: "m03: no majority, 1 invariant, 1 variant".
func (v *View) heading(c label.Case) string {
	text := v.modelID(c.Model) + ": " + c.Why().Text
	for n := len(c.Values); n > 0; n-- { // the most frequent label first, equal ones in the order of the classes
		for _, class := range label.Values(v.Round.Classes) {
			k := 0
			for _, value := range c.Values {
				if value == class {
					k++
				}
			}
			if k == n {
				text += fmt.Sprintf(", %d %s", k, v.Round.Word(class))
			}
		}
	}
	return text
}

// spoken is everything that was said of a case. Nobody is named: the annotators are rater 1, rater
// 2, ... in an order of each model's own.
func (v *View) spoken(c label.Case) string {
	var lines, conflicts, notes, discussion []string
	current, newest := label.Current(v.Events), map[string]string{} // an annotator's newest note
	for _, ev := range label.Active(v.Events) {
		switch {
		case ev.Model != c.Model || ev.Note == "" || ev.Kind == label.Adjudicate:
		case ev.Flag == label.Discussion:
			discussion = append(discussion, ev.Note)
		default:
			newest[ev.Annotator] = ev.Note
		}
	}
	for k, a := range label.Masked(v.Round, c.Model) {
		rater, annotator := fmt.Sprintf("rater %d: ", k+1), v.Round.Annotators[a]
		if value := c.Values[a]; value != "" {
			vote := rater + v.Round.Word(value)
			if !current[label.Key{Model: c.Model, Annotator: annotator}].Sure {
				vote += ", unsure"
			}
			lines = append(lines, vote)
		}
		for _, conflict := range c.Conflicts {
			if conflict.Annotator == annotator {
				said := make([]string, len(conflict.Labels))
				for n, ev := range conflict.Labels {
					said[n] = v.Round.Word(ev.Value)
				}
				conflicts = append(conflicts, rater+strings.Join(said, " at one desk, then ")+
					" at another; the last one counts")
			}
		}
		if note := newest[annotator]; note != "" {
			notes = append(notes, rater+note)
		}
	}
	add := func(title string, more []string) {
		if len(more) > 0 {
			lines = append(append(lines, "", title), more...)
		}
	}
	add("At several desks:", conflicts)
	add("Notes:", notes)
	add("Discussion:", discussion)
	return strings.Join(lines, "\n")
}

// decided counts the cases with a final label.
func decided(cases []label.Case) int {
	n := 0
	for _, c := range cases {
		if c.Final != nil {
			n++
		}
	}
	return n
}

// progressText is the line over the queue.
func progressText(cases []label.Case) string {
	return fmt.Sprintf("%d of %s decided", decided(cases), result.Counted(len(cases), "case"))
}

// nextOpen is the next case without a final label after at, round the end; ok is false when all
// are decided.
func nextOpen(cases []label.Case, at int) (next int, ok bool) {
	for k := range cases {
		if i := (at + 1 + k) % len(cases); cases[i].Final == nil {
			return i, true
		}
	}
	return at, false
}
