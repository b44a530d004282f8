package dialogs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/study"
)

// A study that comes with the program is carried out into a folder beside the workspace, until it
// is cancelled. What is wrong with a study in a file is said.
func TestStudyDialog(t *testing.T) {
	d := newRig(t, 1)
	var asked study.Options
	look := func(_ context.Context, o study.Options) (string, []string, error) {
		plan, err := study.Read(o.Study)
		return plan.Title, []string{"variscope run WORKSPACE", "variscope ei WORKSPACE"}, err
	}
	refuse := errors.New("the disk is read-only")
	StudyDialog(d.host, d.ws.Workspace, Study{
		look,
		func(_ context.Context, o study.Options, _ engine.Progress) (int, []string, error) {
			if refuse != nil {
				return 0, nil, refuse
			}
			asked = o
			return 2, []string{"step signals: s03 failed"}, os.MkdirAll(o.Out, 0o755)
		},
	})
	d.menu("ml4ml").SetSelected("ei")
	d.saying("Effective invariance and accuracy: 2 steps")
	d.saying("variscope ei WORKSPACE")
	d.looks("study")
	d.press("Start")
	d.saying("read-only") // what was chosen stays
	refuse = nil
	d.press("Start")
	d.saying("The study wrote 2 files")
	d.saying("step signals: s03 failed")
	want := filepath.Join(filepath.Dir(d.ws.Path()), d.ws.Name()+"-study")
	if asked.Study != "ei" || asked.Out != want {
		t.Errorf("asked for %+v, want ei into %s", asked, want)
	}
	d.press("Close")

	// What goes wrong while it goes on in the background is said as well.
	goOn := make(chan struct{})
	StudyDialog(d.host, d.ws.Workspace, Study{
		look,
		func(context.Context, study.Options, engine.Progress) (int, []string, error) {
			<-goOn
			return 2, []string{"step signals: s03 failed"}, nil
		},
	})
	d.press("Start")
	d.press("Continue in background")
	close(goOn)
	d.fails(1, "but: step signals: s03 failed")

	dialog := &studyDialog{
		host: d.host, ws: d.ws.Workspace,
		study: Study{look, func(ctx context.Context, _ study.Options, _ engine.Progress) (int, []string, error) {
			<-ctx.Done()
			return 0, nil, ctx.Err()
		}},
	}
	dialog.open()
	d.press("Start")
	d.stage.Until("it is at work", func() bool { return d.button("Continue in background") != nil })
	d.press("Cancel")
	d.saying("was cancelled")
	dialog.choose(write(t, filepath.Join(t.TempDir(), "own.toml"), "study = 1\ntitle = \"Own\"\nsteps = 3\n"))
	d.saying("steps")
	if b := d.button("Start"); b == nil || !b.Disabled() {
		t.Error("a study that cannot be read can be started")
	}
	test.Tap(d.button("Cancel"))
}
