package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestContextVectors(t *testing.T) {
	w := fresh(t)
	long := make([]float64, 2000)
	for i := range long {
		long[i] = math.Sqrt(float64(i))
	}
	put := map[string][]float64{"a": {0.1, math.SmallestNonzeroFloat64, 1}, "long": long, "none": {}}
	must(t, w.PutContextVectors(put))
	must(t, w.PutContextVectors(map[string][]float64{"a": {0.2}}))
	put["a"] = []float64{0.2}
	w = reopened(t, w)
	for key, want := range put {
		if got, found, err := w.ContextVector(key); err != nil || !found || !slices.Equal(got, want) {
			t.Errorf("%s: %d numbers, %v, %v", key, len(got), found, err)
		}
	}
	if got, found, err := w.ContextVector("b"); got != nil || found || err != nil {
		t.Errorf("%v, %v, %v", got, found, err)
	}
	testdata.Refused(t, "kept a vector without a key", w.PutContextVectors(map[string][]float64{"": {1}}))
}

// TestTooManyContextVectors: TestKeptValuesAreBounded shows how the bucket is bounded.
func TestTooManyContextVectors(t *testing.T) {
	if testing.Short() {
		return // one goroutine packs much
	}
	random := rand.New(rand.NewPCG(1, 1))
	noise := make([]float64, 3<<20) // 24 MiB that cannot be deflated
	for i := range noise {
		noise[i] = math.Float64frombits(random.Uint64() >> 2)
	}
	many := map[string][]float64{}
	for i := range 6 {
		many[fmt.Sprint(i)] = noise
	}
	testdata.Refused(t, "many vectors", fresh(t).PutContextVectors(many), "too many at once")
}
