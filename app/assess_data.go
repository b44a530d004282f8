package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/training"
)

// asked is what an assess command works on: its source, and the options about it.
type asked struct {
	Source string // workspace, or a table of features
	assess.DataOptions
	opened *store.Workspace // nil before it is opened
}

// want says what is measured and how models are marked.
type want struct {
	layout         feature.Layout
	chosen         bool   // the matrices of the layout were asked for; otherwise a table's own count
	images, family string // canonical texts; the family counts where no flag names another one
	holdout, group string // as in assess.SchemeOptions
}

// newWant is what new assessors learn from; scenes for interpolated matrices.
func newWant(f assess.FeatureOptions, split assess.SchemeOptions, scenes bool) (want, error) {
	layout, err := f.Layout(scenes)
	if err != nil {
		return want{}, err
	}
	images, err := variance.ParseImages(f.Images)
	if err != nil {
		return want{}, usageError(err.Error())
	}
	return want{
		layout: layout, chosen: len(f.Modalities) > 0, images: images.String(), holdout: split.Holdout, group: split.Group,
	}, nil
}

// repository is what an assess command works on.
type repository struct {
	data   assess.Data
	left   []assess.LeftOut
	ws     *store.Workspace // nil for a table
	family string           // canonical; empty for a table without --family
	images string
	scenes string // hash of the selection whose interpolated matrices are measured; empty for variance matrices
	suite  saved.Suite
	labels saved.Labels
}

// source is what the models were measured on and where their labels come from.
func (r repository) source() saved.Source {
	return saved.Source{
		Suite: r.suite, Family: r.family, Images: r.images, Layout: r.data.Layout, Labels: r.labels,
		Models: len(r.data.Labelled()),
	}
}

// whole is what studies take parts of, in words.
func (r repository) whole() string {
	if r.scenes != "" {
		return "targets"
	}
	return "suite"
}

// gather measures the models of a workspace, or reads an exported table, and joins the labels.
// Rows without label stay in the data.
func (a asked) gather(s *session, w want) (r repository, err error) {
	a.Family = cmp.Or(a.Family, w.family)
	if isWorkspace(a.Source) {
		a.Borderline = a.BorderlineOf(w.layout)
	}
	from, err := a.from(w)
	if err != nil {
		return r, err
	}
	r.images = w.images
	r.labels = saved.Labels{Source: "column final of " + filepath.Base(a.Source), Borderline: a.Borderline}
	switch {
	case a.Column != "":
		r.labels.Source = "column " + a.Column
	case from.File != "":
		r.labels.Source = "file " + filepath.Base(a.Labels)
	case a.Labels != "":
		r.labels.Source = "round " + a.Labels
	case isWorkspace(a.Source):
		r.labels.Source = ""
	}
	gather := a.read
	if isWorkspace(a.Source) {
		gather = a.measure
	}
	if err := gather(s, &r, w, from); err != nil {
		return r, a.ownTable(err)
	}
	r.labels.Borderline, r.labels.Counts = a.BorderlineOf(r.data.Layout), saved.CountLabels(r.data)
	if unknown := training.Unknown(r.ws, r.data, r.left); len(unknown) > 0 && !a.SkipUnknown {
		return r, fmt.Errorf("%s has labels of models that are not in %s: %s; bring those models, take them out of "+
			"the labels, or pass over them with --skip-unknown", r.labels.Source, a.Source, result.Some(unknown))
	}
	return r, nil
}

// learn gathers data that has labels.
func (a asked) learn(s *session, w want) (repository, error) {
	r, err := a.gather(s, w)
	if err == nil && a.Labels == "" && a.Column == "" && len(r.data.Labelled()) == 0 {
		err = fmt.Errorf("column final of %s is empty; say where the labels come from: --labels FILE, "+
			"or --records models.csv and --column NAME", a.Source)
	}
	return r, err
}

// from are the labels that the flags name, but for a round, which a workspace must resolve: what
// --labels names is a file where there is one of this name, or one could be.
func (a asked) from(w want) (from training.Labels, err error) {
	from = training.Labels{
		Column: a.Column, Ties: a.Ties, Borderline: training.Borderline(a.Borderline), Group: w.group, Researcher: true,
	}
	if from.HoldoutColumn, from.HoldoutValue, err = (assess.SchemeOptions{Holdout: w.holdout}).HeldOut(); err != nil {
		return from, usageError(err.Error())
	}
	if info, err := os.Stat(a.Labels); err == nil && !info.IsDir() || strings.EqualFold(filepath.Ext(a.Labels), ".csv") {
		from.File = a.Labels
	}
	return from, nil
}

// measure fills the repository from a workspace.
func (a asked) measure(s *session, r *repository, w want, from training.Labels) (err error) {
	if a.Records != "" {
		return usageError("--records goes with an exported table; a workspace has the records of its models")
	}
	if r.ws = a.opened; r.ws == nil {
		if r.ws, err = s.read(a.Source); err != nil {
			return err
		}
	}
	var on suite.Manifest
	var family transform.Family
	if w.layout.OfBackground() {
		on, family, err = a.scenes(r)
	} else {
		on, family, err = suiteAndFamily(r.ws, a.Suite, a.Family)
	}
	if err != nil {
		return err
	}
	r.family, r.suite = family.String(), saved.Suite{Name: on.Name, Hash: on.Hash, Images: on.Images}
	if a.Labels != "" && from.File == "" {
		round, err := findRound(r.ws, a.Labels)
		if err != nil {
			return err
		}
		s.warnSecret(round)
		from.Round, r.labels.Round, r.labels.Source = round.ID, round.ID, "round "+round.Name
	}
	images, err := variance.ParseImages(r.images)
	if err != nil {
		return err
	}
	ask := training.Ask{Suite: on.Hash, Family: r.family, Selection: r.scenes, Layout: w.layout, Images: images}
	measured, left, err := training.Measure(s.ctx, r.ws, ask, nil, s.bar("features"))
	if err != nil {
		return err
	}
	if len(measured) == 0 {
		return errors.Join(fmt.Errorf("no model of %s has features for suite %s and family %s", r.ws.Path(), on.Name,
			r.family), leftError(left))
	}
	var unlabelled []assess.LeftOut
	r.data, unlabelled, err = training.Label(r.ws, measured, w.layout, from)
	r.left = append(left, unlabelled...)
	return err
}

// scenes finds the selection whose interpolated matrices are measured: that of --selection, else
// the one that the assessor was trained on.
func (a asked) scenes(r *repository) (on suite.Manifest, family transform.Family, err error) {
	if a.Suite != "" {
		return on, family, usageError("--suite goes with variance matrices; a selection of testing scenes has its own " +
			"targets")
	}
	name := a.Selection
	if name == "" {
		if family, err = transform.ParseAny(a.Family); err != nil {
			return on, family, err
		}
		hash, _, ok := family.Scened()
		if !ok {
			return on, family, usageError("interpolated matrices are of a selection of testing scenes; name one with " +
				"--selection")
		}
		name = hash
	}
	record, err := findSelection(r.ws, name)
	if err != nil {
		return on, family, err
	}
	r.scenes = record.Hash
	if family, err = transform.Scenes(record.Hash, record.N); err == nil {
		on, err = r.ws.Suite(record.Targets)
	}
	return on, family, err
}

// read fills the repository from an exported table.
func (a asked) read(_ *session, r *repository, w want, from training.Labels) (err error) {
	info, err := os.Stat(a.Source)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder, and neither a workspace (NAME.variscope) nor a table of features", a.Source)
	case a.Suite != "":
		return usageError("--suite goes with a workspace; an exported table has its features already")
	case a.Selection != "":
		return usageError("--selection goes with a workspace; an exported table has its features already")
	case a.Labels != "" && from.File == "":
		return fmt.Errorf("labels %s: there is no such file, and rounds are those of a workspace", a.Labels)
	}
	if a.Family != "" {
		family, err := transform.Parse(a.Family)
		if err != nil {
			return err
		}
		r.family = family.String()
	}
	if r.data, r.left, err = training.FromFile(a.Source, a.Records, from); err != nil {
		return err
	}
	wanted, hint := r.data.Layout, "name the matrices that it has with --modalities"
	if w.chosen {
		wanted, hint = w.layout, "the matrices "+strings.Join(w.layout.Modalities, ", ")+" are needed"
	}
	kept, missing := r.data.Matrices(wanted)
	if missing != "" {
		return fmt.Errorf("%s has no column %s; %s", a.Source, missing, hint)
	}
	r.data = kept
	return nil
}

// ownTable says how labels come in whose table is none that Variscope writes.
func (a asked) ownTable(err error) error {
	var table *export.TableError
	if errors.As(err, &table) && table.Line == 1 && table.File == filepath.Base(a.Labels) {
		return fmt.Errorf("%w; a table of your own with a column of labels is a table of records: "+
			"variscope import WORKSPACE TABLE.csv, then --column NAME", err)
	}
	return err
}

// needLabels refuses data of which nothing can be learned.
func (a asked) needLabels() error {
	if a.Labels == "" && a.Column == "" && isWorkspace(a.Source) {
		return usageError("say where the labels come from: --labels FILE|ROUND or --column NAME")
	}
	return nil
}

// leftError is the reasons why models were left out, nil without any.
func leftError(left []assess.LeftOut) error { return joined(assess.Lines(left)) }
