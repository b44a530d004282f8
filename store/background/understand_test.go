//go:build cgo

package background

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// halves are masks whose right half is foreground, with a ragged edge in every second row.
type halves struct{ name string }

func (h halves) Hash() string { return h.name }

func (h halves) Mask(i, height, width int) (background.Mask, error) {
	if i == 99 {
		return background.Mask{}, errors.New("mask 99.png is empty")
	}
	m := background.Mask{Height: height, Width: width, Set: make([]bool, height*width)}
	for p := range m.Set {
		m.Set[p] = p%width >= width/2+p/width%2+i%2
	}
	return m, nil
}

func (s *stand) understand(masks foregrounds) (background.Table, error) {
	return understand(s.Context(), s.ws, s.rt, s.nets, s.targets, s.backgrounds, masks, engine.NoProgress{})
}

// byHand is the vector that the tiny networks have for a picture: normalised, the largest of 2 x 2
// pixels per channel, the arg max of those that are not masked (nearest of 8 to 4: the odd pixels),
// and the softmax of the means.
func byHand(seed uint64, mask *background.Mask) (vector []float64, visible int) {
	pixels := pixelsOf(seed)
	value := func(y, x, c int) float64 {
		return (float64(pixels[y][x][c])/255 - 0.5) / []float64{0.25, 0.2, 0.25}[c]
	}
	vector = make([]float64, 6)
	for y := range 4 {
		for x := range 4 {
			if mask != nil && mask.Set[(2*y+1)*8+2*x+1] {
				continue
			}
			best, at := math.Inf(-1), 0
			for c := range 3 {
				v := max(value(2*y, 2*x, c), value(2*y, 2*x+1, c), value(2*y+1, 2*x, c), value(2*y+1, 2*x+1, c))
				if v > best+1e-9 {
					best, at = v, c
				}
			}
			vector[at]++
			visible++
		}
	}
	sum := 0.0
	for c := range 3 {
		vector[c] /= float64(visible)
		mean := 0.0
		for y := range 8 {
			for x := range 8 {
				mean += 8 * value(y, x, c) / 64
			}
		}
		vector[3+c] = math.Exp(mean)
		sum += vector[3+c]
	}
	for c := range 3 {
		vector[3+c] /= sum
	}
	return vector, visible
}

// TestUnderstand: the vectors of two small networks are those counted by hand, with masks of twice
// the size of the maps and without.
func TestUnderstand(t *testing.T) {
	s, ok := newStand(t, 5, 40)
	if !ok {
		return
	}
	for name, masks := range map[string]foregrounds{"masks": halves{"h"}, "no masks": nil} {
		table := testdata.Must(s.understand(masks))(s)
		if !slices.Equal(table.Elements, tinyElements) || !slices.Equal(table.Scenes, tinyScenes) ||
			len(table.Rows) != 45 {
			t.Fatalf("%s: %d rows of %v and %v", name, len(table.Rows), table.Elements, table.Scenes)
		}
		order := []uint64{0, 2, 4, 1, 3} // cats before dogs
		for k, row := range table.Rows {
			seed, want := uint64(1000+k-5), background.Row{
				File: fmt.Sprintf("scenes/%03d.png", k-5), Kind: background.BackgroundKind,
			}
			var mask *background.Mask
			if k < 5 {
				seed = order[k]
				class := []string{"cat", "dog"}[seed%2]
				want = background.Row{
					File: fmt.Sprintf("targets/%s/%03d.png", class, seed), Kind: background.TargetKind, Label: class,
				}
				if masks != nil {
					m := testdata.Must(masks.Mask(k, 8, 8))(s)
					mask = &m
				}
			}
			vector, visible := byHand(seed, mask)
			want.Visible = visible
			got := row.Vector
			row.Vector = nil
			testdata.NoDiff(t, name, cmp.Diff(want, row))
			for e := range vector {
				if math.Abs(vector[e]-got[e]) > 1e-6 {
					t.Errorf("%s: %s has %v, want %v", name, row.File, got, vector)
					break
				}
			}
		}
	}
}

// TestUnderstandAgain: a second call runs nothing and reads nothing; one picture more costs one
// picture; other masks cost the targets only.
func TestUnderstandAgain(t *testing.T) {
	s, ok := newStand(t, 4, 70)
	if !ok {
		return
	}
	first := testdata.Must(s.understand(halves{"h"}))(s)
	if s.rt.probes.Load() != 2 {
		t.Errorf("%d probes of two networks", s.rt.probes.Load())
	}
	opens, before := s.rt.opens.Load(), s.rt.batches.Load()
	must(s, os.Rename(filepath.Join(s.folder, "scenes"), filepath.Join(s.folder, "elsewhere")))
	again := testdata.Must(s.understand(halves{"h"}))(s)
	testdata.NoDiff(t, "-want +got", cmp.Diff(first, again))
	if s.rt.probes.Load() != 2 || s.rt.opens.Load() != opens || s.rt.batches.Load() != before {
		t.Errorf("the second call ran %d probes, %d sessions, %d batches", s.rt.probes.Load()-2,
			s.rt.opens.Load()-opens, s.rt.batches.Load()-before)
	}
	must(s, os.Rename(filepath.Join(s.folder, "elsewhere"), filepath.Join(s.folder, "scenes")))
	s.picture(filepath.Join("scenes", "035x.png"), 5000)
	s.backgrounds = s.suite("scenes")
	more := testdata.Must(s.understand(halves{"h"}))(s)
	if got := s.rt.batches.Load() - before; len(more.Rows) != 75 || got != 2 {
		t.Errorf("one picture more: %d rows, %d batches, want 75 rows, one batch of each network", len(more.Rows), got)
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(first.Rows[:40], more.Rows[:40]))
	before = s.rt.batches.Load()
	if _, err := s.understand(nil); err != nil || s.rt.batches.Load() != before+2 {
		t.Errorf("without masks: %v, %d batches more, want the targets' two", err, s.rt.batches.Load()-before)
	}
}

// TestUnderstandStopped: a stopped computation keeps what it has and goes on there; nothing is left
// running.
func TestUnderstandStopped(t *testing.T) {
	s, ok := newStand(t, 40, 100)
	if !ok {
		return
	}
	running := goleak.IgnoreCurrent()
	whole, err := s.understand(halves{"h"})
	must(s, err)
	all := s.rt.batches.Load()
	goleak.VerifyNone(t, running)

	fresh, ok := newStand(t, 40, 100)
	if !ok {
		return
	}
	running = goleak.IgnoreCurrent()
	ctx, stop := context.WithCancel(t.Context())
	fresh.rt.after = func(n int64) {
		if n == 5 {
			stop()
		}
	}
	fresh.nets.Workers = 1
	var p testdata.Progress
	_, err = understand(ctx, fresh.ws, fresh.rt, fresh.nets, fresh.targets, fresh.backgrounds, halves{"h"}, &p)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	if p.Total.Load() != 140 || p.Done.Load() != 40 {
		t.Errorf("progress %d of %d, want the 40 targets of 140", p.Done.Load(), p.Total.Load())
	}
	fresh.rt.after = nil
	fresh.rt.batches.Store(0)
	var q testdata.Progress
	table := testdata.Must(understand(t.Context(), fresh.ws, fresh.rt, fresh.nets, fresh.targets, fresh.backgrounds,
		halves{"h"}, &q))(fresh)
	if got := fresh.rt.batches.Load(); got != all-4 || q.Done.Load() != 140 {
		t.Errorf("going on took %d batches, want %d; progress %d", got, all-4, q.Done.Load())
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(whole, table))
	goleak.VerifyNone(t, running)
}

// TestUnderstandWorkers: the same bits for any number of goroutines.
func TestUnderstandWorkers(t *testing.T) {
	var first background.Table
	for _, workers := range []int{1, 2, 5} {
		s, ok := newStand(t, 3, 130)
		if !ok {
			return
		}
		s.nets.Workers = workers
		table := testdata.Must(s.understand(nil))(s)
		if workers == 1 {
			first = table
		} else if diff := cmp.Diff(first, table); diff != "" {
			t.Errorf("%d goroutines: %s", workers, diff)
		}
	}
}

// TestUnderstandKinds: scores that are probabilities, or their logarithms, come out as those of
// logits do.
func TestUnderstandKinds(t *testing.T) {
	s, ok := newStand(t, 2, 2)
	if !ok {
		return
	}
	logits := testdata.Must(s.understand(nil))(s)
	for _, last := range []string{"Softmax", "LogSoftmax"} {
		s.nets.Scene = s.file(last+".onnx", tinyScene(8, tinyScenes, last))
		other := testdata.Must(s.understand(nil))(s)
		for k, row := range other.Rows {
			for e, v := range row.Vector {
				if math.Abs(v-logits.Rows[k].Vector[e]) > 1e-6 {
					t.Errorf("%s: %v, want %v", last, row.Vector, logits.Rows[k].Vector)
					break
				}
			}
		}
	}
}

// TestUnderstandRefuses: one sentence for each thing that cannot be.
func TestUnderstandRefuses(t *testing.T) {
	s, ok := newStand(t, 2, 2)
	if !ok {
		return
	}
	good := s.nets
	overflowing := netOf(infoOf("x", -1, 3, 8, 8), infoOf("scores", -1, 3),
		[]message{tensorOf("w", slices.Repeat([]float32{3e38}, 9), 3, 3, 1, 1)},
		[]message{
			nodeOf("Conv", "c", nil, "x", "w"), nodeOf("GlobalAveragePool", "p", nil, "c"),
			nodeOf("Flatten", "f", nil, "p"), nodeOf("Exp", "scores", nil, "f"),
		}, tinyMetadata(tinyScenes))
	for name, c := range map[string]struct {
		change func(n *Networks)
		want   string
	}{
		"too few names": {
			func(n *Networks) { n.Elements = []string{"a", "b"} },
			"seg.onnx tells 3 elements apart, but the list has 2 names",
		},
		"too many names": {
			func(n *Networks) { n.Scenes = []string{"a", "b", "c", "d"} },
			"scene.onnx tells 3 scenes apart, but the list has 4 names",
		},
		"a name twice": {
			func(n *Networks) { n.Scenes = []string{"a", "b", "a"} },
			`scene.onnx: scenes 1 and 3 are both called "a"`,
		},
		"an empty name": {
			func(n *Networks) { n.Elements = []string{"a", " ", "c"} }, "seg.onnx: element 2 has an empty name",
		},
		"no names": {
			func(n *Networks) { n.Segmentation = s.file("bare.onnx", tinySegmentation(8, nil)) },
			"bare.onnx does not name its elements; give a list",
		},
		"own names": {
			func(n *Networks) { n.Segmentation = s.file("own.onnx", tinySegmentation(8, []string{"a"})) },
			"own.onnx tells 3 elements apart, but its own class_names have 1 names",
		},
		"no maps": {
			func(n *Networks) { n.Segmentation = n.Scene },
			"scene.onnx has no output of form (N, K, H, W), a score per element and pixel; " +
				"it is no segmentation network",
		},
		"no scores": {
			func(n *Networks) { n.Scene = n.Segmentation },
			"seg.onnx has no output of form (N, C), a score per scene; it is no scene network",
		},
		"no file": {func(n *Networks) { n.Scene = filepath.Join(s.folder, "nowhere.onnx") }, "nowhere.onnx"},
		"no model": {
			func(n *Networks) { n.Scene = s.file("text.onnx", message("hello")) }, "text.onnx is not an ONNX file",
		},
		"overflow": {
			func(n *Networks) { n.Scene = s.file("loud.onnx", overflowing) },
			"loud.onnx gives numbers that are not finite for image ",
		},
	} {
		s.nets = good
		c.change(&s.nets)
		_, err := s.understand(nil)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		s.refused(err, c.want)
	}
	s.nets = good
	if _, err := Understand(t.Context(), s.ws, nil, s.nets, s.targets, s.backgrounds, nil,
		engine.NoProgress{}); !errors.Is(err, engine.ErrNoRuntime) {
		t.Errorf("without a library: %v", err)
	}
	_, err := Understand(t.Context(), s.ws, s.rt, s.nets, suite.Manifest{}, suite.Manifest{}, nil, engine.NoProgress{})
	s.refused(err, "there are no images to look at")
	table, err := Understand(t.Context(), s.ws, s.rt, s.nets, suite.Manifest{}, s.backgrounds, nil, engine.NoProgress{})
	if err != nil || len(table.Rows) != 2 {
		t.Errorf("backgrounds alone: %d rows, %v", len(table.Rows), err)
	}
}

// TestUnderstandAnySize: networks of any input size take the suites'; where images differ in size
// they are refused.
func TestUnderstandAnySize(t *testing.T) {
	s, ok := newStand(t, 2, 3)
	if !ok {
		return
	}
	fixed, err := s.understand(nil)
	must(s, err)
	s.nets = Networks{
		Segmentation: s.file("anyseg.onnx", tinySegmentation(-1, tinyElements)),
		Scene:        s.file("anyscene.onnx", tinyScene(-1, tinyScenes, "Identity")),
	}
	free := testdata.Must(s.understand(nil))(s)
	testdata.NoDiff(t, "-want +got", cmp.Diff(fixed, free))
	s.backgrounds.Shape = [3]int{}
	_, err = s.understand(nil)
	s.refused(err,
		"anyseg.onnx takes images of any size, and those of the suites differ in theirs; "+
			"export it with a fixed input size")
}

// TestUnderstandMaskErrors: what is wrong with a mask ends the computation and is said.
func TestUnderstandMaskErrors(t *testing.T) {
	s, ok := newStand(t, 101, 1)
	if !ok {
		return
	}
	_, err := s.understand(halves{"h"})
	s.refused(err, "mask 99.png is empty")
}
