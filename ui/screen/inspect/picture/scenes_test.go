package picture_test

import (
	"bytes"
	"errors"
	"image"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// TestPicturesOfScenesAreComposites: under a set of scenes picture j is the target's foreground on
// its scene j, and picture 0 the target; a
// selection that is gone is the problem.
func TestPicturesOfScenesAreComposites(t *testing.T) {
	s := stage.New(t)
	ws := scenestest.New(t, 1)
	work := jobs.New(fyne.Do)
	cache := picture.NewCache(work, picture.Of(ws.Workspace), func() {})
	t.Cleanup(func() { cache.Close(); work.Stop(); work.Wait() })
	e, reason, err := scenes.Read(t.Context(), ws.Workspace, ws.Models[0], ws.Selection.Hash)
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	said, lens, err := picture.Said(t.Context(), ws, ws.Models[0], ws.Targets.Hash, e.Set.Key)
	if err != nil {
		t.Fatal(err)
	}
	if got := said.Of(3, 5); got.Class != scenestest.Classes[e.Predictions[3][5]] || got.Confidence <= 0 {
		t.Errorf("target 5 in scene 3 is %+v", got)
	}
	cache.Use(lens)
	composites := testdata.Must(scenes.Open(ws.Workspace, ws.Selection.Hash))(t)
	defer composites.Close()
	for _, key := range []picture.Key{
		{Image: 5},
		{Image: 5, Transformation: 3},
		{Image: 0, Transformation: scenestest.N},
	} {
		var got image.Image
		s.Until("the picture is there", func() bool {
			got = cache.Picture(key)
			return got != nil || cache.Problem() != nil
		})
		want, err := composites.Picture(key.Image, key.Transformation, lens.Spec.Height, lens.Spec.Width)
		if err != nil || cache.Problem() != nil {
			t.Fatal(err, cache.Problem())
		}
		if !bytes.Equal(got.(*image.RGBA).Pix, want.RGBA().Pix) {
			t.Errorf("%+v is another picture", key)
		}
	}
	cache.Use(picture.Lens{Suite: lens.Suite, Spec: gone(lens.Spec)})
	s.Until("there is a problem", func() bool { cache.Picture(picture.Key{}); return cache.Problem() != nil })
	if !errors.Is(cache.Problem(), store.ErrNotFound) {
		t.Error(cache.Problem())
	}
}

// gone is a spec under the scenes of a selection that nobody has.
func gone(s signal.Spec) signal.Spec {
	s.Family = "scenes:" + string(bytes.Repeat([]byte("0"), 64)) + ":8"
	return s
}
