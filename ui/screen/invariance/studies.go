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

// studyPage are studies over models or over suites, one for each score: a table with a row for each
// of them and of their groups, and the scatter plot of the selected one.
type studyPage struct {
	*kit.Screen[measure.Choice, []*measure.Studied]
	list *kit.Records[*measure.Studied]
	plot *kit.Figure
}

// The share of the height that the table of studies takes.
const studiesShare = 0.36

// newStudies makes a page of studies over models or suites; open is what a double click on a point
// (its row's ID) does.
func newStudies(
	s *Screen, host *kit.Host, over string, form *kit.Form[measure.Choice], open func(id string),
) *studyPage {
	p := &studyPage{plot: &kit.Figure{Host: host, OnOpen: open, Command: form.CommandLine}}
	p.list = &kit.Records[*measure.Studied]{
		// the family stands in the form
		Host: host, Table: measure.Studies.Place(result.FileOnly, "family"), Command: form.CommandLine,
		OnSelect: func(*measure.Studied, bool) {
			p.draw()
			p.Reword()
		},
	}
	split := container.NewVSplit(p.list.Object(), p.plot.Object())
	split.Offset = studiesShare
	p.Screen = newStudied(s, over, false, kit.Screen[measure.Choice, []*measure.Studied]{
		Host: host, Name: "Fit " + over, Doing: "Fitting…", Key: "invariance." + over, Form: form, Body: split,
		Keys: p.list.Focus,
		Show: func(made []*measure.Studied) {
			p.list.Set(measure.WithGroups(made))
			if _, ok := p.list.Selected(); !ok && len(made) > 0 {
				p.list.Select(measure.Studies.ID(made[0]))
			}
			p.draw()
		},
		Line: func([]*measure.Studied) string { return factsOf(p.list.Selected()) },
	})
	return p
}

// draw draws the selected study.
func (p *studyPage) draw() {
	figure := result.Figure{Empty: unmeasured}
	if study, ok := p.list.Selected(); ok {
		figure = study.Figure()
	}
	p.plot.Set(figure)
}

const unmeasured = "nothing was measured for this choice"

// factsOf are the facts of a study, "" without one.
func factsOf(study *measure.Studied, ok bool) string {
	if !ok {
		return ""
	}
	return strings.Join(study.Facts(), "\n")
}

// newStudied makes a page, or the page of a prediction, from what it declares.
func newStudied(
	s *Screen, over string, predict bool, page kit.Screen[measure.Choice, []*measure.Studied],
) *kit.Screen[measure.Choice, []*measure.Studied] {
	page.Load = func(o measure.Choice) kit.Work[[]*measure.Studied] {
		d := s.data()
		o.Suite = d.suite()
		return func(ctx context.Context, progress engine.Progress) ([]*measure.Studied, error) {
			return o.Studies(ctx, d.Rows, over, predict, progress)
		}
	}
	page.Below = true
	page.Form.Named = func(_, choice string) string { return measure.Score(choice).Title() }
	page.Form.Hide = append(page.Form.Hide, "resamples", "suite")
	return kit.New(page)
}

// newModels are the studies over all models of one suite; a double click opens a model.
func newModels(s *Screen, host *kit.Host) *studyPage {
	form := &kit.Form[measure.Choice]{Hide: []string{"model"}, Command: func(o measure.Choice) ([]string, any) {
		return s.command(s.data().suite(), measure.Options{
			Study: o.Scores, Over: measure.OverModels, Column: o.Column, Family: []string{o.Family}, Fit: o.Fit,
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
	return newStudies(s, host, measure.OverModels, form, func(id string) {
		rows := s.data().Rows
		if at := slices.IndexFunc(rows, func(m measure.Measured) bool { return m.ID() == id }); at >= 0 {
			host.Inspect(rows[at].Model.Hash)
		}
	})
}

// overSuites asks for studies of one model over its suites.
func overSuites(s *Screen, predict bool) *kit.Form[measure.Choice] {
	form := &kit.Form[measure.Choice]{Hide: []string{"column"}, Command: func(o measure.Choice) ([]string, any) {
		at := slices.IndexFunc(s.data().Models, func(m model.Model) bool { return m.Hash == o.Model })
		if at < 0 || len(o.HeldBack) > 0 { // the command holds nothing back
			return nil, nil
		}
		return s.command("", measure.Options{
			Study: o.Scores, Over: measure.OverSuites, Predict: predict, Fit: o.Fit,
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

// forecastPage predicts the accuracy of one model on suites without labels, by each score.
type forecastPage struct {
	*kit.Screen[measure.Choice, []*measure.Studied]
	list *kit.Records[measure.Predicted]
	plot *kit.Figure
}

// The share of the width that the table of suites takes.
const suitesShare = 0.58

func newForecast(s *Screen, host *kit.Host) *forecastPage {
	form := overSuites(s, true)
	p := &forecastPage{plot: &kit.Figure{Host: host, OnOpen: s.ShowRow, Command: form.CommandLine}}
	// The names of the one model and family stand in the menus, as does the score where it is one.
	of := measure.Predictions.Place(result.FileOnly, "model_id", "family")
	p.list = &kit.Records[measure.Predicted]{
		Host: host, Table: of, OnOpen: p.toggle, Command: form.CommandLine,
		OnSelect: func(measure.Predicted, bool) {
			p.draw()
			p.Reword()
		},
	}
	note := fynewidget.NewLabel("A double click takes a suite with labels out of the fit, to see how well its " +
		"accuracy is predicted. Accuracies of suites in the fit are predicted by a fit without them. The figure is " +
		"that of the score of the selected row.")
	note.Wrapping, note.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	split := container.NewHSplit(container.NewBorder(nil, note, nil, nil, p.list.Object()), p.plot.Object())
	split.Offset = suitesShare
	p.Screen = newStudied(s, measure.OverSuites, true, kit.Screen[measure.Choice, []*measure.Studied]{
		Host: host, Name: "Predict accuracy", Doing: "Predicting…", Key: "invariance.predict", Form: form, Body: split,
		Keys: p.list.Focus, Line: func([]*measure.Studied) string { return factsOf(p.drawn()) },
		Show: func(made []*measure.Studied) {
			if p.list.Table = of; len(made) > 1 {
				p.list.Table = of.Place(result.Shown, "score_name")
			}
			p.list.Set(measure.PredictedOf(made))
			p.draw()
		},
	})
	return p
}

// drawn is the study of the selected row, else the first one.
func (p *forecastPage) drawn() (study *measure.Studied, ok bool) {
	made, _ := p.Data()
	if line, ok := p.list.Selected(); ok {
		return line.Of, true
	}
	if len(made) == 0 {
		return nil, false
	}
	return made[0], true
}

func (p *forecastPage) draw() {
	figure := result.Figure{Empty: unmeasured}
	if study, ok := p.drawn(); ok {
		figure = study.ForecastFigure()
	}
	p.plot.Set(figure)
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
