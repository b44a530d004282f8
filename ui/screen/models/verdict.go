package models

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/label"
)

// Verdict is what a round says of a model.
type Verdict struct {
	Label   string // the adjudicated label or that of the majority; "tie" and "no majority" where there is none
	Final   bool   // adjudicated
	Ratings int    // annotators who have labelled the model
	// Agree is the share of them whose label is the most frequent one; NaN without ratings.
	Agree float64
}

// RoundChoice is an entry of the menu of rounds.
type RoundChoice struct {
	ID, Name string
	// Hidden says why the labels are not shown; "" when they are.
	Hidden string
}

// blindReason is shown in place of labels that annotators must not see yet.
const (
	blindReason     = "hidden: blind until closed"
	labellingReason = "hidden: you label in a blind round"
)

// choicesOf lists the variance rounds of a suite and family, newest first; while somebody labels
// in a blind round, all of them are hidden.
func choicesOf(rounds []label.Round, suite, family string, blind bool) []RoundChoice {
	var list []RoundChoice
	for _, r := range slices.Backward(rounds) {
		if r.Kind != label.VarianceRound || r.Suite != suite || r.Family != family {
			continue
		}
		c := RoundChoice{ID: r.ID, Name: r.Name}
		switch {
		case r.Secret():
			c.Hidden = blindReason
		case blind:
			c.Hidden = labellingReason
		}
		list = append(list, c)
	}
	named := map[string]int{}
	for _, c := range list {
		named[c.Name]++
	}
	for i := range list { // rounds of one name are told apart by the end of their ids
		if named[list[i].Name] > 1 {
			list[i].Name = fmt.Sprintf("%s (%s)", list[i].Name, list[i].ID[max(0, len(list[i].ID)-6):])
		}
	}
	return list
}

// pick is the chosen round, the newest when that one is not among them.
func pick(choices []RoundChoice, id string) (RoundChoice, bool) {
	if i := slices.IndexFunc(choices, func(c RoundChoice) bool { return c.ID == id }); i >= 0 {
		return choices[i], true
	}
	if len(choices) == 0 {
		return RoundChoice{}, false
	}
	return choices[0], true
}

// verdicts decides every item of a round, by hash.
func verdicts(r label.Round, events []label.Event) map[string]Verdict {
	decisions, ratings := label.Training(r, events, false), label.Ratings(r, events)
	list := make(map[string]Verdict, len(decisions))
	for i, d := range decisions {
		v := Verdict{Label: string(d.Value), Final: d.By == label.Adjudicated, Agree: math.NaN()}
		switch d.By {
		case label.Tie:
			v.Label = "tie"
		case label.NoMajority:
			v.Label = "no majority"
		}
		counts := make([]int, r.Classes)
		for _, row := range ratings {
			if row[i] != label.Missing {
				counts[row[i]]++
				v.Ratings++
			}
		}
		if v.Ratings > 0 {
			v.Agree = float64(slices.Max(counts)) / float64(v.Ratings)
		}
		list[d.Model] = v
	}
	return list
}
