package invariance

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// forecastPane predicts the accuracy of one model on suites without labels.
type forecastPane struct {
	s             *Screen
	score         *widget.Picker
	model, family *widget.Picker
	table         *widget.Table
	plot          *widget.Scatter
	facts         *fynewidget.Label
	latest        background.Latest
	job           *background.Job
	forecast      Forecast
	lines         []Line
	known         bool // forecast holds one
	object        fyne.CanvasObject
}

func newForecastPane(s *Screen) *forecastPane {
	p := &forecastPane{s: s, plot: widget.NewScatter(), facts: fynewidget.NewLabel("")}
	c := &s.view.Forecast
	again := func(change func()) { change(); p.show() }
	p.score = newScoreChooser(func(to measure.Score) { again(func() { c.Score = to }) })
	p.model = widget.NewPicker(func(key string) { again(func() { c.Model = key; c.settle(s.view.Data) }) })
	p.family = widget.NewPicker(func(key string) { again(func() { c.Family = key }) })
	logit := newLogitCheck(func(on bool) { again(func() { c.Unscaled = !on }) })
	seed := newSeedEntry(s, func(to uint64) { again(func() { c.Seed = to }) })
	menus := container.NewGridWithColumns(3, evidence.Named("score", p.score.Select), evidence.Named("model", p.model.Select), evidence.Named("under", p.family.Select))
	p.facts.Wrapping, p.facts.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	p.plot.OnHover = s.deps.Status
	s.saver.ConnectScatter(p.plot, func() []string { return []string{"predicted-accuracy", string(c.Score)} })
	note := fynewidget.NewLabel("A double click takes a suite with labels out of the fit, to see how well its accuracy is predicted. Accuracies of suites in the fit are predicted by a fit without them.")
	note.Wrapping, note.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	split := container.NewHSplit(container.NewBorder(nil, note, nil, nil, p.buildTable()), container.NewBorder(nil, p.facts, nil, nil, p.plot))
	split.Offset = 0.58
	p.object = container.NewBorder(container.NewBorder(nil, nil, nil, container.NewHBox(logit, seed), menus), nil, nil, nil, split)
	return p
}

func (p *forecastPane) buildTable() fyne.CanvasObject {
	columns := func() []widget.Column {
		widths := []float32{190, 164, 64, 84, 92, 128, 84}
		var list []widget.Column
		for k, title := range lineTitles() {
			list = append(list, widget.Column{Title: title, Width: widths[k] * widget.Grown(), Right: k >= 2, Hint: lineHint(k)})
		}
		return list
	}
	p.table = widget.NewTable(columns(), func() int { return len(p.lines) }, func(row, col int) string { return p.lines[row].Cell(col) })
	p.table.StickyColumnCount = 1
	p.table.OnHint = p.s.deps.Status
	p.table.OnRow = func(row int) { p.s.deps.Status(p.lines[row].Detail()) }
	p.table.OnOpen = func(row int) {
		if role := p.lines[row].Role; role == InFit || role == HeldBack {
			p.s.view.Forecast.Toggle(p.lines[row].Suite)
			p.show()
		}
	}
	return evidence.Fit(p.table, columns)
}

// lineHint says what a column of the table of suites tells.
func lineHint(col int) string {
	switch col {
	case 1:
		return "role: in the fit, held back by a double click, or without labels"
	case 3:
		return "accuracy: the true one, where the suite has labels"
	case 4:
		return "predicted: by the fit, of a suite in the fit by a fit without it"
	case 5:
		return "95 % interval for a new suite: the spread of the fitted lines and of the points around them"
	case 6:
		return "error: predicted minus true accuracy, in percentage points"
	}
	return ""
}

// Detail is a line in words.
func (l Line) Detail() string {
	text := fmt.Sprintf("%s, %s: predicted %s (%s to %s)", l.Name, l.Role.Word(), present.Percent(l.Predicted), present.Percent(l.Low), present.Percent(l.High))
	if remark := l.Remark(); remark != "" {
		text += "; " + remark
	}
	return text
}

// made is the forecast that is shown; ok is false without one.
func (p *forecastPane) made() (f Forecast, ok bool) { return p.forecast, p.known && len(p.lines) > 0 }

// show predicts in the background, as a job that people see; an older one's answer is dropped.
func (p *forecastPane) show() {
	v := p.s.view
	p.score.Offer(scoreChoices(), string(v.Forecast.Score))
	p.model.Offer(v.modelChoices(), v.Forecast.Model)
	p.family.Offer(v.familiesOf(v.Forecast.Model), v.Forecast.Family)
	if p.job != nil {
		p.job.Drop()
	}
	id, plan := p.latest.Next(), v.ForecastPlan()
	var f Forecast
	p.facts.SetText("fitting…" + "\n") // two lines as there will be, so that the plot stays where it is
	p.job = p.s.deps.Work.Start("Predict accuracy", func(ctx context.Context, progress *background.Progress) (err error) {
		f, err = plan.Predict(ctx, progress)
		return err
	}, func(err error) {
		if !p.latest.Is(id) {
			return
		}
		p.job = nil
		switch {
		case err == nil:
			p.take(f)
		case present.Cancelled(err):
			p.facts.SetText("Predicting was cancelled." + "\n")
		case !errors.Is(err, background.ErrClosed):
			p.facts.SetText("\n")
			p.s.deps.ShowError(err)
		}
	})
}

func (p *forecastPane) take(f Forecast) {
	p.forecast, p.known, p.lines = f, true, f.Lines()
	p.table.SelectRow(-1)
	p.table.Reload()
	p.plot.SetData(f.Scatter())
	p.facts.SetText(strings.Join(f.Facts(), "\n"))
}
