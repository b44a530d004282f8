package agreement

import (
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// coursePage shows agreement over the models in the order in which they were completed.
type coursePage struct {
	s       *Screen
	object  *fyne.Container
	window  *fynewidget.Select
	fleiss  *widget.Chart
	percent *widget.Chart
	charts  *fyne.Container
	hidden  *fynewidget.Label
	quiet   bool
}

func newCoursePage(s *Screen) *coursePage {
	p := &coursePage{s: s, fleiss: widget.NewChart(), percent: widget.NewChart(), hidden: wrapped("")}
	var sizes []string
	for _, n := range Windows {
		sizes = append(sizes, strconv.Itoa(n))
	}
	p.window = fynewidget.NewSelect(sizes, func(text string) {
		if n, err := strconv.Atoi(text); err == nil && !p.quiet {
			s.ShowWindow(n)
		}
	})
	for _, c := range []*widget.Chart{p.fleiss, p.percent} {
		c.OnHover = func(_ float64, text string) { s.deps.Status(text) }
	}
	note := wrapped("A model is completed when the last of its labels came; it counts from the second label on. The undefined is left out of a line.")
	note.SizeName = theme.SizeNameCaptionText
	head := container.NewBorder(nil, nil, container.NewHBox(fynewidget.NewLabel("Sliding window, models"), p.window), nil, note)
	p.charts = container.NewGridWithRows(2, p.fleiss, p.percent)
	p.object = container.NewBorder(head, nil, nil, nil, container.NewStack(container.NewVBox(p.hidden), p.charts))
	return p
}

func (p *coursePage) show(c Course) {
	p.quiet = true
	p.window.SetSelected(strconv.Itoa(c.Window))
	p.quiet = false
	p.hidden.SetText(c.Hidden)
	if c.Hidden != "" {
		p.hidden.Show()
		p.charts.Hide()
		return
	}
	p.hidden.Hide()
	p.charts.Show()
	p.fleiss.SetData(c.chart("Fleiss' kappa", c.Fleiss, c.WindowFleiss))
	p.percent.SetData(c.chart("percent agreement", c.Percent, c.WindowPercent))
}

// chart is one measure over the completed models: of all so far, and of the last ones.
func (c Course) chart(name string, all, last []float64) widget.ChartData {
	data := widget.ChartData{XName: "models completed", YName: name, Empty: fmt.Sprintf("%s: not defined for any number of models", name)}
	data.Series = append(data.Series, widget.Series{Name: "all so far", X: c.Items, Y: all})
	if len(c.Items) >= c.Window {
		data.Series = append(data.Series, widget.Series{Name: fmt.Sprintf("the last %d", c.Window), X: c.Items, Y: last})
	}
	return data
}

// kindsPage shows which kinds of models divide the annotators.
type kindsPage struct {
	s      *Screen
	object *fyne.Container
	column *fynewidget.Select
	table  *widget.Table
	title  *fynewidget.Label
	items  *list
	hidden *fynewidget.Label
	split  *container.Split
	footed *fyne.Container   // the table with why
	why    *fynewidget.Label // kinds have no number
	kind   string            // chosen
	quiet  bool
}

func newKindsPage(s *Screen) *kindsPage {
	p := &kindsPage{s: s, hidden: wrapped(""), why: wrapped(""), title: caption(""), items: newList(s)}
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.column = fynewidget.NewSelect(nil, func(name string) {
		if !p.quiet {
			s.ShowKinds(name)
		}
	})
	p.table = widget.NewTable(kindColumns(), func() int { return len(p.list()) }, func(row, col int) string {
		return p.list()[row].text(col, s.answer.view.Intervals)
	})
	p.table.OnRow = func(row int) {
		if row >= 0 && row < len(p.list()) {
			p.kind = p.list()[row].Name
			p.showItems(row)
		}
	}
	note := wrapped("The most dividing kinds first. Numbers with many values are cut at their quartiles.")
	note.SizeName = theme.SizeNameCaptionText
	head := container.NewBorder(nil, nil, container.NewHBox(fynewidget.NewLabel("Models by"), container.NewGridWrap(fyne.NewSize(220, p.column.MinSize().Height), p.column)), nil, note)
	p.footed = footed(evidence.Fit(p.table, func() []widget.Column { return kindColumns() }), p.why)
	p.split = container.NewHSplit(p.footed,
		container.NewBorder(p.title, nil, nil, nil, p.items.Object()))
	p.split.Offset = 0.62
	p.object = container.NewBorder(head, nil, nil, nil, container.NewStack(container.NewVBox(p.hidden), p.split))
	return p
}

func kindColumns() []widget.Column {
	return []widget.Column{
		{Title: "value", Width: 110},
		{Title: "models", Width: 54, Right: true},
		{Title: "n", Width: 40, Right: true},
		{Title: "agreed", Width: 58, Right: true},
		{Title: "95 % interval", Width: 116},
		{Title: "Fleiss", Width: 58, Right: true},
		{Title: "95 % interval", Width: 116},
	}
}

// text is the kind's cell of a column.
func (k Kind) text(col int, measured bool) string {
	switch col {
	case 0:
		return k.Name
	case 1:
		return strconv.Itoa(k.Models)
	case 2:
		return k.Percent.Items
	case 3:
		return k.Percent.Value.Text
	case 4:
		return k.Percent.spread(measured)
	case 5:
		return k.Fleiss.Value.Text
	}
	return k.Fleiss.spread(measured)
}

func (p *kindsPage) list() []Kind { return p.s.answer.view.Kinds.List }

func (p *kindsPage) show(v View) {
	k := v.Kinds
	p.quiet = true
	p.column.Options = k.Columns
	if k.Column == "" {
		p.column.ClearSelected()
	} else {
		p.column.SetSelected(k.Column)
	}
	p.quiet = false
	p.hidden.SetText(k.Hidden)
	if k.Hidden != "" {
		p.hidden.Show()
		p.split.Hide()
		return
	}
	p.hidden.Hide()
	p.split.Show()
	p.table.Reload()
	showNote(p.footed, p.why, footnote(k.measures()))
	row := max(slices.IndexFunc(k.List, func(one Kind) bool { return one.Name == p.kind }), 0)
	if len(k.List) > 0 {
		p.table.SelectRow(row)
		p.showItems(row)
	}
}

// showItems lists the models of a kind on which the annotators disagree.
func (p *kindsPage) showItems(row int) {
	k := p.list()[row]
	p.title.SetText(fmt.Sprintf("%s %s: %s with different labels", p.s.answer.view.Kinds.Column, k.Name, present.Counted(int64(len(k.Items)), "model")))
	p.items.show(p.s.answer.view, k.Items, len(k.Items))
}
