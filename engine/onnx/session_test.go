package onnx

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// Equal bits for any number of goroutines, and for any number of runs.
func TestRunManyGoroutines(t *testing.T) {
	s := testdata.Must(library(t).Open(t.Context(), feedOf(t, sceneModels(t)[0], 8, "features")))(t)
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
	testdata.OK(t, s.Close())
}

// What is loaded, here and in the child process of a probe, has the hash that the feed promises.
func TestOtherContentIsNotOpened(t *testing.T) {
	r := library(t)
	right := tiny().file()
	sum := sha256.Sum256(right)
	feed := feedOf(t, save(t, "tiny.onnx", right), 8)
	feed.SHA256 = hex.EncodeToString(sum[:])
	s := testdata.Must(r.Open(t.Context(), feed))(t)
	testdata.OK(t, s.Close())
	if _, err := r.Probe(t.Context(), feed); err != nil {
		t.Error(err)
	}
	feed.Path = save(t, "tiny.onnx", withTail(13, []pb{value("p", typeFloat, -1, 3)},
		node("Softmax", list("scores"), list("p"))))
	other := testdata.Must(os.ReadFile(feed.Path))(t)
	sum = sha256.Sum256(other)
	says := "tiny.onnx has other content than it should: its SHA-256 is " + hex.EncodeToString(sum[:6]) + ", not " +
		feed.SHA256[:12] + ";"
	if _, err := r.Open(t.Context(), feed); err == nil || !strings.Contains(err.Error(), says) {
		t.Error(err)
	}
	if _, err := r.Probe(t.Context(), feed); err == nil ||
		!strings.Contains(err.Error(), "tiny.onnx has other content") {
		t.Error(err)
	}
}

func TestOpenRefusesFeeds(t *testing.T) {
	r := library(t)
	g := tiny()
	g.inputs = []pb{value("image", typeFloat, 4, 1, 4, 4)}
	g.nodes = append(g.nodes, node("ArgMax", list("scores"), list("best")))
	path := save(t, "m.onnx", g.file())
	const another = "; choose another one for that position"
	type feed = engine.Feed
	tests := map[string]func(*feed){
		`m.onnx has no image input "x"; its input is "image"`: func(f *feed) { f.Input.Name = "x" },
		"m.onnx takes images in the order NCHW, not NHWC":     func(f *feed) { f.Input.Layout = model.NHWC },
		"m.onnx takes batches of 4 images only, not 8":        func(f *feed) { f.Input.Batch = 8 },
		"m.onnx takes images of 1 channels only, not 3":       func(f *feed) { f.Input.Channels = 3 },
		"m.onnx takes images of height 4 only, not 5":         func(f *feed) { f.Input.Height = 5 },
		"m.onnx takes images of width 4 only, not 9":          func(f *feed) { f.Input.Width = 9 },
		"m.onnx cannot be opened with an open size; set batch, channels, " +
			"height and width of its input": func(f *feed) { f.Input.Height = 0 },
		"m.onnx declares batches of 5000 images; at most 4096 can be used": func(f *feed) { f.Input.Batch = 5000 },

		`m.onnx has no tensor "nowhere"` + another: func(f *feed) { f.Tensors = list("conv", "nowhere") },
		`m.onnx has no tensor "image"` + another:   func(f *feed) { f.Tensors = list("image") },
		`m.onnx holds int64 in tensor "best", not floating-point numbers` + another: func(f *feed) {
			f.Tensors = list("best")
		},
		`m.onnx has no tensor ""` + another: func(f *feed) { f.Output = "" },
		"away.onnx cannot be opened: ":      func(f *feed) { f.Path = filepath.Join(filepath.Dir(path), "away.onnx") },
	}
	for want, change := range tests {
		f := feedOf(t, path, 4)
		change(&f)
		_, err := r.Open(t.Context(), f)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestOpenHonoursContext(t *testing.T) {
	r := library(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	feed := feedOf(t, sceneModels(t)[0], 1)
	testdata.ErrorIs(t, "open", testdata.Err(r.Open(ctx, feed)), context.Canceled)
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
	r := testdata.Must(Load("", ""))(t)
	s := testdata.Must(r.Open(t.Context(), feedOf(t, save(t, "tiny.onnx", tiny().file()), 1)))(t)
	run := testdata.Must(s.Runner())(t)
	if shape, values := run.Result(0); shape != nil || values != nil {
		t.Error("a result before the first run")
	}
	testdata.OK(t, errors.Join(r.Close(), r.Close(), s.Close(), s.Close()))
	if _, err := s.Runner(); err == nil || err.Error() != "tiny.onnx is closed" {
		t.Errorf("got %v", err)
	}
	testdata.OK(t, run.Run(t.Context()))
	testdata.OK(t, errors.Join(run.Close(), run.Close()))
	testdata.Is(t, "users left", environmentUsers(), 0)
	if _, err := r.Open(t.Context(), engine.Feed{}); err == nil || err.Error() != "the ONNX Runtime library is closed" {
		t.Errorf("got %v", err)
	}
}

func TestReason(t *testing.T) {
	testdata.Is(t, "reason", reason(errors.New("Error running network:  a thing")).Error(), "a thing")
	const running = "Non-zero status code returned while running "
	if got := reason(errors.New(running + "If node. Name:'' Status Message: " + running +
		"Conv node. Name:'c1' Status Message: x")).Error(); got != "operator If: operator Conv (c1): x" {
		t.Errorf("got %q", got)
	}
	got := reason(errors.New("a\n  b\t" + strings.Repeat("é", 400))).Error()
	if !strings.HasPrefix(got, "a b é") || !strings.HasSuffix(got, " ...") || len(got) > 310 {
		t.Errorf("got %q", got)
	}
}
