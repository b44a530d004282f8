package assess

import (
	"math"

	"github.com/variscope/variscope/engine/variance"
)

// Robust computes the four scores of Eq. 1 (spec/assessors.md, "Robust-accuracy baseline").
// prediction is T rows of m classes in the model's numbering; labels and classes are those of
// variance.Accuracy; identity is the row of the identity; images are those that count.
//
// Images without label count for the two consistencies alone. A score over nothing is NaN: all four
// without images, the correct ones without labels, ConsistencyMean for the identity alone.
func Robust(prediction [][]int32, labels, classes []int, identity int, images []int) Scores {
	var t Tally
	t.Add(prediction, labels, classes, identity, images)
	return t.Scores()
}

// Tally is Robust for predictions that come piece by piece: the counts of all pieces together, so
// that the scores have the same bits however the images were cut. The zero value has counted
// nothing.
type Tally struct {
	same, right count
	perRow      []int // right predictions per transformation
}

// Add counts some images. The arguments are those of Robust; the pieces must have the same
// transformations.
func (t *Tally) Add(prediction [][]int32, labels, classes []int, identity int, images []int) {
	rows := len(prediction)
	if rows == 0 {
		return
	}
	if t.perRow == nil {
		t.perRow = make([]int, rows)
	}
	for _, k := range images {
		t.same.add(matches(prediction, k, int(prediction[identity][k]))-1, rows-1)
		if labels == nil || labels[k] < 0 {
			continue
		}
		want := variance.ClassOf(labels[k], classes)
		t.right.add(matches(prediction, k, want), rows)
		for i, row := range prediction {
			if int(row[k]) == want {
				t.perRow[i]++
			}
		}
	}
}

// Scores are the four scores of what was counted.
func (t *Tally) Scores() Scores {
	return Scores{
		CorrectProduct: share(t.right.always, t.right.images), CorrectMean: share(t.right.cells, t.right.of),
		ConsistencyProduct: share(t.same.always, t.same.images), ConsistencyMean: share(t.same.cells, t.same.of),
	}
}

// Labelled is the number of images with a label.
func (t *Tally) Labelled() int { return t.right.images }

// Accuracies are the shares of labelled images that are predicted rightly, per transformation:
// those of variance.Accuracy. nil where no image has a label.
func (t *Tally) Accuracies() []float64 {
	if t.right.images == 0 {
		return nil
	}
	shares := make([]float64, len(t.perRow))
	for i, n := range t.perRow {
		shares[i] = share(n, t.right.images)
	}
	return shares
}

// matches counts the transformations under which image k is predicted as class.
func matches(prediction [][]int32, k, class int) int {
	n := 0
	for _, row := range prediction {
		if int(row[k]) == class {
			n++
		}
	}
	return n
}

// count is how often something holds: for images under all transformations, and for cells of image
// and transformation.
type count struct{ always, images, cells, of int }

// add takes in an image for which it holds under n of so many transformations.
func (c *count) add(n, of int) {
	if n == of {
		c.always++
	}
	c.images++
	c.cells += n
	c.of += of
}

// share is part of whole, NaN of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}
