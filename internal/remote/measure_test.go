package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
)

// What is written is a suite with as many images of that shape, in ten classes.
func TestNoise(t *testing.T) {
	for shape, want := range map[string][3]int{"28x28x1": {28, 28, 1}, "32x32x3": {32, 32, 3}} {
		path := filepath.Join(t.TempDir(), "noise")
		if err := writeNoise(path, shape, 23); err != nil {
			t.Fatal(err)
		}
		m, err := suite.Scan(t.Context(), path+suffixes[shape], suite.Options{}, engine.NoProgress{})
		if err != nil || m.Images != 23 || len(m.Labels) != 23 || m.Labels[12] != 2 {
			t.Fatalf("%s: %v, %+v", shape, err, m)
		}
		s, err := suite.Open(m, filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		img, err := s.Image(22)
		if got := [3]int{img.Width, img.Height, img.Channels}; err != nil || got != want {
			t.Errorf("%s: %v, %v", shape, err, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for shape, n := range map[string]int{"8x8x1": 3, "28x28x1": 0} {
		if err := writeNoise(filepath.Join(t.TempDir(), "noise"), shape, n); err == nil {
			t.Errorf("%d images of %s were written", n, shape)
		}
	}
}

func TestPace(t *testing.T) {
	folder, begun := t.TempDir(), time.Now().Add(-time.Hour)
	for k := range 5 {
		path := filepath.Join(folder, fmt.Sprint(k%2), fmt.Sprint(k))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		at := begun.Add(time.Duration(k) * 500 * time.Millisecond)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, together := range []int{1, 2} {
		if units, rate, err := pace(folder, together); err != nil || units != 5 || !near(rate, 2) {
			t.Errorf("%d at a time: %d units, %v per second, %v", together, units, rate, err)
		}
	}
	if _, _, err := pace(folder, 3); err == nil {
		t.Error("five units of three at a time have a pace")
	}
	if _, _, err := pace(filepath.Join(folder, "gone"), 1); err == nil {
		t.Error("no folder has a pace")
	}
}

func TestListenFindsTheLine(t *testing.T) {
	said := "other machines join with:\n  variscope worker 'variscope://t@10.0.0.1:1/s?cert=c'\n  variscope worker " +
		"'variscope://other'\n"
	if join, _, _ := listen(strings.NewReader(said)); join != "variscope://t@10.0.0.1:1/s?cert=c" {
		t.Errorf("%q", join)
	}
	join, text, read := listen(strings.NewReader("variscope: no such suite\n"))
	<-read
	if join != "" || text() != "variscope: no such suite\n" {
		t.Errorf("%q, %q", join, text())
	}
}

// A trial names what does not work, and leaves nothing behind.
func TestMeasureTellsWhatFails(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var out bytes.Buffer
	err := experiment{
		program: filepath.Join(temporary, "nothing"), shape: "28x28x1", images: 3, rounds: 1,
		models: []string{"m.onnx"},
	}.measure(t.Context(), &out)
	if err == nil || !strings.Contains(err.Error(), "import") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := run(t.Context(), experiment{models: []string{"m.onnx"}}, "1"); err == nil ||
		!strings.Contains(err.Error(), "-rounds") {
		t.Errorf("no rounds: %v", err)
	}
	for _, workers := range []string{"0", "1,x", ""} {
		if err := run(t.Context(), experiment{rounds: 1, models: []string{"m.onnx"}}, workers); err == nil ||
			!strings.Contains(err.Error(), "-workers") {
			t.Errorf("-workers %s: %v", workers, err)
		}
	}
}

func TestMedianAndKinds(t *testing.T) {
	list := []figures{{perSecond: 3}, {perSecond: 1}, {perSecond: 2}}
	if m := median(list, func(i int) float64 { return list[i].perSecond }); m != 2 {
		t.Error(m)
	}
	if m := median(list[:2], func(i int) float64 { return list[i].perSecond }); m != 2 {
		t.Error(m)
	}
	text := fmt.Sprint(experiment{cores: 2, workers: []int{1, 4}}.kinds())
	if text != "[2 cores here 1 workers 4 workers]" {
		t.Error(text)
	}
	if f := (figures{units: 4}); f.each(8*time.Millisecond) != 2 {
		t.Error(f.each(8 * time.Millisecond))
	}
}
