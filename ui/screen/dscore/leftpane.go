package dscore

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// leftOut is the table of what has no score, and why.
var leftOut = result.Table[Lack]{
	Name: "dscore_left_out", Title: "Left out", Noun: "line",
	ID: func(l Lack) string { return fmt.Sprint(l.Grid, l.Reason, strings.Join(l.Sets, "|")) },
	Columns: []result.Column[Lack]{
		{Key: "models", Title: "models", Text: Lack.Name},
		{Key: "regions", Title: "regions", Text: func(l Lack) string { return l.Grid.String() }},
		{Key: "why", Title: "why", Text: Lack.Why},
	},
}

// leftPane lists what has no score, and why; lines can be computed.
type leftPane struct {
	*kit.Records[Lack]
	s *Screen
}

func newLeftPane(s *Screen) *leftPane {
	helps := func(l Lack) bool { return len(l.Sets) > 0 && s.deps.Start != nil }
	return &leftPane{s: s, Records: &kit.Records[Lack]{
		Host: s.host(), Table: leftOut, Empty: "Every model has a score with all regions that others have.",
		Note: func([]Lack) string {
			return "Models that have no score with regions that others have. Select a line to compute it."
		},
		OnSelect: func(l Lack, ok bool) {
			if ok {
				s.deps.Status(l.Name() + ": " + l.Why())
			}
		},
		Actions: []kit.Action[Lack]{{
			Name: "Compute", Icon: theme.MediaPlayIcon(), Button: true,
			Can: func(list []Lack) bool { return slices.ContainsFunc(list, helps) },
			Do: func(list []Lack) {
				var runs []Run
				for _, l := range list {
					runs = append(runs, l.Runs(s.view.Suite.Hash)...)
				}
				s.start(runs)
			},
		}},
	}}
}

// title is the tab's, with the number of lines.
func (p *leftPane) title() string {
	if n := len(p.s.view.Left); n > 0 {
		return fmt.Sprintf("Left out %d", n)
	}
	return "Left out"
}

func (p *leftPane) show() { p.Set(p.s.view.Left) }
