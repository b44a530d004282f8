package app

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/export"
)

type agreementCommand struct {
	Labels      string `arg:"" help:"labels_long.csv, labels_wide.csv, or a workspace."`
	Round       string `help:"Round of a workspace, by name or id (default: all)."`
	Classes     int    `help:"Classes of the labels in a file, 2 or 3; 0 for as many as the labels show." default:"0" enum:"0,2,3"`
	LeaveOneOut bool   `help:"Compare each annotator with the majority of the others."`
	Out         string `help:"Folder for agreement.csv and agreement.json." type:"path"`
}

func (c *agreementCommand) Run(s *session) error {
	list, err := c.measure(s)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := writeAgreement(c.Out, list); err != nil {
			return err
		}
	}
	if s.common.JSON {
		return export.AgreementJSON(s.stdout, list)
	}
	return s.print(nil, agreementRows(list))
}

func (c *agreementCommand) measure(s *session) ([]export.RoundAgreement, error) {
	opts := agreement.Options{Intervals: true, LeaveOneOut: c.LeaveOneOut, Context: s.ctx}
	if !meansWorkspace(c.Labels) {
		return export.AgreementFromFile(c.Labels, c.Classes, opts)
	}
	ws, err := s.open(c.Labels)
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
	var list []export.RoundAgreement
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

func agreementOf(ws *store.Workspace, r label.Round, opts agreement.Options) (export.RoundAgreement, error) {
	events, err := ws.Events(r.ID)
	if err != nil {
		return export.RoundAgreement{}, err
	}
	ids := make([]string, len(r.Models))
	for i, hash := range r.Models {
		ids[i] = hash
		if m, err := ws.Model(hash); err == nil {
			ids[i] = m.ID
		}
	}
	return export.AgreementOf(r, events, ids, opts), opts.Err()
}

func writeAgreement(folder string, list []export.RoundAgreement) error {
	for name, write := range map[string]func(io.Writer, []export.RoundAgreement) error{
		"agreement.csv": export.AgreementCSV, "agreement.json": export.AgreementJSON,
	} {
		var content bytes.Buffer
		if err := write(&content, list); err != nil {
			return err
		}
		err := durable.WriteFile(filepath.Join(folder, name), func(w io.Writer) error {
			_, err := content.WriteTo(w)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func agreementRows(list []export.RoundAgreement) [][]string {
	rows := [][]string{{"round", "measure", "value", "95 % interval", "n", ""}}
	for _, one := range list {
		name, r := one.Round, one.Report
		if name == "" {
			name = one.RoundID
		}
		add := func(measure string, e agreement.Estimate) {
			rows = append(rows, []string{name, measure, decimals(e), interval(e), strconv.Itoa(e.N), e.Remark()})
		}
		for _, p := range r.Cohen {
			add("Cohen "+p.Raters[0]+" - "+p.Raters[1], p.Kappa)
		}
		add("Cohen, mean of pairs", r.CohenMean)
		for _, m := range r.VsMajority {
			add("Cohen "+m.Rater+" - majority", m.Kappa)
		}
		add("Fleiss", r.Fleiss)
		add("percent agreement", r.Percent)
		add("Gwet AC1", r.GwetAC1)
		add("Krippendorff, nominal", r.KrippendorffNominal)
		addMore(one, add)
	}
	return rows
}

// addMore adds what not every round has: measures of ordered classes, the agreement per class and
// with oneself.
func addMore(one export.RoundAgreement, add func(measure string, e agreement.Estimate)) {
	r := one.Report
	for _, m := range []struct {
		name string
		e    *agreement.Estimate
	}{
		{"Cohen, mean of pairs, linear weights", r.CohenMeanLinear},
		{"Cohen, mean of pairs, quadratic weights", r.CohenMeanQuadratic},
		{"Gwet AC2, linear", r.GwetAC2Linear},
		{"Gwet AC2, quadratic", r.GwetAC2Quadratic},
		{"Krippendorff, ordinal", r.KrippendorffOrdinal},
		{"Krippendorff, interval", r.KrippendorffInterval},
	} {
		if m.e != nil {
			add(m.name, *m.e)
		}
	}
	for _, c := range one.PerClass {
		add("agreement on "+c.Class, c.Percent)
		add("kappa of "+c.Class, c.Kappa)
	}
	for _, self := range one.Self {
		add("self-consistency "+self.Rater, self.Percent)
		add("self-consistency "+self.Rater+", kappa", self.Kappa)
	}
}

func decimals(e agreement.Estimate) string {
	if e.Value.Reason != "" {
		return "-"
	}
	return fmt.Sprintf("%.3f", e.Value.Value)
}

func interval(e agreement.Estimate) string {
	if e.Interval == nil || e.Interval.Reason != "" {
		return "-"
	}
	return fmt.Sprintf("%.3f .. %.3f", e.Interval.Low, e.Interval.High)
}
