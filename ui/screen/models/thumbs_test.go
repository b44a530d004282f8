package models

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/kit/evidence"
)

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
	want, err := evidence.SharedRanges(t.Context(), ws.Workspace, l.current.Suite, l.current.Family,
		evidence.DefaultModalities())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range evidence.DefaultModalities() {
		if s := got.by[name]; s.Low != want[name].Low || s.High != want[name].High || s.Map != &render.Gray {
			t.Errorf("%s: %v, not %v", name, s, want[name])
		}
	}
	again, err := scalesOf(t.Context(), ws.Workspace, l.rows, "")
	if err != nil || again.by["max@CONV-1"].High != got.by["max@CONV-1"].High ||
		again.by["max@CONV-1"].Map != &render.Viridis {
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
	one := thumb{model: l.rows[0].Model.Hash, set: l.rows[0].Set, current: l.current}
	for at, m := range signal.DefaultModalities() {
		one.ranges[at] = rangesOf(s.by)[m.String()]
	}
	source := thumbs{t.Context(), ws.Workspace, &sync.Map{}}
	first, err := source.Image(one)
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
	if again, err := source.Image(one); err != nil || !same(again, drawn) {
		t.Errorf("read from disk it is another picture: %v", err)
	}
	if err := os.WriteFile(files[0], []byte("damage"), 0o644); err != nil {
		t.Fatal(err)
	}
	if again, err := source.Image(one); err != nil || !same(again, drawn) {
		t.Errorf("a damaged file is not made anew: %v", err)
	}
	other := one
	other.colours = "cividis"
	if again, err := source.Image(other); err != nil || same(again, drawn) {
		t.Errorf("another colour map under the same key: %v", err)
	}
	other.set = ""
	if _, err := source.Image(other); err == nil {
		t.Error("a strip without signals")
	}
	if _, failed := source.failed.Load(other); !failed {
		t.Error("it would be tried all the time")
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
	source := thumbs{t.Context(), ws.Workspace, &sync.Map{}}
	one := thumb{model: l.rows[0].Model.Hash, set: l.rows[0].Set, current: l.current, modality: "std@CONV-1"}
	one.ranges[0] = label.Range{High: first.High}
	if picture, err := source.Image(one); err != nil || picture.Bounds().Dx() != 31 {
		t.Errorf("%v", err)
	}
	one.modality = "L2@CONV-1"
	if _, err := source.Image(one); !errors.Is(err, errAbsent) {
		t.Errorf("a modality without signals: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rangeOf(ended, ws.Workspace, l, "std@CONV-2", func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
