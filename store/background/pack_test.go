package background_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/testdata"
	scenes "github.com/variscope/variscope/store/background"
)

// TestPackedComposites: another machine composes what the workspace composes, to the bit, for
// inputs of all kinds and with the selection's feather and alignment.
func TestPackedComposites(t *testing.T) {
	w := newWorld(t, []string{"targets/dog/dog_00.png", "targets/dog/dog_03.png", "targets/fish/fish_04.png"})
	for _, how := range []background.Compositing{{}, {Feather: 2.5, Align: background.Ground}} {
		ask := w.ask(5)
		ask.Feather, ask.Align = how.Feather, how.Align
		record := w.selection(ask)
		c := testdata.Must(scenes.Open(w.ws, record.Hash))(w)
		file, size := packed(t, c, 1, 2)
		p := testdata.Must(wire.OpenPack(wire.NewKept(), file, size))(w)
		if p.Selection() != record.Hash || p.Len() != 3 || p.Name(1) != c.Name(1) || p.Label(2) != c.Label(2) {
			t.Errorf("%s, %d targets, %s", p.Selection(), p.Len(), p.Name(1))
		}
		var group sync.WaitGroup
		for _, to := range []suite.Fitting{
			{Channels: 3, Height: 64, Width: 64},
			{Channels: 3, Height: 40, Width: 40, Resize: model.Stretch},
			{Channels: 1, Height: 64, Width: 64},
			{Channels: 3, Height: 40, Width: 56, Resize: model.Crop},
		} {
			group.Go(func() { sameOnScenes(t, p, c, to) })
		}
		group.Wait()
		must(w, errors.Join(c.Close(), file.Close()))
	}
}

// packed writes a pack of opened composites into a file.
func packed(t *testing.T, c *scenes.Composites, first, n int) (*os.File, int64) {
	t.Helper()
	file := testdata.Must(os.CreateTemp(t.TempDir(), "pack"))(t)
	blob := testdata.Must(wire.WritePack(t.Context(), file, c, first, n))(t)
	var again bytes.Buffer
	if same, err := wire.WritePack(t.Context(), &again, c, first, n); err != nil || same != blob ||
		blob.Check(&again) != nil {
		t.Errorf("written again: %+v in place of %+v, %v", same, blob, err)
	}
	return file, blob.Size
}

// sameOnScenes holds the pack's targets 1 and 2 to those of the workspace.
func sameOnScenes(t *testing.T, p *wire.Pack, c *scenes.Composites, to suite.Fitting) {
	for i := 1; i <= 2; i++ {
		native, err := c.Image(i)
		if err != nil {
			t.Error(err)
			return
		}
		if img, err := p.Image(i); err != nil || img.Height != native.Height || !slices.Equal(img.Pix, native.Pix) {
			t.Errorf("target %d differs, %v", i, err)
		}
		fitted := suite.Fit(native, to).Pix
		got, want := make([]float32, len(fitted)), make([]float32, len(fitted))
		for scene := 1; scene <= c.Record().N; scene++ {
			if err := errors.Join(p.Compose(got, fitted, i, scene, to),
				c.Compose(want, fitted, i, scene, to)); err != nil {
				t.Error(err)
			}
			if !slices.Equal(got, want) || slices.Equal(got, fitted) {
				t.Errorf("target %d on scene %d at %+v differs", i, scene, to)
			}
		}
	}
}
