package assessors

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// questions are those about stability and transfer, in the order of the menu: a kind of study
// (assess.StudyKind), or what a transfer is between (assess.EvalOptions.Transfer), such as groups
// by a column. Of models that are measured in scenes they are about parts of the targets.
func questions(scenes bool, groups []string) (list []kit.Option) {
	whole, tables := "images", []string{" (Table VII)", " (Table VIII)", " (Tables XII to XX)"}
	if scenes {
		whole, tables = "targets", []string{"", "", ""}
	}
	list = []kit.Option{
		{Key: string(assess.Halves), Name: "trained on one half of the " + whole + ", tested on the other" + tables[0]},
		{Key: string(assess.Shares), Name: "trained and tested on random shares of the " + whole + tables[1]},
		{Key: string(assess.FeatureCurveStudy), Name: "the features over 10 to 100 % of the " + whole + tables[2]},
	}
	if !scenes {
		list = append(list, kit.Option{Key: "suite", Name: "transfer: trained on one suite, judged on another"},
			kit.Option{Key: "family", Name: "transfer: trained under one family, judged under another"})
	}
	for _, name := range groups {
		list = append(list, kit.Option{
			Key: "column=" + name, Name: "transfer: trained on one " + name + ", judged on another",
		})
	}
	return list
}

// asking are the options of a training with a question in place of the comparison.
func asking(o assess.EvalOptions, question string) assess.EvalOptions {
	switch kind := assess.StudyKind(question); kind {
	case "", assess.Halves, assess.Shares, assess.FeatureCurveStudy:
		o.Stability = kind
		return o
	}
	o.Transfer, o.Tune, o.Holdout, o.Group = question, false, "", ""
	if o.Scheme == assess.LeaveGroupOut {
		o.Scheme = assess.KFold
	}
	return o
}

// answer is that to a question: about stability, or a transfer.
type answer struct {
	training.Stability
	transfers []assess.Transferred
	lines     []string // what to know of a transfer
}

// ask answers a question about the models of a training, which it measures anew.
func (l Training) ask(ctx context.Context, ws *store.Workspace, question string, cache *training.Cache,
	p engine.Progress,
) (a answer, err error) {
	plan, err := newPlan(asking(l.Plan.EvalOptions, question))
	if err != nil {
		return a, err
	}
	ask := l.Place.ask(plan.Layout)
	for _, r := range l.Data.Rows {
		ask.Models = append(ask.Models, r.Hash)
	}
	if plan.Transfer == "" {
		var settings []assess.Settings
		for _, c := range l.Entries {
			if c.Problem == nil {
				settings = append(settings, c.Settings)
			}
		}
		a.Stability, err = training.MeasureStability(ctx, ws, ask, plan.Labels, l.Place.Suite.Images,
			plan.Stability, settings,
			plan.Scheme, p)
		return a, err
	}
	gather := func(there training.Ask) (assess.Data, []string, error) {
		there.Models, there.Images = nil, l.Images
		g, err := training.Gather(ctx, ws, there, plan.Labels, cache, p)
		return g.Data, assess.Lines(g.Left), err
	}
	var domains []assess.Domain
	if plan.TransferColumn() != "" {
		var data assess.Data
		data, a.lines, err = gather(ask)
		domains = assess.DomainsOf(data)
	} else {
		domains, a.lines, err = training.Elsewhere(ctx, ws, ask, plan.Transfer, gather)
	}
	if err != nil {
		return a, err
	}
	a.transfers, err = assess.Transfer(ctx, domains, plan.AllSettings(plan.Layout), plan.Scheme, p)
	return a, err
}

// studied are studies beside what the assessors of a training reach on everything.
func (l Training) studied(studies []assess.Evaluation) []assess.Compared {
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

// stabilityPage asks how much assessors and features depend on the images, and what an assessor is
// worth elsewhere.
type stabilityPage struct {
	kit.Panel
	s         *Screen
	menu      *widget.Picker
	asked     string // the chosen question
	compute   *fynewidget.Button
	note      *fynewidget.Label
	studies   *kit.Records[assess.Compared]
	curves    *kit.Records[assess.MedianOf]
	transfers *kit.Records[assess.Transferred]
	chart     *kit.Figure
	room      *fyne.Container // nothing, the studies, or the curves or the transfers over their chart
	known     map[string]answer
}

func newStabilityPage(s *Screen) *stabilityPage {
	p := &stabilityPage{s: s, asked: string(assess.Halves), note: widget.Wrapped(""), known: map[string]answer{}}
	p.note.SizeName = theme.SizeNameCaptionText
	p.menu = widget.NewPicker(func(key string) {
		p.asked = key
		p.show()
	})
	p.compute = fynewidget.NewButtonWithIcon("Compute", theme.MediaPlayIcon(), p.ask)
	p.studies = &kit.Records[assess.Compared]{Host: s.host, Table: assess.Comparison}
	p.chart = &kit.Figure{Host: s.host, Command: func() string { return s.trained(p.asked) }}
	p.curves = &kit.Records[assess.MedianOf]{
		Host: s.host, Table: assess.Medians,
		OnSelect: func(d assess.MedianOf, ok bool) {
			if ok {
				p.chart.Set(d.Figure())
			}
		},
	}
	p.transfers = &kit.Records[assess.Transferred]{
		Host: s.host, Table: assess.Transfers,
		OnSelect: func(t assess.Transferred, ok bool) {
			if ok {
				p.draw(t)
			}
		},
	}
	p.room = container.NewStack()
	head := container.NewBorder(nil, nil, nil, p.compute, p.menu.Object())
	p.Body, p.Show = container.NewBorder(container.NewVBox(head, p.note), nil, nil, nil, p.room), p.show
	return p
}

// draw draws the transfers of the same assessor.
func (p *stabilityPage) draw(t assess.Transferred) {
	colours := render.Scale{Low: -1, High: 1, Map: &render.Diverging}
	p.chart.Set(assess.TransferFigure(p.known[p.asked].transfers, t.Settings.Algorithm, colours))
}

// forget drops the answers about another training.
func (p *stabilityPage) forget() {
	clear(p.known)
	p.show()
}

// ask measures the models anew; it is a job of its own.
func (p *stabilityPage) ask() {
	trained, q, ws := p.s.training, p.asked, p.s.ws
	if trained == nil {
		return
	}
	name := "Measure stability"
	if asking(trained.Plan.EvalOptions, q).Transfer != "" {
		name = "Measure transfer"
	}
	var found answer
	p.s.start(name, func(ctx context.Context, progress *jobs.Progress) (err error) {
		found, err = trained.ask(ctx, ws, q, &p.s.cache, jobs.Stages{Progress: progress})
		return err
	}, func() {
		if p.s.training == trained {
			p.known[q] = found
			p.show()
		}
	})
}

// ready lets a question be asked while there is a training to ask about, and nothing else is under
// way.
func (p *stabilityPage) ready() { widget.Enable(p.compute, p.s.training != nil && !p.s.busy()) }

// show offers the questions that there are now, and shows the answer to the chosen one, if it is
// known.
func (p *stabilityPage) show() {
	list := questions(p.s.training != nil && p.s.training.Place.Scened(), p.s.widgets.form.offer.Groups)
	if !slices.ContainsFunc(list, func(o kit.Option) bool { return o.Key == p.asked }) {
		p.asked = list[0].Key
	}
	p.menu.Offer(list, p.asked)
	found, ok := p.known[p.asked]
	p.room.Objects = nil
	over := func(table fyne.CanvasObject) {
		split := container.NewVSplit(table, p.chart.Object())
		split.Offset = 0.55
		p.room.Objects = []fyne.CanvasObject{split}
	}
	switch {
	case p.s.training == nil:
		p.note.SetText("Stability and transfer are measured for assessors that were trained here.")
	case !ok:
		p.note.SetText("Compute measures every model anew, on parts of the images or elsewhere; that takes a while, " +
			"and can be cancelled in the window's last line.")
	case found.transfers != nil:
		p.note.SetText(strings.Join(append([]string{"Every model is judged by what did not learn from it; the " +
			"commonest label is right " +
			"without looking. The figure has the kappas of the assessor of the chosen line."}, found.lines...), "\n"))
		p.transfers.Set(found.transfers)
		p.transfers.Select(assess.Transfers.ID(found.transfers[0]))
		p.draw(found.transfers[0])
		over(p.transfers.Object())
	case found.Curves != nil:
		whole := "images"
		if p.s.training.Place.Scened() {
			whole = "targets"
		}
		p.note.SetText("How far each feature is from its value over all " + whole +
			", in percent of that; the median of the models. A line chooses the feature of the chart.")
		p.curves.Set(found.Curves.Medians())
		p.curves.Select(found.Curves.Deviations[0].Name)
		p.chart.Set(found.Curves.Medians()[0].Figure())
		over(p.curves.Object())
	default:
		p.note.SetText("± is the largest deviation of a repetition, SD their standard deviation.")
		p.studies.Set(p.s.training.studied(found.Studies))
		p.room.Objects = []fyne.CanvasObject{p.studies.Object()}
	}
	p.ready()
	p.room.Refresh()
}
