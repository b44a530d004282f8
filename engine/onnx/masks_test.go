package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// maskedFeed opens the default output of a network with masks.
func maskedFeed(tb testing.TB, net slowNet, masks transform.Masks, batch int, tensors ...string) engine.Feed {
	tb.Helper()
	feed := feedOf(tb, save(tb, "net.onnx", net.file()), batch, tensors...)
	feed.Input.Height, feed.Input.Width = net.height, net.width
	feed.Mask = &masks
	return feed
}

// randomMasks are regions of some layers, or all, of a network.
func randomMasks(random *rand.Rand, net slowNet) transform.Masks {
	m := transform.Masks{N: 1 + random.IntN(5), AfterBatchNorm: random.IntN(2) == 0}
	convs := 0
	for _, l := range net.layers {
		if l.op == "Conv" {
			convs++
			if random.IntN(3) == 0 {
				m.Layers = append(m.Layers, convs)
			}
		}
	}
	if random.IntN(2) == 0 {
		m.Layers = nil
	}
	return m
}

// TestMasksMatchPlainLoops holds scores and maps of random networks against the network computed in
// plain loops, for every region, whichever order they come in, and a second batch.
func TestMasksMatchPlainLoops(t *testing.T) {
	r := library(t)
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 6))
			net := randomNet(random)
			masks := randomMasks(random, net)
			convs := net.convs()
			var tensors []string
			if random.IntN(2) == 0 {
				tensors = convs
			}
			run := openRunner(t, r, maskedFeed(t, net, masks, 2, tensors...))
			for range 2 {
				input := run.Input()
				for k := range input {
					input[k] = random.Float32()
				}
				for _, number := range random.Perm(masks.N*masks.N + 1) {
					run.Mask(number)
					testdata.OK(t, run.Run(t.Context()))
					compareNet(t, net, run, deletion{masks, number}, tensors)
				}
			}
		})
	}
}

func (net slowNet) convs() (names []string) {
	for _, l := range net.layers {
		if l.op == "Conv" {
			names = append(names, fmt.Sprintf("conv%d", len(names)+1))
		}
	}
	return names
}

// compareNet holds a runner's results against the plain loops, image by image.
func compareNet(t *testing.T, net slowNet, run engine.Runner, d deletion, tensors []string) {
	t.Helper()
	images := wide(run.Input())
	size := net.channels * net.height * net.width
	for b := range 2 {
		scores, maps := net.compute(images[b*size:(b+1)*size], d)
		want := []volume{{3, 1, 1, scores}}
		if tensors != nil {
			want = append(want, maps...)
		}
		for k, w := range want {
			shape, all := run.Result(k)
			got := all[b*len(w.v) : (b+1)*len(w.v)]
			if k > 0 && !slices.Equal(shape, []int64{2, int64(w.c), int64(w.h), int64(w.w)}) {
				t.Fatalf("region %d: map %d has shape %v, want %d x %d x %d", d.region, k, shape, w.c, w.h, w.w)
			}
			for i, v := range w.v {
				if math.Abs(float64(got[i])-v) > 2e-4*(1+math.Abs(v)) {
					t.Fatalf("%+v: result %d of image %d: entry %d is %g, want %g", d, k, b, i, got[i], v)
				}
			}
		}
	}
}

func wide(v []float32) []float64 {
	out := make([]float64, len(v))
	for k := range v {
		out[k] = float64(v[k])
	}
	return out
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// regionOf is the row of regions that a row of a map lies in.
func regionOf(y, size, n int) int {
	edges := region.Edges(size, n)
	for r := range n {
		if y >= edges[r] && y < edges[r+1] {
			return r
		}
	}
	return -1
}

// TestAutoLayersAreThoseLargeEnough: with layers=auto a network gives the bits that it gives with
// the numbers of the layers whose maps have a row and a column for every region, and is refused
// where there is none.
func TestAutoLayersAreThoseLargeEnough(t *testing.T) {
	r := library(t)
	left, refused := 0, 0
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 8))
		net := randomNet(random)
		auto := transform.Masks{N: 2 + random.IntN(5), Auto: true}
		feed := maskedFeed(t, net, auto, 2)
		maps, _, err := Maps("net.onnx", net.file(), feed.Input, auto)
		if err != nil {
			refused++
			if _, openErr := r.Open(t.Context(), feed); openErr == nil ||
				err.Error() != "net.onnx "+engine.ErrSmallMaps(auto.N).Error() {
				t.Errorf("seed %d: %v, %v", seed, err, openErr)
			}
			continue
		}
		numbers := transform.Masks{N: auto.N}
		for _, m := range maps {
			if m.Small != (m.Height < auto.N || m.Width < auto.N) || m.Small && m.Empty != nil {
				t.Errorf("seed %d: %+v", seed, m)
			}
			if m.Small {
				left++
			} else {
				numbers.Layers = append(numbers.Layers, m.Number)
			}
		}
		a, b := openRunner(t, r, feed), openRunner(t, r, maskedFeed(t, net, numbers, 2))
		for k := range a.Input() {
			a.Input()[k] = random.Float32()
		}
		copy(b.Input(), a.Input())
		for number := range auto.N*auto.N + 1 {
			a.Mask(number)
			b.Mask(number)
			err, err2 := a.Run(t.Context()), b.Run(t.Context())
			_, got := a.Result(0)
			if _, want := b.Result(0); err != nil || err2 != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d, region %d: %v and %v (%v, %v)", seed, number, got, want, err, err2)
			}
		}
	}
	if left == 0 || refused == 0 {
		t.Errorf("%d layers left out, %d networks refused: the test has seen too little", left, refused)
	}
}
