package diagnosis

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// Image is what a diagnosis says of one image: the scores of its true class (of the model's
// prediction without a label) untouched, per masked region and per shift, the predictions, and the
// distributions made of the scores (dscore.Single).
type Image struct {
	Index               int
	Class               int  // whose scores these are, in the model's numbering
	True                bool // Class is the true one; otherwise it is the prediction for the untouched image
	Original            float64
	Variants, Shifted   []float64
	Predicted           int
	PredictedVariants   []int
	PredictedShifted    []int
	Features, Attention []float64
}

// ErrNoScores says that the scores of an image's class were not kept.
var ErrNoScores = errors.New("its scores are not kept")

// OneImage reads what is needed for one image of a diagnosis. Where the model has more than
// signal.FullSoftmaxClasses classes, whole softmax vectors are not kept, but the true class's
// score is; an image without a label (or of a class that the model does not know) is ErrNoScores
// then.
func OneImage(ctx context.Context, ws *store.Workspace, d dscore.Diagnosis, index int) (Image, error) {
	img, err := oneImage(ctx, ws, d, index)
	if err != nil {
		return Image{}, fmt.Errorf("image %d of %s, model %s: %w", index, d.SuiteName, d.Model.ID, err)
	}
	return img, nil
}

func oneImage(ctx context.Context, ws *store.Workspace, d dscore.Diagnosis, index int) (Image, error) {
	s, err := ws.Suite(d.Suite)
	if err != nil {
		return Image{}, err
	}
	if index < 0 || index >= s.Images || index >= len(s.Labels) {
		return Image{}, fmt.Errorf("the suite has %d images, from 0 on", s.Images)
	}
	want := store.Want{Softmax: true, Predictions: true}
	chunk, at := index/signal.ChunkSize, index%signal.ChunkSize
	masked, err := ws.LoadChunk(ctx, d.MaskKey, want, chunk)
	if err != nil {
		return Image{}, err
	}
	shifted, err := ws.LoadChunk(ctx, d.ShiftKey, want, chunk)
	if err != nil {
		return Image{}, err
	}
	img := Image{Index: index, Class: variance.ClassOf(s.Labels[index], d.ClassMap), True: true}
	predictions := predictedFor(masked, at)
	img.Predicted, img.PredictedVariants, img.PredictedShifted = predictions[0], predictions[1:],
		predictedFor(shifted, at)[1:]
	if img.Class < 0 {
		img.Class, img.True = img.Predicted, false
	}
	scores, err := scoresOf(masked, at, img)
	if err != nil {
		return Image{}, err
	}
	img.Original, img.Variants = scores[0], scores[1:]
	if scores, err = scoresOf(shifted, at, img); err != nil {
		return Image{}, err
	}
	img.Shifted = scores[1:]
	img.Features, img.Attention = dscore.Single(img.Original, img.Variants, img.Shifted)
	return img, nil
}

// predictedFor are the predictions for image x of a part under all transformations.
func predictedFor(part *signal.Set, x int) []int {
	list := make([]int, part.Transformations)
	for t, row := range part.Predictions() {
		list[t] = int(row[x])
	}
	return list
}

// scoresOf are the softmax scores of the image's class for image x of a part under all
// transformations.
func scoresOf(part *signal.Set, x int, img Image) ([]float64, error) {
	list := make([]float64, part.Transformations)
	for t := range list {
		cell := t*part.Images + x
		switch {
		case part.Softmax != nil && img.Class < part.Classes:
			list[t] = float64(part.Softmax[cell*part.Classes+img.Class])
		case part.Softmax == nil && img.True && part.TrueScore != nil:
			list[t] = float64(part.TrueScore[cell])
		case img.True:
			return nil, fmt.Errorf("%w: there is no score of class %d", ErrNoScores, img.Class)
		default:
			return nil, fmt.Errorf("%w: it has no label that the model knows, and of a model with %d classes only "+
				"the score of the true class "+
				"is kept; whole softmax vectors are kept up to %d classes",
				ErrNoScores, part.Classes, signal.FullSoftmaxClasses)
		}
	}
	return list, nil
}
