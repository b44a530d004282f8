package onnx

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/transform"
)

func TestProbe(t *testing.T) {
	r := library(t)
	softmax := withTail(13, []pb{value("p", typeFloat, -1, 3)}, node("Softmax", list("scores"), list("p")))
	for name, data := range map[string][]byte{"scores.onnx": tiny().file(), "probabilities.onnx": softmax} {
		for _, batch := range []int{1, 7, 64, 128} {
			got, err := r.Probe(t.Context(), feedOf(t, save(t, name, data), batch, "conv"))
			if err != nil {
				t.Fatal(err)
			}
			b := int64(batch)
			if got.Classes != 3 || got.Sums != (name == "probabilities.onnx") || got.Milliseconds < 0 || got.Milliseconds > 1e4 {
				t.Errorf("%s: %+v", name, got)
			}
			if diff := cmp.Diff([][]int64{{b, 3}, {b, 2, 4, 4}}, got.Shapes); diff != "" {
				t.Error(diff)
			}
		}
	}
}

// A probe with masks tries the masked graph too, and tells the same as one without.
func TestProbeWithMasks(t *testing.T) {
	r := library(t)
	feed := feedOf(t, save(t, "tiny.onnx", tiny().file()), 7, "conv")
	want, err := r.Probe(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	feed.Mask = &transform.Masks{N: 3}
	got, err := r.Probe(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	got.Milliseconds, want.Milliseconds = 0, 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	feed.Mask.Layers = []int{1, 2}
	if _, err := r.Probe(t.Context(), feed); err == nil || err.Error() != "tiny.onnx has 1 convolution; layer 2 is not there" {
		t.Errorf("got %v", err)
	}
}

func TestProbeReportsErrors(t *testing.T) {
	r := library(t)
	feed := feedOf(t, save(t, "tiny.onnx", tiny().file()), 1, "nowhere")
	_, err := r.Probe(t.Context(), feed)
	if want := `tiny.onnx has no tensor "nowhere"; choose another one for that position`; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Probe(ended, feed); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A model that wants 16 GB, when it is loaded or when it runs, gives one sentence; this process does not notice.
func TestProbeLimitsMemory(t *testing.T) {
	r := library(t)
	for _, late := range []bool{false, true} {
		begin := time.Now()
		_, err := r.Probe(t.Context(), feedOf(t, save(t, "hungry.onnx", hungry(late).file()), 1))
		want := "hungry.onnx needs more than 4096 MB of memory in a trial run; choose a smaller batch or another model"
		if err == nil || err.Error() != want {
			t.Errorf("late %v: got %v", late, err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("late %v: took %v", late, took)
		}
	}
	if _, err := r.Probe(t.Context(), feedOf(t, save(t, "tiny.onnx", tiny().file()), 1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestProbeLimitsTime(t *testing.T) {
	r := library(t)
	r.limits.Time = 700 * time.Millisecond
	begin := time.Now()
	_, err := r.Probe(t.Context(), feedOf(t, save(t, "endless.onnx", endless().file()), 1))
	want := "endless.onnx did not finish a trial run within 700ms; it cannot be used"
	if err == nil || err.Error() != want || time.Since(begin) > 5*time.Second {
		t.Errorf("got %v after %v", err, time.Since(begin))
	}
}

func TestProbeHonoursContext(t *testing.T) {
	r := library(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := r.Probe(ctx, feedOf(t, save(t, "endless.onnx", endless().file()), 1))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 3*time.Second {
		t.Errorf("got %v after %v", err, time.Since(begin))
	}
}

func TestProbeOfMisbehavingChildren(t *testing.T) {
	r := library(t)
	feed := feedOf(t, save(t, "m.onnx", tiny().file()), 1)
	for how, want := range map[string]string{
		"crash":   "m.onnx crashes the ONNX Runtime library (signal: killed); it cannot be used",
		"silence": "m.onnx: its trial run gave no answer; does the program call onnx.ServeProbe first?",
		"fail":    "m.onnx needs more than 4096 MB of memory in a trial run; choose a smaller batch or another model",
		"hang":    "m.onnx did not finish a trial run within 1s; it cannot be used",
	} {
		t.Run(how, func(t *testing.T) {
			t.Setenv(misbehaviour, how)
			r.limits = defaultLimits
			if how == "hang" { // before it could set its own clock
				r.limits.Time, r.limits.grace = time.Second, 0
			}
			if _, err := r.Probe(t.Context(), feed); err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	r.limits = defaultLimits
	t.Setenv(misbehaviour, "chatter")
	if got, err := r.Probe(t.Context(), feed); err != nil || got.Classes != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestProbeNeedsServeProbe(t *testing.T) {
	r := library(t)
	serving.Store(false)
	defer serving.Store(true)
	_, err := r.Probe(t.Context(), feedOf(t, save(t, "tiny.onnx", tiny().file()), 1))
	if err == nil || err.Error() != "this program cannot probe models: main does not call onnx.ServeProbe" {
		t.Errorf("got %v", err)
	}
}

// Neither loading nor running leaves anything in the user's home, caches or temporary folder.
func TestProbeWritesNothing(t *testing.T) {
	r := library(t)
	feed := feedOf(t, sceneModels(t)[0], 16, "features")
	here, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TMPDIR"} {
		t.Setenv(variable, home)
	}
	if _, err := r.Probe(t.Context(), feed); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		if path != home {
			t.Errorf("the library wrote %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if now, err := os.ReadDir("."); err != nil || len(now) != len(here) {
		t.Errorf("%d files here, %d before, %v", len(now), len(here), err)
	}
}

func TestServeRefusesRequests(t *testing.T) {
	for _, request := range []string{"", "{}", "no json\n"} {
		if code := serve(strings.NewReader(request), io.Discard); code != exitBad {
			t.Errorf("%q: code %d", request, code)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	good := "noise\n" + answerMark + `{"probe":{"Classes":7}}` + "\nmore noise"
	if a, ok := readAnswer(good); !ok || a.Probe.Classes != 7 {
		t.Errorf("%+v, %v", a, ok)
	}
	for _, bad := range []string{"", "noise", answerMark + "{", " " + answerMark + "{}"} {
		if _, ok := readAnswer(bad); ok {
			t.Errorf("%q was taken for an answer", bad)
		}
	}
}

func TestAreProbabilities(t *testing.T) {
	nan := float32(0)
	nan /= nan
	for _, test := range []struct {
		values  []float32
		classes int
		want    bool
	}{
		{[]float32{0.25, 0.75, 1, 0}, 2, true},
		{[]float32{0.2505, 0.75, 1, 0}, 2, true},
		{[]float32{0.2515, 0.75, 1, 0}, 2, false},
		{[]float32{1, 0, -0.01, 1.01}, 2, false},
		{[]float32{1.0000005, 0}, 2, true},
		{[]float32{nan, 1}, 2, false},
		{nil, 0, false},
	} {
		if got := areProbabilities(test.values, test.classes); got != test.want {
			t.Errorf("%v: %v", test.values, got)
		}
	}
}

func TestTail(t *testing.T) {
	w := &tail{limit: 5}
	for _, s := range []string{"abc", "defgh", "", "ijklmnopq"} {
		if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if got := w.String(); got != "mnopq" || !bytes.Equal(slices.Clone(w.Bytes()), []byte(got)) {
		t.Errorf("got %q", got)
	}
}
