package calibration

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// set has the same softmax vectors, images x classes, under each transformation of a family.
func set(family string, transformations, classes int, softmax []float32) *signal.Set {
	s := &signal.Set{Spec: signal.Spec{Family: family}, Transformations: transformations, Classes: classes}
	s.Images = len(softmax) / classes
	for range transformations {
		for row := range slices.Chunk(softmax, classes) {
			class := signal.Argmax(row)
			s.Prediction, s.Confidence = append(s.Prediction, int32(class)), append(s.Confidence, row[class])
		}
		s.Softmax = append(s.Softmax, softmax...)
	}
	return s
}

var usual = Settings{Bins: 15, Resamples: 50, Seed: 1}

// measured measures sets that come one after the other.
func measured(t testdata.TB, labels []int, s Settings, workers int, parts ...*signal.Set) Result {
	t.Helper()
	m, err := NewMeter(parts[0].Spec.Family, labels, nil, s.Original)
	testdata.OK(t, err)
	for _, part := range parts {
		testdata.OK(t, m.Add(part))
	}
	r, err := m.Result(context.Background(), s, workers)
	testdata.OK(t, err)
	return r
}

// random draws softmax vectors of so many images, and labels that they hit often.
func random(rng *rand.Rand, images, classes int) (softmax []float32, labels []int) {
	for range images {
		row := make([]float32, classes)
		for c := range row {
			row[c] = float32(2 * rng.NormFloat64())
		}
		label := rng.IntN(classes)
		row[label]++
		signal.Softmax(row, row, model.Logits)
		softmax, labels = append(softmax, row...), append(labels, label)
	}
	return softmax, labels
}

// TestGoldenCalibration: what scripts/golden/calibration.py has computed.
func TestGoldenCalibration(t *testing.T) {
	var tolerance struct{ Abs float64 }
	testdata.Cases(t, testdata.Further(t, "calibration"), &tolerance, func(t *testing.T, c testdata.Case) {
		var in struct {
			Kind            string
			Bins, Resamples int
			Seed            uint64
			P               [][]float32
			Label           []int
		}
		var w struct {
			Accuracy, Confidence, ECE, Low, High, Chance, MCE, Brier, NLL, Temperature float64
			Scaled                                                                     float64 `json:"ece_scaled"`
			Sizes                                                                      []int
		}
		c.Read(t, &in, &w)
		all := set(transform.Plain, 1, len(in.P[0]), slices.Concat(in.P...))
		row := measured(t, in.Label, Settings{Bins: in.Bins, Resamples: in.Resamples, Seed: in.Seed}, 1, all).Rows[0]
		var sizes []int
		for _, b := range row.Bins {
			sizes = append(sizes, b.Images)
		}
		testdata.Equal(t, "images of the bins", sizes, w.Sizes)
		if !row.Unfitted.None() || !row.Unscaled.None() {
			t.Errorf("%s %s", row.Unfitted, row.Unscaled)
		}
		testdata.NearAll(t, "value",
			[]float64{
				row.Accuracy(), row.Confidence, row.ECE(), row.Low, row.High, row.Chance, row.Largest(), row.Brier,
				row.NLL, row.Temperature, row.Scaled,
			}, []float64{
				w.Accuracy, w.Confidence, w.ECE, w.Low, w.High, w.Chance, w.MCE, w.Brier, w.NLL,
				w.Temperature, w.Scaled,
			}, tolerance.Abs)
	})
}

func TestBinsAreEquallyLargeAndPartNoTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 20).Draw(t, "bins")
		confidence := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 40), func(k int) float64 { return float64(k) / 40 }),
			1, 60).
			Draw(t, "confidence")
		correct := rapid.SliceOfN(rapid.Bool(), len(confidence), len(confidence)).Draw(t, "correct")
		bins := newPool(confidence, correct).bins(most)
		seen, last := 0, -1.0
		for k, b := range bins {
			inside, right, sum, lowest := 0, 0, 0.0, 0
			for i, c := range confidence {
				if c >= b.Lowest && c <= b.Highest {
					inside, sum = inside+1, sum+c
					if correct[i] {
						right++
					}
				}
				if c < b.Highest {
					lowest++
				}
			}
			if b.Images != inside || b.Correct != right || b.Lowest <= last {
				t.Fatalf("bin %d %+v of %v has %d images, %d right", k, b, confidence, inside, right)
			}
			testdata.Near(t, "mean confidence", b.Confidence, sum/float64(inside), 1e-12)
			// It ends with the first place at which the next goal is met: without that place it is
			// not.
			goal := seen*most/len(confidence) + 1
			if seen += inside; seen*most < goal*len(confidence) || lowest*most >= goal*len(confidence) {
				t.Fatalf("bin %d of %v ends at %d images, not where %d/%d are met", k, confidence, seen, goal, most)
			}
			last = b.Highest
		}
		if seen != len(confidence) || len(bins) > most {
			t.Fatalf("%d of %d images in %d bins", seen, len(confidence), len(bins))
		}
	})
}

// The search finds what a dense grid finds, and says so where the best lies at an end of it.
func TestTemperatureEqualsTheBestOfAGrid(t *testing.T) {
	const places = 400
	ended := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 7))
		softmax, labels := random(rng, 1+rng.IntN(12), 2+rng.IntN(4))
		l := newLogits(softmax, len(softmax)/len(labels), labels)
		best, at, grid := math.Inf(1), 0, make([]float64, places+1)
		for k := range grid {
			grid[k] = lowest * math.Pow(highest/lowest, float64(k)/places)
			if loss, _, _ := l.loss(1/grid[k], 0, 1); loss < best {
				best, at = loss, k
			}
		}
		temperature, why := l.temperature(0, 1)
		if !why.None() {
			if ended++; at != 0 && at != places {
				t.Errorf("seed %d: %s, but the best is %g", seed, why, grid[at])
			}
			continue
		}
		loss, _, _ := l.loss(1/temperature, 0, 1)
		if loss > best || temperature < grid[max(at-1, 0)] || temperature > grid[min(at+1, places)] {
			t.Errorf("seed %d: temperature %g with loss %g, best of the grid %g with %g",
				seed, temperature, loss, grid[at], best)
		}
	}
	if ended == 0 || ended > 30 {
		t.Errorf("%d of 40 end at a bound", ended)
	}
}

func TestSameBitsForAnyPartsAndGoroutines(t *testing.T) {
	softmax, labels := random(rand.New(rand.NewPCG(1, 1)), 90, 3)
	labels[4] = -1
	want := measured(t, labels, usual, 1, set(transform.Rot90, 4, 3, softmax))
	first, second := set(transform.Rot90, 4, 3, softmax[:120]), set(transform.Rot90, 4, 3, softmax[120:])
	again := measured(t, labels, usual, 3, first, second)
	if diff := cmp.Diff(want, again, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	other := usual
	other.Seed++
	seeded := measured(t, labels, other, 1, set(transform.Rot90, 4, 3, softmax))
	if seeded.Rows[0].Low == want.Rows[0].Low && seeded.Rows[0].High == want.Rows[0].High {
		t.Error("another seed draws the same resamples")
	}
	if want.Labelled != 89 || want.Images != 90 || want.Rows[2].Name != "rot90 180°" {
		t.Errorf("%d of %d images, %s", want.Labelled, want.Images, want.Rows[2].Name)
	}
}

// TestCoverage draws samples of known calibration: the interval holds the true ECE as often as
// docs/results.md says, also where it is 0 and every sample's is above, and the chance level
// is the mean ECE of calibrated samples.
func TestCoverage(t *testing.T) {
	type held struct {
		over      float64 // confidence less accuracy
		low, high float64 // share of the intervals that hold the true ECE
	}
	seed, long := testdata.Coverage()
	samples, sizes := 60, map[int][]held{300: {{0, 0.95, 1}, {0.1, 0.83, 0.94}}}
	settings := Settings{Bins: 15, Resamples: 100, Seed: 1}
	if long {
		samples, settings.Resamples = 400, 300
		sizes[300] = append(sizes[300], held{0.02, 0.83, 0.94}, held{0.05, 0.83, 0.94})
		sizes[4000] = []held{{0, 0.95, 1}, {0.02, 0.87, 0.96}, {0.05, 0.87, 0.96}, {0.1, 0.87, 0.96}}
	}
	for images, list := range sizes {
		for _, want := range list {
			rng := rand.New(rand.NewPCG(seed, uint64(images)))
			holds, mean, chance := 0, 0.0, 0.0
			for range samples {
				var confidence []float64
				var correct []bool
				for range images {
					c := 0.5 + rng.Float64()/2
					confidence, correct = append(confidence, c), append(correct, rng.Float64() < c-want.over)
				}
				p := newPool(confidence, correct)
				mean += expected(p.bins(settings.Bins)) / float64(samples)
				low, high, by := p.interval(t.Context(), settings)
				if chance += by / float64(samples); low <= want.over && want.over <= high {
					holds++
				}
			}
			what := fmt.Sprintf("ECE of %g over %d images", want.over, images)
			if long {
				fmt.Printf("%s: %d of %d intervals\n", what, holds, samples)
			}
			testdata.Holds(t, what, holds, samples, want.low, want.high)
			if want.over == 0 {
				testdata.Near(t, "ECE by chance", chance, mean, 0.005)
			}
		}
	}
}

// Values that there cannot be say why; all others are there.
func TestMissingValuesHaveReasons(t *testing.T) {
	softmax, labels := random(rand.New(rand.NewPCG(5, 5)), 40, 3)
	unknown := slices.Clone(labels)
	unknown[7] = 3
	right := make([]int, 40)
	for i, row := range slices.Collect(slices.Chunk(softmax, 3)) {
		right[i] = signal.Argmax(row)
	}
	many, sigmoid := set(transform.Plain, 1, 3, softmax), set(transform.Plain, 1, 3, softmax)
	many.Softmax, many.Classes, sigmoid.Spec.OutputKind = nil, 120, model.Sigmoid
	ones := set(transform.Plain, 1, 1, slices.Repeat([]float32{1}, 40))
	even := set(transform.Plain, 1, 2, slices.Repeat([]float32{0.5, 0.5}, 40))
	for name, c := range map[string]struct {
		set      *signal.Set
		labels   []int
		ece      bool
		nll, fit string // codes
	}{
		"all":            {set(transform.Plain, 1, 3, softmax), labels, true, "", ""},
		"no labels":      {many, nil, false, invariance.NoLabels, invariance.NoLabels},
		"labels of none": {many, slices.Repeat([]int{-1}, 40), false, invariance.NoLabels, invariance.NoLabels},
		"many classes":   {many, labels, true, invariance.NoSoftmax, invariance.NoSoftmax},
		"independent":    {sigmoid, labels, true, Independent, Independent},
		"unknown class":  {set(transform.Plain, 1, 3, softmax), unknown, true, UnknownClass, UnknownClass},
		"one class":      {ones, make([]int, 40), true, "", OneClass},
		"constant":       {even, slices.Repeat([]int{0, 1}, 20), true, "", NoTemperature},
		"all right":      {set(transform.Plain, 1, 3, softmax), right, true, "", NoTemperature},
		"one image":      {set(transform.Plain, 1, 3, softmax[:3]), []int{2}, true, "", NoTemperature},
	} {
		m := Measured{subject.Subject{}, "", measured(t, c.labels, usual, 1, c.set)}
		sheet := Results.Sheet([]Measured{m})
		for key, want := range map[string]string{
			"nll": c.nll, "brier": c.nll, "temperature": c.fit,
			"ece_scaled": c.fit,
		} {
			f := sheet.Fields[sheet.Field(key)]
			if f.Why(0).Code != want || f.Missing(0) != (want != "") {
				t.Errorf("%s: %s is %s because of %q, want %q", name, key, f.Say(0), f.Why(0).Code, want)
			}
		}
		f := sheet.Fields[sheet.Field("ece")]
		drawn := m.Original().Figure().Drawable()
		if f.Missing(0) == c.ece || drawn != c.ece || !c.ece && f.Why(0).Code != invariance.NoLabels {
			t.Errorf("%s: ECE %s, %q", name, f.Say(0), f.Why(0).Code)
		}
		if name == "constant" && (len(m.Rows[0].Bins) != 1 || m.Rows[0].ECE() != 0) {
			t.Errorf("constant confidence: %+v", m.Rows[0])
		}
	}
}

func TestWhatIsNoProbabilityIsRefused(t *testing.T) {
	nan := float32(math.NaN())
	for want, change := range map[string]func(*signal.Set){
		"image 1: transformation 0: confidence NaN":                 func(s *signal.Set) { s.Confidence[1] = nan },
		"image 1: transformation 1: softmax entry 0 is -0.5":        func(s *signal.Set) { s.Softmax[6] = -0.5 },
		"image 0: transformation 1: a softmax vector sums to 1.25":  func(s *signal.Set) { s.Softmax[4] = 0.75 },
		"image 0: transformation 0: prediction 2 of a model with 2": func(s *signal.Set) { s.Prediction[0] = 2 },
		"3 transformations for grayscale, which has 2":              func(s *signal.Set) { s.Transformations = 3 },
		"signals of 2 images, but labels of 1":                      nil,
		"1 predictions and 4 confidences for 2 images": func(s *signal.Set) {
			s.Prediction = s.Prediction[:1]
		},
		"5 softmax entries for 4 vectors of 2 classes": func(s *signal.Set) { s.Softmax = s.Softmax[:5] },
	} {
		s, labels := set(transform.Grayscale, 2, 2, []float32{0.5, 0.5, 1, 0}), []int{0, 1}
		if change == nil {
			labels = labels[:1]
		} else {
			change(s)
		}
		m, err := NewMeter(transform.Grayscale, labels, nil, false)
		testdata.OK(t, err)
		testdata.Refused(t, want, m.Add(s), want)
	}
	_, err := NewMeter("mask:2", nil, nil, false)
	testdata.Refused(t, "masks", err, "mask:2 deletes regions inside the model")
	m, err := NewMeter(transform.Plain, []int{0}, nil, false)
	testdata.OK(t, err)
	_, err = m.Result(t.Context(), usual, 1)
	testdata.Refused(t, "zero images", err, "no image was measured")
	testdata.OK(t, m.Add(set(transform.Plain, 1, 1, []float32{1})))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = m.Result(ended, usual, 1)
	testdata.Refused(t, "ended", err, context.Canceled.Error())
}

func TestTablesAndFiguresOfAFamily(t *testing.T) {
	softmax, labels := random(rand.New(rand.NewPCG(2, 2)), 60, 3)
	family := "rotation:-10:10:10;interpolation=bilinear;border=zero"
	m := Measured{
		subject.Subject{Model: "m", Suite: "pets", Family: family, FamilyName: "rotation"},
		"cuda",
		measured(t, labels, usual, 1, set(family, 3, 3, softmax)),
	}
	for _, err := range []error{Results.Check(), Transformations.Check(), Bins.Check()} {
		testdata.OK(t, err)
	}
	rows := []Measured{m}
	for k, sheet := range Sheets(rows) {
		if want := []int{1, 3, 45}[k]; sheet.Len() != want {
			t.Errorf("%s has %d rows, want %d", sheet.Name, sheet.Len(), want)
		}
	}
	s := Steps(rows)
	if s[0].At() != -10 || s[1].At() != 0 || s[2].ID() != m.ID()+"/2" || m.Original().Transformation != 1 {
		t.Errorf("steps %+v", s)
	}
	f := m.Original().Figure()
	testdata.OK(t, f.Check())
	share := 0.0
	for _, b := range f.Boxes {
		share += b.Y1
	}
	testdata.Near(t, "sum of the shares", share, 1, 1e-12)
	if len(f.Points) != 15 || !strings.Contains(f.Tell(0), "bin 1, 4 images, accuracy in bins: confidence ") {
		t.Errorf("%d points: %s", len(f.Points), f.Tell(0))
	}
	for _, p := range f.Points {
		if !(p.Low <= p.Y && p.Y <= p.High && p.Low < p.High) {
			t.Errorf("%+v", p)
		}
	}
	for _, c := range Curves() {
		f := c.Figure(m)
		testdata.OK(t, f.Check())
		if !slices.Equal(f.Lines[0].X, []float64{-10, 0, 10}) || f.X.Name != "V: rotation" {
			t.Errorf("%s over %v", c.Name, f.Lines)
		}
	}
}
