package rank

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// votesOf are the votes of data at a random point, with its E-step made.
func votesOf(t *testing.T, d Data, prune bool, seed uint64) (*votes, point) {
	t.Helper()
	v := testdata.Must(newVotes(context.Background(), d, prune))(t)
	v.workers = 2
	v.beliefs = newBeliefs(v)
	at := randomPoint(v, seed)
	testdata.OK(t, v.believe(context.Background(), at))
	return v, at
}

func randomPoint(v *votes, seed uint64) point {
	rng := rand.New(rand.NewPCG(seed, 3))
	at := newPoint(v)
	for j := range at.specialty {
		at.specialty[j] = 2 * rng.NormFloat64()
	}
	for i := range at.easiness {
		at.easiness[i] = rng.NormFloat64()
	}
	return at
}

// TestBeliefsDoNotUnderflow takes so many models that a product of their probabilities would be 0
// for every class.
func TestBeliefsDoNotUnderflow(t *testing.T) {
	const models, classes = 6000, 4
	d := Data{Models: make([]Model, models), Samples: 1, Classes: classes}
	for j := range models {
		d.Labels = append(d.Labels, int32(j%2))
	}
	d.Labels[0] = 1 // one vote more for class 1
	v := testdata.Must(newVotes(context.Background(), d, true))(t)
	v.workers, v.beliefs = 1, newBeliefs(v)
	at := newPoint(v)
	for j := range at.specialty {
		at.specialty[j] = 0.5
	}
	testdata.OK(t, v.believe(context.Background(), at))
	odds := 2 * (0.5 + math.Log(classes-1)) // two more models for class 1 than for class 0
	want := []float64{1 / (1 + math.Exp(odds)), 1 / (1 + math.Exp(-odds)), 0, 0}
	got := make([]float64, classes)
	v.beliefs.write(0, got)
	for c := range want {
		if !(math.Abs(got[c]-want[c]) <= 1e-9) {
			t.Errorf("class %d: %v, want %v", c, got[c], want[c])
		}
	}
}

func TestToProbabilities(t *testing.T) {
	for _, c := range []struct {
		name    string
		logs    []float64
		further int
		want    []float64
		unseen  float64
	}{
		{"one class", []float64{-40}, 0, []float64{1}, 0},
		{"far below the others", []float64{-2000}, 2, []float64{0}, 0.5},
		{"far above the others", []float64{2000, 1999}, 5, []float64{sigmoid(1), sigmoid(-1)}, 0},
		{"equal", []float64{0, 0}, 2, []float64{0.25, 0.25}, 0.25},
	} {
		unseen := toProbabilities(c.logs, c.further)
		for k, want := range c.want {
			if math.Abs(c.logs[k]-want) > 1e-15 || math.Abs(unseen-c.unseen) > 1e-15 {
				t.Errorf("%s: %v and %v, want %v and %v", c.name, c.logs, unseen, c.want, c.unseen)
			}
		}
	}
}
