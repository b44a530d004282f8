package dscore

import (
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// modelsPane is the table of models, with the maps of the selected one below it.
type modelsPane struct {
	s         *Screen
	filter    *widget.Entry
	columns   *fynewidget.Button
	intervals *fynewidget.Check
	table     *widget.Table
	detail    *detail
	object    fyne.CanvasObject
}

// tableShare is the share of the height that the table takes.
const tableShare = 0.4

func newModelsPane(s *Screen) *modelsPane {
	p := &modelsPane{s: s, detail: newDetail(s)}
	p.buildTable()
	p.filter = widget.NewEntry()
	p.filter.SetPlaceHolder("Filter: vgg  -leak  accuracy>0.9  p<0.5")
	p.filter.OnChanged = func(text string) {
		s.view.Filter(text)
		p.arranged()
	}
	p.filter.OnSubmitted = func(string) { s.Focus() }
	p.filter.OnEscape = s.Focus
	p.columns = fynewidget.NewButtonWithIcon("Columns…", theme.ListIcon(), func() { s.face.popUp(p.columns, p.columnMenu()) })
	p.intervals = fynewidget.NewCheck("intervals", s.ShowIntervals)
	head := container.NewBorder(nil, nil, nil, container.NewHBox(p.intervals, p.columns), p.filter)
	split := container.NewVSplit(p.table, p.detail.object)
	split.Offset = tableShare
	p.object = container.NewBorder(head, nil, nil, nil, split)
	return p
}

func (p *modelsPane) buildTable() {
	s := p.s
	p.table = widget.NewTable(nil, s.view.Len, func(row, col int) string { return s.view.Cell(row, col, !s.settings.NoIntervals) })
	p.table.StickyColumnCount = 2
	p.table.OnHint = s.deps.Status
	p.table.OnRow = func(row int) {
		if r, ok := s.view.At(row); ok {
			s.Select(r.Model.Hash)
			s.deps.Status(s.view.Detail(row))
		}
	}
	p.table.OnCell = func(row, col int) {
		if r, ok := s.view.At(row); ok && col == 0 {
			s.Mark(r.Model.Hash)
		}
	}
	p.table.OnKey = func(ev *fyne.KeyEvent) bool {
		r, ok := s.view.At(p.table.Selected())
		if ev.Name != fyne.KeySpace || !ok {
			return false
		}
		s.Mark(r.Model.Hash)
		return true
	}
	p.table.OnOpen = func(row int) {
		if r, ok := s.view.At(row); ok {
			s.deps.Inspect(r.Model.Hash)
		}
	}
	p.table.OnSort = func(col int) {
		if list := s.view.Columns(); col < len(list) {
			s.view.SortBy(list[col].Key)
			p.arranged()
		}
	}
	p.table.OnRune = func(r rune) { // begins to filter
		if r != ' ' {
			s.deps.Window.Canvas().Focus(p.filter)
			p.filter.TypedRune(r)
		}
	}
}

// columnMenu chooses the columns of the training records.
func (p *modelsPane) columnMenu() []*fyne.MenuItem {
	v := p.s.view
	var items []*fyne.MenuItem
	for _, name := range model.RecordNames(v.Models, 2, math.MaxInt) {
		has := slices.Contains(v.Records(), name)
		item := fyne.NewMenuItem(name, func() {
			if has {
				p.s.ShowRecords(withoutName(v.Records(), name))
			} else {
				p.s.ShowRecords(append(slices.Clone(v.Records()), name))
			}
		})
		item.Checked = has
		items = append(items, item)
	}
	if len(items) == 0 {
		none := fyne.NewMenuItem("the training records tell no models apart", nil)
		none.Disabled = true
		items = append(items, none)
	}
	return items
}

// show brings everything up to date.
func (p *modelsPane) show() {
	v := p.s.view
	p.intervals.SetChecked(!p.s.settings.NoIntervals)
	p.setColumns()
	p.arranged()
	p.detail.show(v.Selected())
}

// The least widths of the columns of marks and names, and the largest of one of the training
// records, in device-independent pixels.
const markWidth, modelWidth, recordWidth = 30, 72, 150

func (p *modelsPane) setColumns() {
	v := p.s.view
	var titles, hints []string
	for _, c := range v.Columns() {
		titles, hints = append(titles, c.Title), append(hints, c.Help)
	}
	list := widths(titles, hints, v.Len(), func(row, col int) string { return v.Cell(row, col, !p.s.settings.NoIntervals) })
	for k, c := range v.Columns() {
		list[k].Right = c.Value != nil
		switch width := list[k].Width; {
		case c.Key == keyMark:
			list[k].Width = max(width, markWidth*widget.Grown())
		case c.Key == keyModel:
			list[k].Width = max(width, modelWidth*widget.Grown())
		case strings.HasPrefix(c.Key, result.RecordKey("")):
			list[k].Width = min(width, max(recordWidth*widget.Grown(), widget.HeadingWidth(c.Title)))
		}
	}
	p.table.SetColumns(list)
}

// arranged shows other rows, or the rows in another order.
func (p *modelsPane) arranged() {
	v := p.s.view
	key, descending := v.Order()
	p.table.SetSort(slices.IndexFunc(v.Columns(), func(c Column) bool { return c.Key == key }), descending)
	p.table.Reload()
	p.table.SelectRow(v.Index())
	p.s.face.caption.SetText(v.Caption())
}

// selected shows another model.
func (p *modelsPane) selected() {
	if at := p.s.view.Index(); at != p.table.Selected() {
		p.table.SelectRow(at)
	}
	p.detail.show(p.s.view.Selected())
}
