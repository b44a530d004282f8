package graph

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// listShare is the share of the width that the list of layers gets; the rest is about the selected
// one.
const listShare = 0.7

// face holds the pane's widgets.
type face struct {
	p          *Pane
	ground     *pane.Ground
	list       *layerList
	lanes      int
	search     *widget.Entry
	hits, sum  *fynewidget.Label
	empty      *fynewidget.Label
	facts      *fynewidget.Label
	look, use  *fynewidget.Button
	body       fyne.CanvasObject
	scrolled   *container.Scroll
	unselected *fynewidget.Label
}

// layerList is Fyne's list with its keys handed on, so that it never holds the screen's keys back.
type layerList struct {
	fynewidget.List
	p *Pane
}

// TypedRune implements fyne.Focusable.
func (l *layerList) TypedRune(r rune) { l.p.face.ground.TypedRune(r) }

// TypedKey implements fyne.Focusable.
func (l *layerList) TypedKey(ev *fyne.KeyEvent) { l.p.face.ground.TypedKey(ev) }

func newFace(p *Pane) *face {
	f := &face{p: p, empty: fynewidget.NewLabel("")}
	f.empty.Alignment = fyne.TextAlignCenter
	f.empty.Wrapping = fyne.TextWrapWord
	f.buildList()
	split := container.NewHSplit(container.NewBorder(f.buildSearch(), nil, nil, nil, f.list), f.buildFacts())
	split.SetOffset(listShare)
	f.body = split
	keys := p.deps.Keys
	keys.OnKey = func(ev *fyne.KeyEvent) bool {
		return p.TypedKey(ev.Name) || p.deps.Keys.OnKey != nil && p.deps.Keys.OnKey(ev)
	}
	f.ground = pane.NewGround(container.NewStack(f.body, container.NewPadded(f.empty)), keys, split.Leading, split.Trailing)
	f.reload()
	return f
}

func (f *face) buildList() {
	f.list = &layerList{p: f.p}
	f.list.Length = func() int { return len(f.p.view.Layers) }
	f.list.CreateItem = func() fyne.CanvasObject { return newRow() }
	f.list.UpdateItem = func(at fynewidget.ListItemID, o fyne.CanvasObject) {
		r := o.(*row)
		r.view, r.at, r.lanes, r.joined = &f.p.view, at, f.lanes, theme.Padding()
		_, r.found = slices.BinarySearch(f.p.found, at)
		r.Refresh()
	}
	f.list.HideSeparators = true
	f.list.OnSelected = func(at fynewidget.ListItemID) {
		f.p.selected = at
		f.showFacts()
		f.ground.TakeBack()
	}
	f.list.ExtendBaseWidget(f.list)
}

func (f *face) buildSearch() fyne.CanvasObject {
	f.search = widget.NewEntry()
	f.search.SetPlaceHolder("search: operator, name, shape, position")
	f.search.OnChanged = f.p.Search
	f.search.OnSubmitted = func(string) { f.p.Next(1) }
	f.search.OnEscape = func() { f.ground.TakeBack() }
	f.hits, f.sum = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	step := func(icon fyne.Resource, by int) *fynewidget.Button {
		b := fynewidget.NewButtonWithIcon("", icon, func() { f.p.Next(by); f.ground.TakeBack() })
		b.Importance = fynewidget.LowImportance
		return b
	}
	f.hits.Alignment, f.sum.Truncation = fyne.TextAlignTrailing, fyne.TextTruncateEllipsis
	fixed := func(l *fynewidget.Label, width float32) fyne.CanvasObject {
		return container.NewGridWrap(fyne.NewSize(width, l.MinSize().Height), l)
	}
	right := container.NewHBox(fixed(f.hits, 90), step(theme.MoveUpIcon(), -1), step(theme.MoveDownIcon(), 1), fixed(f.sum, 200))
	return container.NewBorder(nil, nil, nil, right, f.search)
}

func (f *face) buildFacts() fyne.CanvasObject {
	f.facts = fynewidget.NewLabel("")
	f.facts.Wrapping = fyne.TextWrapBreak
	f.look = fynewidget.NewButtonWithIcon("Show as position", theme.VisibilityIcon(), func() { f.p.ShowPosition(); f.ground.TakeBack() })
	f.use = fynewidget.NewButton("Use as…", f.askUse)
	f.scrolled = container.NewVScroll(f.facts)
	f.unselected = fynewidget.NewLabel("Choose a layer to see what it takes and makes, and to show or use its tensor as a position.")
	f.unselected.Wrapping = fyne.TextWrapWord
	buttons := container.NewGridWithColumns(2, f.look, f.use)
	return container.NewBorder(nil, buttons, nil, nil, container.NewStack(f.scrolled, f.unselected))
}

// askUse opens the menu of the positions that the selected tensor can be used as, and those to be
// given back.
func (f *face) askUse() {
	over := fyne.CurrentApp().Driver().CanvasForObject(f.use)
	if over == nil {
		return
	}
	items := f.uses()
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), over)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(f.use)
	menu.ShowAtPosition(fyne.NewPos(at.X, at.Y-menu.MinSize().Height))
	f.ground.TakeBack()
}

func (f *face) uses() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	assigned := f.p.view.Model.Correction.Positions
	for _, position := range assignable {
		if f.p.tensor() != "" && assigned[position] != f.p.tensor() {
			items = append(items, fyne.NewMenuItem(fmt.Sprintf("Use as %s", position), func() { f.p.Assign(position) }))
		}
	}
	for _, position := range assignable {
		if tensor, ok := assigned[position]; ok {
			items = append(items, fyne.NewMenuItem(fmt.Sprintf("Take %s back from %s", position, tensor), func() { f.p.Release(position) }))
		}
	}
	return items
}

// reload shows another model's layers.
func (f *face) reload() {
	f.lanes = width(f.p.view.lanes)
	f.list.UnselectAll()
	if len(f.p.view.Layers) == 0 {
		f.body.Hide()
		f.empty.Show()
		return
	}
	f.empty.Hide()
	f.body.Show()
	f.sum.SetText(f.p.view.Sum())
	f.list.ScrollToTop()
	f.p.Search(f.search.Text)
	f.show()
}

// show draws the list and the facts anew.
func (f *face) show() {
	f.list.Refresh()
	f.showFacts()
}

// showSelected marks the selected layer in the list and brings it into sight.
func (f *face) showSelected() {
	chosen := f.list.OnSelected
	f.list.OnSelected = nil // it was not a click: the focus stays where it is
	if f.p.selected < 0 {
		f.list.UnselectAll()
	} else {
		f.list.Select(f.p.selected)
	}
	f.list.OnSelected = chosen
	f.showFacts()
}

func (f *face) showFound(text string) {
	switch {
	case strings.TrimSpace(text) == "":
		f.hits.SetText("")
	default:
		f.hits.SetText(fmt.Sprintf("%d found", len(f.p.found)))
	}
	f.list.Refresh()
}

func (f *face) showFacts() {
	at := f.p.selected
	if at < 0 || at >= len(f.p.view.Layers) {
		f.scrolled.Hide()
		f.unselected.Show()
	} else {
		var lines []string
		for _, fact := range f.p.view.Facts(at) {
			lines = append(lines, fact.Name+":  "+fact.Value)
		}
		f.facts.SetText(strings.Join(lines, "\n"))
		f.unselected.Hide()
		f.scrolled.Show()
	}
	widget.Enable(f.look, f.p.tensor() != "")
	widget.Enable(f.use, len(f.uses()) > 0)
}
