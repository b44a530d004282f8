package evidence

import (
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// LeftOut is a model that takes no part, and why.
type LeftOut struct{ ID, Hash, Why string }

// LeftOuts is the table of what is left out of a screen's answer; name is the table's, in snake
// case. A selected line is said in full. action, which may have no name, is what can be done about
// it.
func LeftOuts(host *kit.Host, name, empty string, action kit.Action[LeftOut]) *kit.Records[LeftOut] {
	r := &kit.Records[LeftOut]{
		Host: host, Empty: empty,
		Table: result.Table[LeftOut]{
			Name: name, Title: "Left out", Noun: "model", ID: func(l LeftOut) string {
				return l.ID + " " + l.Hash + " " + l.Why
			},
			Columns: []result.Column[LeftOut]{
				{Key: "model_id", Title: "model", Text: func(l LeftOut) string { return l.ID }},
				{Key: "why", Title: "why", Text: func(l LeftOut) string { return l.Why }},
				{
					Key: "model_hash", Title: "hash", Format: result.ID, Show: result.FileOnly,
					Text: func(l LeftOut) string { return l.Hash },
				},
			},
		},
		OnSelect: func(l LeftOut, ok bool) {
			if ok {
				host.Say(l.ID + ": " + l.Why)
			}
		},
	}
	if action.Name != "" {
		action.Icon, action.Button, action.All = theme.MediaPlayIcon(), true, true
		r.Actions = []kit.Action[LeftOut]{action}
	}
	return r
}
