package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/docs"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/dialogs"
	parts "github.com/variscope/variscope/ui/widget"
)

func TestHelpKnowsEveryPlace(t *testing.T) {
	pages := dialogs.GuidePages(docs.Guide)
	for p := range places {
		if !slices.ContainsFunc(pages, func(s dialogs.Section) bool { return s.Title == p.page() }) {
			t.Errorf("the guide has no page %q for the screen %s", p.page(), p)
		}
	}
}

// TestGuideDrawsTheCases: what the pages of the files have a picture of, the window draws itself.
func TestGuideDrawsTheCases(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := open(t, 1, nil)
	for title, want := range map[string]int{"Four cases": 4, "Effective invariance": 0} {
		dialogs.GuideDialog(o.host(), title)
		o.settle()
		found := 0
		stage.Walk(o.Window.Window().Canvas().Overlays().Top(), func(object fyne.CanvasObject) {
			if _, ok := object.(*parts.Plot); ok {
				found++
			}
		})
		if found != want {
			t.Errorf("%d pictures on the page %s", found, title)
		}
		o.press(t, "Close")
	}
}

func TestAboutGuideAndDiagnostics(t *testing.T) {
	o := open(t, 1, func(d *Deps) {
		d.Version = "7.8.9"
		d.LogTail = func(lines int) []string { return []string{"level=INFO msg=hello"} }
	})
	o.about()
	o.stage.Until("about", o.dialogSays("Variscope 7.8.9"))
	o.press(t, "Close")
	o.guide()
	o.stage.Until("the guide", func() bool { return o.Window.Window().Canvas().Overlays().Top() != nil })
	o.press(t, "Close")
	o.diagnostics()
	o.stage.Until("diagnostics", o.dialogSays("msg=hello"))
	text := o.deps.App.Clipboard().Content()
	if !strings.Contains(text, "7.8.9") || !strings.Contains(text, "models 1") ||
		strings.Contains(text, o.workspace.Path()) {
		t.Error(text)
	}
	o.press(t, "Close")
}
