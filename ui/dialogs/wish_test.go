package dialogs

import (
	"slices"
	"testing"
)

func TestWishNamesWhatARunNeeds(t *testing.T) {
	w := Wish{Modalities: []string{"max@CONF", "mean@HEAD", "relu1/mean", "L2@CONV-1", "L2.CONV-1", "nonsense", "max@CONV-2"}}
	if got := w.beyond(); !slices.Equal(got, []string{"mean@HEAD", "mean@relu1", "L2@CONV-1"}) {
		t.Errorf("%q", got)
	}
	if got := (Wish{}).beyond(); len(got) > 0 {
		t.Errorf("no wish needs %q", got)
	}
}
