package features

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
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
	p.plot = &kit.Figure{
		Host: host, Name: func() []string { return []string{"histogram", s.chosen} }, Command: s.command,
	}
	axis := widget.NewPicker(s.Choose)
	p.Panel = kit.Panel{
		Body: container.NewBorder(named("feature", axis), nil, nil, nil, p.plot.Object()), Keys: s.list.Focus,
		Show: func() {
			axis.Offer(s.axisOptions(), s.chosen)
			p.plot.Set(s.data().plots().Histogram(s.list.Shown(), s.chosen))
			p.mark()
		},
	}
	return p
}

// mark marks the selected model.
func (p *histogram) mark() {
	if r, ok := p.s.list.Selected(); ok {
		figure := p.plot.Data()
		figure.Rules = []result.Rule{{Name: r.Model.ID, X: training.ValueOf(p.s.data().Layout, p.s.chosen)(r)}}
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
		Host: host, Name: "Correlate two numbers", Doing: "Correlating…", Key: "features.scatter", Quiet: true,
		Keys: s.list.Focus, Body: container.NewBorder(axes, nil, nil, nil, p.plot.Object()), Below: true, Line: facts,
		Load: func(struct{}) kit.Work[result.Figure] {
			x.Offer(s.axisOptions(), s.chosen)
			y.Offer(s.axisOptions(), s.against)
			d, rows, across, up := s.data(), s.list.Shown(), s.chosen, s.against
			return func(context.Context, engine.Progress) (result.Figure, error) {
				return d.plots().Scatter(rows, across, up), nil
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
				if training.AtChance(r) {
					failed = append(failed, r.Model.ID)
				}
			}
			if len(failed) > 0 {
				text += " Accuracy not above chance: " + result.Some(failed) +
					"; the scatter plot says what r is without."
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
		if key == training.KeyAccuracy {
			list.Table = feature.Correlations(feature.WithAccuracy)
		}
		list.Set(all)
	})
	with.Offer([]widget.Option{
		{Key: training.KeyRobust, Name: training.AxisName(training.KeyRobust)},
		{Key: training.KeyAccuracy, Name: training.KeyAccuracy},
	}, training.KeyRobust)
	return kit.New(kit.Screen[struct{}, []feature.Correlation]{
		Host: host, Name: "Correlate features", Doing: "Correlating…", Key: "features.correlation", Quiet: true,
		Keys: list.Focus, Body: container.NewBorder(named("with", with), nil, nil, nil, list.Object()),
		Load: func(struct{}) kit.Work[[]feature.Correlation] {
			d, matrix, rows := s.data(), s.shownMatrix(), s.list.Shown()
			return func(ctx context.Context, _ engine.Progress) ([]feature.Correlation, error) {
				return training.Correlate(ctx, d.Layout, rows, matrix)
			}
		},
		Show: func(made []feature.Correlation) {
			all = made
			list.Set(all)
			list.Select(s.chosen)
		},
	})
}

// spreads are how features vary between and within groups of models, with what to know of them.
type spreads struct {
	list  []training.Spread
	notes []string
}

// newGroups lists how accuracy, scores and features vary between and within groups of models.
func newGroups(s *Screen, host *kit.Host) *kit.Screen[training.GroupOptions, spreads] {
	list := &kit.Records[training.Spread]{
		// there is no room for all columns
		Host: host, Table: training.Spreads.Place(result.Offered, "n", "groups", "groups_of_one"),
		OnSelect: func(one training.Spread, ok bool) {
			if ok {
				s.Choose(one.Name)
				s.Choose(s.shownMatrix() + "." + one.Name)
			}
		},
	}
	columns := func(rows []training.Row) []string { // with two groups or more, and a group of two or more
		models := make([]model.Model, len(rows))
		for k, r := range rows {
			models[k] = r.Model
		}
		return model.RecordNames(models, 2, len(models)-1)
	}
	none := kit.Empty{Text: "No column of the training records sorts these models into groups. Import a models.csv " +
		"with one, such as a recipe that several models were trained by."}
	filtered := kit.Empty{Text: "The models that the filter leaves are not two groups or more, one of them " +
		"with two models."}
	return kit.New(kit.Screen[training.GroupOptions, spreads]{
		Host: host, Name: "Compare groups", Doing: "Comparing groups…", Key: "features.groups", Quiet: true,
		Keys: list.Focus,
		Form: &kit.Form[training.GroupOptions]{Choices: func(string) (options []kit.Option, first string) {
			for _, name := range columns(s.data().Rows) { // what is chosen outlasts a filter
				options = append(options, kit.Option{Key: name, Name: name})
			}
			return options, ""
		}},
		Body: list.Object(), Below: true, Line: func(g spreads) string { return strings.Join(g.notes, "\n") },
		Load: func(o training.GroupOptions) kit.Work[spreads] {
			d, matrix, rows := s.data(), s.shownMatrix(), s.list.Shown()
			if !slices.Contains(columns(rows), o.Groups) {
				return nil
			}
			return func(context.Context, engine.Progress) (g spreads, err error) {
				all, left, err := training.SpreadsOf(d.Layout, rows, o.Groups)
				for _, one := range all { // of the matrix that the table has
					name, _, is := strings.Cut(one.Name, ".")
					if one.Name = strings.TrimPrefix(one.Name, matrix+"."); !is || matrix == "" || name == matrix {
						g.list = append(g.list, one)
					}
				}
				g.notes = append([]string{"Over the models shown. ICC near 1: one training stands for its group; " +
					"near 0: the group says nothing."},
					training.Cautions(o.Groups, g.list, left)...)
				return g, err
			}
		},
		Empty: func(g spreads) (kit.Empty, bool) {
			if len(columns(s.data().Rows)) > 0 {
				return filtered, len(g.list) == 0
			}
			return none, len(g.list) == 0
		},
		Show: func(g spreads) { list.Set(g.list) },
	})
}

// newIntervals lists the features of the selected model with what resamples of the images say of
// them, for those who ask for some.
func newIntervals(
	s *Screen, host *kit.Host, ws *store.Workspace,
) *kit.Screen[assess.ResampleOptions, []feature.Interval] {
	list := &kit.Records[feature.Interval]{Host: host, Table: feature.Intervals.Place(result.Offered, "model_id")}
	none := kit.Empty{Text: "Resamples tell how far the features of the selected model depend on which images the " +
		"suite has: enter their number above, such as 1000."}
	return kit.New(kit.Screen[assess.ResampleOptions, []feature.Interval]{
		Host: host, Name: "Resample the images", Doing: "Resampling the images…", Key: "features.intervals",
		Keys: list.Focus, Form: &kit.Form[assess.ResampleOptions]{}, Body: list.Object(),
		Load: func(o assess.ResampleOptions) kit.Work[[]feature.Interval] {
			row, ok := s.list.Selected()
			if !ok || o.Resamples == 0 {
				return nil
			}
			d, matrix := s.data(), s.shownMatrix()
			ask := training.Ask{
				Suite: d.Current.Suite, Family: d.Current.Family, Layout: d.Layout, Images: variance.AllImages(),
			}
			if k := slices.Index(d.Layout.Modalities, matrix); k >= 0 {
				ask.Layout.Modalities, row.Vector = []string{matrix}, row.Vector.Part(k)
			}
			return func(ctx context.Context, p engine.Progress) ([]feature.Interval, error) {
				found, left, err := training.Intervals(ctx, ws, ask, []training.Row{row}, o.Bootstrap(), p)
				if len(left) > 0 {
					return nil, fmt.Errorf("%s: %s", left[0].ID, left[0].Reason.Text)
				}
				return found, err
			}
		},
		Empty: func(found []feature.Interval) (kit.Empty, bool) { return none, len(found) == 0 },
		Show:  list.Set, Below: true,
		Line: func(found []feature.Interval) string {
			return fmt.Sprintf("%s: percentiles 2.5 and 97.5 over %d resamples of the images.",
				found[0].Model, found[0].Resamples)
		},
	})
}
