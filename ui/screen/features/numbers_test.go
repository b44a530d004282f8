package features

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/training"
)

// made are n models over two matrices: feature f of model k is (k + f) / 100, robust accuracy falls
// with k.
func made(n int) Data {
	d := Data{Classes: label.Values(2), Suite: "shapes", Family: "rotation"}
	d.Layout = feature.Layout{
		Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: feature.Paper, Tau: 0.15, Share: 0.9, Seed: 1,
	}
	for k := range n {
		var r training.Row
		r.Model.ID, r.Model.Hash = fmt.Sprintf("m%d", k), fmt.Sprintf("hash%d", k)
		r.Accuracy, r.Scores.CorrectProduct = 0.9, 1-float64(k)/100
		for f := range d.Layout.Width() {
			r.Vector.Values = append(r.Vector.Values, float64(k+f)/100)
		}
		r.Shown = slices.Clone(r.Vector.Values)
		if k > 0 {
			r.Label = label.Values(2)[k%2]
		}
		d.Rows = append(d.Rows, r)
	}
	return d
}

func TestAlikes(t *testing.T) {
	d := made(9)
	list := d.alikes("hash4", "")
	var ids []string
	for _, a := range list {
		ids = append(ids, a.Model.ID)
	}
	if want := []string{"m4", "m3", "m5", "m2", "m6", "m1"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	if list[0].title() != "m4" || !strings.HasPrefix(list[1].title(), "m3  0.") ||
		list[1].Distance != list[2].Distance {
		t.Errorf("titles %q, %q", list[0].title(), list[1].title())
	}
	for text, m := range map[string]pictured{
		"m4 and the models nearest to it by 32 features: matrices max@CONF": {
			list: list, matrix: "max@CONF", features: 32,
		},
		"Select a model":                         {list: d.alikes("", "")},
		"m0 is the only model that was measured": {list: made(1).alikes("hash0", "")},
	} {
		if got := m.text(); !strings.HasPrefix(got, text) {
			t.Errorf("text %q, want %q", got, text)
		}
	}
}

func TestAboutAModelAtChance(t *testing.T) {
	r := made(1).Rows[0]
	r.Chance = chance.Counts{Labelled: 400, Correct: 41, Classes: 10, Largest: 40, Top: 400, TopLabels: 40}.Level()
	r.Accuracy = 41.0 / 400
	if got := about(r); !strings.Contains(got, "accuracy 10.3 % of 400 images is not above chance (10 %)") {
		t.Errorf("%q", got)
	}
}
