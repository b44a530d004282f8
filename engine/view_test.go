package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// TestViewShowsWhatARunFeeds: the same bits as in the input of a run's inference, for every
// transformation.
func TestViewShowsWhatARunFeeds(t *testing.T) {
	b := newTestBench(t, 9)
	view := testdata.Must(NewView(b.task.Spec))(t)
	testdata.OK(t, b.load(part{count: 9}, func() error { return nil }))
	for i := range b.count {
		testdata.OK(t, b.fill(i, part{count: 9}))
		for k := range 9 {
			img := testdata.Must(b.source.Image(k))(t)
			shown := view.Transform(view.Fit(img), i)
			testdata.Equal(t, fmt.Sprintf("image %d under transformation %d differs from what the run feeds", k, i),
				view.Normalise(shown).Pix, b.runner.Input()[k*b.size:(k+1)*b.size])
		}
	}
}

func TestViewFitsAndSpreads(t *testing.T) {
	spec := fakeTask("m", 4).Spec
	spec.Channels, spec.Height, spec.Width = 3, 4, 4
	spec.Preprocessing = model.Preprocessing{
		Mean: []float64{0.5, 0.25, 0}, Std: []float64{0.5, 0.25, -1}, Resize: model.Stretch,
	}
	view := testdata.Must(NewView(spec))(t)
	if low, high := view.Span(); low != -1 || high != 3 {
		t.Errorf("span %v..%v, want -1..3", low, high)
	}
	img := suite.Image{Channels: 1, Height: 8, Width: 8, Pix: slices.Repeat([]float32{1}, 64)}
	fitted := view.Fit(img)
	if fitted.Channels != 3 || fitted.Height != 4 || fitted.Width != 4 {
		t.Fatalf("fitted to %d x %d x %d", fitted.Channels, fitted.Height, fitted.Width)
	}
	drawn := view.Spread(view.Normalise(fitted))
	for c, want := range []float32{0.5, 1, 0} { // 1, 3 and -1 in -1..3
		if got := drawn.Pix[16*c]; math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("channel %d is drawn as %v, want %v", c, got, want)
		}
	}
	testdata.Is(t, "the fitted image was changed", fitted.Pix[0], 1)
}

func TestViewRefuses(t *testing.T) {
	for name, change := range map[string]struct {
		want string
		spec func(spec *signal.Spec)
	}{
		"no family":   {"family", func(s *signal.Spec) { s.Family = "nonsense" }},
		"no channels": {"channels", func(s *signal.Spec) { s.Channels = 0 }},
		"no height":   {"pixels", func(s *signal.Spec) { s.Height = 0 }},
		"std":         {"std", func(s *signal.Spec) { s.Preprocessing.Std = []float64{0} }},
	} {
		spec := fakeTask("m", 4).Spec
		change.spec(&spec)
		testdata.Refused(t, fmt.Sprintf("%s: error", name), testdata.Err(NewView(spec)), change.want)
	}
	testdata.Refused(t, "scenes", testdata.Err(NewView(scenesTask(3, 2).Spec)), "through their selection")
}

func TestViewSpec(t *testing.T) {
	m := model.Model{ID: "m", Hash: "h", Graph: model.Graph{
		Input: model.Input{Channels: 1}, Outputs: []model.Output{{Name: "logits"}},
	}}
	s := suite.Manifest{Name: "shapes", Hash: "s", Images: 7, Shape: [3]int{3, 8, 9}}
	spec, err := ViewSpec(m, s, "rotation:-15:15:1;interpolation=bilinear;border=zero")
	if err != nil || spec.Channels != 1 || spec.Height != 8 || spec.Width != 9 || spec.Images != 7 {
		t.Errorf("spec %+v, %v", spec, err)
	}
	s.Shape = [3]int{}
	testdata.Refused(t, "an unknown size", testdata.Err(ViewSpec(m, s, "x")), "any size")
}
