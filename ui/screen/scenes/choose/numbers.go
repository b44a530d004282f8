package choose

import (
	"slices"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// bins is how many bars a histogram of distances has.
const bins = 24

// group is a named set of distances.
type group struct {
	name   string
	values []float64
}

// histogram are the shares of several groups of distances over one axis, as outlines of bars.
func histogram(far float64, groups ...group) widget.ChartData {
	data := widget.ChartData{XName: "semantic distance", YName: "share of scenes", Empty: "no distances"}
	figure := render.Overlaid{X: render.AxisRange{High: max(far, 1e-9)}, Bins: bins}
	for _, g := range groups {
		figure.Groups = append(figure.Groups, render.Group{Name: g.name})
		figure.Values = append(figure.Values, g.values)
	}
	shares, low, high := figure.Shares()
	width := (high - low) / bins
	for k, g := range groups {
		s := widget.Series{Name: g.name}
		for b, share := range shares[k] {
			s.X = append(s.X, low+width*float64(b), low+width*float64(b+1))
			s.Y = append(s.Y, share, share)
		}
		data.Series = append(data.Series, s)
	}
	return data
}

// distances are those of a target's scenes.
func distances(chosen []background.Scene) []float64 {
	list := make([]float64, len(chosen))
	for k, s := range chosen {
		list[k] = s.Distance
	}
	return list
}

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
		{Name: "target", Diversity: v.alone().Diversity(far)}, {Name: "all", Diversity: s.Diversity(far)},
	}
	if v.Shared != nil {
		rows[1].Plausibility = &v.Plausibility
		if v.target >= 0 {
			one := shares(v.Shared[v.target])
			rows[0].Plausibility = &one
		}
	}
	if o != nil {
		rows = append(rows, background.ScenesOf{Name: o.name, Diversity: o.selection.Diversity(far), Plausibility: o.plausibility})
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

// shares counts scenes by the lowest level that they share.
func shares(levels []int) background.Plausibility {
	p := background.Plausibility{Scenes: len(levels), ByLevel: make([]int, max(0, slices.Max(append([]int{-1}, levels...)))+1)}
	for _, level := range levels {
		if level < 0 {
			p.None++
		} else {
			p.ByLevel[level]++
		}
	}
	return p
}

// chart are the distances of this target and of all, and those of another selection.
func (v *View) chart(o *other) widget.ChartData {
	s := v.Record.Selection
	far, groups := s.Far(), []group{{"all targets", s.Distances()}}
	if v.target >= 0 {
		groups = append([]group{{"this target", distances(s.Chosen[v.target])}}, groups...)
	}
	if o != nil {
		far = max(far, o.selection.Far())
		groups = append(groups, group{o.name, o.selection.Distances()})
	}
	return histogram(far, groups...)
}
