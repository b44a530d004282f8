package findings

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// modelsPart is the table of all models that ran in the scenes, with worst-case over accuracy beside it.
type modelsPart struct {
	p       *Page
	filter  *widget.Entry
	caption *fynewidget.Label
	head    *fyne.Container
	left    *fynewidget.Button
	list    *widget.Table
	fitted  *fyne.Container
	plot    *widget.Scatter
	content fyne.CanvasObject
}

// tableShare is the share of the width that the table takes.
const tableShare = 0.6

func newModelsPart(p *Page) *modelsPart {
	m := &modelsPart{p: p, caption: note(""), plot: widget.NewScatter()}
	m.buildTable()
	m.fitted = evidence.Fit(m.list, m.columns)
	m.filter = widget.NewEntry()
	m.filter.SetPlaceHolder("Filter: vgg  variant  accuracy>0.9  worstcase<0.1")
	m.filter.OnChanged = func(text string) {
		p.view.Filter(text)
		m.arranged()
	}
	m.filter.OnSubmitted = func(string) { p.Focus() }
	m.filter.OnEscape = p.Focus
	m.left = fynewidget.NewButtonWithIcon("", theme.MediaPlayIcon(), func() { p.run(p.view.Selection, p.view.withoutRun()) })
	m.plot.OnHover = p.deps.Host.Say
	m.plot.OnTapped = func(point int) { m.selectRow(point) }
	m.plot.OnOpen = func(point int) { m.open(point) }
	p.saver.ConnectScatter(m.plot, func() []string { return []string{"worst-case", p.view.Selection.Name} })
	columns := p.menuButton("Columns…", theme.ListIcon(), m.columnMenu)
	m.head = container.NewBorder(nil, nil, nil, container.NewHBox(m.left, columns, p.exportButton(m)), m.filter)
	split := container.NewHSplit(m.fitted, m.plot)
	split.Offset = tableShare
	m.content = container.NewBorder(container.NewVBox(m.head, m.caption), nil, nil, nil, split)
	return m
}

func (m *modelsPart) buildTable() {
	p := m.p
	m.list = widget.NewTable(nil, p.view.Len, p.view.Cell)
	m.list.StickyColumnCount = 1
	m.list.OnHint = p.deps.Host.Say
	m.list.OnRow = m.selectRow
	m.list.OnOpen = m.open
	m.list.OnSort = func(col int) {
		if col < len(p.view.columns) {
			p.view.SortBy(p.view.columns[col].Key)
			m.arranged()
		}
	}
	m.list.OnRune = func(r rune) { // begins to filter
		if r != ' ' {
			p.deps.Host.Window.Canvas().Focus(m.filter)
			m.filter.TypedRune(r)
		}
	}
}

func (m *modelsPart) open(row int) {
	if r, ok := m.p.view.At(row); ok {
		m.p.deps.Inspect(r.Model.Hash)
	}
}

// selectRow looks at the model of a row, in the table and among the points.
func (m *modelsPart) selectRow(row int) {
	r, ok := m.p.view.At(row)
	if !ok {
		return
	}
	m.p.view.Select(r.Model.Hash)
	if m.list.Selected() != row {
		m.list.SelectRow(row)
	}
	m.plot.SetMarked([]int{row})
	m.p.deps.Host.Say(m.p.view.Line(r))
}

// columnMenu chooses the columns of the training records.
func (m *modelsPart) columnMenu() []*fyne.MenuItem {
	v := m.p.view
	var items []*fyne.MenuItem
	for _, name := range v.recordColumns() {
		item := fyne.NewMenuItem(name, func() {
			v.ToggleRecord(name)
			m.show()
		})
		item.Checked = slices.Contains(v.records, name)
		items = append(items, item)
	}
	if len(items) == 0 {
		none := fyne.NewMenuItem("the training records tell no models apart", nil)
		none.Disabled = true
		items = append(items, none)
	}
	return items
}

// The usual widths of columns of names, of one of the training records and of numbers; texts of records are cut.
const nameWidth, recordWidth, numberWidth = 70, 104, 78

func (m *modelsPart) columns() []widget.Column {
	var list []widget.Column
	for _, c := range m.p.view.columns {
		width := float32(numberWidth)
		switch {
		case c.Key == keyModel:
			width = nameWidth
		case strings.HasPrefix(c.Key, keyRecord):
			width = recordWidth
		}
		list = append(list, widget.Column{Title: c.Title, Hint: c.Hint, Width: max(width, widget.HeadingWidth(c.Title)/widget.Grown()), Right: c.Value != nil})
	}
	return list
}

func (m *modelsPart) object() fyne.CanvasObject { return m.content }
func (m *modelsPart) table() *widget.Table      { return m.list }
func (m *modelsPart) moved()                    {}
func (m *modelsPart) close()                    {}

func (m *modelsPart) entries() []*fyne.MenuItem {
	p := m.p
	return with(p.tableEntries("models", p.view.Table), "Chart", m.plot.Menu())
}

// show implements part.
func (m *modelsPart) show() {
	missing := m.p.view.withoutRun()
	m.left.SetText(m.p.runHelp(m.p.view.Selection, missing).Text)
	m.left.Hidden = len(missing) == 0 || m.p.deps.Start == nil
	m.head.Refresh()
	m.fitted.Refresh()
	m.arranged()
}

// arranged shows other rows, or the rows in another order.
func (m *modelsPart) arranged() {
	v := m.p.view
	m.list.SetSort(slices.IndexFunc(v.columns, func(c Column) bool { return c.Key == v.sorted }), v.descending)
	m.list.Reload()
	m.list.SelectRow(v.Index())
	m.caption.SetText(v.Caption())
	m.plot.SetData(v.Plot())
	if at := v.Index(); at >= 0 {
		m.plot.SetMarked([]int{at})
	}
}
