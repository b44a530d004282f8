package features

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the screen's widgets: controls, the table, and the panes beside it.
type face struct {
	s       *Screen
	root    *fyne.Container
	matrix  *fynewidget.Select
	labels  *fynewidget.Select
	filter  *widget.Entry
	vector  *fynewidget.Button
	export  *fynewidget.Button
	caption *fynewidget.Label
	table   *widget.Table
	tabs    *container.AppTabs
	body    fyne.CanvasObject
	empty   *widget.Vacancy
	grown   float32 // the size of text that the columns are for
	quiet   bool    // the menus are being filled: their callbacks do not count

	panes     []pane
	histogram *histogramPane
	scatter   *scatterPane
	strengths *correlationPane
	alike     *alikePane
	left      *leftPane
}

// pane is one tab beside the table.
type pane interface {
	show()     // other models or numbers
	selected() // another model
}

func newFace(s *Screen) *face {
	f := &face{s: s, empty: widget.NewVacancy()}
	f.buildControls()
	f.buildTable()
	f.histogram, f.scatter, f.strengths, f.alike, f.left = newHistogramPane(s), newScatterPane(s), newCorrelationPane(s), newAlikePane(s), newLeftPane(s)
	f.panes = []pane{f.histogram, f.scatter, f.strengths, f.alike, f.left}
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Histogram", f.histogram.object),
		container.NewTabItem("Scatter", f.scatter.object),
		container.NewTabItem("Correlation", f.strengths.object),
		container.NewTabItem("Looks like", f.alike.object),
		container.NewTabItem("Left out", f.left.list.Object()))
	f.tabs.OnSelected = func(tab *container.TabItem) {
		f.pane().show()
		tab.Content.Refresh() // the theme may have changed while it was hidden
	}
	split := container.NewHSplit(f.table, f.tabs)
	split.Offset = 0.46
	f.body = split
	f.body.Hide()
	line := container.NewHBox(
		fynewidget.NewLabel("Features of"), wide(150*widget.Grown(), f.matrix), fynewidget.NewLabel("labels"), wide(170*widget.Grown(), f.labels))
	head := container.NewBorder(nil, nil, line, container.NewHBox(f.vector, f.export), f.filter)
	f.root = evidence.Margin(container.NewBorder(container.NewVBox(head, f.caption), nil, nil, nil, container.NewStack(f.body, f.empty.Object())))
	return f
}

// wide gives an object a width of its own.
func wide(width float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(width, o.MinSize().Height), o)
}

func (f *face) buildControls() {
	s := f.s
	f.matrix = fynewidget.NewSelect(nil, func(string) { f.choseMatrix() })
	f.matrix.PlaceHolder = "whole vector"
	f.labels = fynewidget.NewSelect(nil, func(string) { f.choseLabels() })
	f.labels.PlaceHolder = "none"
	f.filter = widget.NewEntry()
	f.filter.SetPlaceHolder("Filter: vgg  -leak  robust<0.9  svm>0.01")
	f.filter.OnChanged = s.Filter
	f.filter.OnSubmitted = func(string) { s.Focus() }
	f.filter.OnEscape = s.Focus
	f.vector = fynewidget.NewButtonWithIcon("Vector…", theme.SettingsIcon(), s.askLayout)
	f.export = fynewidget.NewButtonWithIcon("Export features…", theme.DocumentSaveIcon(), f.openExport)
	f.export.Disable()
	f.caption = fynewidget.NewLabel("")
	f.caption.Truncation = fyne.TextTruncateEllipsis
}

func (f *face) buildTable() {
	s := f.s
	columns := func() []Column { return s.view.Columns() }
	f.table = widget.NewTable(nil, func() int { return s.view.Len() }, func(row, col int) string {
		if list := columns(); col < len(list) {
			return s.view.Cell(row, list[col])
		}
		return ""
	})
	f.table.StickyColumnCount = 1
	f.table.OnRow = func(row int) {
		if r, ok := s.view.At(row); ok {
			s.Select(r.Model.Hash)
			s.deps.Status(s.view.Detail(row, nil))
		}
	}
	f.table.OnCell = func(row, col int) {
		if list := columns(); col < len(list) && list[col].At >= 0 {
			s.Choose(list[col].Key)
			s.deps.Status(s.view.Detail(row, &list[col]))
		}
	}
	f.table.OnOpen = func(row int) {
		if r, ok := s.view.At(row); ok {
			s.deps.Inspect(r.Model.Hash)
		}
	}
	f.table.OnSort = func(col int) {
		if list := columns(); col < len(list) {
			s.SortBy(list[col].Key)
		}
	}
	f.table.OnRune = func(r rune) { // begins to filter
		s.deps.Window.Canvas().Focus(f.filter)
		f.filter.TypedRune(r)
	}
}

// pane is the one whose tab is open.
func (f *face) pane() pane { return f.panes[f.tabs.SelectedIndex()] }

// working shows whether the models are being measured.
func (f *face) working(on bool) {
	if !on {
		f.empty.Hide()
		return
	}
	if !f.s.known || len(f.s.view.Rows) == 0 {
		f.body.Hide()
		f.measuring()
		return
	}
	f.caption.SetText("Measuring…")
}

// cancelled and failed say that what is shown is not what was asked for.
func (f *face) cancelled() {
	f.stopped("Measuring was cancelled; what is shown may be out of date.")
}

func (f *face) failed(err error) { f.stopped(present.Sentence(err)) }

func (f *face) stopped(why string) {
	if !f.body.Visible() {
		f.again(why)
		return
	}
	f.caption.SetText(why)
}

// show applies what was measured.
func (f *face) show() {
	a := f.s.answer
	f.fillMenus(a)
	vacant, empty := a.vacancy()
	if empty {
		f.body.Hide()
		f.export.Disable()
		f.caption.SetText("")
		f.lacks(vacant)
		return
	}
	f.empty.Hide()
	f.body.Show()
	f.export.Enable()
	f.tabs.Items[4].Text = "Left out"
	if n := len(f.s.view.Reasons()); n > 0 {
		f.tabs.Items[4].Text = fmt.Sprintf("Left out %d", n)
	}
	f.tabs.Refresh()
	f.arranged(true)
	if f.s.deps.Window.Canvas().Focused() == nil && f.s.deps.Window.Canvas().Overlays().Top() == nil {
		f.s.Focus() // the table could not have it before
	}
}

// fillMenus offers what can be chosen.
func (f *face) fillMenus(a answer) {
	f.quiet = true
	defer func() { f.quiet = false }()
	f.matrix.SetOptions(append([]string{"whole vector"}, a.layout.Modalities...))
	names := make([]string, len(a.choices))
	for k, c := range a.choices {
		names[k] = c.Name
	}
	f.labels.SetOptions(names)
	if at := slices.IndexFunc(a.choices, func(c LabelChoice) bool { return c.From == a.labels }); at >= 0 {
		f.labels.SetSelectedIndex(at)
	} else {
		f.labels.ClearSelected()
	}
}

func (f *face) choseMatrix() {
	at := f.matrix.SelectedIndex()
	if f.quiet || at < 0 || at > len(f.s.answer.layout.Modalities) {
		return
	}
	name := ""
	if at > 0 {
		name = f.s.answer.layout.Modalities[at-1]
	}
	f.s.ShowMatrix(name)
	f.s.Focus()
}

func (f *face) choseLabels() {
	at := f.labels.SelectedIndex()
	if f.quiet || at < 0 || at >= len(f.s.answer.choices) || f.s.answer.choices[at].From == f.s.answer.labels {
		return
	}
	f.s.ShowLabels(f.s.answer.choices[at].From)
	f.s.Focus()
}

// The widths of columns in device-independent pixels.
const modelWidth, labelWidth, scoreWidth, chanceWidth, featureWidth, nameWidth = 92, 90, 96, 148, 84, 158

// arranged shows other rows, or the rows in another order; columns tells whether the columns may
// have changed, too.
func (f *face) arranged(columns bool) {
	v := f.s.view
	if columns {
		f.setColumns()
	}
	key, descending := v.Order()
	f.table.SetSort(slices.IndexFunc(v.Columns(), func(c Column) bool { return c.Key == key }), descending)
	f.table.Reload()
	f.caption.SetText(v.Caption())
	f.scroll()
	f.pane().show()
}

func (f *face) setColumns() {
	v := f.s.view
	f.grown = widget.Grown()
	f.quiet = true
	f.matrix.SetSelectedIndex(1 + slices.Index(v.Layout.Modalities, v.Matrix()))
	f.quiet = false
	var list []widget.Column
	widths := f.widths()
	for k, c := range v.Columns() {
		list = append(list, widget.Column{Title: c.Title, Width: widths[k], Right: c.Key != keyModel && c.Key != keyLabel && c.Key != keyChance})
	}
	f.table.SetColumns(list)
}

// widths are those of the columns, for text of the size that it has now.
func (f *face) widths() []float32 {
	v := f.s.view
	var list []float32
	for _, c := range v.Columns() {
		width := float32(featureWidth)
		switch {
		case c.Key == keyModel:
			width = modelWidth
		case c.Key == keyLabel:
			width = labelWidth
		case c.Key == keyChance:
			width = chanceWidth
		case c.At < 0:
			width = scoreWidth
		case v.Matrix() == "":
			width = nameWidth
		}
		list = append(list, width*widget.Grown())
	}
	return list
}

// scroll puts the selected model into sight.
func (f *face) scroll() {
	row := -1
	if r, ok := f.s.view.Selected(); ok {
		row = f.s.view.Index(r.Model.Hash)
	}
	f.table.SelectRow(row)
}

// selected shows another selected model everywhere.
func (f *face) selected() {
	if row := f.s.view.Index(f.s.view.selected); row != f.table.Selected() {
		f.table.SelectRow(row)
	}
	f.pane().selected()
}

// plotted shows another number in the plots.
func (f *face) plotted() { f.pane().show() }
