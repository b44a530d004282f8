package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Page holds what is in sight at times only: a screen of the window, the content of a tab. While it
// is hidden, nothing inside it is laid out or drawn anew, whether what it lies in changes its size
// or is refreshed, or the theme changes. When it is shown it takes its size and the theme in force.
type Page struct {
	widget.BaseWidget
	content fyne.CanvasObject
	drawn   drawnIn // when all of the content was drawn last
	waits   bool    // to be drawn once Fyne has applied a theme
}

// drawnIn is a theme, and how many others SetTheme had set before: what changes inside a hidden
// page is drawn in the theme of that moment, which may be gone when the page is shown.
type drawnIn struct {
	theme   fyne.Theme
	variant fyne.ThemeVariant
	changes int
}

func inForce() drawnIn {
	settings := fyne.CurrentApp().Settings()
	return drawnIn{settings.Theme(), settings.ThemeVariant(), changes}
}

func (d drawnIn) textSize() float32 { return d.theme.Size(theme.SizeNameText) }

// applying is set while Fyne applies a theme of SetTheme, waiting are the pages that are then drawn
// in it, walking is set while they are, and changes counts themes. All belong to the main
// goroutine.
var (
	applying, walking bool
	waiting           []*Page
	changes           int
)

// NewPage makes a page, which is shown.
func NewPage(content fyne.CanvasObject) *Page {
	p := &Page{content: content, drawn: inForce()}
	p.ExtendBaseWidget(p)
	return p
}

// NewTab is a tab whose content costs nothing while another one is in front.
func NewTab(title string, content fyne.CanvasObject) *container.TabItem {
	return container.NewTabItem(title, NewPage(content))
}

// SetTheme has the windows drawn in another theme. Fyne by itself refreshes every object, and once
// more for each container that it lies in. This way each object of the pages in sight is refreshed
// once, and those of hidden pages when they are shown.
func SetTheme(settings fyne.Settings, th fyne.Theme) {
	changes++
	applying = true
	settings.SetTheme(th)
	applying = false
	pages := waiting
	waiting = nil
	for _, p := range pages {
		p.waits = false
		p.restyle()
	}
}

// Show implements fyne.CanvasObject.
func (p *Page) Show() {
	if p.Visible() {
		return
	}
	p.Hidden = false
	p.content.Resize(p.Size())
	if p.drawn != inForce() {
		p.restyle()
	}
	canvas.Refresh(p)
}

// Refresh implements fyne.CanvasObject.
func (p *Page) Refresh() {
	switch {
	case !p.Visible() || walking || p.waits:
	case applying:
		p.waits = true
		waiting = append(waiting, p)
	default:
		p.drawn = inForce()
		p.content.Refresh()
		canvas.Refresh(p)
	}
}

// restyle draws all of the content in the theme in force.
func (p *Page) restyle() {
	before := p.drawn
	p.drawn = inForce()
	outer := walking
	walking = true
	restyle(p.content, p.drawn)
	if before.textSize() != p.drawn.textSize() {
		restyle(p.content, p.drawn) // the height of a text that wraps follows from its new width
	}
	walking = outer
}

// restyle lays out and refreshes an object and all that it shows, from the inside to the outside.
func restyle(o fyne.CanvasObject, now drawnIn) {
	if o == nil {
		return
	}
	switch o := o.(type) {
	case *Page:
		if !o.Visible() {
			return
		}
		o.drawn = now
	case *widget.ProgressBarInfinite:
		if !o.Visible() {
			return // it begins to move when it is drawn for the first time
		}
	}
	for _, child := range Inside(o) {
		restyle(child, now)
	}
	layOut(o)
	switch o.(type) {
	case *fyne.Container, *container.Scroll, *container.Split, *Page: // they would refresh the inside again
	default:
		o.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (p *Page) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	return &pageRenderer{p, []fyne.CanvasObject{p.content}}
}

type pageRenderer struct {
	p       *Page
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *pageRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *pageRenderer) Objects() []fyne.CanvasObject {
	if applying || !r.p.Visible() {
		return nil
	}
	return r.objects
}

// MinSize implements fyne.WidgetRenderer.
func (r *pageRenderer) MinSize() fyne.Size { return r.p.content.MinSize() }

// Layout implements fyne.WidgetRenderer.
func (r *pageRenderer) Layout(size fyne.Size) {
	if r.p.Visible() {
		r.p.content.Resize(size)
	}
}

// Refresh implements fyne.WidgetRenderer.
func (r *pageRenderer) Refresh() { r.p.Refresh() }
