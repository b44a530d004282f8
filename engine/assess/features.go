package assess

import (
	"context"
	"math"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
)

// Features are the features of one model over one choice of images.
type Features struct {
	Vector   feature.Vector
	Scores   Scores
	Accuracy float64       // under the identity, NaN without labels
	Images   int           // how many were chosen
	Chance   chance.Counts // over all images of the suite, whatever was chosen
}

// Basis is what the features of a model are measured on.
type Basis struct {
	Set             *signal.Set
	Labels, Classes []int // of the suite, nil for one without any; the class of the model for each
	Layout          feature.Layout
	Images          []int // that count, ascending
}

// NewBasis chooses the images. The errors are those of variance.Images.Choose.
func NewBasis(set *signal.Set, labels, classes []int, layout feature.Layout, images variance.Images) (Basis, error) {
	if images.Share < 1 {
		layout = layout.Apart(images.Seed)
	}
	at := transform.IdentityOf(set.Spec.Family, set.Transformations)
	chosen, err := images.Choose(labels, set.Predictions()[at], classes)
	return Basis{set, labels, classes, layout, chosen}, err
}

// subsetsAtOnce is how many choices of images are measured between two looks at the context.
const subsetsAtOnce = 8

// FeaturesOf measures a set of signals: one result per subset (image numbers, ascending), or where
// subsets is nil one for the chosen images. labels are those of the suite, nil for one without
// any; classes is the class of the model for each of them (Robust). The errors are those of
// variance.Images.Choose and feature.Layout.Vectors, and the end of ctx.
func FeaturesOf(
	ctx context.Context, set *signal.Set, labels, classes []int,
	layout feature.Layout, images variance.Images, subsets [][]int,
) ([]Features, error) {
	at := transform.IdentityOf(set.Spec.Family, set.Transformations)
	if subsets == nil {
		on, err := NewBasis(set, labels, classes, layout, images)
		if err != nil {
			return nil, err
		}
		layout, subsets = on.Layout, [][]int{on.Images}
	}
	level := ChanceOf(set, labels, classes)
	list := make([]Features, 0, len(subsets))
	for len(list) < len(subsets) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some := subsets[len(list):min(len(list)+subsetsAtOnce, len(subsets))]
		vectors, err := layout.Vectors(set, some)
		if err != nil {
			return nil, err
		}
		for i, images := range some {
			f := Features{Vector: vectors[i], Images: len(images), Chance: level, Accuracy: math.NaN()}
			f.Scores = Robust(set.Predictions(), labels, classes, at, images)
			if labels != nil {
				if right, _ := variance.Accuracy(set.Predictions()[at:at+1], labels, classes, images); right != nil {
					f.Accuracy = right[0]
				}
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// ChanceOf counts what the chance level of a set's model rests on, over all images.
func ChanceOf(set *signal.Set, labels, classes []int) chance.Counts {
	every := stats.UpTo(set.Images)
	at := transform.IdentityOf(set.Spec.Family, set.Transformations)
	return chance.Count(set.Predictions()[at], labels, classes, every, set.Classes)
}
