package widget

import (
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

var (
	_ fyne.Scrollable        = (*Chart)(nil)
	_ fyne.Draggable         = (*Chart)(nil)
	_ fyne.Tappable          = (*Chart)(nil)
	_ fyne.SecondaryTappable = (*Chart)(nil)
	_ desktop.Mouseable      = (*Chart)(nil)
)

// Zoomed tells whether less than everything is shown.
func (c *Chart) Zoomed() bool { return c.zoom != nil }

// ShowAll ends the zoom.
func (c *Chart) ShowAll() { c.show(nil) }

// show shows a part of the data, nil for all. A part is held inside of what there is.
func (c *Chart) show(part *extent) {
	all, ok := c.data.ranges()
	if part != nil && !ok {
		return
	}
	c.zoom, c.x = all.held(part), math.NaN()
	c.Refresh()
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

// Scrolled implements fyne.Scrollable: the wheel zooms around the pointer, beside an axis along that axis only.
func (c *Chart) Scrolled(ev *fyne.ScrollEvent) {
	if part, ok := c.plot.wheel(ev); ok {
		c.show(&part)
	}
}

// MouseDown implements desktop.Mouseable: it tells where a drag begins and what it means.
func (c *Chart) MouseDown(ev *desktop.MouseEvent) { c.drag = c.plot.begin(ev) }

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
	part := c.drag.moved(c.plot)
	c.show(&part)
}

// DragEnd implements fyne.Draggable: the rectangle becomes what is shown.
func (c *Chart) DragEnd() {
	d := c.drag
	c.drag = nil
	if d == nil || d.pan {
		return
	}
	if part, ok := d.enclosed(c.plot); ok {
		c.show(&part)
		return
	}
	c.Refresh()
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

// onMenu tells whether a position lies on the sign that opens the menu.
func (c *Chart) onMenu(pos fyne.Position) bool { return c.Menu != nil && onSign(pos, c.Size()) }

// showMenu opens the chart's menu at a place of the widget.
func (c *Chart) showMenu(at fyne.Position) { popUp(c, at, c.items) }

// items are the entries of the menu.
func (c *Chart) items() []*fyne.MenuItem {
	_, any := c.data.ranges()
	return zoomItems(c.ShowAll, c.Zoomed(), any, c.Menu)
}
