package choose

import (
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	scenes "github.com/variscope/variscope/store/background"
)

// other is a selection that is compared with the one that is looked at.
type other struct {
	name         string
	selection    background.Selection
	plausibility *background.Plausibility // nil where its keywords are not known
}

// compared compares the target with all targets, and the selection with another one; o is nil for
// none. The axes of all are the same.
func (v *View) compared(o *other) *result.Sheet {
	s := v.Record.Selection
	far := s.Far()
	if o != nil {
		far = max(far, o.selection.Far())
	}
	rows := []background.ScenesOf{
		{Name: "target", Diversity: v.alone().Diversity(far)},
		{Name: "all", Diversity: s.Diversity(far), Plausibility: v.Plausibility},
	}
	if v.Plausibility != nil && v.target >= 0 {
		one := v.Plan.Plausibility(v.target)
		rows[0].Plausibility = &one
	}
	if o != nil {
		rows = append(rows, background.ScenesOf{
			Name: o.name, Diversity: o.selection.Diversity(far), Plausibility: o.plausibility,
		})
	}
	return background.DiversityTable.Sheet(rows)
}

// alone is the selection with the scenes of the target that is looked at alone.
func (v *View) alone() background.Selection {
	s := v.Record.Selection
	if v.target >= 0 {
		s.Chosen = s.Chosen[v.target : v.target+1]
	}
	return s
}

// chart are the distances of this target and of all, and those of another selection.
func (v *View) chart(o *other) result.Figure {
	groups := []scenes.Distance{{Name: "all targets", Of: v.Record.Selection.Distances()}}
	if v.target >= 0 {
		groups = append([]scenes.Distance{{Name: "this target", Of: v.alone().Distances()}}, groups...)
	}
	if o != nil {
		groups = append(groups, scenes.Distance{Name: o.name, Of: o.selection.Distances()})
	}
	return scenes.DistanceFigure("Distances of "+v.Record.Name, groups...)
}
