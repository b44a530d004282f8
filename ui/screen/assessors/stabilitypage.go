package assessors

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// questions are those about stability, in the order of the menu. Of models that are measured in
// scenes they are about parts of the targets.
func questions(scenes bool) []kit.Option {
	whole, tables := "images", []string{" (Table VII)", " (Table VIII)", " (Tables XII to XX)"}
	if scenes {
		whole, tables = "targets", []string{"", "", ""}
	}
	return []kit.Option{
		{Key: string(assess.Halves), Name: "trained on one half of the " + whole + ", tested on the other" + tables[0]},
		{Key: string(assess.Shares), Name: "trained and tested on random shares of the " + whole + tables[1]},
		{Key: string(assess.FeatureCourses), Name: "the features over 10 to 100 % of the " + whole + tables[2]},
	}
}

// stability measures the models of a lesson on parts of the images and answers a question.
func (l Lesson) stability(ctx context.Context, ws *store.Workspace, q assess.StudyKind, p engine.Progress,
) (training.Stability, error) {
	ask := l.Place.ask(l.Plan.Layout)
	for _, r := range l.Data.Rows {
		ask.Models = append(ask.Models, r.Hash)
	}
	var settings []assess.Settings
	for _, c := range l.Entries {
		if c.Problem == nil {
			settings = append(settings, c.Settings)
		}
	}
	return training.MeasureStability(ctx, ws, ask, l.Plan.Labels, l.Place.Suite.Images, q, settings, l.Plan.Scheme, p)
}

// studied are studies beside what the assessors of a lesson reach on everything.
func (l Lesson) studied(studies []assess.Evaluation) []assess.Compared {
	list := make([]assess.Compared, len(studies))
	for k, e := range studies {
		list[k] = assess.Compared{Settings: e.Settings, Evaluation: e, Data: &l.Data}
		for at := range l.Entries {
			if one := &l.Entries[at]; one.Problem == nil && one.Settings.Algorithm == e.Settings.Algorithm {
				list[k].Whole = &one.Evaluation
			}
		}
	}
	return list
}

// stabilityPage asks how much assessors and features depend on the images.
type stabilityPage struct {
	kit.Panel
	s       *Screen
	menu    *widget.Picker
	asked   assess.StudyKind // the chosen question
	compute *fynewidget.Button
	note    *fynewidget.Label
	studies *kit.Records[assess.Compared]
	course  *kit.Records[assess.MedianOf]
	chart   *kit.Figure
	split   *container.Split
	room    *fyne.Container // nothing, the studies, or the course over its chart
	known   map[assess.StudyKind]training.Stability
}

func newStabilityPage(s *Screen) *stabilityPage {
	p := &stabilityPage{s: s, asked: assess.Halves, note: wrapped(""), known: map[assess.StudyKind]training.Stability{}}
	p.note.SizeName = theme.SizeNameCaptionText
	p.menu = widget.NewPicker(func(key string) {
		p.asked = assess.StudyKind(key)
		p.show()
	})
	p.menu.Offer(questions(false), string(p.asked))
	p.compute = fynewidget.NewButtonWithIcon("Compute", theme.MediaPlayIcon(), p.ask)
	p.studies = &kit.Records[assess.Compared]{Host: s.host, Table: assess.Comparison}
	p.chart = &kit.Figure{Host: s.host, Command: func() string { return s.trained(assess.FeatureCourses) }}
	p.course = &kit.Records[assess.MedianOf]{
		Host: s.host, Table: assess.Medians,
		OnSelect: func(d assess.MedianOf, ok bool) {
			if ok {
				p.chart.Set(d.Figure())
			}
		},
	}
	p.split = container.NewVSplit(p.course.Object(), p.chart.Object())
	p.split.Offset = 0.55
	p.room = container.NewStack()
	head := container.NewBorder(nil, nil, nil, p.compute, p.menu.Object())
	p.Body, p.Show = container.NewBorder(container.NewVBox(head, p.note), nil, nil, nil, p.room), p.show
	return p
}

// forget drops the answers about another training.
func (p *stabilityPage) forget() {
	clear(p.known)
	p.menu.Offer(questions(p.s.lesson != nil && p.s.lesson.Place.Scened()), string(p.asked))
	p.show()
}

// ask measures the models on parts of the images; it is a job of its own.
func (p *stabilityPage) ask() {
	lesson, q, ws := p.s.lesson, p.asked, p.s.ws
	if lesson == nil {
		return
	}
	var answer training.Stability
	p.s.start("Measure stability", func(ctx context.Context, progress *background.Progress) (err error) {
		answer, err = lesson.stability(ctx, ws, q, background.Stages{Progress: progress})
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
	answer, ok := p.known[p.asked]
	p.room.Objects = nil
	switch {
	case p.s.lesson == nil:
		p.note.SetText("Stability is measured for assessors that were trained here.")
	case !ok:
		p.note.SetText("Compute measures every model on parts of the images anew; that takes a while, and can be cancelled " +
			"in the window's last line.")
	case answer.Course != nil:
		whole := "images"
		if p.s.lesson.Place.Scened() {
			whole = "targets"
		}
		p.note.SetText("How far each feature is from its value over all " + whole +
			", in percent of that; the median of the models. A line chooses the feature of the chart.")
		p.course.Set(answer.Course.Medians())
		p.course.Select(answer.Course.Deviations[0].Name)
		p.chart.Set(answer.Course.Medians()[0].Figure())
		p.room.Objects = []fyne.CanvasObject{p.split}
	default:
		p.note.SetText("± is the largest deviation of a repetition, SD their standard deviation.")
		p.studies.Set(p.s.lesson.studied(answer.Studies))
		p.room.Objects = []fyne.CanvasObject{p.studies.Object()}
	}
	p.ready()
	p.room.Refresh()
}
