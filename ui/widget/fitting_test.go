package widget

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// TestDialogFrameIsThatOfWidgets: what is reckoned without widgets is what a title and a button
// take, at every size of text.
func TestDialogFrameIsThatOfWidgets(t *testing.T) {
	show(t, widget.NewLabel(""), fyne.NewSize(100, 100))
	for _, text := range []float32{0.7, 1, 1.6} {
		fyne.CurrentApp().Settings().SetTheme(sized{lightTheme, text})
		want := dialogMargin + widget.NewLabel("X").MinSize().Height + widget.NewButton("X", nil).MinSize().Height +
			theme.Padding()
		if got := dialogFrame().Height; got < want-0.1 || got > want+0.1 {
			t.Errorf("text %g: %v instead of %v", text, got, want)
		}
	}
}

// sized is a theme whose text is so many times as large.
type sized struct {
	fyne.Theme
	text float32
}

// Size implements fyne.Theme.
func (s sized) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNameText {
		return s.text * s.Theme.Size(name)
	}
	return s.Theme.Size(name)
}
