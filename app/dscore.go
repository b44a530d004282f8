package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
)

type dscoreCommand struct {
	Source         string   `arg:"" help:"Workspace, or a model (.onnx, with --suite PATH)."`
	Suite          []string `sep:"none" help:"Suites with labels: by name or hash in a workspace (default: the current one), one by path for a model."`
	Models         []string `aliases:"model" help:"Models of the workspace, by id (default: all)." placeholder:"ID"`
	N              []int    `name:"n" help:"Regions a side; several for a score each." default:"3" min:"1" max:"16"`
	T              []int    `name:"t" help:"An image's side has t units; shifting moves it by units, so that a small t is a large shift. Several for a score each." default:"5" min:"1" max:"1000"`
	Layers         []string `help:"Convolutions whose maps lose the region: auto (all with maps of at least n x n), all (as in the D-Score paper), or numbers from 1." default:"auto" placeholder:"K"`
	AfterBatchnorm bool     `help:"Delete behind a batch-norm that follows a convolution directly."`
	PerLayer       bool     `help:"Also what deleting a region of one convolution alone costs."`
	Tolerance      float64  `help:"With --per-layer: loss of accuracy that counts as nothing, as a share." default:"0.01" min:"0" max:"1"`
	Samples        int      `help:"Bootstrap samples of the intervals; 0 for no intervals." default:"1000" min:"0" max:"100000"`
	Seed           uint64   `help:"Seed of the samples, and of --augment." default:"1"`
	Augment        string   `help:"Also write a training set (--train) that is augmented as the score recommends to this folder." type:"path" placeholder:"DIR"`
	Train          string   `help:"Training set for --augment: a path, or a suite of the workspace."`
	Format         string   `help:"Of --augment: folder (PNG files in class folders) or idx (gray images of one size)." enum:"folder,idx" default:"folder"`
	Workers        int      `help:"Goroutines (default: one per processor)." min:"0"`
	SkipCorrupt    bool     `help:"For a model: leave corrupt images of the suite out and count them."`
	Classes        string   `help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Out            string   `help:"Folder for dscore.json, tables, recipes and pictures." type:"path"`
	Pictures       bool     `help:"Draw pictures of the distributions into --out." default:"true" negatable:""`

	chosen transform.Masks // of --layers; without n
}

func (c *dscoreCommand) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	if strings.EqualFold(suffixOf(c.Source), ".onnx") {
		return c.ofModel(s)
	}
	if c.SkipCorrupt {
		return usageError("--skip-corrupt goes with a model; a workspace has its suites read already")
	}
	ws, err := s.open(c.Source)
	if err != nil {
		return err
	}
	w := &dscoreWork{dscoreCommand: c, s: s, ws: ws, path: c.Source}
	if err := w.choose(); err != nil {
		return err
	}
	return w.do()
}

// check refuses what cannot be meant, before any work is done.
func (c *dscoreCommand) check() error {
	switch {
	case (c.Augment == "") != (c.Train == ""):
		return usageError("--augment DIR and --train SUITE go together: where to write, and what to augment")
	case c.Augment != "" && len(c.N)*len(c.T) > 1:
		return usageError("--augment follows one score; give one --n and one --t")
	}
	if err := c.chooseLayers(); err != nil {
		return err
	}
	c.N, c.T = ascending(c.N), ascending(c.T)
	if err := needFolder(c.Augment); err != nil {
		return usageError(strings.Replace(err.Error(), "--out", "--augment", 1))
	}
	return needFolder(c.Out)
}

// chooseLayers reads --layers.
func (c *dscoreCommand) chooseLayers() error {
	switch {
	case slices.Equal(c.Layers, []string{transform.AutoLayers}):
		c.chosen.Auto = true
		return nil
	case slices.Equal(c.Layers, []string{transform.AllLayers}):
		return nil
	}
	for _, text := range c.Layers {
		k, err := strconv.Atoi(text)
		if err != nil {
			return usageError(fmt.Sprintf("--layers %s: give %s, %s, or numbers of convolutions", text, transform.AutoLayers, transform.AllLayers))
		}
		if k < 1 {
			return fmt.Errorf("--layers %d: convolutions count from 1", k)
		}
		c.chosen.Layers = append(c.chosen.Layers, k)
	}
	c.chosen.Layers = ascending(c.chosen.Layers)
	return nil
}

// ascending are the numbers in order, each once.
func ascending(list []int) []int {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// masks are what is deleted with n regions a side; layers overrides those of the flags.
func (c *dscoreCommand) masks(n int, layers ...int) transform.Masks {
	masks := transform.Masks{N: n, Layers: layers, AfterBatchNorm: c.AfterBatchnorm}
	if layers == nil {
		masks.Layers, masks.Auto = c.chosen.Layers, c.chosen.Auto
	}
	return masks
}

// grids are all combinations of n and t, by n, then t.
func (c *dscoreCommand) grids() ([]diagnosis.Grid, error) {
	var list []diagnosis.Grid
	for _, n := range c.N {
		mask, err := transform.Mask(c.masks(n))
		if err != nil {
			return nil, err
		}
		for _, t := range c.T {
			shift, err := transform.Shift(n, t)
			if err != nil {
				return nil, err
			}
			list = append(list, diagnosis.Grid{N: n, T: t, Mask: mask.String(), Shift: shift.String()})
		}
	}
	return list, nil
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
	t := trial{Model: c.Source, Suite: c.Suite[0], SkipCorrupt: c.SkipCorrupt, Classes: c.Classes}
	return s.lay(t, func(in tried) error {
		w := &dscoreWork{dscoreCommand: c, s: s, ws: in.ws, path: c.Source, models: []model.Model{in.model}}
		if err := w.addSuite(in.suite); err != nil {
			return err
		}
		return w.do()
	})
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
	return w.chooseModels()
}

func (w *dscoreWork) chooseModels() error {
	all, err := w.ws.Models()
	switch {
	case err != nil:
		return err
	case len(all) == 0:
		return fmt.Errorf("%s has no models; import some: variscope import %s PATH", w.ws.Path(), w.ws.Path())
	case len(w.Models) == 0:
		w.models = all
		return nil
	}
	w.models, err = modelsNamed(w.ws, w.Models)
	return err
}

// addSuite takes a suite whose images have labels, each suite once.
func (w *dscoreWork) addSuite(m suite.Manifest) error {
	whole, err := w.ws.Suite(m.Hash)
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

// dscoreWork is one call of the command on a workspace, or on one that is thrown away afterwards.
type dscoreWork struct {
	*dscoreCommand
	s      *session
	ws     *store.Workspace
	path   string // of the workspace or model, as it was named
	models []model.Model
	suites []suite.Manifest
	edits  map[editKey]edited
	// reasons say why there are no signals: by model, suite and family.
	reasons map[[3]string]string
}
