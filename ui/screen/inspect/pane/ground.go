package pane

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/widget"
)

// Ground is what a pane's content lies on: it has the keyboard after clicks, menus and dialogs of the pane, and hands all
// keys to the screen.
type Ground struct {
	*widget.Surface
	parts []fyne.CanvasObject
	dress color.Color // of the theme that the parts were drawn in last
}

// NewGround lays content on a ground. Inner are parts of it that do not draw themselves anew with their parents: what lies
// in splits and scrolls.
func NewGround(content fyne.CanvasObject, keys widget.Keys, inner ...fyne.CanvasObject) *Ground {
	g := &Ground{Surface: widget.NewSurface(content), parts: append([]fyne.CanvasObject{content}, inner...), dress: dress()}
	g.Keys = keys
	return g
}

// dress is a colour that differs between the looks of the window.
func dress() color.Color { return theme.Color(theme.ColorNameBackground) }

// TakeBack gives the ground the keyboard, unless a dialog lies over the window.
func (g *Ground) TakeBack() {
	over := fyne.CurrentApp().Driver().CanvasForObject(g.Surface)
	if over != nil && over.Overlays().Top() == nil {
		g.TakeIn(over)
	}
}

// Shown draws the parts anew where the theme has changed while the pane was out of sight; Fyne leaves hidden tabs as they
// were.
func (g *Ground) Shown() {
	if now := dress(); now != g.dress {
		g.dress = now
		for _, part := range g.parts {
			part.Refresh()
		}
	}
}
