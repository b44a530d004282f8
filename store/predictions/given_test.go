package predictions

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

func givenOf(d rank.Data, m rank.Method) (rank.Given, bool) {
	for _, g := range d.Given {
		if g.Method == m {
			return g, true
		}
	}
	return rank.Given{}, false
}

func TestGivenScores(t *testing.T) {
	b := newFixture(t)
	x, y, z := b.model("x", 3), b.model("y", 3), b.model("z", 3)
	b.run(x, b.pets, rotation, []int{0, 1, 2})
	b.run(y, b.pets, rotation, []int{2, 1, 0})
	b.run(z, b.pets, transform.Plain, []int{0, 1, 2})
	d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true, Family: rotation})
	robust, ok := givenOf(d, rank.RobustAccuracy)
	if !ok || robust.Family != rotation || !math.IsNaN(robust.Scores[2]) {
		t.Fatalf("%+v", d.Given)
	}
	set, right := b.sets[x.Hash+rotation], 0
	for i, class := range b.pets.Labels {
		always := class >= 0
		for k := range set.Transformations {
			always = always && int(set.Prediction[k*images+i]) == class
		}
		if always {
			right++
		}
	}
	if want := float64(right) / (images - 1); math.Abs(robust.Scores[0]-want) > 1e-12 {
		t.Errorf("robust accuracy %v, want %v", robust.Scores[0], want)
	}
	variances, ok := givenOf(d, rank.MeanVariance)
	summary, found, err := b.Summary(y, b.pets.Hash, rotation)
	if err != nil || !found || !ok || variances.Family != rotation ||
		variances.Note != "rotation -15..15° step 15, max@CONF" {
		t.Fatalf("%v %v %+v", err, found, d.Given)
	}
	m := summary.Matrices["max@CONF"].Data
	want := -(m[1] + m[2] + m[3] + m[5] + m[6] + m[7]) / 6
	if math.Abs(variances.Scores[1]-want) > 1e-12 || want >= 0 {
		t.Errorf("mean variance %v, want %v", variances.Scores[1], want)
	}
	if _, ok := givenOf(d, rank.EI); ok {
		t.Error("there is effective invariance without a set for it")
	}
}

func TestGivenNeedsAFamilyAndLabels(t *testing.T) {
	b := newFixture(t)
	b.run(b.model("x", 3), b.pets, rotation, []int{0, 1, 2})
	if d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true}); len(d.Given) != 0 {
		t.Errorf("without a family: %+v", d.Given)
	}
	must(t, b.SetCurrent(store.Current{Suite: b.pets.Hash, Family: rotation}))
	if d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true}); len(d.Given) != 2 {
		t.Errorf("with the current one: %+v", d.Given)
	}
	for _, truth := range []Truth{ByHand, NoTruth} {
		d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true, Truth: truth})
		if _, ok := givenOf(d, rank.RobustAccuracy); ok || len(d.Given) != 1 {
			t.Errorf("%s: %+v", truth, d.Given)
		}
	}
	if d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true, Family: transform.Plain}); len(d.Given) != 0 {
		t.Errorf("under a set: %+v", d.Given)
	}
	if d, _ := b.gather(Ask{Suite: b.pets.Hash, Family: rotation}); d.Given != nil {
		t.Error("nobody asked for them")
	}
}

// Effective invariance is compared with its formula: the root of both confidences where the
// predicted classes are equal, else 0.
func TestGivenEffectiveInvariance(t *testing.T) {
	b := newFixture(t)
	x, y := b.model("x", 3), b.model("y", 3)
	set := b.run(x, b.pets, transform.Rot90, []int{0, 1, 2})
	b.run(y, b.pets, transform.Plain, []int{0, 1, 2})
	d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true})
	ei, ok := givenOf(d, rank.EI)
	if !ok || ei.Note != transform.Rot90 || !math.IsNaN(ei.Scores[1]) {
		t.Fatalf("%+v", d.Given)
	}
	sum := 0.0
	for k := 1; k < set.Transformations; k++ {
		for i := range images {
			if at := k*images + i; set.Prediction[at] == set.Prediction[i] {
				sum += math.Sqrt(float64(set.Confidence[at]) * float64(set.Confidence[i]))
			}
		}
	}
	if want := sum / float64(3*images); math.Abs(ei.Scores[0]-want) > 1e-6 {
		t.Errorf("%v, want %v", ei.Scores[0], want)
	}
}

// The D-Score is that of the accuracies counted image by image; of several grids the one that
// speaks for the models counts.
func TestGivenDScore(t *testing.T) {
	b := newFixture(t)
	x, y, z := b.model("x", 3), b.model("y", 3), b.model("z", 3)
	for _, m := range []model.Model{x, y} {
		for _, family := range []string{"mask:2", "shift:2:4", "mask:3", "shift:3:5"} {
			b.run(m, b.pets, family, []int{0, 1, 2})
		}
	}
	b.run(z, b.pets, transform.Plain, []int{0, 1, 2})
	d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true})
	got, ok := givenOf(d, rank.DScore)
	if !ok || got.Family != "mask:3, shift:3:5" || got.Note != "3 × 3 regions, t = 5" || !math.IsNaN(got.Scores[2]) {
		t.Fatalf("%+v", d.Given)
	}
	for j, m := range []model.Model{x, y} {
		accuracies := func(family string) (shares []float64) {
			for _, row := range b.sets[m.Hash+family].Predictions() {
				right := 0
				for i, class := range b.pets.Labels {
					if class >= 0 && int(row[i]) == class {
						right++
					}
				}
				shares = append(shares, float64(right)/(images-1))
			}
			return shares
		}
		masked, shifted := accuracies("mask:3"), accuracies("shift:3:5")
		want, err := dscore.Compute(dscore.Accuracies{
			Original: masked[0], Variants: masked[1:], Shifted: shifted[1:], Classes: 3,
		})
		if err != nil || got.Scores[j] != want.DScore {
			t.Errorf("%s: %v, want %v (%v)", m.ID, got.Scores[j], want.DScore, err)
		}
	}
	for _, truth := range []Truth{ByHand, NoTruth} {
		d, _ := b.gather(Ask{Suite: b.pets.Hash, Given: true, Truth: truth})
		if _, ok := givenOf(d, rank.DScore); ok {
			t.Errorf("%s: there is a D-Score, which rests on the suite's labels", truth)
		}
	}
	d, _ = b.gather(Ask{Suite: b.pets.Hash, Models: []string{z.Hash}, Given: true})
	if _, ok := givenOf(d, rank.DScore); ok {
		t.Error("a model without masks has a D-Score")
	}
}
