package dialogs

import (
	"os"
	"testing"

	"github.com/variscope/variscope/engine/corrupt"
)

// TestLocateDialog: images that are elsewhere, and no others, are found, and that can be taken back
// and done again; for a shifted suite they are those of the suite that it is made from.
func TestLocateDialog(t *testing.T) {
	r := newRig(t, 1)
	foggy, err := r.ws.DeriveSuite(r.ws.Shapes.Hash, corrupt.Setting{Name: "fog", Severity: 3, Seed: 1}, "")
	if err != nil {
		t.Fatal(err)
	}
	old, away := r.ws.Shapes.Root, r.ws.Shapes.Root+"-elsewhere"
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	move(old, away)
	LocateDialog(r.host, r.ws.Workspace, foggy.Hash, r.did)
	r.saying("images of suite shapes were in " + old)
	if r.says("must be given") {
		t.Error("a folder is missed before anything was typed")
	}
	r.press("Locate")
	r.saying("Folder must be given.")
	r.entry("a folder").SetText(t.TempDir())
	r.press("Locate")
	r.saying("mages not found")
	r.entry("a folder").SetText(away)
	r.press("Locate")
	r.stage.Until("located", func() bool { return len(r.steps) == 1 })
	if len(r.failed) > 0 || len(r.said) != 1 || r.open() {
		t.Errorf("failed %v, said %q", r.failed, r.said)
	}
	for _, hash := range []string{r.ws.Shapes.Hash, foggy.Hash} {
		opened, err := r.ws.OpenSuite(hash)
		if err != nil {
			t.Fatal(err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := r.steps[0].Undo(t.Context()); err == nil {
		t.Error("the images are not in the old place, but it was noted again")
	}
	move(away, old)
	if err := r.steps[0].Undo(t.Context()); err != nil {
		t.Error(err)
	}
	move(old, away)
	if err := r.steps[0].Redo(t.Context()); err != nil {
		t.Error(err)
	}
	LocateDialog(r.host, r.ws.Workspace, "unknown", nil)
	r.fails(1, "")
}
