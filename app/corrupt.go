package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/corrupted"
)

type corruptCommand struct {
	Path           string `arg:"" help:"Workspace folder, or a test suite: IDX, CIFAR-10 binary, image folder or CSV manifest."`
	corruptOptions `embed:""`
	corrupted.Files
	SkipCorrupt bool `help:"Leave images that cannot be read out of the suite that is changed."`
}

// corruptOptions say what is changed, and how.
type corruptOptions struct {
	Suite      string   `help:"Suite of the workspace, by name or hash (default: the workspace's current one)."`
	Corruption []string `help:"Corruption with its severities, fog or fog:3 or fog:1,3,5; may be repeated." placeholder:"NAME[:SEV,...]" sep:"none"`
	All        bool     `help:"All fifteen corruptions."`
	Shift      []string `help:"Padded translation: N x N regions with hyper-parameter T, one suite for each region, or those that are named; may be repeated." placeholder:"N:T[:REGION,...]" sep:"none"`
	Severity   []int    `help:"Severities where a corruption names none (default: all five)." min:"1" max:"5"`
	Seed       uint64   `help:"Seed of everything that is drawn." default:"1"`
	Store      string   `help:"uint8 cuts values to steps of 1/255 by truncation, as the published data are; files hold 8 bits in any case." enum:",uint8" default:""`
	Compat     bool     `help:"Copy pixels in glass_blur of RGB images, as the public code does, instead of exchanging them."`
}

func (c *corruptCommand) Run(s *session) error {
	changes, err := c.changes()
	if err != nil {
		return err
	}
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if !meansWorkspace(c.Path) {
		return c.corruptPath(s, changes)
	}
	if c.Frost != "" && c.Out == "" {
		return usageError("--frost goes with --out: suites of a workspace have synthetic frost")
	}
	ws, err := s.open(c.Path)
	if err != nil {
		return err
	}
	m, err := suiteNamed(ws, c.Suite)
	if err != nil {
		return err
	}
	if c.Out != "" {
		opened, err := ws.OpenSuiteContext(s.ctx, m.Hash)
		if err != nil {
			return err
		}
		s.onClose(opened.Close)
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
func (c *corruptCommand) corruptPath(s *session, changes []derive.Change) error {
	_, err := os.Stat(c.Path)
	switch {
	case err != nil:
		return fmt.Errorf("corrupt %s: there is neither a workspace nor a test suite", c.Path)
	case c.Suite != "":
		return usageError("--suite names a suite of a workspace, and " + c.Path + " is none")
	case c.Out == "":
		return usageError("name a folder to write the images to with --out, or a workspace that gets them as suites")
	}
	bar := newBar(s.stderr, filepath.Base(c.Path))
	m, err := suite.Scan(s.ctx, c.Path, suite.Options{SkipCorrupt: c.SkipCorrupt}, bar)
	bar.done()
	if err != nil {
		return err
	}
	opened, err := suite.Open(m, m.Root)
	if err != nil {
		return err
	}
	s.onClose(opened.Close)
	return c.write(s, opened, changes)
}

// write writes the changed images of an opened suite to files.
func (c *corruptCommand) write(s *session, opened *suite.Suite, changes []derive.Change) error {
	options := corrupted.Options{Out: c.Out, Format: corrupted.Format(c.Format), Changes: changes, Version: Version}
	if c.Frost != "" {
		var err error
		if options.Frost, err = corrupted.Photographs(s.ctx, c.Frost); err != nil {
			return err
		}
	}
	bar := newBar(s.stderr, "corrupt")
	defer bar.done()
	done, err := corrupted.Write(s.ctx, opened, options, bar)
	if err != nil {
		return err
	}
	return c.answer(s, opened.Manifest(), changes, corrupted.Folders.Sheet(done))
}

// changes are the corruptions and then the shifts that the flags name, in the order of the flags,
// each once.
func (c *corruptCommand) changes() ([]derive.Change, error) {
	wanted := c.Corruption
	switch {
	case c.All && len(wanted) > 0:
		return nil, usageError("give --all or --corruption, not both")
	case c.All:
		wanted = corrupt.Names()
	case len(wanted)+len(c.Shift) == 0:
		return nil, usageError("name corruptions with --corruption, such as fog:3, or take --all, or shift with --shift 3:5; known are " +
			strings.Join(corrupt.Names(), ", "))
	case len(wanted) == 0 && (c.Compat || c.Store != "" || len(c.Severity) > 0 || c.Seed != 1 || c.Frost != ""):
		return nil, usageError("--severity, --seed, --store, --compat and --frost go with --corruption or --all; a shift has none of them")
	}
	list, err := c.corruptions(wanted)
	if err != nil {
		return nil, err
	}
	for _, text := range c.Shift {
		shifts, err := shiftsOf(text)
		if err != nil {
			return nil, err
		}
		for _, s := range shifts {
			if !slices.Contains(list, derive.Change(s)) {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// shiftsOf reads N:T, for all regions, or N:T:REGION,... .
func shiftsOf(text string) ([]derive.Shift, error) {
	parts := strings.SplitN(text, ":", 3)
	if len(parts) < 2 {
		return nil, usageError(fmt.Sprintf("--shift %s: write N:T, such as 3:5, or N:T:REGION, such as 3:5:7", text))
	}
	var n [2]int
	for k := range n {
		number, err := strconv.Atoi(strings.TrimSpace(parts[k]))
		if err != nil {
			return nil, usageError(fmt.Sprintf("--shift %s: %q is not a whole number; write N:T, such as 3:5", text, parts[k]))
		}
		n[k] = number
	}
	shifts, err := derive.Shifts(n[0], n[1])
	if err != nil {
		return nil, usageError(fmt.Sprintf("--shift %s: %v", text, err))
	}
	if len(parts) == 2 {
		return shifts, nil
	}
	var some []derive.Shift
	for number := range strings.SplitSeq(parts[2], ",") {
		region, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return nil, usageError(fmt.Sprintf("--shift %s: region %q is not a whole number; write N:T:REGION, such as 3:5:7", text, number))
		}
		s := derive.Shift{N: n[0], T: n[1], Region: region}
		if err := s.Check(); err != nil {
			return nil, usageError(fmt.Sprintf("--shift %s: %v", text, err))
		}
		some = append(some, s)
	}
	return some, nil
}

// corruptions are the ones of these texts in all their severities, each once.
func (c *corruptCommand) corruptions(wanted []string) ([]derive.Change, error) {
	var list []derive.Change
	for _, text := range wanted {
		name, severities, err := c.severities(text)
		if err != nil {
			return nil, err
		}
		for _, severity := range severities {
			s := corrupt.Setting{Name: name, Severity: severity, Seed: c.Seed, Truncate: c.Store == "uint8"}
			s.Compat = c.Compat && name == "glass_blur"
			if err := s.Check(); err != nil {
				return nil, usageError(err.Error())
			}
			if !slices.Contains(list, derive.Change(s)) {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// severities splits "fog:1,3" into the name and its severities; without any they are those of
// --severity, or all.
func (c *corruptCommand) severities(text string) (name string, list []int, err error) {
	name, numbers, named := strings.Cut(text, ":")
	if !named {
		if len(c.Severity) > 0 {
			return name, c.Severity, nil
		}
		for severity := range corrupt.Severities {
			list = append(list, severity+1)
		}
		return name, list, nil
	}
	for number := range strings.SplitSeq(numbers, ",") {
		severity, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return "", nil, usageError(fmt.Sprintf("--corruption %s: severity %q is not a number; write %s:1,3", text, number, name))
		}
		list = append(list, severity)
	}
	return name, list, nil
}

// answer prints what was made of a suite; by how much lengths are scaled concerns corruptions
// alone.
func (c *corruptCommand) answer(s *session, m suite.Manifest, changes []derive.Change, made *result.Sheet) error {
	of := corrupted.Source{Manifest: m}
	corrupts := slices.ContainsFunc(changes, func(c derive.Change) bool {
		_, ok := c.(corrupt.Setting)
		return ok
	})
	if corrupts && m.Shape != [3]int{} {
		of.Scaled = corrupt.Scaled(m.Shape[0], m.Shape[1], m.Shape[2])
	}
	doc := result.Document{
		Schema: "variscope.corrupt", Version: 1, Options: option.Record(&c.corruptOptions),
		Sheets: []*result.Sheet{corrupted.Sources.Sheet([]corrupted.Source{of}), made},
	}
	if done, err := s.answer(doc, "", "", false); done || err != nil {
		return err
	}
	if err := made.Text(s.stdout); err != nil {
		return err
	}
	if of.Scaled != "" {
		printLines(s.stdout, []string{of.Scaled})
	}
	return nil
}
