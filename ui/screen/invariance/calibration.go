package invariance

import (
	"context"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/calibration"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// calibrationShown are the options of the page of calibration.
type calibrationShown struct {
	All    bool   `help:"Rows of all suites, not of the one in the bar above alone." label:"All suites"`
	Family string `help:"Transformations under which calibration is followed." source:"families" label:"Under"`
	calibration.Settings
}

// calibrationPage is the table of how well models are calibrated on the images as they are, with
// the selected row's curve over the transformations, their numbers and a reliability diagram below.
type calibrationPage struct {
	*kit.Screen[calibrationShown, []calibration.Measured]
	list        *kit.Records[calibration.Measured]
	drawn       *kit.Form[curveShown]
	curve       *kit.Figure
	steps       *kit.Records[calibration.Step]
	reliability *kit.Figure
}

func newCalibration(s *Screen, host *kit.Host) *calibrationPage {
	p := &calibrationPage{}
	form := &kit.Form[calibrationShown]{
		Hide: []string{"resamples", "seed"},
		Choices: func(string) (list []kit.Option, first string) {
			list = menu(s.data().Rows, familyOf)
			return list, s.data().usual(list)
		},
	}
	suites := func(o calibrationShown) []string { // nil for all
		if hash := s.data().suite(); !o.All && hash != "" {
			return []string{hash}
		}
		return nil
	}
	form.Command = func(o calibrationShown) (words []string, options any) {
		made := calibration.Options{Family: []string{o.Family}, Settings: o.Settings}
		for _, hash := range suites(o) {
			made.Suite = append(made.Suite, s.data().suiteName(hash))
		}
		return []string{"variscope", "calibration", s.store.Path()}, &made
	}
	p.list = &kit.Records[calibration.Measured]{
		Host: host, Table: calibration.Results, Command: form.CommandLine,
		OnSelect: func(calibration.Measured, bool) { p.selected() },
		OnOpen:   func(m calibration.Measured) { host.Inspect(m.ModelHash) },
	}
	p.drawn = &kit.Form[curveShown]{
		Host: host, Key: "invariance.calibration.course", OnChange: func(curveShown) { p.draw() },
		Choices: func(string) (list []kit.Option, first string) {
			for _, c := range calibration.Curves() {
				list = append(list, kit.Option{Key: c.Name, Name: c.Name})
			}
			return list, ""
		},
	}
	p.drawn.Make()
	p.drawn.Offer()
	p.curve = &kit.Figure{Host: host, Command: form.CommandLine, OnX: func(x float64) {
		for _, step := range p.steps.Shown() {
			if step.At() == x {
				p.steps.Select(step.ID())
				p.reliability.Set(step.Figure())
			}
		}
	}}
	p.reliability = &kit.Figure{Host: host, Command: form.CommandLine}
	p.steps = &kit.Records[calibration.Step]{
		Host: host, Table: calibration.OfOneRow, Plain: true, Command: form.CommandLine,
		OnSelect: func(step calibration.Step, ok bool) {
			if ok {
				p.reliability.Set(step.Figure())
			}
		},
	}
	behind := container.NewHSplit(container.NewAppTabs(
		widget.NewTab("Course", container.NewBorder(p.drawn.Object(), nil, nil, nil, p.curve.Object())),
		widget.NewTab("Numbers", p.steps.Object())), p.reliability.Object())
	behind.Offset = curveShare
	split := container.NewVSplit(p.list.Object(), behind)
	split.Offset = tableShare
	p.Screen = kit.New(kit.Screen[calibrationShown, []calibration.Measured]{
		Host: host, Name: "Measure calibration", Doing: "Measuring calibration…", Key: "invariance.calibration",
		Form: form, Body: split, Show: p.show, Keys: p.list.Focus,
		Load: func(o calibrationShown) kit.Work[[]calibration.Measured] {
			if o.Family == "" {
				return nil
			}
			ask := evaluate.Ask{Suites: suites(o), Families: []string{o.Family}}
			return func(ctx context.Context, progress engine.Progress) ([]calibration.Measured, error) {
				rows, _, err := evaluate.Calibrate(ctx, s.store, ask, o.Settings, progress)
				return rows, err
			}
		},
		Empty: func(rows []calibration.Measured) (kit.Empty, bool) {
			return kit.Empty{Text: "No model has predictions under these transformations on this suite."},
				len(rows) == 0
		},
	})
	return p
}

// show shows rows, the first of them selected where none is.
func (p *calibrationPage) show(rows []calibration.Measured) {
	p.list.Set(rows)
	if shown := p.list.Shown(); len(shown) > 0 {
		if _, ok := p.list.Selected(); !ok {
			p.list.Select(shown[0].ID())
		}
	}
	p.selected()
}

// selected shows what lies behind the selected row, the images as they are first.
func (p *calibrationPage) selected() {
	m, ok := p.list.Selected()
	if p.draw(); !ok {
		p.steps.Set(nil)
		p.reliability.Set(result.Figure{Empty: "select a row"})
		return
	}
	p.steps.Set(calibration.Steps([]calibration.Measured{m}))
	p.steps.Select(m.Original().ID())
	p.reliability.Set(m.Original().Figure())
}

// draw draws the curve of the selected row.
func (p *calibrationPage) draw() {
	m, ok := p.list.Selected()
	figure := result.Figure{Empty: "select a row"}
	for _, c := range calibration.Curves() {
		if ok && c.Name == p.drawn.Options().Curve {
			figure = c.Figure(m)
		}
	}
	p.curve.Set(figure)
}
