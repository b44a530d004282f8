package widget

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

const (
	// deepest is how far one can zoom in: to this share of the whole width or height.
	deepest = 1.0 / 1000
	// wheelStep is what one step of the wheel shrinks the ranges to, wheelUnit what Fyne reports
	// for it.
	wheelStep, wheelUnit = 0.8, 25
	// thin is the side of a rectangle, in device-independent pixels, below which it means the other
	// axis only.
	thin = 10
)

// drag is a rectangle that is being drawn, or a movement of what is plotted.
type drag struct {
	from, to fyne.Position
	pan      bool
	start    extent // what was shown when a movement began
}

// held is a part of what the frame shows, inside of it; nil for all of it. Without up the Y axis
// stays whole.
func (f frame) held(part *extent, up bool) *extent {
	if part == nil {
		return nil
	}
	held := f.extent()
	held.x0, held.x1 = hold(part.x0, part.x1, f.x0, f.x1)
	if up {
		held.y0, held.y1 = hold(part.y0, part.y1, f.y0, f.y1)
	}
	if held == f.extent() {
		return nil
	}
	return &held
}

// hold keeps a range inside of another one and wider than deepest.
func hold(low, high, least, most float64) (from, to float64) {
	all := most - least
	width := min(max(high-low, all*deepest), all)
	if width == all {
		return least, most
	}
	from = min(max((low+high-width)/2, least), most-width)
	return from, from + width
}

// around shrinks (share below 1) or widens a range so that what lies at a point of it stays there.
func around(low, high, at, share float64) (from, to float64) {
	return at - (at-low)*share, at + (high-at)*share
}

// wheel is what the wheel zooms to: around the pointer, beside an axis along that axis only. ok is
// false when it does not turn or nothing is plotted.
func (f frame) wheel(ev *fyne.ScrollEvent) (part extent, ok bool) {
	part = f.extent()
	if f.width <= 0 || ev.Scrolled.DY == 0 {
		return part, false
	}
	share := math.Pow(wheelStep, min(max(float64(ev.Scrolled.DY)/wheelUnit, -4), 4))
	if ev.Position.X >= f.left-4 {
		part.x0, part.x1 = around(f.x0, f.x1, f.atX(ev.Position.X), share)
	}
	if ev.Position.Y <= f.top+f.height+4 {
		part.y0, part.y1 = around(f.y0, f.y1, f.atY(ev.Position.Y), share)
	}
	return part, true
}

// atX is the x value at a place of the widget, held inside the frame; atY likewise.
func (f frame) atX(x float32) float64 {
	share := min(max(float64(x-f.left)/float64(f.width), 0), 1)
	return f.x0 + (f.x1-f.x0)*share
}

func (f frame) atY(y float32) float64 {
	share := min(max(float64(y-f.top)/float64(f.height), 0), 1)
	return f.y1 - (f.y1-f.y0)*share
}

// begin is the drag that a press of a button begins, nil beside the plotted area and for the
// button of the menu.
func (f frame) begin(ev *desktop.MouseEvent) *drag {
	if !f.holds(ev.Position) || ev.Button == desktop.MouseButtonSecondary {
		return nil
	}
	pan := ev.Button == desktop.MouseButtonTertiary || ev.Modifier&fyne.KeyModifierShift != 0
	return &drag{from: ev.Position, to: ev.Position, pan: pan, start: f.extent()}
}

// moved is what is shown after a movement.
func (d *drag) moved(f frame) extent {
	dx := float64(d.to.X-d.from.X) / float64(f.width) * (d.start.x1 - d.start.x0)
	dy := float64(d.to.Y-d.from.Y) / float64(f.height) * (d.start.y1 - d.start.y0)
	return extent{d.start.x0 - dx, d.start.x1 - dx, d.start.y0 + dy, d.start.y1 + dy}
}

// enclosed is what the rectangle encloses; ok is false where it is too small to mean anything.
func (d *drag) enclosed(f frame) (part extent, ok bool) {
	part = f.extent()
	wide, high := math.Abs(float64(d.to.X-d.from.X)) >= thin, math.Abs(float64(d.to.Y-d.from.Y)) >= thin
	if wide {
		part.x0, part.x1 = f.atX(min(d.from.X, d.to.X)), f.atX(max(d.from.X, d.to.X))
	}
	if high {
		part.y0, part.y1 = f.atY(max(d.from.Y, d.to.Y)), f.atY(min(d.from.Y, d.to.Y))
	}
	return part, wide || high
}

// box is the rectangle as it is drawn, nil where there is none.
func (d *drag) box(f frame, st style) fyne.CanvasObject {
	if d == nil || d.pan || d.from == d.to {
		return nil
	}
	hold := func(p fyne.Position) fyne.Position {
		return fyne.NewPos(min(max(p.X, f.left), f.left+f.width), min(max(p.Y, f.top), f.top+f.height))
	}
	a, b := hold(d.from), hold(d.to)
	box := canvas.NewRectangle(faded(st.primary, 0.2))
	box.StrokeColor, box.StrokeWidth = st.primary, 1
	box.Move(fyne.NewPos(min(a.X, b.X), min(a.Y, b.Y)))
	box.Resize(fyne.NewSize(max(a.X, b.X)-min(a.X, b.X), max(a.Y, b.Y)-min(a.Y, b.Y)))
	return box
}

// menuSide is the side of the sign that opens a menu. The sign is no button, since a button would
// take the focus from the keys of the screen.
const menuSide = 22

// menuSign is the sign at the top-right corner of a widget of this size.
func menuSign(size fyne.Size) *canvas.Image {
	sign := canvas.NewImageFromResource(theme.MoreVerticalIcon())
	sign.Resize(fyne.NewSquareSize(menuSide - 4))
	sign.Move(signPlace(size))
	return sign
}

// signPlace is where the sign stands.
func signPlace(size fyne.Size) fyne.Position { return fyne.NewPos(size.Width-menuSide+2, 2) }

// onSign tells whether a position lies on the sign.
func onSign(pos fyne.Position, size fyne.Size) bool {
	return pos.X >= size.Width-menuSide && pos.Y <= menuSide
}

// popUp opens a menu at a place of a widget; items may be nil, and then nothing happens.
func popUp(over fyne.Widget, at fyne.Position, items func() []*fyne.MenuItem) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(over)
	if c == nil || items == nil {
		return
	}
	if list := items(); len(list) > 0 {
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", list...), c, driver.AbsolutePositionForObject(over).Add(at))
	}
}

// zoomItems are the entries of a menu that ends the zoom, then those of more, which may be nil,
// where there is anything to copy and save.
func zoomItems(showAll func(), zoomed, any bool, more func() []*fyne.MenuItem) []*fyne.MenuItem {
	all := fyne.NewMenuItem("Show all (double click)", showAll)
	all.Disabled = !zoomed
	items := []*fyne.MenuItem{all}
	if any && more != nil {
		items = append(items, fyne.NewMenuItemSeparator())
		items = append(items, more()...)
	}
	return items
}
