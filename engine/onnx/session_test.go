package onnx

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
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
		if err := run.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		shape, scores := run.Result(0)
		if !slices.Equal(shape, []int64{5, 3}) {
			t.Fatalf("shape %v", shape)
		}
		convShape, conv := run.Result(1)
		if !slices.Equal(convShape, []int64{5, 2, 4, 4}) {
			t.Fatalf("shape %v", convShape)
		}
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
	if err := run.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, got := run.Result(0)
	_, want := tinyReference(run.Input()[16:32])
	if math.Abs(float64(got[3])-want[0]) > 1e-5 {
		t.Errorf("%g, want %g", got[3], want[0])
	}
}

// A tensor whose shape depends on the image gets new memory whenever it changes.
func TestRunChangingShapes(t *testing.T) {
	g := tiny()
	g.outputs = []pb{value("scores", typeFloat, -1, -1)}
	// Scores are repeated along the classes, once more than the first pixel says.
	g.weights = append(g.weights, ints("start", []int64{0}, 1), ints("end", []int64{1}, 1), ints("one", []int64{1}, 1), ints("row", []int64{-1}, 1))
	g.nodes[4] = node("Gemm", list("flat", "lw", "lb"), list("plain"))
	g.nodes = append(g.nodes,
		node("Reshape", list("image", "row"), list("pixels")),
		node("Slice", list("pixels", "start", "end"), list("pixel")),
		node("Cast", list("pixel"), list("count"), attrInt("to", typeInt64)),
		node("Add", list("count", "one"), list("times")),
		node("Concat", list("one", "times"), list("repeats"), attrInt("axis", 0)),
		node("Tile", list("plain", "repeats"), list("scores")))
	run := openRunner(t, library(t), feedOf(t, save(t, "m.onnx", g.file()), 1))
	for _, n := range []int{1, 1, 2, 3, 3, 1} {
		clear(run.Input())
		run.Input()[0] = float32(n - 1)
		if err := run.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if shape, values := run.Result(0); shape[1] != int64(3*n) || len(values) != 3*n {
			t.Errorf("%d: shape %v, %d values", n, shape, len(values))
		}
	}
}

// Equal bits for any number of goroutines, and for any number of runs.
func TestRunManyGoroutines(t *testing.T) {
	s, err := library(t).Open(t.Context(), feedOf(t, zooModels(t, "scenes")[0], 8, "features"))
	if err != nil {
		t.Fatal(err)
	}
	results := make([][]float32, 4)
	var group sync.WaitGroup
	for k := range results {
		group.Go(func() {
			run, err := s.Runner()
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = run.Close() }()
			for range 3 {
				fill(run.Input())
				if err := run.Run(t.Context()); err != nil {
					t.Error(err)
					return
				}
				_, scores := run.Result(0)
				_, features := run.Result(1)
				results[k] = slices.Concat(scores, features)
			}
		})
	}
	group.Wait()
	for k := range results {
		if len(results[k]) == 0 || !slices.Equal(results[k], results[0]) {
			t.Errorf("goroutine %d: other bits", k)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Exposing tensors leaves the file alone.
func TestOpenKeepsFile(t *testing.T) {
	data := tiny().file()
	path := save(t, "tiny.onnx", data)
	run := openRunner(t, library(t), feedOf(t, path, 1, "conv", "relu", "pool", "flat"))
	if err := run.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(path)
	if err != nil || !slices.Equal(now, data) {
		t.Errorf("the file was changed: %v", err)
	}
}

func TestOpenRefusesFeeds(t *testing.T) {
	r := library(t)
	g := tiny()
	g.inputs = []pb{value("image", typeFloat, 4, 1, 4, 4)}
	g.nodes = append(g.nodes, node("ArgMax", list("scores"), list("best")))
	path := save(t, "m.onnx", g.file())
	tests := map[string]func(*engine.Feed){
		`m.onnx has no image input "x"; its input is "image"`:                                           func(f *engine.Feed) { f.Input.Name = "x" },
		"m.onnx takes images in the order NCHW, not NHWC":                                               func(f *engine.Feed) { f.Input.Layout = model.NHWC },
		"m.onnx takes batches of 4 images only, not 8":                                                  func(f *engine.Feed) { f.Input.Batch = 8 },
		"m.onnx takes images of 1 channels only, not 3":                                                 func(f *engine.Feed) { f.Input.Channels = 3 },
		"m.onnx takes images of height 4 only, not 5":                                                   func(f *engine.Feed) { f.Input.Height = 5 },
		"m.onnx takes images of width 4 only, not 9":                                                    func(f *engine.Feed) { f.Input.Width = 9 },
		"m.onnx cannot be opened with an open size; set batch, channels, height and width of its input": func(f *engine.Feed) { f.Input.Height = 0 },
		"m.onnx declares batches of 5000 images; at most 4096 can be used":                              func(f *engine.Feed) { f.Input.Batch = 5000 },
		`m.onnx has no tensor "nowhere"; choose another one for that position`:                          func(f *engine.Feed) { f.Tensors = list("conv", "nowhere") },
		`m.onnx has no tensor "image"; choose another one for that position`:                            func(f *engine.Feed) { f.Tensors = list("image") },
		`m.onnx holds int64 in tensor "best", not float32; choose another one for that position`:        func(f *engine.Feed) { f.Tensors = list("best") },
		`m.onnx has no tensor ""; choose another one for that position`:                                 func(f *engine.Feed) { f.Output = "" },
		"open model away.onnx: ":                                                                        func(f *engine.Feed) { f.Path = filepath.Join(filepath.Dir(path), "away.onnx") },
	}
	for want, change := range tests {
		feed := feedOf(t, path, 4)
		change(&feed)
		_, err := r.Open(t.Context(), feed)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// What the reader lets pass and the library refuses comes back as one line that names the file.
func TestOpenRefusesGraphs(t *testing.T) {
	r := library(t)
	unknown, dangling, opset := tiny(), tiny(), tiny()
	unknown.nodes = append(unknown.nodes, node("NoSuchOperator", list("scores"), list("x")))
	dangling.nodes[1] = node("Relu", list("nowhere"), list("relu"))
	for name, data := range map[string][]byte{
		"unknown.onnx": unknown.file(), "dangling.onnx": dangling.file(), "opset.onnx": modelOf(8, 999, opset.pb()),
		"ir.onnx": modelOf(99, 13, opset.pb()),
	} {
		_, err := r.Open(t.Context(), feedOf(t, save(t, name, data), 1))
		if err == nil || !strings.HasPrefix(err.Error(), name+" cannot be loaded: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
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
		{scalar, "row", `m.onnx gives tensor "row" the shape [1 3] for 2 images; a position needs one entry per image on its first axis`},
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
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(begin); took > 2200*time.Millisecond {
			t.Errorf("took %v", took)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run.Run(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A single operator that outlasts our patience is left alone; everything is freed when it ends.
func TestRunLeavesLongOperator(t *testing.T) {
	r := library(t)
	s, err := r.Open(t.Context(), feedOf(t, save(t, "slow.onnx", slow(3000).file()), 1))
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.Runner()
	if err != nil {
		t.Fatal(err)
	}
	run := made.(*runner)
	run.patience = 50 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if err := run.Run(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if err := run.Run(t.Context()); err == nil || err.Error() != "slow.onnx is still busy with a batch that was cancelled" {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(run.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	select {
	case <-run.gone:
	case <-time.After(time.Minute):
		t.Error("never freed")
	}
}

func TestOpenHonoursContext(t *testing.T) {
	r := library(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	feed := feedOf(t, zooModels(t, "scenes")[0], 1)
	if _, err := r.Open(ctx, feed); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for wait := range 20 { // ends at some moment of the load
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(wait)*300*time.Microsecond)
		s, err := r.Open(ctx, feed)
		cancel()
		if err == nil {
			err = s.Close()
		} else if errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		if err != nil {
			t.Error(err)
		}
	}
	deadline := time.Now().Add(10 * time.Second)
	for environmentUsers() > 1 { // abandoned loads are freed when they return
		if time.Now().After(deadline) {
			t.Fatal("an abandoned load was never freed")
		}
		time.Sleep(time.Millisecond)
	}
}

func environmentUsers() int {
	environment.Lock()
	defer environment.Unlock()
	return environment.users
}

// Whatever the order of closing, everything is freed after the last one and nothing before.
func TestCloseInAnyOrder(t *testing.T) {
	r, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Open(t.Context(), feedOf(t, save(t, "tiny.onnx", tiny().file()), 1))
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Runner()
	if err != nil {
		t.Fatal(err)
	}
	if shape, values := run.Result(0); shape != nil || values != nil {
		t.Error("a result before the first run")
	}
	if err := errors.Join(r.Close(), r.Close(), s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if _, err := s.Runner(); err == nil || err.Error() != "tiny.onnx is closed" {
		t.Errorf("got %v", err)
	}
	if err := run.Run(t.Context()); err != nil {
		t.Errorf("a runner died with its session: %v", err)
	}
	if err := errors.Join(run.Close(), run.Close()); err != nil {
		t.Error(err)
	}
	if n := environmentUsers(); n != 0 {
		t.Errorf("%d users left", n)
	}
	if _, err := r.Open(t.Context(), engine.Feed{}); err == nil || err.Error() != "the ONNX Runtime library is closed" {
		t.Errorf("got %v", err)
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
	if err := run.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestReason(t *testing.T) {
	got := reason(errors.New("a\n  b\t" + strings.Repeat("é", 400))).Error()
	if !strings.HasPrefix(got, "a b é") || !strings.HasSuffix(got, " ...") || len(got) > 310 {
		t.Errorf("got %q", got)
	}
}
