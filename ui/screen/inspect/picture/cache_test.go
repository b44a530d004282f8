package picture

import (
	"bytes"
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type rig struct {
	testing.TB
	stage  *stage.Stage
	sample *sample.Workspace
	host   *kit.Host
	cache  *Cache
	said   []string
}

func newRig(t testing.TB) *rig {
	r := &rig{TB: t, stage: stage.New(t), sample: sample.New(t, 2)}
	r.host = &kit.Host{Work: jobs.New(fyne.Do), Status: func(text string) { r.said = append(r.said, text) }}
	r.cache = NewCache(r.host.Work, r.sample, func() {})
	t.Cleanup(func() { r.cache.Close(); r.host.Work.Stop(); r.host.Work.Wait() })
	return r
}

// lens looks at a suite as the first model does.
func (r *rig) lens(of suite.Manifest) Lens {
	r.Helper()
	spec := testdata.Must(engine.ViewSpec(r.sample.Imported[0], of, sample.Family))(r)
	return Lens{Suite: of.Hash, Spec: spec}
}

// picture waits for a picture.
func (r *rig) picture(k Key) (p image.Image) {
	r.Helper()
	r.stage.Until("picture", func() bool { p = r.cache.Picture(k); return p != nil })
	return p
}

// TestPicturesAreWhatARunSees: of a suite, and of one that is derived from it, whose pictures are
// not taken for those of its base.
func TestPicturesAreWhatARunSees(t *testing.T) {
	r := newRig(t)
	for _, of := range []suite.Manifest{r.sample.Shapes, r.sample.Shift(t, "contrast", 5)} {
		l := r.lens(of)
		r.cache.Use(l)
		opened := testdata.Must(r.sample.OpenSuite(of.Hash))(t)
		defer opened.Close()
		view := testdata.Must(engine.NewView(l.Spec))(t)
		for _, k := range []Key{
			{Image: 3, Transformation: 15},
			{Image: 3, Transformation: 30},
			{Image: 41},
			{Image: 41, Normalised: true},
		} {
			img := testdata.Must(opened.Image(k.Image))(t)
			want := view.Transform(view.Fit(img), k.Transformation)
			if k.Normalised {
				want = view.Spread(view.Normalise(want))
			}
			if got := r.picture(k).(*image.RGBA); !bytes.Equal(got.Pix, want.RGBA().Pix) {
				t.Errorf("%s: picture %+v differs", of.Name, k)
			}
		}
	}
}

// TestOtherLenses: pictures stay under the same lens, and not under another size, place or family.
func TestOtherLenses(t *testing.T) {
	r := newRig(t)
	l := r.lens(r.sample.Shapes)
	r.cache.Use(l)
	first := r.picture(Key{Image: 1})
	if r.cache.Use(l); r.cache.Picture(Key{Image: 1}) != first {
		t.Error("the same lens dropped a picture")
	}
	l.Spec.Height, l.Spec.Width = 12, 12
	r.cache.Use(l)
	if p := r.picture(Key{Image: 1}); p.Bounds().Dx() != 12 {
		t.Errorf("a picture of %v", p.Bounds())
	}
	l.Root = "another place"
	if r.cache.Use(l); r.cache.Picture(Key{Image: 1}) != nil {
		t.Error("the pictures of another place stay")
	}
	l.Spec.Family = "nonsense"
	r.cache.Use(l)
	r.cache.Picture(Key{Image: 1})
	r.stage.Until("problem of the family", func() bool { return r.cache.Problem() != nil })
}

// TestWhole: images keep their proportions within the bound.
func TestWhole(t *testing.T) {
	r := newRig(t)
	source := testdata.Must(Whole(r.sample, r.sample.Shapes.Hash, 4)(t.Context()))(t)
	defer source.Close()
	if p, err := source.Image(3); err != nil || p.Bounds().Dx() != 4 {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := source.Image(5000); err == nil {
		t.Error("an image that is not there")
	}
	if p := Bounded(suite.Image{Pix: make([]float32, 60), Height: 20, Width: 1, Channels: 3},
		10); p.Bounds().Dx() != 1 || p.Bounds().Dy() != 10 {
		t.Errorf("%v", p.Bounds())
	}
}

// TestPairs: each card has both pictures and its titles, and a hint.
func TestPairs(t *testing.T) {
	r := newRig(t)
	p := NewPairs(r.host, r.sample)
	t.Cleanup(p.Close)
	r.stage.Window(p.Object(), fyne.NewSize(800, 600))
	p.Show([]PairOf{
		{
			Image: 2, Transformations: [2]int{0, 1}, Titles: [2]string{"before", "after"}, Head: "head",
			Detail: "all of it",
		},
		{Image: 1, Transformations: [2]int{0, 1}},
	}, Guesses{}, r.lens(r.sample.Shapes), "")
	r.stage.Until("the pictures", func() bool {
		list := p.wall.InSight()
		return len(list) == 2 && list[0].Sides[0].Picture != nil && list[1].Sides[1].Picture != nil
	})
	c := p.wall.InSight()[0]
	if c.Head != "head" || c.Hint != "all of it" || c.Sides[0].Lines[0].Text != "before" ||
		c.Sides[1].Lines[0].Text != "after" || p.Missing() {
		t.Errorf("%+v", c)
	}
	p.Show(nil, Guesses{}, Lens{}, "")
	if len(p.wall.InSight()) != 0 || len(p.List()) != 0 {
		t.Error("cards are left of nothing")
	}
}
