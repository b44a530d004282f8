package feature

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// drawnSet are the signals of images that bend and lean by chance over the interval, with noise.
func drawnSet(random *rand.Rand, transformations, images int) *signal.Set {
	signals := make([]float32, transformations*images)
	for k := range images {
		lean, bend := 0.3*random.NormFloat64()+0.2, 0.3*random.ExpFloat64()
		for i := range transformations {
			v := 2*float64(i)/float64(transformations-1) - 1
			signals[i*images+k] = float32(lean*v + bend*v*v + 0.1*random.NormFloat64())
		}
	}
	return &signal.Set{
		Transformations: transformations, Images: images,
		Spec:    signal.Spec{Positions: []signal.Position{{Name: model.CONF}}},
		Reduced: [][signal.Reducers][]float32{{signal.Max: signals}},
	}
}

// TestCoverage draws samples of images and counts how often the intervals of features hold the
// value of many images: what docs/results.md says, and that a caution stands where they
// hold it too seldom.
func TestCoverage(t *testing.T) {
	seed, long := testdata.Coverage()
	transformations, endless, samples, sizes, b := 9, 20_000, 40, []int{100}, variance.Bootstrap{Resamples: 100}
	if long {
		transformations, endless, samples, sizes, b.Resamples = 31, 100_000, 200, []int{100, 300, 1000}, 400
	}
	l := DefaultLayout()
	l.Modalities = []string{"max@CONF"}
	truth := testdata.Must(l.Vector(drawnSet(rand.New(rand.NewPCG(seed, 0)), transformations, endless),
		testdata.UpTo(endless)))(t)
	for _, images := range sizes {
		random := rand.New(rand.NewPCG(seed, uint64(images)))
		// of the intervals of all samples, and of those without a caution
		var held, cautious, plain, plainHeld [Count]int
		for sample := range samples {
			set, of := drawnSet(random, transformations, images), testdata.UpTo(images)
			vector := testdata.Must(l.Vector(set, of))(t)
			b.Seed = uint64(sample)
			list := testdata.Must(l.Intervals(t.Context(), set, of, vector, b, nil))(t)
			for f, iv := range list {
				holds := iv.Low <= truth.Values[f] && truth.Values[f] <= iv.High
				if holds {
					held[f]++
				}
				if !iv.Caveat.None() {
					cautious[f]++
				} else if plain[f]++; holds {
					plainHeld[f]++
				}
			}
		}
		for f := range Feature(Count) {
			what := fmt.Sprintf("%s of %d images", f, images)
			if long {
				fmt.Printf("%s: %d of %d, %d with a caution, of the others %d\n",
					what, held[f], samples, cautious[f], plainHeld[f])
			}
			if plain[f] > samples/2 {
				testdata.Holds(t, what+" without a caution", plainHeld[f], plain[f], 0.92, 0.97)
			}
		}
	}
}
