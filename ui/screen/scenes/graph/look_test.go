package graph

import (
	"os"
	"testing"
)

// TestLook draws the page; VARISCOPE_SCREENS keeps the pictures.
func TestLook(t *testing.T) {
	r := worldRig(t)
	folder := os.Getenv("VARISCOPE_SCREENS")
	r.stage.Capture(r.window, folder, "graph-rules")
	r.page.choose(r.item("lamp"))
	r.page.face.tabs.SelectIndex(tabEdges)
	r.page.chooseEdge(r.page.view.edges[1])
	r.stage.Capture(r.window, folder, "graph-edges")
	r.page.face.edges.weight.SetText("0.9")
	r.press("Set weight")
	r.stored(1)
	r.page.face.tabs.SelectIndex(tabEdits)
	r.stage.Capture(r.window, folder, "graph-edits")
	r.press("New ontology…")
	r.stage.Until("it is counted", func() bool { return !r.button("Add").Disabled() })
	r.stage.Capture(r.window, folder, "graph-new")
	r.press("Cancel")
	r.press("Remove…")
	r.stage.Capture(r.window, folder, "graph-remove")
	r.press("Cancel")
	if size := r.page.Object().MinSize(); size.Width > 1120 || size.Height > 600 {
		t.Errorf("the page needs %v", size)
	}
}
