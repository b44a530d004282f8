package app

import (
	"fmt"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/ratings"
)

type agreementCommand struct {
	Labels string `arg:"" help:"A table of labels (an item and a column per rater; or item, rater, label; or JSON of Label Studio; or labels_long.csv, labels_wide.csv), or a workspace."`
	agreement.RoundOptions
	ratings.Options
	Classes int    `help:"Classes of the labels in a file, 2 (invariant, variant) or 3 (with borderline); 0 for as many as the labels show." default:"0" enum:"0,2,3"`
	Out     string `help:"Folder for agreement.json and its tables." type:"path"`
	spreadsheetFlag
}

func (c *agreementCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	list, err := c.measure(s)
	if err != nil {
		return err
	}
	doc := agreement.Document(list, option.Record(&struct {
		agreement.RoundOptions
		ratings.Options
	}{c.RoundOptions, c.Options}))
	doc.Notes = s.notes()
	for _, r := range list {
		if r.Taken != "" && !s.common.JSON {
			fmt.Fprintf(s.stderr, "variscope: %s: %s\n", c.Labels, r.Taken)
		}
	}
	return s.give(answer{Document: doc, name: "agreement", folder: c.Out, forSpreadsheets: c.ForSpreadsheets})
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
		one, err := agreementOf(ws, r, opts)
		if err != nil {
			return nil, err
		}
		if one.Report.ItemsTwo == 0 {
			fmt.Fprintf(s.stderr, "variscope: round %s has no model with two labels yet; %s\n", r.Name, giveLabels)
		}
		list = append(list, one)
	}
	return list, nil
}

func agreementOf(ws *store.Workspace, r label.Round, opts agreement.Options) (*agreement.Round, error) {
	events, err := ws.Events(r.ID)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(r.Models))
	for i, hash := range r.Models {
		ids[i] = hash
		if m, err := ws.Model(hash); err == nil {
			ids[i] = m.ID
		}
	}
	return agreement.OfRound(r, events, ids, r.Annotators, opts), opts.Err()
}
