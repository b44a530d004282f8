package diagnosis

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

func TestGridAsText(t *testing.T) {
	for _, c := range []struct {
		masks transform.Masks
		t     int
		want  [3]string // for people, masks, padded translation
	}{
		{transform.Masks{N: 3}, 5, [3]string{"3 × 3 regions, t = 5", "mask:3", "shift:3:5"}},
		{
			transform.Masks{N: 2, Layers: []int{2}},
			4,
			[3]string{"2 × 2 regions, t = 4, layer 2", "mask:2;layers=2", "shift:2:4"},
		},
		{
			transform.Masks{N: 2, Layers: []int{1, 3}, AfterBatchNorm: true},
			4,
			[3]string{
				"2 × 2 regions, t = 4, layers 1,3, after batch-norm", "mask:2;layers=1,3;after=batchnorm", "shift:2:4",
			},
		},
	} {
		g := grid(t, c.masks, c.t)
		if got := [3]string{g.String(), g.Mask, g.Shift}; got != c.want || g.N != c.masks.N || g.T != c.t {
			t.Errorf("%+v: %q", c.masks, got)
		}
		masks, err := g.Masks()
		if err != nil || masks.N != c.masks.N || !slices.Equal(masks.Layers, c.masks.Layers) ||
			masks.AfterBatchNorm != c.masks.AfterBatchNorm {
			t.Errorf("%s has masks %+v, %v", g, masks, err)
		}
		if full, err := (dscore.Grid{N: g.N, T: g.T, Mask: g.Mask}).Whole(); err != nil || full != g {
			t.Errorf("%+v, %v", full, err)
		}
	}
	if _, err := dscore.NewGrid(transform.Masks{N: 99}, 5); err == nil {
		t.Error("99 x 99 regions are taken")
	}
	if text := (dscore.Grid{N: 2, T: 3, Mask: "rot90"}).String(); text != "2 × 2 regions, t = 3, rot90" {
		t.Error(text)
	}
}

func TestAvailable(t *testing.T) {
	b := newFixture(t, 2)
	available := func(suite string) string {
		t.Helper()
		list := testdata.Must(Available(b.Workspace, suite))(t)
		texts := make([]string, len(list))
		for k, g := range list {
			texts[k] = g.String()
		}
		return strings.Join(texts, " | ")
	}
	if got := available(""); got != "" {
		t.Errorf("of nothing: %s", got)
	}
	m0, m1 := b.models[0], b.models[1]
	b.run(m0, b.pets, "mask:3") // no shift of the same model
	b.run(m1, b.pets, "shift:3:5")
	b.run(m0, b.wild, "shift:3:5") // nor of the same suite
	b.run(m0, b.pets, "rot90")
	if got := available(""); got != "" {
		t.Errorf("of unlike sets: %s", got)
	}
	b.both(m0, b.wild, 2, 4)
	for _, set := range []string{
		"mask:3;layers=2", "mask:3;layers=1,2", "mask:3;layers=1", "mask:3;after=batchnorm",
		"mask:3",
	} {
		b.run(m1, b.pets, set)
	}
	b.run(m1, b.pets, "shift:3:2")
	all := []string{"", ", after batch-norm", ", layer 1", ", layer 2", ", layers 1,2"}
	var texts []string
	for _, n := range []string{"3 × 3 regions, t = 2", "3 × 3 regions, t = 5"} {
		for _, of := range all {
			texts = append(texts, n+of)
		}
	}
	want := strings.Join(texts, " | ")
	if got := available(b.pets.Hash); got != want {
		t.Errorf("on pets: %s", got)
	}
	if got := available(b.wild.Hash); got != "2 × 2 regions, t = 4" {
		t.Errorf("on wild: %s", got)
	}
	if got := available(""); got != "2 × 2 regions, t = 4 | "+want {
		t.Errorf("on any: %s", got)
	}
}

func TestUsual(t *testing.T) {
	b := newFixture(t, 3)
	usual := func(models ...string) string {
		t.Helper()
		g, ok, err := Usual(b.Workspace, b.pets.Hash, models)
		if err != nil || ok != (g != dscore.Grid{}) {
			t.Fatal(g, ok, err)
		}
		return g.Mask + " " + g.Shift
	}
	m0, m1, m2 := b.models[0], b.models[1], b.models[2]
	if got := usual(); got != " " {
		t.Errorf("of nothing: %s", got)
	}
	b.both(m0, b.pets, 2, 5)
	b.both(m1, b.pets, 2, 5)
	b.both(m0, b.pets, 2, 4)
	if got := usual(); got != "mask:2 shift:2:5" {
		t.Errorf("most have another: %s", got)
	}
	b.both(m0, b.pets, 3, 5)
	if got := usual(); got != "mask:2 shift:2:5" {
		t.Errorf("one has the usual one: %s", got)
	}
	if got := usual(m0.Hash); got != "mask:3 shift:3:5" {
		t.Errorf("of that one: %s", got)
	}
	b.both(m1, b.pets, 3, 5)
	if got := usual(); got != "mask:3 shift:3:5" {
		t.Errorf("as many have the usual one: %s", got)
	}
	if got := usual(m2.Hash); got != " " {
		t.Errorf("of a model without: %s", got)
	}
}
