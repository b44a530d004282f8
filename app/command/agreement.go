package command

import (
	"cmp"
	"fmt"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/ratings"
)

type agreementCommand struct {
	Labels           string `arg:"" study:"path" help:"A table of labels (an item and a column per rater; or item, rater, label; or JSON of Label Studio; or labels_long.csv, labels_wide.csv), or a workspace."`
	agreementOptions `embed:""`
	Classes          int `help:"Classes of the labels in a file, 2 (invariant, variant) or 3 (with borderline); 0 for as many as the labels show." default:"0" enum:"0,2,3"`
	output           `set:"out=Folder for agreement.json, its tables and figures."`
}

// agreementOptions say what is measured.
type agreementOptions struct {
	agreement.RoundOptions
	agreement.OverTimeOptions
	agreement.KindOptions
	agreement.PlanOptions
	ratings.Options
}

func (c *agreementCommand) Run(s *Session) error {
	a := answer{out: c.output, formats: []string{"svg"}}
	m, err := c.measure(s, &a)
	if err != nil {
		return err
	}
	for _, r := range m.rounds {
		if r.Of.ByRule {
			s.tell("round %s: these are %s", cmp.Or(r.Of.Name, r.Of.ID), label.ByRuleNote)
		}
		if r.Taken != "" && !s.common.JSON {
			s.tell("%s: %s", c.Labels, r.Taken)
		}
	}
	sheets := agreement.Document(m.rounds, c.OverTimeOptions, nil).Sheets
	a.Document = s.document("agreement", &c.agreementOptions, sheets...)
	if a.show(sheets[0]); m.inWorkspace {
		a.Sheets = append(a.Sheets, agreement.PointsOverTime.Sheet(m.overTime))
	}
	if c.Column != "" {
		kinds := agreement.KindsOf.Sheet(m.kinds)
		a.Sheets = append(a.Sheets, kinds)
		a.show(kinds)
	}
	if c.Plan {
		if err := c.plan(s, m.rounds, &a); err != nil {
			return err
		}
	}
	return s.give(a)
}

// plan adds to an answer what further labels of the rounds would bring.
func (c *agreementCommand) plan(s *Session, rounds []*agreement.Round, a *answer) error {
	var widths []agreement.Width
	var needs []agreement.Need
	for _, r := range rounds {
		plan, err := agreement.PlanOf(s.ctx, r, c.Planning, s.bar("simulated rounds"))
		if err != nil {
			return err
		}
		widths, needs = append(widths, plan.Widths...), append(needs, plan.Needs...)
		for _, d := range plan.Figures() {
			if !d.Figure.Drawable() {
				a.lines = append(a.lines, fmt.Sprintf("round %s, %s: %s", r.Of.Name, d.Figure.Title, d.Figure.Empty))
				continue
			}
			d.Figure.Note = "round " + r.Of.Name
			a.draw("half_width_"+d.Name+"_"+r.Of.Name, d.Figure)
		}
	}
	needed := agreement.Needs.Sheet(needs)
	a.Sheets = append(a.Sheets, agreement.Widths.Sheet(widths), needed)
	a.show(needed)
	return nil
}

// agreed is what is known of the agreement in rounds; of a file there are the rounds alone.
type agreed struct {
	rounds      []*agreement.Round
	inWorkspace bool
	overTime    []agreement.PointOf
	kinds       []agreement.KindOf
}

// follow adds the agreement in a round over time and, where a column is named, by kind of model.
func (c *agreementCommand) follow(
	s *Session, a *answer, m *agreed, r *agreement.Round, events []label.Event, models []model.Model,
) error {
	draw := func(name string, f result.Figure) {
		f.Note = "round " + r.Of.Name
		a.draw(name+"_"+r.Of.Name, f)
	}
	points := agreement.OverTime(r.Ratings, r.Of.Classes, label.Completed(r.Of, events), c.Window)
	for _, p := range points {
		m.overTime = append(m.overTime, agreement.PointOf{Of: r, Point: p})
	}
	fleiss, percent := agreement.Figures(points, c.Window)
	draw("fleiss_over_time", fleiss)
	draw("agreed_over_time", percent)
	draw("known_over_time", agreement.DriftFigure(r.Drifts(c.Window), c.Window))
	if c.Column == "" {
		return nil
	}
	values := each(models, func(m model.Model) string { return m.Value(c.Column) })
	opts := agreement.Options{Intervals: true, Context: s.ctx, Classes: label.Words(r.Of.Classes)}
	kinds := agreement.MeasureGroups(r.Ratings, r.Of.Classes, agreement.GroupBy(values), opts)
	for _, k := range kinds {
		m.kinds = append(m.kinds, agreement.KindOf{Of: r, Column: c.Column, GroupAgreement: k})
	}
	byKind, labels := agreement.KindFigures(kinds, c.Column, "", r.Say)
	draw("agreed_by_kind", byKind)
	draw("labels_by_kind", labels)
	return opts.Err()
}

func (c *agreementCommand) measure(s *Session, a *answer) (m agreed, err error) {
	opts := agreement.Options{Intervals: true, LeaveOneOut: c.LeaveOneOut, Context: s.ctx}
	if !meansWorkspace(c.Labels) {
		if c.Column != "" {
			return m, usageError("--column names a column of the training records; it goes with a workspace")
		}
		m.rounds, err = export.AgreementFromFile(c.Labels, c.Classes, c.Options, opts)
		return m, err
	}
	ws, err := s.read(c.Labels)
	if err != nil {
		return m, err
	}
	rounds, err := ws.Rounds()
	if err != nil {
		return m, err
	}
	if c.Round != "" || len(rounds) == 0 {
		round, err := findRound(ws, c.Round)
		if err != nil {
			return m, err
		}
		rounds = []label.Round{round}
	}
	if c.Column != "" {
		models, err := ws.Models()
		if err = cmp.Or(err, model.CheckRecord(models, c.Column)); err != nil {
			return m, err
		}
	}
	s.warnSecret(rounds...)
	m.inWorkspace = true
	for _, r := range rounds {
		events, err := ws.Events(r.ID)
		if err != nil {
			return m, err
		}
		models := each(r.Models, func(hash string) model.Model {
			m, err := ws.Model(hash)
			if err != nil {
				m.ID = hash
			}
			return m
		})
		ids := each(models, func(m model.Model) string { return m.ID })
		one := agreement.OfRound(r, events, ids, r.Annotators, opts)
		if err := cmp.Or(opts.Err(), c.follow(s, a, &m, one, events, models)); err != nil {
			return m, err
		}
		if hidden := one.KnownHidden(); hidden != "" {
			s.tell("round %s: %s", r.Name, hidden)
		}
		if one.Report.ItemsTwo == 0 {
			s.tell("round %s has no model with two labels yet; %s", r.Name, giveLabels)
		}
		m.rounds = append(m.rounds, one)
	}
	return m, nil
}
