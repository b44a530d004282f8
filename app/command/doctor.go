package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/doctor"
)

type doctorCommand struct {
	Workspace string `arg:"" help:"Workspace folder; it must not be open anywhere. It may be one that does not open."`
	Repair    bool   `help:"Repair what can be repaired. The database is kept as it was, and labels are only ever added."`
}

func (c *doctorCommand) Run(s *Session) error {
	var r doctor.Repaired
	var err error
	if c.Repair {
		r, err = doctor.Repair(s.ctx, c.Workspace, s.bar("examining"))
	} else {
		r.After, err = doctor.Examine(s.ctx, c.Workspace, s.bar("examining"))
	}
	if err != nil {
		return err
	}
	problems, litter := r.After.Problems(), r.After.Litter()
	var found error
	if len(problems) > 0 {
		found = fmt.Errorf("workspace %s has %s", c.Workspace, result.Counted(len(problems), "problem"))
	}
	there := slices.DeleteFunc(slices.Clone(r.After.Checked),
		func(c doctor.Checked) bool { return c.Count+c.Found == 0 })
	a := answer{
		Document: s.document("doctor", c, doctor.RepairTable.Sheet([]doctor.Repaired{r}),
			doctor.CheckedTable.Sheet(r.After.Checked),
			doctor.FindingSheet("problems", "Wrong", problems), doctor.FindingSheet("litter", "Without harm", litter),
			doctor.FindingSheet("repaired", "Repaired", r.Mended)),
		shown: []any{doctor.CheckedTable.Sheet(there), sentences("repaired", r.Mended)},
	}
	if s.common.JSON {
		return errors.Join(s.give(a), found)
	}
	if workers, err := s.Runtime(); err == nil {
		a.lines = append(a.lines, "workers, which run models, may use: "+workers.Ready().Rights,
			"models can be computed on: "+device.Words(workers.Devices(s.ctx)))
	}
	if r.Backup != "" {
		a.lines = append(a.lines, "", "the database as it was is kept as "+r.Backup)
	}
	if r.Aside != "" {
		a.lines = append(a.lines, "what was taken out lies in "+r.Aside)
	}
	a.lines = append(append(a.lines, sentences("wrong", problems)...), sentences("without harm", litter)...)
	if found == nil {
		a.lines = append(a.lines, "", "healthy")
	}
	return errors.Join(s.give(a), found)
}

// sentences are the first findings under a heading.
func sentences(heading string, list []doctor.Finding) []string {
	if len(list) == 0 {
		return nil
	}
	const mostSentences = 50
	lines := []string{"", fmt.Sprintf("%s (%d):", heading, len(list))}
	for _, f := range list[:min(mostSentences, len(list))] {
		lines = append(lines, "- "+f.Sentence())
	}
	if more := len(list) - mostSentences; more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more; --json lists them all", more))
	}
	return lines
}

type restoreCommand struct {
	Workspace string `arg:"" help:"Workspace folder; it must not be open anywhere."`
	Backup    string `arg:"" optional:"" help:"Backup to restore, by its name (default: the newest)."`
	List      bool   `help:"Only list the backups."`
}

func (c *restoreCommand) Run(s *Session) error {
	path := c.Workspace
	if !isWorkspace(path) {
		path = filepath.Clean(path) + ".variscope"
	}
	if Absent(path) {
		return fmt.Errorf("%s: %w: there is no such folder", path, store.ErrNotWorkspace)
	}
	var list []backup.Backup
	var err error
	if c.List {
		list, err = backup.List(path)
	} else {
		list = make([]backup.Backup, 1)
		list[0], err = backup.Restore(s.ctx, path, c.Backup)
	}
	if err != nil {
		return err
	}
	a := answer{Document: s.document("restore", c, backup.Table.Sheet(list))}
	if !c.List {
		a.shown = []any{}
		a.lines = []string{fmt.Sprintf("restored the database of %s; the one that was there is kept among the backups",
			list[0].At.Local().Format(time.DateTime))}
	}
	return s.give(a)
}
