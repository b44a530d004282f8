package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

type matrixCommand struct {
	Source        string   `arg:"" help:"Workspace, model (.onnx, with --suite PATH), or exported matrices (.npz, .npy)."`
	Model         []string `help:"Models of the workspace, by id (default: all with signals)." placeholder:"ID"`
	Suite         string   `help:"Suite: by name or hash in a workspace, by path for a model."`
	Family        string   `help:"Family, such as rotation:-15:15:1."`
	Interpolation string   `help:"nearest, bilinear or bicubic; the same as ;interpolation=... in the family." enum:",nearest,bilinear,bicubic" default:""`
	Modality      []string `name:"modalities" aliases:"modality" help:"Modalities, such as max@CONF (default: the five of ${ml4ml})." placeholder:"M"`
	Images        string   `help:"all, correct or wrong." enum:"all,correct,wrong" default:"all"`
	Class         int      `help:"Only images of this class (its number in the suite); -1 for all." default:"-1" min:"-1"`
	Share         float64  `help:"Share of the suite, drawn once from --seed." default:"1" above:"0" max:"1"`
	Seed          uint64   `help:"Seed of the share." default:"1"`
	Exclude       []int    `help:"Images to leave out, by number." placeholder:"N" min:"0"`
	Interval      float64  `help:"Only values of V within this distance of the identity (default: all)." min:"0"`
	SkipCorrupt   bool     `help:"For a model: leave corrupt images of the suite out and count them."`
	ClassMap      string   `name:"classes" help:"For a model: table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Format        []string `help:"Files to write: npz, npy, csv, png, svg, pdf." default:"npz,png" enum:"npz,npy,csv,png,svg,pdf"`
	Out           string   `help:"Folder for the files; without it a table is printed." type:"path"`
}

// matrixRow is one matrix as the table and --json show it, or a model that is left out: Modality
// is empty then, and Absent says why.
type matrixRow struct {
	Model    string    `json:"model"`
	Modality string    `json:"modality"`
	Images   int       `json:"images"`
	Skipped  int       `json:"skipped_images"`
	Max      *float64  `json:"max"`
	MeanAll  *float64  `json:"mean_all"` // over all N x N elements; the feature mean leaves out the diagonal and one half
	Absent   string    `json:"absent,omitempty"`
	Values   []float64 `json:"V,omitempty"`
	// Matrix has null where an element has no value, as those of interpolated matrices may.
	Matrix [][]*float64 `json:"matrix,omitempty"`
}

func (c *matrixCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	shelf, err := c.shelf(s)
	if err != nil {
		return err
	}
	if c.Out != "" {
		files, err := shelf.write(c.Out, c.Format)
		if err != nil {
			return err
		}
		if !s.common.JSON {
			s.say("%d files in %s", len(files), c.Out)
		}
	}
	rows := shelf.rows(s.common.JSON)
	table := [][]string{{"model", "modality", "images", "largest", "mean of all elements", ""}}
	for _, r := range rows {
		table = append(table, []string{r.Model, orDash(r.Modality), fmt.Sprint(r.Images), number(r.Max), number(r.MeanAll), r.Absent})
	}
	return s.print(rows, table)
}

// shelf computes or reads the matrices that the source names.
func (c *matrixCommand) shelf(s *session) (*shelf, error) {
	switch strings.ToLower(filepath.Ext(filepath.Clean(c.Source))) {
	case ".npz", ".npy":
		return c.ofFile()
	case ".onnx":
		return c.ofModel(s)
	}
	if c.SkipCorrupt || c.ClassMap != "" {
		return nil, usageError("--skip-corrupt and --classes go with a model; a workspace has its suites read and its classes matched already")
	}
	ws, err := s.open(c.Source)
	if err != nil {
		return nil, err
	}
	manifest, family, err := suiteAndFamily(ws, c.Suite, c.Family)
	if err != nil {
		return nil, err
	}
	if family, err = family.With(transform.Interpolation(c.Interpolation), ""); err != nil {
		return nil, err
	}
	return c.ofWorkspace(s.ctx, ws, manifest, family)
}

func (c *matrixCommand) ofWorkspace(ctx context.Context, ws *store.Workspace, manifest suite.Manifest, family transform.Family) (*shelf, error) {
	chosen, err := hashes(ws, c.Model)
	if err != nil {
		return nil, err
	}
	if chosen == nil {
		if chosen, err = ready(ws, manifest.Hash, family.String()); err != nil {
			return nil, err
		}
	}
	images := c.choice()
	out := newShelf(family, manifest.Name, images)
	if len(c.Model) == 0 {
		models, err := ws.Models()
		if err != nil {
			return nil, err
		}
		for _, m := range models {
			if !slices.Contains(chosen, m.Hash) {
				out.left = append(out.left, matrixRow{Model: m.ID, Absent: "left out: " + store.ErrNoSignals.Error()})
			}
		}
	}
	steps := out.steps(c.Interval)
	for _, hash := range chosen {
		m, err := ws.Model(hash)
		if err != nil {
			return nil, err
		}
		answer, err := ws.Matrices(ctx, store.Question{
			Model: m, Suite: manifest.Hash, Family: family.String(), Modalities: modalityNames(c.Modality), Images: images,
		})
		switch {
		case errors.Is(err, variance.ErrNoImages):
			answer.Absent = map[string]string{}
			for _, name := range modalityNames(c.Modality) {
				answer.Absent[name] = "no images left"
			}
		case err != nil:
			return nil, err
		}
		for _, name := range modalityNames(c.Modality) {
			out.add(m.ID, name, answer, steps)
		}
	}
	return out, nil
}

func (c *matrixCommand) choice() variance.Images {
	images := variance.Images{Class: c.Class, Share: c.Share, Seed: c.Seed, Excluded: c.Exclude}
	for _, which := range []variance.Which{variance.All, variance.Correct, variance.Wrong} {
		if which.String() == c.Images {
			images.Which = which
		}
	}
	return images
}

// ofFile reads exported matrices, of which models, modalities and the middle can be taken. Which
// images they rest on is settled.
func (c *matrixCommand) ofFile() (*shelf, error) {
	if c.Suite+c.Family+c.Interpolation+c.ClassMap != "" || c.SkipCorrupt || !c.everyImage() {
		return nil, usageError("exported matrices are made already: of the flags that choose what is computed, only --model, --modalities and --interval go with them")
	}
	all, err := readShelf(c.Source)
	if err != nil {
		return nil, err
	}
	some, err := all.take(c.Model, c.Modality, c.Interval)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Source, err)
	}
	return some, nil
}

// everyImage tells that no flag chooses images.
func (c *matrixCommand) everyImage() bool {
	return c.Images == "all" && c.Class == -1 && c.Share == 1 && c.Seed == 1 && len(c.Exclude) == 0
}

// ofModel runs a model that is in no workspace.
func (c *matrixCommand) ofModel(s *session) (made *shelf, err error) {
	if len(c.Model) > 0 {
		return nil, usageError("--model names models of a workspace, and " + c.Source + " is one model")
	}
	if c.Suite == "" || c.Family == "" {
		return nil, usageError("a model needs --suite PATH and --family, such as rotation:-15:15:1")
	}
	family, err := transform.Parse(c.Family)
	if err != nil {
		return nil, err
	}
	if family, err = family.With(transform.Interpolation(c.Interpolation), ""); err != nil {
		return nil, err
	}
	t := trial{c.Source, c.Suite, family, modalityNames(c.Modality), c.SkipCorrupt, c.ClassMap}
	err = s.try(t, func(in tried) error {
		made, err = c.ofWorkspace(s.ctx, in.ws, in.suite, family)
		return err
	})
	return made, err
}

// steps is how many values to either side of the identity lie within the interval; all of them for
// 0.
func (s *shelf) steps(interval float64) int {
	middle := (len(s.axis.Values) - 1) / 2
	if interval <= 0 {
		return middle
	}
	steps := 0
	for i := 1; i <= middle; i++ {
		if math.Abs(s.axis.Values[middle+i]-s.axis.Values[middle]) <= interval*(1+1e-12) {
			steps = i
		}
	}
	return max(1, steps)
}
