package kit

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/widget"
)

// Wait says what is being done where content is missing, once that has lasted for a while. It is
// for what no Screen loads.
type Wait struct {
	work       *background.Group
	emptyState *widget.EmptyState
	latest     background.Latest
	doing      string // "" for nothing
}

// NewWait makes one that says nothing.
func (h *Host) NewWait() *Wait { return &Wait{work: h.Work, emptyState: widget.NewEmptyState()} }

// Object is what is shown over the content.
func (w *Wait) Object() fyne.CanvasObject { return w.emptyState.Object() }

// Begin says that something is being done from now on, unless that is known.
func (w *Wait) Begin(doing string) {
	if w.doing == doing {
		return
	}
	w.End()
	w.doing = doing
	id := w.latest.Next()
	w.work.After(patience, "wait before it is said: "+doing, func(err error) {
		if err == nil && w.latest.Is(id) {
			w.emptyState.Doing(doing, 0, false)
		}
	})
}

// End says that it is done.
func (w *Wait) End() {
	w.latest.Next()
	if w.doing = ""; w.emptyState.Visible() {
		w.emptyState.Hide()
	}
}
