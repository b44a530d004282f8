package app

import (
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/durable"
)

// named finds the round that the command line names: as an argument, with --round, or else the
// newest.
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
	out := fileIn(c.Out, durable.FileName(round.Name)+desks.RoundSuffix)
	written, err := desks.Invite(s.ctx, ws, round.ID, out, c.Full, progress)
	progress.done()
	if err != nil {
		return err
	}
	return c.say(s, "", desks.Sent.Place(result.FileOnly, "events").Sheet([]desks.Written{written}))
}

// openPackage adds round packages to the workspace, which is made where there is none.
func (c *labelCommand) openPackage(s *session, ws *store.Workspace) error {
	if len(c.Files) == 0 {
		return usageError("name the round packages to open")
	}
	var reports []store.PackageReport
	for _, path := range c.Files {
		progress := newBar(s.stderr, "open "+filepath.Base(path))
		report, err := desks.Open(s.ctx, ws, path, progress)
		progress.done()
		if err != nil {
			return err
		}
		reports = append(reports, report)
	}
	return c.say(s, c.Out, desks.Opened.Sheet(reports))
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
	out := fileIn(c.Out, durable.FileName(round.Name)+desks.LabelsSuffix)
	written, err := desks.Send(s.ctx, ws, round.ID, c.Annotator, out)
	if err != nil {
		return err
	}
	return c.say(s, "", desks.Sent.Place(result.FileOnly, "models").Sheet([]desks.Written{written}))
}

// merge takes all files or, when one of them is refused, none.
func (c *labelCommand) merge(s *session, ws *store.Workspace) error {
	if len(c.Files) == 0 {
		return usageError("name the files of labels to " + c.Action)
	}
	how := desks.Reading{Options: c.Words}
	if c.Round != "" {
		round, err := findRound(ws, c.Round)
		if err != nil {
			return err
		}
		how.Round = round.ID
	}
	progress := newBar(s.stderr, c.Action)
	plan, err := desks.Preview(s.ctx, ws, c.Files, how, progress)
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
	err = c.say(s, c.Out, desks.Files.Sheet(plan.Files), desks.Conflicting.Sheet(plan.Conflicts))
	if err != nil || s.common.JSON {
		return err
	}
	for _, f := range plan.Files {
		if f.Taken != "" {
			fmt.Fprintf(s.stderr, "variscope: %s: %s\n", f.Path, f.Taken)
		}
	}
	for _, conflict := range plan.Conflicts {
		printLines(s.stdout, []string{"conflict: " + conflict.String()})
	}
	return nil
}
