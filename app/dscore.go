package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/lookup"
)

type dscoreCommand struct {
	Source string `arg:"" help:"Workspace, or a model (.onnx, with --suite PATH)."`
	dscore.Options
	augmented.Files
	Workers int `help:"Goroutines (default: one per processor)." min:"0"`
	fileOptions
	Out string `help:"Folder for dscore.json, tables, recipes and pictures." type:"path"`
	spreadsheetFlag
	Pictures bool `help:"Draw pictures of the distributions into --out." default:"true" negatable:""`
}

func (c *dscoreCommand) Run(s *session) error {
	c.N, c.T = dscore.Ascending(c.N), dscore.Ascending(c.T)
	if err := needFolder(c.Augment); err != nil {
		return usageError(strings.Replace(err.Error(), "--out", "--augment", 1))
	}
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if strings.EqualFold(suffixOf(c.Source), ".onnx") {
		return c.ofModel(s)
	}
	only := c.fileOptions
	only.ClassMap = "" // goes with a workspace, too: dscore runs what is missing
	if err := only.onlyFile(); err != nil {
		return err
	}
	ws, err := s.read(c.Source)
	if err != nil {
		return err
	}
	w := &dscoreWork{dscoreCommand: c, s: s, from: ws, ws: ws}
	if err := w.choose(); err != nil {
		return err
	}
	return w.do()
}

// Check says what does not go together besides what dscore.Options knows.
func (c *dscoreCommand) Check() error {
	switch {
	case (c.Augment == "") != (c.Train == ""):
		return option.Errorf("{augment} DIR and {train} SUITE go together: where to write, and what to augment")
	case c.Augment != "" && len(c.N)*len(c.T) > 1:
		return option.Errorf("{augment} follows one score; give one {n} and one {t}")
	}
	return nil
}

// ofModel measures a model that is in no workspace.
func (c *dscoreCommand) ofModel(s *session) error {
	switch {
	case len(c.Suite) != 1:
		return usageError("a model needs one --suite PATH")
	case len(c.Models) > 0:
		return usageError("--models goes with a workspace")
	}
	if _, err := os.Stat(c.Source); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("model %s: there is no such file", c.Source)
	}
	in, err := s.readModel(c.Source, c.Suite[0], c.fileOptions, signal.Want{})
	if err != nil {
		return err
	}
	in.say(s)
	w := &dscoreWork{dscoreCommand: c, s: s, from: in.Store, file: in, models: []model.Model{in.model}}
	if err := w.addSuite(in.suite); err != nil {
		return err
	}
	return w.do()
}

// choose finds the models and suites of a workspace that the flags name.
func (w *dscoreWork) choose() error {
	for _, name := range orCurrent(w.Suite) {
		manifest, err := suiteNamed(w.ws, name)
		if err != nil {
			return err
		}
		if err := w.addSuite(manifest); err != nil {
			return err
		}
	}
	var err error
	w.models, err = modelsOf(w.ws, w.Models)
	return err
}

// addSuite takes a suite whose images have labels, each suite once.
func (w *dscoreWork) addSuite(m suite.Manifest) error {
	whole, err := w.from.Suite(m.Hash)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(whole.Labels, func(label int) bool { return label >= 0 }) {
		return fmt.Errorf("suite %s has no labels, and a D-Score is made of accuracies", whole.Name)
	}
	if !slices.ContainsFunc(w.suites, func(other suite.Manifest) bool { return other.Hash == whole.Hash }) {
		w.suites = append(w.suites, whole)
	}
	return nil
}

// dscoreWork is one call of the command on a workspace or a model file.
type dscoreWork struct {
	*dscoreCommand
	s    *session
	from interface {
		lookup.Signals
		job.ModelStore
	}
	ws     *store.Workspace // nil for a model file
	file   *modelFile       // nil for a workspace
	models []model.Model
	suites []suite.Manifest
	edits  map[editKey]edited
	// reasons say why there are no signals: by model, suite and family.
	reasons map[[3]string]result.Reason
}
