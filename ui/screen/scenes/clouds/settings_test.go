package clouds

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
	scenes "github.com/variscope/variscope/store/background"
)

func TestSettingsAreRepaired(t *testing.T) {
	usual := Settings{}.valid()
	want := Settings{
		Mode: One, Measure: scenes.ConfMax, Points: Density, Free: scatter.Interpolant{Size: 24, Sigma: 4, K: 32}, Raster: 64, Share: 100, Seed: 1, Map: "green",
	}
	if usual != want {
		t.Errorf("%+v", usual)
	}
	spoiled := Settings{
		Mode: "x", Measure: "x", Points: "x", Free: scatter.Interpolant{Size: -1}, Raster: 3, Share: 101, Range: label.Range{Low: 1, High: 1}, Map: "diverging",
	}
	if got := spoiled.valid(); got != want {
		t.Errorf("%+v", got)
	}
	own := usual
	own.Mode, own.Share, own.Range, own.Map = Two, 10, label.Range{Low: 0.1, High: 2}, "cividis"
	if own.valid() != own {
		t.Error("what can be is changed")
	}
}

func TestScale(t *testing.T) {
	s := Settings{}.valid()
	scale := s.scale()
	if r, shared := s.colours(); !shared || scale.Low != 0 || scale.High != 0.5 || scale.Map != &render.Green || r.High != 0.5 {
		t.Errorf("the shared scale is %v..%v, %v", scale.Low, scale.High, shared)
	}
	img := render.RasterField(scatter.Matrix{R: 2, Values: []float64{nan, nan, nan, nan}}, scale)
	if img.RGBAAt(0, 0) == img.RGBAAt(1, 0) {
		t.Error("elements without a value are not hatched")
	}
	s.Range, s.Map = label.Range{Low: 0.1, High: 0.2}, "viridis"
	if scale = s.scale(); scale.Low != 0.1 || scale.High != 0.2 || scale.Map != &render.Viridis {
		t.Errorf("the own scale is %v..%v", scale.Low, scale.High)
	}
	if list := mapNames(); list[0] != "green" || slices.Contains(list, "diverging") || len(list) != len(render.MapNames())-1 {
		t.Errorf("maps %v", list)
	}
}

func TestKnobs(t *testing.T) {
	s := Settings{}.valid()
	for _, test := range []struct {
		knob Knob
		text string
		want float64
		err  string
	}{
		{SizeKnob, "16", 16, ""},
		{SizeKnob, " 7,5 ", 7.5, ""},
		{SizeKnob, "0", 0, "kernel size takes a number above 0"},
		{SizeKnob, "513", 0, "at most 512"},
		{SigmaKnob, "0.25", 0.25, ""},
		{SigmaKnob, "-1", 0, "sigma takes a number above 0"},
		{SigmaKnob, "NaN", 0, "is not a number"},
		{NeighbourKnob, "0", 0, ""},
		{NeighbourKnob, "2.5", 0, "a whole number"},
		{RasterKnob, "128", 128, ""},
		{RasterKnob, "3", 0, "from 4 to 512"},
		{RasterKnob, "x", 0, `"x" is not a number`},
	} {
		got, err := s.typed(test.knob, test.text)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) || got != s {
				t.Errorf("knob %d, %q: %v, want %q", test.knob, test.text, err, test.err)
			}
		case err != nil || got.knob(test.knob) != test.want:
			t.Errorf("knob %d, %q is %v, %v", test.knob, test.text, got.knob(test.knob), err)
		case got.valid() != got:
			t.Errorf("knob %d, %q: what was taken is repaired", test.knob, test.text)
		}
	}
	for k := range Knobs {
		facts := k.facts()
		for _, v := range []float64{facts.low, facts.high} {
			if next, err := s.turned(k, v); err != nil || next.valid() != next {
				t.Errorf("the slider of %s ends at %v: %v", facts.name, v, err)
			}
		}
		if facts.hint == "" || facts.low+facts.step > facts.high {
			t.Errorf("knob %d: %+v", k, facts)
		}
	}
}
