package evaluate

import (
	"cmp"
	"context"
	"slices"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Low is an image with a low EI under a transformation.
type Low struct {
	Image, Transformation int
	EI, JS                float64 // JS is NaN where whole softmax vectors are not kept
}

// compare orders by EI. Among equals the one that changed more, by JS, comes first: a prediction
// that flips with confidence says more than one that hesitates.
func (l Low) compare(m Low) int {
	return cmp.Or(cmp.Compare(l.EI, m.EI), cmp.Compare(m.JS, l.JS))
}

// Lowest returns the images of a set of signals (its key) with the lowest EI, the lowest first, and
// at most so many: each once, under the transformation in which it is lowest. Transformations
// that under refuses do not count. It is slow (files).
func Lowest(
	ctx context.Context, ws *store.Workspace, key string, under func(transformation int) bool, most int,
) ([]Low, error) {
	var list []Low
	err := PerImage(ctx, ws, key, func(image, transformation int, v invariance.Values) {
		if under(transformation) {
			list = lower(list, Low{image, transformation, v[invariance.EI], v[invariance.JS]})
		}
	})
	slices.SortStableFunc(list, func(a, b Low) int { return cmp.Or(a.compare(b), cmp.Compare(a.Image, b.Image)) })
	return list[:min(len(list), most)], err
}

// lower takes in a value; images come one after the other.
func lower(list []Low, next Low) []Low {
	last := len(list) - 1
	switch {
	case last < 0 || list[last].Image != next.Image:
		return append(list, next)
	case next.compare(list[last]) < 0:
		list[last] = next
	}
	return list
}

// Gap is a set that some models have no results for on a suite, and could have.
type Gap struct {
	Set    string
	Models []string // hashes
}

// Gaps are the sets that are usual for effective invariance and not measured for all models on a
// suite (its hash). Gray does not change models of one channel; only square images can be turned.
func Gaps(models []model.Model, rows []invariance.Measured, suite string) []Gap {
	there := map[[3]string]bool{}
	for _, m := range rows {
		there[[3]string{m.Model.Hash, m.Suite, m.Family}] = true
	}
	var list []Gap
	for _, set := range Usual() {
		g := Gap{Set: set}
		for _, m := range models {
			in := m.Graph.Input
			suits := in.Height == in.Width // also where the sizes are not known
			if set == transform.Grayscale {
				suits = in.Channels != 1
			}
			if suits && !there[[3]string{m.Hash, suite, set}] {
				g.Models = append(g.Models, m.Hash)
			}
		}
		if len(g.Models) > 0 {
			list = append(list, g)
		}
	}
	return list
}
