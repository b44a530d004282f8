package models

import (
	"context"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
)

// held is a store whose matrices from signals come when the gate opens.
type held struct {
	Store
	gate chan struct{}
}

func (h *held) Matrices(ctx context.Context, q store.MatrixRequest) (store.Answer, error) {
	select {
	case <-ctx.Done():
		return store.Answer{}, ctx.Err()
	case <-h.gate:
	}
	return h.Store.Matrices(ctx, q)
}

// refreshed reads the list anew and waits until its colour ranges are there.
func (s *shownScreen) refreshed() {
	const mark = "before"
	s.scales.by[mark] = render.Scale{}
	s.Refresh()
	s.stage.Until("ranges anew", func() bool { _, old := s.scales.by[mark]; return !old })
}

// TestRangeThatWasCancelledWaits: a range that takes long is derived once, however often the list
// is read meanwhile, and one whose job was cancelled is not derived until it is asked for again.
func TestRangeThatWasCancelledWaits(t *testing.T) {
	const modality = "std@CONV-1"
	ws := sample.New(t, 7)
	slow := &held{Store: ws.Workspace, gate: make(chan struct{})}
	s := showOf(t, ws, slow)
	s.stage.Until("the ranges of summaries", func() bool { return len(s.scales.by) > 0 })
	test.Tap(s.toggle)
	s.modality.SetSelected(modality)
	s.stage.Until("the job", func() bool { return s.ranging.job != nil })
	first := s.ranging.job
	for range 3 {
		s.refreshed()
	}
	if jobs := s.work.Jobs(); len(jobs) != 1 || jobs[0] != first {
		t.Fatalf("%d jobs derive the range", len(jobs))
	}
	first.Cancel()
	s.stage.Until("its end", func() bool { return s.ranging.job == nil })
	if s.refreshed(); s.ranging.job != nil {
		t.Error("a refresh begins what was cancelled")
	}
	close(slow.gate)
	s.modality.SetSelected("max@CONF")
	s.modality.SetSelected(modality)
	s.stage.Until("the range", func() bool { _, ok := s.scales.by[modality]; return ok })
}
