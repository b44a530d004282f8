package app

import (
	"fmt"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

type doctorCommand struct {
	Workspace string `arg:"" help:"Workspace folder; it must not be open anywhere. It may be one that does not open."`
	Repair    bool   `help:"Repair what can be repaired. The database is kept as it was, and labels are only ever added."`
}

func (c *doctorCommand) Run(s *session) error {
	r, err := c.examine(s)
	if err != nil {
		return err
	}
	problems, litter := r.After.Problems(), r.After.Litter()
	doc := s.document("doctor", c,
		store.RepairTable.Sheet([]store.Repaired{r}), store.CheckedTable.Sheet(r.After.Checked),
		store.FindingSheet("problems", "Wrong", problems), store.FindingSheet("litter", "Without harm", litter),
		store.FindingSheet("repaired", "Repaired", r.Mended))
	if done, err := s.answer(doc, "", "", false); err != nil {
		return err
	} else if !done {
		if err := printExamination(s, r, problems, litter); err != nil {
			return err
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("workspace %s has %s", c.Workspace, result.Counted(len(problems), "problem"))
}

// examine examines the workspace, and repairs it first where that is asked for.
func (c *doctorCommand) examine(s *session) (r store.Repaired, err error) {
	progress := newBar(s.stderr, "examining")
	defer progress.done()
	if c.Repair {
		return store.Repair(s.ctx, c.Workspace, progress)
	}
	r.After, err = store.Examine(s.ctx, c.Workspace, progress)
	return r, err
}

// printExamination prints what was checked, and a sentence for each finding.
func printExamination(s *session, r store.Repaired, problems, litter []store.Finding) error {
	var there []store.Checked
	for _, c := range r.After.Checked {
		if c.Count+c.Found > 0 {
			there = append(there, c)
		}
	}
	if err := store.CheckedTable.Sheet(there).Text(s.stdout); err != nil {
		return err
	}
	lines := sentences("repaired", r.Mended)
	if workers, err := s.runtime(); err == nil {
		lines = append(lines, "workers, which run models, may use: "+workers.Ready().Rights,
			"models can be computed on: "+device.Words(workers.Devices(s.ctx)))
	}
	if r.Backup != "" {
		lines = append(lines, "", "the database as it was is kept as "+r.Backup)
	}
	if r.Aside != "" {
		lines = append(lines, "what was taken out lies in "+r.Aside)
	}
	lines = append(lines, sentences("wrong", problems)...)
	lines = append(lines, sentences("without harm", litter)...)
	if len(problems) == 0 {
		lines = append(lines, "", "healthy")
	}
	printLines(s.stdout, lines)
	return nil
}

// mostSentences is how many findings of one list are printed; --json has them all.
const mostSentences = 50

// sentences are the findings under a heading.
func sentences(heading string, list []store.Finding) []string {
	if len(list) == 0 {
		return nil
	}
	lines := []string{"", fmt.Sprintf("%s (%d):", heading, len(list))}
	for _, f := range list[:min(mostSentences, len(list))] {
		lines = append(lines, "- "+f.Sentence())
	}
	if more := len(list) - mostSentences; more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more; --json lists them all", more))
	}
	return lines
}
