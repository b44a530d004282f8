// Package pane is what the inspect screen and the panes below its matrices say to each other: what is being looked at, and
// what a pane may ask for. A pane is one tab: images behind a cell, cross-sections, preview, graph, comparison.
package pane

import (
	"fmt"
	"strconv"
	"unicode"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// Subject is what the inspect screen shows. It is immutable; every change of model, signals, controls or focus makes a new
// one.
type Subject struct {
	Model    model.Model
	Suite    suite.Manifest // whole, with Labels
	Family   string         // canonical text
	Set      *signal.Set    // all arrays that the modalities need, with Predictions and Confidence; nil without signals
	Mapping  []int          // suite label -> class of the model, -1 unknown; nil: the same numbers
	Images   variance.Images
	Chosen   []int // the images that Images chooses, ascending; nil when none is left
	First    int   // the sub-interval of V: transformations First..Last of the family, both included
	Last     int
	Evidence evidence.Evidence // the matrices on the screen; Tiles are cut to the sub-interval
	View     evidence.View
	Focus    Focus
}

// ImageName is the path of an image in its suite, "image 17" where it has none.
func (s Subject) ImageName(k int) string {
	if k < len(s.Suite.Files) {
		if name := s.Suite.ImageName(k); name != strconv.Itoa(k) {
			return name
		}
	}
	return fmt.Sprintf("image %d", k)
}

// Focus is the cell that the person clicked last.
type Focus struct {
	Modality string // canonical text; "" before the first click, the first modality counts then
	I, J     int    // transformations in the family's numbering (not the sub-interval's); both -1 for the whole matrix
}

// Whole is the focus on a whole matrix.
func Whole(modality string) Focus { return Focus{Modality: modality, I: -1, J: -1} }

// Cell tells whether the focus is one cell.
func (f Focus) Cell() bool { return f.I >= 0 && f.J >= 0 }

// Screen is what a pane may ask of the inspect screen. All methods are called on the main goroutine.
type Screen interface {
	// Exclude leaves images out of every matrix of this model, Include takes them back in; both can
	// be undone.
	Exclude(images []int)
	Include(images []int)
	// Focus moves the focus; panes get a new Subject.
	Focus(f Focus)
	// Open shows another model.
	Open(modelHash string)
	// ShowPosition asks for the matrices of a position, which may be any tensor of the model, beside
	// the others. Where there are no signals for it the screen says how to compute them.
	ShowPosition(position string)
}

// Pane is one tab below the matrices. All methods are called on the main goroutine.
type Pane interface {
	Title() string
	Object() fyne.CanvasObject
	// Show hands the pane what is being looked at, whenever that changed while the pane is visible,
	// and when it becomes visible. Work beyond a few milliseconds goes to the background; a stale
	// answer is dropped.
	Show(s Subject)
	// Hidden is called when the tab or the screen leaves the front; Show is called when it is back.
	Hidden()
	// Close ends the pane.
	Close()
	// Tall asks for the room of the matrices as well: the row of matrices is hidden while the pane is
	// visible.
	Tall() bool
}

// Site is where a pane stands: the window's host, the screen, and what gets the keys that the pane
// does not use.
type Site struct {
	*kit.Host
	Screen Screen
	Keys   widget.Keys
}

// Base is what all panes have: a title, a ground that has the keyboard after clicks, menus and
// dialogs of the pane and hands keys on, and answers that are dropped when the pane leaves the front.
// A pane embeds it and calls Lay with its content.
type Base struct {
	Site
	*widget.Surface
	Latest background.Latest // of what the pane loads
	title  string
	tall   bool
}

// NewBase begins a pane. Its Host gives the keyboard to the pane.
func NewBase(s Site, title string, tall bool) *Base {
	b := &Base{Site: s, title: title, tall: tall}
	host := *s.Host
	host.Refocus = b.TakeBack
	b.Host = &host
	return b
}

// Lay lays the pane's content on its ground. The pane uses the keys for which rune and key return
// true; the rest is the screen's.
func (b *Base) Lay(content fyne.CanvasObject, used func(r rune) bool, key func(fyne.KeyName) bool) {
	b.Surface = widget.NewSurface(content)
	b.OnRune = func(r rune) {
		if (used == nil || !used(unicode.ToLower(r))) && b.Site.Keys.OnRune != nil {
			b.Site.Keys.OnRune(r)
		}
	}
	b.OnKey = func(ev *fyne.KeyEvent) bool {
		return key != nil && key(ev.Name) || b.Site.Keys.OnKey != nil && b.Site.Keys.OnKey(ev)
	}
}

// Onward hands the keys of a part of the pane to the pane.
func (b *Base) Onward() widget.Keys {
	return widget.Keys{OnRune: func(r rune) { b.OnRune(r) }, OnKey: func(ev *fyne.KeyEvent) bool { return b.OnKey(ev) }}
}

// Hidden implements Pane.
func (b *Base) Hidden() { b.Latest.Next() }

// Close implements Pane.
func (b *Base) Close() { b.Latest.Next() }

// Title implements Pane.
func (b *Base) Title() string { return b.title }

// Object implements Pane.
func (b *Base) Object() fyne.CanvasObject { return b.Surface }

// Tall implements Pane.
func (b *Base) Tall() bool { return b.tall }

// TakeBack gives the pane the keyboard, unless a dialog lies over the window.
func (b *Base) TakeBack() {
	if over := b.Window.Canvas(); over.Overlays().Top() == nil {
		b.TakeIn(over)
	}
}

// Menu is a menu after a choice from which the pane has the keyboard.
func (b *Base) Menu(chosen func(key string)) *widget.Picker {
	return widget.NewPicker(func(key string) {
		chosen(key)
		b.TakeBack()
	})
}

// Button is a button after which the pane has the keyboard; icon may be nil. Without text it is a
// faint one.
func (b *Base) Button(text string, icon fyne.Resource, do func()) *fynewidget.Button {
	button := fynewidget.NewButtonWithIcon(text, icon, func() {
		do()
		b.TakeBack()
	})
	if text == "" {
		button.Importance = fynewidget.LowImportance
	}
	return button
}
