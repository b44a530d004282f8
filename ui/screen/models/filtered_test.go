package models

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

func TestFilteredFollowsTheFilter(t *testing.T) {
	s := show1(t, 4)
	if got := s.Filtered(); len(got) != 4 {
		t.Fatalf("%d models without a filter", len(got))
	}
	s.view.SetFilter("m02")
	want, _ := s.view.At(0)
	if got := s.Filtered(); !slices.Equal(got, []string{want.Model.Hash}) || want.Model.ID != "m02" {
		t.Errorf("filtered %v", got)
	}
}

// Escape leaves what opens from the buttons, and the keys are the list's again.
func TestEscapeClosesTheMenus(t *testing.T) {
	s := show1(t, 3)
	c := s.window.Canvas()
	for name, open := range map[string]func(){"filters": s.openFilters, "columns": s.openColumns} {
		open()
		if c.Overlays().Top() == nil || c.Focused() == nil {
			t.Fatalf("%s: nothing opened, or nothing has the keys", name)
		}
		c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if c.Overlays().Top() != nil || c.Focused() == nil {
			t.Errorf("%s: still open, or the keys are lost", name)
		}
	}
}
