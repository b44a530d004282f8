package features

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// groups are the kinds of models of plots: the labels, then those without one where there are any.
func (v *View) groups() []widget.Group {
	var list []widget.Group
	for _, l := range v.Classes {
		list = append(list, widget.Group{Name: string(l), Look: lookOf(l)})
	}
	if slices.ContainsFunc(v.Rows, func(r Row) bool { return !slices.Contains(v.Classes, r.Label) }) {
		list = append(list, widget.Group{Name: "unlabelled"})
	}
	return list
}

// groupOf is the row's index among groups.
func (v *View) groupOf(r Row) int {
	if at := slices.Index(v.Classes, r.Label); at >= 0 {
		return at
	}
	return len(v.Classes)
}

func (v *View) groupName(r Row) string {
	if slices.Contains(v.Classes, r.Label) {
		return string(r.Label)
	}
	return "unlabelled"
}

func lookOf(l label.Value) widget.Look {
	switch l {
	case label.Invariant:
		return widget.LookInvariant
	case label.Borderline:
		return widget.LookBorderline
	case label.Variant:
		return widget.LookVariant
	}
	return widget.LookNone
}

// Caption is the line over the table: how many models and features there are, and how many models
// were left out.
func (v *View) Caption() string {
	text := fmt.Sprintf("%s, %s", present.Counted(int64(len(v.Rows)), "model"), present.Counted(int64(len(v.Names)), "feature"))
	if len(v.shown) < len(v.Rows) {
		text = fmt.Sprintf("%s of %s", present.Count(int64(len(v.shown))), text)
	}
	if n := v.unlabelled(); len(v.Classes) > 0 && n > 0 {
		text = fmt.Sprintf("%s, %s without a label", text, present.Count(int64(n)))
	}
	if len(v.Left) > 0 {
		text = fmt.Sprintf("%s, %s left out", text, present.Count(int64(len(v.Left))))
	}
	return text
}

func (v *View) unlabelled() (n int) {
	for _, r := range v.Rows {
		if r.Label == "" {
			n++
		}
	}
	return n
}

// Reasons are the models without features and those without a label, each once, with the reason.
func (v *View) Reasons() []evidence.LeftOut {
	var list []evidence.LeftOut
	left := map[string]bool{}
	for _, l := range v.Left {
		left[l.Hash] = true
		list = append(list, evidence.LeftOut{ID: l.ID, Hash: l.Hash, Why: fmt.Sprintf("no features: %s", l.Reason)})
	}
	for _, l := range v.Unlabelled {
		if !left[l.Hash] { // without features its label is of no use
			list = append(list, evidence.LeftOut{ID: l.ID, Hash: l.Hash, Why: fmt.Sprintf("no label: %s", l.Reason)})
		}
	}
	return list
}
