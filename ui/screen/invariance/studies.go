package invariance

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// studyPage is a study as a scatter plot with its line: over models, over suites, or a forecast.
type studyPage[O any] struct {
	*kit.Screen[O, *measure.Studied]
	plot *kit.Figure
}

// newStudy makes a page; names are the parts of the names of saved figures, point is what a double
// click on a point (the row's ID) does.
func newStudy[O any](s *Screen, declared kit.Screen[O, *measure.Studied], name string, point func(id string)) *studyPage[O] {
	p := &studyPage[O]{plot: &kit.Figure{Host: declared.Host, OnOpen: point}}
	p.plot.Name = func() []string {
		made, _ := p.Data()
		return []string{name, string(made.Score)}
	}
	if declared.Body == nil {
		declared.Body = p.plot.Object()
		declared.Show = func(made *measure.Studied) { p.plot.Set(made.Figure()) }
	}
	declared.Line, declared.Below = func(made *measure.Studied) string { return strings.Join(made.Facts(), "\n") }, true
	declared.Form.Hide = []string{"resamples"}
	declared.Form.Named = func(_, choice string) string { return measure.Score(choice).Title() }
	p.Screen = kit.New(declared)
	return p
}

// newModels is the study over all models of one suite; a double click opens a model.
func newModels(s *Screen, host *kit.Host) *studyPage[measure.ModelsStudy] {
	type options = measure.ModelsStudy
	form := &kit.Form[options]{Command: func(o options) ([]string, any) {
		made := measure.Options{Study: o.Score, Over: measure.OverModels, Column: o.Column, Family: []string{o.Family}, Fit: o.Fit}
		return s.command(made, o.Suite)
	}}
	form.Choices = func(source string) (list []kit.Option, first string) {
		d := s.data()
		switch source {
		case "suites":
			return d.suites(), d.Current.Suite
		case "families":
			list = d.families(func(m measure.Measured) bool { return m.Suite == form.Options().Suite })
			return list, d.usual(list)
		}
		list = []kit.Option{{Name: "none"}}
		for _, name := range measure.RecordColumns(d.Models, 2, result.Categories) {
			list = append(list, kit.Option{Key: name, Name: name})
		}
		return list, ""
	}
	return newStudy(s, kit.Screen[options, *measure.Studied]{
		Host: host, Name: "Fit invariance and accuracy over models", Doing: "Fitting…", Key: "invariance.models", Form: form,
		Load: func(o options) kit.Work[*measure.Studied] {
			rows := s.data().Rows
			return func(ctx context.Context, _ engine.Progress) (*measure.Studied, error) { return o.Study(ctx, rows) }
		},
	}, "invariance-models", func(id string) {
		for _, m := range s.data().Rows {
			if m.ID() == id {
				host.Inspect(m.Model.Hash)
			}
		}
	})
}

// overSuites asks for a study of one model over its suites.
func overSuites(s *Screen, predict bool) *kit.Form[measure.SuitesStudy] {
	form := &kit.Form[measure.SuitesStudy]{}
	form.Command = func(o measure.SuitesStudy) ([]string, any) {
		if len(o.HeldBack) > 0 { // the command holds nothing back
			return nil, nil
		}
		made := measure.Options{Study: o.Score, Over: measure.OverSuites, Predict: predict, Family: []string{o.Family}, Fit: o.Fit}
		for _, m := range s.data().Models {
			if m.Hash == o.Model {
				made.Models = []string{m.ID}
			}
		}
		return s.command(made, "")
	}
	form.Choices = func(source string) (list []kit.Option, first string) {
		d := s.data()
		if source == "models" {
			return d.models(), d.mostSuites()
		}
		list = d.families(func(m measure.Measured) bool { return m.Model.Hash == form.Options().Model })
		return list, d.usual(list)
	}
	return form
}

// newSuites is the study of one model over its suites; a double click shows a suite's row.
func newSuites(s *Screen, host *kit.Host) *studyPage[measure.SuitesStudy] {
	return newStudy(s, kit.Screen[measure.SuitesStudy, *measure.Studied]{
		Host: host, Name: "Fit invariance and accuracy over suites", Doing: "Fitting…", Key: "invariance.suites", Form: overSuites(s, false),
		Load: func(o measure.SuitesStudy) kit.Work[*measure.Studied] {
			rows := s.data().Rows
			return func(ctx context.Context, _ engine.Progress) (*measure.Studied, error) { return o.Study(ctx, rows) }
		},
	}, "invariance-suites", s.ShowRow)
}

// forecastPage predicts the accuracy of one model on suites without labels.
type forecastPage struct {
	*studyPage[measure.SuitesStudy]
	list *kit.Records[measure.Predicted]
}

// The share of the width that the table of suites takes.
const suitesShare = 0.58

func newForecast(s *Screen, host *kit.Host) *forecastPage {
	p := &forecastPage{}
	// The names of the one model and family stand in the menus.
	p.list = &kit.Records[measure.Predicted]{
		Host: host, Table: measure.Predictions.Place(result.FileOnly, "model_id", "family"), OnOpen: p.toggle,
	}
	note := fynewidget.NewLabel("A double click takes a suite with labels out of the fit, to see how well its accuracy is predicted. " +
		"Accuracies of suites in the fit are predicted by a fit without them.")
	note.Wrapping, note.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	split := container.NewHSplit(container.NewBorder(nil, note, nil, nil, p.list.Object()), container.NewStack())
	split.Offset = suitesShare
	p.studyPage = newStudy(s, kit.Screen[measure.SuitesStudy, *measure.Studied]{
		Host: host, Name: "Predict accuracy", Doing: "Predicting…", Key: "invariance.predict", Form: overSuites(s, true),
		Body: split, Keys: p.list.Focus,
		Load: func(o measure.SuitesStudy) kit.Work[*measure.Studied] {
			rows := s.data().Rows
			return func(ctx context.Context, progress engine.Progress) (*measure.Studied, error) {
				return o.Forecast(ctx, rows, progress)
			}
		},
		Show: func(made *measure.Studied) {
			p.list.Set(measure.PredictedOf([]*measure.Studied{made}))
			p.plot.Set(made.ForecastFigure())
		},
	}, "predicted-accuracy", s.ShowRow)
	split.Trailing = p.plot.Object()
	return p
}

// toggle takes a suite with labels out of the fit, or back in.
func (p *forecastPage) toggle(line measure.Predicted) {
	suite, out := line.Of.Rows[line.K].Suite, p.Options().HeldBack
	var next []string
	for _, hash := range out {
		if hash != suite {
			next = append(next, hash)
		}
	}
	switch line.Role {
	case measure.InFit:
		next = append(next, suite)
	case measure.HeldBack:
	default:
		return
	}
	if err := p.Form.Put("held-back", strings.Join(next, ",")); err != nil {
		p.Fail(err)
	}
}
