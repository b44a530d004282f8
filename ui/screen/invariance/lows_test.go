package invariance

import (
	"os"
	"testing"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// TestImagesThatAreBack: where images were gone, their pictures are made as soon as what is known of the suite has changed.
func TestImagesThatAreBack(t *testing.T) {
	var root, away string
	r := newRig(t, 3, func(r *rig) {
		r.shift()
		root = r.store.Shapes.Root
		away = root + " elsewhere"
		if err := os.Rename(root, away); err != nil {
			t.Fatal(err)
		}
	})
	r.idle()
	p := r.screen.face.results.lows
	r.stage.Until("the problem is told", func() bool {
		p.wall.Update()
		return p.missing.Object().Visible()
	})
	if err := os.Rename(away, root); err != nil {
		t.Fatal(err)
	}
	r.screen.Refresh()
	r.stage.Until("the pictures", func() bool {
		key := picture.Key{Image: p.lows.List[0].Image, Transformation: p.lows.Identity}
		return p.shelf.Picture(key) != nil && !p.missing.Object().Visible()
	})
}

// TestMissingImagesAreNotLookedForAllTheTime: a run changes signals all the time; the pictures that cannot be made stay as they are.
func TestMissingImagesAreNotLookedForAllTheTime(t *testing.T) {
	r := newRig(t, 3, func(r *rig) {
		r.shift()
		if err := os.Rename(r.store.Shapes.Root, r.store.Shapes.Root+" elsewhere"); err != nil {
			t.Fatal(err)
		}
	})
	r.idle()
	p := r.screen.face.results.lows
	r.stage.Until("the problem is told", func() bool {
		p.wall.Update()
		return p.shelf.Problem() != nil
	})
	problem := p.shelf.Problem()
	r.screen.changed(store.SignalsChanged)
	r.idle()
	if got := p.shelf.Problem(); got != problem { // another attempt has an error of its own
		t.Errorf("looked again: %v", got)
	}
	r.screen.changed(store.SuiteChanged)
	r.stage.Until("looked again", func() bool {
		p.wall.Update()
		return p.shelf.Problem() != nil && p.shelf.Problem() != problem
	})
}
