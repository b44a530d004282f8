package feature

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/stats"
)

// DefaultShare is the share of the images that go into the reduced matrix (spec/features.md,
// feature 5).
const DefaultShare = 0.9

// Layout says what makes up a feature vector: which matrices, in which order, and how they are
// measured. It is part of every assessor.
type Layout struct {
	Modalities []string `json:"modalities"` // canonical: "max@CONF"
	Profile    Profile  `json:"profile"`
	Tau        float64  `json:"tau"`
	// Share of the images that go into the reduced matrix of SSTY, drawn from Seed.
	Share float64 `json:"share"`
	Seed  uint64  `json:"seed"`
	// Background says how interpolated matrices are measured; its zero value, that the matrices are
	// variance matrices of a family.
	Background Background `json:"background,omitzero"`
}

// DefaultLayout is the paper's: five matrices x 16 features, in DESIGN.md's order of matrices.
func DefaultLayout() Layout {
	l := Layout{Profile: Paper, Tau: DefaultTau, Share: DefaultShare, Seed: 1}
	for _, m := range signal.DefaultModalities() {
		l.Modalities = append(l.Modalities, m.String())
	}
	return l
}

// Width is the number of features: 16 per variance matrix, 7 or more per interpolated one.
func (l Layout) Width() int { return len(l.Measurements()) * len(l.Matrices()) }

// Names are the columns of a vector: matrix by matrix, "max@CONF.svm", or "max@CONF.I1.mean".
func (l Layout) Names() []string {
	measurements := l.Measurements()
	var all []string
	for _, matrix := range l.Matrices() {
		for _, m := range measurements {
			all = append(all, matrix+"."+m)
		}
	}
	return all
}

// Split parts a column's name: "max@CONF.svm" is modality max@CONF and feature svm. The specs'
// "CONF.max.svm" is read, too.
func Split(name string) (modality string, f Feature, err error) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return "", 0, fmt.Errorf("%q is no feature of a matrix; write MODALITY.FEATURE, as in max@CONF.svm", name)
	}
	if f, err = Parse(name[dot+1:]); err != nil {
		return "", 0, fmt.Errorf("column %q: %w", name, err)
	}
	m, err := signal.ParseModality(name[:dot])
	if err != nil {
		return "", 0, fmt.Errorf("column %q: %w", name, err)
	}
	return m.String(), f, nil
}

// Validate checks a layout that comes from a file or a flag; modalities become canonical, and an
// empty profile and a threshold of 0 the defaults.
func (l Layout) Validate() (Layout, error) {
	if len(l.Modalities) == 0 {
		return l, errors.New("a feature vector needs at least one matrix; name modalities, as in max@CONF")
	}
	l.Modalities = slices.Clone(l.Modalities)
	background := l.OfBackground()
	seen := make(map[string]bool, len(l.Modalities))
	for k, text := range l.Modalities {
		canonical, err := canonicalModality(text, background)
		if err != nil {
			return l, fmt.Errorf("matrix %d of the feature vector: %w", k+1, err)
		}
		if seen[canonical] {
			return l, fmt.Errorf("%s is twice among the matrices of the feature vector; name it once", canonical)
		}
		seen[canonical] = true
		l.Modalities[k] = canonical
	}
	opts, err := Options{Tau: l.Tau, Profile: l.Profile}.validate()
	if err != nil {
		return l, err
	}
	l.Tau, l.Profile = opts.Tau, opts.Profile
	if !(l.Share > 0 && l.Share <= 1) {
		return l, fmt.Errorf("share %v of the images in the reduced matrix is not above 0 and at most 1", l.Share)
	}
	if background {
		return l.validateBackground()
	}
	return l, nil
}

// canonicalModality is a modality as columns write it. Those of interpolated matrices are compared
// as they are: true@CONF is no modality of a variance matrix.
func canonicalModality(text string, background bool) (string, error) {
	if text = strings.TrimSpace(text); background && slices.Contains(BackgroundModalities(), text) {
		return text, nil
	}
	m, err := signal.ParseModality(text)
	if err != nil {
		return "", err
	}
	return m.String(), nil
}

// Neighbour is another row in feature space.
type Neighbour struct {
	Row      int
	Distance float64
}

// Nearest are the k rows nearest to a row of x (rows are models, columns features, all finite),
// itself left out, nearest first, the lower row first among equals: Euclidean distance of z-scores
// over all rows, divided by the square root of the number of columns that are not constant. Where
// there are fewer rows, all the others are returned.
func Nearest(x [][]float64, row, k int) []Neighbour {
	sums := make([]float64, len(x))
	column := make([]float64, len(x))
	used := 0
	for c := range x[row] {
		for r := range x {
			column[r] = x[r][c]
		}
		if !stats.ToUnitRange(column) {
			continue
		}
		used++
		std := deviation(column)
		for r, v := range column {
			z := (v - column[row]) / std
			sums[r] += float64(z * z)
		}
	}
	neighbours := make([]Neighbour, 0, len(x))
	for r, s := range sums {
		if r != row {
			neighbours = append(neighbours, Neighbour{Row: r, Distance: math.Sqrt(s / float64(max(used, 1)))})
		}
	}
	slices.SortStableFunc(neighbours, func(a, b Neighbour) int { return cmp.Compare(a.Distance, b.Distance) })
	return neighbours[:max(0, min(k, len(neighbours)))]
}
