package onnx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/model"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
)

func fill(input []float32) {
	for i := range input {
		input[i] = float32((i*7)%11)/10 - 0.3
	}
}

// tinyReference computes tiny's tensors for one image by hand: conv 2x4x4, pool 2, scores 3.
func tinyReference(image []float32) (conv []float32, scores [3]float64) {
	var pool [2]float64
	for c := range 2 {
		for y := range 4 {
			for x := range 4 {
				sum := []float64{0.5, -0.5}[c]
				for ky := range 3 {
					for kx := range 3 {
						v, u := y+ky-1, x+kx-1
						if v >= 0 && v < 4 && u >= 0 && u < 4 {
							sum += float64((c*9+ky*3+kx)%5-2) * float64(image[v*4+u])
						}
					}
				}
				conv = append(conv, float32(sum))
				pool[c] += max(sum, 0) / 16
			}
		}
	}
	for k := range scores {
		scores[k] = pool[0]*float64(k+1) + pool[1]*float64(k+4) + float64(k)
	}
	return conv, scores
}

func TestRunMatchesArithmetic(t *testing.T) {
	path := save(t, "tiny.onnx", tiny().file())
	run := openRunner(t, library(t), feedOf(t, path, 5, "conv", "scores", "conv", "pool"))
	for round := range 3 {
		fill(run.Input())
		run.Input()[0] = float32(round)
		images := slices.Clone(run.Input())
		testdata.OK(t, run.Run(t.Context()))
		shape, scores := run.Result(0)
		testdata.Equal(t, "shape", shape, []int64{5, 3})
		convShape, conv := run.Result(1)
		testdata.Equal(t, "convShape", convShape, []int64{5, 2, 4, 4})
		for i := range 5 {
			wantConv, want := tinyReference(images[i*16 : (i+1)*16])
			for k, w := range want {
				if got := float64(scores[i*3+k]); math.Abs(got-w) > 1e-5 {
					t.Errorf("image %d class %d: %g, want %g", i, k, got, w)
				}
			}
			for k, w := range wantConv {
				if got := conv[i*32+k]; math.Abs(float64(got-w)) > 1e-5 {
					t.Errorf("image %d conv %d: %g, want %g", i, k, got, w)
				}
			}
		}
		if _, again := run.Result(2); !slices.Equal(again, scores) {
			t.Error("the class output asked for as a position differs from it")
		}
		if _, again := run.Result(3); !slices.Equal(again, conv) {
			t.Error("the same position asked for twice differs")
		}
	}
}

func TestRunNHWCAndFixedBatch(t *testing.T) {
	g := tiny()
	g.inputs = []pb{value("image", typeFloat, 2, 4, 4, 1)}
	g.nodes = append([]pb{node("Transpose", list("image"), list("first"), attrInts("perm", 0, 3, 1, 2))}, g.nodes...)
	g.nodes[1] = node("Conv", list("first", "w", "b"), list("conv"), attrInts("pads", 1, 1, 1, 1))
	feed := feedOf(t, save(t, "nhwc.onnx", g.file()), 99)
	if feed.Input.Layout != model.NHWC || feed.Input.Batch != 2 {
		t.Fatalf("%+v", feed.Input)
	}
	run := openRunner(t, library(t), feed)
	fill(run.Input())
	testdata.OK(t, run.Run(t.Context()))
	_, got := run.Result(0)
	_, want := tinyReference(run.Input()[16:32])
	testdata.Near(t, fmt.Sprintf("%g", got[3]), float64(got[3]), want[0], 1e-5)
}

// repeating is tiny with its scores repeated along the classes, once more than the first pixel
// says.
func repeating() graphOf {
	g := tiny()
	g.outputs = []pb{value("scores", typeFloat, -1, -1)}
	g.weights = append(g.weights, ints("start", []int64{0}, 1), ints("end", []int64{1}, 1), ints("one", []int64{1}, 1),
		ints("row", []int64{-1}, 1))
	g.nodes[4] = node("Gemm", list("flat", "lw", "lb"), list("plain"))
	g.nodes = append(g.nodes,
		node("Reshape", list("image", "row"), list("pixels")),
		node("Slice", list("pixels", "start", "end"), list("pixel")),
		node("Cast", list("pixel"), list("count"), attrInt("to", typeInt64)),
		node("Add", list("count", "one"), list("times")),
		node("Concat", list("one", "times"), list("repeats"), attrInt("axis", 0)),
		node("Tile", list("plain", "repeats"), list("scores")))
	return g
}

// A result whose shape depends on the image is refused whenever it is another one than the feed
// says or, without that, than the first batch of the session had, whoever ran it; batches of the
// right shape go on.
func TestRunRefusesChangingShapes(t *testing.T) {
	path := save(t, "m.onnx", repeating().file())
	run := func(t *testing.T, run engine.Runner, n int, want string) {
		t.Helper()
		clear(run.Input())
		run.Input()[0] = float32(n - 1)
		err := run.Run(t.Context())
		if want == "" {
			if shape, values := run.Result(0); err != nil || shape[1] != int64(3*n) || len(values) != 3*n {
				t.Errorf("%d: shape %v, %d values, %v", n, shape, len(values), err)
			}
			return
		}
		if shape, _ := run.Result(0); err == nil || err.Error() != want || shape != nil {
			t.Errorf("%d: shape %v, %v", n, shape, err)
		}
	}
	const wide = `m.onnx changes its number of scores from batch to batch: shape [1 6] at "scores" in place of [1 3]; it cannot be used`
	const narrow = `m.onnx changes its number of scores from batch to batch: shape [1 3] at "scores" in place of [1 6]; it cannot be used`
	for name, test := range map[string]struct {
		tensors []string
		shapes  [][]int64
		ns      []int
		wants   []string
	}{
		"of the first batch": {ns: []int{1, 1, 2, 2, 1, 2}, wants: []string{"", "", wide, wide, "", wide}},
		"of the probe": {
			shapes: [][]int64{{1, 6}}, ns: []int{1, 2, 1, 1, 2}, wants: []string{narrow, "", narrow, narrow, ""},
		},
		"of a position that changes": {
			tensors: []string{"conv"}, shapes: [][]int64{{1, 3}, {1, 2, 5, 5}}, ns: []int{1},
			wants: []string{`m.onnx changes the shape of tensor "conv" from batch to batch: [1 2 4 4] in place of [1 2 5 5]; choose another one for that position`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			feed := feedOf(t, path, 1, test.tensors...)
			feed.Shapes = test.shapes
			s, err := library(t).Open(t.Context(), feed)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			var runners [2]engine.Runner
			for k := range runners {
				if runners[k], err = s.Runner(); err != nil {
					t.Fatal(err)
				}
				defer func() { _ = runners[k].Close() }()
			}
			for k, n := range test.ns {
				for _, r := range runners {
					run(t, r, n, test.wants[k])
				}
			}
		})
	}
}

func TestRunRefusesResults(t *testing.T) {
	r := library(t)
	scalar, other := tiny(), tiny()
	scalar.nodes = append(scalar.nodes, node("ReduceMean", list("scores"), list("all"), attrInt("keepdims", 0)),
		node("ReduceMean", list("scores"), list("row"), attrInts("axes", 0)))
	other.outputs = []pb{value("flatter", typeFloat)}
	other.nodes = append(other.nodes, node("Flatten", list("scores"), list("flatter"), attrInt("axis", 0)))
	for _, test := range []struct {
		graph  graphOf
		tensor string
		want   string
	}{
		{scalar, "all", "m.onnx cannot be run: "},
		{
			scalar, "row",
			`m.onnx gives tensor "row" the shape [1 3] for 2 images; a position needs one entry per image on its first axis`,
		},
		{other, "conv", `m.onnx gives scores of shape [1 6] at "flatter" for 2 images; one row per image is needed`},
	} {
		run := openRunner(t, r, feedOf(t, save(t, "m.onnx", test.graph.file()), 2, test.tensor))
		for range 2 {
			err := run.Run(t.Context())
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		}
	}
}

func TestRunCancelsEndlessLoop(t *testing.T) {
	run := openRunner(t, library(t), feedOf(t, save(t, "endless.onnx", endless().file()), 1))
	for range 2 { // a cancelled runner can be used again
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		begin := time.Now()
		err := run.Run(ctx)
		cancel()
		testdata.ErrorIs(t, "run", err, context.DeadlineExceeded)
		if took := time.Since(begin); took > 2200*time.Millisecond {
			t.Errorf("took %v", took)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "ended", run.Run(ended), context.Canceled)
}

// A single operator that outlasts our patience is left alone; everything is freed when it ends.
func TestRunLeavesLongOperator(t *testing.T) {
	r := library(t)
	s := testdata.Must(r.Open(t.Context(), feedOf(t, save(t, "slow.onnx", slow(20000).file()), 1)))(t)
	made := testdata.Must(s.Runner())(t)
	run := made.(*runner)
	run.patience = 50 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if err := run.Run(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if err := run.Run(t.Context()); err == nil ||
		err.Error() != "slow.onnx is still busy with a batch that was cancelled" {
		t.Errorf("got %v", err)
	}
	testdata.OK(t, errors.Join(run.Close(), s.Close()))
	select {
	case <-run.gone:
	case <-time.After(time.Minute):
		t.Error("never freed")
	}
}

// The binding panics on a nil value; that must reach nobody.
func TestPanicsBecomeErrors(t *testing.T) {
	run := openRunner(t, library(t), feedOf(t, save(t, "tiny.onnx", tiny().file()), 1)).(*runner)
	good := run.session.ort
	run.session.ort = nil
	err := run.Run(t.Context())
	run.session.ort = good
	if err == nil || !strings.HasPrefix(err.Error(), "tiny.onnx cannot be run: the ONNX Runtime binding failed: ") {
		t.Errorf("got %v", err)
	}
	testdata.OK(t, run.Run(t.Context()))
}

// counting is a Loop of as many rounds as the brightest pixel says: a batch is brisk or endless as
// its images are.
func counting() graphOf {
	body := graphOf{
		inputs: []pb{
			value("i", typeInt64, []int64{}...), value("c", typeBool, []int64{}...), value("y", typeFloat, -1, 16),
		},
		outputs: []pb{value("c2", typeBool, []int64{}...), value("y2", typeFloat, -1, 16)},
		nodes:   []pb{node("Identity", list("c"), list("c2")), node("Sin", list("y"), list("y2"))},
	}
	return scored(graphOf{
		weights: []pb{tensorHead("true", typeBool, nil).msg(9, pb{1})},
		nodes: []pb{
			node("Flatten", list("image"), list("flat")),
			node("ReduceMax", list("image"), list("top"), attrInt("keepdims", 0)),
			node("Cast", list("top"), list("rounds"), attrInt("to", typeInt64)),
			node("Loop", list("rounds", "true", "flat"), list("looped"), attrGraph("body", body.pb())),
		},
	}, "looped")
}

// A batch that was brisk runs on the caller's goroutine the next time. When that one has no end,
// the end of the context still ends it, and the runner goes on under another context.
func TestRunEndsWhatWasBrisk(t *testing.T) {
	made := openRunner(t, library(t), feedOf(t, save(t, "counting.onnx", counting().file()), 1))
	run := made.(*runner)
	for range 2 {
		clear(run.Input())
		for range 3 {
			testdata.OK(t, run.Run(t.Context()))
		}
		// On a slow computer the three may not have been brisk.
		if run.quick = true; run.watch == nil && run.Run(t.Context()) != nil {
			t.Fatal("a batch on the caller's goroutine failed")
		}
		run.Input()[0] = 1e18
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		testdata.ErrorIs(t, "run", run.Run(ctx), context.DeadlineExceeded)
		testdata.ErrorIs(t, "again", run.Run(ctx), context.DeadlineExceeded)
		cancel()
	}
}
