package graph

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// listShare is the share of the width that the list of layers gets; the rest is about the selected
// one.
const listShare = 0.7

// widgets holds the pane's widgets.
type widgets struct {
	list              *layerList
	lanes             int
	search            *widget.Entry
	hits, sum         *fynewidget.Label
	facts, unselected *fynewidget.Label
	look, use         *fynewidget.Button
	scrolled          *container.Scroll
}

// layerList is Fyne's list with its keys handed on, so that it never holds the screen's keys back.
type layerList struct {
	fynewidget.List
	p *Pane
}

// TypedRune implements fyne.Focusable.
func (l *layerList) TypedRune(r rune) { l.p.site.Keys.OnRune(r) }

// TypedKey implements fyne.Focusable.
func (l *layerList) TypedKey(ev *fyne.KeyEvent) { l.p.site.Keys.OnKey(ev) }

func (p *Pane) build() fyne.CanvasObject {
	p.list = &layerList{p: p}
	p.list.Length = func() int { return len(p.view.Layers) }
	p.list.CreateItem = func() fyne.CanvasObject { return newRow() }
	p.list.UpdateItem = func(at fynewidget.ListItemID, o fyne.CanvasObject) {
		r := o.(*row)
		r.view, r.at, r.lanes, r.joined = &p.view, at, p.lanes, theme.Padding()
		_, r.found = slices.BinarySearch(p.found, at)
		r.Refresh()
	}
	p.list.HideSeparators = true
	p.list.OnSelected = func(at fynewidget.ListItemID) {
		p.selected = at
		p.showFacts()
		p.site.Refocus()
	}
	p.list.ExtendBaseWidget(p.list)
	body := container.NewHSplit(container.NewBorder(p.buildSearch(), nil, nil, nil, p.list), p.buildFacts())
	body.SetOffset(listShare)
	return body
}

func (p *Pane) buildSearch() fyne.CanvasObject {
	p.search = widget.NewEntry()
	p.search.SetPlaceHolder("search: operator, name, shape, position")
	p.search.OnChanged = p.Search
	p.search.OnSubmitted = func(string) { p.Next(1) }
	p.search.OnEscape = p.site.Refocus
	p.hits, p.sum = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	p.hits.Alignment, p.sum.Truncation = fyne.TextAlignTrailing, fyne.TextTruncateEllipsis
	up := p.site.IconButton(theme.MoveUpIcon(), "The hit before", func() { p.Next(-1) })
	down := p.site.IconButton(theme.MoveDownIcon(), "The next hit", func() { p.Next(1) })
	up.Importance, down.Importance = fynewidget.LowImportance, fynewidget.LowImportance
	right := container.NewHBox(picture.Wide(90, p.hits), up, down, picture.Wide(200, p.sum))
	return container.NewBorder(nil, nil, nil, right, p.search)
}

func (p *Pane) buildFacts() fyne.CanvasObject {
	p.facts = fynewidget.NewLabel("")
	p.facts.Wrapping = fyne.TextWrapBreak
	p.look = fynewidget.NewButtonWithIcon("Show as position", theme.VisibilityIcon(), p.ShowPosition)
	p.use = fynewidget.NewButton("Use as…", p.askUse)
	p.scrolled = container.NewVScroll(p.facts)
	p.unselected = fynewidget.NewLabel("Choose a layer to see what it takes and makes, and to show or use its tensor " +
		"as a position.")
	p.unselected.Wrapping = fyne.TextWrapWord
	buttons := container.NewGridWithColumns(2, p.look, p.use)
	return container.NewBorder(nil, buttons, nil, nil, container.NewStack(p.scrolled, p.unselected))
}

// askUse opens the menu of the positions that the selected tensor can be used as, and those to be
// given back.
func (p *Pane) askUse() {
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", p.uses()...), p.site.Window.Canvas())
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.use)
	menu.ShowAtPosition(fyne.NewPos(at.X, at.Y-menu.MinSize().Height))
}

func (p *Pane) uses() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	assigned := p.view.Model.Correction.Positions
	for _, position := range assignable {
		if p.tensor() != "" && assigned[position] != p.tensor() {
			items = append(items, fyne.NewMenuItem(fmt.Sprintf("Use as %s", position), func() { p.Assign(position) }))
		}
	}
	for _, position := range assignable {
		if tensor, ok := assigned[position]; ok {
			items = append(items, fyne.NewMenuItem(fmt.Sprintf("Take %s back from %s", position, tensor),
				func() { p.Release(position) }))
		}
	}
	return items
}

func (p *Pane) showFacts() {
	at := p.selected
	chosen := at >= 0 && at < len(p.view.Layers)
	if chosen {
		var lines []string
		for _, fact := range p.view.Facts(at) {
			lines = append(lines, fact.Name+":  "+fact.Value)
		}
		p.facts.SetText(strings.Join(lines, "\n"))
	}
	widget.Show(p.scrolled, chosen)
	widget.Show(p.unselected, !chosen)
	widget.Enable(p.look, p.tensor() != "")
	widget.Enable(p.use, len(p.uses()) > 0)
}
