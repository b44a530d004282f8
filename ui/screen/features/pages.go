package features

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// named is a menu with its name before it.
func named(name string, menu *widget.Picker) fyne.CanvasObject {
	return widget.Named(fynewidget.NewLabel(name), menu.Select)
}

// histogram shows how the chosen number is distributed.
type histogram struct {
	kit.Panel
	s    *Screen
	plot *kit.Figure
}

func newHistogram(s *Screen, host *kit.Host) *histogram {
	p := &histogram{s: s}
	p.plot = &kit.Figure{Host: host, Name: func() []string { return []string{"histogram", s.chosen} }, Command: s.command}
	axis := widget.NewPicker(s.Choose)
	p.Panel = kit.Panel{
		Body: container.NewBorder(named("feature", axis), nil, nil, nil, p.plot.Object()), Keys: s.list.Focus,
		Show: func() {
			axis.Offer(s.axisOptions(), s.chosen)
			p.plot.Set(s.data().histogramOf(s.list.Shown(), s.chosen))
			p.mark()
		},
	}
	return p
}

// mark marks the selected model.
func (p *histogram) mark() {
	if r, ok := p.s.list.Selected(); ok {
		figure := p.plot.Data()
		figure.Rules = []result.Rule{{Name: r.Model.ID, X: valueOf(p.s.data().Layout, p.s.chosen)(r)}}
		p.plot.Set(figure)
	}
}

// scatter shows the models over two numbers.
type scatter struct {
	*kit.Screen[struct{}, result.Figure]
	s    *Screen
	plot *kit.Figure
}

func newScatter(s *Screen, host *kit.Host) *scatter {
	p := &scatter{s: s}
	p.plot = &kit.Figure{
		Host: host, OnOpen: host.Inspect, Name: func() []string { return []string{"scatter", s.chosen, s.against} },
		Command: s.command,
		OnTap: func(id string) {
			s.list.Select(id)
			if r, ok := s.list.Selected(); ok {
				host.Say(about(r))
			}
			s.selected()
		},
	}
	x := widget.NewPicker(s.Choose)
	y := widget.NewPicker(func(key string) {
		s.against = key
		p.Changed()
	})
	axes := container.NewGridWithColumns(2, named("across", x), named("up", y))
	p.Screen = kit.New(kit.Screen[struct{}, result.Figure]{
		Host: host, Name: "Correlate two numbers", Doing: "Correlating…", Key: "features.scatter", Quiet: true, Keys: s.list.Focus,
		Body: container.NewBorder(axes, nil, nil, nil, p.plot.Object()), Below: true, Line: facts,
		Load: func(struct{}) kit.Work[result.Figure] {
			x.Offer(s.axisOptions(), s.chosen)
			y.Offer(s.axisOptions(), s.against)
			d, rows, across, up := s.data(), s.list.Shown(), s.chosen, s.against
			return func(context.Context, engine.Progress) (result.Figure, error) {
				return d.scatterOf(rows, across, up), nil
			}
		},
		Show: func(f result.Figure) {
			p.plot.Set(f)
			p.mark()
		},
	})
	return p
}

// mark marks the selected model, and those that look like it.
func (p *scatter) mark() {
	r, _ := p.s.list.Selected()
	var near []string
	for k, a := range p.s.data().alikes(r.Model.Hash, p.s.shownMatrix()) {
		if k > 0 {
			near = append(near, a.Model.Hash)
		}
	}
	p.plot.Select(r.Model.Hash)
	p.plot.Ring(near...)
}

// newCorrelations lists how the features go with both accuracies.
func newCorrelations(s *Screen, host *kit.Host) kit.Page {
	var all []feature.Correlation
	s.correlated = &kit.Records[feature.Correlation]{
		Host: host, Table: feature.Correlations(feature.WithRobust),
		Note: func([]feature.Correlation) string {
			text := "Pearson's r and Spearman's ρ over the models shown. A double click shows the scatter plot."
			var failed []string
			for _, r := range s.list.Shown() {
				if atChance(r) {
					failed = append(failed, r.Model.ID)
				}
			}
			if len(failed) > 0 {
				text += " Accuracy not above chance: " + result.Some(failed) + "; the scatter plot says what r is without."
			}
			return text
		},
		OnSelect: func(c feature.Correlation, ok bool) {
			if ok {
				s.chosen = c.Key
				s.plotted()
				host.Say(c.Detail())
			}
		},
		OnOpen: func(c feature.Correlation) {
			s.Choose(c.Key)
			s.tabs.Select("scatter") // what lies behind the number
		},
	}
	list := s.correlated
	with := widget.NewPicker(func(key string) {
		list.Table = feature.Correlations(feature.WithRobust)
		if key == keyAccuracy {
			list.Table = feature.Correlations(feature.WithAccuracy)
		}
		list.Set(all)
	})
	with.Offer([]widget.Option{{Key: keyRobust, Name: axisName(keyRobust)}, {Key: keyAccuracy, Name: keyAccuracy}}, keyRobust)
	return kit.New(kit.Screen[struct{}, []feature.Correlation]{
		Host: host, Name: "Correlate features", Doing: "Correlating…", Key: "features.correlation", Quiet: true, Keys: list.Focus,
		Body: container.NewBorder(named("with", with), nil, nil, nil, list.Object()),
		Load: func(struct{}) kit.Work[[]feature.Correlation] {
			d, matrix, rows := s.data(), s.shownMatrix(), s.list.Shown()
			return func(ctx context.Context, _ engine.Progress) ([]feature.Correlation, error) {
				return d.correlate(ctx, matrix, rows)
			}
		},
		Show: func(made []feature.Correlation) {
			all = made
			list.Set(all)
			list.Select(s.chosen)
		},
	})
}

// correlate correlates the features of the table over models.
func (d Data) correlate(ctx context.Context, matrix string, rows []training.Row) ([]feature.Correlation, error) {
	var list []feature.Series
	names := d.Layout.Names()
	for _, k := range places(d.Layout, matrix) {
		title := names[k]
		if matrix != "" {
			title = title[len(matrix)+1:]
		}
		list = append(list, feature.Series{Key: names[k], Title: title, X: valuesOf(d.Layout, rows, names[k])})
	}
	return feature.Correlate(ctx, list, valuesOf(d.Layout, rows, keyRobust), valuesOf(d.Layout, rows, keyAccuracy))
}
