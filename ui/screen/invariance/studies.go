package invariance

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// studyPage is a study as a scatter plot with its line: over models, over suites, or a forecast.
type studyPage[O any] struct {
	*kit.Screen[O, *measure.Studied]
	plot *kit.Figure
}

// newStudy makes a page that shows its figure alone where it has no other body. study makes the
// study from what was measured, open is what a double click on a point (its row's ID) does.
func newStudy[O any](s *Screen, p *studyPage[O], open func(id string), page kit.Screen[O, *measure.Studied],
	study func(o O, ctx context.Context, d Data, progress engine.Progress) (*measure.Studied, error),
) *studyPage[O] {
	p.plot = &kit.Figure{Host: page.Host, OnOpen: open, Command: page.Form.CommandLine}
	if page.Body == nil {
		page.Body, page.Show = p.plot.Object(), func(made *measure.Studied) { p.plot.Set(made.Figure()) }
	}
	page.Load = func(o O) kit.Work[*measure.Studied] {
		d := s.data()
		return func(ctx context.Context, progress engine.Progress) (*measure.Studied, error) {
			return study(o, ctx, d, progress)
		}
	}
	page.Below, page.Line = true, func(made *measure.Studied) string { return strings.Join(made.Facts(), "\n") }
	page.Form.Hide = []string{"resamples", "suite"}
	page.Form.Named = func(_, choice string) string { return measure.Score(choice).Title() }
	p.Screen = kit.New(page)
	return p
}

// newModels is the study over all models of one suite; a double click opens a model.
func newModels(s *Screen, host *kit.Host) *studyPage[measure.ModelsStudy] {
	form := &kit.Form[measure.ModelsStudy]{Command: func(o measure.ModelsStudy) ([]string, any) {
		return s.command(s.data().suite(), measure.Options{
			Study: []measure.Score{o.Score}, Over: measure.OverModels, Column: o.Column, Family: []string{o.Family}, Fit: o.Fit,
		})
	}}
	form.Choices = func(source string) (list []kit.Option, first string) {
		d := s.data()
		if source == "families" {
			list = menu(d.of("", d.suite(), ""), familyOf)
			return list, d.usual(list)
		}
		list = []kit.Option{{Name: "none"}}
		for _, name := range model.RecordNames(d.Models, 2, result.Categories) {
			list = append(list, kit.Option{Key: name, Name: name})
		}
		return list, ""
	}
	open := func(id string) {
		rows := s.data().Rows
		if at := slices.IndexFunc(rows, func(m measure.Measured) bool { return m.ID() == id }); at >= 0 {
			host.Inspect(rows[at].Model.Hash)
		}
	}
	return newStudy(s, &studyPage[measure.ModelsStudy]{}, open, kit.Screen[measure.ModelsStudy, *measure.Studied]{
		Host: host, Name: "Fit models", Doing: "Fitting…", Key: "invariance.models", Form: form,
	}, func(o measure.ModelsStudy, ctx context.Context, d Data, _ engine.Progress) (*measure.Studied, error) {
		o.Suite = d.suite()
		return o.Study(ctx, d.Rows)
	})
}

// overSuites asks for a study of one model over its suites.
func overSuites(s *Screen, predict bool) *kit.Form[measure.SuitesStudy] {
	form := &kit.Form[measure.SuitesStudy]{Command: func(o measure.SuitesStudy) ([]string, any) {
		at := slices.IndexFunc(s.data().Models, func(m model.Model) bool { return m.Hash == o.Model })
		if at < 0 || len(o.HeldBack) > 0 { // the command holds nothing back
			return nil, nil
		}
		return s.command("", measure.Options{
			Study: []measure.Score{o.Score}, Over: measure.OverSuites, Predict: predict, Fit: o.Fit,
			Family: []string{o.Family}, Models: []string{s.data().Models[at].ID},
		})
	}}
	form.Choices = func(source string) (list []kit.Option, first string) {
		d := s.data()
		if source == "models" {
			return menu(d.Rows, modelOf), d.mostSuites()
		}
		list = menu(d.of(form.Options().Model, "", ""), familyOf)
		return list, d.usual(list)
	}
	return form
}

// newSuites is the study of one model over its suites; a double click shows a suite's row.
func newSuites(s *Screen, host *kit.Host) *studyPage[measure.SuitesStudy] {
	return newStudy(s, &studyPage[measure.SuitesStudy]{}, s.ShowRow, kit.Screen[measure.SuitesStudy, *measure.Studied]{
		Host: host, Name: "Fit suites", Doing: "Fitting…", Key: "invariance.suites", Form: overSuites(s, false),
	}, func(o measure.SuitesStudy, ctx context.Context, d Data, _ engine.Progress) (*measure.Studied, error) {
		return o.Study(ctx, d.Rows)
	})
}

// forecastPage predicts the accuracy of one model on suites without labels.
type forecastPage struct {
	studyPage[measure.SuitesStudy]
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
	note := fynewidget.NewLabel("A double click takes a suite with labels out of the fit, to see how well its accuracy " +
		"is predicted. Accuracies of suites in the fit are predicted by a fit without them.")
	note.Wrapping, note.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	split := container.NewHSplit(container.NewBorder(nil, note, nil, nil, p.list.Object()), note)
	split.Offset = suitesShare
	newStudy(s, &p.studyPage, s.ShowRow, kit.Screen[measure.SuitesStudy, *measure.Studied]{
		Host: host, Name: "Predict accuracy", Doing: "Predicting…", Key: "invariance.predict",
		Form: overSuites(s, true), Body: split, Keys: p.list.Focus,
		Show: func(made *measure.Studied) {
			p.list.Set(measure.PredictedOf([]*measure.Studied{made}))
			p.plot.Set(made.ForecastFigure())
		},
	}, func(o measure.SuitesStudy, ctx context.Context, d Data, progress engine.Progress) (*measure.Studied, error) {
		return o.Forecast(ctx, d.Rows, progress)
	})
	split.Trailing = p.plot.Object()
	return p
}

// toggle takes a suite with labels out of the fit, or back in.
func (p *forecastPage) toggle(line measure.Predicted) {
	if line.Role != measure.InFit && line.Role != measure.HeldBack {
		return
	}
	suite := line.Of.Rows[line.K].Suite
	out := slices.DeleteFunc(slices.Clone(p.Options().HeldBack), func(hash string) bool { return hash == suite })
	if line.Role == measure.InFit {
		out = append(out, suite)
	}
	if err := p.Form.Put("held-back", strings.Join(out, ",")); err != nil {
		p.Fail(err)
	}
}
