package variance

import (
	"fmt"

	"github.com/variscope/variscope/engine/stats"
)

// Vector computes the variance matrix of a vector modality from its distances: one row of images
// per pair of the n transformations, row i(i-1)/2 + j for i > j (spec/variance.md section 4).
// delta_ij is the root mean square of the pair's distances over the chosen images. Errors are those
// of Scalar.
func Vector(distances [][]float32, n int, images []int) (Matrix, error) {
	return vector(distances, n, images)
}

func vector[T float32 | float64](distances [][]T, n int, images []int) (Matrix, error) {
	if len(distances) != n*(n-1)/2 {
		panic(fmt.Sprintf("variance: %d rows of distances for %d transformations", len(distances), n))
	}
	if len(images) == 0 {
		return Matrix{}, ErrNoImages
	}
	sums := make([]float64, len(distances))
	zero := make([]float64, blockImages)
	block := make([]float64, blockImages)
	for p, row := range distances {
		for from := 0; from < len(images); from += blockImages {
			chosen := images[from:min(from+blockImages, len(images))]
			if err := gather(block[:len(chosen)], row, chosen, -1); err != nil {
				return Matrix{}, err
			}
			sums[p] += stats.SquaredDistance(block[:len(chosen)], zero)
		}
	}
	return fromSums(sums, n, len(images)), nil
}

// Centre is the matrix of the sub-interval of V that reaches k steps to either side of the
// identity: the centre block of 2k+1 rows and columns (spec/variance.md section 2). k is cut to
// 0..(N-1)/2.
func (m Matrix) Centre(k int) Matrix {
	middle := (m.N - 1) / 2
	k = max(0, min(k, middle))
	n := 2*k + 1
	if n >= m.N {
		return m
	}
	c := Matrix{N: n, Data: make([]float64, 0, n*n)}
	for i := middle - k; i <= middle+k; i++ {
		c.Data = append(c.Data, m.Data[i*m.N+middle-k:][:n]...)
	}
	return c
}

// Max is the largest element, 0 for an empty matrix.
func (m Matrix) Max() float64 {
	largest := 0.0
	for _, v := range m.Data {
		largest = max(largest, v)
	}
	return largest
}

// Mean is the mean of all N x N elements, the zero diagonal included; 0 for an empty matrix.
func (m Matrix) Mean() float64 {
	if len(m.Data) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range m.Data {
		sum += v
	}
	return sum / float64(len(m.Data))
}

// Accuracy counts right predictions over the chosen images. prediction is T rows of m classes in
// the model's numbering; labels are the suite's, -1 for none; classes maps a label to the model's
// class (nil: the same numbers, -1: the model does not know it, so that no prediction is right).
// The first result is the share of right predictions per transformation; robust is correct_product
// of spec/assessors.md: the share of images that are right under all transformations. Images
// without label do not count; where none has one, perTransformation is nil and robust 0.
func Accuracy(prediction [][]int32, labels []int, classes, images []int) (perTransformation []float64, robust float64) {
	labelled := 0
	right := make([]int, len(prediction))
	always := 0
	for _, k := range images {
		if labels[k] < 0 {
			continue
		}
		labelled++
		want := ClassOf(labels[k], classes)
		all := true
		for i, row := range prediction {
			if want >= 0 && int(row[k]) == want {
				right[i]++
			} else {
				all = false
			}
		}
		if all {
			always++
		}
	}
	if labelled == 0 {
		return nil, 0
	}
	perTransformation = make([]float64, len(prediction))
	for i, r := range right {
		perTransformation[i] = float64(r) / float64(labelled)
	}
	return perTransformation, float64(always) / float64(labelled)
}

// ClassOf is the model's class of a suite's label, -1 for no label and for a class that the model
// does not know. classes maps labels to the model's classes; nil stands for the same numbers.
func ClassOf(label int, classes []int) int {
	switch {
	case label < 0:
		return -1
	case classes == nil:
		return label
	case label >= len(classes):
		return -1
	}
	return classes[label]
}
