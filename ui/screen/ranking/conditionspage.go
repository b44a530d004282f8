package ranking

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// conditionsPage is when LaF ranks well: on a part of the models and images, and over the quality
// and diversity of the models on all suites that belong together, whose accuracy ranges are a
// table.
type conditionsPage struct {
	s         *Screen
	impact    *impactPage
	study     *study
	measure   *measureMenu
	diversity *fynewidget.RadioGroup
	figure    *kit.Figure
	table     *kit.Records[rank.Conditions]
	got       Shifted
	object    fyne.CanvasObject
}

func newConditionsPage(s *Screen) *conditionsPage {
	p := &conditionsPage{s: s, impact: newImpactPage(s)}
	p.study = newStudy(s, "Measure suites", p.measured)
	p.measure = newMeasureMenu(p.draw)
	p.diversity = fynewidget.NewRadioGroup([]string{"over quality", "over diversity"}, func(string) { p.draw() })
	p.diversity.Horizontal, p.diversity.Required = true, true
	p.diversity.Selected = p.diversity.Options[0]
	p.buildTable()
	title := fynewidget.NewLabelWithStyle("LaF on the suite and its shifted forms", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.Truncation = fyne.TextTruncateEllipsis
	head := container.NewBorder(nil, nil, nil, p.study.start, title)
	choices := container.NewHBox(p.measure.object(), p.diversity)
	suites := container.NewBorder(container.NewVBox(head, choices, p.study.box), nil, nil, nil, p.figure.Object())
	charts := container.NewHSplit(suites, p.impact.object)
	charts.Offset = 0.5
	split := container.NewVSplit(charts, p.table.Object())
	split.Offset = 0.6
	p.object = split
	return p
}

func (p *conditionsPage) buildTable() {
	p.table = &kit.Records[rank.Conditions]{
		Host: p.s.host(), Table: rank.ConditionsTable, OnOpen: p.open, OnShown: func([]rank.Conditions) { p.draw() },
		Empty:    "No suite was measured yet.",
		OnSelect: func(c rank.Conditions, ok bool) { p.figure.Select(rank.ConditionsTable.ID(c)) },
	}
	p.figure = &kit.Figure{
		Host: p.s.host(), OnTap: p.table.Select, OnOpen: func(id string) {
			for _, c := range p.got.Rows {
				if rank.ConditionsTable.ID(c) == id {
					p.open(c)
				}
			}
		},
		Name: func() []string { return []string{"conditions", p.measure.chosen().Key, p.s.view.Material.Source.Name} },
	}
}

// open ranks on the suite of a row.
func (p *conditionsPage) open(c rank.Conditions) {
	p.s.face.tabs.SelectIndex(0)
	p.s.Show(c.SuiteHash)
}

// measured measures all suites that belong to the one that is ranked on.
func (p *conditionsPage) measured() {
	var got Shifted
	list, settings, from := family(p.s.sources, p.s.view.Material.Source), p.s.settings, p.s.deps.Store
	p.study.task.start("Measure LaF on shifted suites", func(ctx context.Context, progress *background.Progress) (err error) {
		got, err = measureShifted(ctx, from, list, settings, progress)
		return err
	}, func(err error) {
		if !p.study.ended(err) {
			return
		}
		p.got = got
		p.study.say(measuredText(got))
		p.table.Set(p.got.Rows)
		p.draw()
	})
}

// measuredText says which suites could not be measured, with the reason of the first, and what to
// do where there is nothing to compare; "" where all is there.
func measuredText(s Shifted) string {
	var list []string
	if len(s.Left) > 0 {
		why := present.Sentence(errors.New(s.Left[0].Reason.Text))
		list = append(list, fmt.Sprintf("%s left out: %s: %s",
			result.Counted(len(s.Left), "suite"), s.Left[0].Suite, why))
	}
	if len(s.Rows) <= 1 {
		list = append(list, "There is nothing to compare with yet: make shifted suites (File, Shifted suites…) and run the models on them with the set plain.")
	}
	return strings.Join(list, " ")
}

// changed ends what is being measured and drops what was: it is of other models or images.
func (p *conditionsPage) changed() {
	p.impact.changed()
	p.study.task.stop()
	p.got = Shifted{}
	p.study.say("")
	p.table.Set(p.got.Rows)
	p.draw()
}

func (p *conditionsPage) show() {
	p.impact.show()
	p.measure.offer(nil)
	if p.s.view.Material.Source.Table || !p.s.view.Material.Source.Labels {
		p.study.start.Disable()
		p.study.say("Suites are compared by the true classes of their images, which are not known here.")
	} else if !p.study.task.busy() {
		p.study.start.Enable()
	}
	p.table.Set(p.got.Rows)
	p.draw()
}

// draw shows the rows of the table, in its order.
func (p *conditionsPage) draw() {
	f := rank.ConditionsFigure(p.table.Shown(), p.measure.chosen(), p.diversity.Selected == p.diversity.Options[1])
	f.Note = p.s.view.Caption()
	p.figure.Set(f)
}

func (p *conditionsPage) close() {
	p.impact.close()
	p.study.task.stop()
}
