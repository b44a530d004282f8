package variance

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/signal"
)

// Differences are all d_ij(k) of one modality (spec/variance.md section 4) over an interval of
// transformations, whether they come from signals or from distances. Indices i and j count from the
// interval's first transformation. It shares the memory of what it was made from and is safe for
// many goroutines.
type Differences struct {
	n         int
	signals   [][]float32 // n rows; nil for a vector modality
	distances [][]float32 // one row per pair i > j of the n transformations
}

// ScalarDifferences are those of signals, T rows as in Scalar: d_ij(k) = s_ik - s_jk.
func ScalarDifferences(signals [][]float32) Differences {
	return Differences{n: len(signals), signals: signals}
}

// VectorDifferences are those of a vector modality between n transformations, rows as in Vector:
// they have no sign.
func VectorDifferences(distances [][]float32, n int) Differences {
	if len(distances) != n*(n-1)/2 {
		panic(fmt.Sprintf("variance: %d rows of distances for %d transformations", len(distances), n))
	}
	return Differences{n: n, distances: distances}
}

// DifferencesOf are those of a modality of a set of signals. The error is signal.ErrAbsent or
// signal.ErrNotLoaded where the set lacks it.
func DifferencesOf(set *signal.Set, m signal.Modality) (Differences, error) {
	if m.Vector() {
		distances, err := set.Distances(m)
		if err != nil {
			return Differences{}, err
		}
		return VectorDifferences(distances, set.Transformations), nil
	}
	signals, err := set.Signals(m)
	return ScalarDifferences(signals), err
}

// N is the number of transformations.
func (d Differences) N() int { return d.n }

// Cut is the sub-interval of transformations first..last, both included.
func (d Differences) Cut(first, last int) Differences {
	cut := Differences{n: last - first + 1}
	if d.signals != nil {
		cut.signals = d.signals[first : last+1]
		return cut
	}
	for i := first + 1; i <= last; i++ {
		cut.distances = append(cut.distances, d.distances[i*(i-1)/2+first:i*(i-1)/2+i]...)
	}
	return cut
}

// At is d_ij(k).
func (d Differences) At(i, j, k int) float64 {
	switch {
	case i == j:
		return 0
	case d.signals != nil:
		return float64(d.signals[i][k]) - float64(d.signals[j][k])
	case i < j:
		i, j = j, i
	}
	return float64(d.distances[i*(i-1)/2+j][k])
}

// Widest is the pair i > j with the largest |d_ij(k)| of an image, the first pair of equals in the
// order of rows; 0, 0 where all are 0.
func (d Differences) Widest(k int) (i, j int) {
	largest := 0.0
	for a := 1; a < d.n; a++ {
		for b := range a {
			if v := math.Abs(d.At(a, b, k)); v > largest {
				largest, i, j = v, a, b
			}
		}
	}
	return i, j
}

// Cell returns, for each of the chosen images in their order, its share d_ij(k)^2 / sum of
// d_ij(k')^2 in one cell; all 0 where the cell is 0.
func (d Differences) Cell(images []int, i, j int) []float64 {
	parts := make([]float64, len(images))
	for x, k := range images {
		v := d.At(i, j, k)
		parts[x] = v * v
	}
	return shares(parts)
}

// Whole returns, for each of the chosen images in their order, its share in the whole matrix
// (spec/variance.md section 8):
//
//	E_k = sum over i>j of d_ij(k)^2 / sum over k' and i>j of d_ij(k')^2
//
// They sum to 1, or are all 0 for a zero matrix. Signals are expected to be finite.
func (d Differences) Whole(images []int) []float64 {
	return shares(d.squareSums(images))
}

// squareSums are the sums over i>j of d_ij(k)^2 for the images in their order.
func (d Differences) squareSums(images []int) []float64 {
	parts := make([]float64, len(images))
	if d.signals != nil {
		n := float64(d.n)
		for x, k := range images {
			parts[x] = squareSum(d.signals, n, k)
		}
		return parts
	}
	for _, row := range d.distances {
		for x, k := range images {
			v := float64(row[k])
			parts[x] += float64(v * v)
		}
	}
	return parts
}

// squareSum is the sum over i>j of (s_i - s_j)^2 of image k as n sum of c_i^2 - (sum of c_i)^2 with
// c_i = s_i - s_0: n steps in place of n^2. The subtraction is harmless, since c_0 = 0 is one of
// the values (it costs a factor n at most).
func squareSum(signals [][]float32, n float64, k int) float64 {
	var sum, squares float64
	for _, row := range signals {
		c := float64(row[k]) - float64(signals[0][k])
		sum += c
		squares += float64(c * c)
	}
	return max(0, float64(n*squares)-float64(sum*sum))
}

// Typical is, for each of the images in their order, the root mean square of its d_ij over all
// pairs i > j: how much one image moves over the whole interval, in the unit of the signal. E_k is
// proportional to its square.
func (d Differences) Typical(images []int) []float64 {
	parts := d.squareSums(images)
	pairs := float64(d.n*(d.n-1)) / 2
	for x := range parts {
		if pairs > 0 {
			parts[x] = math.Sqrt(parts[x] / pairs)
		}
	}
	return parts
}

// Matrix is the variance matrix over images; the errors are those of Scalar.
func (d Differences) Matrix(images []int) (Matrix, error) {
	if d.signals != nil {
		return Scalar(d.signals, images)
	}
	return Vector(d.distances, d.n, images)
}

// FlagLimit is the contribution from which an image of a choice of that many is flagged; 0 where
// there are too few images for any to be.
func FlagLimit(images int) float64 {
	if images < flagImages {
		return 0
	}
	return flagTimes / float64(images)
}
