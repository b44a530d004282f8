package invariance

import (
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2/container"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// rowsShown are the options of the table of results.
type rowsShown struct {
	All    bool   `help:"Rows of all suites, not of the one in the bar above alone." default:"true" label:"All suites"`
	Family string `help:"Transformations of the rows that are shown." source:"families" label:"Under"`
}

// curveShown is what the figure over the transformations shows.
type curveShown struct {
	Curve string `name:"course" help:"What is drawn over the transformations of the selected row." source:"courses" label:"Shows"`
}

// resultsPage is the table of everything that was measured, with what lies behind the selected row
// below it: its curve over the transformations, their numbers, and its lowest images.
type resultsPage struct {
	kit.Panel
	s      *Screen
	form   *kit.Form[rowsShown]
	list   *kit.Records[measure.Measured]
	drawn  *kit.Form[curveShown]
	curve  *kit.Figure
	steps  *kit.Records[measure.Step]
	lowest *lowest
	row    string // ID of the selected row
}

// The share of the height that the table takes, and of the width that the curve takes.
const tableShare, curveShare = 0.48, 0.46

func newResults(s *Screen, host *kit.Host) *resultsPage {
	p := &resultsPage{s: s, lowest: newLowest(s, host)}
	p.form = &kit.Form[rowsShown]{
		Host: host, Key: "invariance.results", Choices: p.choices, Command: p.command,
		OnChange: func(rowsShown) { p.set(); p.Focus() },
	}
	p.form.Make()
	p.list = &kit.Records[measure.Measured]{
		Host: host, Table: measure.Results, Beside: p.form.Object(), Command: p.form.CommandLine,
		OnSelect: func(measure.Measured, bool) { p.selected() },
		OnOpen:   func(m measure.Measured) { host.Inspect(m.Model.Hash) },
	}
	p.drawn = &kit.Form[curveShown]{
		Host: host, Key: "invariance.course", OnChange: func(curveShown) { p.draw() },
		Choices: func(string) (list []kit.Option, first string) {
			for _, c := range measure.Curves() {
				list = append(list, kit.Option{Key: c.Name, Name: c.Name})
			}
			return list, ""
		},
	}
	p.drawn.Make()
	p.drawn.Offer()
	p.curve = &kit.Figure{Host: host, OnX: p.pick, Command: p.form.CommandLine}
	p.steps = &kit.Records[measure.Step]{
		Host: host, Table: measure.OfOneRow, Plain: true, Command: p.form.CommandLine,
		OnSelect: func(step measure.Step, ok bool) { p.lowest.under(step.Name, ok) },
	}
	behind := container.NewHSplit(container.NewAppTabs(
		widget.NewTab("Course", container.NewBorder(p.drawn.Object(), nil, nil, nil, p.curve.Object())),
		widget.NewTab("Numbers", p.steps.Object())), p.lowest.Object())
	behind.Offset = curveShare
	split := container.NewVSplit(p.list.Object(), behind)
	split.Offset = tableShare
	p.Panel = kit.Panel{
		Body: split, Show: p.set, Keys: p.list.Focus, Parts: []kit.Page{p.lowest},
	}
	return p
}

func (p *resultsPage) choices(string) (list []kit.Option, first string) {
	rows := p.s.data().Rows
	if len(rows) == 0 {
		return nil, ""
	}
	return append([]kit.Option{{Name: "all transformations"}}, menu(rows, familyOf)...), ""
}

func (p *resultsPage) command(o rowsShown) (words []string, options any) {
	var made measure.Options
	option.SetDefaults(&made)
	for _, family := range menu(p.s.data().of("", "", o.Family), familyOf) { // the command's default is not all
		made.Family = append(made.Family, family.Key)
	}
	return p.s.command(p.suite(o), made)
}

// suite is the one whose rows are shown, "" for all.
func (p *resultsPage) suite(o rowsShown) string {
	if o.All {
		return ""
	}
	return p.s.data().suite()
}

// set shows the rows of the chosen suite and family.
func (p *resultsPage) set() {
	p.form.Offer()
	o := p.form.Options()
	p.list.Set(p.s.data().of("", p.suite(o), o.Family))
	if rows := p.list.Shown(); len(rows) > 0 {
		if _, ok := p.list.Selected(); !ok { // so that there is something below the table
			p.list.Select(rows[0].ID())
		}
	}
	p.selected()
	p.lowest.wall.Retry()
}

// show selects a row, without a menu or filter that hides it.
func (p *resultsPage) show(id string) {
	if !slices.ContainsFunc(p.list.Shown(), func(m measure.Measured) bool { return m.ID() == id }) {
		p.list.SetFilter("")
		if err := errors.Join(p.form.Put("all", "true"), p.form.Put("family", "")); err != nil {
			p.s.Fail(err)
		}
	}
	p.list.Select(id)
	p.selected()
}

// selected shows what lies behind the selected row.
func (p *resultsPage) selected() {
	m, ok := p.list.Selected()
	if p.lowest.of(m); !ok {
		p.row = ""
		p.curve.Set(result.Figure{Empty: "select a row"})
		p.steps.Set(nil)
		return
	}
	if p.row != "" && p.row != m.ID() {
		p.s.Say(about(m))
	}
	p.row = m.ID()
	p.draw()
	p.steps.Set(measure.Steps([]measure.Measured{m}, true))
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

// draw draws the curve of the selected row.
func (p *resultsPage) draw() {
	m, ok := p.list.Selected()
	for _, c := range measure.Curves() {
		if ok && c.Name == p.drawn.Options().Curve {
			p.curve.Set(c.Figure(m))
		}
	}
}

// pick selects the transformation at a place of the curve.
func (p *resultsPage) pick(x float64) {
	m, _ := p.list.Selected()
	for _, step := range measure.Steps([]measure.Measured{m}, false) {
		if step.At() == x {
			p.steps.Select(measure.OfOneRow.ID(step))
			p.lowest.under(step.Name, true)
		}
	}
}
