package training

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// The cache answers without any file, follows the choices, and gives up what was not used for
// longest.
func TestCache(t *testing.T) {
	b := newFixture(t, 3)
	var cache Cache
	ask := b.ask()
	first, _, err := Measure(t.Context(), b.Workspace, ask, &cache, nil)
	must(t, err)
	for k := range b.models {
		b.spoil(k, os.Remove)
	}
	must(t, b.UpdateModel(b.models[0].Hash, func(m *model.Model) error { m.ID = "renamed"; return nil }))
	again, left, err := Measure(t.Context(), b.Workspace, ask, &cache, nil)
	if err != nil || len(left) != 0 {
		t.Fatalf("%v, %v", err, left)
	}
	at := slices.IndexFunc(again, func(m Measured) bool { return m.Model.ID == "renamed" })
	if at < 0 || cmp.Diff(first[0].Vector, again[at].Vector) != "" {
		t.Errorf("the cache keeps numbers, not names: %d", at)
	}
	ask.Images.Seed, ask.Images.Share = 4, 0.5
	if got, left, err := Measure(t.Context(), b.Workspace, ask, &cache, nil); err != nil || len(got) != 0 ||
		len(left) != 3 {
		t.Errorf("another choice must not come from the cache: %v, %v", left, err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := Cache{most: 50}
	for k := range 20 {
		c.put(fmt.Sprint(k), store.Features{Images: k, Vector: feature.Vector{
			Values: make([]float64, 6), Matrices: map[string]variance.Matrix{"m": {N: 2, Data: make([]float64, 4)}},
		}})
		c.put("0", store.Features{})
		if f, ok := c.get("0"); !ok || f.Images != 0 {
			t.Fatal("what is used stays")
		}
	}
	if c.numbers > 50 || len(c.at) != 5 || c.order.Len() != 5 {
		t.Errorf("%d numbers, %d entries", c.numbers, len(c.at))
	}
	if _, ok := c.get("19"); !ok {
		t.Error("the newest stays")
	}
	if _, ok := c.get("3"); ok {
		t.Error("the oldest goes")
	}
}
