package app

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
)

// named finds the round that the command line names: as an argument, with --round, or else the newest.
func (c *labelCommand) named(ws *store.Workspace) (label.Round, error) {
	name := c.Round
	switch {
	case len(c.Files) > 1 || len(c.Files) == 1 && name != "":
		return label.Round{}, usageError("name one round to " + c.Action)
	case len(c.Files) == 1:
		name = c.Files[0]
	}
	return findRound(ws, name)
}

// invite writes a round package.
func (c *labelCommand) invite(s *session, ws *store.Workspace) error {
	round, err := c.named(ws)
	if err != nil {
		return err
	}
	if c.Out == "" {
		return usageError("name the package to write with --out NAME" + desks.RoundSuffix)
	}
	progress := newBar(s.stderr, "invite")
	written, err := desks.Invite(s.ctx, ws, round.ID, c.Out, c.Full, progress)
	progress.done()
	if err != nil {
		return err
	}
	return s.print(written, [][]string{{"round", "models", "bytes", "sha256"}, {
		round.Name, strconv.Itoa(written.Models), strconv.FormatInt(written.Size, 10), written.SHA256,
	}})
}

// openPackage adds round packages to the workspace, which is made where there is none.
func (c *labelCommand) openPackage(s *session, ws *store.Workspace) error {
	if len(c.Files) == 0 {
		return usageError("name the round packages to open")
	}
	rows := [][]string{{"round", "id", "models", "annotators", "outcome"}}
	reports := []store.PackageReport{}
	for _, path := range c.Files {
		progress := newBar(s.stderr, "open "+filepath.Base(path))
		report, err := desks.Open(s.ctx, ws, path, progress)
		progress.done()
		if err != nil {
			return err
		}
		reports = append(reports, report)
		r := report.Round
		rows = append(rows, []string{r.Name, r.ID, strconv.Itoa(len(r.Models)), strings.Join(r.Annotators, ", "), outcome(report)})
	}
	return s.report(c.Out, c.Action, reports, rows)
}

func outcome(r store.PackageReport) string {
	switch {
	case r.Created:
		return "added"
	case r.Changed:
		return "brought up to date"
	}
	return "there already"
}

// send writes the labels that were made here.
func (c *labelCommand) send(s *session, ws *store.Workspace) error {
	round, err := c.named(ws)
	if err != nil {
		return err
	}
	if c.Out == "" {
		return usageError("name the file to write with --out NAME" + desks.LabelsSuffix)
	}
	written, err := desks.Send(s.ctx, ws, round.ID, c.Annotator, c.Out)
	if err != nil {
		return err
	}
	return s.print(written, [][]string{{"round", "events", "sha256"}, {round.Name, strconv.Itoa(written.Events), written.SHA256}})
}

// merge takes all files or, when one of them is refused, none.
func (c *labelCommand) merge(s *session, ws *store.Workspace) error {
	if len(c.Files) == 0 {
		return usageError("name the files of labels to " + c.Action)
	}
	progress := newBar(s.stderr, c.Action)
	plan, err := desks.Preview(s.ctx, ws, c.Files, progress)
	progress.done()
	if err != nil {
		return err
	}
	if err := plan.Problem(); err != nil {
		return err
	}
	if _, err := desks.Merge(ws, plan); err != nil {
		return err
	}
	rows := [][]string{{"file", "round", "events", "new", "there already"}}
	for _, f := range plan.Files {
		rows = append(rows, []string{filepath.Base(f.Path), f.Round, strconv.Itoa(f.Events), strconv.Itoa(f.New), strconv.Itoa(f.Known)})
	}
	for _, conflict := range plan.Conflicts {
		rows = append(rows, []string{conflictLine(conflict)})
	}
	return s.report(c.Out, c.Action, plan, rows)
}

// conflictLine is a conflict as a remark below the table.
func conflictLine(c desks.ConflictReport) string {
	if len(c.Labels) == 0 {
		return fmt.Sprintf("conflict: %s labelled %s differently at several desks; what the labels are is hidden while the round is blind", c.Annotator, c.Model)
	}
	words := make([]string, len(c.Labels))
	for k, v := range c.Labels {
		words[k] = string(v)
	}
	return fmt.Sprintf("conflict: %s labelled %s differently at several desks (%s); all are kept, the last one counts until the model is adjudicated",
		c.Annotator, c.Model, strings.Join(words, ", then "))
}
