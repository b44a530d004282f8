package saved

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
)

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Validate checks that a file fits together: the assessor's columns are those of the layout, the training labels are among
// its classes, family and choice of images can be read, the scores are numbers. An empty family is allowed (an assessor that
// was trained on a table); such an assessor fits no matrices.
func (f File) Validate() error {
	if f.Assessor == nil {
		return errors.New("it holds no assessor")
	}
	if strings.TrimSpace(f.Name) == "" {
		return errors.New("the assessor has no name")
	}
	if err := f.Assessor.Validate(); err != nil {
		return err
	}
	layout, err := f.Layout.Validate()
	if err != nil {
		return err
	}
	if names := layout.Names(); !slices.Equal(names, f.Assessor.Names) {
		return fmt.Errorf("the assessor has %d columns and its choice of features %d, or they have other names", len(f.Assessor.Names), len(names))
	}
	if !slices.Equal(layout.Modalities, f.Layout.Modalities) {
		return fmt.Errorf("its modalities %s are not written as %s", strings.Join(f.Layout.Modalities, ", "), strings.Join(layout.Modalities, ", "))
	}
	if err := f.checkSource(); err != nil {
		return err
	}
	if err := f.checkTraining(); err != nil {
		return err
	}
	for _, r := range f.Results {
		if err := r.validate(); err != nil {
			return err
		}
	}
	return nil
}

// checkSource checks family and images.
func (f File) checkSource() error {
	if f.Family != "" {
		family, err := transform.Parse(f.Family)
		if err != nil {
			return fmt.Errorf("its family: %w", err)
		}
		if family.String() != f.Family {
			return fmt.Errorf("its family %s is not written as %s", f.Family, family)
		}
	}
	images, err := variance.ParseImages(f.Images)
	if err != nil {
		return err
	}
	if images.String() != f.Images {
		return fmt.Errorf("its choice of images %s is not written as %s", f.Images, images)
	}
	if f.Suite.Images < 0 {
		return fmt.Errorf("its suite has %d images", f.Suite.Images)
	}
	return nil
}

func (f File) checkTraining() error {
	if len(f.Training) == 0 {
		return errors.New("it names no models that it was trained on")
	}
	if !hash.MatchString(f.TrainingHash) {
		return fmt.Errorf("%q is no hash of a training set", f.TrainingHash)
	}
	for _, e := range f.Training {
		if !slices.Contains(f.Assessor.Classes, e.Label) {
			return fmt.Errorf("model %s has the label %q, and the assessor's classes are %v", e.ID, e.Label, f.Assessor.Classes)
		}
	}
	return nil
}

func (r Result) validate() error {
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"accuracy", r.Accuracy},
		{"largest deviation", r.LargestDeviation},
		{"balanced accuracy", r.Balanced},
		{"F1", r.F1},
		{"AUC", orZero(r.AUC)},
	} {
		if !(v.value >= 0 && v.value <= 1) {
			return fmt.Errorf("its %s of %v is not between 0 and 1", v.name, v.value)
		}
	}
	if kappa := orZero(r.Kappa); !(kappa >= -1 && kappa <= 1) {
		return fmt.Errorf("its kappa of %v is not between -1 and 1", kappa)
	}
	if !(r.SD >= 0) || math.IsInf(r.SD, 0) || r.Models < 0 {
		return fmt.Errorf("its results speak of %d models and a deviation of %v", r.Models, r.SD)
	}
	return nil
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// Fits refuses matrices that the assessor was not trained for: another family, missing modalities, other settings of the
// features. The sentence names both sides.
func (f File) Fits(family string, layout feature.Layout) error {
	if f.Family == "" {
		return fmt.Errorf("assessor %s does not say of which family its matrices were, since it was trained on a table; "+
			"train it again with --family", f.Name)
	}
	given, err := transform.Parse(family)
	if err != nil {
		return err
	}
	if given.String() != f.Family {
		return fmt.Errorf("assessor %s was trained on %s; these matrices are of %s", f.Name, f.Family, given)
	}
	if err := f.hasModalities(layout.Modalities); err != nil {
		return err
	}
	for _, s := range []struct {
		what       string
		mine, this any
	}{
		{"formulas", f.Layout.Profile, layout.Profile},
		{"a tau of", f.Layout.Tau, layout.Tau},
		{"a share of the images for ssty of", f.Layout.Share, layout.Share},
		{"a seed for ssty of", f.Layout.Seed, layout.Seed},
	} {
		if s.mine != s.this {
			return fmt.Errorf("assessor %s was trained on features with %s %v; these have %v", f.Name, s.what, s.mine, s.this)
		}
	}
	return nil
}

// hasModalities compares in order, since a row holds its columns in the order of the layout.
func (f File) hasModalities(given []string) error {
	if slices.Equal(f.Layout.Modalities, given) {
		return nil
	}
	mine, this := strings.Join(f.Layout.Modalities, ", "), strings.Join(given, ", ")
	for _, m := range f.Layout.Modalities {
		if !slices.Contains(given, m) {
			return fmt.Errorf("assessor %s needs the matrix %s: it was trained on %s; here are %s", f.Name, m, mine, this)
		}
	}
	return fmt.Errorf("assessor %s was trained on the matrices %s, in this order; here are %s", f.Name, mine, this)
}
