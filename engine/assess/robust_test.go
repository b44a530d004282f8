package assess

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// slowScores is Eq. 1 word by word.
func slowScores(prediction [][]int32, truth func(i int) (class int, labelled bool), identity int, images []int) Scores {
	same := func(i, j int) bool { return prediction[j][i] == prediction[identity][i] }
	product := func(i int, holds func(i, j int) bool) float64 {
		p := 1.0
		for j := range prediction {
			if !holds(i, j) {
				p = 0
			}
		}
		return p
	}
	var s Scores
	var all, others, labelled float64
	for _, i := range images {
		all++
		s.ConsistencyProduct += product(i, same)
		for j := range prediction {
			if j != identity {
				others++
				if same(i, j) {
					s.ConsistencyMean++
				}
			}
		}
		class, ok := truth(i)
		if !ok {
			continue
		}
		right := func(i, j int) bool { return int(prediction[j][i]) == class }
		labelled++
		s.CorrectProduct += product(i, right)
		for j := range prediction {
			if right(i, j) {
				s.CorrectMean += 1 / float64(len(prediction))
			}
		}
	}
	return Scores{
		s.CorrectProduct / labelled, s.CorrectMean / labelled, s.ConsistencyProduct / all, s.ConsistencyMean / others,
	}
}

func equal(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12
}

func TestRobustEqualsTheWordsOfTheEquation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prediction, labels, classes, identity := drawnImages(t)
		var chosen []int
		for i := range labels {
			if rapid.Bool().Draw(t, "counts") {
				chosen = append(chosen, i)
			}
		}
		truth := func(i int) (int, bool) {
			switch l := labels[i]; {
			case l < 0:
				return 0, false
			case classes == nil:
				return l, true
			case l >= len(classes) || classes[l] < 0:
				return 99, true
			default:
				return classes[l], true
			}
		}
		got, want := Robust(prediction, labels, classes, identity, chosen),
			slowScores(prediction, truth, identity, chosen)
		for _, s := range scores() {
			testdata.Near(t, string(s), s.Of(got), s.Of(want), 1e-12)
		}
		if _, robust := variance.Accuracy(prediction, labels, classes, chosen); !math.IsNaN(got.CorrectProduct) {
			testdata.Is(t, "correct_product and the robust accuracy of the matrices", got.CorrectProduct, robust)
		}
	})
}

// drawnImages are predictions of images under transformations, the images' labels, the models'
// classes for these and the transformation that is the identity.
func drawnImages(t *rapid.T) (prediction [][]int32, labels, classes []int, identity int) {
	rows, images := rapid.IntRange(1, 5).Draw(t, "transformations"), rapid.IntRange(0, 20).Draw(t, "images")
	prediction = make([][]int32, rows)
	for j := range prediction {
		prediction[j] = rapid.SliceOfN(rapid.Int32Range(0, 2), images, images).Draw(t, "row")
	}
	labels = rapid.SliceOfN(rapid.IntRange(-1, 3), images, images).Draw(t, "labels")
	classes = rapid.SampledFrom([][]int{nil, {2, 0, 1}, {1, -1, 0}, {1}}).Draw(t, "classes")
	return prediction, labels, classes, rapid.IntRange(0, rows-1).Draw(t, "identity")
}

// However the images are cut, the counts are the same, and so are the accuracies of the matrices.
func TestTallyOfPiecesEqualsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prediction, labels, classes, identity := drawnImages(t)
		size := rapid.IntRange(1, len(labels)+1).Draw(t, "size")
		var tally Tally
		for first := 0; first < len(labels) || first == 0; first += size {
			piece, end := make([][]int32, len(prediction)), min(first+size, len(labels))
			for j := range piece {
				piece[j] = prediction[j][first:end]
			}
			tally.Add(piece, labels[first:end], classes, identity, testdata.UpTo(end-first))
		}
		all := testdata.UpTo(len(labels))
		got, want := tally.Scores(), Robust(prediction, labels, classes, identity, all)
		for _, s := range scores() {
			testdata.Is(t, fmt.Sprintf("%s of pieces %v, of the whole %v", s, s.Of(got), s.Of(want)),
				math.Float64bits(s.Of(got)), math.Float64bits(s.Of(want)))
		}
		accuracy, _ := variance.Accuracy(prediction, labels, classes, all)
		testdata.NearAll(t, "accuracy", tally.Accuracies(), accuracy, 0)
		labelled := slices.DeleteFunc(slices.Clone(labels), func(l int) bool { return l < 0 })
		testdata.Is(t, "labelled images", tally.Labelled(), len(labelled))
	})
}

func TestTallyOfNothing(t *testing.T) {
	var tally Tally
	tally.Add(nil, nil, nil, 0, nil)
	if !math.IsNaN(tally.Scores().ConsistencyProduct) || tally.Accuracies() != nil || tally.Labelled() != 0 {
		t.Errorf("%+v, %v", tally.Scores(), tally.Accuracies())
	}
}

func TestRobustIsUndefinedOverNothing(t *testing.T) {
	two := [][]int32{{0, 1}, {0, 0}}
	for _, c := range []struct {
		name       string
		prediction [][]int32
		labels     []int
		images     []int
		undefined  []Score
	}{
		{"no images", two, []int{0, 1}, nil, scores()},
		{"no transformations", nil, []int{0, 1}, []int{0, 1}, scores()},
		{"no labels", two, nil, []int{0, 1}, []Score{CorrectProduct, CorrectMean}},
		{"unlabelled images", two, []int{-1, -1}, []int{0, 1}, []Score{CorrectProduct, CorrectMean}},
		{"identity alone", two[:1], []int{0, 1}, []int{0, 1}, []Score{ConsistencyMean}},
	} {
		got := Robust(c.prediction, c.labels, nil, 0, c.images)
		for _, s := range scores() {
			testdata.Is(t, fmt.Sprintf("%s: %s = %v is undefined", c.name, s, s.Of(got)), math.IsNaN(s.Of(got)),
				slices.Contains(c.undefined, s))
		}
	}
}

func BenchmarkRobust(b *testing.B) {
	prediction := make([][]int32, 31)
	images := make([]int, 10000)
	labels := make([]int, len(images))
	for j := range prediction {
		prediction[j] = make([]int32, len(images))
		for i := range images {
			images[i], labels[i], prediction[j][i] = i, i%10, int32((i+i*j%7)%10)
		}
	}
	for b.Loop() {
		Robust(prediction, labels, nil, 15, images)
	}
}
