package assessors

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// stabilityPage asks how much assessors and features depend on the images.
type stabilityPage struct {
	kit.Panel
	s       *Screen
	menu    *fynewidget.Select
	compute *fynewidget.Button
	note    *fynewidget.Label
	studies *kit.Records[assess.Compared]
	course  *kit.Records[assess.MedianOf]
	chart   *widget.Chart
	split   *container.Split
	room    *fyne.Container // nothing, the studies, or the course over its chart
	answer  Stability
	known   map[Question]Stability
}

func newStabilityPage(s *Screen) *stabilityPage {
	p := &stabilityPage{s: s, note: wrapped(""), chart: widget.NewChart(), known: map[Question]Stability{}}
	p.note.SizeName = theme.SizeNameCaptionText
	p.menu = fynewidget.NewSelect(nil, func(string) { p.show() })
	p.offer(false)
	p.compute = fynewidget.NewButtonWithIcon("Compute", theme.MediaPlayIcon(), p.ask)
	p.studies = &kit.Records[assess.Compared]{Host: s.host, Table: assess.Comparison}
	p.course = &kit.Records[assess.MedianOf]{
		Host: s.host, Table: assess.Medians,
		OnSelect: func(d assess.MedianOf, _ bool) { p.chart.SetData(p.answer.Chart(d.Name)) },
	}
	p.chart.OnHover = func(_ float64, text string) { s.host.Say(text) }
	s.saver.Connect(p.chart, func() []string { return []string{"stability"} })
	p.split = container.NewVSplit(p.course.Object(), p.chart)
	p.split.Offset = 0.55
	head := container.NewBorder(nil, nil, nil, p.compute, p.menu)
	p.room = container.NewStack()
	p.Body, p.Show = container.NewBorder(container.NewVBox(head, p.note), nil, nil, nil, p.room), p.show
	p.menu.SetSelectedIndex(int(OtherHalf))
	return p
}

// offer fills the menu with what can be asked of models that are measured in scenes, or not.
func (p *stabilityPage) offer(scenes bool) {
	at := p.menu.SelectedIndex()
	p.menu.Options = nil
	for q := range questions {
		p.menu.Options = append(p.menu.Options, q.name(scenes))
	}
	if at >= 0 {
		p.menu.SetSelectedIndex(at)
	}
}

// forget drops the answers about another training.
func (p *stabilityPage) forget() {
	clear(p.known)
	p.offer(p.s.lesson != nil && p.s.lesson.Place.Scened())
	p.show()
}

func (p *stabilityPage) question() Question { return Question(max(p.menu.SelectedIndex(), 0)) }

// ask measures the models on parts of the images; it is a job of its own.
func (p *stabilityPage) ask() {
	lesson, q, ws := p.s.lesson, p.question(), p.s.ws
	if lesson == nil {
		return
	}
	var answer Stability
	p.s.start("Measure stability", func(ctx context.Context, progress *background.Progress) (err error) {
		answer, err = AskStability(ctx, ws, *lesson, q, background.Stages{Progress: progress})
		return err
	}, func() {
		if p.s.lesson == lesson {
			p.known[q] = answer
			p.show()
		}
	})
}

// ready lets a question be asked while there is a training to ask about, and nothing else is under
// way.
func (p *stabilityPage) ready() { widget.Enable(p.compute, p.s.lesson != nil && !p.s.busy()) }

// show shows the answer to the chosen question, if it is known.
func (p *stabilityPage) show() {
	if p.room == nil {
		return
	}
	answer, ok := p.known[p.question()]
	p.answer = answer
	p.room.Objects = nil
	switch {
	case p.s.lesson == nil:
		p.note.SetText("Stability is measured for assessors that were trained here.")
	case !ok:
		p.note.SetText("Compute measures every model on parts of the images anew; that takes a while, and can be cancelled in the window's last line.")
	default:
		p.note.SetText(answer.note())
		if answer.Question == Course {
			p.course.Set(answer.Course.Medians())
			p.course.Select(answer.Course.Deviations[0].Name)
			p.chart.SetData(answer.Chart(answer.Course.Deviations[0].Name))
			p.room.Objects = []fyne.CanvasObject{p.split}
			break
		}
		p.studies.Set(answer.studied(*p.s.lesson))
		p.room.Objects = []fyne.CanvasObject{p.studies.Object()}
	}
	p.ready()
	p.room.Refresh()
}

func (s Stability) note() string {
	if s.Question == Course && s.Scenes {
		return "How far each feature is from its value over all targets, in percent of that; the median of the models. A line chooses the feature of the chart."
	}
	if s.Question == Course {
		return "How far each feature is from its value over all images, in percent of that; the median of the models. A line chooses the feature of the chart."
	}
	return "± is the largest deviation of a repetition, SD their standard deviation."
}
