package ranking

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
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

// Specialty are LaF's specialties as bars, best first; bar k is model byLaF()[k].
func (v Answer) Specialty() widget.BarsData {
	d := widget.BarsData{Bars: render.Bars{
		Title: fmt.Sprintf("Specialty of models, %s", v.Material.Source.Name), XName: "specialty (LaF)",
		Note: v.Caption(),
	}, Empty: v.noLaF()}
	if d.Empty != "" {
		return d
	}
	laf := v.Board.LaF
	for _, j := range v.byLaF() {
		a, id := laf.Specialty[j], v.Board.Models[j].ID
		tone := render.Plain
		if a < 0 {
			tone = render.Raises // worse than guessing
		}
		d.Bars.Bars = append(d.Bars.Bars, render.Bar{Name: id, To: a, Text: result.Number.Say(a, 4), Tone: tone})
		d.Hints = append(d.Hints, fmt.Sprintf("%s: specialty %s, agrees with the majority on %s of the hard images; a click opens it",
			id, result.Number.Say(a, 4), result.Share.Say(laf.PriorSpecialty[j], 0)))
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
