package diagnosis

import (
	"errors"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// Work asks for the sets that scores need, and says why a model has no score: its run failed, or
// it cannot be masked.
func TestWork(t *testing.T) {
	b := newFixture(t, 3)
	options := dscore.Defaults()
	options.N, options.T, options.Samples, options.PerLayer = []int{2}, []int{5}, 0, true
	var asked []string
	w := &Work{
		From: b.Workspace, Models: b.models, Suites: []suite.Manifest{b.pets}, Options: options,
		Open: func(m model.Model) (MapsOf, error) {
			return func(model.Input, transform.Masks) ([]model.FeatureMap, []int, error) {
				if m.ID == "m2" {
					return nil, nil, errors.New("m2 has no convolution")
				}
				return []model.FeatureMap{{Number: 1, Tensor: "c1"}}, []int{2}, nil
			}, nil
		},
		Run: func(suite, set string, models []model.Model) (failed map[string]string, err error) {
			asked = append(asked, set)
			failed = map[string]string{}
			for _, m := range models {
				if m.ID == "m1" {
					failed[m.Hash] = "m1 crashes"
				} else {
					b.run(m, b.whole(suite), set)
				}
			}
			return failed, nil
		},
	}
	must(t, w.Prepare())
	if want := []string{"mask:2;layers=auto", "mask:2;layers=1", "shift:2:5"}; !slices.Equal(asked, want) {
		t.Errorf("%q were run", asked)
	}
	found, left, err := w.Scores(t.Context(), engine.NoProgress{})
	if err != nil || len(found) != 1 || found[0].Model.ID != "m0" || found[0].Maps == nil ||
		len(found[0].Maps.Deleted) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if len(left) != 2 || left[0].Reason.Text != "m1 crashes" || left[1].Reason.Text != "m2 has no convolution" {
		t.Errorf("%+v", left)
	}
	layers, err := w.Layers(t.Context(), found, engine.NoProgress{})
	if err != nil || len(layers) != 1 || layers[0].Number != 1 {
		t.Errorf("%+v, %v", layers, err)
	}
	w.Run = func(string, string, []model.Model) (map[string]string, error) { return nil, errors.New("no room") }
	testdata.Refused(t, "error", w.Prepare(), "no room")
}
