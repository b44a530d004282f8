package feature

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/scatter"
)

// Set says which measurements of an interpolated matrix make up a vector.
type Set string

// The sets. A name means the same number in each of them: mean and std are those of
// spec/background.md section 13, over all elements.
//
// SixteenSet takes what spec/features.md measures of a variance matrix, read on the raster: row b
// and column a take the places of i and j, both axes grow with the distance from the target, so
// that the lower triangle is y > x, the horizontal gradient leads to nearer scenes, the vertical
// one to farther ones, and both away from the diagonal. Two things differ. The diagonal is not
// filled: here it is interpolated like every other element, and the green line along it is a
// pattern that people see. And asymm is left out, as section 13 says: the matrix is symmetric about
// its primary diagonal, and reflection about the second one, features.md's, would compare near
// scenes with far ones, which no one expects to be equal; corner measures that difference.
const (
	SceneSet   Set = "scene"   // the seven of spec/background.md section 13
	SixteenSet Set = "sixteen" // fifteen of spec/features.md: all but asymm
	AllSet     Set = "all"     // the seven, then those of the fifteen that are not among them
)

// Sets are all sets, the default first.
func Sets() []Set { return []Set{SceneSet, SixteenSet, AllSet} }

// Background says how interpolated matrices are measured (spec/background.md section 13). Its zero
// value stands for none: the vector is one of variance matrices.
type Background struct {
	Interpolants []string `json:"interpolants"` // canonical: I1, I2, I3, or "16,4,32"
	Raster       int      `json:"raster"`       // elements along a side
	Set          Set      `json:"set"`
	Threshold    float64  `json:"threshold"` // of error_rate
}

// IsZero tells whether there are no interpolated matrices.
func (b Background) IsZero() bool {
	return len(b.Interpolants) == 0 && b.Raster == 0 && b.Set == "" && b.Threshold == 0
}

// String tells two settings apart.
func (b Background) String() string {
	if b.IsZero() {
		return "none"
	}
	return fmt.Sprintf("%s raster %d set %s threshold %v",
		strings.Join(b.Interpolants, " "), b.Raster, b.Set, b.Threshold)
}

// BackgroundModalities are what clouds are made of, the defaults first: the four signals of
// spec/background.md section 8.
func BackgroundModalities() []string {
	return []string{"max@CONF", "max@HEAD", "true@CONF", "mean@HEAD"}
}

// DefaultBackgroundLayout is that of spec/background.md section 13: max@CONF and max@HEAD, each
// with I1, I2 and I3, by seven measurements.
func DefaultBackgroundLayout() Layout {
	return Layout{
		Modalities: BackgroundModalities()[:2], Profile: Paper, Tau: DefaultTau, Share: DefaultShare, Seed: 1,
		Background: Background{
			Interpolants: []string{"I1", "I2", "I3"}, Raster: scatter.DefaultRaster, Set: SceneSet,
			Threshold: scatter.DefaultThreshold,
		},
	}
}

// OfBackground tells whether the vector is measured on interpolated matrices.
func (l Layout) OfBackground() bool { return !l.Background.IsZero() }

// Only is the layout of one interpolant of several, for the rows of the paper's Table 3.
func (l Layout) Only(interpolant string) Layout {
	l.Background.Interpolants = []string{interpolant}
	return l
}

// interpolants are the settings by name. The layout is a valid one.
func (l Layout) interpolants() ([]scatter.Interpolant, error) {
	list := make([]scatter.Interpolant, len(l.Background.Interpolants))
	for k, text := range l.Background.Interpolants {
		p, err := scatter.ParseInterpolant(text)
		if err != nil {
			return nil, err
		}
		list[k] = p
	}
	return list, nil
}

// Interpolants are the interpolants of a valid layout, in order.
func (l Layout) Interpolants() []scatter.Interpolant {
	list, err := l.interpolants()
	if err != nil {
		panic(fmt.Sprintf("feature: interpolants of a layout that was not checked: %v", err))
	}
	return list
}

// Matrices are the matrices that are measured, in order: modalities, and for interpolated ones each
// with its interpolants, as in max@CONF.I1.
func (l Layout) Matrices() []string {
	if !l.OfBackground() {
		return slices.Clone(l.Modalities)
	}
	var list []string
	for _, modality := range l.Modalities {
		for _, p := range l.Background.Interpolants {
			list = append(list, modality+"."+p)
		}
	}
	return list
}

// Measurements are the names of what is measured of each matrix, in order.
func (l Layout) Measurements() []string {
	if !l.OfBackground() {
		return names[:]
	}
	var list []string
	if l.Background.Set != SixteenSet {
		for f := range scatter.Feature(scatter.Count) {
			list = append(list, f.String())
		}
	}
	if l.Background.Set == SceneSet {
		return list
	}
	for _, f := range rasterFeatures() {
		if name := f.String(); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// NeedsReduced tells whether matrices of a sub-sample of the targets are needed, for ssty.
func (l Layout) NeedsReduced() bool { return !l.OfBackground() || l.Background.Set != SceneSet }

// SplitBackground parts the name of a column of interpolated matrices: "max@CONF.I1.mean" is matrix
// max@CONF.I1, measurement mean.
func SplitBackground(name string) (matrix, measurement string, err error) {
	refuse := func(why string) (string, string, error) {
		return "", "", fmt.Errorf("%q is no measurement of an interpolated matrix: %s; write "+
			"MODALITY.INTERPOLANT.MEASUREMENT, as in max@CONF.I1.mean", name, why)
	}
	modality, rest := cutModality(name)
	if modality == "" {
		return refuse("its modality is none of " + strings.Join(BackgroundModalities(), ", "))
	}
	dot := strings.LastIndexByte(rest, '.')
	if dot < 0 {
		return refuse("it names no measurement")
	}
	p, err := scatter.ParseInterpolant(rest[:dot])
	if err != nil {
		return refuse(err.Error())
	}
	all := Layout{Background: Background{Raster: 1, Set: AllSet}}.Measurements()
	if !slices.Contains(all, rest[dot+1:]) {
		return refuse(fmt.Sprintf("%q is none of %s", rest[dot+1:], strings.Join(all, ", ")))
	}
	return modality + "." + p.Name(), rest[dot+1:], nil
}

// cutModality cuts a modality of clouds and its dot off a name; "" when it does not begin with one.
func cutModality(name string) (modality, rest string) {
	for _, m := range BackgroundModalities() {
		if rest, ok := strings.CutPrefix(name, m+"."); ok {
			return m, rest
		}
	}
	return "", ""
}

// MatrixOf is the matrix that a column measures: max@CONF of max@CONF.svm, max@CONF.I1 of
// max@CONF.I1.mean. ok is false for a name that is no column of a vector.
func MatrixOf(name string) (matrix string, ok bool) {
	if matrix, _, err := SplitBackground(name); err == nil {
		return matrix, true
	}
	matrix, _, err := Split(name)
	return matrix, err == nil
}

// validateBackground is Validate for interpolated matrices.
func (l Layout) validateBackground() (Layout, error) {
	if l.Profile != "" && l.Profile != Paper {
		return l, fmt.Errorf("the formulas of the published code (profile %s) are not those of interpolated "+
			"matrices; use profile %s", l.Profile, Paper)
	}
	for _, m := range l.Modalities {
		if !slices.Contains(BackgroundModalities(), m) {
			return l, fmt.Errorf("%s is no signal of interpolated matrices; there are %s", m,
				strings.Join(BackgroundModalities(), ", "))
		}
	}
	b := &l.Background
	if len(b.Interpolants) == 0 {
		return l, errors.New("the vector names no interpolant; name at least one of I1, I2, I3, or SIZE,SIGMA,K")
	}
	list, err := l.interpolants()
	if err != nil {
		return l, err
	}
	b.Interpolants = slices.Clone(b.Interpolants)
	for k, p := range list {
		if b.Interpolants[k] = p.Name(); slices.Contains(b.Interpolants[:k], b.Interpolants[k]) {
			return l, fmt.Errorf("interpolant %s is twice in the feature vector; name it once", b.Interpolants[k])
		}
	}
	return l, b.fill()
}

// The bounds of a raster; they are those of scatter.Interpolate.
const leastRaster, mostRaster = 4, 512

// fill puts in the defaults and refuses what cannot be.
func (b *Background) fill() error {
	b.Raster = cmp.Or(b.Raster, scatter.DefaultRaster)
	b.Set = cmp.Or(b.Set, SceneSet)
	b.Threshold = cmp.Or(b.Threshold, scatter.DefaultThreshold)
	switch {
	case b.Raster < leastRaster || b.Raster > mostRaster:
		return fmt.Errorf("a raster of %d elements along a side; it takes %d to %d", b.Raster, leastRaster, mostRaster)
	case !slices.Contains(Sets(), b.Set):
		return fmt.Errorf("no set of measurements %q; there are %v", b.Set, Sets())
	case !(b.Threshold > 0 && b.Threshold <= math.MaxFloat64):
		return fmt.Errorf("threshold %v of error_rate is not a finite number above 0", b.Threshold)
	}
	return nil
}
