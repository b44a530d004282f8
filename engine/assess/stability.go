package assess

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/progress"
)

// StudyKind says on which images the training and the test models of a study are measured.
type StudyKind string

// The studies of the paper's section XI.
const (
	// Halves is Table VII: training models on a random half of the suite, test models on the rest,
	// so that they have neither models nor images in common.
	Halves StudyKind = "halves"
	// Shares is Table VIII: training and test models each on a random share of the suite, drawn
	// evenly between 10 and 100 %. The paper does not say how often a share is drawn; here it is
	// once per repetition and side.
	Shares StudyKind = "shares"
)

// leastShare is the smallest share of the suite that a study of shares draws.
const leastShare = 0.1

// Study asks how much assessors depend on the images that the features come from.
type Study struct {
	Kind        StudyKind `json:"kind"`
	Repetitions int       `json:"repetitions"` // 0 for 10, at most 1000
	Seed        uint64    `json:"seed"`
}

func (s Study) filled() (Study, error) {
	if s.Kind != Halves && s.Kind != Shares {
		return s, fmt.Errorf("study %q is not known; use %s or %s", s.Kind, Halves, Shares)
	}
	s.Repetitions = cmp.Or(s.Repetitions, defaultRepetitions)
	return s, checkRepetitions(s.Repetitions)
}

// Subsets are the images (ascending) on which every model has to be measured, two subsets per
// repetition: 2r for the training models of repetition r, 2r+1 for the test models. A half is
// floor(images/2) images for training and the rest for testing; a share of r is floor(r x images),
// at least one. Repetition r draws from (Seed, r), so it does not depend on the number of
// repetitions. The error says that the suite is too small or the study not known.
func (s Study) Subsets(images int) ([][]int, error) {
	s, err := s.filled()
	if err != nil {
		return nil, err
	}
	if images < 2 {
		return nil, fmt.Errorf("a suite of %d images cannot be parted; a study of stability needs 2 or more", images)
	}
	var subsets [][]int
	for r := range s.Repetitions {
		if s.Kind == Halves {
			order := rand.New(rand.NewPCG(derived(s.Seed, r), 0)).Perm(images)
			subsets = append(subsets, ascending(order[:images/2]), ascending(order[images/2:]))
			continue
		}
		for side := range 2 {
			draw := rand.New(rand.NewPCG(derived(s.Seed, r), uint64(side)))
			count := int((leastShare + (1-leastShare)*draw.Float64()) * float64(images))
			subsets = append(subsets, ascending(draw.Perm(images)[:max(count, 1)]))
		}
	}
	return subsets, nil
}

// Evaluate runs a scheme for each of the settings. measured is the repository measured on each of
// Subsets, with the same models in the same order. In repetition r a training set's features are
// those of measured[2r], a test set's those of measured[2r+1], and so are the baseline's scores
// (the paper's baseline is over the whole suite in all its tables). The scheme's repetitions are
// the study's; leave-one-group-out cuts the models alike in all of them. Learners are seeded as in
// the package's Evaluate: on subsets that are the whole suite both give the same. Progress counts
// trained assessors. Errors: data that do not hold the same models, labels and columns in the same
// order, another number of them than of subsets, and those of Evaluate.
func (s Study) Evaluate(
	ctx context.Context, measured []Data, settings []Settings, scheme Scheme, p progress.Progress,
) ([]Evaluation, error) {
	s, err := s.filled()
	if err != nil {
		return nil, err
	}
	if len(measured) != 2*s.Repetitions {
		return nil, fmt.Errorf("%d repetitions of %s need the models measured on %d subsets of the images, not %d",
			s.Repetitions, s.Kind, 2*s.Repetitions, len(measured))
	}
	if err := checkAlike(measured); err != nil {
		return nil, err
	}
	scheme.Repetitions = s.Repetitions
	if scheme, err = scheme.filled(); err != nil {
		return nil, err
	}
	folds, note, err := measured[0].Folds(scheme)
	if err != nil {
		return nil, fmt.Errorf("study of %s: %w", s.Kind, err)
	}
	for len(folds) < s.Repetitions { // the groups, which are cut once
		folds = append(folds, folds[0])
	}
	scheme.Repetitions = s.Repetitions
	return studying{measured: measured, folds: folds, scheme: scheme, note: note}.all(ctx, settings, p)
}

// checkAlike refuses data, one at least, that do not hold the same models in the same order.
func checkAlike(measured []Data) error {
	first := measured[0]
	if err := first.checkHead(); err != nil {
		return err
	}
	for k, d := range measured {
		if !slices.Equal(d.Names, first.Names) || !slices.Equal(d.Classes, first.Classes) ||
			len(d.Rows) != len(first.Rows) {
			return fmt.Errorf("subset %d has %d models with %d features and the classes %v, subset 1 has %d with %d "+
				"and %v; measure all alike",
				k+1, len(d.Rows), len(d.Names), d.Classes, len(first.Rows), len(first.Names), first.Classes)
		}
		for i, row := range d.Rows {
			if err := d.checkRow(i); err != nil {
				return fmt.Errorf("subset %d: %w", k+1, err)
			}
			if other := first.Rows[i]; row.ID != other.ID || row.Hash != other.Hash || row.Label != other.Label ||
				row.Holdout != other.Holdout || row.Group != other.Group {
				return fmt.Errorf("row %d is model %s in subset %d and model %s in subset 1, or its label or part "+
					"differ; keep the order of the models", i+1, row.ID, k+1, other.ID)
			}
		}
	}
	return nil
}

// studying is a study whose models are cut.
type studying struct {
	measured []Data
	folds    [][]Fold
	scheme   Scheme
	note     string
}

func (s studying) all(ctx context.Context, settings []Settings, p progress.Progress) ([]Evaluation, error) {
	for _, one := range settings {
		if err := one.Validate(); err != nil {
			return nil, err
		}
	}
	p = progress.Or(p)
	p.SetTotal(evaluator{folds: s.folds}.total() * int64(len(settings)))
	evaluations := make([]Evaluation, len(settings))
	for k, one := range settings {
		if one.Algorithm == Baseline {
			one.Score = s.score(one.Score)
		}
		e := Evaluation{Settings: one, Scheme: s.scheme, Note: s.note}
		err := e.run(ctx, s.folds, func(ctx context.Context, r, f int) (FoldResult, []Prediction, error) {
			return evaluator{data: s.mixed(r, f), settings: one, folds: s.folds, progress: p}.fold(ctx, r, f)
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.Algorithm, err)
		}
		e.summarise(len(s.measured[0].Classes))
		evaluations[k] = e
	}
	return evaluations, nil
}

// score is the baseline's score in all subsets: without a given one, correct_product where every
// subset has it.
func (s studying) score(given Score) Score {
	for _, d := range s.measured {
		if chosen := d.score(d.Labelled(), given); chosen != CorrectProduct {
			return chosen
		}
	}
	return CorrectProduct
}

// mixed is the repository as a fold sees it: its training models measured on one subset, its test
// models on the other.
func (s studying) mixed(r, f int) Data {
	d, tests := s.measured[2*r], s.measured[2*r+1]
	d.Rows = slices.Clone(d.Rows)
	for _, i := range s.folds[r][f].Test {
		d.Rows[i] = tests.Rows[i]
	}
	return d
}
