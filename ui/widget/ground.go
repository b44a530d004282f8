package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Ground is a rectangle in a colour of the theme that follows the theme when it changes.
type Ground struct {
	widget.BaseWidget
	colour fyne.ThemeColorName
}

// NewGround makes a ground of a colour.
func NewGround(colour fyne.ThemeColorName) *Ground {
	g := &Ground{colour: colour}
	g.ExtendBaseWidget(g)
	return g
}

// CreateRenderer implements fyne.Widget.
func (g *Ground) CreateRenderer() fyne.WidgetRenderer {
	r := &groundRenderer{ground: g, fill: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type groundRenderer struct {
	ground *Ground
	fill   *canvas.Rectangle
}

// Destroy implements fyne.WidgetRenderer.
func (r *groundRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *groundRenderer) MinSize() fyne.Size { return fyne.Size{} }

// Objects implements fyne.WidgetRenderer.
func (r *groundRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.fill} }

// Layout implements fyne.WidgetRenderer.
func (r *groundRenderer) Layout(size fyne.Size) { r.fill.Resize(size) }

// Refresh implements fyne.WidgetRenderer.
func (r *groundRenderer) Refresh() {
	r.fill.FillColor = r.ground.Theme().Color(r.ground.colour, fyne.CurrentApp().Settings().ThemeVariant())
	r.fill.Refresh()
}

// Cover is the ground of something that lies over a screen: the pointer and the wheel do not reach
// what is below it.
type Cover struct {
	Ground
	tapped func()
}

var (
	_ fyne.SecondaryTappable = (*Cover)(nil)
	_ fyne.Scrollable        = (*Cover)(nil)
	_ fyne.Draggable         = (*Cover)(nil)
	_ desktop.Hoverable      = (*Cover)(nil)
)

// NewCover makes a cover of a colour; tapped is called when it is clicked.
func NewCover(colour fyne.ThemeColorName, tapped func()) *Cover {
	c := &Cover{Ground: Ground{colour: colour}, tapped: tapped}
	c.ExtendBaseWidget(c)
	return c
}

// Tapped implements fyne.Tappable.
func (c *Cover) Tapped(*fyne.PointEvent) { c.tapped() }

// TappedSecondary implements fyne.SecondaryTappable.
func (c *Cover) TappedSecondary(*fyne.PointEvent) {}

// Scrolled implements fyne.Scrollable.
func (c *Cover) Scrolled(*fyne.ScrollEvent) {}

// Dragged implements fyne.Draggable.
func (c *Cover) Dragged(*fyne.DragEvent) {}

// DragEnd implements fyne.Draggable.
func (c *Cover) DragEnd() {}

// MouseIn implements desktop.Hoverable.
func (c *Cover) MouseIn(*desktop.MouseEvent) {}

// MouseMoved implements desktop.Hoverable.
func (c *Cover) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *Cover) MouseOut() {}
