package features

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// large is a theme with large text.
type large struct{ fyne.Theme }

func (l large) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNameText {
		return 21
	}
	return l.Theme.Size(name)
}

func TestColumnsGrowWithTheText(t *testing.T) {
	r := newRig(t, 6, nil)
	r.idle()
	before := r.screen.face.widths()
	r.screen.Hidden()
	settings := fyne.CurrentApp().Settings()
	usual := settings.Theme()
	t.Cleanup(func() { settings.SetTheme(usual) })
	settings.SetTheme(large{theme.DefaultTheme()})
	r.screen.Shown()
	if r.screen.face.grown != 1.5 {
		t.Errorf("the columns are for text of %g times the usual size, want 1.5", r.screen.face.grown)
	}
	for k, width := range r.screen.face.widths() {
		if width != 1.5*before[k] {
			t.Errorf("column %d is %g wide with large text, before %g", k, width, before[k])
		}
	}
	if len(before) < 4 {
		t.Errorf("%d columns", len(before))
	}
}
