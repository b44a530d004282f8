package onnx

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
)

func fill(input []float32) {
	for i := range input {
		input[i] = float32((i*7)%11)/10 - 0.3
	}
}

// Scores and positions are those of plain loops, also in a second batch. A position that is asked
// for twice, and the class output as a position, are the same numbers.
func TestRunMatchesPlainLoops(t *testing.T) {
	r := library(t)
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, 9))
		net := randomNet(random)
		convs := net.convs()
		feed := feedOf(t, save(t, "net.onnx", net.file()), 2, append(slices.Clone(convs), "scores", convs[0])...)
		feed.Input.Height, feed.Input.Width = net.height, net.width
		run := openRunner(t, r, feed)
		for range 2 {
			for k := range run.Input() {
				run.Input()[k] = random.Float32()
			}
			testdata.OK(t, run.Run(t.Context()))
			compareNet(t, net, run, deletion{}, convs)
			for k, again := range map[int]int{0: len(convs) + 1, 1: len(convs) + 2} {
				_, first := run.Result(k)
				_, second := run.Result(again)
				testdata.Equal(t, fmt.Sprintf("result %d", again), second, first)
			}
		}
	}
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
	return scored(graphOf{
		weights: []pb{tensorHead("true", typeBool, nil).msg(9, pb{1})},
		nodes: []pb{
			node("Flatten", list("image"), list("flat")),
			node("ReduceMax", list("image"), list("top"), attrInt("keepdims", 0)),
			node("Cast", list("top"), list("rounds"), attrInt("to", typeInt64)),
			node("Loop", list("rounds", "true", "flat"), list("looped"), attrGraph("body", loopBody(-1, 16))),
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
