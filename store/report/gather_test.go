package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// A model's matrices have the colour ranges of all models of the workspace, so that reports can be
// laid side by side.
func TestRangesAreShared(t *testing.T) {
	d := newDesk(t)
	var all []float64
	for _, m := range d.models[:2] {
		answer := testdata.Must(d.Matrices(t.Context(), store.MatrixRequest{
			Model: m, Suite: d.suite.Hash, Family: canonical(t).String(), Modalities: []string{"max@CONV-1"},
			Images: variance.AllImages(),
		}))(t)
		all = append(all, answer.Matrices["max@CONV-1"].Data...)
	}
	low, high := render.DefaultRange("max@CONV-1", all)
	if _, own := render.DefaultRange("max@CONV-1", all[len(all)/2:]); own == high {
		t.Fatal("both models have one range, the test shows nothing")
	}
	want := fmt.Sprintf("max@CONV-1 | %s to %s |", result.Number.Write(low), result.Number.Write(high))
	for k := range 2 {
		expect(t, sectionText(t, d.make(d.question(k)), "Variance matrices"), want)
	}
}

// A round's frozen ranges are those of its figures; what it has not frozen follows the rule.
func TestScales(t *testing.T) {
	m := variance.Matrix{N: 2, Data: []float64{0, 3, 3, 0}}
	list := []seen{{
		answer: store.Answer{Matrices: map[string]variance.Matrix{"max@CONF": m, "max@CONV-1": m, "max@CONV-2": m}},
		measures: []measure{
			{Judged: variance.Judged{Modality: "max@CONF"}},
			{Judged: variance.Judged{Modality: "max@CONV-1"}},
			{Judged: variance.Judged{Modality: "max@CONV-2"}},
		},
	}}
	v := view{modalities: []string{"max@CONF", "max@CONV-1", "max@CONV-2"}, ranges: map[string]label.Range{}}
	v.scales(map[string]label.Range{"max@CONV-1": {Low: 1, High: 2}}, list, &render.Gray)
	low, high := render.DefaultRange("max@CONV-2", m.Data)
	want := map[string]label.Range{
		"max@CONF": {Low: 0, High: 0.3}, "max@CONV-1": {Low: 1, High: 2},
		"max@CONV-2": {Low: low, High: high},
	}
	for k, one := range list[0].measures {
		if got := (label.Range{Low: one.scale.Low, High: one.scale.High}); got != want[one.Modality] ||
			v.ranges[one.Modality] != got || one.scale.Map != &render.Gray {
			t.Errorf("measure %d, %s: %+v, want %v", k, one.Modality, one.scale, want[one.Modality])
		}
	}
}

func TestNamesOfClasses(t *testing.T) {
	e := evidence{
		view: view{suite: suite.Manifest{
			Classes: []string{"cat", "dog"}, Labels: []int{1, -1}, Images: 2,
			Files: []suite.File{{Path: "a.png"}, {Path: "b.png"}},
		}},
		classes:  []int{7, 3}, // cat is the model's class 7
		identity: []int32{3, 9}, confidence: [][]float32{{0.1, 0.2}, {0.5, 0.25}, {0.3, 0.4}},
	}
	first, second := e.extreme("m", variance.Share{Image: 0, Share: 0.9}), e.extreme("m", variance.Share{Image: 1})
	if first != (variance.Extreme{
		Modality: "m", Image: 0, File: "a.png", Share: 0.9, Class: "dog", Predicted: "dog",
		Confidence: 0.5,
	}) {
		t.Errorf("%+v", first)
	}
	if second.Class != "" || second.Predicted != "class 9" || second.Confidence != 0.25 {
		t.Errorf("%+v", second)
	}
	e.names = []string{"zero", "one", "two", "three"}
	if got := e.predicted(3); got != "three" {
		t.Errorf("the model's own name is %q", got)
	}
	if got := className(nil, 4); got != "class 4" {
		t.Errorf("%q", got)
	}
	e.view.suite.Files = e.view.suite.Files[:1] // one data file for all images: they have no names
	if got := e.extreme("m", variance.Share{Image: 0}).File; got != "" {
		t.Errorf("file %q", got)
	}
}

// The settings of a corrected model name who set them and what was assigned.
func TestIdentityOfACorrectedModel(t *testing.T) {
	d := newDesk(t)
	testdata.OK(t, d.UpdateModel(d.models[2].Hash, func(m *model.Model) error {
		m.Correction = model.Correction{
			OutputKind: model.Probabilities, Mean: []float64{0.1}, Std: []float64{0.5}, Resize: model.Crop,
			ClassNames: []string{"x", "y"}, Positions: map[string]string{"CONV-2": "c1", "CONV-1": "y"},
		}
		return nil
	}))
	m := testdata.Must(d.Model(d.models[2].Hash))(t)
	settings := testdata.Must(m.Settings())(t)
	blocks := testdata.Must((&modelReport{seen: seen{Model: m, settings: settings}}).identity(t.Context()))(t)
	got := strings.Join(blockLines(blocks[1]), "\n")
	expect(t, got, "output_kind | probabilities | correction", "recipe.range | mean=0.1;std=0.5 | correction",
		"resize=shorter:8;crop=center:8x8",
		"with names | correction | x, y", "CONV-1 | y | correction", "CONV-2 | c1 | correction")
}
