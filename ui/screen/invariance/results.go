package invariance

import (
	"fmt"
	"math"
	"slices"

	"fyne.io/fyne/v2/container"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// shown are the options of the table of results.
type shown struct {
	Suite  string `help:"Suite of the rows that are shown." source:"suites"`
	Family string `help:"Transformations of the rows that are shown." source:"families" label:"Under"`
}

// courseShown is what the figure over the transformations shows.
type courseShown struct {
	Course string `help:"What is drawn over the transformations of the selected row." source:"courses" label:"Shows"`
}

// resultsPage is the table of everything that was measured, with what lies behind the selected row
// below it: its course over the transformations, their numbers, and its lowest images.
type resultsPage struct {
	kit.Panel
	s      *Screen
	form   *kit.Form[shown]
	list   *kit.Records[measure.Measured]
	drawn  *kit.Form[courseShown]
	course *kit.Figure
	steps  *kit.Records[measure.Step]
	lows   *lows
	row    string // ID of the selected row
}

// The share of the height that the table takes, and of the width that the course takes.
const tableShare, courseShare = 0.48, 0.46

func newResults(s *Screen, host *kit.Host) *resultsPage {
	p := &resultsPage{s: s, lows: newLows(s, host)}
	p.form = &kit.Form[shown]{
		Host: host, Key: "invariance.results", Choices: p.choices, OnChange: func(shown) { p.set(); p.Focus() },
		Command: func(o shown) ([]string, any) {
			var made measure.Options
			option.SetDefaults(&made)
			for _, family := range s.data().families(nil) { // the command measures some of them where none is named
				if o.Family == "" || o.Family == family.Key {
					made.Family = append(made.Family, family.Key)
				}
			}
			return s.command(made, o.Suite)
		},
	}
	p.form.Make()
	p.list = &kit.Records[measure.Measured]{
		Host: host, Table: measure.Results, Beside: p.form.Object(), OnSelect: func(measure.Measured, bool) { p.selected() },
		OnOpen: func(m measure.Measured) { host.Inspect(m.Model.Hash) },
	}
	p.drawn = &kit.Form[courseShown]{
		Host: host, Key: "invariance.course", OnChange: func(courseShown) { p.draw() },
		Choices: func(string) (list []kit.Option, first string) {
			for _, c := range measure.Courses() {
				list = append(list, kit.Option{Key: c.Name, Name: c.Name})
			}
			return list, ""
		},
	}
	p.drawn.Make()
	p.drawn.Offer()
	p.course = &kit.Figure{Host: host, OnX: p.pick, Name: func() []string {
		m, _ := p.list.Selected()
		return []string{"invariance", m.Model.ID, m.FamilyName}
	}}
	p.steps = &kit.Records[measure.Step]{
		Host: host, Table: measure.OfOneRow, Bare: true, OnSelect: func(step measure.Step, ok bool) { p.lows.under(step.Name, ok) },
	}
	behind := container.NewHSplit(container.NewAppTabs(
		container.NewTabItem("Course", container.NewBorder(p.drawn.Object(), nil, nil, nil, p.course.Object())),
		container.NewTabItem("Numbers", p.steps.Object())), p.lows.Object())
	behind.Offset = courseShare
	split := container.NewVSplit(p.list.Object(), behind)
	split.Offset = tableShare
	p.Panel = kit.Panel{
		Body: split, Show: p.set, Keys: p.list.Focus, OnShown: p.lows.Shown,
		OnHidden: func() { p.lows.Hidden(); p.lows.shelf.Rest() }, OnClosed: func() { p.lows.Close(); p.lows.shelf.Close() },
	}
	return p
}

func (p *resultsPage) choices(source string) (list []kit.Option, first string) {
	d := p.s.data()
	if len(d.Rows) == 0 {
		return nil, ""
	}
	if source == "suites" {
		return append([]kit.Option{{Name: "all suites"}}, d.suites()...), ""
	}
	return append([]kit.Option{{Name: "all transformations"}}, d.families(nil)...), ""
}

// set shows the rows of the chosen suite and family.
func (p *resultsPage) set() {
	p.form.Offer()
	o := p.form.Options()
	p.list.Set(slices.DeleteFunc(slices.Clone(p.s.data().Rows), func(m measure.Measured) bool {
		return o.Suite != "" && o.Suite != m.Suite || o.Family != "" && o.Family != m.Family
	}))
	if _, ok := p.list.Selected(); !ok { // so that there is something below the table
		if rows := p.list.Shown(); len(rows) > 0 {
			p.list.Select(rows[0].ID())
		}
	}
	p.selected()
	p.lows.shelf.Retry()
}

// show selects a row, without a menu or filter that hides it.
func (p *resultsPage) show(id string) {
	is := func(m measure.Measured) bool { return m.ID() == id }
	if !slices.ContainsFunc(p.list.Shown(), is) {
		for _, name := range []string{"suite", "family"} {
			if err := p.form.Put(name, ""); err != nil {
				p.s.Fail(err)
			}
		}
		p.list.SetFilter("")
	}
	p.list.Select(id)
	p.selected()
}

// selected shows what lies behind the selected row.
func (p *resultsPage) selected() {
	m, ok := p.list.Selected()
	if !ok {
		p.row = ""
		p.course.Set(result.Figure{Empty: "select a row"})
		p.steps.Set(nil)
		p.lows.of(m)
		return
	}
	if p.row != "" && p.row != m.ID() {
		p.s.Say(about(m))
	}
	p.row = m.ID()
	p.draw()
	p.steps.Set(measure.Steps([]measure.Measured{m}, true))
	p.lows.of(m)
}

// about is a row in a line.
func about(m measure.Measured) string {
	text := fmt.Sprintf("%s on %s, %s: EI %s, accuracy %s", m.Model.ID, m.SuiteName, m.FamilyName,
		result.Number.Say(m.Mean[measure.EI], 0), result.Share.Say(m.Accuracy, 0))
	if level := m.Chance.Level(); level.Flagged() {
		text += "; " + level.Sentence()
	}
	return text
}

// draw draws the course of the selected row.
func (p *resultsPage) draw() {
	m, ok := p.list.Selected()
	at := slices.IndexFunc(measure.Courses(), func(c measure.Course) bool { return c.Name == p.drawn.Options().Course })
	if ok && at >= 0 {
		p.course.Set(measure.Courses()[at].Figure(m))
	}
}

// pick selects the transformation at a place of the course.
func (p *resultsPage) pick(x float64) {
	m, _ := p.list.Selected()
	for _, step := range measure.Steps([]measure.Measured{m}, false) {
		if math.Abs(step.At()-x) < 1e-9 {
			p.steps.Select(measure.OfOneRow.ID(step))
			p.lows.under(step.Name, true)
		}
	}
}
