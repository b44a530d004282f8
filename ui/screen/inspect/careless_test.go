package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/variance"
)

// A key does no more than its menu: where all images count, the menu goes on saying so.
func TestKeysOfImagesNeedLabels(t *testing.T) {
	r := newRig(t, 6)
	keys := r.window.Canvas().Focused()
	r.shows(r.store.Imported[0].Hash)
	r.stage.Until("menus", func() bool { return !r.screen.widgets.which.Disabled() })
	keys.TypedRune('c')
	if r.screen.controls.Which != variance.Correct {
		t.Fatal("the key does nothing")
	}
	r.screen.Open(r.store.Imported[5].Hash) // has no signals
	r.shows(r.store.Imported[5].Hash)
	r.stage.Until("no menu", func() bool { return r.screen.widgets.which.Disabled() })
	keys.TypedRune('w')
	if r.screen.controls.Which != variance.Correct || !strings.Contains(r.said, "not known") {
		t.Errorf("images %v, said %q", r.screen.controls.Which, r.said)
	}
	r.screen.answer.base.Classes = nil // a suite without labels
	r.screen.widgets.showControls()
	if r.screen.widgets.which.SelectedIndex() != 0 {
		t.Errorf("the menu says %q where all images count", r.screen.widgets.which.Selected)
	}
}

// Other models can be compared with one that has no signals, and its images excluded: the choice is a whole one.
func TestChoiceOfImagesWithoutSignals(t *testing.T) {
	r := newRig(t, 3)
	r.screen.Open(r.store.Imported[2].Hash)
	r.shows(r.store.Imported[2].Hash)
	s, ok := r.screen.Subject()
	if !ok || s.Set != nil || s.Images.Share != 1 {
		t.Fatalf("images %+v", s.Images)
	}
	if _, err := s.Images.Choose([]int{0, 1, 2}, []int32{0, 1, 2}, nil); err != nil {
		t.Error(err)
	}
	r.screen.Exclude([]int{7})
	r.stage.Until("left out", func() bool { s, _ := r.screen.Subject(); return slices.Equal(s.Images.Excluded, []int{7}) })
}
