package invariance

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
)

const rotation = "rotation:-10:10:10;interpolation=bilinear;border=zero"

// row is a model on a suite under a family.
func row(id, of, family string) measure.Measured {
	return measure.Measured{Model: model.Model{ID: id, Hash: "hash " + id}, Suite: "hash " + of, SuiteName: of, Family: family, FamilyName: family}
}

func TestChoicesInOrder(t *testing.T) {
	d := Data{Current: store.Current{Family: rotation}, Rows: []measure.Measured{
		row("m10", "s2", rotation), row("m10", "s2", "grayscale"), row("m9", "s2", "grayscale"), row("m9", "s10", "rot90"), row("m9", "s2", "rot90"),
	}}
	keys := func(list []kit.Option) (keys []string) {
		for _, o := range list {
			keys = append(keys, o.Key)
		}
		return keys
	}
	if got := keys(d.models()); !slices.Equal(got, []string{"hash m9", "hash m10"}) || d.mostSuites() != "hash m9" {
		t.Errorf("models %v, %s on most suites", got, d.mostSuites())
	}
	if got := keys(d.suites()); !slices.Equal(got, []string{"hash s2", "hash s10"}) {
		t.Errorf("suites %v", got)
	}
	if got := keys(d.families(nil)); !slices.Equal(got, []string{"rot90", "grayscale", rotation}) || d.usual(d.families(nil)) != "rot90" {
		t.Errorf("families %v", got)
	}
	few := d.families(func(m measure.Measured) bool { return m.Model.ID == "m10" })
	if got := keys(few); !slices.Equal(got, []string{"grayscale", rotation}) || d.usual(few) != rotation {
		t.Errorf("families %v, the usual one is %s", got, d.usual(few))
	}
}

func TestWhatIsMissing(t *testing.T) {
	input := func(id string, channels, width int) model.Model {
		m := model.Model{ID: id, Hash: "hash " + id}
		m.Graph.Input = model.Input{Channels: channels, Height: 8, Width: width}
		return m
	}
	d := Data{
		Models: []model.Model{input("m0", 3, 8), input("m1", 3, 8), input("wide", 3, 9), input("gray", 1, 8), {ID: "m9", Hash: "hash m9"}},
		Suites: []suite.Manifest{{Name: "s0", Hash: "hash s0"}},
		Rows:   []measure.Measured{row("m0", "s0", "rot90"), row("m1", "s0", "rot90"), row("m1", "s1", "grayscale")},
	}
	gaps := d.gaps("hash s0")
	if len(gaps) != 2 || !slices.Equal(gaps[0].Models, []string{"hash gray", "hash m9"}) ||
		!slices.Equal(gaps[1].Models, []string{"hash m0", "hash m1", "hash wide", "hash m9"}) {
		t.Errorf("gaps %+v", gaps)
	}
	if got := d.gapText(gaps[0], "hash s0"); got != "rot90 for 2 models on s0" {
		t.Errorf("%q", got)
	}
	several := Data{Suites: make([]suite.Manifest, 2), Current: store.Current{Suite: "now"}}
	if d.runSuite("") != "hash s0" || d.runSuite("hash s1") != "hash s1" || several.runSuite("") != "now" {
		t.Errorf("runs on %s, %s", d.runSuite(""), several.runSuite(""))
	}
}

// TestLowestAsASlowSort compares with sorting everything: each image once, under its lowest
// transformation.
func TestLowestAsASlowSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		images, steps := rapid.IntRange(0, 400).Draw(t, "images"), rapid.IntRange(1, 3).Draw(t, "steps")
		var found lowest
		var all []low
		for image := range images {
			best := low{EI: math.Inf(1)}
			for step := range steps {
				var v measure.Values
				v[measure.EI] = rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.75}).Draw(t, "ei")
				v[measure.JS] = rapid.SampledFrom([]float64{0, 0.1, 0.3}).Draw(t, "js")
				found.add(image, step+1, v)
				if one := (low{image, step + 1, v[measure.EI], v[measure.JS]}); one.EI < best.EI || one.EI == best.EI && one.JS > best.JS {
					best = one
				}
			}
			all = append(all, best)
		}
		slices.SortStableFunc(all, func(a, b low) int {
			return cmp.Or(cmp.Compare(a.EI, b.EI), cmp.Compare(b.JS, a.JS), cmp.Compare(a.Image, b.Image))
		})
		if got, want := found.found(), all[:min(len(all), mostLow)]; !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestLowestWithoutDivergence(t *testing.T) {
	var found lowest
	for image, ei := range []float64{0.5, 0, 0.9, 0} {
		found.add(image, 1, measure.Values{measure.EI: ei, measure.JS: math.NaN()})
	}
	var order []int
	for _, l := range found.found() {
		order = append(order, l.Image)
	}
	if !slices.Equal(order, []int{1, 3, 0, 2}) {
		t.Errorf("images %v", order)
	}
}
