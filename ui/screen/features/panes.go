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
	"github.com/variscope/variscope/ui/kit"
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
	list   *kit.Records[Correlation]
	all    []Correlation
	latest background.Latest
	object fyne.CanvasObject
}

func newCorrelationPane(s *Screen) *correlationPane {
	p := &correlationPane{s: s}
	p.list = &kit.Records[Correlation]{
		Host: s.host(), Table: correlationTable(WithRobust),
		Note: func([]Correlation) string {
			text := "Pearson's r and Spearman's ρ over the models shown. A double click shows the scatter plot."
			if failed := s.view.AtChance(); len(failed) > 0 {
				text = fmt.Sprintf("%s Accuracy not above chance: %s; the scatter plot says what r is without.", text,
					result.Some(failed))
			}
			return text
		},
		OnSelect: func(c Correlation, ok bool) {
			if ok {
				s.view.Choose(c.Key)
				s.deps.Status(c.Detail())
			}
		},
		OnOpen: func(c Correlation) {
			s.view.Choose(c.Key)
			s.face.tabs.SelectIndex(1) // what lies behind the number
		},
	}
	with := widget.NewPicker(func(key string) {
		p.list.Table = correlationTable(WithRobust)
		if key == keyAccuracy {
			p.list.Table = correlationTable(WithAccuracy)
		}
		p.list.Set(p.all)
	})
	with.Offer([]widget.Option{{Key: keyRobust, Name: AxisName(keyRobust)}, {Key: keyAccuracy, Name: AxisName(keyAccuracy)}}, keyRobust)
	p.object = container.NewBorder(container.NewBorder(nil, nil, fynewidget.NewLabel("with"), nil, with.Select), nil,
		nil, nil, p.list.Object())
	return p
}

// show computes in the background; what stands there until then is that of before. A stale answer
// is dropped.
func (p *correlationPane) show() {
	numbers := p.s.view.numbers()
	background.Load(p.s.deps.Work, &p.latest, "correlate features", func(context.Context) ([]Correlation, error) {
		return numbers.correlations(), nil
	}, func(list []Correlation, err error) {
		if err != nil {
			p.s.deps.ShowError(err)
			return
		}
		p.all = list
		p.list.Set(list)
		p.list.Select(p.s.view.Chosen())
	})
}

func (p *correlationPane) selected() {}

// leftPane lists the models without features, and those without a label.
type leftPane struct {
	s    *Screen
	list *kit.Records[evidence.LeftOut]
}

func newLeftPane(s *Screen) *leftPane {
	return &leftPane{s, evidence.LeftOuts(s.host(), "features_left_out", "Every model has features.",
		kit.Action[evidence.LeftOut]{
			Name: "Run models…",
			Can:  func([]evidence.LeftOut) bool { return len(s.view.Left) > 0 && s.deps.Run != nil },
			Do:   func([]evidence.LeftOut) { s.runLeft() },
		})}
}

func (p *leftPane) show() { p.list.Set(p.s.view.Reasons()) }

func (p *leftPane) selected() {}
