//go:build cgo

package background

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

func (s *stand) cut(classes ...string) (Segmenter, string) {
	return Segmenter{Network: s.nets.Segmentation, Classes: classes, Workers: 2}, filepath.Join(s.folder,
		"masks of "+strings.Join(classes, " "))
}

// TestMasksFromSegmentation: the masks are white where the brightest channel is a chosen one, and
// AddMasks takes them.
func TestMasksFromSegmentation(t *testing.T) {
	s, ok := newStand(t, 5, 40)
	if !ok {
		return
	}
	how, folder := s.cut("Sky", "sea")
	var p testdata.Progress
	made := testdata.Must(MasksFromSegmentation(t.Context(), s.ws, s.rt, how, s.targets, folder, &p))(s)
	if made.Masks != 5 || len(made.Empty)+len(made.Full) > 0 || p.Total.Load() != 5 || p.Done.Load() != 5 {
		t.Errorf("%+v, progress %d of %d", made, p.Done.Load(), p.Total.Load())
	}
	if how.Made() != "seg.onnx: Sky, sea" {
		t.Errorf("made by %q", how.Made())
	}
	for i, seed := range []uint64{0, 2, 4, 1, 3} {
		file := testdata.Must(os.Open(filepath.Join(folder, filepath.FromSlash(s.targets.ImageName(i)))))(s)
		img, err := png.Decode(file)
		must(s, errors.Join(err, file.Close()))
		if img.Bounds() != image.Rect(0, 0, 8, 8) {
			t.Fatalf("mask %d has %v pixels", i, img.Bounds())
		}
		for y := range 8 {
			for x := range 8 {
				want := color.Gray{}
				if c := brightest(seed, y/2, x/2); c != 1 {
					want.Y = 255
				}
				if img.At(x, y) != want {
					t.Fatalf("mask of picture %d at %d, %d: %v, want %v", seed, x, y, img.At(x, y), want)
				}
			}
		}
	}
	set, err := s.ws.AddMasks(t.Context(), s.targets.Hash, folder, false, engine.NoProgress{})
	if err != nil || len(set.Files) != 5 {
		t.Fatalf("AddMasks: %d files, %v", len(set.Files), err)
	}
	set, err = AddMade(t.Context(), s.ws, how, s.targets, folder, engine.NoProgress{})
	if err != nil || set.Made != how.Made() || len(set.Files) != 5 {
		t.Fatalf("AddMade: %+v, %v", set, err)
	}
	masks := testdata.Must(OpenMasks(t.Context(), s.ws, set))(s)
	table, err := Understand(t.Context(), s.ws, s.rt, s.nets, s.targets, s.backgrounds, masks, engine.NoProgress{})
	must(s, err)
	for _, row := range table.Rows[:5] { // only grass is left to be seen
		if row.Vector[0] != 0 || row.Vector[1] != 1 || row.Vector[2] != 0 || row.Visible == 0 || row.Visible == 16 {
			t.Errorf("%s: %v of %d pixels", row.File, row.Vector, row.Visible)
		}
	}
	_, err = MasksFromSegmentation(t.Context(), s.ws, s.rt, how, s.targets, folder, &p)
	s.refused(err, "is there already; write the masks to a new folder")
}

// brightest is the channel that wins at a place of the tiny network's maps.
func brightest(seed uint64, y, x int) int {
	pixels := pixelsOf(seed)
	at, best := 0, -1e9
	for c := range 3 {
		for k := range 4 {
			v := (float64(pixels[2*y+k/2][2*x+k%2][c])/255 - 0.5) / []float64{0.25, 0.2, 0.25}[c]
			if v > best+1e-9 {
				at, best = c, v
			}
		}
	}
	return at
}

// TestMasksOfNothing: images without the chosen classes, or with nothing else, are named.
func TestMasksOfNothing(t *testing.T) {
	s, ok := newStand(t, 4, 2)
	if !ok {
		return
	}
	red := testdata.Must(os.Create(filepath.Join(s.folder, "targets", "cat", "red.png")))(s)
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for p := range 64 {
		img.SetRGBA(p%8, p/8, color.RGBA{R: 255, A: 255})
	}
	must(s, errors.Join(png.Encode(red, img), red.Close()))
	s.targets = s.suite("targets")
	for _, c := range []struct {
		class       string
		empty, full []string
	}{{"sky", nil, []string{"cat/red.png"}}, {"grass", []string{"cat/red.png"}, nil}} {
		how, folder := s.cut(c.class)
		made, err := MasksFromSegmentation(t.Context(), s.ws, s.rt, how, s.targets, folder, engine.NoProgress{})
		must(s, err)
		if made.Masks != 5 || !slices.Equal(made.Empty, c.empty) || !slices.Equal(made.Full, c.full) {
			t.Errorf("%s: %+v", c.class, made)
		}
		if _, err := s.ws.AddMasks(t.Context(), s.targets.Hash, folder, false, engine.NoProgress{}); err == nil ||
			!strings.Contains(err.Error(), "red.png") {
			t.Errorf("%s: AddMasks says %v", c.class, err)
		}
	}
}

// TestMasksRefused: one sentence each, and nothing is left behind; nor is there after the end of
// ctx.
func TestMasksRefused(t *testing.T) {
	s, ok := newStand(t, 40, 1)
	if !ok {
		return
	}
	refuse := func(how Segmenter, of suite.Manifest, want string) {
		t.Helper()
		_, err := MasksFromSegmentation(t.Context(), s.ws, s.rt, how, of, filepath.Join(s.folder, "masks"),
			engine.NoProgress{})
		s.refused(err, want)
	}
	how, _ := s.cut("dog")
	refuse(how, s.targets, `seg.onnx has no class "dog"; choose among sky, grass, sea`)
	how, _ = s.cut()
	refuse(how, s.targets, "no class of seg.onnx is chosen")
	how, _ = s.cut("sky")
	refuse(how, suite.Manifest{Name: "none"}, "suite none has no images")
	twice := s.targets
	twice.Files = slices.Clone(twice.Files)
	twice.Files[1].Path = strings.TrimSuffix(twice.Files[0].Path, ".png") + ".jpg"
	refuse(how, twice, "cat/000.png and cat/000.jpg of suite "+s.targets.Name+" would both have the mask cat/000.png")
	how.Network = s.nets.Scene
	refuse(how, s.targets, "it is no segmentation network")
	how.Network = s.nets.Segmentation
	ctx, stop := context.WithCancel(t.Context())
	s.rt.after = func(int64) { stop() }
	_, err := MasksFromSegmentation(ctx, s.ws, s.rt, how, s.targets, filepath.Join(s.folder, "masks"),
		engine.NoProgress{})
	testdata.ErrorIs(t, "stopped", err, context.Canceled)
	left, err := fs.Glob(os.DirFS(s.folder), "*masks*")
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	hidden, err := fs.Glob(os.DirFS(s.folder), ".*")
	if err != nil || len(hidden) > 0 {
		t.Errorf("left behind: %q, %v", hidden, err)
	}
}

func TestKindsInWords(t *testing.T) {
	for text, want := range map[string]model.OutputKind{
		"scene logits": model.Logits, "Probabilities": model.Probabilities,
		"log-probabilities per scene": model.LogProbabilities, "": "", "scores": "",
	} {
		testdata.Is(t, text, kindIn(text), want)
	}
}

func TestBatches(t *testing.T) {
	for pixels, want := range map[int]int{
		1: 32, 64 * 64: 32, 128 * 128: 8, 224 * 224: 2, 512 * 512: 1, 4096 * 4096: 1,
	} {
		testdata.Is(t, fmt.Sprint("the batch of images of ", pixels, " pixels"), batchOf(pixels), want)
	}
}
