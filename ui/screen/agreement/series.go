package agreement

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
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
	table  *kit.Records[Kind]
	title  *fynewidget.Label
	items  *list
	hidden *fynewidget.Label
	split  *container.Split
	kind   string // chosen
	quiet  bool
}

func newKindsPage(s *Screen) *kindsPage {
	p := &kindsPage{s: s, hidden: wrapped(""), title: caption(""), items: newList(s)}
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.column = fynewidget.NewSelect(nil, func(name string) {
		if !p.quiet {
			s.ShowKinds(name)
		}
	})
	p.table = &kit.Records[Kind]{
		Host: s.host(), Table: kindTable, Note: func([]Kind) string { return footnote(s.answer.view.Kinds.measures()) },
		OnSelect: func(k Kind, ok bool) {
			if ok {
				p.kind = k.Name
				p.showItems(k)
			}
		},
	}
	note := wrapped("The most dividing kinds first. Numbers with many values are cut at their quartiles.")
	note.SizeName = theme.SizeNameCaptionText
	head := container.NewBorder(nil, nil, container.NewHBox(fynewidget.NewLabel("Models by"), container.NewGridWrap(fyne.NewSize(220, p.column.MinSize().Height), p.column)), nil, note)
	p.split = container.NewHSplit(p.table.Object(),
		container.NewBorder(p.title, nil, nil, nil, p.items.Object()))
	p.split.Offset = 0.62
	p.object = container.NewBorder(head, nil, nil, nil, container.NewStack(container.NewVBox(p.hidden), p.split))
	return p
}

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
	p.table.Select(p.kind)
	p.table.Set(k.List)
	if _, ok := p.table.Selected(); !ok && len(k.List) > 0 {
		p.table.Select(k.List[0].Name)
		p.showItems(k.List[0])
	}
}

// showItems lists the models of a kind on which the annotators disagree.
func (p *kindsPage) showItems(k Kind) {
	p.title.SetText(fmt.Sprintf("%s %s: %s with different labels", p.s.answer.view.Kinds.Column, k.Name, present.Counted(int64(len(k.Items)), "model")))
	p.items.show(p.s.answer.view, k.Items, len(k.Items))
}
