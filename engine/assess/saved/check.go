package saved

import (
	"cmp"
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

// Validate checks that a file fits together: the assessor's columns are those of the layout, the
// training labels are among its classes, family and choice of images can be read, the scores are
// numbers. An empty family is allowed (an assessor that was trained on a table); such an assessor
// fits no matrices.
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
		return fmt.Errorf("the assessor has %d columns and its choice of features %d, or they have other names",
			len(f.Assessor.Names), len(names))
	}
	if mine, right := f.Layout.Matrices(), layout.Matrices(); !slices.Equal(mine, right) {
		return fmt.Errorf("its matrices %s are not written as %s", strings.Join(mine, ", "), strings.Join(right, ", "))
	}
	if f.Layout.OfBackground() && f.Layout.Background.String() != layout.Background.String() {
		return fmt.Errorf("its interpolated matrices (%s) are not written as (%s)",
			f.Layout.Background, layout.Background)
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
		family, err := parseFamily(f.Family, f.Layout.OfBackground())
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
			return fmt.Errorf("model %s has the label %q, and the assessor's classes are %v",
				e.ID, e.Label, f.Assessor.Classes)
		}
		if n := len(e.Features); f.keepsFeatures() && n != len(f.Assessor.Names) || !f.keepsFeatures() && n != 0 {
			return fmt.Errorf("model %s has %d features, and the assessor has %d columns", e.ID, n,
				len(f.Assessor.Names))
		}
		for _, v := range e.Features {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("model %s has a feature of %v", e.ID, v)
			}
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
	for _, kappa := range []float64{orZero(r.Kappa), orZero(r.VoteKappa)} {
		if !(kappa >= -1 && kappa <= 1) {
			return fmt.Errorf("its kappa of %v is not between -1 and 1", kappa)
		}
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

// parseFamily reads what the matrices of an assessor are of: a family, or for interpolated matrices
// a set scenes:HASH:N.
func parseFamily(text string, background bool) (transform.Family, error) {
	if !background {
		return transform.Parse(text)
	}
	family, err := transform.ParseAny(text)
	if err != nil {
		return family, err
	}
	if _, _, ok := family.Scened(); !ok {
		return family, fmt.Errorf("%s has no testing scenes, and interpolated matrices are of a set %s:HASH:N",
			text, transform.ScenesSet)
	}
	return family, nil
}

// Fits refuses matrices that the assessor was not trained for: another family, missing modalities,
// other settings of the features. The sentence names both sides. Interpolated matrices may be of
// another selection of testing scenes than the training's, as variance matrices may be of another
// suite: their axes are distances, whatever the scenes.
func (f File) Fits(family string, layout feature.Layout) error {
	if err := f.fitsKind(family, layout); err != nil {
		return err
	}
	if f.Family == "" {
		return fmt.Errorf("assessor %s does not say of which family its matrices were, since it was trained on a "+
			"table; train it again with --family", f.Name)
	}
	background := f.Layout.OfBackground()
	given, err := parseFamily(family, background)
	if err != nil {
		return err
	}
	if !background && given.String() != f.Family {
		return fmt.Errorf("assessor %s was trained on %s; these matrices are of %s", f.Name, f.Family, given)
	}
	if err := f.hasMatrices(layout.Matrices()); err != nil {
		return err
	}
	return f.fitsSettings(layout)
}

// fitsKind keeps variance matrices and interpolated ones apart.
func (f File) fitsKind(family string, layout feature.Layout) error {
	scenes := layout.OfBackground() || strings.HasPrefix(family, transform.ScenesSet+":")
	switch mine := f.Layout.OfBackground(); {
	case mine && !scenes:
		return fmt.Errorf("assessor %s judges interpolated matrices of testing scenes; these are variance matrices "+
			"of a family: train one on them, or give it matrices of a selection", f.Name)
	case !mine && scenes:
		return fmt.Errorf("assessor %s judges variance matrices of a family; these are interpolated matrices of "+
			"testing scenes: train one on them, or give it matrices of %s", f.Name, cmp.Or(f.Family, "its family"))
	}
	return nil
}

// fitsSettings compares how matrices are measured.
func (f File) fitsSettings(layout feature.Layout) error {
	type setting struct {
		what       string
		mine, this any
	}
	mine, this := f.Layout.Background, layout.Background
	list := []setting{
		{"a raster of", mine.Raster, this.Raster},
		{"the set of measurements", mine.Set, this.Set},
		{"a threshold of error_rate of", mine.Threshold, this.Threshold},
	}
	if f.Layout.NeedsReduced() {
		list = append(list, setting{"formulas", f.Layout.Profile, layout.Profile},
			setting{"a tau of", f.Layout.Tau, layout.Tau},
			setting{"a share of the images for ssty of", f.Layout.Share, layout.Share},
			setting{"a seed for ssty of", f.Layout.Seed, layout.Seed})
	}
	for _, s := range list {
		if s.mine != s.this {
			return fmt.Errorf("assessor %s was trained on features with %s %v; these have %v",
				f.Name, s.what, s.mine, s.this)
		}
	}
	return nil
}

// hasMatrices compares in order, since a row holds its columns in the order of the layout.
func (f File) hasMatrices(given []string) error {
	matrices := f.Layout.Matrices()
	if slices.Equal(matrices, given) {
		return nil
	}
	mine, this := strings.Join(matrices, ", "), strings.Join(given, ", ")
	for _, m := range matrices {
		if !slices.Contains(given, m) {
			return fmt.Errorf("assessor %s needs the matrix %s: it was trained on %s; here are %s",
				f.Name, m, mine, this)
		}
	}
	return fmt.Errorf("assessor %s was trained on the matrices %s, in this order; here are %s", f.Name, mine, this)
}
