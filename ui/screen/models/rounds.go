package models

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/label"
)

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
