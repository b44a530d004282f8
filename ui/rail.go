package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// Place names a screen of the window.
type Place int

// The places, in the order of the rail and of Ctrl+1..9, Ctrl+0 and Ctrl+J.
const (
	Models Place = iota
	Inspect
	Label
	Agreement
	Features
	Assessors
	Invariance
	Ranking
	DScore
	Background
	Runs
	places // their number
)

// String is the place's name on screen.
func (p Place) String() string {
	switch p {
	case Models:
		return "Models"
	case Inspect:
		return "Inspect"
	case Label:
		return "Label"
	case Agreement:
		return "Agreement"
	case Features:
		return "Features"
	case Assessors:
		return "Assessors"
	case Invariance:
		return "Invariance"
	case Ranking:
		return "Ranking"
	case DScore:
		return "D-Score"
	case Background:
		return "Background"
	}
	return "Runs"
}

// page is the page of the user guide that tells of the place.
func (p Place) page() string {
	return [places]string{
		"Browsing keys", "Inspecting keys", "Labelling keys", "Agreement", "Features", "Assessors",
		"Effective invariance", "Ranking", "D-Score", "Background invariance", "Run models",
	}[p]
}

// context tells whether the screen is about the workspace's current suite and about its current
// family. All screens look at the same ones, which are chosen in the bar above them.
func (p Place) context() [2]bool {
	switch p {
	case Models, Inspect, Features, Assessors, Ranking:
		return [2]bool{true, true}
	case Invariance, DScore:
		return [2]bool{true, false}
	}
	return [2]bool{} // a round, a selection of scenes or a run says it
}

// The width of the rail, and the height of an entry: as much as it likes, and the least with a
// small icon.
const railWidth, railHeight, railLeast = 84, 60, 36

// railItem is one entry of the rail: an icon above a name, with a bar at its left edge while it is
// the current one.
type railItem struct {
	widget.BaseWidget
	place   Place
	current bool
	hovered bool
	badge   string
	tapped  func(Place)
}

var (
	_ fyne.Tappable     = (*railItem)(nil)
	_ desktop.Hoverable = (*railItem)(nil)
)

func (i *railItem) Tapped(*fyne.PointEvent)              { i.tapped(i.place) }
func (i *railItem) MouseIn(*desktop.MouseEvent)          { i.hovered = true; i.Refresh() }
func (i *railItem) MouseMoved(*desktop.MouseEvent)       {}
func (i *railItem) MouseOut()                            { i.hovered = false; i.Refresh() }
func (i *railItem) AccessibilityLabel() string           { return i.place.String() }
func (*railItem) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

func (i *railItem) CreateRenderer() fyne.WidgetRenderer {
	r := &railItemRenderer{
		item:   i,
		ground: canvas.NewRectangle(color.Transparent), bar: canvas.NewRectangle(color.Transparent),
		icon: widget.NewIcon(i.place.icon()), name: canvas.NewText(i.place.String(), color.Transparent),
		badge: canvas.NewText("", color.Transparent),
	}
	r.name.Alignment = fyne.TextAlignCenter
	r.badge.Alignment = fyne.TextAlignTrailing
	r.Refresh()
	return r
}

type railItemRenderer struct {
	item        *railItem
	ground, bar *canvas.Rectangle
	icon        *widget.Icon
	name, badge *canvas.Text
}

func (r *railItemRenderer) Destroy() {}

// MinSize grows with the theme's letters.
func (r *railItemRenderer) MinSize() fyne.Size {
	grown := r.grown()
	return fyne.NewSize(railWidth*grown, railHeight*grown)
}

// grown is how many times larger than usual everything is drawn.
func (r *railItemRenderer) grown() float32 {
	return r.item.Theme().Size(theme.SizeNameText) / usualText
}

func (r *railItemRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.bar, r.icon, r.name, r.badge}
}

func (r *railItemRenderer) Layout(size fyne.Size) {
	grown := r.grown()
	icon, top, text := 22*grown, 11*grown, r.name.MinSize().Height
	if size.Height < railHeight*grown { // a low window, or large text
		icon = max(min(icon, size.Height-text-7), 0)
		top = (size.Height - icon - 3 - text) / 2
	}
	r.ground.Resize(size)
	r.bar.Resize(fyne.NewSize(3, size.Height))
	r.icon.Resize(fyne.NewSquareSize(icon))
	r.icon.Move(fyne.NewPos((size.Width-icon)/2, top))
	r.name.Resize(fyne.NewSize(size.Width, text))
	r.name.Move(fyne.NewPos(0, top+icon+3))
	r.badge.Resize(fyne.NewSize(size.Width-8, text))
	r.badge.Move(fyne.NewPos(0, 4))
}

func (r *railItemRenderer) Refresh() {
	th := r.item.Theme()
	variant := fyne.CurrentApp().Settings().ThemeVariant()
	name, ground, bar := theme.ColorNamePlaceHolder, fyne.ThemeColorName(""), fyne.ThemeColorName("")
	if r.item.hovered {
		ground = theme.ColorNameHover
	}
	if r.item.current {
		name, ground, bar = theme.ColorNameForeground, theme.ColorNameSelection, theme.ColorNamePrimary
	}
	r.ground.FillColor, r.bar.FillColor = color.Transparent, color.Transparent
	if ground != "" {
		r.ground.FillColor = th.Color(ground, variant)
	}
	if bar != "" {
		r.bar.FillColor = th.Color(bar, variant)
	}
	r.name.Color, r.name.TextSize = th.Color(name, variant), 12*r.grown()
	r.name.TextStyle.Bold = r.item.current
	r.badge.Text, r.badge.Color, r.badge.TextSize = r.item.badge, th.Color(theme.ColorNamePrimary, variant),
		11*r.grown()
	r.badge.TextStyle.Bold = true
	for _, o := range []fyne.CanvasObject{r.ground, r.bar, r.name, r.badge} {
		canvas.Refresh(o)
	}
	r.icon.Refresh()
}

// rail is the navigation at the left edge.
type rail struct {
	items  [places]*railItem
	object fyne.CanvasObject
}

func newRail(chosen func(Place)) *rail {
	r := &rail{}
	column := container.New(railLayout{})
	for p := range places {
		item := &railItem{place: p, tapped: chosen}
		item.ExtendBaseWidget(item)
		r.items[p] = item
		column.Add(r.items[p])
	}
	r.object = container.NewStack(parts.NewGround(theme.ColorNameHeaderBackground), container.NewVScroll(column))
	return r
}

// railLayout stacks the entries from the top, in a low window with less room for each.
type railLayout struct{}

// Layout implements fyne.Layout.
func (railLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if len(objects) == 0 {
		return
	}
	height := min(objects[0].MinSize().Height, size.Height/float32(len(objects)))
	for k, o := range objects {
		o.Move(fyne.NewPos(0, float32(k)*height))
		o.Resize(fyne.NewSize(size.Width, height))
	}
}

// MinSize implements fyne.Layout.
func (railLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if len(objects) == 0 {
		return fyne.Size{}
	}
	least := objects[0].MinSize()
	return fyne.NewSize(least.Width, float32(len(objects))*least.Height*railLeast/railHeight)
}

func (r *rail) show(place Place) {
	for p, item := range r.items {
		if now := Place(p) == place; item.current != now {
			item.current = now
			item.Refresh()
		}
	}
}

// mark puts a short text, such as a percentage, at the corner of an entry; "" removes it.
func (r *rail) mark(place Place, text string) {
	if item := r.items[place]; item.badge != text {
		item.badge = text
		item.Refresh()
	}
}
