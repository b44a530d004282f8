package agreement

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the screen's widgets.
type face struct {
	s        *Screen
	root     *fyne.Container
	rounds   *fynewidget.Select
	leaveOut *fynewidget.Check
	close    *fynewidget.Button
	heading  *fynewidget.Label
	body     fyne.CanvasObject
	empty    *fynewidget.Label

	kappas    *widget.KappaTable
	note      *fynewidget.Label
	measures  *widget.Table
	pair      *fynewidget.Label
	confusion *widget.Confusion
	hidden    *fynewidget.Label
	hint      *fynewidget.Label
	tabs      *container.AppTabs
	disagree  *list
	noVote    *list
	columns   *widget.Table
	counts    *fyne.Container

	row, col int // chosen cell of the kappa matrix
	quiet    bool
}

func newFace(s *Screen) *face {
	f := &face{s: s, row: 0, col: 1}
	f.rounds = fynewidget.NewSelect(nil, func(string) { f.chosen() })
	f.rounds.PlaceHolder = "no round yet"
	f.leaveOut = fynewidget.NewCheck("leave own vote out of the majority", func(on bool) { s.LeaveOneOut(on) })
	f.close = fynewidget.NewButton("Close round…", s.AskClose)
	f.heading = wrapped("")
	f.empty = wrapped("No round yet. Create one on the Label screen; agreement appears here as soon as two people have labelled the same model.")
	head := container.NewBorder(nil, nil, fynewidget.NewLabel("Round"), container.NewHBox(f.leaveOut, f.close), f.rounds)
	f.body = f.buildBody()
	f.body.Hide()
	f.root = evidence.Margin(container.NewBorder(container.NewVBox(head, f.heading), nil, nil, nil,
		container.NewStack(container.NewVBox(f.empty), f.body)))
	return f
}

func wrapped(text string) *fynewidget.Label {
	l := fynewidget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	return l
}

func caption(text string) *fynewidget.Label {
	return fynewidget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
}

func (f *face) buildBody() fyne.CanvasObject {
	f.kappas = widget.NewKappaTable()
	f.kappas.OnTapped = func(row, col int) { f.choose(row, col) }
	f.kappas.OnHint = f.say
	f.note = wrapped("")
	f.note.SizeName = theme.SizeNameCaptionText
	f.buildMeasures()
	f.pair = caption("")
	f.pair.Truncation = fyne.TextTruncateEllipsis
	f.confusion = widget.NewConfusion()
	f.confusion.OnHint = f.say
	f.hidden = wrapped("")
	f.hint = wrapped("")
	f.disagree, f.noVote = newList(f.s), newList(f.s)
	f.buildColumns()
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Disagreements", f.disagree.object),
		container.NewTabItem("Without majority", f.noVote.object),
		container.NewTabItem("Annotators", f.counts))
	left := container.NewBorder(container.NewVBox(caption("Cohen's kappa"), container.NewHScroll(f.kappas), f.note, caption("All annotators")),
		nil, nil, nil, evidence.Fit(f.measures, func() []widget.Column { return measureColumns }))
	right := container.NewBorder(container.NewVBox(f.pair, container.NewStack(f.confusion, f.hidden), f.hint), nil, nil, nil, f.tabs)
	split := container.NewHSplit(left, right)
	split.Offset = 0.56
	return split
}

func (f *face) buildMeasures() {
	f.measures = widget.NewTable(measureColumns, func() int { return len(f.view().Measures) }, func(row, col int) string {
		return f.view().Measures[row].text(col)
	})
	f.measures.OnRow = func(row int) {
		if row >= 0 && row < len(f.view().Measures) {
			m := f.view().Measures[row]
			f.say(m.Name + ": " + m.Value.Hint)
		}
	}
}

// measureColumns are the columns of the list of measures; Hint is the interpretation after Landis and Koch.
var measureColumns = []widget.Column{
	{Title: "measure", Width: 170},
	{Title: "value", Width: 66, Right: true},
	{Title: "95 % interval", Width: 122},
	{Title: "n", Width: 44, Right: true},
	{Title: "hint", Width: 100},
}

// text is the measure's cell of a column.
func (m Measure) text(col int) string {
	switch col {
	case 0:
		return m.Name
	case 1:
		return m.Value.Text
	case 2:
		if m.Value.Reason != "" {
			return m.Value.Reason
		}
		return m.Interval
	case 3:
		return m.Items
	}
	return m.Word
}

// buildColumns makes the table of what each annotator did: one column per annotator, one row per count.
func (f *face) buildColumns() {
	f.columns = widget.NewTable(f.countColumns(), func() int { return len(f.countRows()) }, func(row, col int) string {
		if col == 0 {
			return f.countRows()[row]
		}
		return f.view().Columns[col-1].text(row)
	})
	f.counts = evidence.Fit(f.columns, f.countColumns)
}

func (f *face) countColumns() []widget.Column {
	columns := []widget.Column{{Title: "models", Width: 90}}
	for _, c := range f.view().Columns {
		columns = append(columns, widget.Column{Title: c.Annotator, Width: 84, Right: true})
	}
	return columns
}

func (f *face) countRows() []string {
	return append([]string{"labelled", "unsure", "skipped"}, f.view().Classes...)
}

// text is the annotator's count of a row: labelled, unsure, skipped, each class.
func (c Column) text(row int) string {
	switch {
	case row == 0:
		return fmt.Sprintf("%d of %d", c.Done, c.Total)
	case row == 1:
		return strconv.Itoa(c.Unsure)
	case row == 2:
		return strconv.Itoa(c.Skipped)
	case row-3 < len(c.Counts):
		return strconv.Itoa(c.Counts[row-3])
	}
	return "hidden"
}

func (f *face) view() View { return f.s.answer.view }

func (f *face) say(text string) { f.s.deps.Status(text) }

// chosen reacts to the menu of rounds.
func (f *face) chosen() {
	at := f.rounds.SelectedIndex()
	if f.quiet || at < 0 || at >= len(f.s.answer.rounds) || at == f.s.answer.at {
		return
	}
	f.row, f.col = 0, 1
	f.s.ShowRound(f.s.answer.rounds[at].ID)
}

func names(rounds []label.Round) []string {
	list := make([]string, len(rounds))
	for k, r := range rounds {
		list[k] = r.Name
		for _, before := range list[:k] {
			if before == list[k] {
				list[k] = r.Name + " (" + r.ID + ")"
			}
		}
	}
	return list
}

// show applies what was read.
func (f *face) show(a answer) {
	f.quiet = true
	f.rounds.Options = names(a.rounds)
	if a.at >= 0 {
		f.rounds.SetSelectedIndex(a.at)
	} else {
		f.rounds.ClearSelected()
	}
	f.quiet = false
	if a.at < 0 {
		f.body.Hide()
		f.empty.Show()
		f.close.Disable()
		f.heading.SetText("")
		return
	}
	f.empty.Hide()
	f.body.Show()
	f.close.Enable()
	f.close.SetText("Close round…")
	if a.view.Round.Closed {
		f.close.SetText("Open round again…")
	}
	f.heading.SetText(a.view.Heading())
	f.showTables(a.view)
}

func (f *face) showTables(v View) {
	f.kappas.SetCells("", append(append([]string{}, v.Annotators...), majorityName), v.Annotators, gridCells(v))
	f.note.SetText("Majority column: " + v.Note + ".")
	f.measures.Reload()
	f.counts.Refresh()
	f.columns.Reload()
	f.disagree.show(v, v.Disagree, v.DisagreeN)
	f.noVote.show(v, v.Unresolved, v.UnresolveN)
	f.tabs.Items[0].Text = fmt.Sprintf("Disagreements %d", v.DisagreeN)
	f.tabs.Items[1].Text = fmt.Sprintf("Without majority %d", v.UnresolveN)
	f.tabs.Refresh()
	f.choose(f.row, f.col)
}

// gridCells are the kappas as the grid's cells: the shade grows with the kappa.
func gridCells(v View) [][]widget.GridCell {
	rows := make([][]widget.GridCell, len(v.Matrix))
	for a, row := range v.Matrix {
		rows[a] = make([]widget.GridCell, len(row))
		for b, c := range row {
			rows[a][b] = widget.GridCell{Text: c.Text, Hint: c.Hint, Shade: c.Shade}
		}
	}
	return rows
}

// choose shows the confusion of a cell of the kappa matrix; the diagonal keeps the pair before.
func (f *face) choose(row, col int) {
	v := f.view()
	c, ok := v.PairAt(row, col)
	if !ok {
		if c, ok = v.PairAt(0, len(v.Annotators)); !ok {
			return
		}
		row, col = 0, len(v.Annotators)
	}
	f.row, f.col = row, col
	f.kappas.Select(row, col)
	f.pair.SetText(fmt.Sprintf("%s (rows) and %s", c.First, c.Second))
	f.hint.SetText(c.describe())
	f.hidden.SetText(c.Hidden)
	if c.Counts == nil {
		f.confusion.Hide()
		f.hidden.Show()
		return
	}
	f.hidden.Hide()
	f.confusion.SetCounts(c.First, c.Second, v.Classes, c.Counts)
	f.confusion.Show()
}

// describe is the pair's numbers in one line.
func (c Confusion) describe() string {
	parts := []string{fmt.Sprintf("%d common models", c.Items), "agreement " + c.Percent, "kappa " + c.Kappa.Text}
	if c.Kappa.Reason != "" {
		parts[2] += " (" + c.Kappa.Reason + ")"
	}
	for _, w := range c.Weighted {
		parts = append(parts, w.Name+" "+w.Value.Text)
	}
	return strings.Join(parts, ", ")
}

// list is a table of models with everybody's labels; a row opens its model.
type list struct {
	s      *Screen
	items  []Item
	table  *widget.Table
	why    *fynewidget.Label
	open   *fynewidget.Button
	fitted *fyne.Container
	object *fyne.Container
}

func newList(s *Screen) *list {
	l := &list{s: s, why: wrapped("")}
	l.table = widget.NewTable(l.columns(), func() int { return len(l.items) }, l.cell)
	l.table.OnOpen = l.inspect
	l.table.OnRow = func(row int) {
		if row >= 0 && row < len(l.items) {
			l.open.Enable()
			s.deps.Status(l.items[row].ID + ": " + l.items[row].Summary(s.answer.view.Annotators))
		}
	}
	l.open = fynewidget.NewButtonWithIcon("Open model", theme.SearchIcon(), func() { l.inspect(l.table.Selected()) })
	l.open.Disable()
	l.fitted = evidence.Fit(l.table, l.columns)
	l.object = container.NewBorder(l.why, container.NewHBox(l.open), nil, nil, l.fitted)
	return l
}

func (l *list) columns() []widget.Column {
	columns := []widget.Column{{Title: "model", Width: 80}}
	for _, name := range l.s.answer.view.Annotators {
		columns = append(columns, widget.Column{Title: name, Width: 78})
	}
	return append(columns, widget.Column{Title: majorityName, Width: 78})
}

func (l *list) inspect(row int) {
	if row >= 0 && row < len(l.items) {
		l.s.deps.Inspect(l.items[row].Model)
	}
}

func (l *list) cell(row, col int) string {
	item := l.items[row]
	switch {
	case col == 0:
		return item.ID
	case col-1 < len(item.Labels):
		return dash(item.Labels[col-1])
	}
	return dash(item.Majority)
}

func dash(text string) string {
	if text == "" {
		return present.None
	}
	return text
}

func (l *list) show(v View, items []Item, count int) {
	l.items = items
	l.fitted.Refresh()
	l.table.Reload()
	l.table.SelectRow(-1)
	l.open.Disable()
	switch {
	case count == 0:
		l.why.SetText("None.")
		l.why.Show()
	case v.Blind:
		l.why.SetText(fmt.Sprintf("%d models. Which ones, and who said what, is hidden until the blind round is closed.", count))
		l.why.Show()
	default:
		l.why.Hide()
	}
}
