package ranking

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/widget"
)

// budgetPage is the quality of the rankers over the number of labels that they get.
type budgetPage struct {
	s       *Screen
	study   *study
	measure *measureMenu
	far     *fynewidget.Check // whether budgets beyond the paper's first range are shown
	all     *fynewidget.Check // whether rankers without a budget are, beside LaF
	chart   *widget.Chart
	got     *Budgeted
	object  fyne.CanvasObject
}

func newBudgetPage(s *Screen) *budgetPage {
	p := &budgetPage{s: s, chart: widget.NewChart()}
	p.study = newStudy(s, "Measure curves", p.measured)
	p.measure = newMeasureMenu(p.draw)
	p.far = fynewidget.NewCheck("up to 2,500 labels", func(bool) { p.draw() })
	p.all = fynewidget.NewCheck("all rankers", func(bool) { p.draw() })
	p.chart.OnHover = func(_ float64, text string) { s.deps.Status(text) }
	s.saver.Connect(p.chart,
		func() []string { return []string{"budget", p.measure.chosen().Key, s.view.Material.Source.Name} })
	head := container.NewBorder(nil, nil, container.NewHBox(p.measure.object(), p.far, p.all), p.study.start)
	p.object = container.NewBorder(container.NewVBox(head, p.study.box), nil, nil, nil, p.chart)
	return p
}

// measured measures the curves in the background.
func (p *budgetPage) measured() {
	var got Budgeted
	a := p.s.view.Answer
	p.study.task.start("Measure rankings over budgets", func(ctx context.Context, progress *background.Progress) (err error) {
		got, err = measureBudget(ctx, a, progress)
		return err
	}, func(err error) {
		if p.study.ended(err) {
			p.got = &got
			p.draw()
		}
	})
}

// changed lets go of curves that belong to other numbers.
func (p *budgetPage) changed() {
	p.study.task.stop()
	p.got = nil
	p.study.say("")
}

func (p *budgetPage) show() {
	p.measure.offer(p.s.view.Board.TopK)
	if why := p.s.view.noCurves(); why != "" {
		p.study.start.Disable()
		p.study.say(why)
	} else if !p.study.task.busy() {
		p.study.start.Enable()
	}
	p.draw()
}

func (p *budgetPage) draw() {
	if p.got == nil && p.s.view.noCurves() != "" {
		p.chart.SetData(widget.ChartData{Empty: "no curves"})
		return
	}
	if p.got == nil {
		p.chart.SetData(widget.ChartData{Empty: "How good are rankings with 30 labels, how good with 180? Press Measure curves."})
		return
	}
	most := usual
	if p.far.Checked {
		most = 0
	}
	shown := p.got.sampled()
	if p.all.Checked {
		shown = p.got.inOrder()
	}
	p.chart.SetData(shown.Chart(p.s.view, p.measure.chosen(), most))
}

func (p *budgetPage) close() { p.study.task.stop() }
