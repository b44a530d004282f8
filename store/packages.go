package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/database"
)

// Package is the content of a round package: a round with all that labelling it needs (DESIGN.md
// section 6).
type Package struct {
	Desk     string // that wrote it
	Round    label.Round
	Suite    suite.Manifest
	Base     suite.Manifest // that Suite is made from; the zero manifest where Suite is not derived
	Models   []model.Model  // in the order of Round.Models
	Evidence []database.Evidence
	Names    map[string]string // of annotators, by id; those without are their own name
}

// Source is the suite whose files are the images of the package.
func (p Package) Source() suite.Manifest {
	if p.Suite.Derived != nil {
		return p.Base
	}
	return p.Suite
}

// PackageReport says what AddPackage did.
type PackageReport struct {
	Round   label.Round // as it is in the workspace now
	Created bool        // the round was not there
	Changed bool        // the round was there and got more models or another guideline
	Models  int         // models that were not there; they come without a file
}

// ErrNoFile means that a model came with a round package, without its file.
var ErrNoFile = errors.New("it came with a round package, without its file: import the model file to run it")

// HasFile tells whether the file of a model is in the workspace. A model from a round package has
// none until its file is imported.
func (w *Workspace) HasFile(hash string) bool {
	info, err := os.Stat(w.ModelPath(hash))
	return err == nil && info.Mode().IsRegular()
}

// AddPackage adds a round package, in one transaction: all of it, or after an error nothing. A
// round that is there already gains models and evidence, and the guideline when another desk wrote
// the package; what people labelled and whether it is closed stays. A package whose round differs
// in anything that is frozen is refused. Models that are there stay as they are; the suite does
// too.
func (w *Workspace) AddPackage(p Package) (PackageReport, error) {
	if err := p.check(); err != nil {
		return PackageReport{}, err
	}
	var report PackageReport
	named := false
	err := w.Update(func(tx *database.Tx) (err error) {
		report = PackageReport{}
		for _, m := range []suite.Manifest{p.Source(), p.Suite} {
			if needSuite(tx, m.Hash) == nil {
				continue
			}
			m.Root, m.Inside, m.Copied, m.Labels, m.Files = "", "", false, nil, nil
			if err := database.PutSuite(tx, m); err != nil {
				return err
			}
		}
		if report.Models, err = keepModels(tx, p.Models); err != nil {
			return err
		}
		for _, e := range p.Evidence {
			if err := database.PutEvidence(tx, e); err != nil {
				return err
			}
		}
		if err := w.keepRound(tx, p, &report); err != nil {
			return err
		}
		named, err = takeNames(tx, p)
		return err
	})
	if err != nil {
		return PackageReport{}, fmt.Errorf("round %q: %w", p.Round.Name, err)
	}
	if named {
		w.changes.tell(SettingChanged, settingAnnotators)
	}
	for _, m := range p.Models {
		w.changes.tell(ModelChanged, m.Hash)
		w.changes.tell(SignalsChanged, m.Hash)
	}
	w.changes.tell(SuiteChanged, p.Suite.Hash)
	w.changes.tell(RoundChanged, p.Round.ID)
	current, err := w.Current()
	if err != nil || current.Suite != "" || p.Round.Family == "" { // a background round has none
		return report, err
	}
	return report, w.SetCurrent(Current{Suite: p.Round.Suite, Family: p.Round.Family})
}

// check holds the parts of a package to each other.
func (p Package) check() error {
	r := p.Round
	if !database.IsULID(r.ID) {
		return fmt.Errorf("round %q: its id %.30q is no ULID; ask its desk to write the package anew", r.Name, r.ID)
	}
	whole := r
	whole.Modalities, whole.Interpolants, whole.Ranges = slices.Clone(r.Modalities), slices.Clone(r.Interpolants),
		maps.Clone(r.Ranges)
	if err := canonical(&whole); err != nil {
		return fmt.Errorf("round %q: %w", r.Name, err)
	}
	if err := errors.Join(r.Validate(), r.CheckChange(whole, true)); err != nil {
		return err
	}
	if p.Suite.Hash != r.Suite || !database.IsHash(r.Suite) {
		return fmt.Errorf("round %q: its suite is %.12s, the package holds %.12s", r.Name, r.Suite, p.Suite.Hash)
	}
	if err := p.checkBase(); err != nil {
		return fmt.Errorf("round %q: %w", r.Name, err)
	}
	var hashes []string
	for _, m := range p.Models {
		if !database.IsHash(m.Hash) {
			return fmt.Errorf("round %q: model %s has no SHA-256 for a hash", r.Name, m.ID)
		}
		if err := checkID(m.ID); err != nil {
			return err
		}
		hashes = append(hashes, m.Hash)
	}
	if !slices.Equal(hashes, r.Models) {
		return fmt.Errorf("round %q: the models of the package are not those of the round", r.Name)
	}
	for _, e := range p.Evidence {
		if e.Round != r.ID || e.Suite != r.Suite || e.Family != RoundFamily(r) || !slices.Contains(r.Models, e.Model) ||
			(e.Scenes != nil) != (r.Kind == label.BackgroundRound) || strings.Contains(e.Filter, database.Separator) {
			return fmt.Errorf("round %q: matrices of model %.12s do not belong to it", r.Name, e.Model)
		}
	}
	return p.checkSizes()
}

// checkSizes holds matrices and accuracies to the family: whoever draws them goes by its values.
func (p Package) checkSizes() error {
	if p.Round.Kind == label.BackgroundRound {
		return nil // the raster is each package's own, and there are no accuracies
	}
	family, err := transform.Parse(p.Round.Family)
	if err != nil {
		return err
	}
	n := family.N()
	for _, e := range p.Evidence {
		if len(e.Accuracy) != 0 && len(e.Accuracy) != n {
			return fmt.Errorf("round %q: model %.12s has %d accuracies for %d transformations", p.Round.Name, e.Model,
				len(e.Accuracy), n)
		}
		for name, m := range e.Matrices {
			if m.N != n {
				return fmt.Errorf("round %q: matrix %s of model %.12s is %d x %d for %d transformations", p.Round.Name,
					name, e.Model, m.N, m.N, n)
			}
		}
	}
	return nil
}

// checkBase holds a derived suite to the one that it is made from.
func (p Package) checkBase() error {
	d := p.Suite.Derived
	if d == nil {
		return nil
	}
	if _, err := derive.Parse(d.Change); err != nil {
		return fmt.Errorf("suite %s: %w", p.Suite.Name, err)
	}
	if p.Base.Derived != nil || p.Base.Hash != d.Of || !database.IsHash(d.Of) ||
		p.Base.Derive(d.Change, "").Hash != p.Suite.Hash {
		return fmt.Errorf("suite %s is not made from the suite %s that the package holds", p.Suite.Name, p.Base.Name)
	}
	return nil
}

func keepModels(tx *database.Tx, models []model.Model) (added int, err error) {
	for _, m := range models {
		if database.Models.Has(tx, m.Hash) {
			continue
		}
		// what passed a probe elsewhere is probed here all the same
		m.ID, m.Probes, m.Compared = database.FreeID(tx, m.ID), nil, nil
		if err := database.PutModel(tx, m); err != nil {
			return added, err
		}
		added++
	}
	return added, nil
}

func (w *Workspace) keepRound(tx *database.Tx, p Package, report *PackageReport) error {
	old, err := getRound(tx, p.Round.ID)
	if errors.Is(err, database.ErrNotFound) {
		report.Round, report.Created = p.Round, true
		return w.putRound(tx, p.Round)
	}
	if err != nil {
		return err
	}
	next := p.Round
	next.Closed, next.Closings = old.Closed, old.Closings
	older := len(next.Models) < len(old.Models) && slices.Equal(next.Models, old.Models[:len(next.Models)])
	if older {
		next.Models = old.Models
	}
	if err := old.CheckChange(next, true); err != nil {
		return fmt.Errorf("the round is here already and differs: %w", err)
	}
	if older || p.Desk == w.desk { // the text here is the newer one
		models := next.Models
		next = old
		next.Models = models
	}
	next.Known = maps.Clone(old.Known)
	for model, answer := range p.Round.Known {
		next.Known[model] = cmp.Or(answer, next.Known[model]) // which may be sealed in one of both
	}
	report.Round = next
	report.Changed = len(next.Models) != len(old.Models) || next.GuidelineHash() != old.GuidelineHash() ||
		!maps.Equal(next.Known, old.Known)
	return w.putRound(tx, next)
}

// FixRanges gives a round the colour ranges that it does not have yet, as its first label would,
// so that every desk sees the same colours; a round with labels stays as it is. It returns the
// round as it is then.
func (w *Workspace) FixRanges(id string, ranges map[string]label.Range) (label.Round, error) {
	r, err := w.Round(id)
	if err != nil {
		return r, err
	}
	fixed := r
	fixed.Ranges = maps.Clone(ranges)
	maps.Copy(fixed.Ranges, r.Ranges)
	if maps.Equal(r.Ranges, fixed.Ranges) {
		return r, nil
	}
	if err := w.UpdateRound(fixed); errors.Is(err, ErrFrozen) {
		return r, nil
	} else if err != nil {
		return r, err
	}
	return fixed, nil
}

// SuiteFolder is where a suite's images are now, a derived one's where its base's are. The errors
// are those of OpenSuite.
func (w *Workspace) SuiteFolder(ctx context.Context, hash string) (string, error) {
	if m, err := w.Suite(hash); err == nil && m.Derived != nil {
		return w.SuiteFolder(ctx, m.Derived.Of)
	}
	opened, err := w.OpenSuiteContext(ctx, hash)
	if err != nil {
		return "", err
	}
	if err := opened.Close(); err != nil {
		return "", err
	}
	m, err := w.Suite(hash) // with the times that the files have now
	if err != nil {
		return "", err
	}
	for _, root := range database.Places(w.path, m.Root, m.Inside, m.Copied) {
		if s, err := suite.Open(m, root); err == nil {
			return root, s.Close()
		}
	}
	return "", fmt.Errorf("suite %s: %w", m.Name, ErrNoImages)
}
