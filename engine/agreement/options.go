package agreement

import "github.com/variscope/variscope/engine/option"

// RoundOptions say which round is measured and how, on the command line and in the window.
type RoundOptions struct {
	Round       string `help:"Round of a workspace, by name or id; the command takes all without it." source:"rounds"`
	LeaveOneOut bool   `help:"Compare each annotator with the majority of the others." label:"Leave own vote out of the majority"`
}

// OverTimeOptions say what agreement over time is measured on.
type OverTimeOptions struct {
	Window int `help:"Models of the sliding window, 10, 20, 50 or 100: each point of its line is of the last ones only." enum:"10,20,50,100" default:"10" label:"Sliding window, models"`
}

// UsualOverTime has the usual sliding window.
var UsualOverTime = func() (o OverTimeOptions) { option.SetDefaults(&o); return o }()

// KindOptions say by what models are sorted into kinds.
type KindOptions struct {
	Column string `help:"Column of the training records: models of one value are a kind, numbers with many values are cut at their quartiles." source:"columns" label:"Models by"`
}
