package assessors

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// Subject is the assessor that is looked at, with the models that it is asked about: one of a
// training, or a saved one.
type Subject struct {
	Gathering
	Name       string
	Assessor   *assess.Assessor
	Evaluation *assess.Evaluation // nil for a saved one
	File       *saved.File        // of a saved one
	Source     string             // where the labels come from, as files say it
	Borderline string
}

// subject is the assessor of an entry.
func (l Lesson) subject(at int) Subject {
	e := l.Entries[at]
	return Subject{
		Gathering: l.Gathering, Name: e.Title(), Assessor: e.Assessor, Evaluation: &e.Evaluation,
		Source: l.Source, Borderline: string(l.Plan.Labels.Borderline),
	}
}

// learned are the models that the assessor learned from, by row: it judges them with knowledge of
// their labels. models is the size of its training set, which may hold others, too.
func (s Subject) learned() (rows []bool, models int) {
	rows = make([]bool, len(s.Data.Rows))
	if s.File != nil {
		for k, r := range s.Data.Rows {
			rows[k] = s.File.Learned(r.Hash)
		}
		return rows, len(s.File.Training)
	}
	labelled := s.Data.Labelled()
	for _, k := range labelled {
		rows[k] = true
	}
	return rows, len(labelled)
}

// votes are the verdicts on models that the assessor had not seen, nil for a saved one.
func (s Subject) votes() []label.Value {
	if s.Evaluation == nil {
		return nil
	}
	return s.Evaluation.Votes(s.Data)
}

// counts are the labelled models of each class, in words: "75 invariant, 75 variant".
func counts(d assess.Data) string {
	per := make([]int, len(d.Classes))
	for _, r := range d.Rows {
		if class, ok := r.Label.Index(len(d.Classes)); ok {
			per[class]++
		}
	}
	var parts []string
	for k, n := range per {
		parts = append(parts, fmt.Sprintf("%d %s", n, string(d.Classes[k])))
	}
	return strings.Join(parts, ", ")
}

// Heading says what the training rests on.
func (l Lesson) Heading() string {
	labelled, held := 0, 0
	for _, r := range l.Data.Rows {
		if r.Label != "" {
			labelled++
			if r.Holdout {
				held++
			}
		}
	}
	text := fmt.Sprintf("%s of %s labelled (%s)", result.Whole(labelled), result.Counted(len(l.Data.Rows), "model"), counts(l.Data))
	if held > 0 {
		text = fmt.Sprintf("%s, %d held out", text, held)
	}
	return fmt.Sprintf("%s; %s, %s", text, l.Place.Suite.Name, l.Place.familyName())
}

// percent is a share with the two decimals of the paper's tables.
func percent(share float64) string { return result.Share.Say(share, 2) }
