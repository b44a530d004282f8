package command

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
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/training"
)

// asked is what an assess command works on: its source, the options about it, what is measured and
// how models are marked.
type asked struct {
	Source string // workspace, or a table of features
	assess.DataOptions
	opened         *store.Workspace // nil before it is opened
	models         []string         // hashes; nil for all
	layout         feature.Layout
	chosen         bool   // the matrices of the layout were asked for; otherwise a table's own count
	images, family string // canonical texts; the family counts where no flag names another one
	holdout, group string // as in assess.SchemeOptions
}

// learning asks for what new assessors learn from.
func learning(
	source string, o assess.DataOptions, f assess.FeatureOptions, split assess.SchemeOptions,
) (a asked, err error) {
	a = asked{
		Source: source, DataOptions: o, chosen: len(f.Modalities) > 0, holdout: split.Holdout, group: split.Group,
	}
	if a.layout, err = f.Layout(o.Selection != ""); err != nil {
		return a, err
	}
	images, err := variance.ParseImages(f.Images)
	if err != nil {
		return a, usageError(err.Error())
	}
	a.images = images.String()
	return a, nil
}

// repository is what was gathered, what it was measured on, and where its labels come from.
type repository struct {
	training.Gathered
	saved.Source                  // its family is empty for a table without --family
	ws           *store.Workspace // nil for a table
	scenes       string           // hash of the selection whose interpolated matrices are measured; else empty
	labels       training.Labels
}

// whole is what studies take parts of, in words.
func (r repository) whole() string {
	if r.scenes != "" {
		return "targets"
	}
	return "suite"
}

// resampled asks for what was gathered on resamples of the images, which only signals of variance
// matrices have.
func (r repository) resampled() (ask training.Ask, err error) {
	if r.ws == nil || r.scenes != "" {
		return ask, usageError("--resamples draws images anew; it goes with the variance matrices of a workspace")
	}
	ask = training.Ask{Suite: r.Suite.Hash, Family: r.Family, Layout: r.Layout}
	ask.Images, err = variance.ParseImages(r.Images)
	return ask, err
}

// gather measures the models of a workspace, or reads an exported table, and joins the labels.
// Rows without label stay in the data.
func (a asked) gather(s *Session) (r repository, err error) {
	a.Family = cmp.Or(a.Family, a.family)
	inside := a.opened != nil || isWorkspace(a.Source)
	if inside {
		a.Borderline = a.BorderlineOf(a.layout)
	}
	r.labels = training.Labels{
		Column: a.Column, Ties: a.Ties, Borderline: training.Borderline(a.Borderline), Group: a.group, Researcher: true,
	}
	split := assess.SchemeOptions{Holdout: a.holdout}
	if r.labels.HoldoutColumn, r.labels.HoldoutValue, err = split.HeldOut(); err != nil {
		return r, usageError(err.Error())
	}
	r.Images, r.Labels.Source = a.images, "column final of "+filepath.Base(a.Source)
	switch {
	case a.Column != "":
		r.Labels.Source = "column " + a.Column
	case namesFile(a.Labels):
		r.labels.File, r.Labels.Source = a.Labels, "file "+filepath.Base(a.Labels)
	case a.Labels != "":
		r.Labels.Source = "round " + a.Labels
	case inside:
		r.Labels.Source = ""
	}
	gather := a.read
	if inside {
		gather = a.measure
	}
	err = gather(s, &r)
	r.Labels.Source = label.SourceOf(r.Labels.Source, r.Data.ByRule)
	var table *export.TableError
	if errors.As(err, &table) && table.Line == 1 && table.File == filepath.Base(a.Labels) {
		err = fmt.Errorf("%w; a table of your own with a column of labels is a table of records: "+
			"variscope import WORKSPACE TABLE.csv, then --column NAME", err)
	}
	if err != nil {
		return r, err
	}
	r.Layout, r.Models = r.Data.Layout, len(r.Data.Labelled())
	r.Labels.Borderline, r.Labels.Counts = a.BorderlineOf(r.Layout), saved.CountLabels(r.Data)
	if unknown := training.Unknown(r.ws, r.Data, r.Left); len(unknown) > 0 && !a.SkipUnknown {
		return r, fmt.Errorf("%s has labels of models that are not in %s: %s; bring those models, take them out of "+
			"the labels, or pass over them with --skip-unknown", r.Labels.Source, a.Source, result.Some(unknown))
	}
	return r, nil
}

// learn gathers data that has labels.
func (a asked) learn(s *Session) (repository, error) {
	r, err := a.gather(s)
	if err == nil && a.Labels == "" && a.Column == "" && r.Models == 0 {
		err = fmt.Errorf("column final of %s is empty; say where the labels come from: --labels FILE, "+
			"or --records models.csv and --column NAME", a.Source)
	}
	return r, err
}

// measure fills the repository from a workspace.
func (a asked) measure(s *Session, r *repository) (err error) {
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
	if a.layout.OfBackground() {
		on, family, err = a.ofScenes(r)
	} else {
		on, family, err = suiteAndFamily(r.ws, a.Suite, a.Family)
	}
	if err != nil {
		return err
	}
	r.Family, r.Suite = family.String(), saved.Suite{Name: on.Name, Hash: on.Hash, Images: on.Images}
	if a.Labels != "" && r.labels.File == "" {
		round, err := findRound(r.ws, a.Labels)
		if err != nil {
			return err
		}
		s.warnSecret(round)
		r.labels.Round, r.Labels.Round, r.Labels.Source = round.ID, round.ID, "round "+round.Name
	}
	images, err := variance.ParseImages(r.Images)
	if err != nil {
		return err
	}
	ask := training.Ask{
		Suite: on.Hash, Family: r.Family, Selection: r.scenes, Models: a.models, Layout: a.layout, Images: images,
	}
	r.Gathered, err = training.Gather(s.ctx, r.ws, ask, r.labels, nil, s.bar("features"))
	return err
}

// ofScenes finds the selection whose interpolated matrices are measured: that of --selection, else
// the one that the assessor was trained on.
func (a asked) ofScenes(r *repository) (on suite.Manifest, family transform.Family, err error) {
	if a.Suite != "" {
		return on, family,
			usageError("--suite goes with variance matrices; a selection of testing scenes has its own targets")
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
func (a asked) read(_ *Session, r *repository) error {
	info, err := os.Stat(a.Source)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder, and neither a workspace (NAME.variscope) nor a table of features", a.Source)
	case a.Suite != "":
		return usageError("--suite goes with a workspace; an exported table has its features already")
	case a.Selection != "":
		return usageError("--selection goes with a workspace; an exported table has its features already")
	case a.Labels != "" && r.labels.File == "":
		return fmt.Errorf("labels %s: there is no such file, and rounds are those of a workspace", a.Labels)
	}
	if a.Family != "" {
		family, err := transform.Parse(a.Family)
		if err != nil {
			return err
		}
		r.Family = family.String()
	}
	if r.Data, r.Left, err = training.FromFile(a.Source, a.Records, r.labels); err != nil {
		return err
	}
	wanted, hint := r.Data.Layout, "name the matrices that it has with --modalities"
	if a.chosen {
		wanted, hint = a.layout, "the matrices "+strings.Join(a.layout.Modalities, ", ")+" are needed"
	}
	kept, missing := r.Data.Matrices(wanted)
	if missing != "" {
		return fmt.Errorf("%s has no column %s; %s", a.Source, missing, hint)
	}
	r.Data = kept
	return nil
}

// needLabels refuses data of which nothing can be learned.
func (a asked) needLabels() error {
	if a.Labels == "" && a.Column == "" && isWorkspace(a.Source) {
		return usageError("say where the labels come from: --labels FILE|ROUND or --column NAME")
	}
	return nil
}
