package ui

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/keymap"
)

// unwritten is a shortcut that does its work in the menu and is not written there. Fyne writes the
// keys of its own kind of shortcut with a fifth of the foreground's strength, whatever the theme
// says, which nobody can read; so they are part of the entry's text.
type unwritten struct{ fyne.Shortcut }

// menuShortcut is a shortcut as an entry of the menu has it: unwritten, but where the desktop
// draws the menu and writes it well.
func menuShortcut(s *desktop.CustomShortcut) fyne.Shortcut {
	if runtime.GOOS == "darwin" {
		return s
	}
	return unwritten{s}
}

// shortcutOf is the shortcut of an entry of the menu; written tells whether its keys have to be
// written into the entry's text.
func shortcutOf(item *fyne.MenuItem) (s *desktop.CustomShortcut, written bool) {
	if inner, ok := item.Shortcut.(unwritten); ok {
		s, written = inner.Shortcut.(*desktop.CustomShortcut)
		return s, written
	}
	s, _ = item.Shortcut.(*desktop.CustomShortcut)
	return s, false
}

// menuGap is the least room between the texts of a menu and the column of their keys.
const menuGap = 16

// entryText is the text of an entry of the menu, without its keys.
func entryText(item *fyne.MenuItem) string {
	text, _, _ := strings.Cut(item.Label, "\t")
	return text
}

// writeMenu writes the menu anew after a text of it or the size of all texts changed.
func (w *Window) writeMenu() {
	for _, menu := range w.menu.Items {
		width := func(text string) float32 { return fyne.MeasureText(text, theme.TextSize(), fyne.TextStyle{}).Width }
		column := float32(0)
		for _, item := range menu.Items {
			column = max(column, width(entryText(item))+menuGap)
		}
		for _, item := range menu.Items {
			s, written := shortcutOf(item)
			if !written {
				continue
			}
			text := entryText(item) + "\t"
			for width(text) < column {
				text += "\t"
			}
			item.Label = text + keymap.Key{Name: s.KeyName, Modifier: s.Modifier}.Word()
		}
	}
	w.menu.Refresh()
}
