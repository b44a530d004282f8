package compare

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// The entries of the menus that are no model and no modality.
const (
	allRows      = "all matrices as rows"
	noDifference = "no difference"
)

// face holds the pane's widgets. Heads and tiles are kept and hidden, since making them is slow.
type face struct {
	p       *Pane
	ground  *pane.Ground
	quiet   bool // menus are being set, not used
	columns int

	add, save, turn *fynewidget.Button
	rows, pairs     *fynewidget.Select
	same            *fynewidget.Check
	readOut         *fynewidget.Label
	heads           []*head
	headRow         *fyne.Container
	tiles           []*widget.MatrixTile
	grid            *fyne.Container
	scroll          *container.Scroll
	curves          *curves
	body            *fyne.Container // matrices and curves
	note            *fynewidget.Label
}

// head stands above a column: the model and a menu of what can be done with it.
type head struct {
	box           *fyne.Container
	name, caption *fynewidget.Label
	menu          *fynewidget.Button
}

func newFace(p *Pane) *face {
	f := &face{p: p, columns: 1}
	f.grid = container.New(gridLayout{&f.columns})
	f.headRow = container.New(headLayout{&f.columns})
	for k := range Most + 1 {
		h := f.newHead(k)
		f.heads = append(f.heads, h)
		f.headRow.Add(h.box)
	}
	f.note = fynewidget.NewLabel("")
	f.note.Wrapping, f.note.Alignment = fyne.TextWrapWord, fyne.TextAlignCenter
	f.note.Hide()
	f.scroll = container.NewVScroll(f.grid)
	f.curves = newCurves(p)
	matrices := container.NewBorder(f.headRow, nil, nil, nil, f.scroll)
	f.body = container.New(bodyLayout{f}, matrices, f.curves.boxes[0], f.curves.boxes[1])
	top := container.NewVBox(f.buildBar(), f.note)
	f.ground = pane.NewGround(container.NewBorder(top, nil, nil, nil, f.body), p.deps.Keys, f.grid)
	return f
}

func (f *face) newHead(place int) *head {
	h := &head{name: fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true}), caption: fynewidget.NewLabel("")}
	h.name.Truncation, h.caption.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	h.caption.SizeName = theme.SizeNameCaptionText
	h.menu = fynewidget.NewButtonWithIcon("", theme.MoreVerticalIcon(), func() { f.popUp(h.menu, f.headItems(place)) })
	h.menu.Importance = fynewidget.LowImportance
	lines := container.New(layout.NewCustomPaddedVBoxLayout(headOverlap), h.name, h.caption)
	h.box = container.NewBorder(nil, nil, nil, h.menu, lines)
	h.box.Hide()
	return h
}

// headOverlap brings the two lines of a head closer than labels stand by themselves.
const headOverlap = -12

// headItems are what can be done with the model at a place.
func (f *face) headItems(place int) []*fyne.MenuItem {
	if place >= len(f.p.result.Columns) {
		return nil
	}
	item := func(label string, act func()) *fyne.MenuItem {
		return fyne.NewMenuItem(label, func() { act(); f.ground.TakeBack() })
	}
	id := f.p.result.Columns[place].Name
	if place > len(f.p.others) { // the shown model under another interpolation
		return []*fyne.MenuItem{item(fmt.Sprintf("Remove %s", id), func() { f.p.Remove(place) })}
	}
	return []*fyne.MenuItem{
		item(fmt.Sprintf("Choose another model in place of %s…", id), func() { f.p.ask(place) }),
		item(fmt.Sprintf("Inspect %s and compare %s with it", id, f.p.subject.Model.ID), func() { f.p.Swap(place) }),
		fyne.NewMenuItemSeparator(),
		item(fmt.Sprintf("Remove %s", id), func() { f.p.Remove(place) }),
	}
}

// popUp opens a menu below the right end of a button.
func (f *face) popUp(below *fynewidget.Button, items []*fyne.MenuItem) {
	driver := fyne.CurrentApp().Driver()
	over := driver.CanvasForObject(below)
	if over == nil || len(items) == 0 {
		return
	}
	f.ground.TakeBack()
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), over)
	at := driver.AbsolutePositionForObject(below)
	menu.ShowAtPosition(fyne.NewPos(at.X+below.Size().Width-menu.MinSize().Width, at.Y+below.Size().Height))
}

func (f *face) menu(options []string, width float32, chosen func(m *fynewidget.Select)) (*fynewidget.Select, fyne.CanvasObject) {
	m := fynewidget.NewSelect(options, nil)
	m.OnChanged = func(string) {
		if !f.quiet {
			chosen(m)
			f.ground.TakeBack()
		}
	}
	return m, container.NewGridWrap(fyne.NewSize(width, m.MinSize().Height), m)
}

func (f *face) buildBar() fyne.CanvasObject {
	f.add = fynewidget.NewButtonWithIcon("Add model…", theme.ContentAddIcon(), func() { f.p.ask(len(f.p.others) + 1) })
	var rows, pairs fyne.CanvasObject
	f.rows, rows = f.menu(nil, 170, func(m *fynewidget.Select) {
		f.p.modality, f.p.picked = m.Selected, true
		if m.Selected == allRows {
			f.p.modality = ""
		}
		f.p.refresh()
	})
	f.pairs, pairs = f.menu(nil, 200, func(m *fynewidget.Select) {
		a, b := pairOf(m.SelectedIndex(), len(f.p.result.Columns))
		f.p.Difference(a, b)
	})
	f.turn = fynewidget.NewButton("Swap", func() {
		q := f.p.result.Query
		f.p.Difference(q.Subtrahend, q.Minuend)
		f.ground.TakeBack()
	})
	f.same = fynewidget.NewCheck("the same images for all", func(on bool) {
		if !f.quiet {
			f.p.same = on
			f.p.refresh()
			f.ground.TakeBack()
		}
	})
	f.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), f.askSave)
	f.readOut = fynewidget.NewLabel("")
	f.readOut.Truncation = fyne.TextTruncateEllipsis
	left := container.NewHBox(f.add, rows, pairs, f.turn, f.same)
	return container.NewBorder(nil, f.readOut, left, f.save, nil)
}

// askSave opens the menu of formats.
func (f *face) askSave() {
	var items []*fyne.MenuItem
	for _, format := range render.Formats() {
		items = append(items, fyne.NewMenuItem(fmt.Sprintf("One figure as %s…", strings.ToUpper(format)), func() { f.p.Save(format) }))
	}
	f.popUp(f.save, items)
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

func (f *face) busy() { f.readOut.SetText("reading…") }

// problem says why nothing is compared.
func (f *face) problem(text string) {
	f.readOut.SetText("")
	f.note.SetText(text)
	f.note.Show()
}

// clear lets go of what is drawn.
func (f *face) clear() {
	for _, t := range f.tiles {
		t.SetAbsent("")
		t.Hide()
	}
	for _, h := range f.heads {
		h.box.Hide()
	}
	f.curves.show(Result{}, pane.Focus{})
	f.readOut.SetText("")
	f.note.Hide()
}

// show draws a comparison.
func (f *face) show(r Result) {
	f.columns = len(r.Columns)
	if r.Difference != nil {
		f.columns++
	}
	f.showMenus(r)
	f.showHeads(r)
	f.showTiles(r)
	switch {
	case r.Problem != "":
		f.problem(r.Problem)
	case len(r.Columns) < 2:
		f.problem(fmt.Sprintf("Add a model to see its matrices beside those of %s.", r.Columns[0].Model.ID))
	case f.p.beside != "":
		f.problem(crossText)
		f.readOut.SetText(pointHint)
	default:
		f.note.Hide()
		f.readOut.SetText(pointHint)
	}
	f.curves.show(r, f.p.subject.Focus)
	f.body.Refresh()
	f.headRow.Refresh()
	f.grid.Refresh()
	f.ground.Refresh()
}

// oneRow tells whether the matrices leave room for curves: one modality, and something to draw.
func (f *face) oneRow() bool {
	r := f.p.result
	return len(r.Query.Modalities) == 1 && r.Problem == "" && slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Tiles[0].Matrix.N > 0 })
}

func (f *face) showMenus(r Result) {
	f.quiet = true
	defer func() { f.quiet = false }()
	names := modalitiesOf(r.Query.Subject.Evidence)
	f.rows.SetOptions(append(slices.Clone(names), allRows))
	if f.p.modality == "" {
		f.rows.SetSelected(allRows)
	} else {
		f.rows.SetSelected(f.p.modality)
	}
	var pairs []string
	at := 0
	for k, pair := range pairList(len(r.Columns)) {
		text := noDifference
		if k > 0 {
			text = r.Columns[pair[0]].Name + " - " + r.Columns[pair[1]].Name
		}
		if r.Difference != nil && pair == [2]int{r.Query.Minuend, r.Query.Subtrahend} {
			at = k
		}
		pairs = append(pairs, text)
	}
	f.pairs.SetOptions(pairs)
	f.pairs.SetSelectedIndex(at)
	f.same.SetText(sameWords(r.Query.Subject.Images))
	f.same.SetChecked(f.p.same)
	widget.Enable(f.add, len(f.p.others) < f.p.room())
	widget.Enable(f.save, len(r.Columns) > 0)
	widget.Enable(f.turn, r.Difference != nil)
	widget.Enable(f.pairs, len(r.Columns) > 1)
	widget.Enable(f.same, len(r.Columns) > 1)
}

func (f *face) showHeads(r Result) {
	for k, h := range f.heads {
		if k >= f.columns {
			h.box.Hide()
			continue
		}
		h.menu.Hide()
		h.box.Show()
		if k == len(r.Columns) {
			h.name.SetText(r.DifferenceName())
			h.caption.SetText("difference, with its own symmetric range")
			continue
		}
		h.name.SetText(r.Columns[k].Name)
		h.caption.SetText(r.Head(k))
		if k > 0 {
			h.menu.Show()
		}
	}
}

func (f *face) showTiles(r Result) {
	var tiles []Tile
	var titles []string
	for k, modality := range r.Query.Modalities {
		for _, c := range r.Columns {
			tiles, titles = append(tiles, c.Tiles[k]), append(titles, modality)
		}
		if r.Difference != nil {
			tiles, titles = append(tiles, r.Difference[k]), append(titles, modality)
		}
	}
	for len(f.tiles) < len(tiles) {
		f.addTile()
	}
	for k, tile := range f.tiles {
		if k >= len(tiles) {
			tile.Hide()
			continue
		}
		tile.SetTitle(titles[k])
		if tiles[k].Matrix.N == 0 {
			tile.SetAbsent(tiles[k].Reason)
		} else {
			tile.SetPicture(tiles[k].Picture)
		}
		tile.Show()
	}
}

func (f *face) addTile() {
	k := len(f.tiles)
	tile := widget.NewMatrixTile("")
	tile.Heatmap().Keys = f.p.deps.Keys
	tile.OnHover = func(c widget.Cell) { f.hover(k, c) }
	tile.OnTapped = func(c widget.Cell) { f.p.tapped(k/f.columns, c) }
	f.tiles = append(f.tiles, tile)
	f.grid.Add(tile)
}

// crossText says what the same matrix under another interpolation shows.
const crossText = "The untouched image, at 0, is not resampled; all others are. A bright cross at 0 that vanishes under nearest-neighbour interpolation shows what resampling does to the model, not what the transformation does."

// pointHint stands where the values of an element stand once there is one.
const pointHint = "Point at an element to read it off in all models; click to keep it in focus on the other tabs."

// hover shows the element under the pointer in all matrices, with its values.
func (f *face) hover(tile int, c widget.Cell) {
	if !c.Inside {
		f.mark(f.p.subject.Focus)
		return
	}
	f.readOut.SetText(f.p.result.ReadOut(tile/f.columns, c.I, c.J))
	f.curves.point(f.p.result, tile/f.columns, c.I, c.J)
	f.outline([]widget.Mark{{I: c.I, J: c.J}})
}

// mark outlines the screen's focus in all matrices and shows its values, unless the pointer is on
// another element.
func (f *face) mark(focus pane.Focus) {
	for k, tile := range f.tiles {
		if c := tile.Heatmap().Cursor(); tile.Visible() && c.Inside {
			f.hover(k, c)
			return
		}
	}
	s := f.p.subject
	f.curves.follow(f.p.result, focus)
	if !focus.Cell() || focus.I < s.First || focus.I > s.Last || focus.J < s.First || focus.J > s.Last {
		f.readOut.SetText(pointHint)
		f.outline(nil)
		return
	}
	i, j := focus.I-s.First, focus.J-s.First
	row := max(slices.Index(f.p.result.Query.Modalities, focus.Modality), 0)
	f.readOut.SetText(f.p.result.ReadOut(row, i, j))
	f.outline([]widget.Mark{{I: i, J: j}})
}

func (f *face) outline(marks []widget.Mark) {
	for _, tile := range f.tiles {
		if tile.Visible() {
			tile.Heatmap().SetMarks(marks)
		}
	}
}

// placeName is the title of the dialog that chooses a model for a place.
func (f *face) placeName(place int) string {
	if place <= len(f.p.others) {
		return fmt.Sprintf("Model %d", place+1)
	}
	return "Add a model"
}
