package compare

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// The entries of the menus that are no model and no modality.
const (
	allRows      = "all matrices as rows"
	noDifference = "no difference"
)

// widgets holds the pane's widgets. Heads and tiles are kept and hidden, since making them is slow.
type widgets struct {
	columns int

	add, save, turn *fynewidget.Button
	rows, pairs     *widget.Picker
	common          *fynewidget.Check
	readOut         *fynewidget.Label
	heads           []*head
	headRow         *fyne.Container
	tiles           []*widget.MatrixTile
	shown           int             // of the tiles
	link            widget.Link     // the crosshair that all tiles share
	grid            *fyne.Container // of the tiles, each with its least height
	scroll          *container.Scroll
	curves          *curves
	body            *fyne.Container // matrices and curves
	note            *fynewidget.Label
}

// head stands above a column: the model and a menu of what can be done with it.
type head struct {
	box           *fyne.Container
	name, caption *fynewidget.Label
	menu          *widget.HintButton
}

func (p *Pane) build() fyne.CanvasObject {
	p.widgets = &widgets{columns: 1, grid: container.NewGridWithColumns(1), headRow: container.NewGridWithColumns(1)}
	for k := range Most + 1 {
		h := &head{name: widget.Bold(""), caption: fynewidget.NewLabel("")}
		h.name.Truncation, h.caption.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
		h.caption.SizeName = theme.SizeNameCaptionText
		h.menu = p.site.IconButton(theme.MoreVerticalIcon(), "What can be done with this model", func() {
			widget.PopUpBelow(h.menu, p.site.Window.Canvas(), p.headItems(k)...)
		})
		h.menu.Importance = fynewidget.LowImportance
		lines := container.New(layout.NewCustomPaddedVBoxLayout(headOverlap), h.name, h.caption)
		h.box = container.NewBorder(nil, nil, nil, h.menu, lines)
		h.box.Hide()
		p.heads = append(p.heads, h)
		p.headRow.Add(h.box)
	}
	p.note = fynewidget.NewLabel("")
	p.note.Wrapping, p.note.Alignment = fyne.TextWrapWord, fyne.TextAlignCenter
	p.note.Hide()
	p.curves = newCurves(p)
	p.scroll = container.NewVScroll(p.grid)
	matrices := container.NewBorder(p.headRow, nil, nil, nil, p.scroll)
	p.body = container.New(bodyLayout{p}, matrices, p.curves.accuracy.Object(), p.curves.row.Object())
	return container.NewBorder(container.NewVBox(p.buildBar(), p.note), nil, nil, nil, p.body)
}

// headOverlap brings the two lines of a head closer than labels stand by themselves.
const headOverlap = -12

// headItems are what can be done with the model at a place.
func (p *Pane) headItems(place int) []*fyne.MenuItem {
	if place >= len(p.answer.result.Columns) {
		return nil
	}
	id := p.answer.result.Columns[place].Name
	remove := fyne.NewMenuItem(fmt.Sprintf("Remove %s", id), func() { p.Remove(place) })
	if place > len(p.others) { // the shown model under another interpolation
		return []*fyne.MenuItem{remove}
	}
	return []*fyne.MenuItem{
		fyne.NewMenuItem(fmt.Sprintf("Choose another model in place of %s…", id), func() { p.ask(place) }),
		fyne.NewMenuItem(fmt.Sprintf("Inspect %s and compare %s with it", id, p.subject().Model.ID),
			func() { p.Swap(place) }),
		fyne.NewMenuItemSeparator(),
		remove,
	}
}

func (p *Pane) buildBar() fyne.CanvasObject {
	p.add = fynewidget.NewButtonWithIcon("Add model…", theme.ContentAddIcon(), func() { p.ask(len(p.others) + 1) })
	p.rows = p.site.Menu(func(name string) {
		p.modality, p.picked = name, true
		p.page.Changed()
	})
	p.pairs = p.site.Menu(func(string) { p.Difference(pairOf(p.pairs.SelectedIndex(), len(p.answer.result.Columns))) })
	p.turn = fynewidget.NewButton("Swap", func() {
		p.Difference(p.answer.result.Query.Subtrahend, p.answer.result.Query.Minuend)
	})
	p.common = fynewidget.NewCheck("the same images for all", func(on bool) {
		if on != p.same {
			p.same = on
			p.page.Changed()
			p.site.Refocus()
		}
	})
	p.save = p.site.MenuButton("Save…", theme.DocumentSaveIcon(), func() (items []*fyne.MenuItem) {
		for _, format := range render.Formats() {
			items = append(items, fyne.NewMenuItem(fmt.Sprintf("One figure as %s…", strings.ToUpper(format)),
				func() { p.Save(format) }))
		}
		return items
	})
	p.readOut = fynewidget.NewLabel("")
	p.readOut.Truncation = fyne.TextTruncateEllipsis
	left := container.NewHBox(p.add, picture.Wide(170, p.rows.Object()), picture.Wide(200, p.pairs.Object()),
		p.turn, p.common)
	return container.NewBorder(nil, p.readOut, left, p.save, nil)
}

// pairList are the pairs of n models in the order of the menu: none first, then 0 - 1, 0 - 2, ...,
// each also turned around.
func pairList(n int) [][2]int {
	list := [][2]int{{0, 0}}
	for a := range n {
		for b := range n {
			if a != b {
				list = append(list, [2]int{a, b})
			}
		}
	}
	return list
}

func pairOf(entry, n int) (minuend, subtrahend int) {
	if list := pairList(n); entry >= 0 && entry < len(list) {
		return list[entry][0], list[entry][1]
	}
	return 0, 0
}

// show draws a comparison.
func (p *Pane) show(r Result) {
	p.columns = len(r.Columns)
	if r.Difference != nil {
		p.columns++
	}
	p.grid.Layout, p.headRow.Layout = layout.NewGridLayoutWithColumns(p.columns),
		layout.NewGridLayoutWithColumns(p.columns)
	p.showMenus(r)
	for k, h := range p.heads {
		widget.Show(h.box, k < p.columns)
		widget.Show(h.menu, k > 0 && k < len(r.Columns))
		switch {
		case k < len(r.Columns):
			h.name.SetText(r.Columns[k].Name)
			h.caption.SetText(r.Head(k))
		case k < p.columns:
			h.name.SetText(r.DifferenceName())
			h.caption.SetText("difference, with its own symmetric range")
		}
	}
	p.showTiles(r)
	note := ""
	switch {
	case r.Problem != "":
		note = r.Problem
	case len(r.Columns) < 2:
		note = fmt.Sprintf("Add a model to see its matrices beside those of %s.", r.Columns[0].Model.ID)
	case p.beside != "":
		note = crossText
	}
	p.note.SetText(note)
	widget.Show(p.note, note != "")
	p.curves.show(r, p.subject().Focus)
	p.mark(slices.ContainsFunc(p.tiles[:p.shown], func(t *widget.MatrixTile) bool {
		return t.Heatmap().Cursor().Inside
	}))
	p.body.Refresh()
	p.headRow.Refresh()
	p.grid.Refresh()
}

// oneRow tells whether the matrices leave room for curves: one modality, and something to draw.
func (p *Pane) oneRow() bool {
	r := p.answer.result
	return len(r.Query.Modalities) == 1 && r.Problem == "" && slices.ContainsFunc(r.Columns,
		func(c Column) bool { return c.Tiles[0].Matrix.N > 0 })
}

func (p *Pane) showMenus(r Result) {
	rows := append(widget.ByName(r.Query.Subject.Evidence.Modalities()...), widget.Option{Name: allRows})
	p.rows.Offer(rows, p.modality)
	pairs := make([]widget.Option, 0, Most*Most)
	at := ""
	for _, pair := range pairList(len(r.Columns)) {
		o := widget.Option{Key: fmt.Sprint(pair), Name: noDifference}
		if pair[0] != pair[1] {
			o.Name = r.Columns[pair[0]].Name + " - " + r.Columns[pair[1]].Name
		}
		if at == "" || r.Difference != nil && pair == [2]int{r.Query.Minuend, r.Query.Subtrahend} {
			at = o.Key
		}
		pairs = append(pairs, o)
	}
	p.pairs.Offer(pairs, at)
	p.common.SetText(sameWords(r.Query.Subject.Images))
	p.common.SetChecked(p.same)
	widget.Enable(p.add, len(p.others) < p.room())
	widget.Enable(p.save, len(r.Columns) > 0)
	widget.Enable(p.turn, r.Difference != nil)
	widget.Enable(p.pairs, len(r.Columns) > 1)
	widget.Enable(p.common, len(r.Columns) > 1)
}

func (p *Pane) showTiles(r Result) {
	p.shown = 0
	put := func(t Tile, title string) {
		if p.shown == len(p.tiles) {
			p.addTile()
		}
		tile := p.tiles[p.shown]
		tile.SetTitle(title)
		if t.Matrix.N == 0 {
			tile.SetAbsent(t.Reason)
		} else {
			tile.SetPicture(t.Picture)
		}
		p.grid.Objects[p.shown].Show()
		p.shown++
	}
	for k, modality := range r.Query.Modalities {
		for _, c := range r.Columns {
			put(c.Tiles[k], modality)
		}
		if r.Difference != nil {
			put(r.Difference[k], modality)
		}
	}
	for _, box := range p.grid.Objects[p.shown:] {
		box.Hide()
	}
}

func (p *Pane) addTile() {
	k := len(p.tiles)
	tile := widget.NewMatrixTile("")
	heat := tile.Heatmap()
	heat.OnRune, heat.Wheel = p.site.Keys.OnRune, widget.Scrolling(p.scroll)
	p.link.Add(&heat.Plot)
	tile.OnHover = func(c widget.Cell) { p.hover(k, c) }
	tile.OnTapped = func(c widget.Cell) { // moves the screen's focus
		q := p.answer.result.Query
		p.site.Screen.Mark(pane.Focus{
			Modality: q.Modalities[k/p.columns], I: q.Subject.First + c.I, J: q.Subject.First + c.J,
		})
	}
	least := canvas.NewRectangle(color.Transparent)
	least.SetMinSize(fyne.NewSize(0, leastRow))
	p.tiles = append(p.tiles, tile)
	p.grid.Add(container.NewStack(least, tile))
}

// crossText says what the same matrix under another interpolation shows.
const crossText = "The untouched image, at 0, is not resampled; all others are. A bright cross at 0 that vanishes " +
	"under nearest-neighbour interpolation shows what resampling does to the model, not what the transformation does."

// pointHint stands where the values of an element stand once there is one.
const pointHint = "Point at an element to read it off in all models; click to keep it in focus on the other tabs."

// hover reads off the element under the pointer in all matrices, which have one crosshair.
func (p *Pane) hover(tile int, c widget.Cell) {
	if !c.Inside {
		p.mark(false)
		return
	}
	p.readOut.SetText(p.answer.result.ReadOut(tile/p.columns, c.I, c.J))
	p.curves.point(p.answer.result, tile/p.columns, c.I, c.J)
}

// mark outlines the screen's focus in all matrices, and reads it off unless something else is
// pointed at.
func (p *Pane) mark(pointed bool) {
	r, focus := p.answer.result, p.subject().Focus
	s := r.Query.Subject
	var marks []widget.Mark
	text := pointHint
	if focus.Cell() && focus.I >= s.First && focus.I <= s.Last && focus.J >= s.First && focus.J <= s.Last {
		marks = []widget.Mark{{I: focus.I - s.First, J: focus.J - s.First}}
		text = r.ReadOut(max(slices.Index(r.Query.Modalities, focus.Modality), 0), focus.I-s.First, focus.J-s.First)
	}
	for _, tile := range p.tiles[:p.shown] {
		tile.Heatmap().SetMarks(marks)
	}
	if !pointed {
		p.readOut.SetText(text)
		p.curves.follow(r, focus)
	}
}
