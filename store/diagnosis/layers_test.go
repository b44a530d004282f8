package diagnosis

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestLayersEqualSignalsInMemory(t *testing.T) {
	b := newFixture(t, 1)
	m := b.models[0]
	for _, set := range []string{
		"mask:2;layers=3", "mask:2;layers=1;after=batchnorm", "mask:2;layers=1", "mask:2;layers=2;after=batchnorm",
		"mask:2;layers=9", "mask:2", "mask:2;layers=1,2", "mask:3;layers=2", "shift:2:5",
	} {
		b.run(m, b.pets, set)
	}
	layers := testdata.Must(Layers(t.Context(), b.Workspace, m, b.pets.Hash, 2))(t)
	var got []string
	for _, l := range layers {
		got = append(got, l.Mask+" "+l.Tensor)
		shares := b.accuracies(l.Key, b.pets.Labels, suiteClasses)
		if l.Original != shares[0] || !slices.Equal(l.Variants, shares[1:]) || l.Images != pictures-1 ||
			!l.Reason.None() {
			t.Errorf("%+v, want %v", l, shares)
		}
		for k, loss := range l.Intervals {
			if at := shares[0] - shares[1+k]; loss.Low > at || loss.High < at || loss.Low == loss.High {
				t.Errorf("layer %d, region %d: loss %v in %v", l.Number, k+1, at, loss)
			}
		}
		if len(l.Intervals) != 4 {
			t.Errorf("layer %d has losses of %d regions", l.Number, len(l.Intervals))
		}
	}
	want := []string{
		"mask:2;layers=1 c1", "mask:2;layers=2;after=batchnorm c2", "mask:2;layers=3 c3", "mask:2;layers=9 ",
	}
	if !slices.Equal(got, want) || !layers[1].AfterBatchNorm || layers[0].AfterBatchNorm {
		t.Errorf("layers %q", got)
	}
	b.removeSignals()
	again, err := Layers(t.Context(), b.Workspace, m, b.pets.Hash, 2)
	if diff := cmp.Diff(layers, again); err != nil || diff != "" {
		t.Errorf("kept: %v %s", err, diff)
	}
}

// Losses are those of the whole bootstrap.
func TestLossesOfLayers(t *testing.T) {
	b := newFixture(t, 1)
	m := b.models[0]
	b.run(m, b.pets, "mask:2;layers=1")
	b.both(m, b.pets, 2, 5)
	layers, err := Layers(t.Context(), b.Workspace, m, b.pets.Hash, 2)
	if err != nil || len(layers) != 1 {
		t.Fatal(layers, err)
	}
	list, _ := b.diagnose(Ask{
		Grids:     []dscore.Grid{{N: 2, T: 5, Mask: "mask:2;layers=1"}},
		Bootstrap: dscore.BootstrapOptions{Samples: 1000},
	})
	testdata.NoDiff(t, "-want +got", cmp.Diff(list[0].Intervals.Loss, layers[0].Intervals))
}

func TestLayersWithoutNumbers(t *testing.T) {
	b := newFixture(t, 1)
	m := b.models[0]
	none, err := Layers(t.Context(), b.Workspace, m, b.pets.Hash, 2)
	if err != nil || len(none) != 0 {
		t.Errorf("of nothing: %v, %v", none, err)
	}
	b.run(m, b.pets, "mask:2;layers=2")
	b.removeSignals()
	b.run(m, b.pets, "mask:2;layers=3")
	layers, err := Layers(t.Context(), b.Workspace, m, b.pets.Hash, 2)
	if err != nil || len(layers) != 2 || !strings.Contains(layers[0].Reason.Text, "is gone") ||
		layers[0].Variants != nil || !layers[1].Reason.None() {
		t.Errorf("damaged: %+v, %v", layers, err)
	}
	must(t, b.UpdateModel(m.Hash, func(m *model.Model) error {
		m.Correction.Mean, m.Correction.Std = []float64{0.5}, []float64{0.5}
		return nil
	}))
	if m, err = b.Model(m.Hash); err != nil {
		t.Fatal(err)
	}
	layers, err = Layers(t.Context(), b.Workspace, m, b.pets.Hash, 2)
	if err != nil || len(layers) != 1 || !strings.Contains(layers[0].Reason.Text,
		"its signals are for other preprocessing") {
		t.Errorf("stale: %+v, %v", layers, err)
	}
	for want, suite := range map[string]string{"has no labels": b.wild.Hash, "not found": sums.Hash("nowhere")} {
		testdata.Refused(t, "error", testdata.Err(Layers(t.Context(), b.Workspace, m, suite, 2)), want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := newFixture(t, 1)
	fresh.run(fresh.models[0], fresh.pets, "mask:2;layers=2")
	_, err = Layers(ended, fresh.Workspace, fresh.models[0], fresh.pets.Hash, 2)
	testdata.ErrorIs(t, "ended", err, context.Canceled)
}

func TestMapsReadsTheFileWithTheSuitesSize(t *testing.T) {
	b := newFixture(t, 1)
	m := b.models[0]
	m.Graph.Input.Height, m.Graph.Input.Width = 0, 0
	b.pets.Shape = [3]int{3, 8, 8}
	found := []model.FeatureMap{
		{Number: 2, Tensor: "c2", Height: 2, Width: 1, Empty: []int{2, 4}},
		{Number: 3, Tensor: "c3", Height: 4, Width: 4},
	}
	g := grid(t, transform.Masks{N: 2, Layers: []int{2, 3}}, 5)
	maps, alone, err := Maps(b.Workspace, m, b.pets.Hash, g,
		func(path string, input model.Input, masks transform.Masks) ([]model.FeatureMap, []int, error) {
			data, err := os.ReadFile(path)
			if err != nil || string(data) != "model m0" {
				t.Errorf("%s holds %q, %v", path, data, err)
			}
			want := m.Graph.Input
			want.Height, want.Width = 8, 8
			if diff := cmp.Diff(want, input); diff != "" || masks.N != 2 || !slices.Equal(masks.Layers, []int{2, 3}) {
				t.Errorf("%+v, %s", masks, diff)
			}
			return found, []int{1}, nil
		})
	if diff := cmp.Diff(found, maps); err != nil || diff != "" || !slices.Equal(alone, []int{1}) {
		t.Errorf("%v, %v, %s", alone, err, diff)
	}
}

func TestMapsRefuses(t *testing.T) {
	b := newFixture(t, 1)
	m := b.models[0]
	none := func(string, model.Input, transform.Masks) ([]model.FeatureMap, []int, error) {
		return nil, nil, errors.New("it has no 2-D convolution")
	}
	g := dscore.Grid{N: 2, T: 5}
	_, _, err := Maps(b.Workspace, m, b.pets.Hash, g, none)
	testdata.Refused(t, "no convolution", err, "model m0: it has no 2-D convolution")
	_, _, err = Maps(b.Workspace, m, b.pets.Hash, dscore.Grid{N: 2, T: 5, Mask: "rot90"}, none)
	testdata.Refused(t, "no masks", err, "no set of masks")
	_, _, err = Maps(b.Workspace, m, sums.Hash("nowhere"), g, none)
	testdata.ErrorIs(t, "no suite", err, store.ErrNotFound)
	must(t, os.Remove(b.ModelPath(m.Hash)))
	_, _, err = Maps(b.Workspace, m, b.pets.Hash, g, none)
	testdata.ErrorIs(t, "no file", err, store.ErrNoFile)
}
