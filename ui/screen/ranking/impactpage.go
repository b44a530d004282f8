package ranking

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/widget"
)

// impactPage is LaF on a part of the models and images: the paper's Fig. 8.
type impactPage struct {
	s       *Screen
	study   *study
	measure *measureMenu
	chart   *widget.Chart
	points  []rank.ImpactPoint
	object  fyne.CanvasObject
}

func newImpactPage(s *Screen) *impactPage {
	p := &impactPage{s: s, chart: widget.NewChart()}
	p.study = newStudy(s, "Measure impact", p.measured)
	p.measure = newMeasureMenu(p.draw)
	p.chart.OnHover = func(_ float64, text string) { s.deps.Status(text) }
	s.saver.Connect(p.chart,
		func() []string { return []string{"impact", p.measure.chosen().Key, s.view.Material.Source.Name} })
	title := fynewidget.NewLabelWithStyle("LaF on 20 to 100 %", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.Truncation = fyne.TextTruncateEllipsis
	head := container.NewBorder(nil, nil, nil, p.study.start, title)
	p.object = container.NewBorder(container.NewVBox(head, container.NewHBox(p.measure.object()), p.study.box), nil, nil, nil, p.chart)
	return p
}

func (p *impactPage) measured() {
	var points []rank.ImpactPoint
	a := p.s.view.Answer
	p.study.task.start("Measure the impact of models and images", func(ctx context.Context, progress *background.Progress) (err error) {
		points, err = rank.Impact(ctx, a.Data, a.Settings.options(), progress)
		return err
	}, func(err error) {
		if p.study.ended(err) {
			p.points = points
			p.draw()
		}
	})
}

func (p *impactPage) changed() {
	p.study.task.stop()
	p.points = nil
	p.study.say("")
}

func (p *impactPage) show() {
	p.measure.offer(p.s.view.Board.TopK)
	if p.s.view.Board.Truth == nil {
		p.study.start.Disable()
		p.study.say("This study compares rankings with true accuracies, which are not known here.")
	} else if !p.study.task.busy() {
		p.study.start.Enable()
	}
	p.draw()
}

func (p *impactPage) draw() {
	p.chart.SetData(impactChart(p.points, p.measure.chosen(), p.s.view.Caption()))
}

func (p *impactPage) close() { p.study.task.stop() }
