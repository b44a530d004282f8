package features

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// axis is a menu of the numbers that an axis may have.
type axis struct {
	*fynewidget.Select
	keys  []string
	quiet bool
}

func newAxis(chosen func(key string)) *axis {
	a := &axis{}
	a.Select = fynewidget.NewSelect(nil, func(string) {
		if at := a.SelectedIndex(); !a.quiet && at >= 0 && at < len(a.keys) {
			chosen(a.keys[at])
		}
	})
	return a
}

func (a *axis) offer(keys []string, key string) {
	a.quiet = true
	defer func() { a.quiet = false }()
	if !slices.Equal(keys, a.keys) {
		a.keys = keys
		names := make([]string, len(keys))
		for k := range keys {
			names[k] = AxisName(keys[k])
		}
		a.SetOptions(names)
	}
	if at := slices.Index(keys, key); at >= 0 {
		a.SetSelectedIndex(at)
	} else {
		a.ClearSelected()
	}
}

// histogramPane shows how the chosen number is distributed.
type histogramPane struct {
	s      *Screen
	axis   *axis
	plot   *widget.Stacked
	object fyne.CanvasObject
}

func newHistogramPane(s *Screen) *histogramPane {
	p := &histogramPane{s: s, axis: newAxis(s.Choose), plot: widget.NewStacked()}
	p.plot.OnHover = s.deps.Status
	s.saver.ConnectStacked(p.plot, func() []string { return []string{"histogram", s.view.Chosen()} })
	p.object = container.NewBorder(container.NewBorder(nil, nil, fynewidget.NewLabel("feature"), nil, p.axis.Select), nil, nil, nil, p.plot)
	return p
}

func (p *histogramPane) show() {
	p.axis.offer(p.s.view.Axes(), p.s.view.Chosen())
	p.plot.SetData(p.s.view.Histogram())
}

func (p *histogramPane) selected() {
	if r, ok := p.s.view.Selected(); ok {
		p.plot.SetMark(p.s.view.Value(r, p.s.view.Chosen()), r.Model.ID)
	}
}

// scatterPane shows the models over two numbers.
type scatterPane struct {
	s      *Screen
	x, y   *axis
	plot   *widget.Scatter
	facts  *fynewidget.Label
	object fyne.CanvasObject
}

func newScatterPane(s *Screen) *scatterPane {
	p := &scatterPane{s: s, plot: widget.NewScatter(), facts: fynewidget.NewLabel("")}
	p.facts.Wrapping, p.facts.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	p.x = newAxis(s.Choose)
	p.y = newAxis(func(key string) {
		s.view.Against(key)
		p.show()
	})
	p.plot.OnHover = s.deps.Status
	p.plot.OnTapped = func(k int) {
		if r, ok := s.view.At(k); ok {
			s.Select(r.Model.Hash)
		}
	}
	p.plot.OnOpen = func(k int) {
		if r, ok := s.view.At(k); ok {
			s.deps.Inspect(r.Model.Hash)
		}
	}
	s.saver.ConnectScatter(p.plot, func() []string { return []string{"scatter", s.view.Chosen(), s.view.Facing()} })
	axes := container.NewGridWithColumns(2,
		container.NewBorder(nil, nil, fynewidget.NewLabel("across"), nil, p.x.Select),
		container.NewBorder(nil, nil, fynewidget.NewLabel("up"), nil, p.y.Select))
	p.object = container.NewBorder(axes, p.facts, nil, nil, p.plot)
	return p
}

func (p *scatterPane) show() {
	p.x.offer(p.s.view.Axes(), p.s.view.Chosen())
	p.y.offer(p.s.view.Axes(), p.s.view.Facing())
	p.plot.SetData(p.s.view.Scatter())
	p.facts.SetText(strings.Join(p.s.view.Relation(), "\n"))
	p.selected()
}

// selected marks the model, and those that look like it.
func (p *scatterPane) selected() {
	v, at := p.s.view, -1
	if r, ok := v.Selected(); ok {
		at = v.Index(r.Model.Hash)
	}
	var near []int
	for k, a := range v.Alikes() {
		if row := v.Index(a.Model.Hash); k > 0 && row >= 0 {
			near = append(near, row)
		}
	}
	p.plot.Select(at)
	p.plot.SetMarked(near)
}

// correlationPane lists how the features go with both accuracies.
type correlationPane struct {
	s      *Screen
	all    []Correlation // in the order of the vector
	list   []Correlation // as they are sorted
	with   With
	latest background.Latest
	table  *widget.Table
	note   *fynewidget.Label
	sorted int
	turned bool
	object fyne.CanvasObject
	fitted *fyne.Container
}

func newCorrelationPane(s *Screen) *correlationPane {
	p := &correlationPane{s: s, sorted: 1 + blockValue}
	p.table = widget.NewTable(p.columns(), func() int { return len(p.list) }, func(row, col int) string { return p.list[row].Cell(p.with, col) })
	p.table.StickyColumnCount = 1
	p.table.OnHint = s.deps.Status
	p.table.OnRow = func(row int) {
		s.view.Choose(p.list[row].Key)
		s.deps.Status(p.list[row].Detail())
	}
	p.table.OnOpen = func(row int) {
		s.view.Choose(p.list[row].Key)
		s.face.tabs.SelectIndex(1) // what lies behind the number
	}
	p.table.OnSort = func(col int) {
		p.turned = p.sorted == col && !p.turned
		p.sorted = col
		p.arrange()
	}
	p.fitted = evidence.Fit(p.table, p.columns)
	with := widget.NewPicker(func(key string) {
		p.with = WithRobust
		if key == keyAccuracy {
			p.with = WithAccuracy
		}
		p.arrange()
	})
	with.Offer([]widget.Option{{Key: keyRobust, Name: AxisName(keyRobust)}, {Key: keyAccuracy, Name: AxisName(keyAccuracy)}}, keyRobust)
	p.note = fynewidget.NewLabel("")
	p.note.Wrapping, p.note.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	head := container.NewVBox(container.NewBorder(nil, nil, fynewidget.NewLabel("with"), nil, with.Select), p.note)
	p.object = container.NewBorder(head, nil, nil, nil, p.fitted)
	return p
}

// columns are as wide as their texts need, and wider where there is room: Fit takes no more than 30 % away.
func (p *correlationPane) columns() []widget.Column {
	const least = 0.7
	first := float32(84)
	if p.s.view.Matrix() == "" {
		first = nameWidth
	}
	var list []widget.Column
	for k, title := range correlationTitles() {
		width := float32(66)
		switch {
		case k == columnFeature:
			width = first
		case k == columnN:
			width = 42
		case (k-1)%blockColumns == blockEnds:
			width = 112
		}
		list = append(list, widget.Column{Title: title, Width: width / least, Right: k != columnFeature, Hint: correlationHint(k)})
	}
	return list
}

// correlationHint says what a column of the table of correlations tells.
func correlationHint(col int) string {
	switch {
	case col == columnFeature || col == columnN:
		return ""
	case (col-1)%blockColumns == blockEnds:
		return "95 % interval: Fisher's z for r, 2000 resamples of the models for ρ"
	case (col-1)%blockColumns == blockP:
		return "two-sided p-value: exact for up to 9 models, by Student's t beyond"
	case (col-1)%blockColumns == blockQ:
		return "q: the p-value for all tests of this table together, features × measures (Benjamini and Hochberg)"
	}
	return "correlation over the models shown"
}

// show computes in the background; what stands there until then is that of before. A stale answer is dropped.
func (p *correlationPane) show() {
	text := "Pearson's r and Spearman's ρ over the models shown. A double click shows the scatter plot."
	if failed := p.s.view.AtChance(); len(failed) > 0 {
		text = fmt.Sprintf("%s Accuracy not above chance: %s; the scatter plot says what r is without.", text, result.Some(failed))
	}
	p.note.SetText(text)
	numbers := p.s.view.numbers()
	background.Load(p.s.deps.Work, &p.latest, "correlate features", func(context.Context) ([]Correlation, error) {
		return numbers.correlations(), nil
	}, func(list []Correlation, err error) {
		if err != nil {
			p.s.deps.ShowError(err)
			return
		}
		p.all = list
		p.fitted.Refresh()
		p.arrange()
	})
}

func (p *correlationPane) arrange() {
	p.list = slices.Clone(p.all)
	sortCorrelations(p.list, p.with, p.sorted, p.turned)
	_, part := p.with.place(p.sorted)
	rising := p.sorted == columnFeature || p.sorted != columnN && part >= blockP
	p.table.SetSort(p.sorted, p.turned == rising)
	p.table.Reload()
	p.table.SelectRow(slices.IndexFunc(p.list, func(c Correlation) bool { return c.Key == p.s.view.Chosen() }))
}

func (p *correlationPane) selected() {}

// leftPane lists the models without features, and those without a label.
type leftPane struct {
	s      *Screen
	lines  [][2]string
	table  *widget.Table
	run    *fynewidget.Button
	object fyne.CanvasObject
}

func newLeftPane(s *Screen) *leftPane {
	p := &leftPane{s: s}
	columns := func() []widget.Column {
		return []widget.Column{{Title: "model", Width: 90}, {Title: "why", Width: 420}}
	}
	p.table = widget.NewTable(columns(), func() int { return len(p.lines) }, func(row, col int) string { return p.lines[row][min(col, 1)] })
	p.table.OnRow = func(row int) { s.deps.Status(p.lines[row][0] + ": " + p.lines[row][1]) }
	p.run = fynewidget.NewButtonWithIcon("Run models…", theme.MediaPlayIcon(), s.runLeft)
	p.object = container.NewBorder(nil, container.NewHBox(p.run), nil, nil, evidence.Fit(p.table, columns))
	return p
}

func (p *leftPane) show() {
	p.lines = p.s.view.Reasons()
	p.table.SelectRow(-1)
	p.table.Reload()
	p.run.Hidden = len(p.s.view.Left) == 0 || p.s.deps.Run == nil
	p.run.Refresh()
}

func (p *leftPane) selected() {}
