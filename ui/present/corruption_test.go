package present

import (
	"testing"

	"github.com/variscope/variscope/engine/corrupt"
)

// The window's names are the engine's as long as nothing is translated, so that none is forgotten or mixed up.
func TestCorruptionsHaveTheirNames(t *testing.T) {
	for _, name := range corrupt.Names() {
		if got := Corruption(name); got != corrupt.Title(name) {
			t.Errorf("%s is called %q, want %q", name, got, corrupt.Title(name))
		}
	}
	if got := Corruption("heavy_rain"); got != "heavy rain" {
		t.Errorf("an unknown one is called %q", got)
	}
}
