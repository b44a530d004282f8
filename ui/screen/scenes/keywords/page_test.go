package keywords

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/screen/scenes/scenestest"
	"github.com/variscope/variscope/ui/stage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is the page of a workspace on a stage.
type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *scenestest.Workspace
	calls  *scenestest.Calls
	page   *Page
	window fyne.Window
}

func newRig(t *testing.T, ws *scenestest.Workspace, s *stage.Stage, size fyne.Size) *rig {
	r := &rig{T: t, stage: s, ws: ws}
	r.window = s.Window(fynewidget.NewLabel(""), size)
	var deps page.Deps
	deps, r.calls = ws.Deps(t, r.window)
	r.page = New(deps)
	t.Cleanup(r.page.Close)
	r.window.SetContent(r.page.Object())
	r.page.Show(ws.Subject())
	r.idle()
	return r
}

// idle waits until what is shown is what there is.
func (r *rig) idle() *View {
	r.Helper()
	r.stage.Until("read", func() bool { return r.page.renewal.Idle() })
	for _, err := range r.calls.Errors {
		r.Fatal(err)
	}
	return r.page.view
}

// pictures waits until all thumbnails in sight and the large picture are there.
func (r *rig) pictures() {
	r.Helper()
	r.stage.Until("pictures", func() bool {
		for _, k := range r.page.face.gallery.wall.InSight() {
			if r.page.face.gallery.thumb(r.page.view.Images()[k]) == nil {
				return false
			}
		}
		return r.page.face.detail.frame.Picture() != nil
	})
}

// TestLook draws the page; VARISCOPE_SCREENS keeps the pictures.
func TestLook(t *testing.T) {
	s := stage.New(t)
	for name, size := range map[string]fyne.Size{"small": fyne.NewSize(1120, 640), "large": fyne.NewSize(1760, 920)} {
		r := newRig(t, scenestest.New(t, 0), s, size)
		r.pictures()
		if least := r.page.Object().MinSize(); least.Width > 1120 || least.Height > 640 {
			t.Errorf("the page wants %v", least)
		}
		s.Capture(r.window, os.Getenv("VARISCOPE_SCREENS"), "keywords-"+name)
		r.page.face.detail.tabs.SelectIndex(1)
		s.Until("figure", func() bool { return r.page.face.detail.counts.Targets > 0 })
		s.Capture(r.window, os.Getenv("VARISCOPE_SCREENS"), "levels-"+name)
	}
}
