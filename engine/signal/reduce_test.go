package signal

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestGoldenReduce(t *testing.T) {
	testdata.Cases(t, testdata.Golden(t, "variance"), nil, func(t *testing.T, c testdata.Case) {
		if c.Kind != "reduce" {
			return // engine/variance and engine/transform have the others
		}
		var in struct{ Tensors [][][][]float64 }
		var want struct{ Signals []map[string]float64 }
		testdata.OK(t, json.Unmarshal(c.Input, &in))
		testdata.OK(t, json.Unmarshal(c.Expected, &want))
		for i, tensor := range in.Tensors {
			var flat []float64
			for _, channel := range tensor {
				flat = append(flat, slices.Concat(channel...)...)
			}
			var got [Reducers]float64
			reduce(&got, flat, len(tensor), false)
			for name, v := range want.Signals[i] {
				r := testdata.Must(ParseReducer(name))(t)
				testdata.Near(t, fmt.Sprintf("tensor %d: %s", i, name), got[r], v, 1e-12+1e-10*math.Abs(v))
			}
		}
	})
}

// TestReduceRoundsOnce: what is stored is the sum of its own order, rounded once; and that sum is
// the one of float64 tensors, which are added up in another order, to float64's precision.
func TestReduceRoundsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		narrow := rapid.SliceOfN(rapid.Float32Range(-100, 100), 12, 12).Draw(t, "tensor")
		wide := make([]float64, len(narrow))
		for i, v := range narrow {
			wide[i] = float64(v)
		}
		var got [Reducers]float32
		var exact, want [Reducers]float64
		Reduce(&got, narrow, 3, false)
		reduce(&exact, narrow, 3, false)
		reduce(&want, wide, 3, false)
		for r := range Reducers {
			if got[r] != float32(exact[r]) {
				t.Fatalf("%s: %v, want %v", Reducer(r), got[r], float32(exact[r]))
			}
			if d := math.Abs(exact[r] - want[r]); !(d <= 1e-13*100*float64(len(narrow))) {
				t.Fatalf("%s before rounding: %v, want %v", Reducer(r), exact[r], want[r])
			}
		}
	})
}

func TestReduceKnown(t *testing.T) {
	tests := map[string]struct {
		tensor   []float32
		channels int
		last     bool
		want     [Reducers]float32
	}{
		"one entry": {[]float32{3}, 1, false, [Reducers]float32{3, 0, 3, 3, 3, 0, 3, 0, 3}},
		"tokens":    {[]float32{1, 5, 3, 11}, 2, true, [Reducers]float32{5, 3.7416575, 11, 1, 8, 3, 7, 4, 5}},
		"signs in tokens": {
			[]float32{1, 5, -3, -11}, 2, true, [Reducers]float32{-2, 5.9160798, 5, -11, -1, 1, 3, 2, 5},
		},
		"far from 0": {
			[]float32{1000001, 1000003},
			2, false,
			[Reducers]float32{1000002, 1, 1000003, 1000001, 1000003, 1, 1000002, 1, 1000002},
		},
		"constant": {
			[]float32{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 2, false, [Reducers]float32{.1, 0, .1, .1, .1, 0, .1, 0, .1},
		},
		"constant channel": {
			[]float32{1e6, 1e6, 1e6, 1e6, 1e6}, 1, false, [Reducers]float32{1e6, 0, 1e6, 1e6, 1e6, 0, 1e6, 0, 1e6},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got [Reducers]float32
			Reduce(&got, tt.tensor, tt.channels, tt.last)
			testdata.Is(t, "reduced", got, tt.want)
		})
	}
}

func TestReduceShowsNotFinite(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		for place := range 9 {
			for _, last := range []bool{false, true} {
				tensor := make([]float32, 9)
				tensor[place] = bad
				var got [Reducers]float32
				Reduce(&got, tensor, 3, last)
				if mean := float64(got[Mean]); !math.IsNaN(mean) && !math.IsInf(mean, 0) {
					t.Errorf("%v at %d (last %v): mean %v", bad, place, last, mean)
				}
			}
		}
	}
}

func TestReducePanicsWithoutTensor(t *testing.T) {
	for _, n := range []int{0, 5} {
		testdata.Panics(t, fmt.Sprintf("%d entries of 3 channels", n), func() {
			Reduce(new([Reducers]float32), make([]float32, n), 3, false)
		})
	}
}

func TestReduceAllocatesNothing(t *testing.T) {
	tensor := make([]float32, 16*64)
	var dst [Reducers]float32
	if n := testing.AllocsPerRun(100, func() {
		Reduce(&dst, tensor, 16, false)
		Reduce(&dst, tensor, 16, true)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestReducerNames(t *testing.T) {
	for r := range Reducer(Reducers) {
		testdata.Is(t, "got", testdata.Must(ParseReducer(r.String()))(t), r)
	}
	testdata.Refused(t, "median is no reducer", testdata.Err(ParseReducer("median")))
	testdata.Is(t, "unknown reducer", Reducer(99).String(), "reducer 99")
}

func BenchmarkReduce(b *testing.B) {
	for _, bench := range []struct {
		name           string
		channels, size int
		last           bool
	}{
		{"conv32x3x3", 32, 9, false},
		{"conv16x8x8", 16, 64, false},
		{"conv48x16x16", 48, 256, false},
		{"vector10", 10, 1, false},
		{"tokens64x48", 48, 64, true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			tensor := make([]float32, bench.channels*bench.size)
			for i := range tensor {
				tensor[i] = float32(math.Sin(float64(i)))
			}
			var dst [Reducers]float32
			b.SetBytes(int64(4 * len(tensor)))
			for b.Loop() {
				Reduce(&dst, tensor, bench.channels, bench.last)
			}
		})
	}
}
