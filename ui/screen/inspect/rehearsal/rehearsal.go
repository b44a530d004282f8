// Package rehearsal gives the tests of Inspect's panes what the inspect screen would give them: subjects read from a sample
// workspace, and a host that notes what a pane asks for.
package rehearsal

import (
	"context"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/sample"
)

// Last is the last transformation of the sample's family.
const Last = 30

// Subject is what the inspect screen would show of a model for a choice of images and the sub-interval first..last.
func Subject(tb testing.TB, ws *sample.Workspace, m model.Model, images variance.Images, first, last int) pane.Subject {
	tb.Helper()
	e, err := evidence.Load(context.Background(), ws, evidence.Request{
		Model: m.Hash, Suite: ws.Shapes.Hash, Family: sample.Family, Modalities: evidence.DefaultModalities(), Images: images,
	})
	if err != nil {
		tb.Fatal(err)
	}
	s := pane.Subject{
		Model: e.Model, Suite: ws.Shapes, Family: sample.Family, Images: images, First: first, Last: last, Evidence: e,
		View: evidence.View{Map: evidence.DefaultMap}, Focus: pane.Whole("max@CONF"),
	}
	summary, ok, err := ws.Summary(m, ws.Shapes.Hash, sample.Family)
	if err != nil {
		tb.Fatal(err)
	}
	if !ok {
		return s
	}
	if s.Set, err = ws.LoadSet(context.Background(), summary.Key, store.Want{Modalities: signal.DefaultModalities(), Predictions: true, Softmax: true}); err != nil {
		tb.Fatal(err)
	}
	s.Mapping = summary.Classes
	rows := s.Set.Predictions()
	if s.Chosen, err = images.Choose(ws.Shapes.Labels, rows[len(rows)/2], s.Mapping); err != nil {
		tb.Fatal(err)
	}
	for k, t := range s.Evidence.Tiles {
		s.Evidence.Tiles[k].Matrix = cut(t.Matrix, first, last)
	}
	s.Evidence.Values = slices.Clone(s.Evidence.Values[first : last+1])
	return s
}

func cut(m variance.Matrix, first, last int) variance.Matrix {
	if m.N == 0 {
		return m
	}
	n := last - first + 1
	out := variance.Matrix{N: n}
	for i := first; i <= last; i++ {
		out.Data = append(out.Data, m.Data[i*m.N+first:][:n]...)
	}
	return out
}

// Host notes what a pane asks for.
type Host struct {
	Excluded, Included []int
	Focused            []pane.Focus
	Opened             []string
	Positions          []string
	Said               string
	Errors             []error
	// OnFocus and OnOpen are called after the note was made; they may be nil.
	OnFocus func(f pane.Focus)
	OnOpen  func(hash string)
}

var _ pane.Host = (*Host)(nil)

// Exclude implements pane.Host.
func (h *Host) Exclude(images []int) { h.Excluded = append(h.Excluded, images...) }

// Include implements pane.Host.
func (h *Host) Include(images []int) { h.Included = append(h.Included, images...) }

// Focus implements pane.Host.
func (h *Host) Focus(f pane.Focus) {
	h.Focused = append(h.Focused, f)
	if h.OnFocus != nil {
		h.OnFocus(f)
	}
}

// Open implements pane.Host.
func (h *Host) Open(hash string) {
	h.Opened = append(h.Opened, hash)
	if h.OnOpen != nil {
		h.OnOpen(hash)
	}
}

// ShowPosition implements pane.Host.
func (h *Host) ShowPosition(position string) { h.Positions = append(h.Positions, position) }

// Status implements pane.Host.
func (h *Host) Status(text string) { h.Said = text }

// ShowError implements pane.Host.
func (h *Host) ShowError(err error) { h.Errors = append(h.Errors, err) }
