package graph

import (
	"os"
	"testing"
)

// TestLook walks through the page and its dialogs; VARISCOPE_SCREENS keeps pictures of them. The
// page fits a window of 1280 x 800.
func TestLook(t *testing.T) {
	r := worldRig(t)
	folder := os.Getenv("VARISCOPE_SCREENS")
	capture := func(name string) {
		if folder != "" {
			r.stage.Draw(r.window, folder, name)
		}
	}
	capture("graph-rules")
	r.page.choose(r.item("lamp"))
	r.page.tabs.Select("edges")
	e := r.page.view.edges()[1]
	r.page.edges.choose(e.From, e.To)
	capture("graph-edges")
	r.page.edges.weight.SetText("0.9")
	r.press("Set weight")
	r.stored(1)
	r.page.tabs.Select("edits")
	capture("graph-edits")
	r.press("New ontology…")
	r.stage.Until("it is counted", func() bool { return !r.button("Add").Disabled() })
	capture("graph-new")
	r.press("Cancel")
	r.press("Remove…")
	capture("graph-remove")
	r.press("Cancel")
	if size := r.page.Object().MinSize(); size.Width > 1120 || size.Height > 600 {
		t.Errorf("the page needs %v", size)
	}
}
