package kit

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/widget"
)

// Page is what stands on a tab: a Screen, or a Panel, which loads nothing. All methods are called
// on the main goroutine.
type Page interface {
	// Object is what the tab shows.
	Object() fyne.CanvasObject
	// Shown and Hidden say that the page is in front now, or no longer. Both may come twice.
	Shown()
	Hidden()
	// Focus gives the keyboard to what has it on the page.
	Focus()
	// Changed says that what the page shows may be out of date. In front it is brought up to date
	// at once, otherwise when it is shown.
	Changed()
	Close()
}

// Tab is a page under a title. Key names it among remembered settings and for Select, and never
// changes.
type Tab struct {
	Key, Title string
	Page       Page
}

// Tabs are pages of which one is in front. The page in front alone is shown, so that the others do
// no work; which one it was is remembered. A Screen that has Tabs calls Shown, Hidden, Changed,
// Focus and Close.
type Tabs struct {
	// OnTurned, which may be nil, hears the key of a page that comes to the front in place of
	// another.
	OnTurned func(key string)

	host   *Host
	key    string
	tabs   []Tab
	bar    *container.AppTabs
	object *fyne.Container // the bar, and what is Beside
	pages  *fyne.Container // nil where they stand in the bar
	shown  bool
	front  int
}

// NewTabs makes tabs in this order. key names them among remembered settings. The one in front is
// that of the last time, otherwise the first.
func NewTabs(h *Host, key string, tabs ...Tab) *Tabs { return newTabs(h, key, nil, tabs) }

// NewTabBar is NewTabs of a screen that has something between the bar, which is the object of the
// tabs, and the page in front, which stands in pages.
func NewTabBar(h *Host, key string, tabs ...Tab) (t *Tabs, pages fyne.CanvasObject) {
	t = newTabs(h, key, container.NewStack(), tabs)
	return t, t.pages
}

func newTabs(h *Host, key string, pages *fyne.Container, tabs []Tab) *Tabs {
	t := &Tabs{host: h, key: key, tabs: tabs, bar: container.NewAppTabs(), pages: pages}
	t.object = container.New(tabLine{t}, t.bar)
	t.front = max(t.at(h.remembered(t.setting())), 0)
	for k, one := range tabs {
		page := widget.NewPage(one.Page.Object())
		if pages == nil {
			t.bar.Append(container.NewTabItem(one.Title, page))
			continue
		}
		widget.Show(page, k == t.front)
		pages.Add(page)
		t.bar.Append(container.NewTabItem(one.Title, container.NewStack()))
	}
	t.bar.SelectIndex(t.front)
	t.bar.OnSelected = func(*container.TabItem) { t.turned() }
	return t
}

func (t *Tabs) setting() string { return "tab." + t.key }

func (t *Tabs) at(key string) int {
	return slices.IndexFunc(t.tabs, func(one Tab) bool { return one.Key == key })
}

// turned shows the page that has come to the front.
func (t *Tabs) turned() {
	before := t.front
	if t.front = t.bar.SelectedIndex(); before == t.front || t.front < 0 {
		return
	}
	t.host.remember(t.setting(), t.Front())
	if t.pages != nil {
		t.pages.Objects[before].Hide()
		t.pages.Objects[t.front].Show()
	}
	if t.OnTurned != nil {
		t.OnTurned(t.Front())
	}
	if !t.shown {
		return
	}
	t.tabs[before].Page.Hidden()
	t.tabs[t.front].Page.Shown()
}

// Object is what the screen shows.
func (t *Tabs) Object() fyne.CanvasObject { return t.object }

// Beside puts an object into the line of the titles, right of them.
func (t *Tabs) Beside(o fyne.CanvasObject) { t.object.Add(o) }

// tabLine lays tabs and, into the line of their titles, an object. Objects: the tabs, and the
// object or nothing.
type tabLine struct{ t *Tabs }

// Layout implements fyne.Layout.
func (l tabLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := size.Width
	if len(objects) > 1 {
		o, least := objects[1], objects[1].MinSize()
		room, down := max(size.Width-l.titles(), least.Width), float32(0)
		if l.t.pages != nil { // the titles without room are in a menu then
			width, down = max(size.Width-room, 0), max(size.Height-least.Height, 0)/2
		}
		o.Move(fyne.NewPos(size.Width-room, down))
		o.Resize(fyne.NewSize(room, least.Height))
	}
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(width, size.Height))
}

// titles is the width that all titles take, rather more than less.
func (l tabLine) titles() (width float32) {
	for _, item := range l.t.bar.Items {
		width += fyne.MeasureText(item.Text, theme.TextSize(), fyne.TextStyle{Bold: true}).Width +
			2*theme.InnerPadding() + theme.Padding()
	}
	return width + theme.Padding()
}

// MinSize implements fyne.Layout.
func (l tabLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	if l.t.pages != nil && len(objects) > 1 {
		beside := objects[1].MinSize()
		least = fyne.NewSize(least.Width+beside.Width, max(least.Height, beside.Height))
	}
	return least
}

// Front is the key of the page in front.
func (t *Tabs) Front() string { return t.tabs[t.front].Key }

// Select brings a page to the front. A key that is not there changes nothing.
func (t *Tabs) Select(key string) {
	if at := t.at(key); at >= 0 {
		t.bar.SelectIndex(at)
		t.turned()
	}
}

// Count says behind the title of a page how much there is on it, such as "Left out 3"; nothing
// where that is 0.
func (t *Tabs) Count(key string, n int) {
	at := t.at(key)
	title := t.tabs[at].Title
	if n > 0 {
		title = fmt.Sprintf("%s %d", title, n)
	}
	if t.bar.Items[at].Text != title {
		t.bar.Items[at].Text = title
		t.bar.Refresh()
	}
}

// Shown says that the tabs have come to the front.
func (t *Tabs) Shown() {
	if !t.shown {
		t.shown = true
		t.tabs[t.front].Page.Shown()
	}
}

// Hidden says that the tabs have left the front.
func (t *Tabs) Hidden() {
	if t.shown {
		t.shown = false
		t.tabs[t.front].Page.Hidden()
	}
}

// Focus gives the keyboard to the page in front.
func (t *Tabs) Focus() { t.tabs[t.front].Page.Focus() }

// Changed says that what all pages show may be out of date.
func (t *Tabs) Changed() {
	for _, one := range t.tabs {
		one.Page.Changed()
	}
}

// Close closes all pages.
func (t *Tabs) Close() {
	for _, one := range t.tabs {
		one.Page.Close()
	}
}

// Panel is a page that loads nothing: it shows what its screen has, or always the same. A pointer
// to one is a Page.
type Panel struct {
	Body fyne.CanvasObject
	// Show brings the body up to date; nil where it never changes. It is called when the panel is
	// shown for the first time, and after changes.
	Show func()
	// Keys gives the keyboard to what has it on this page; nil for nothing.
	Keys func()
	// OnHidden and OnClosed, which may be nil, are called at the end of Hidden and Close. OnShown,
	// which may be nil, is called each time at the end of Shown.
	OnShown, OnHidden, OnClosed func()
	// Parts stand in the body and are shown, hidden and closed with the panel.
	Parts []Page

	shown, fresh bool
}

// Object implements Page.
func (p *Panel) Object() fyne.CanvasObject { return p.Body }

// Shown implements Page.
func (p *Panel) Shown() {
	p.shown = true
	p.update()
	for _, part := range p.Parts {
		part.Shown()
	}
	if p.OnShown != nil {
		p.OnShown()
	}
	p.Focus()
}

func (p *Panel) update() {
	if !p.fresh && p.shown && p.Show != nil {
		p.Show()
	}
	p.fresh = p.fresh || p.shown
}

// Hidden implements Page.
func (p *Panel) Hidden() {
	for _, part := range p.Parts {
		part.Hidden()
	}
	if p.shown = false; p.OnHidden != nil {
		p.OnHidden()
	}
}

// Focus implements Page.
func (p *Panel) Focus() {
	if p.shown && p.Keys != nil {
		p.Keys()
	}
}

// Changed implements Page.
func (p *Panel) Changed() {
	p.fresh = false
	p.update()
}

// Close implements Page.
func (p *Panel) Close() {
	for _, part := range p.Parts {
		part.Close()
	}
	if p.OnClosed != nil {
		p.OnClosed()
	}
}
