package evidence

import (
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// LeftOut is a model that takes no part, and why.
type LeftOut struct{ ID, Hash, Why string }

// LeftOuts is the table of what is left out of a screen's answer; name is the table's, in snake
// case. A selected line is said in full. actions are what can be done about it.
func LeftOuts(host *kit.Host, name, empty string, actions ...kit.Action[LeftOut]) *kit.Records[LeftOut] {
	return &kit.Records[LeftOut]{
		Host: host, Empty: empty, Actions: actions,
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
}
