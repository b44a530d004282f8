package ui

import (
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestTheKeysOfTheMenuCanBeRead: whatever stands in an entry of the menus stands out from their
// ground as much as any text has to, in both looks; and every entry with a shortcut shows it.
func TestTheKeysOfTheMenuCanBeRead(t *testing.T) {
	o := open(t, 1, nil)
	for _, look := range []Look{LookLight, LookDark} {
		o.SetLook(look)
		ground := plainColour(o.theme.Color(theme.ColorNameMenuBackground, theme.VariantLight))
		for _, menu := range o.menu.Items {
			shown := widget.NewMenu(menu)
			shown.Resize(shown.MinSize())
			texts := map[string]bool{}
			stage.Walk(shown, func(object fyne.CanvasObject) {
				text, ok := object.(*canvas.Text)
				if !ok {
					return
				}
				texts[text.Text] = true
				if got := contrast(plainColour(text.Color), ground); got < seen || got < readable &&
					text.Color != o.theme.Color(theme.ColorNameDisabled, theme.VariantLight) {
					t.Errorf("%s: %q has a contrast of %.2f", look, text.Text, got)
				}
			})
			for _, item := range menu.Items {
				if s, _ := shortcutOf(item); s != nil && !texts[item.Label] {
					t.Errorf("%s: no text %q among %v", look, item.Label, texts)
				}
			}
		}
	}
}

// TestTheKeysOfAMenuStandBelowEachOther: also when the text of an entry has become longer, and
// then shorter again.
func TestTheKeysOfAMenuStandBelowEachOther(t *testing.T) {
	o := open(t, 1, nil)
	if runtime.GOOS == "darwin" {
		return // the desktop writes them
	}
	for _, title := range []string{"", "choice of the colour map of the Models screen", "new name"} {
		o.undoItem.Label = historyText("Undo", title)
		o.writeMenu()
		if got := entryText(o.undoItem); got != historyText("Undo", title) {
			t.Errorf("the entry is %q", got)
		}
		for _, menu := range o.menu.Items {
			var column float32
			for _, item := range menu.Items {
				if s, _ := shortcutOf(item); s == nil {
					continue
				}
				before, keys, _ := strings.Cut(item.Label, "Ctrl+")
				width := fyne.MeasureText(before, theme.TextSize(), fyne.TextStyle{}).Width
				if keys == "" || column != 0 && column != width {
					t.Errorf("the keys of %q begin at %v, those above at %v", item.Label, width, column)
				}
				column = width
			}
		}
	}
}
