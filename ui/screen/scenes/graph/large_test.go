package graph

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/internal/uitest/scenestest"
)

// large is a theme with larger text.
type large struct{ fyne.Theme }

func (l large) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNameText {
		return 1.4 * l.Theme.Size(name)
	}
	return l.Theme.Size(name)
}

// TestLargeText: with text of 140 % the page still fits a window of 1280 x 800.
func TestLargeText(t *testing.T) {
	ws := scenestest.New(t, 0)
	r := newRig(t, ws, ws.Subject(), fyne.NewSize(1120, 560))
	r.stage.App().Settings().SetTheme(large{theme.DefaultTheme()})
	r.idle()
	r.page.Look(ws.Subject())
	r.page.choose(r.item("window"))
	r.page.tabs.Select("edges")
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "graph-large")
	if size := r.page.Object().MinSize(); size.Width > 1120 || size.Height > 560 {
		t.Errorf("the page needs %v", size)
	}
}
