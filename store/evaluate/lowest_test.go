package evaluate

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// TestLowerAsASlowSort: each image once, under its lowest transformation.
func TestLowerAsASlowSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		images, steps := rapid.IntRange(0, 40).Draw(t, "images"), rapid.IntRange(1, 3).Draw(t, "steps")
		var found, want []Low
		for image := range images {
			best := Low{EI: math.Inf(1)}
			for step := range steps {
				ei := rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.75}).Draw(t, "ei")
				js := rapid.SampledFrom([]float64{0, 0.1, 0.3}).Draw(t, "js")
				found = lower(found, Low{image, step + 1, ei, js})
				if ei < best.EI || ei == best.EI && js > best.JS {
					best = Low{image, step + 1, ei, js}
				}
			}
			want = append(want, best)
		}
		testdata.Equal(t, "got", found, want)
	})
}

// TestLowest compares with every value of the signals.
func TestLowest(t *testing.T) {
	b := newFixture(t, 1)
	info := b.run(b.models[0], b.suites[0], "rot90")
	best := map[int]Low{}
	must(t, PerImage(t.Context(), b.Workspace, info.Key, func(image, transformation int, v invariance.Values) {
		next := Low{image, transformation, v[invariance.EI], v[invariance.JS]}
		if was, found := best[image]; transformation > 1 && (!found || next.compare(was) < 0) {
			best[image] = next
		}
	}))
	var want []Low
	for _, l := range best {
		want = append(want, l)
	}
	slices.SortFunc(want, func(a, b Low) int { return cmp.Or(a.compare(b), cmp.Compare(a.Image, b.Image)) })
	got, err := Lowest(t.Context(), b.Workspace, info.Key,
		func(transformation int) bool { return transformation > 1 }, 7)
	if err != nil || len(got) != 7 || !slices.Equal(got, want[:7]) {
		t.Errorf("%v, %v, want %v", got, err, want[:7])
	}
	if _, err := Lowest(t.Context(), b.Workspace, "nothing", func(int) bool { return true }, 7); err == nil {
		t.Error("signals that are not there have images")
	}
}

func TestLowestWithoutDivergence(t *testing.T) {
	for _, c := range []struct {
		a, b Low
		want int
	}{
		{Low{EI: 0.5, JS: math.NaN()}, Low{EI: 0, JS: math.NaN()}, 1},
		{Low{EI: 0, JS: math.NaN()}, Low{JS: math.NaN()}, 0},
		{Low{JS: 0.2}, Low{JS: 0.1}, -1},
	} {
		if got := c.a.compare(c.b); got != c.want {
			t.Errorf("%v and %v: %d", c.a, c.b, got)
		}
	}
}

func TestGaps(t *testing.T) {
	input := func(id string, channels, width int) model.Model {
		m := model.Model{ID: id, Hash: id}
		m.Graph.Input = model.Input{Channels: channels, Height: 8, Width: width}
		return m
	}
	row := func(m model.Model, suite, family string) invariance.Measured {
		return invariance.Measured{Model: m, Suite: suite, Family: family}
	}
	models := []model.Model{
		input("m0", 3, 8), input("m1", 3, 8), input("wide", 3, 9), input("gray", 1, 8), {ID: "m9", Hash: "m9"},
	}
	rows := []invariance.Measured{
		row(models[0], "s0", "rot90"), row(models[1], "s0", "rot90"), row(models[1], "s1", "grayscale"),
	}
	gaps := Gaps(models, rows, "s0")
	if len(gaps) != 2 || !slices.Equal(gaps[0].Models, []string{"gray", "m9"}) ||
		!slices.Equal(gaps[1].Models, []string{"m0", "m1", "wide", "m9"}) {
		t.Errorf("gaps %+v", gaps)
	}
}
