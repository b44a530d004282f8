package models

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// rowsOf are the rows of a sample.
func rowsOf(t *testing.T, ws *sample.Workspace) list {
	t.Helper()
	return testdata.Must(load(t.Context(), ws.Workspace, nil, nil))(t)
}

// TestScalesAreTheSharedRanges holds the list's colour ranges against those of the inspect screen.
func TestScalesAreTheSharedRanges(t *testing.T) {
	ws := sample.New(t, 7)
	l := rowsOf(t, ws)
	got := testdata.Must(scalesOf(t.Context(), ws.Workspace, l.rows, "gray"))(t)
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
	s := testdata.Must(scalesOf(t.Context(), ws.Workspace, l.rows, ""))(t)
	one := thumb{model: l.rows[0].Model.Hash, set: l.rows[0].Set, current: l.current}
	for at, m := range signal.DefaultModalities() {
		one.ranges[at] = rangesOf(s.by)[m.String()]
	}
	source := thumbs{t.Context(), ws.Workspace, &sync.Map{}}
	first := testdata.Must(source.Image(one))(t)
	summary, _, err := ws.SetSummary(l.rows[0].Set)
	if err != nil {
		t.Fatal(err)
	}
	var tiles []render.Tile
	for _, m := range signal.DefaultModalities() {
		tiles = append(tiles, render.Tile{Matrix: summary.Matrices[m.String()], Scale: s.by[m.String()]})
	}
	drawn := render.Strip(tiles, thumbSize, thumbGap)
	same := func(img image.Image) bool {
		got := image.NewRGBA(drawn.Bounds())
		draw.Draw(got, got.Rect, img, img.Bounds().Min, draw.Src)
		want := image.NewRGBA(drawn.Bounds())
		draw.Draw(want, want.Rect, drawn, drawn.Bounds().Min, draw.Src)
		return img.Bounds() == drawn.Bounds() && bytes.Equal(got.Pix, want.Pix)
	}
	if !same(first) {
		t.Error("the strip is not that of the matrices, or was not kept")
	}
	files, err := filepath.Glob(filepath.Join(ws.Path(), "thumbs", "*.png"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if again, err := source.Image(one); err != nil || !same(again) {
		t.Errorf("read from disk it is another picture: %v", err)
	}
	testdata.OK(t, os.WriteFile(files[0], []byte("damage"), 0o644))
	if again, err := source.Image(one); err != nil || !same(again) {
		t.Errorf("a damaged file is not made anew: %v", err)
	}
	other := one
	other.colours = "cividis"
	if again, err := source.Image(other); err != nil || same(again) {
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
