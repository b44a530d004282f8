package app

import (
	"fmt"
	"strconv"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

type doctorCommand struct {
	Workspace string `arg:"" help:"Workspace folder; it must not be open anywhere. It may be one that does not open."`
	Repair    bool   `help:"Repair what can be repaired. The database is kept as it was, what is taken out is set aside, and labels are only ever added."`
}

// doctorReport is what doctor prints with --json.
type doctorReport struct {
	Workspace string          `json:"workspace"`
	Healthy   bool            `json:"healthy"` // no problems; litter does no harm
	Checked   []store.Checked `json:"checked"`
	Problems  []store.Finding `json:"problems"`
	Litter    []store.Finding `json:"litter"`
	Repaired  []store.Finding `json:"repaired"`
	Backup    string          `json:"backup,omitempty"`
	SetAside  string          `json:"set_aside,omitempty"`
}

func (c *doctorCommand) Run(s *session) error {
	report, err := c.examine(s)
	if err != nil {
		return err
	}
	if err := s.print(report, report.rows()); err != nil {
		return err
	}
	if report.Healthy {
		return nil
	}
	return fmt.Errorf("workspace %s has %s", c.Workspace, result.Counted(len(report.Problems), "problem"))
}

// examine examines the workspace, and repairs it first where that is asked for.
func (c *doctorCommand) examine(s *session) (doctorReport, error) {
	progress := newBar(s.stderr, "examining")
	defer progress.done()
	if !c.Repair {
		e, err := store.Examine(s.ctx, c.Workspace, progress)
		return reportExamination(e), err
	}
	r, err := store.Repair(s.ctx, c.Workspace, progress)
	report := reportExamination(r.After)
	report.Repaired = append(report.Repaired, r.Mended...)
	report.Backup, report.SetAside = r.Backup, r.Aside
	return report, err
}

func reportExamination(e store.Examination) doctorReport {
	report := doctorReport{Workspace: e.Path, Checked: e.Checked, Problems: []store.Finding{}, Litter: []store.Finding{}, Repaired: []store.Finding{}}
	for _, f := range e.Findings {
		if f.Litter {
			report.Litter = append(report.Litter, f)
		} else {
			report.Problems = append(report.Problems, f)
		}
	}
	report.Healthy = len(report.Problems) == 0
	return report
}

// mostSentences is how many findings of one list are printed; --json has them all.
const mostSentences = 50

// rows are the table of what was checked, and a sentence for each finding.
func (r doctorReport) rows() [][]string {
	rows := [][]string{{"checked", "count", "found"}}
	for _, c := range r.Checked {
		if c.Count+c.Found > 0 {
			rows = append(rows, []string{c.What, strconv.Itoa(c.Count), strconv.Itoa(c.Found)})
		}
	}
	rows = append(rows, sentences("repaired", r.Repaired)...)
	if r.Backup != "" {
		rows = append(rows, []string{""}, []string{"the database as it was is kept as " + r.Backup})
	}
	if r.SetAside != "" {
		rows = append(rows, []string{"what was taken out lies in " + r.SetAside})
	}
	rows = append(rows, sentences("wrong", r.Problems)...)
	rows = append(rows, sentences("without harm", r.Litter)...)
	if r.Healthy {
		rows = append(rows, []string{""}, []string{"healthy"})
	}
	return rows
}

// sentences are the findings under a heading.
func sentences(heading string, list []store.Finding) [][]string {
	if len(list) == 0 {
		return nil
	}
	rows := [][]string{{""}, {fmt.Sprintf("%s (%d):", heading, len(list))}}
	for _, f := range list[:min(mostSentences, len(list))] {
		rows = append(rows, []string{"- " + f.Sentence()})
	}
	if more := len(list) - mostSentences; more > 0 {
		rows = append(rows, []string{fmt.Sprintf("- and %d more; --json lists them all", more)})
	}
	return rows
}
