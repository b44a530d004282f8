package invariance

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// studyPane is a study as a scatter plot with its line, over models or over suites.
type studyPane struct {
	s      *Screen
	plan   func() Plan
	fill   func() // brings the menus up to date
	name   string // of saved figures
	latest background.Latest
	made   Examined
	plot   *widget.Scatter
	facts  *fynewidget.Label
	object fyne.CanvasObject
}

func newStudyPane(s *Screen, name string, controls fyne.CanvasObject) *studyPane {
	p := &studyPane{s: s, name: name, plot: widget.NewScatter(), facts: fynewidget.NewLabel("")}
	p.facts.Wrapping, p.facts.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	p.plot.OnHover = s.deps.Status
	p.plot.Menu = nil
	s.saver.ConnectScatter(p.plot, func() []string { return []string{p.name, string(p.made.Score)} })
	p.object = container.NewBorder(controls, p.facts, nil, nil, p.plot)
	return p
}

// newModelsPane is the study over all models of one suite; a click opens a model.
func newModelsPane(s *Screen) *studyPane {
	c := &s.view.OverModels
	var p *studyPane
	again := func(change func()) { change(); p.show() }
	score := newScoreChooser(func(to measure.Score) { again(func() { c.Score = to }) })
	suite := widget.NewPicker(func(key string) { again(func() { c.Suite = key; c.settle(s.view.Data) }) })
	family := widget.NewPicker(func(key string) { again(func() { c.Family = key }) })
	column := widget.NewPicker(func(key string) { again(func() { c.Column = key }) })
	logit := newLogitCheck(func(on bool) { again(func() { c.Unscaled = !on }) })
	seed := newSeedEntry(s, func(to uint64) { again(func() { c.Seed = to }) })
	menus := container.NewGridWithColumns(4, evidence.Named("score", score.Select), evidence.Named("suite", suite.Select),
		evidence.Named("under", family.Select), evidence.Named("colour", column.Select))
	p = newStudyPane(s, "invariance-models", container.NewBorder(nil, nil, nil, container.NewHBox(logit, seed), menus))
	p.plan = s.view.ModelsPlan
	p.fill = func() {
		d := s.view.Data
		score.Offer(scoreChoices(), string(c.Score))
		suite.Offer(d.suiteChoices(), c.Suite)
		family.Offer(d.familiesOn(c.Suite), c.Family)
		columns := []widget.Option{{Name: "none"}}
		for _, name := range d.columns() {
			columns = append(columns, widget.Option{Key: name, Name: name})
		}
		column.Offer(columns, c.Column)
	}
	open := func(k int) { s.deps.Inspect(p.made.Rows[k].Model.Hash) }
	p.plot.OnClick, p.plot.OnOpen = open, open
	return p
}

// newSuitesPane is the study of one model over its suites; a click shows a suite's row in the table.
func newSuitesPane(s *Screen) *studyPane {
	c := &s.view.OverSuites
	var p *studyPane
	again := func(change func()) { change(); p.show() }
	score := newScoreChooser(func(to measure.Score) { again(func() { c.Score = to }) })
	model := widget.NewPicker(func(key string) { again(func() { c.Model = key; c.settle(s.view.Data) }) })
	family := widget.NewPicker(func(key string) { again(func() { c.Family = key }) })
	logit := newLogitCheck(func(on bool) { again(func() { c.Unscaled = !on }) })
	seed := newSeedEntry(s, func(to uint64) { again(func() { c.Seed = to }) })
	menus := container.NewGridWithColumns(3, evidence.Named("score", score.Select), evidence.Named("model", model.Select), evidence.Named("under", family.Select))
	p = newStudyPane(s, "invariance-suites", container.NewBorder(nil, nil, nil, container.NewHBox(logit, seed), menus))
	p.plan = s.view.SuitesPlan
	p.fill = func() {
		score.Offer(scoreChoices(), string(c.Score))
		model.Offer(s.view.modelChoices(), c.Model)
		family.Offer(s.view.familiesOf(c.Model), c.Family)
	}
	open := func(k int) { s.ShowRow(p.made.Rows[k]) }
	p.plot.OnClick, p.plot.OnOpen = open, open
	return p
}

// show fits the chosen points in the background; a stale answer is dropped.
func (p *studyPane) show() {
	p.fill()
	plan := p.plan()
	p.facts.SetText("fitting…" + "\n") // two lines as there will be, so that the plot stays where it is
	background.Load(p.s.deps.Work, &p.latest, "fit invariance and accuracy", func(ctx context.Context) (Examined, error) {
		return plan.Examine(ctx)
	}, func(made Examined, err error) {
		if err != nil {
			p.facts.SetText("\n")
			p.s.deps.ShowError(err)
			return
		}
		p.made = made
		p.plot.SetData(made.Scatter())
		p.facts.SetText(strings.Join(made.Facts(), "\n"))
	})
}

// scoreChoices are all scores.
func scoreChoices() []widget.Option {
	var list []widget.Option
	for _, one := range measure.Scores() {
		list = append(list, widget.Option{Key: string(one), Name: ScoreTitle(one)})
	}
	return list
}

func newScoreChooser(chosen func(measure.Score)) *widget.Picker {
	return widget.NewPicker(func(key string) { chosen(measure.Score(key)) })
}

// newLogitCheck chooses whether accuracies are drawn and correlated on a logit scale, as in the paper.
func newLogitCheck(changed func(on bool)) *fynewidget.Check {
	check := fynewidget.NewCheck("logit scale", nil)
	check.SetChecked(true)
	check.OnChanged = changed
	return check
}

// newSeedEntry asks for the seed of the band; what is no number is not taken.
func newSeedEntry(s *Screen, chosen func(seed uint64)) fyne.CanvasObject {
	entry := widget.NewEntry()
	entry.SetText("1")
	entry.OnSubmitted = func(text string) {
		seed, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
		if err != nil {
			s.deps.ShowError(fmt.Errorf("the seed %q is not a whole number from 0 on", text))
			return
		}
		chosen(seed)
	}
	box := container.NewGridWrap(fyne.NewSize(64*widget.Grown(), entry.MinSize().Height), entry)
	return container.NewHBox(fynewidget.NewLabel("seed"), box)
}
