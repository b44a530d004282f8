package scenestest_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store/background"
)

// TestWorkspace: what pages read is there, and was recorded as the engine does.
func TestWorkspace(t *testing.T) {
	w := scenestest.New(t, 4)
	s := stage.New(t)
	site, calls := w.Site(t, s.Window(widget.NewLabel(""), fyne.NewSize(10, 10)))
	if w.Targets.Images != scenestest.Targets || w.Backgrounds.Images != scenestest.Backgrounds ||
		w.Selection.N != scenestest.N || site.Runtime != nil || len(calls.Errors) > 0 {
		t.Fatalf("%+v", w)
	}
	previous := 1.1
	for k, m := range w.Models {
		e, reason, err := background.Read(t.Context(), w.Workspace, m, w.Selection.Hash)
		if err != nil || (reason == "") != (k < 3) {
			t.Fatal(k, reason, err)
		}
		if k == 3 {
			continue
		}
		if got := e.Outcome.MeanComposite; got > previous || len(e.Clouds) != 4 {
			t.Errorf("model %d is right in %v of the composites, %d clouds", k, got, len(e.Clouds))
		}
		previous = e.Outcome.MeanComposite
	}
	if previous > 0.95 {
		t.Errorf("scenes never matter: %v", previous)
	}
	composites, err := background.Open(w.Workspace, w.Selection.Hash)
	if err != nil {
		t.Fatal(err)
	}
	defer composites.Close()
	if _, err := composites.Picture(3, 2, 32, 32); err != nil {
		t.Error(err)
	}
}
