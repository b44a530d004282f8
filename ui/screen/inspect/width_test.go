package inspect

import "testing"

// narrow is the width that a window of 1280 pixels leaves the screen at 140 %, beside the rail.
const narrow = 830

func TestScreenFitsASmallWindow(t *testing.T) {
	r := newRig(t, 3)
	r.shows(r.store.Imported[0].Hash)
	if least := r.screen.Object().MinSize(); least.Width > narrow {
		t.Errorf("the screen needs %.0f of %d", least.Width, narrow)
	}
}
