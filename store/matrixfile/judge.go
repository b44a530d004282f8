package matrixfile

import (
	"fmt"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/lookup"
)

// Known is what a suite and a set of signals tell of its images. classes maps a label to the
// model's class (store.SetInfo.ClassMap).
func Known(on suite.Manifest, set *signal.Set, classes []int) variance.Known {
	n := variance.Known{Labels: lookup.Labels(on), Names: on.Classes, Classes: classes, Predictions: set.Predictions()}
	if len(on.Files) == on.Images {
		for _, file := range on.Files {
			n.Files = append(n.Files, file.Path)
		}
	}
	return n
}

// Judge says of matrices of one model, which rest on these images of a suite (ascending) and on the
// signals of set, what the largest element of each is worth and which images are extreme. Images of
// vector modalities are not ranked.
func Judge(
	items []variance.Of, set *signal.Set, on suite.Manifest, images []int,
) (judged []variance.JudgedOf, extremes []variance.ExtremeOf, err error) {
	for _, it := range items {
		j := variance.JudgedOf{Model: it.Model, Judged: variance.Judged{
			Modality: it.Modality, Matrix: it.Matrix, Why: it.Absent, Images: len(images),
		}}
		if it.Absent.None() {
			more, err := judge(&j, set, images)
			if err != nil {
				return nil, nil, fmt.Errorf("model %s, %s: %w", it.Model, it.Modality, err)
			}
			for _, x := range more {
				if len(on.Files) == on.Images && x.Image < len(on.Files) {
					x.File = on.Files[x.Image].Path
				}
				if x.Image < len(on.Labels) && on.Labels[x.Image] >= 0 && on.Labels[x.Image] < len(on.Classes) {
					x.Class = on.Classes[on.Labels[x.Image]]
				}
				extremes = append(extremes, x)
			}
		}
		judged = append(judged, j)
	}
	return judged, extremes, nil
}

// judge judges one matrix, and returns first the removed images, then those that are flagged alone.
func judge(j *variance.JudgedOf, set *signal.Set, images []int) (list []variance.ExtremeOf, err error) {
	m, err := signal.ParseModality(j.Modality)
	if err != nil {
		return nil, err
	}
	read, differences := set.Signals, variance.ScalarDifferences
	if m.Vector() {
		read = set.Distances
		differences = func(rows [][]float32) variance.Differences {
			return variance.VectorDifferences(rows, set.Transformations)
		}
	}
	rows, err := read(m)
	if err != nil {
		return nil, err
	}
	first := (set.Transformations - j.Matrix.N) / 2 // the matrix may be cut to its middle
	d := differences(rows).Cut(first, first+j.Matrix.N-1)
	bound, known := m.Bound()
	flagged := j.Judge(d, images, bound, known, !m.Vector())
	if !j.Ranked {
		return nil, nil
	}
	kept, removed := d.Clean(images)
	if j.Flagged, j.Removed = len(flagged), len(removed); j.Removed > 0 {
		if j.Cleaned, err = d.Matrix(kept); err != nil {
			return nil, err
		}
	}
	gone := map[int]bool{}
	add := func(shares []variance.Share, out bool) {
		for _, share := range shares {
			if !gone[share.Image] {
				gone[share.Image] = true
				list = append(list, variance.ExtremeOf{
					Model: j.Model, Modality: j.Modality, Image: share.Image, Share: share.Share, Removed: out,
				})
			}
		}
	}
	add(removed, true)
	add(flagged, false)
	out := make([]int, len(list))
	for k, x := range list {
		out[k] = x.Image
	}
	j.Typical = d.TypicalFigure(j.Modality, images, out)
	return list, nil
}
