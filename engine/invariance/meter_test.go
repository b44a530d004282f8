package invariance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// family is a small family with its identity in the middle.
const family = "rotation:-10:10:10;interpolation=bilinear;border=zero"

// made draws the signals of a model under the transformations of a family or set.
func made(random *rand.Rand, transformations, images, classes int) *signal.Set {
	s := &signal.Set{Transformations: transformations, Images: images, Classes: classes}
	row := make([]float32, classes)
	for range transformations * images {
		for c := range row {
			row[c] = float32(4 * random.NormFloat64())
		}
		soft := make([]float32, classes)
		signal.Softmax(soft, row, "logits")
		top := signal.Argmax(soft)
		s.Prediction, s.Confidence = append(s.Prediction, int32(top)), append(s.Confidence, soft[top])
		if classes <= signal.FullSoftmaxClasses {
			s.Softmax = append(s.Softmax, soft...)
		}
	}
	return s
}

// part cuts images first to end out of a set.
func part(s *signal.Set, first, end int) *signal.Set {
	p := &signal.Set{Transformations: s.Transformations, Images: end - first, Classes: s.Classes}
	for t := range s.Transformations {
		from, to := t*s.Images+first, t*s.Images+end
		p.Prediction, p.Confidence = append(p.Prediction, s.Prediction[from:to]...),
			append(p.Confidence, s.Confidence[from:to]...)
		if s.Softmax != nil {
			p.Softmax = append(p.Softmax, s.Softmax[from*s.Classes:to*s.Classes]...)
		}
	}
	return p
}

func metered(t testing.TB, family string, labels, classes []int, parts ...*signal.Set) Result {
	t.Helper()
	m := testdata.Must(NewMeter(family, labels, classes))(t)
	for _, p := range parts {
		testdata.OK(t, m.Add(p, nil))
	}
	return testdata.Must(m.Result())(t)
}

func wide(row []float32) []float64 {
	list := make([]float64, len(row))
	for c, v := range row {
		list[c] = float64(v)
	}
	return list
}

// The meter is the spec over all images: means of Compare, the accuracies of the matrices, the
// scores of assessors.
func TestMeterIsTheMeanOfPairs(t *testing.T) {
	for _, text := range []string{transform.Rot90, transform.Grayscale, family} {
		f := testdata.Must(transform.ParseAny(text))(t)
		s := made(rand.New(rand.NewPCG(7, 1)), f.N(), 57, 6)
		labels, classes := make([]int, s.Images), []int{1, 0, 2, 3, -1, 5}
		var every []int
		for k := range labels {
			labels[k] = k%7 - 1
			every = append(every, k)
		}
		r := metered(t, text, labels, classes, s)
		accuracy, _ := variance.Accuracy(s.Predictions(), labels, classes, every)
		if r.Images != 57 || r.Labelled != 48 || r.Accuracy != accuracy[f.Identity()] || !r.Missing.None() ||
			len(r.Rows) != f.N()-1 {
			t.Errorf("%s: %+v", text, r)
		}
		testdata.Is(t, fmt.Sprintf("%s: scores", text),
			r.Scores, assess.Robust(s.Predictions(), labels, classes, f.Identity(), every))
		var mean Values
		drop := 0.0
		for _, row := range r.Rows {
			value := math.NaN()
			if values := f.Values(); len(values) > 0 {
				value = values[row.Transformation]
			}
			testdata.Near(t, text+": V", row.V, value, 0)
			if row.Transformation == f.Identity() || row.Name != f.Describe(row.Transformation) {
				t.Errorf("%s: row %+v", text, row)
			}
			want := meanPair(t, s, f.Identity(), row.Transformation)
			for m := range Measures {
				if !near(row.Mean[m], want[m], 1e-6) { // confidences are rounded to float32
					t.Errorf("%s: %s of %s = %v, want %v", text, m, row.Name, row.Mean[m], want[m])
				}
				mean[m] += row.Mean[m]
			}
			if row.Accuracy != accuracy[row.Transformation] || row.AccuracyDrop != r.Accuracy-row.Accuracy {
				t.Errorf("%s: %+v, want accuracy %v", text, row, accuracy[row.Transformation])
			}
			drop += row.AccuracyDrop
		}
		for m := range Measures {
			if !near(r.Mean[m], mean[m]/float64(len(r.Rows)), 1e-14) {
				t.Errorf("%s: mean %s = %v, want %v", text, m, r.Mean[m], mean[m]/float64(len(r.Rows)))
			}
		}
		if !near(r.Drop, drop/float64(len(r.Rows)), 1e-14) ||
			!near(r.Mean[Consistent], r.Scores.ConsistencyMean, 1e-14) {
			t.Errorf("%s: drop %v, consistent %v", text, r.Drop, r.Mean[Consistent])
		}
	}
}

func meanPair(t *testing.T, s *signal.Set, identity, changed int) (mean Values) {
	for k := range s.Images {
		v := testdata.Must(Compare(wide(softmax(s, identity, k)), wide(softmax(s, changed, k))))(t)
		for m := range v {
			mean[m] += v[m] / float64(s.Images)
		}
	}
	return mean
}

// However the images are cut, every bit of the result is the same, and perImage sees every pair
// once, in order.
func TestMeterDoesNotSeeTheCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		s := made(random, 4, rapid.IntRange(1, 30).Draw(t, "images"), 3)
		var labels []int
		if rapid.Bool().Draw(t, "labelled") {
			for range s.Images {
				labels = append(labels, random.IntN(4)-1)
			}
		}
		size := rapid.IntRange(1, 30).Draw(t, "size")
		whole := testdata.Must(NewMeter(transform.Rot90, labels, nil))(t)
		cut := testdata.Must(NewMeter(transform.Rot90, labels, nil))(t)
		var seen []int
		var sum float64
		note := func(image, transformation int, v Values) {
			seen, sum = append(seen, image*4+transformation), sum+v[EI]
		}
		testdata.OK(t, whole.Add(s, nil))
		for first := 0; first < s.Images; first += size {
			testdata.OK(t, cut.Add(part(s, first, min(first+size, s.Images)), note))
		}
		a, b := testdata.Must(whole.Result())(t), testdata.Must(cut.Result())(t)
		testdata.Is(t, "the result of pieces", fmt.Sprint(b), fmt.Sprint(a)) // in which NaN equals NaN
		if len(seen) != 3*s.Images || !slices.IsSorted(seen) || !near(sum/float64(len(seen)), a.Mean[EI], 1e-12) {
			t.Fatalf("%d pairs with mean %v, want %d with %v",
				len(seen), sum/float64(len(seen)), 3*s.Images, a.Mean[EI])
		}
	})
}

// Without whole vectors EI is the same, the others are missing with a reason.
func TestMeterWithManyClasses(t *testing.T) {
	few := made(rand.New(rand.NewPCG(3, 3)), 4, 20, 5)
	many := &signal.Set{
		Transformations: 4, Images: 20, Classes: 1000, Prediction: few.Prediction, Confidence: few.Confidence,
	}
	a, b := metered(t, transform.Rot90, nil, nil, few), metered(t, transform.Rot90, nil, nil, many)
	for _, m := range []Measure{EI, Product, Consistent} {
		testdata.Is(t, fmt.Sprint(m), a.Mean[m], b.Mean[m])
	}
	for _, m := range []Measure{JS, L2, KL, KLReverse} {
		if math.IsNaN(a.Mean[m]) || !math.IsNaN(b.Mean[m]) {
			t.Errorf("%s = %v with vectors, %v without", m, a.Mean[m], b.Mean[m])
		}
	}
	if !a.Missing.None() || b.Missing.Code != NoSoftmax ||
		b.Missing.Text != "the model has 1000 classes; whole softmax vectors are kept for at most 100" {
		t.Errorf("%q, %q", a.Missing, b.Missing)
	}
	if !math.IsNaN(b.Accuracy) || !math.IsNaN(b.Drop) || !math.IsNaN(b.Scores.CorrectProduct) ||
		math.IsNaN(b.Scores.ConsistencyProduct) || b.Labelled != 0 {
		t.Errorf("without labels: %+v", b)
	}
}

func TestMeterRefuses(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	good := made(random, 4, 6, 3)
	labels := []int{0, 1, 2, 0, 1, 2}
	type refused struct {
		name   string
		labels []int
		parts  []*signal.Set
		want   string
	}
	list := []refused{
		{"no images", nil, nil, "no image was measured"},
		{"an empty part", nil, []*signal.Set{part(good, 0, 0)}, "no image was measured"},
		{"another family", nil, []*signal.Set{made(random, 3, 6, 3)}, "3 transformations for rot90, which has 4"},
		{"more images than labels", labels[:4], []*signal.Set{good}, "signals of 6 images, but labels of 4"},
		{"fewer images than labels", labels, []*signal.Set{part(good, 0, 3)}, "signals of 3 images, but labels of 6"},
		{"two models", nil, []*signal.Set{good, made(random, 4, 6, 4)}, "the parts are of different models"},
	}
	nan32 := float32(math.NaN())
	for want, change := range map[string]func(s *signal.Set){
		"0 predictions and 24 confidences":                 func(s *signal.Set) { s.Prediction = nil },
		"softmax vectors of 3 classes: not loaded":         func(s *signal.Set) { s.Softmax = nil },
		"71 softmax entries for 24 vectors of 3 classes":   func(s *signal.Set) { s.Softmax = s.Softmax[1:] },
		"image 2: prediction 3 of a model with 3 classes":  func(s *signal.Set) { s.Prediction[2] = 3 },
		"image 1: transformation 1: prediction -1":         func(s *signal.Set) { s.Prediction[6+1] = -1 },
		"image 0: confidence 1.5":                          func(s *signal.Set) { s.Confidence[0] = 1.5 },
		"image 0: confidence NaN":                          func(s *signal.Set) { s.Confidence[0] = nan32 },
		"image 0: a softmax vector sums to 1.49":           func(s *signal.Set) { s.Softmax[0] += 0.5 },
		"image 4: transformation 2: softmax entry 0 is -1": func(s *signal.Set) { s.Softmax[(2*6+4)*3] = -1 },
	} {
		s := part(good, 0, good.Images)
		change(s)
		list = append(list, refused{want, nil, []*signal.Set{s}, want})
	}
	for _, c := range list {
		m := testdata.Must(NewMeter(transform.Rot90, c.labels, nil))(t)
		var err error
		for _, p := range c.parts {
			if err == nil {
				err = m.Add(p, nil)
			}
		}
		if err == nil {
			_, err = m.Result()
		}
		testdata.Refused(t, c.name, err, c.want)
	}
	for family, want := range map[string]string{
		transform.Plain: "plain holds the images as they are", "mask:3": "mask:3 deletes regions inside the model",
		"rot45": `family "rot45"`, "": `family ""`,
	} {
		testdata.Refused(t, fmt.Sprintf("meter of %q", family), testdata.Err(NewMeter(family, nil, nil)), want)
	}
}

func TestScoresOfAResult(t *testing.T) {
	r := metered(t, transform.Rot90, []int{0, 1, 2, 0}, nil, made(rand.New(rand.NewPCG(6, 6)), 4, 4, 3))
	for s, want := range map[Score]float64{
		ScoreEI: r.Mean[EI], ScoreProduct: r.Mean[Product], ScoreJS: r.Mean[JS], ScoreL2: r.Mean[L2],
		ScoreKL: r.Mean[KL], ScoreConsistent: r.Mean[Consistent], ScoreRobustAccuracy: r.Scores.CorrectProduct,
		ScoreCorrectMean: r.Scores.CorrectMean, ScoreConsistencyProduct: r.Scores.ConsistencyProduct,
		ScoreConsistencyMean: r.Scores.ConsistencyMean,
	} {
		testdata.Is(t, string(s), s.Of(r), want)
	}
	if !math.IsNaN(Score("kindness").Of(r)) {
		t.Error("a score that is not known has a value")
	}
}

func BenchmarkMeter(b *testing.B) {
	s := made(rand.New(rand.NewPCG(1, 1)), 4, 1024, 10)
	b.SetBytes(int64(4 * len(s.Softmax)))
	for b.Loop() {
		metered(b, transform.Rot90, nil, nil, s)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(3*1024), "ns/pair")
}

// Independent probabilities have their own measures: of two classes that exclude each other JS is
// that of the softmax vector, and rows that sum to anything are taken.
func TestIndependentProbabilities(t *testing.T) {
	measure := func(kind model.OutputKind, rows ...float32) Values {
		s := &signal.Set{
			Transformations: 2, Images: 1, Classes: 2, Prediction: []int32{0, 0},
			Confidence: []float32{rows[0], rows[2]}, Softmax: rows,
		}
		s.Spec.OutputKind = kind
		m := testdata.Must(NewMeter("grayscale", nil, nil))(t)
		testdata.OK(t, m.Add(s, nil))
		r := testdata.Must(m.Result())(t)
		return r.Rows[0].Mean
	}
	want := measure(model.Probabilities, 0.75, 0.25, 0.5, 0.5)
	got := measure(model.Sigmoid, 0.75, 0.25, 0.5, 0.5)
	for m := range Measures {
		testdata.Near(t, fmt.Sprint(m), got[m], want[m], 1e-12)
	}
	if free := measure(model.Sigmoid, 0.9, 0.8, 0.9, 0); free[EI] != float64(float32(0.9)) ||
		math.Abs(free[JS]-0.2114) > 1e-4 {
		t.Errorf("%v", free)
	}
}
