package invariance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Found is what was measured, what could not be, and the studies that were made of it.
type Found struct {
	Measured []Measured
	Left     []LeftOut
	Studies  []*Studied // nil where none was asked for
}

// Sheets are all tables but that of single images.
func (f Found) Sheets() []*result.Sheet {
	list := []*result.Sheet{
		Results.Sheet(f.Measured), Transformations.Sheet(Steps(f.Measured, false)), LeftOuts.Sheet(f.Left),
	}
	if f.Studies != nil {
		list = append(list, Studies.Sheet(WithGroups(f.Studies)), StudyPoints.Sheet(PointsOf(f.Studies)),
			StudyLines.Sheet(LinesOf(f.Studies)), Correlated.Sheet(TestsOf(f.Studies)))
	}
	if lines := PredictedOf(f.Studies); lines != nil {
		list = append(list, Predictions.Sheet(lines))
	}
	return list
}

// Remarks are what to know about means, once for each model, or about the studies where there are
// some.
func (f Found) Remarks() (list []string) {
	add := func(line string) {
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	for _, one := range f.Studies {
		if note := one.AboveChance(); note != "" {
			list = append(list, fmt.Sprintf("%s: %s", one.title(), note))
		}
	}
	if f.Studies != nil {
		return list
	}
	for _, m := range f.Measured {
		if !m.Missing.None() {
			add(fmt.Sprintf("%s: no js, l2, kl: %s", m.Model.ID, m.Missing))
		}
	}
	for _, m := range f.Measured {
		if level := m.Chance.Level(); level.Flagged() {
			add(m.Model.ID + ": " + level.Sentence())
		}
	}
	return list
}

// Fits say how each study predicts.
func (f Found) Fits() (list []string) {
	for _, one := range f.Studies {
		if one.Why.None() {
			list = append(list, fmt.Sprintf("%s: %s", one.title(), one.Facts()[1]))
		}
	}
	return list
}

// title is what a study is of, and under what; of several scores also which.
func (s *Studied) title() string {
	title := s.Name() + ", " + s.Rows[0].FamilyName
	if len(s.Scores) > 1 {
		title += ", " + s.Score.Title()
	}
	return title
}

// LeftOut is a line per suite, family and reason.
func (f Found) LeftOut() (list []string) {
	for _, l := range Lacking(f.Left) {
		list = append(list, l.String())
	}
	return list
}

// Fruitless is an error where there are studies and none has a line.
func (f Found) Fruitless() error {
	var reasons []string
	for _, one := range f.Studies {
		if one.Why.None() {
			return nil
		}
		reasons = append(reasons, fmt.Sprintf("%s: %s", one.title(), one.Why))
	}
	if reasons == nil {
		return nil
	}
	return errors.New("no study over " + f.Studies[0].Over + ": " + strings.Join(reasons, "; "))
}
