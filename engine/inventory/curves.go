package inventory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// CurveText says which curves there are, over how many epochs or steps.
func CurveText(epochs []model.Epoch, steps bool) string {
	names := map[string]bool{}
	for _, e := range epochs {
		for name := range e.Values {
			names[name] = true
		}
	}
	if len(names) == 0 {
		return "no curves"
	}
	over := result.Counted(len(epochs), "epoch")
	if steps {
		over = result.Counted(epochs[len(epochs)-1].Epoch, "step")
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ") + " over " + over
}

// Curves draws a model's curves of a kind, which their names hold, loss or accuracy, over the
// epochs or steps: train, test, then others by name. An empty cell leaves its point out.
func Curves(m model.Model, kind string) result.Figure {
	f := result.Figure{
		Title: fmt.Sprintf("%s curves of %s", strings.ToUpper(kind[:1])+kind[1:], m.ID),
		Empty: "no " + kind + " curves in the training record",
		X:     result.Axis{Name: "epoch", Format: result.Count}, Y: result.Axis{Name: kind, Format: result.Number},
	}
	if m.Steps {
		f.X.Name = "step"
	}
	names := map[string]bool{}
	for _, epoch := range m.Curves {
		for name := range epoch.Values {
			if strings.Contains(name, kind) {
				names[name] = true
			}
		}
	}
	place := func(name string) int {
		return slices.IndexFunc([]string{"train", "test", ""},
			func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	}
	for _, name := range slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	}) {
		line := result.Line{Name: strings.ReplaceAll(name, "_", " ")}
		for _, epoch := range m.Curves {
			if y, ok := epoch.Values[name]; ok {
				line.X, line.Y = append(line.X, float64(epoch.Epoch)), append(line.Y, y)
			}
		}
		f.Lines = append(f.Lines, line)
	}
	return f
}
