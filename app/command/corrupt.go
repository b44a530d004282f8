package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/corrupted"
)

type corruptCommand struct {
	Path           string `arg:"" study:"path" help:"Workspace folder, or a test suite: IDX, CIFAR-10 binary, image folder or CSV manifest."`
	corruptOptions `embed:""`
	corrupted.Files
	SkipCorrupt bool `help:"Leave images that cannot be read out of the suite that is changed."`
}

// corruptOptions say which suite is changed, and how.
type corruptOptions struct {
	Suite string `help:"Suite of the workspace, by name or hash (default: the workspace's current one)."`
	derive.Options
}

func (c *corruptCommand) Run(s *Session) error {
	changes, err := c.changes()
	if err != nil {
		return err
	}
	if !meansWorkspace(c.Path) {
		return c.corruptPath(s, changes)
	}
	if c.Frost != "" && c.Out == "" {
		return usageError("--frost goes with --out: suites of a workspace have synthetic frost")
	}
	ws, err := s.workspace(c.Path, c.Out == "")
	if err != nil {
		return err
	}
	m, err := suiteNamed(ws, c.Suite)
	if err != nil {
		return err
	}
	if c.Out != "" {
		opened, err := s.openSuite(ws, m.Hash)
		if err != nil {
			return err
		}
		return c.write(s, opened, changes)
	}
	var made []suite.Manifest
	for _, change := range changes {
		d, err := ws.DeriveSuite(m.Hash, change, "")
		if err != nil {
			return err
		}
		made = append(made, d)
	}
	return c.answer(s, m, changes, corrupted.Suites.Sheet(made))
}

// corruptPath changes a suite that is in no workspace into files.
func (c *corruptCommand) corruptPath(s *Session, changes []derive.Change) error {
	switch {
	case !exists(c.Path):
		return fmt.Errorf("corrupt %s: there is neither a workspace nor a test suite", c.Path)
	case c.Suite != "":
		return usageError("--suite names a suite of a workspace, and " + c.Path + " is none")
	case c.Out == "":
		return usageError("name a folder to write the images to with --out, or a workspace that gets them as suites")
	}
	opened, err := s.scan(c.Path, c.SkipCorrupt)
	if err != nil {
		return err
	}
	return c.write(s, opened, changes)
}

// write writes the changed images of an opened suite to files.
func (c *corruptCommand) write(s *Session, opened *suite.Suite, changes []derive.Change) error {
	options := corrupted.Options{Out: c.Out, Format: corrupted.Format(c.Format), Changes: changes, Version: Version}
	if c.Frost != "" {
		var err error
		if options.Frost, err = corrupted.Photographs(s.ctx, c.Frost); err != nil {
			return err
		}
	}
	done, err := corrupted.Write(s.ctx, opened, options, s.bar("corrupt"))
	if err != nil {
		return err
	}
	return c.answer(s, opened.Manifest(), changes, corrupted.Folders.Sheet(done))
}

// Check refuses what is no folder.
func (c *corruptCommand) Check() error { return option.NeedFolder("out", c.Out) }

// changes are the corruptions and shifts that the flags name; without any there is nothing to do.
func (c *corruptCommand) changes() ([]derive.Change, error) {
	corrupts := c.All || len(c.Corruption) > 0
	switch {
	case !corrupts && len(c.Shift) == 0:
		return nil, usageError("name corruptions with --corruption, such as fog:3, or take --all, or shift with " +
			"--shift 3:5; known are " +
			strings.Join(corrupt.Names(), ", "))
	case !corrupts && (c.Compat || c.Store != "" || len(c.Severity) > 0 || c.Seed != 1 || c.Frost != ""):
		return nil, usageError("--severity, --seed, --store, --compat and --frost go with --corruption or --all; a " +
			"shift has none of them")
	}
	return c.Changes()
}

// answer prints what was made of a suite; by how much lengths are scaled concerns corruptions
// alone.
func (c *corruptCommand) answer(s *Session, m suite.Manifest, changes []derive.Change, made *result.Sheet) error {
	of := corrupted.Source{Manifest: m}
	corrupts := slices.ContainsFunc(changes, func(c derive.Change) bool {
		_, ok := c.(corrupt.Setting)
		return ok
	})
	if corrupts && m.Shape != [3]int{} {
		of.Scaled = corrupt.Scaled(m.Shape[0], m.Shape[1], m.Shape[2])
	}
	doc := s.document("corrupt", &c.corruptOptions, corrupted.Sources.Sheet([]corrupted.Source{of}), made)
	a := answer{Document: doc, shown: []any{made}}
	if of.Scaled != "" {
		a.lines = []string{of.Scaled}
	}
	return s.give(a)
}
