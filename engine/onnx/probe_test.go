package onnx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

func TestProbe(t *testing.T) {
	r := library(t)
	softmax := withTail(13, []pb{value("p", typeFloat, -1, 3)}, node("Softmax", list("scores"), list("p")))
	for name, data := range map[string][]byte{"scores.onnx": tiny().file(), "probabilities.onnx": softmax} {
		for _, batch := range []int{1, 64} {
			got := testdata.Must(r.Probe(t.Context(), feedOf(t, save(t, name, data), batch, "conv")))(t)
			b := int64(batch)
			if got.Classes != 3 || got.Sums != (name == "probabilities.onnx") || got.Milliseconds < 0 ||
				got.Milliseconds > 1e4 {
				t.Errorf("%s: %+v", name, got)
			}
			testdata.NoDiff(t, "difference", cmp.Diff([][]int64{{b, 3}, {b, 2, 4, 4}}, got.Shapes))
		}
	}
}

// A probe with masks tries the masked graph too, and tells the same as one without.
func TestProbeWithMasks(t *testing.T) {
	r := library(t)
	feed := feedOf(t, save(t, "tiny.onnx", tiny().file()), 7, "conv")
	want := testdata.Must(r.Probe(t.Context(), feed))(t)
	feed.Mask = &transform.Masks{N: 3}
	got := testdata.Must(r.Probe(t.Context(), feed))(t)
	got.Milliseconds, want.Milliseconds = 0, 0
	testdata.NoDiff(t, "difference", cmp.Diff(want, got))
}

func TestProbeFails(t *testing.T) {
	r := library(t)
	feed := feedOf(t, save(t, "tiny.onnx", tiny().file()), 1, "nowhere")
	testdata.Refused(t, "no tensor", testdata.Err(r.Probe(t.Context(), feed)),
		`tiny.onnx has no tensor "nowhere"; choose another one for that position`)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "ended", testdata.Err(r.Probe(ended, feed)), context.Canceled)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := r.Probe(ctx, feedOf(t, save(t, "endless.onnx", endless().file()), 1))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 3*time.Second {
		t.Errorf("got %v after %v", err, time.Since(begin))
	}
}

// Neither loading nor running leaves anything in the user's home, caches or temporary folder.
func TestProbeWritesNothing(t *testing.T) {
	r := library(t)
	feed := feedOf(t, sceneModels(t)[0], 16, "features")
	here := testdata.Must(os.ReadDir("."))(t)
	home := t.TempDir()
	for _, variable := range []string{
		"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
		"TMPDIR",
	} {
		t.Setenv(variable, home)
	}
	testdata.Must(r.Probe(t.Context(), feed))(t)
	err := filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		testdata.Is(t, "the library wrote", path, home)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if now, err := os.ReadDir("."); err != nil || len(now) != len(here) {
		t.Errorf("%d files here, %d before, %v", len(now), len(here), err)
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
		testdata.Is(t, fmt.Sprintf("%v", test.values), areProbabilities(test.values, test.classes), test.want)
	}
}
