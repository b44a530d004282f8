package assessors

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// doubtsPage shows which labels deserve a second look, and which models the assessor is least sure of.
type doubtsPage struct {
	object       fyne.CanvasObject
	s            *Screen
	second, sure *doubtList
}

func newDoubtsPage(s *Screen) *doubtsPage {
	p := &doubtsPage{s: s}
	p.second = newDoubtList(s, "Second look", "Models whose label the assessor doubts when it has not seen them, the most doubtful first.",
		"labels in doubt", widget.Column{
			Title: "own label", Width: 80, Right: true, Hint: "The probability that the assessor, unseen, gives to the model's own label.",
		})
	p.sure = newDoubtList(s, "Least sure", "Models to label next: what the assessor is least sure of teaches it most.",
		"least sure", widget.Column{
			Title: "margin", Width: 80, Right: true, Hint: "What lies between the probabilities of the two likeliest classes; 0 is a coin's toss.",
		})
	split := container.NewHSplit(p.second.object, p.sure.object)
	p.object = split
	return p
}

func (p *doubtsPage) clear() {
	p.second.show(nil, "…")
	p.sure.show(nil, "…")
}

func (p *doubtsPage) show() {
	why := "None: unseen, the assessor agrees with every label."
	if p.s.subject.Evaluation == nil {
		why = "A saved assessor has seen its models; train anew to see which labels it doubts."
	}
	p.second.show(p.s.insight.second, why)
	p.sure.show(p.s.insight.unsure, p.s.insight.why)
	p.sure.about.SetText(p.s.insight.order)
}

// doubtList is one of the two lists.
type doubtList struct {
	s      *Screen
	name   string // in the round dialog
	last   widget.Column
	list   []Doubted
	table  *widget.Table
	about  *fynewidget.Label
	why    *fynewidget.Label
	round  *fynewidget.Button
	open   *fynewidget.Button
	save   *fynewidget.Button
	object fyne.CanvasObject
}

func newDoubtList(s *Screen, title, text, name string, last widget.Column) *doubtList {
	l := &doubtList{s: s, name: name, last: last, why: wrapped("")}
	l.table = widget.NewTable(l.columns(), func() int { return len(l.list) }, func(row, col int) string { return l.list[row].Cells[col] })
	l.table.OnRow = func(row int) {
		s.deps.Status(l.list[row].Hint)
		l.open.Enable()
	}
	l.table.OnHint = s.deps.Status
	l.table.OnOpen = func(row int) { s.open(l.list[row].ID, l.list[row].Hash) }
	l.open = fynewidget.NewButtonWithIcon("Open model", theme.SearchIcon(), func() {
		if row := l.table.Selected(); row >= 0 {
			s.open(l.list[row].ID, l.list[row].Hash)
		}
	})
	l.round = fynewidget.NewButtonWithIcon("New round from these…", theme.DocumentCreateIcon(), func() { s.newRound(l.name, l.list) })
	l.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), func() { s.menuBelow(l.save, s.saver.Entries(l.figure())...) })
	l.about = wrapped(text)
	l.about.SizeName = theme.SizeNameCaptionText
	head := container.NewVBox(caption(title), l.about, l.why)
	l.object = container.NewBorder(head, container.NewVBox(l.round, container.NewGridWithColumns(2, l.open, l.save)), nil, nil, evidence.Fit(l.table, l.columns))
	l.show(nil, "")
	return l
}

func (l *doubtList) columns() []widget.Column {
	return []widget.Column{
		{Title: "model", Width: 90},
		{Title: "label", Width: 80},
		{Title: "verdict", Width: 80},
		l.last,
	}
}

func (l *doubtList) figure() figures.Figure {
	t := Table{Columns: l.columns()}
	for _, d := range l.list {
		t.Rows = append(t.Rows, d.Cells)
	}
	return figures.Figure{Name: []string{l.s.fileName(), l.name}, CSV: t.CSV}
}

// show lists models; why says why there are none.
func (l *doubtList) show(list []Doubted, why string) {
	l.list = list
	l.table.Reload()
	l.table.SelectRow(-1)
	l.open.Disable()
	l.why.SetText(why)
	l.why.Hidden = len(list) > 0 || why == ""
	for _, b := range []*fynewidget.Button{l.round, l.save} {
		if len(list) > 0 {
			b.Enable()
		} else {
			b.Disable()
		}
	}
}
