package feature

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
)

// Vector is the features of one model.
type Vector struct {
	Values   []float64 // in the order of Names
	Matrices map[string]variance.Matrix
	Flags    map[string][]Flag // by modality, only those that have any
	// Undefined are the places in Values of what the published code leaves NaN (profile refcode);
	// it counts as 0.
	Undefined []int
}

// Shown are the values with NaN for those that are undefined.
func (v Vector) Shown() []float64 {
	values := slices.Clone(v.Values)
	for _, k := range v.Undefined {
		values[k] = math.NaN()
	}
	return values
}

// Part is the vector of its k-th matrix alone.
func (v Vector) Part(k int) Vector {
	from := k * Count
	v.Values = v.Values[from:][:Count]
	var undefined []int
	for _, at := range v.Undefined {
		if at -= from; at >= 0 && at < Count {
			undefined = append(undefined, at)
		}
	}
	v.Undefined = undefined
	return v
}

// Vector measures a model whose signals are in memory over the chosen images (ascending). The
// reduced matrices take those of them that are among the floor(Share m) images drawn from Seed of
// all m images of the set, as variance.Images with the same share and seed draws them before any
// filter (spec/variance.md section 5). The layout is a valid one. The error is signal.ErrAbsent,
// wrapped with the modality, when a position is not there; variance.ErrNoImages for no images;
// otherwise it names the modality and what is wrong with its signals or its matrix.
func (l Layout) Vector(set *signal.Set, images []int) (Vector, error) {
	vectors, err := l.Vectors(set, [][]int{images})
	if err != nil {
		return Vector{}, err
	}
	return vectors[0], nil
}

// Vectors is Vector for several choices of images, in their order: the same bits in less time,
// since a modality's signals are laid out once for all of them.
func (l Layout) Vectors(set *signal.Set, choices [][]int) ([]Vector, error) {
	fewer, drawn := make([][]int, len(choices)), l.Drawn(set.Images)
	vectors := make([]Vector, len(choices))
	for c, images := range choices {
		if len(images) == 0 {
			return nil, variance.ErrNoImages
		}
		fewer[c] = among(images, drawn)
		vectors[c] = Vector{
			Values:   make([]float64, 0, l.Width()),
			Matrices: make(map[string]variance.Matrix, len(l.Modalities)),
			Flags:    map[string][]Flag{},
		}
	}
	for _, text := range l.Modalities {
		m, err := signal.ParseModality(text)
		if err != nil {
			return nil, err
		}
		over, err := overImages(set, m)
		if err != nil {
			return nil, err
		}
		for c, images := range choices {
			if err := l.extend(&vectors[c], m.String(), over, images, fewer[c]); err != nil {
				return nil, fmt.Errorf("%s: %w", m, err)
			}
		}
	}
	return vectors, nil
}

// among are those of the images that are drawn (ascending).
func among(images, drawn []int) []int {
	return slices.DeleteFunc(slices.Clone(images), func(k int) bool {
		_, found := slices.BinarySearch(drawn, k)
		return !found
	})
}

// Drawn are the images whose reduced matrices SSTY compares with, ascending: floor(Share m) of
// all m of a suite, drawn before any filter (spec/variance.md section 5); none where that is less
// than one. For interpolated matrices they are targets.
func (l Layout) Drawn(m int) []int {
	choice := variance.AllImages()
	choice.Share, choice.Seed = l.Share, l.Seed
	drawn, err := choice.Choose(make([]int, m), nil, nil)
	if err != nil {
		return nil // of a valid layout it is that no image is drawn
	}
	return drawn
}

// Apart is the layout for images that are a share themselves, drawn from seed: draws from one
// seed hold each other, so where the layout has that seed, its own share is drawn from the next
// one.
func (l Layout) Apart(seed uint64) Layout {
	if l.Seed == seed {
		l.Seed++
	}
	return l
}

// extend measures one more matrix of a vector; fewer are the images of the reduced matrix, none for
// no such matrix.
func (l Layout) extend(v *Vector, modality string, over matrixOver, images, fewer []int) error {
	whole, err := over(images)
	if err != nil {
		return err
	}
	var reduced *variance.Matrix
	if len(fewer) > 0 {
		less, err := over(fewer)
		if err != nil {
			return err
		}
		reduced = &less
	}
	m, err := Measure(whole, reduced, Options{Tau: l.Tau, Profile: l.Profile})
	if err != nil {
		return err
	}
	for _, f := range m.Undefined {
		v.Undefined = append(v.Undefined, len(v.Values)+int(f))
	}
	v.Values = append(v.Values, m.Values[:]...)
	v.Matrices[modality] = whole
	if len(m.Flags) > 0 {
		v.Flags[modality] = m.Flags
	}
	return nil
}

// matrixOver computes a modality's matrix over a choice of images.
type matrixOver func(images []int) (variance.Matrix, error)

// overImages lays a modality's signals out. Its errors name the modality.
func overImages(set *signal.Set, m signal.Modality) (matrixOver, error) {
	if m.Vector() {
		d, err := variance.DifferencesOf(set, m)
		return d.Matrix, err
	}
	signals, err := set.Signals(m)
	if err != nil {
		return nil, err
	}
	prepared, scratch := variance.Prepare(signals), &variance.Scratch{}
	return func(images []int) (variance.Matrix, error) { return prepared.Matrix(images, scratch) }, nil
}
