package models

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// bench is a shelf on a stage.
type bench struct {
	*shelf
	stage *stage.Stage
	shown int
	mu    sync.Mutex
	order []string // keys in the order in which they were made
}

func newBench(t *testing.T) *bench {
	b := &bench{stage: stage.New(t)}
	work := background.New(fyne.Do)
	b.shelf = newShelf(work, func() { b.shown++ })
	t.Cleanup(func() {
		b.close()
		work.Stop()
		work.Wait()
		b.stage.Pump()
	})
	return b
}

func (b *bench) draw(key string, size int) func(context.Context) (image.Image, error) {
	return func(context.Context) (image.Image, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.order = append(b.order, key)
		if size == 0 {
			return nil, errors.New("no signals")
		}
		return image.NewRGBA(image.Rect(0, 0, size, size)), nil
	}
}

func TestNewestPictureIsMadeFirst(t *testing.T) {
	b := newBench(t)
	gate := make(chan struct{})
	b.get("gate", func(context.Context) (image.Image, error) { <-gate; return image.NewRGBA(image.Rect(0, 0, 1, 1)), nil })
	b.stage.Until("the first is at work", func() bool { b.shelf.mu.Lock(); defer b.shelf.mu.Unlock(); return len(b.waiting) == 0 })
	for i := range mostWaiting + 20 {
		key := fmt.Sprint(i)
		if first := b.get(key, b.draw(key, 1)); first != nil || b.get(key, b.draw(key, 1)) != nil {
			t.Fatal("a picture that is not made yet")
		}
	}
	close(gate)
	last := fmt.Sprint(mostWaiting + 19)
	b.stage.Until("all are made", func() bool { return b.kept[last] != nil && b.kept["20"] != nil })
	if len(b.order) != mostWaiting || b.order[0] != last || slices.Contains(b.order, "19") {
		t.Errorf("%d made, first %s", len(b.order), b.order[0])
	}
	if b.get(last, nil) == nil || b.shown == 0 {
		t.Error("a made picture is not on the shelf")
	}
}

func TestFailedPictureIsNotTriedForEver(t *testing.T) {
	b := newBench(t)
	b.get("bad", b.draw("bad", 0))
	b.stage.Until("it has failed", func() bool { return b.failed["bad"] })
	b.get("bad", b.draw("bad", 0))
	b.clear()
	b.get("bad", b.draw("bad", 1))
	b.stage.Until("it is tried again for another list", func() bool { return b.kept["bad"] != nil })
	if len(b.order) != 2 {
		t.Errorf("made %v", b.order)
	}
	b.close()
	if b.get("late", nil) != nil || len(b.waiting) != 0 {
		t.Error("a closed shelf takes wishes")
	}
}

func TestShelfIsBounded(t *testing.T) {
	b := newBench(t)
	const side = 1024 // 4 MiB each
	for i := range 40 {
		key := fmt.Sprint(i)
		b.take([]made{{key, image.NewRGBA(image.Rect(0, 0, side, side))}})
		b.get("0", nil) // is used again and again
	}
	if b.size > shelfBudget || b.kept["0"] == nil || b.kept["39"] == nil || b.kept["1"] != nil {
		t.Errorf("%d bytes, %d pictures", b.size, len(b.kept))
	}
}

// rowsOf are the rows of a sample.
func rowsOf(t *testing.T, ws *sample.Workspace) list {
	t.Helper()
	l, err := load(t.Context(), ws.Workspace, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestScalesAreTheSharedRanges holds the list's colour ranges against those of the inspect screen.
func TestScalesAreTheSharedRanges(t *testing.T) {
	ws := sample.New(t, 7)
	l := rowsOf(t, ws)
	got, err := scalesOf(t.Context(), ws.Workspace, l.rows, "gray")
	if err != nil {
		t.Fatal(err)
	}
	want, err := evidence.SharedRanges(t.Context(), ws.Workspace, l.current.Suite, l.current.Family, evidence.DefaultModalities())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range evidence.DefaultModalities() {
		if s := got.by[name]; s.Low != want[name].Low || s.High != want[name].High || s.Map != &render.Gray {
			t.Errorf("%s: %v, not %v", name, s, want[name])
		}
	}
	again, err := scalesOf(t.Context(), ws.Workspace, l.rows, "")
	if err != nil || again.by["max@CONV-1"].High != got.by["max@CONV-1"].High || again.by["max@CONV-1"].Map != &render.Viridis {
		t.Errorf("those that were kept are others: %v %v", again, err)
	}
	fewer, err := scalesOf(t.Context(), ws.Workspace, l.rows[:1], "")
	if err != nil || fewer.by["max@CONV-1"].High >= got.by["max@CONV-1"].High {
		t.Errorf("the range of other sets was taken: %v %v", fewer.by["max@CONV-1"], err)
	}
	if s := colourMap("no such map"); s != &render.Viridis {
		t.Error("an unknown map")
	}
}

func TestPicturesAreCachedOnDisk(t *testing.T) {
	ws := sample.New(t, 3)
	l := rowsOf(t, ws)
	s, err := scalesOf(t.Context(), ws.Workspace, l.rows, "")
	if err != nil {
		t.Fatal(err)
	}
	w, ok := s.strip(ws.Workspace, l.rows[0], "")
	if !ok {
		t.Fatal("no strip for a model with signals")
	}
	first, err := w.make(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	summary, _, err := ws.SetSummary(l.rows[0].Set)
	if err != nil {
		t.Fatal(err)
	}
	var tiles []render.Tile
	for _, m := range signal.DefaultModalities() {
		tiles = append(tiles, render.Tile{Matrix: summary.Matrices[m.String()], Scale: s.by[m.String()]})
	}
	same := func(a, b image.Image) bool {
		for y := range a.Bounds().Dy() {
			for x := range a.Bounds().Dx() {
				r, g, bl, al := a.At(x, y).RGBA()
				r2, g2, b2, a2 := b.At(x, y).RGBA()
				if r != r2 || g != g2 || bl != b2 || al != a2 {
					return false
				}
			}
		}
		return a.Bounds() == b.Bounds()
	}
	drawn := render.Strip(tiles, thumbSize, thumbGap)
	if !same(first, drawn) {
		t.Error("the strip is not that of the matrices, or was not kept")
	}
	files, err := filepath.Glob(filepath.Join(ws.Path(), "thumbs", "*.png"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if again, err := w.make(t.Context()); err != nil || !same(again, drawn) {
		t.Errorf("read from disk it is another picture: %v", err)
	}
	if err := os.WriteFile(files[0], []byte("damage"), 0o644); err != nil {
		t.Fatal(err)
	}
	if again, err := w.make(t.Context()); err != nil || !same(again, drawn) {
		t.Errorf("a damaged file is not made anew: %v", err)
	}
	other, err := scalesOf(t.Context(), ws.Workspace, l.rows[:1], "cividis")
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := other.strip(ws.Workspace, l.rows[0], "cividis"); v.key == w.key {
		t.Error("another colour map under the same key")
	}
	if _, ok := s.strip(ws.Workspace, l.rows[2], ""); ok {
		t.Error("a strip without signals")
	}
}

func TestRangeOfOtherModalitiesIsRemembered(t *testing.T) {
	ws := sample.New(t, 4)
	l := rowsOf(t, ws)
	names, err := modalities(ws.Workspace, l)
	if err != nil || !slices.Equal(names[:5], evidence.DefaultModalities()) || !slices.Contains(names, "std@CONV-2") {
		t.Fatalf("%v %v", names, err)
	}
	steps := 0
	first, err := rangeOf(t.Context(), ws.Workspace, l, "std@CONV-1", func(int, int) { steps++ })
	if err != nil || steps != 4 || !(first.High > 0) {
		t.Fatalf("%v after %d steps, %v", first, steps, err)
	}
	again, err := rangeOf(t.Context(), ws.Workspace, l, "std@CONV-1", func(int, int) { steps++ })
	if err != nil || again != first || steps != 4 {
		t.Errorf("%v after %d steps, %v", again, steps, err)
	}
	w := tile(ws.Workspace, l.rows[0], l.current, "std@CONV-1", first, "")
	if picture, err := w.make(t.Context()); err != nil || picture.Bounds().Dx() != 31 {
		t.Errorf("%v", err)
	}
	w = tile(ws.Workspace, l.rows[0], l.current, "L2@CONV-1", first, "")
	if _, err := w.make(t.Context()); !errors.Is(err, errAbsent) {
		t.Errorf("a modality without signals: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rangeOf(ended, ws.Workspace, l, "std@CONV-2", func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
