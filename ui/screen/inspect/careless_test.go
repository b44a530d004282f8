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
	r.shows(r.store.Imported[0].Hash)
	r.keys().TypedRune('c')
	if r.screen.controls.Which != variance.Correct {
		t.Fatal("the key does nothing")
	}
	r.screen.Open(r.store.Imported[5].Hash) // has no signals
	r.shows(r.store.Imported[5].Hash)
	r.keys().TypedRune('w')
	if r.screen.controls.Which != variance.Correct || !strings.Contains(r.said, "not known") {
		t.Errorf("images %v, said %q", r.screen.controls.Which, r.said)
	}
}

// Other models can be compared with one that has no signals, and its images excluded: the choice is
// a whole one.
func TestChoiceOfImagesWithoutSignals(t *testing.T) {
	r := newRig(t, 3)
	r.screen.Open(r.store.Imported[2].Hash)
	r.shows(r.store.Imported[2].Hash)
	s := r.screen.Subject()
	if s.Set != nil || s.Images.Share != 1 {
		t.Fatalf("images %+v", s.Images)
	}
	if _, err := s.Images.Choose([]int{0, 1, 2}, []int32{0, 1, 2}, nil); err != nil {
		t.Error(err)
	}
	r.screen.Exclude([]int{7})
	r.until("left out", func() bool { return slices.Equal(r.screen.Subject().Images.Excluded, []int{7}) })
}
