package rank

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestVotes(t *testing.T) {
	d := threeByFour()
	for _, c := range []struct {
		name      string
		prune     bool
		kept      []int
		pseudo    []int32
		specialty []float64
		easiness  []float64
	}{
		{
			"pruned", true,
			[]int{0, 2, 3},
			[]int32{0, 2, 0},
			[]float64{2. / 3, 1. / 3, 2. / 3},
			[]float64{2. / 3, 2. / 3, 1. / 3},
		},
		{
			"whole", false,
			[]int{0, 1, 2, 3},
			[]int32{0, 1, 2, 0},
			[]float64{0.75, 0.5, 0.75},
			[]float64{2. / 3, 1, 2. / 3, 1. / 3},
		},
	} {
		v := testdata.Must(newVotes(context.Background(), d, c.prune))(t)
		if !slices.Equal(v.kept, c.kept) || !slices.Equal(v.pseudo, c.pseudo) || !v.disputed {
			t.Errorf("%s: kept %v, pseudo %v, disputed %v", c.name, v.kept, v.pseudo, v.disputed)
		}
		if !slices.Equal(v.prior.specialty, c.specialty) || !slices.Equal(v.prior.easiness, c.easiness) {
			t.Errorf("%s: prior %v", c.name, v.prior)
		}
	}
}

// TestEachVisitsEverySampleOnce looks at all sizes around those at which stripes and blocks change.
func TestEachVisitsEverySampleOnce(t *testing.T) {
	for _, m := range []int{0, 1, leastStripe - 1, leastStripe, leastStripe + 1, stripes*leastStripe + 1, 70_001} {
		for _, models := range []int{3, 3000} {
			v := &votes{data: Data{Models: make([]Model, models)}, kept: make([]int, m), workers: 3}
			visits := make([]int, m)
			var lock sync.Mutex
			visit := func(s span) {
				lock.Lock()
				defer lock.Unlock()
				if s.stripe < 0 || s.stripe >= min(stripes, v.stripeCount()) || s.from >= s.to {
					t.Errorf("span %+v of %d stripes", s, v.stripeCount())
				}
				for i := s.from; i < s.to; i++ {
					visits[i]++
				}
			}
			err := v.each(context.Background(), func() func(span) { return visit })
			if err != nil || slices.ContainsFunc(visits, func(k int) bool { return k != 1 }) {
				t.Errorf("%d samples, %d models: some not visited once, error %v", m, models, err)
			}
		}
	}
}

func TestEachStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	v := &votes{data: Data{Models: make([]Model, 3)}, kept: make([]int, 100_000), workers: 1}
	spans := 0
	visit := func(span) {
		if spans++; spans == 3 {
			cancel()
		}
	}
	err := v.each(ctx, func() func(span) { return visit })
	if err == nil || spans != 3 {
		t.Errorf("%d spans, error %v", spans, err)
	}
}
