package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// counting is a store that counts how often a suite is opened, and may refuse.
type counting struct {
	Store
	opened int
	refuse error
}

func (c *counting) OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error) {
	c.opened++
	if c.refuse != nil {
		return nil, c.refuse
	}
	return c.Store.OpenSuiteContext(ctx, hash)
}

type rig struct {
	testing.TB
	stage   *stage.Stage
	sample  *sample.Workspace
	store   *counting
	shelf   *Shelf
	lens    Lens
	arrived int
}

func newRig(t testing.TB) *rig {
	r := &rig{TB: t, stage: stage.New(t), sample: sample.New(t, 2)}
	r.store = &counting{Store: r.sample}
	work := background.New(fyne.Do)
	r.shelf = NewShelf(work, r.store, func() { r.arrived++ })
	t.Cleanup(func() { r.shelf.Close(); work.Stop(); work.Wait() })
	spec, err := engine.ViewSpec(r.sample.Imported[0], r.sample.Shapes, sample.Family)
	if err != nil {
		t.Fatal(err)
	}
	r.lens = Lens{Suite: r.sample.Shapes.Hash, Spec: spec}
	return r
}

// picture waits for a picture.
func (r *rig) picture(k Key) (p image.Image) {
	r.Helper()
	r.stage.Until("picture", func() bool { p = r.shelf.Picture(k); return p != nil })
	return p
}

func TestShelfMakesWhatARunSees(t *testing.T) {
	r := newRig(t)
	if p := r.shelf.Picture(Key{}); p != nil {
		t.Fatal("a picture without a lens")
	}
	r.shelf.Use(r.lens)
	opened, err := r.sample.OpenSuite(r.lens.Suite)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	view, err := engine.NewView(r.lens.Spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Key{{Image: 3, Transformation: 15}, {Image: 3, Transformation: 30}, {Image: 41}, {Image: 41, Normalised: true}} {
		img, err := opened.Image(k.Image)
		if err != nil {
			t.Fatal(err)
		}
		want := view.Transform(view.Fit(img), k.Transformation)
		if k.Normalised {
			want = view.Spread(view.Normalise(want))
		}
		if got := r.picture(k).(*image.RGBA); !bytes.Equal(got.Pix, want.RGBA().Pix) {
			t.Errorf("picture %+v differs", k)
		}
	}
	if r.store.opened != 1 || r.arrived == 0 {
		t.Errorf("opened %d times, arrived %d", r.store.opened, r.arrived)
	}
}

func TestShelfKeepsAndForgets(t *testing.T) {
	r := newRig(t)
	r.shelf.Use(r.lens)
	first := r.picture(Key{Image: 1})
	r.shelf.Rest()
	if r.shelf.Picture(Key{Image: 1}) != first {
		t.Error("a picture was made twice")
	}
	r.shelf.Use(r.lens)
	if r.shelf.Picture(Key{Image: 1}) != first {
		t.Error("the same lens dropped a picture")
	}
	r.stage.Until("closed", func() bool {
		r.shelf.loader.mu.Lock()
		defer r.shelf.loader.mu.Unlock()
		return r.shelf.loader.suite == nil
	})
	r.picture(Key{Image: 2})
	if r.store.opened != 2 {
		t.Errorf("opened %d times, want 2", r.store.opened)
	}
	other := r.lens
	other.Spec.Height, other.Spec.Width = 12, 12
	r.shelf.Use(other)
	if p := r.picture(Key{Image: 1}); p.Bounds().Dx() != 12 {
		t.Errorf("a picture of %v under another lens", p.Bounds())
	}
}

// A shelf that is told to rest while it makes pictures rests after them, and makes no picture twice that was asked for twice.
func TestShelfRestsAfterABatch(t *testing.T) {
	r := newRig(t)
	r.shelf.Use(r.lens)
	r.shelf.Picture(Key{Image: 1})
	r.shelf.Picture(Key{Image: 1})
	if !r.shelf.busy || len(r.shelf.wanted) != 1 {
		t.Fatalf("busy %v, %d wanted", r.shelf.busy, len(r.shelf.wanted))
	}
	r.stage.Until("made", func() bool { return !r.shelf.busy })
	if len(r.shelf.wanted) != 0 || r.shelf.Picture(Key{Image: 1}) == nil {
		t.Errorf("%d wanted after the batch", len(r.shelf.wanted))
	}
	r.shelf.Picture(Key{Image: 2})
	r.shelf.Rest()
	r.stage.Until("closed", func() bool {
		r.shelf.loader.mu.Lock()
		defer r.shelf.loader.mu.Unlock()
		return !r.shelf.busy && r.shelf.loader.suite == nil
	})
	if r.shelf.Picture(Key{Image: 2}) == nil || r.store.opened != 1 {
		t.Errorf("opened %d times", r.store.opened)
	}
}

func TestShelfIsBounded(t *testing.T) {
	r := newRig(t)
	r.lens.Spec.Height, r.lens.Spec.Width = 700, 700 // 2 MB each
	r.lens.Spec.Family = "brightness:-0.3:0.3:0.3"   // needs no tables
	r.shelf.Use(r.lens)
	for k := range sample.Images {
		r.picture(Key{Image: k, Transformation: 1})
	}
	if r.shelf.bytes > keptBytes+batch*4*700*700 || len(r.shelf.kept) >= sample.Images || len(r.shelf.kept) != r.shelf.order.Len() {
		t.Errorf("%d bytes in %d pictures", r.shelf.bytes, len(r.shelf.kept))
	}
	for k := range 3 * most {
		r.shelf.want(Key{Image: k})
	}
	if len(r.shelf.wanted) > most {
		t.Errorf("%d pictures wait", len(r.shelf.wanted))
	}
	r.shelf.wanted = nil
}

func TestShelfWithoutImages(t *testing.T) {
	r := newRig(t)
	r.store.refuse = errors.New("images not found")
	r.shelf.Use(r.lens)
	r.shelf.Picture(Key{Image: 1})
	r.stage.Until("problem", func() bool { return r.shelf.Problem() != nil })
	if r.shelf.Picture(Key{Image: 2}); r.store.opened != 1 {
		t.Errorf("looked for the images %d times", r.store.opened)
	}
	r.store.refuse = nil
	r.shelf.Rest()
	r.picture(Key{Image: 1})
	r.lens.Root = "another place"
	r.shelf.Use(r.lens)
	if r.shelf.Picture(Key{Image: 1}) != nil {
		t.Error("the pictures of another place stay")
	}
	r.lens.Spec.Family = "nonsense"
	r.shelf.Use(r.lens)
	r.shelf.Picture(Key{Image: 1})
	r.stage.Until("problem of the family", func() bool { return r.shelf.Problem() != nil })
}

// TestShelfTriesAgainOnceAfterADoubt: what is shown anew is no reason to look for missing images; that something has changed is one, once.
func TestShelfTriesAgainOnceAfterADoubt(t *testing.T) {
	r := newRig(t)
	r.store.refuse = errors.New("images not found")
	r.shelf.Use(r.lens)
	look := func() int {
		r.shelf.Picture(Key{Image: 1})
		r.stage.Until("problem", func() bool { return r.shelf.Problem() != nil && !r.shelf.Busy() })
		return r.store.opened
	}
	first, arrived := look(), r.arrived
	r.shelf.Retry()
	if again := look(); again != first || r.arrived != arrived {
		t.Errorf("looked %d times, then %d times, though nothing has changed; shown anew %d times", first, again, r.arrived-arrived)
	}
	r.shelf.Doubt()
	r.shelf.Retry()
	if again := look(); again != first+1 {
		t.Errorf("looked %d times after a change, want %d", again, first+1)
	}
	r.shelf.Retry()
	if again := look(); again != first+1 {
		t.Errorf("looked %d times after one change, want %d", again, first+1)
	}
	r.store.refuse = nil
	r.shelf.Doubt()
	r.shelf.Retry()
	r.picture(Key{Image: 1})
}

// waiting is a store whose suites take for ever to open, as where all files have to be hashed.
type waiting struct {
	Store
	begun chan struct{}
}

func (w waiting) OpenSuiteContext(ctx context.Context, _ string) (*suite.Suite, error) {
	close(w.begun)
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestShelfEndsOpening: a suite that is being opened keeps no window from closing.
func TestShelfEndsOpening(t *testing.T) {
	r := newRig(t)
	work, store := background.New(fyne.Do), waiting{r.sample, make(chan struct{})}
	shelf := NewShelf(work, store, func() {})
	shelf.Use(r.lens)
	shelf.Picture(Key{Image: 1})
	<-store.begun
	work.Stop()
	work.Wait()
	r.stage.Until("the batch is over", func() bool { return !shelf.Busy() })
	if shelf.Problem() != nil {
		t.Error(shelf.Problem())
	}
}

func TestShelfHatchesDamagedImages(t *testing.T) {
	r := newRig(t)
	r.shelf.Use(r.lens)
	if p := r.picture(Key{Image: 5000}); p.Bounds().Dx() != 16 {
		t.Errorf("an image that cannot be read is shown as %v", p.Bounds())
	}
	if r.shelf.Problem() != nil {
		t.Errorf("one damaged image is no problem: %v", r.shelf.Problem())
	}
}

func TestFrame(t *testing.T) {
	s := stage.New(t)
	f := NewFrame(40)
	w := s.Window(f, fyne.NewSize(100, 80))
	small, large := image.NewRGBA(image.Rect(0, 0, 8, 8)), image.NewRGBA(image.Rect(0, 0, 300, 300))
	f.SetPicture(small)
	crisp := f.image.ScaleMode
	f.SetPicture(large)
	if f.image.ScaleMode == crisp || f.Picture() != image.Image(large) || f.MinSize().Width != 40 {
		t.Error("small and large pictures are drawn alike")
	}
	f.SetPicture(nil)
	if f.image.Visible() {
		t.Error("an empty frame shows a picture")
	}
	s.Capture(w, "", "")
}

// BenchmarkStrip is the time until all pictures of an image under the family are there, 31 of 64 x 64 pixels in colour.
func BenchmarkStrip(b *testing.B) {
	r := newRig(b)
	r.lens.Spec.Channels, r.lens.Spec.Height, r.lens.Spec.Width = 3, 64, 64
	r.shelf.Use(r.lens)
	for k := 0; b.Loop(); k++ {
		r.shelf.Empty(r.shelf.make)
		r.stage.Until("strip", func() bool {
			ready := true
			for i := range 31 {
				ready = r.shelf.Picture(Key{Image: k % sample.Images, Transformation: i}) != nil && ready
			}
			return ready
		})
	}
}

// TestShelfMakesPicturesOfADerivedSuite: behind a matrix of a shifted suite are the corrupted images, not those of its base that
// were looked at before.
func TestShelfMakesPicturesOfADerivedSuite(t *testing.T) {
	r := newRig(t)
	r.shelf.Use(r.lens)
	plain := r.picture(Key{Image: 3}).(*image.RGBA)
	shifted := r.sample.Shift(t, "contrast", 5)
	spec, err := engine.ViewSpec(r.sample.Imported[0], shifted, sample.Family)
	if err != nil {
		t.Fatal(err)
	}
	identity := Key{Image: 3, Transformation: 15}
	r.shelf.Use(Lens{Suite: shifted.Hash, Spec: spec})
	opened, err := r.sample.OpenSuite(shifted.Hash)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	img, err := opened.Image(identity.Image)
	if err != nil {
		t.Fatal(err)
	}
	view, err := engine.NewView(spec)
	if err != nil {
		t.Fatal(err)
	}
	got := r.picture(identity).(*image.RGBA)
	if want := view.Transform(view.Fit(img), identity.Transformation).RGBA(); !bytes.Equal(got.Pix, want.Pix) {
		t.Error("the picture is not the corrupted image")
	}
	if again := r.picture(Key{Image: 3}).(*image.RGBA); bytes.Equal(again.Pix, plain.Pix) {
		t.Error("the picture of the base is still shown")
	}
}
