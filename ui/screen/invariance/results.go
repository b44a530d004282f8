package invariance

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// resultsPane is the table of everything that was measured, with what lies behind the selected row below it.
type resultsPane struct {
	s             *Screen
	suite, family *widget.Picker
	filter        *widget.Entry
	table         *widget.Table
	columns       []Column
	strand        *fynewidget.Select
	chart         *widget.Chart
	steps         *widget.Table
	fitted        *fyne.Container
	lows          *lowsPane
	object        fyne.CanvasObject
	grown         float32 // the size of text that the columns are for
}

// The share of the height that the table takes, and of the width that the chart takes.
const tableShare, chartShare = 0.48, 0.46

func newResultsPane(s *Screen) *resultsPane {
	p := &resultsPane{s: s, columns: Columns(), lows: newLowsPane(s)}
	p.buildTable()
	p.buildSteps()
	p.suite = widget.NewPicker(func(key string) { p.only(key, s.view.family) })
	p.family = widget.NewPicker(func(key string) { p.only(s.view.suite, key) })
	p.filter = widget.NewEntry()
	p.filter.SetPlaceHolder("Filter: vgg  -leak  ei<0.5  accuracy>0.9")
	p.filter.OnChanged = func(text string) {
		s.view.Filter(text)
		p.arranged()
	}
	p.filter.OnSubmitted = func(string) { s.Focus() }
	p.filter.OnEscape = s.Focus
	menus := container.NewGridWithColumns(3, evidence.Named("suite", p.suite.Select), evidence.Named("under", p.family.Select), p.filter)
	tabs := container.NewAppTabs(
		container.NewTabItem("Course", container.NewBorder(p.strand, nil, nil, nil, p.chart)),
		container.NewTabItem("Numbers", p.fitted))
	behind := container.NewHSplit(tabs, p.lows.object)
	behind.Offset = chartShare
	split := container.NewVSplit(p.table, behind)
	split.Offset = tableShare
	p.object = container.NewBorder(menus, nil, nil, nil, split)
	return p
}

func (p *resultsPane) buildTable() {
	s := p.s
	p.table = widget.NewTable(nil, func() int { return s.view.Len() }, func(row, col int) string {
		if r, ok := s.view.At(row); ok && col < len(p.columns) {
			return p.columns[col].cell(r)
		}
		return ""
	})
	p.table.StickyColumnCount = 1
	p.table.OnHint = s.deps.Status
	p.table.OnRow = func(row int) {
		if r, ok := s.view.At(row); ok {
			s.Select(r.id())
			s.deps.Status(s.view.Detail(row, -1))
		}
	}
	p.table.OnCell = func(row, col int) { s.deps.Status(s.view.Detail(row, col)) }
	p.table.OnOpen = func(row int) {
		if r, ok := s.view.At(row); ok {
			s.deps.Inspect(r.Model.Hash)
		}
	}
	p.table.OnSort = func(col int) {
		s.view.SortBy(p.columns[col].Key)
		p.arranged()
	}
	p.table.OnRune = func(r rune) { // begins to filter
		s.deps.Window.Canvas().Focus(p.filter)
		p.filter.TypedRune(r)
	}
}

// buildSteps makes the chart and the table of the transformations of the selected row.
func (p *resultsPane) buildSteps() {
	s := p.s
	var names []string
	for _, one := range Strands() {
		names = append(names, one.Name)
	}
	p.chart = widget.NewChart()
	p.chart.OnHover = func(_ float64, text string) { s.deps.Status(text) }
	p.chart.OnTapped = func(x float64) {
		if r, ok := s.view.Selected(); ok {
			p.lows.choose(r, r.stepAt(x))
		}
	}
	s.saver.Connect(p.chart, func() []string {
		r, _ := s.view.Selected()
		return []string{"invariance", r.Model.ID, r.FamilyName}
	})
	p.strand = fynewidget.NewSelect(names, func(string) { p.drawChart() })
	p.strand.SetSelectedIndex(0)
	columns := func() []widget.Column {
		var list []widget.Column
		for k, title := range stepTitles() {
			width := float32(66)
			if k == 0 {
				width = 110
			}
			list = append(list, widget.Column{Title: title, Width: width * widget.Grown(), Right: k > 0})
		}
		return list
	}
	p.steps = widget.NewTable(columns(), func() int {
		if r, ok := s.view.Selected(); ok {
			return 1 + len(r.Rows)
		}
		return 0
	}, func(row, col int) string {
		r, _ := s.view.Selected()
		return r.StepCell(row, col)
	})
	p.steps.StickyColumnCount = 1
	p.steps.OnRow = func(row int) {
		if r, ok := s.view.Selected(); ok {
			p.lows.choose(r, row-1)
		}
	}
	p.fitted = evidence.Fit(p.steps, columns)
}

// show brings everything up to date.
func (p *resultsPane) show() {
	v := p.s.view
	p.suite.Offer(append([]widget.Option{{Name: "all suites"}}, v.suiteChoices()...), v.suite)
	p.family.Offer(append([]widget.Option{{Name: "all transformations"}}, v.familyChoices()...), v.family)
	p.setColumns()
	p.arranged()
	p.selected()
	p.scroll()
	p.lows.retry()
}

func (p *resultsPane) only(suiteHash, family string) {
	p.s.view.Only(suiteHash, family)
	p.arranged()
	p.s.Focus()
}

// showAll ends every filter.
func (p *resultsPane) showAll() {
	p.s.view.Only("", "")
	p.s.view.Filter("")
	p.filter.SetText("")
	p.show()
}

// arranged shows other rows, or the rows in another order.
func (p *resultsPane) arranged() {
	v := p.s.view
	key, descending := v.Order()
	p.table.SetSort(slices.IndexFunc(p.columns, func(c Column) bool { return c.Key == key }), descending)
	p.table.Reload()
	p.table.SelectRow(v.Index())
	p.s.face.caption.SetText(v.Caption())
}

func (p *resultsPane) scroll() {
	if at := p.s.view.Index(); at >= 0 {
		p.table.SelectRow(at)
	}
}

// The least widths of columns in device-independent pixels, and the largest of one with names.
const modelWidth, suiteWidth, familyWidth, numberWidth, mostWidth = 72, 90, 110, 78, 240

func (p *resultsPane) setColumns() {
	p.grown = widget.Grown()
	var list []widget.Column
	for _, c := range p.columns {
		width := float32(numberWidth)
		switch c.Key {
		case keyModel:
			width = modelWidth
		case keySuite:
			width = suiteWidth
		case keyFamily:
			width = familyWidth
		}
		width = max(width*p.grown, widget.HeadingWidth(c.Title), p.longest(c))
		list = append(list, widget.Column{Title: c.Title, Width: width, Right: c.Value != nil, Hint: c.Hint})
	}
	p.table.SetColumns(list)
}

// longest is the width that the longest name of a column needs, as far as that is bearable. Severities stand at the end of names:
// they must be seen.
func (p *resultsPane) longest(c Column) float32 {
	if c.Text == nil {
		return 0
	}
	width, seen := float32(0), map[string]bool{}
	for _, r := range p.s.view.Rows {
		if text := c.Text(r); !seen[text] {
			seen[text] = true
			width = max(width, widget.CellWidth(text))
		}
	}
	return min(width, mostWidth*p.grown)
}

// selected shows what lies behind another row.
func (p *resultsPane) selected() {
	p.drawChart()
	p.steps.SelectRow(-1)
	p.steps.Reload()
	r, ok := p.s.view.Selected()
	if !ok {
		r = Row{}
	}
	p.lows.choose(r, -1)
}

func (p *resultsPane) drawChart() {
	r, ok := p.s.view.Selected()
	if at := p.strand.SelectedIndex(); ok && at >= 0 {
		p.chart.SetData(r.Chart(Strands()[at]))
		return
	}
	p.chart.SetData(widget.ChartData{Empty: "select a row"})
}

// stepAt is the place among r.Rows of the transformation that stands at x, -1 for none.
func (r Row) stepAt(x float64) int {
	for k, row := range r.Rows {
		if along(r.Family, row) == x {
			return k
		}
	}
	return -1
}
