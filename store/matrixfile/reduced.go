package matrixfile

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/variance"
)

// Reduced reads, from the file at path, the same matrices from fewer images: the one of a .npy
// file, or those of the same names in an archive; nil where there is none. name is the set's file.
func (s *Set) Reduced(name, path string) ([]*variance.Matrix, error) {
	list := make([]*variance.Matrix, len(s.Items))
	if path == "" {
		return list, nil
	}
	reduced, err := Read(path)
	if err != nil {
		return nil, err
	}
	single := len(reduced.Items) == 1 && len(s.Items) == 1
	found := false
	for i, it := range s.Items {
		for _, r := range reduced.Items {
			if !single && (r.Model != it.Model || r.Modality != it.Modality) {
				continue
			}
			if r.Matrix.N != it.Matrix.N {
				return nil, fmt.Errorf("%s is %d x %d, %s %d x %d; they must be of the same transformations",
					path, r.Matrix.N, r.Matrix.N, name, it.Matrix.N, it.Matrix.N)
			}
			list[i], found = &r.Matrix, true
		}
	}
	if !found {
		return nil, errors.New(path + " has none of the matrices of " + name)
	}
	return list, nil
}
