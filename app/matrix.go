package app

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

type matrixCommand struct {
	Source string `arg:"" help:"Workspace, model (.onnx, with --suite PATH), or exported matrices (.npz, .npy)."`
	matrixOptions
	fileOptions
	Format []string `help:"Files to write: npz, npy, csv, png, svg, pdf." default:"npz,png" enum:"npz,npy,csv,png,svg,pdf"`
	Out    string   `help:"Folder for the files; without it a table is printed." type:"path"`
}

// matrixOptions say which matrices are asked for.
type matrixOptions struct {
	Models        []string `aliases:"model" help:"Models of the workspace, by id (default: all with signals)." placeholder:"ID"`
	Suite         string   `help:"Suite: by name or hash in a workspace, by path for a model."`
	Family        string   `help:"Family, such as rotation:-15:15:1."`
	Interpolation string   `help:"nearest, bilinear or bicubic; the same as ;interpolation=... in the family." enum:",nearest,bilinear,bicubic" default:""`
	Modality      []string `name:"modalities" aliases:"modality" help:"Modalities, such as max@CONF (default: the five of ${ml4ml})." placeholder:"M"`
	variance.Choice
	Interval float64 `help:"Only values of V within this distance of the identity (default: all)." min:"0"`
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
	doc := s.document("matrix", &c.matrixOptions, variance.Matrices.Sheet(shelf.items),
		variance.Elements(shelf.axis.Values).Sheet(variance.RowsOf(shelf.items)), assess.LeftOuts.Sheet(shelf.left))
	var notes []string
	for _, it := range shelf.items {
		if !it.Absent.None() {
			notes = append(notes, it.Model+", "+it.Modality+": "+it.Absent.Text)
		}
	}
	for _, l := range shelf.left {
		notes = append(notes, l.ID+": left out: "+l.Reason.Text)
	}
	return s.give(answer{Document: shelf.of.told(doc), lines: notes})
}

// shelf computes or reads the matrices that the source names.
func (c *matrixCommand) shelf(s *session) (*shelf, error) {
	switch strings.ToLower(filepath.Ext(filepath.Clean(c.Source))) {
	case ".npz", ".npy":
		return c.ofFile()
	case ".onnx":
		return c.ofModel(s)
	}
	if err := c.onlyFile(); err != nil {
		return nil, err
	}
	ws, err := s.read(c.Source)
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

func (c *matrixCommand) ofWorkspace(
	ctx context.Context, ws *store.Workspace, manifest suite.Manifest, family transform.Family,
) (*shelf, error) {
	chosen, err := hashes(ws, c.Models)
	if err != nil {
		return nil, err
	}
	if chosen == nil {
		if chosen, err = ready(ws, manifest.Hash, family.String()); err != nil {
			return nil, err
		}
	}
	images := c.Chosen()
	out := newShelf(family, manifest.Name, images)
	if len(c.Models) == 0 {
		models, err := ws.Models()
		if err != nil {
			return nil, err
		}
		for _, m := range models {
			if !slices.Contains(chosen, m.Hash) {
				reason := result.Because(signal.NoSignals, "%s", store.ErrNoSignals.Error())
				out.left = append(out.left, assess.LeftOut{ID: m.ID, Hash: m.Hash, Reason: reason})
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
		if err := out.take(m.ID, modalityNames(c.Modality), answer, err, steps); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ofFile reads exported matrices, of which models, modalities and the middle can be taken. Which
// images they rest on is settled.
func (c *matrixCommand) ofFile() (*shelf, error) {
	if c.Suite+c.Family+c.Interpolation != "" || c.fileOptions.given() || !c.All() {
		return nil, usageError("exported matrices are made already: of the flags that choose what is computed, " +
			"only --models, --modalities and --interval go with them")
	}
	all, err := readShelf(c.Source)
	if err != nil {
		return nil, err
	}
	some, err := all.only(c.Models, c.Modality, c.Interval)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Source, err)
	}
	return some, nil
}

// ofModel runs a model that is in no workspace.
func (c *matrixCommand) ofModel(s *session) (*shelf, error) {
	if len(c.Models) > 0 {
		return nil, usageError("--models names models of a workspace, and " + c.Source + " is one model")
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
	names := modalityNames(c.Modality)
	modalities, err := signal.ParseModalities(names)
	if err != nil {
		return nil, err
	}
	in, err := s.readModel(c.Source, c.Suite, c.fileOptions, signal.Want{Modalities: modalities})
	if err != nil {
		return nil, err
	}
	in.say(s)
	if err := in.run(s, family, names); err != nil {
		return nil, err
	}
	set, info := in.Set(family.String())
	if set == nil {
		return nil, fmt.Errorf("model %s: %w", in.model.ID, store.ErrNoSignals)
	}
	q := store.Question{Model: in.model, Suite: in.suite.Hash, Family: family.String(), Modalities: names, Images: c.Chosen()}
	made := newShelf(family, in.suite.Name, q.Images)
	made.of = in
	answer, err := q.Answer(s.ctx, set, lookup.Labels(in.suite), info.ClassMap)
	answer.Skipped = info.Skipped
	return made, made.take(in.model.ID, names, answer, err, made.steps(c.Interval))
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
