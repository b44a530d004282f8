package matrixfile

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// part are the matrices of a set, or the ends of their bands.
type part struct {
	*Set
	suffix string // of names of files
}

// parts are the matrices and, where there are bands, the lower and the upper ends of these.
func (s *Set) parts() []part {
	list := []part{{s, ""}}
	if !slices.ContainsFunc(s.Items, banded) {
		return list
	}
	end := func(of func(variance.Band) variance.Matrix) *Set {
		ends := *s
		ends.Items = nil
		for _, it := range s.Items {
			if it.Matrix = of(it.Band); banded(it) {
				ends.Items = append(ends.Items, it)
			}
		}
		return &ends
	}
	return append(list, part{end(func(b variance.Band) variance.Matrix { return b.Low }), "_low"},
		part{end(func(b variance.Band) variance.Matrix { return b.High }), "_high"})
}

func banded(it variance.Of) bool { return it.Band.Low.N > 0 }

// widths are figures of the widths of bands, in one colour range per modality.
func (s *Set) widths() (list []result.Drawn) {
	widest := map[string]float64{}
	for _, it := range s.Items {
		widest[it.Modality] = max(widest[it.Modality], it.Band.Width().Max())
	}
	for k, name := range s.names() {
		it := s.Items[k]
		if !banded(it) {
			continue
		}
		scale := render.Scale{High: widest[it.Modality], Map: &render.Viridis}
		figure := s.figure(it, it.Band.Width(), scale, it.Modality+", width of the 95 % interval")
		figure.Note += fmt.Sprintf("\n%d resamples of the images, seed %d; intervals of each element alone, not of "+
			"the largest one", s.bands.Resamples, s.bands.Seed)
		list = append(list, result.Drawn{Name: name + "_width", Figure: figure})
	}
	return list
}
