package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/variance"
)

// A key does no more than its menu: where all images count, the menu goes on saying so. A model
// without signals has a whole choice, from which images can be left out.
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
	if s := r.screen.Subject(); s.Set != nil || s.Images.Share != 1 {
		t.Errorf("images %+v", s.Images)
	}
	r.screen.Exclude([]int{7})
	r.until("left out", func() bool { return slices.Equal(r.screen.Subject().Images.Excluded, []int{7}) })
}
