package app

import (
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/ratings"
)

type agreementCommand struct {
	Labels string `arg:"" help:"A table of labels (an item and a column per rater; or item, rater, label; or JSON of Label Studio; or labels_long.csv, labels_wide.csv), or a workspace."`
	agreement.RoundOptions
	ratings.Options
	Classes int `help:"Classes of the labels in a file, 2 (invariant, variant) or 3 (with borderline); 0 for as many as the labels show." default:"0" enum:"0,2,3"`
	output  `set:"out=Folder for agreement.json and its tables."`
}

func (c *agreementCommand) Run(s *session) error {
	list, err := c.measure(s)
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.Taken != "" && !s.common.JSON {
			s.tell("%s: %s", c.Labels, r.Taken)
		}
	}
	asked := struct {
		agreement.RoundOptions
		ratings.Options
	}{c.RoundOptions, c.Options}
	doc := s.document("agreement", &asked, agreement.Document(list, nil).Sheets...)
	return s.give(answer{Document: doc, out: c.output})
}

func (c *agreementCommand) measure(s *session) ([]*agreement.Round, error) {
	opts := agreement.Options{Intervals: true, LeaveOneOut: c.LeaveOneOut, Context: s.ctx}
	if !meansWorkspace(c.Labels) {
		return export.AgreementFromFile(c.Labels, c.Classes, c.Options, opts)
	}
	ws, err := s.read(c.Labels)
	if err != nil {
		return nil, err
	}
	rounds, err := ws.Rounds()
	if err != nil {
		return nil, err
	}
	if c.Round != "" || len(rounds) == 0 {
		round, err := findRound(ws, c.Round)
		if err != nil {
			return nil, err
		}
		rounds = []label.Round{round}
	}
	s.warnSecret(rounds...)
	var list []*agreement.Round
	for _, r := range rounds {
		events, err := ws.Events(r.ID)
		if err != nil {
			return nil, err
		}
		ids := each(r.Models, func(hash string) string {
			if m, err := ws.Model(hash); err == nil {
				return m.ID
			}
			return hash
		})
		one := agreement.OfRound(r, events, ids, r.Annotators, opts)
		if err := opts.Err(); err != nil {
			return nil, err
		}
		if one.Report.ItemsTwo == 0 {
			s.tell("round %s has no model with two labels yet; %s", r.Name, giveLabels)
		}
		list = append(list, one)
	}
	return list, nil
}
