package diagnosis

import (
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
	"github.com/variscope/variscope/store"
)

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
	if _, _, err := Maps(b.Workspace, m, b.pets.Hash, g, none); err == nil ||
		!strings.Contains(err.Error(), "model m0: it has no 2-D convolution") {
		t.Error(err)
	}
	if _, _, err := Maps(b.Workspace, m, b.pets.Hash, dscore.Grid{N: 2, T: 5, Mask: "rot90"}, none); err == nil ||
		!strings.Contains(err.Error(), "no set of masks") {
		t.Error(err)
	}
	if _, _, err := Maps(b.Workspace, m, sums.Hash("nowhere"), g, none); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	must(t, os.Remove(b.ModelPath(m.Hash)))
	if _, _, err := Maps(b.Workspace, m, b.pets.Hash, g, none); !errors.Is(err, store.ErrNoFile) {
		t.Error(err)
	}
}
