package ranking

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/present"
)

// byLaF are the models in the order of LaF's ranking, equal ones by name; those of the workspace's
// order without one.
func (v Answer) byLaF() []int {
	order := make([]int, len(v.Board.Models))
	for j := range order {
		order[j] = j
	}
	if v.Board.LaF == nil || v.Board.LaF.Specialty == nil {
		return order
	}
	ranks := rank.Competition(v.Board.LaF.Specialty)
	slices.SortStableFunc(order, func(a, b int) int {
		if ranks[a] != ranks[b] {
			return ranks[a] - ranks[b]
		}
		return result.Natural(v.Board.Models[a].ID, v.Board.Models[b].ID)
	})
	return order
}

// Specialty are LaF's specialties as bars, best first; their IDs are those of keyOf.
func (v Answer) Specialty() result.Figure {
	d := result.Figure{
		Title: "Specialty of models, " + v.Material.Source.Name, Note: v.Caption(), Empty: v.noLaF(),
		X: result.Axis{Name: "specialty (LaF)", Format: result.Number},
		Groups: []result.Group{
			{Name: "better than guessing", Look: result.Category(0)}, {Name: "worse", Look: result.LookVariant},
		},
	}
	if d.Empty != "" {
		return d
	}
	laf := v.Board.LaF
	for _, j := range v.byLaF() {
		a, id := laf.Specialty[j], v.Board.Models[j].ID
		group := 0
		if a < 0 {
			group = 1
		}
		line := fmt.Sprintf("%s: specialty %s, agrees with the majority on %s of the hard images; "+
			"a double click opens it", id, result.Number.Say(a, 4), result.Share.Say(laf.PriorSpecialty[j], 0))
		d.AddBar(id, result.Number.Say(a, 4), line, 0, a, group).ID = keyOf(v.Board.Models[j])
	}
	return d
}

// noLaF says why there is nothing of LaF to show, "" where there is.
func (v Answer) noLaF() string {
	switch laf := v.Board.LaF; {
	case laf == nil:
		return "LaF was not asked: switch it on under Rankers…"
	case !laf.Reason.None():
		return present.Sentence(fmt.Errorf("no ranking: %s", laf.Reason))
	case laf.Specialty == nil:
		return "LaF has no specialties here"
	}
	return ""
}
