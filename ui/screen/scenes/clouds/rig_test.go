package clouds

import (
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *scenestest.Workspace
	calls  *scenestest.Calls
	window fyne.Window
	page   *Page
}

// newRig puts the page on a stage; the last of several models has no run. before, which may be nil,
// changes what is there.
func newRig(t *testing.T, models int, before func(*rig)) *rig {
	r := &rig{T: t, stage: stage.New(t), ws: scenestest.New(t, models)}
	if before != nil {
		before(r)
	}
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1120, 640))
	var site page.Site
	site, r.calls = r.ws.Site(t, r.window)
	r.page = New(site)
	t.Cleanup(r.page.Close)
	r.window.SetContent(r.page.Object())
	r.page.Look(r.ws.Subject())
	r.page.Shown()
	return r
}

// idle waits until nothing is under way.
func (r *rig) idle() *sheet {
	r.Helper()
	p := r.page
	r.stage.Until("everything is computed", func() bool {
		return p.Idle() && p.renewer.idle() && p.shares.Idle() && (p.tabs.Front() != "images" || p.images.Idle())
	})
	for _, err := range r.calls.Errors {
		r.Fatal(err)
	}
	return p.renewer.sheet
}

func (r *rig) press(text string) {
	r.Helper()
	r.stage.Press(r.window, text)
}
