package matrixfile

import (
	"fmt"
	"io"

	"github.com/variscope/variscope/engine/numpy"
	"github.com/variscope/variscope/engine/variance"
)

// The limits on arrays from files: the transformations of a family, and the numbers of all arrays.
const (
	maxTransformations = 1 << 12
	maxNumbers         = 1 << 28 // of an archive: one of a few kilobytes can be unpacked into any number of zeros
)

// readMatrix reads a variance matrix, N x N numbers of any kind, from a .npy file.
func readMatrix(r io.Reader) (m variance.Matrix, err error) {
	array, err := numpy.Open(r, maxTransformations*maxTransformations)
	if err != nil {
		return m, err
	}
	shape := array.Shape
	if len(shape) != 2 || shape[0] != shape[1] || shape[0] < 2 {
		return m, fmt.Errorf("an array of shape %v is no variance matrix", shape)
	}
	m.N = shape[0]
	m.Data, err = array.ReadNumbers()
	return m, err
}

// readVector reads the values of V.
func readVector(r io.Reader) ([]float64, error) {
	array, err := numpy.Open(r, maxTransformations)
	if err != nil {
		return nil, err
	}
	if len(array.Shape) != 1 {
		return nil, fmt.Errorf("an array of shape %v is no list of sampling values", array.Shape)
	}
	return array.ReadNumbers()
}
