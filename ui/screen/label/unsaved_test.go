package label

import (
	"errors"
	"testing"

	"fyne.io/fyne/v2"

	labels "github.com/variscope/variscope/engine/label"
)

// TestKeysTypedWhileASaveFailsAreDropped: neither a key for a label nor one that moves on takes the
// offer to try again away.
func TestKeysTypedWhileASaveFailsAreDropped(t *testing.T) {
	r := newRig(t, 5)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Models = x.Models[:4] })
	r.signIn(round, "r1")
	r.key('v') // so that there is one to look back at
	item, retry, surface := r.item(), r.screen.widgets.retry, r.screen.widgets.surface
	for what, typed := range map[string]func(){
		"a label":   func() { surface.TypedRune('v') },
		"back":      func() { surface.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft}) },
		"the pause": func() { surface.TypedRune('p') },
	} {
		r.store.fails = errors.New("the disk is full")
		open := r.store.shut()
		surface.TypedRune('i')
		typed()
		open()
		r.stage.Until("the save fails", func() bool { return !r.screen.saving })
		if !retry.Visible() || r.item() != item || len(r.screen.queue) != 0 || r.screen.paused {
			t.Errorf("%s: try again %v, the same item %v, %d keys wait, line %q", what, retry.Visible(),
				r.item() == item, len(r.screen.queue), r.screen.widgets.line.Text)
		}
	}
	r.store.fails = nil
	retry.OnTapped()
	r.stage.Until("stored", func() bool { return len(r.events(round)) == 2 && r.ready() })
	if ev := r.events(round)[1]; ev.Value != labels.Invariant || ev.Model != item {
		t.Errorf("stored %+v", ev)
	}
}
