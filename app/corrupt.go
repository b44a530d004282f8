package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/corrupted"
)

type corruptCommand struct {
	Path        string   `arg:"" help:"Workspace folder, or a test suite: IDX, CIFAR-10 binary, image folder or CSV manifest."`
	Suite       string   `help:"Suite of the workspace, by name or hash (default: the workspace's current one)."`
	Corruption  []string `help:"Corruption with its severities, fog or fog:3 or fog:1,3,5; may be repeated." placeholder:"NAME[:SEV,...]" sep:"none"`
	All         bool     `help:"All fifteen corruptions."`
	Severity    []int    `help:"Severities, 1 to 5, where a corruption names none (default: all five)."`
	Seed        uint64   `help:"Seed of everything that is drawn." default:"1"`
	Store       string   `help:"uint8 cuts values to steps of 1/255 by truncation, as the published data are; files hold 8 bits in any case." enum:",uint8" default:""`
	Compat      bool     `help:"Copy pixels in glass_blur of RGB images, as the public code does, instead of exchanging them."`
	Out         string   `help:"Folder to write the corrupted images to, a folder each; without it a workspace gets suites that are computed as they are read." type:"path"`
	Format      string   `help:"folder (PNG files in class folders) or idx (gray images of one size)." enum:"folder,idx" default:"folder"`
	Frost       string   `help:"Folder of photographs of frost, for --out; without it frost is synthetic." type:"existingdir" placeholder:"DIR"`
	SkipCorrupt bool     `help:"Leave images that cannot be read out of the suite that is corrupted."`
}

// corruptReport is what corrupt prints with --json.
type corruptReport struct {
	Suite   string            `json:"suite"`
	Hash    string            `json:"hash"`
	Images  int               `json:"images"`
	Scaled  string            `json:"scaled,omitempty"` // by how much lengths are scaled for these images
	Suites  []corruptedSuite  `json:"suites"`           // that a workspace got
	Folders []corruptedFolder `json:"folders"`          // that were written
}

type corruptedSuite struct {
	Name       string `json:"name"`
	Hash       string `json:"hash"`
	Corruption string `json:"corruption"`
}

type corruptedFolder struct {
	Folder     string `json:"folder"`
	Corruption string `json:"corruption"`
	Images     int    `json:"images"`
	There      bool   `json:"there_already"`
}

func (c *corruptCommand) Run(s *session) error {
	settings, err := c.settings()
	if err != nil {
		return err
	}
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if !meansWorkspace(c.Path) {
		return c.corruptPath(s, settings)
	}
	if c.Frost != "" && c.Out == "" {
		return usageError("--frost goes with --out: suites of a workspace have synthetic frost")
	}
	ws, err := s.open(c.Path)
	if err != nil {
		return err
	}
	m, err := c.base(ws)
	if err != nil {
		return err
	}
	if c.Out != "" {
		opened, err := ws.OpenSuite(m.Hash)
		if err != nil {
			return err
		}
		s.onClose(opened.Close)
		return c.write(s, opened, settings)
	}
	report := newCorruptReport(m)
	for _, setting := range settings {
		d, err := ws.DeriveSuite(m.Hash, setting, "")
		if err != nil {
			return err
		}
		report.Suites = append(report.Suites, corruptedSuite{d.Name, d.Hash, setting.String()})
	}
	return s.print(report, report.rows())
}

// base is the suite of a workspace that is corrupted.
func (c *corruptCommand) base(ws *store.Workspace) (suite.Manifest, error) {
	name := c.Suite
	if name == "" {
		current, err := ws.Current()
		if err != nil {
			return suite.Manifest{}, err
		}
		if name = current.Suite; name == "" {
			return suite.Manifest{}, fmt.Errorf("%s has no current suite; name one with --suite", ws.Path())
		}
	}
	return findSuite(ws, name)
}

// corruptPath corrupts a suite that is in no workspace into files.
func (c *corruptCommand) corruptPath(s *session, settings []corrupt.Setting) error {
	_, err := os.Stat(c.Path)
	switch {
	case err != nil:
		return fmt.Errorf("corrupt %s: there is neither a workspace nor a test suite: %w", c.Path, err)
	case c.Suite != "":
		return usageError("--suite names a suite of a workspace, and " + c.Path + " is none")
	case c.Out == "":
		return usageError("name a folder to write the corrupted images to with --out, or a workspace that gets them as suites")
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
	return c.write(s, opened, settings)
}

// write writes the corrupted images of an opened suite to files.
func (c *corruptCommand) write(s *session, opened *suite.Suite, settings []corrupt.Setting) error {
	options := corrupted.Options{Out: c.Out, Format: corrupted.Format(c.Format), Settings: settings, Version: Version}
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
	report := newCorruptReport(opened.Manifest())
	for _, w := range done {
		report.Folders = append(report.Folders, corruptedFolder{w.Folder, w.Setting.String(), w.Images, w.There})
	}
	return s.print(report, report.rows())
}

// settings are the corruptions that the flags name, in the order of the flags, each once.
func (c *corruptCommand) settings() ([]corrupt.Setting, error) {
	wanted := c.Corruption
	switch {
	case c.All && len(wanted) > 0:
		return nil, usageError("give --all or --corruption, not both")
	case c.All:
		wanted = corrupt.Names()
	case len(wanted) == 0:
		return nil, usageError("name corruptions with --corruption, such as fog:3, or take --all; known are " + strings.Join(corrupt.Names(), ", "))
	}
	var list []corrupt.Setting
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
			if !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list, nil
}

// severities splits "fog:1,3" into the name and its severities; without any they are those of --severity, or all.
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

func newCorruptReport(m suite.Manifest) corruptReport {
	report := corruptReport{Suite: m.Name, Hash: m.Hash, Images: m.Images, Suites: []corruptedSuite{}, Folders: []corruptedFolder{}}
	if m.Shape != [3]int{} {
		report.Scaled = corrupt.Scaled(m.Shape[0], m.Shape[1], m.Shape[2])
	}
	return report
}

func (r corruptReport) rows() [][]string {
	rows := [][]string{{"suite", "hash", "corruption"}}
	for _, d := range r.Suites {
		rows = append(rows, []string{d.Name, d.Hash, d.Corruption})
	}
	if len(r.Folders) > 0 {
		rows = [][]string{{"folder", "images", "corruption"}}
	}
	for _, f := range r.Folders {
		images := strconv.Itoa(f.Images)
		if f.There {
			images += " (there already)"
		}
		rows = append(rows, []string{f.Folder, images, f.Corruption})
	}
	if r.Scaled != "" {
		rows = append(rows, []string{r.Scaled})
	}
	return rows
}
