package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/studies"
)

// A study that comes with the program is carried out into a folder beside the workspace, until it is
// cancelled. What is wrong with a study in a file is said.
func TestStudyDialog(t *testing.T) {
	d := newRig(t, 1)
	var asked studies.Options
	StudyDialog(d.host, d.ws.Workspace, func(_ context.Context, o studies.Options, _ engine.Progress) (int, error) {
		asked = o
		return 2, os.MkdirAll(o.Out, 0o755)
	})
	d.looks("study")
	d.menu("ml4ml").SetSelected("ei")
	d.saying("Effective invariance and accuracy: ")
	d.press("Start")
	d.saying("The study wrote 2 files")
	want := filepath.Join(filepath.Dir(d.ws.Path()), d.ws.Name()+"-study")
	if asked.Study != "ei" || asked.Out != want {
		t.Errorf("asked for %+v, want ei into %s", asked, want)
	}
	d.press("Close")

	dialog := &studyDialog{host: d.host, ws: d.ws.Workspace, carryOut: func(ctx context.Context, _ studies.Options, _ engine.Progress) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}}
	dialog.open()
	d.press("Start")
	d.press("Cancel")
	d.stage.Until("the study was cancelled", func() bool { return !d.open() && strings.Contains(d.last(), "was cancelled") })

	dialog.open()
	dialog.choose(write(t, filepath.Join(t.TempDir(), "own.toml"), "study = 1\ntitle = \"Own\"\nsteps = 3\n"))
	d.saying("steps")
	if b := d.button("Start"); b == nil || !b.Disabled() {
		t.Error("a study that cannot be read can be started")
	}
	test.Tap(d.button("Cancel"))
}
