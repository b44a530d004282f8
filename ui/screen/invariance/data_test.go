package invariance

import (
	"slices"
	"testing"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
)

const rotation = "rotation:-10:10:10;interpolation=bilinear;border=zero"

// row is a model on a suite under a family.
func row(id, of, family string) measure.Measured {
	m := measure.Measured{Suite: "hash " + of, SuiteName: of, Family: family, FamilyName: family}
	m.Model = model.Model{ID: id, Hash: "hash " + id}
	return m
}

func TestMenusInOrder(t *testing.T) {
	d := Data{Current: store.Current{Family: rotation}, Rows: []measure.Measured{
		row("m10", "s2", rotation), row("m10", "s2", "grayscale"), row("m9", "s2", "grayscale"),
		row("m9", "s10", "rot90"), row("m9", "s2", "rot90"),
	}}
	keys := func(list []kit.Option) (keys []string) {
		for _, o := range list {
			keys = append(keys, o.Key)
		}
		return keys
	}
	if got := keys(menu(d.Rows, modelOf)); !slices.Equal(got, []string{"hash m9", "hash m10"}) ||
		d.mostSuites() != "hash m9" {
		t.Errorf("models %v, %s on most suites", got, d.mostSuites())
	}
	if got := keys(menu(d.Rows, suiteOf)); !slices.Equal(got, []string{"hash s2", "hash s10"}) {
		t.Errorf("suites %v", got)
	}
	all := menu(d.Rows, familyOf)
	if got := keys(all); !slices.Equal(got, []string{"rot90", "grayscale", rotation}) || d.usual(all) != "rot90" {
		t.Errorf("families %v", got)
	}
	few := menu(d.of("hash m10", "", ""), familyOf)
	if got := keys(few); !slices.Equal(got, []string{"grayscale", rotation}) || d.usual(few) != rotation {
		t.Errorf("families %v, the usual one is %s", got, d.usual(few))
	}
}
