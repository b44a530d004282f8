package agreement

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// newOverTime is the page of agreement over the models in the order in which they were completed.
func newOverTime(s *Screen, host *kit.Host) *kit.Screen[measure.OverTimeOptions, series] {
	fleiss, percent, known := &kit.Figure{Host: host}, &kit.Figure{Host: host}, &kit.Figure{Host: host}
	return kit.New(kit.Screen[measure.OverTimeOptions, series]{
		Host: host, Name: "Measure agreement over time", Doing: "Measuring…", Key: "agreement.time", Quiet: true,
		Form: &kit.Form[measure.OverTimeOptions]{},
		Body: container.NewGridWithColumns(1, fleiss.Object(), percent.Object(), known.Object()),
		Load: func(o measure.OverTimeOptions) kit.Work[series] {
			v := s.view()
			return func(context.Context, engine.Progress) (series, error) { return v.overTime(o.Window), nil }
		},
		Show: func(c series) {
			fleiss.Set(c.fleiss)
			percent.Set(c.percent)
			known.Set(c.known)
			widget.Show(known.Object(), c.known.Drawable())
		},
		Empty: func(c series) (kit.Empty, bool) { return kit.Empty{Text: c.hidden}, c.hidden != "" },
		Below: true, Line: func(series) string {
			return "A model is completed when the last of its labels came; it counts from the second label on. " +
				"The undefined is left out of a line. Known answers are followed in the order in which each " +
				"annotator labelled them."
		},
	})
}

// kindsPage shows which kinds of models divide the annotators.
type kindsPage struct {
	*kit.Screen[measure.KindOptions, []measure.GroupAgreement]
	s     *Screen
	table *kit.Records[measure.GroupAgreement]
	title *fynewidget.Label
	items *kit.Records[measure.Item]
}

func newKinds(s *Screen, host *kit.Host) *kindsPage {
	p := &kindsPage{s: s, title: widget.Bold(""), items: newItems(host)}
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.table = &kit.Records[measure.GroupAgreement]{
		Host: host, Table: measure.Kinds, OnSelect: p.chosen, Note: func(shown []measure.GroupAgreement) string {
			var list []measure.Line
			for _, k := range shown {
				list = append(list, measure.Line{Title: k.Name + ", agreement", Estimate: k.Percent},
					measure.Line{Title: k.Name + ", kappa", Estimate: k.Fleiss})
			}
			return footnote(list)
		},
	}
	split := container.NewHSplit(p.table.Object(), container.NewBorder(p.title, nil, nil, nil, p.items.Object()))
	split.Offset = 0.62
	p.Screen = kit.New(kit.Screen[measure.KindOptions, []measure.GroupAgreement]{
		Host: host, Name: "Measure agreement by kind", Doing: "Measuring…", Key: "agreement.kinds", Quiet: true,
		Body: split,
		Form: &kit.Form[measure.KindOptions]{Choices: func(string) (list []kit.Option, first string) {
			for _, name := range s.view().columns() {
				list = append(list, kit.Option{Key: name, Name: name})
			}
			return list, ""
		}},
		Load: func(o measure.KindOptions) kit.Work[[]measure.GroupAgreement] {
			v := s.view()
			if v.Blind || o.Column == "" {
				return nil
			}
			return func(ctx context.Context, _ engine.Progress) ([]measure.GroupAgreement, error) {
				return v.kinds(o.Column, measure.Options{Intervals: true, Context: ctx}), ctx.Err()
			}
		},
		Empty: func([]measure.GroupAgreement) (kit.Empty, bool) {
			switch v := s.view(); {
			case len(v.columns()) == 0:
				return kit.Empty{Text: "The models of this round have no metadata. Import a models.csv for them, " +
					"then this shows which kinds divide the annotators."}, true
			case v.Blind:
				return kit.Empty{Text: hiddenSeries}, true
			}
			return kit.Empty{}, false
		},
		Show: p.show, Keys: p.table.Focus,
		Below: true, Line: func([]measure.GroupAgreement) string {
			return "The most dividing kinds first. Numbers with many values are cut at their quartiles."
		},
	})
	return p
}

// show keeps the kind that was chosen, or shows the first.
func (p *kindsPage) show(list []measure.GroupAgreement) {
	p.table.Set(list)
	if _, ok := p.table.Selected(); !ok && len(list) > 0 {
		p.table.Select(list[0].Name)
		p.chosen(list[0], true)
	}
}

// chosen lists the models of a kind on which the annotators disagree.
func (p *kindsPage) chosen(k measure.GroupAgreement, ok bool) {
	if !ok {
		return
	}
	items := p.s.view().divided(k)
	p.title.SetText(fmt.Sprintf("%s %s: %s with different labels", p.Options().Column, k.Name,
		result.Counted(len(items), "model")))
	setItems(p.items, p.s.view(), items, len(items))
}
