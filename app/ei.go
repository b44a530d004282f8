package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/study"
)

type eiCommand struct {
	Source      string   `arg:"" help:"Workspace, or a model (.onnx, with --suite PATH)."`
	Suite       []string `sep:"none" help:"Suites: by name or hash in a workspace (default: all with signals), one by path for a model."`
	Family      []string `help:"Transformation sets and families (default: rot90 and grayscale, as far as they are there)." placeholder:"F"`
	Models      []string `aliases:"model" help:"Models of the workspace, by id (default: all)." placeholder:"ID"`
	Each        bool     `help:"A row per transformation."`
	Study       string   `help:"Study this score against accuracy: ei, ei_product, js, l2, kl, consistent, correct_product, correct_mean, consistency_product or consistency_mean." placeholder:"SCORE"`
	Over        string   `help:"Points of a study: models (one study per suite and family) or suites (one per model and family)." enum:",models,suites" default:""`
	Column      string   `help:"Column of the training records whose values colour the points of a study."`
	Unscaled    bool     `help:"Study accuracies as they are, in place of their logits."`
	Predict     bool     `help:"Predict accuracies of suites without labels from those with labels, by a study over suites."`
	Resamples   int      `help:"Resamples of a study's band." default:"1000" min:"1" max:"100000"`
	Seed        uint64   `help:"Seed of the resamples." default:"1"`
	Images      bool     `help:"Also write the values of every image; needs --out."`
	SkipCorrupt bool     `help:"For a model: leave corrupt images of the suite out and count them."`
	Classes     string   `help:"For a model: table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Out         string   `help:"Folder for tables and figures." type:"path"`
}

func (c *eiCommand) Run(s *session) error {
	c.complete()
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if strings.EqualFold(suffixOf(c.Source), ".onnx") {
		return c.ofModel(s)
	}
	if c.SkipCorrupt || c.Classes != "" {
		return usageError("--skip-corrupt and --classes go with a model; a workspace has its suites read and its classes matched already")
	}
	ws, err := s.open(c.Source)
	if err != nil {
		return err
	}
	ask, err := c.ask(ws)
	if err != nil {
		return err
	}
	return c.measure(s, ws, ask)
}

// Check refuses options that do not go together.
func (c *eiCommand) Check() error {
	switch {
	case c.Predict && c.Over == "models":
		return option.Errorf("{predict} goes from suite to suite; leave {over} models out")
	case c.Study != "" && !slices.Contains(invariance.Scores(), invariance.Score(c.Study)):
		return option.Errorf("unknown score %q; known are %s", c.Study, listed(invariance.Scores()))
	case c.Study == "" && !c.Predict && (c.Over != "" || c.Column != "" || c.Unscaled):
		return option.Errorf("{over}, {column} and {unscaled} go with {study} SCORE")
	case c.Images && c.Out == "":
		return option.Errorf("{images} writes a table; say where with {out}")
	}
	return nil
}

// complete fills in what follows from other options.
func (c *eiCommand) complete() {
	switch {
	case c.Predict:
		c.Study, c.Over = cmp.Or(c.Study, string(invariance.ScoreEI)), "suites"
	case c.Study != "":
		c.Over = cmp.Or(c.Over, "models")
	}
}

func listed(scores []invariance.Score) string {
	words := make([]string, len(scores))
	for i, score := range scores {
		words[i] = string(score)
	}
	return strings.Join(words, ", ")
}

// ask is what the flags name of a workspace.
func (c *eiCommand) ask(ws *store.Workspace) (study.Ask, error) {
	var ask study.Ask
	var err error
	if ask.Models, err = hashes(ws, c.Models); err != nil {
		return ask, err
	}
	for _, name := range c.Suite {
		manifest, err := findSuite(ws, name)
		if err != nil {
			return ask, err
		}
		ask.Suites = append(ask.Suites, manifest.Hash)
	}
	models, err := ws.Models()
	if err != nil {
		return ask, err
	}
	if len(models) == 0 {
		return ask, fmt.Errorf("%s has no models; import some: variscope import %s PATH", ws.Path(), ws.Path())
	}
	if err := c.knowsColumn(models); err != nil {
		return ask, err
	}
	if c.Over == "suites" && len(c.Models) == 0 && len(models) > 1 {
		return ask, usageError("a study over suites is of one model; name it with --models (or several, for one study each)")
	}
	ask.Families, err = c.families(ws)
	return ask, err
}

// knowsColumn refuses a column that no model has.
func (c *eiCommand) knowsColumn(models []model.Model) error {
	var names []string
	for _, m := range models {
		for _, f := range m.Record {
			if f.Name == c.Column && f.Value != "" {
				return nil
			}
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	switch {
	case c.Column == "":
		return nil
	case len(names) == 0:
		return fmt.Errorf("no model has a column %s: their training records are empty", c.Column)
	}
	slices.Sort(names)
	return fmt.Errorf("no model has a column %s; there are %s", c.Column, strings.Join(names, ", "))
}

// families are those that are named, or the usual sets that have signals.
func (c *eiCommand) families(ws *store.Workspace) ([]string, error) {
	if len(c.Family) > 0 {
		return canonical(c.Family)
	}
	_, there, err := study.Available(ws)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, name := range usualSets() {
		if slices.Contains(there, name) {
			texts = append(texts, name)
		}
	}
	switch {
	case len(texts) > 0:
		return texts, nil
	case len(there) > 0:
		return nil, fmt.Errorf("no model of %s has signals under %s; name a family that has some with --family: %s",
			ws.Path(), strings.Join(usualSets(), " or "), strings.Join(there, ", "))
	}
	return nil, fmt.Errorf("no model of %s has signals; compute them first: variscope run %s --family %s", ws.Path(), ws.Path(), transform.Rot90)
}

// usualSets are the sets of the paper.
func usualSets() []string { return []string{transform.Rot90, transform.Grayscale} }

// canonical parses families and sets.
func canonical(texts []string) ([]string, error) {
	var list []string
	for _, text := range texts {
		f, err := transform.ParseAny(text)
		if err != nil {
			return nil, err
		}
		if err := invariance.Unsuited(f); err != nil {
			return nil, err
		}
		if !slices.Contains(list, f.String()) {
			list = append(list, f.String())
		}
	}
	return list, nil
}

// measure measures, writes and prints.
func (c *eiCommand) measure(s *session, ws *store.Workspace, ask study.Ask) error {
	bar := newBar(s.stderr, "invariance")
	measured, left, err := study.Measure(s.ctx, ws, ask, bar)
	bar.done()
	if err != nil {
		return err
	}
	if len(measured) == 0 {
		return fmt.Errorf("no model of %s can be measured: %s", c.Source, strings.Join(leftOutLines(ws, left), "; "))
	}
	report := eiReport{Rows: eiRows(measured), LeftOut: eiLeftOut(ws, left), lines: leftOutLines(ws, left)}
	if c.Study != "" {
		if report.Studies, err = c.studies(s.ctx, measured); err != nil {
			return err
		}
	}
	if c.Out != "" {
		if err := c.write(s, ws, measured, report); err != nil {
			return err
		}
	}
	return s.print(report, report.table(c.Each))
}

// ofModel runs a model that is in no workspace.
func (c *eiCommand) ofModel(s *session) error {
	switch {
	case len(c.Suite) != 1:
		return usageError("a model needs one --suite PATH")
	case c.Study != "":
		return usageError("a study needs several models or suites; import them into a workspace")
	case len(c.Models) > 0:
		return usageError("--models goes with a workspace")
	}
	families, err := canonical(c.Family)
	if err != nil {
		return err
	}
	if families == nil {
		families = usualSets()
	}
	t := trial{Model: c.Source, Suite: c.Suite[0], SkipCorrupt: c.SkipCorrupt, Classes: c.Classes}
	return s.lay(t, func(in tried) error {
		for _, text := range families {
			if t.Family, err = transform.ParseAny(text); err != nil {
				return err
			}
			if unfit(in, t.Family) != nil {
				continue // it is listed as left out
			}
			if err := s.runTrial(t, in); err != nil {
				return err
			}
		}
		return c.measure(s, in.ws, study.Ask{Suites: []string{in.suite.Hash}, Families: families})
	})
}

// unfit says why a trial's images cannot be put under a family; nil where they can or where it is not known yet.
func unfit(in tried, f transform.Family) error {
	size := sizeOf(in.model.Graph.Input.Channels, in.model.Graph.Input.Height, in.model.Graph.Input.Width, in.suite)
	if size[0] == 0 || size[1] == 0 || size[2] == 0 {
		return nil
	}
	return f.Fits(size[0], size[1], size[2])
}

// sizeOf is the input size in use: the suite's where the model's is dynamic; zeros where neither says.
func sizeOf(channels, height, width int, s suite.Manifest) [3]int {
	size := [3]int{channels, height, width}
	for i := range size {
		if size[i] <= 0 {
			size[i] = s.Shape[i]
		}
	}
	return size
}
