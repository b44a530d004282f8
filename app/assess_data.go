package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/result"
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
	return saved.Source{Suite: r.suite, Family: r.family, Images: r.images, Layout: r.data.Layout, Labels: r.labels, Models: len(r.data.Labelled())}
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
func (a asked) gather(s *session, w want) (repository, error) {
	if a.Family == "" {
		a.Family = w.family
	}
	r := repository{images: w.images}
	if isWorkspace(a.Source) {
		a.Borderline = a.BorderlineOf(w.layout)
	}
	from, err := a.from(w)
	if err != nil {
		return r, err
	}
	r.labels = saved.Labels{Source: a.labelSource(), Borderline: a.Borderline}
	if isWorkspace(a.Source) {
		err = a.measure(s, &r, w.layout, from)
	} else {
		err = a.read(&r, w, from)
	}
	if err != nil {
		return r, err
	}
	r.labels.Borderline, r.labels.Counts = a.BorderlineOf(r.data.Layout), saved.CountLabels(r.data)
	if unknown := training.Unknown(r.ws, r.data, r.left); len(unknown) > 0 && !a.SkipUnknown {
		return r, fmt.Errorf("%s has labels of models that are not in %s: %s; bring those models, take them out of the labels, "+
			"or pass over them with --skip-unknown", r.labels.Source, a.Source, result.Some(unknown))
	}
	return r, nil
}

// from are the labels that the flags name, but for a round, which a workspace must resolve.
func (a asked) from(w want) (training.Labels, error) {
	from := training.Labels{
		Column: a.Column, Ties: a.Ties, Borderline: training.Borderline(a.Borderline), Group: w.group, Researcher: true,
	}
	var err error
	if from.HoldoutColumn, from.HoldoutValue, err = (assess.SchemeOptions{Holdout: w.holdout}).HeldOut(); err != nil {
		return from, usageError(err.Error())
	}
	if a.labelFile() {
		from.File = a.Labels
	}
	return from, nil
}

// labelFile tells a file of labels from the name of a round.
func (a asked) labelFile() bool {
	if a.Labels == "" {
		return false
	}
	info, err := os.Stat(a.Labels)
	return err == nil && !info.IsDir() || strings.EqualFold(filepath.Ext(a.Labels), ".csv")
}

// labelSource says in words where the labels come from.
func (a asked) labelSource() string {
	switch {
	case a.Column != "":
		return "column " + a.Column
	case a.labelFile():
		return "file " + filepath.Base(a.Labels)
	case a.Labels != "":
		return "round " + a.Labels
	case !isWorkspace(a.Source):
		return "column final of " + filepath.Base(a.Source)
	}
	return ""
}

// measure fills the repository from a workspace.
func (a asked) measure(s *session, r *repository, layout feature.Layout, from training.Labels) error {
	var err error
	if r.scenes, err = a.resolve(s, r, layout, &from); err != nil {
		return err
	}
	images, err := variance.ParseImages(r.images)
	if err != nil {
		return err
	}
	bar := newBar(s.stderr, "features")
	defer bar.done()
	ask := training.Ask{Suite: r.suite.Hash, Family: r.family, Selection: r.scenes, Layout: layout, Images: images}
	measured, left, err := training.Measure(s.ctx, r.ws, ask, nil, bar)
	if err != nil {
		return err
	}
	if len(measured) == 0 {
		return errors.Join(fmt.Errorf("no model of %s has features for suite %s and family %s", r.ws.Path(), r.suite.Name, r.family), leftError(left))
	}
	var unlabelled []assess.LeftOut
	r.data, unlabelled, err = training.Label(r.ws, measured, layout, from)
	r.left = append(left, unlabelled...)
	return a.ownTable(err)
}

// ownTable says how labels come in whose table is none that Variscope writes.
func (a asked) ownTable(err error) error {
	var table *export.TableError
	if errors.As(err, &table) && table.Line == 1 && a.labelFile() && table.File == filepath.Base(a.Labels) {
		return fmt.Errorf("%w; a table of your own with a column of labels is a table of records: variscope import WORKSPACE TABLE.csv, then --column NAME", err)
	}
	return err
}

// resolve finds workspace, suite, family and round that the flags name, and for interpolated
// matrices the selection of scenes.
func (a asked) resolve(s *session, r *repository, layout feature.Layout, from *training.Labels) (selection string, err error) {
	if a.Records != "" {
		return "", usageError("--records goes with an exported table; a workspace has the records of its models")
	}
	if r.ws, err = a.workspace(s); err != nil {
		return "", err
	}
	if layout.OfBackground() {
		selection, err = a.resolveScenes(r.ws, r)
	} else {
		err = a.resolveFamily(r.ws, r)
	}
	if err != nil || a.Labels == "" || from.File != "" {
		return selection, err
	}
	round, err := findRound(r.ws, a.Labels)
	if err != nil {
		return "", err
	}
	s.warnSecret(round)
	from.Round, r.labels.Round, r.labels.Source = round.ID, round.ID, "round "+round.Name
	return selection, nil
}

// resolveFamily finds the suite and family whose variance matrices are measured.
func (a asked) resolveFamily(ws *store.Workspace, r *repository) error {
	manifest, family, err := suiteAndFamily(ws, a.Suite, a.Family)
	if err != nil {
		return err
	}
	r.family, r.suite = family.String(), saved.Suite{Name: manifest.Name, Hash: manifest.Hash, Images: manifest.Images}
	return nil
}

// workspace is the source, opened once.
func (a asked) workspace(s *session) (*store.Workspace, error) {
	if a.opened != nil {
		return a.opened, nil
	}
	return s.read(a.Source)
}

// leftError is the reasons why models were left out, nil without any.
func leftError(left []assess.LeftOut) error {
	return joined(assess.Lines(left))
}

// read fills the repository from an exported table.
func (a asked) read(r *repository, w want, from training.Labels) (err error) {
	if info, err := os.Stat(a.Source); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, and neither a workspace (NAME.variscope) nor a table of features", a.Source)
	}
	if a.Suite != "" {
		return usageError("--suite goes with a workspace; an exported table has its features already")
	}
	if a.Selection != "" {
		return usageError("--selection goes with a workspace; an exported table has its features already")
	}
	if a.Labels != "" && from.File == "" {
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
		return a.ownTable(err)
	}
	wanted := r.data.Layout
	if w.chosen {
		wanted = w.layout
	}
	kept, missing := r.data.Matrices(wanted)
	if missing != "" {
		hint := "name the matrices that it has with --modalities"
		if w.chosen {
			hint = "the matrices " + strings.Join(wanted.Modalities, ", ") + " are needed"
		}
		return fmt.Errorf("%s has no column %s; %s", a.Source, missing, hint)
	}
	r.data = kept
	return nil
}

// needLabels refuses data of which nothing can be learned.
func (a asked) needLabels() error {
	if a.Labels == "" && a.Column == "" && isWorkspace(a.Source) {
		return usageError("say where the labels come from: --labels FILE|ROUND or --column NAME")
	}
	return nil
}

// refuseUnlabelled is an error when a table was to bring its own labels and has none.
func (a asked) refuseUnlabelled(r repository) error {
	if a.Labels != "" || a.Column != "" || len(r.data.Labelled()) > 0 {
		return nil
	}
	return fmt.Errorf("column final of %s is empty; say where the labels come from: --labels FILE, or --records models.csv and --column NAME", a.Source)
}
