package widget

import (
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/words"
)

var (
	_ fyne.Scrollable        = (*Chart)(nil)
	_ fyne.Draggable         = (*Chart)(nil)
	_ fyne.Tappable          = (*Chart)(nil)
	_ fyne.SecondaryTappable = (*Chart)(nil)
	_ desktop.Mouseable      = (*Chart)(nil)
)

const (
	// deepest is how far one can zoom in: to this share of the whole width or height.
	deepest = 1.0 / 1000
	// wheelStep is what one step of the wheel shrinks the ranges to, wheelUnit what Fyne reports for it.
	wheelStep, wheelUnit = 0.8, 25
	// thin is the side of a rectangle, in device-independent pixels, below which it means the other axis only.
	thin = 10
)

// drag is a rectangle that is being drawn, or a movement of the curves.
type drag struct {
	from, to fyne.Position
	pan      bool
	start    extent // what was shown when a movement began
}

// Zoomed tells whether less than everything is shown.
func (c *Chart) Zoomed() bool { return c.zoom != nil }

// ShowAll ends the zoom.
func (c *Chart) ShowAll() { c.show(nil) }

// show shows a part of the data, nil for all. A part is held inside of what there is.
func (c *Chart) show(part *extent) {
	if part != nil {
		all, ok := c.data.ranges()
		if !ok {
			return
		}
		held := extent{}
		held.x0, held.x1 = hold(part.x0, part.x1, all.x0, all.x1)
		held.y0, held.y1 = hold(part.y0, part.y1, all.y0, all.y1)
		part = &held
		if held == all.extent() {
			part = nil
		}
	}
	c.zoom, c.x = part, math.NaN()
	c.Refresh()
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

// visible are the ranges on the axes: those of the data, or the part zoomed into.
func (c *Chart) visible() (f frame, ok bool) {
	f, ok = c.data.ranges()
	if ok && c.zoom != nil {
		f = f.over(*c.zoom)
	}
	return f, ok
}

// Ends are the ends of the axes as they are drawn.
func (c *Chart) Ends() (x0, x1, y0, y1 float64) {
	f, _ := c.visible()
	return f.x0, f.x1, f.y0, f.y1
}

// around shrinks (share below 1) or widens a range so that what lies at a point of it stays there.
func around(low, high, at, share float64) (from, to float64) {
	return at - (at-low)*share, at + (high-at)*share
}

// Scrolled implements fyne.Scrollable: the wheel zooms around the pointer, beside an axis along that axis only.
func (c *Chart) Scrolled(ev *fyne.ScrollEvent) {
	f := c.plot
	if f.width <= 0 || ev.Scrolled.DY == 0 {
		return
	}
	share := math.Pow(wheelStep, min(max(float64(ev.Scrolled.DY)/wheelUnit, -4), 4))
	part := f.extent()
	if ev.Position.X >= f.left-4 {
		part.x0, part.x1 = around(f.x0, f.x1, f.atX(ev.Position.X), share)
	}
	if ev.Position.Y <= f.top+f.height+4 {
		part.y0, part.y1 = around(f.y0, f.y1, f.atY(ev.Position.Y), share)
	}
	c.show(&part)
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

// MouseDown implements desktop.Mouseable: it tells where a drag begins and what it means.
func (c *Chart) MouseDown(ev *desktop.MouseEvent) {
	c.drag = nil
	if !c.plot.holds(ev.Position) || ev.Button == desktop.MouseButtonSecondary {
		return
	}
	pan := ev.Button == desktop.MouseButtonTertiary || ev.Modifier&fyne.KeyModifierShift != 0
	c.drag = &drag{from: ev.Position, to: ev.Position, pan: pan, start: c.plot.extent()}
}

// MouseUp implements desktop.Mouseable.
func (c *Chart) MouseUp(*desktop.MouseEvent) {}

// Dragged implements fyne.Draggable.
func (c *Chart) Dragged(ev *fyne.DragEvent) {
	if c.drag == nil {
		return
	}
	c.drag.to = ev.Position
	c.point(math.NaN())
	if !c.drag.pan {
		c.Refresh()
		return
	}
	f, start := c.plot, c.drag.start
	dx := float64(c.drag.to.X-c.drag.from.X) / float64(f.width) * (start.x1 - start.x0)
	dy := float64(c.drag.to.Y-c.drag.from.Y) / float64(f.height) * (start.y1 - start.y0)
	c.show(&extent{start.x0 - dx, start.x1 - dx, start.y0 + dy, start.y1 + dy})
}

// DragEnd implements fyne.Draggable: the rectangle becomes what is shown.
func (c *Chart) DragEnd() {
	d := c.drag
	c.drag = nil
	if d == nil || d.pan {
		return
	}
	f := c.plot
	part := f.extent()
	wide, high := math.Abs(float64(d.to.X-d.from.X)) >= thin, math.Abs(float64(d.to.Y-d.from.Y)) >= thin
	if wide {
		part.x0, part.x1 = f.atX(min(d.from.X, d.to.X)), f.atX(max(d.from.X, d.to.X))
	}
	if high {
		part.y0, part.y1 = f.atY(max(d.from.Y, d.to.Y)), f.atY(min(d.from.Y, d.to.Y))
	}
	if !wide && !high {
		c.Refresh()
		return
	}
	c.show(&part)
}

// Tapped implements fyne.Tappable: two clicks within Fyne's double tap time show all. DoubleTapped is not implemented,
// because Fyne would then hold back every single click.
func (c *Chart) Tapped(ev *fyne.PointEvent) {
	c.drag = nil
	if c.onMenu(ev.Position) {
		c.showMenu(ev.Position)
		return
	}
	now := time.Now()
	if now.Sub(c.lastTap) < fyne.CurrentApp().Driver().DoubleTapDelay() {
		c.lastTap = time.Time{}
		c.ShowAll()
		return
	}
	c.lastTap = now
	if x := c.nearest(ev.Position); c.OnTapped != nil && c.plot.holds(ev.Position) && !math.IsNaN(x) {
		c.OnTapped(x)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (c *Chart) TappedSecondary(ev *fyne.PointEvent) { c.showMenu(ev.Position) }

// onMenu tells whether a position lies on the sign that opens the menu. The sign is no button, since a button would take
// the focus from the keys of the screen.
func (c *Chart) onMenu(pos fyne.Position) bool {
	return c.Menu != nil && pos.X >= c.Size().Width-menuSide && pos.Y <= menuSide
}

// showMenu opens the chart's menu at a place of the widget.
func (c *Chart) showMenu(at fyne.Position) {
	driver := fyne.CurrentApp().Driver()
	over := driver.CanvasForObject(c)
	if over == nil {
		return
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", c.items()...), over, driver.AbsolutePositionForObject(c).Add(at))
}

// items are the entries of the menu.
func (c *Chart) items() []*fyne.MenuItem {
	all := fyne.NewMenuItem(words.T("Show all (double click)"), c.ShowAll)
	all.Disabled = !c.Zoomed()
	items := []*fyne.MenuItem{all}
	if _, ok := c.data.ranges(); ok && c.Menu != nil {
		items = append(items, fyne.NewMenuItemSeparator())
		items = append(items, c.Menu()...)
	}
	return items
}
