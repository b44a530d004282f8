package invariance

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/study"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Data is what was measured in a workspace. It is immutable.
type Data struct {
	Current store.Current
	Models  []model.Model
	Suites  []suite.Manifest
	Rows    []measure.Measured
	Left    []measure.Lack
}

// read measures everything that has signals. It is slow (files) unless the results are kept.
func read(ctx context.Context, from Store, p engine.Progress) (d Data, err error) {
	if d.Current, err = from.Current(); err != nil {
		return d, err
	}
	if d.Models, err = from.Models(); err != nil {
		return d, err
	}
	if d.Suites, err = from.Suites(); err != nil {
		return d, err
	}
	rows, left, err := from.Measure(ctx, study.Ask{}, p)
	d.Rows, d.Left = rows, measure.Lacking(left)
	return d, err
}

// line says what was measured.
func (d Data) line() string {
	models, suites := int64(len(d.models())), int64(len(d.suites()))
	return present.Counted(models, "model") + ", " + present.Counted(suites, "suite")
}

// choices are the different entries that rows have for a menu, in an order.
func (d Data) choices(of func(measure.Measured) kit.Option, is func(measure.Measured) bool, order func(a, b kit.Option) int) []kit.Option {
	seen := map[kit.Option]bool{}
	var list []kit.Option
	for _, m := range d.Rows {
		if o := of(m); (is == nil || is(m)) && !seen[o] {
			seen[o] = true
			list = append(list, o)
		}
	}
	slices.SortFunc(list, order)
	return list
}

func byName(a, b kit.Option) int {
	return cmp.Or(result.Natural(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
}

// suites and models are those of all rows, by name; shifted suites follow what they are made from.
func (d Data) suites() []kit.Option {
	return d.choices(func(m measure.Measured) kit.Option { return kit.Option{Key: m.Suite, Name: m.SuiteName} }, nil, byName)
}

func (d Data) models() []kit.Option {
	return d.choices(func(m measure.Measured) kit.Option { return kit.Option{Key: m.Model.Hash, Name: m.Model.ID} }, nil, byName)
}

// families are those of some rows (nil for all), sets first.
func (d Data) families(is func(measure.Measured) bool) []kit.Option {
	return d.choices(func(m measure.Measured) kit.Option { return kit.Option{Key: m.Family, Name: m.FamilyName} }, is, func(a, b kit.Option) int {
		return cmp.Or(cmp.Compare(study.Place(a.Key), study.Place(b.Key)), cmp.Compare(a.Name, b.Name))
	})
}

// usual is the family of a list that is chosen first: turned images, else the workspace's own.
func (d Data) usual(list []kit.Option) string {
	if has(list, transform.Rot90) {
		return transform.Rot90
	}
	return d.Current.Family
}

// mostSuites is the model that was measured on most suites, the first of several.
func (d Data) mostSuites() string {
	seen := map[string]map[string]bool{}
	for _, m := range d.Rows {
		if seen[m.Model.Hash] == nil {
			seen[m.Model.Hash] = map[string]bool{}
		}
		seen[m.Model.Hash][m.Suite] = true
	}
	best := ""
	for _, o := range d.models() {
		if best == "" || len(seen[o.Key]) > len(seen[best]) {
			best = o.Key
		}
	}
	return best
}

// gap is a set that some models have no signals for on a suite, and could have.
type gap struct {
	Set    string
	Models []string // hashes
}

// gaps are the sets that are usual for effective invariance and not computed for all models on a
// suite. Gray does not change models of one channel, and only square images can be turned.
func (d Data) gaps(suiteHash string) []gap {
	there := map[[3]string]bool{}
	for _, m := range d.Rows {
		there[[3]string{m.Model.Hash, m.Suite, m.Family}] = true
	}
	var list []gap
	for _, set := range []string{transform.Rot90, transform.Grayscale} {
		g := gap{Set: set}
		for _, m := range d.Models {
			in := m.Graph.Input
			suits := in.Height == in.Width // also where the sizes are not known
			if set == transform.Grayscale {
				suits = in.Channels != 1
			}
			if suits && !there[[3]string{m.Hash, suiteHash, set}] {
				g.Models = append(g.Models, m.Hash)
			}
		}
		if len(g.Models) > 0 {
			list = append(list, g)
		}
	}
	return list
}

// gapText is "rot90 for 12 models on digits".
func (d Data) gapText(g gap, suiteHash string) string {
	return fmt.Sprintf("%s for %s on %s", g.Set, present.Counted(int64(len(g.Models)), "model"), d.suiteName(suiteHash))
}

// runSuite is the suite for which sets are computed: the one that is looked at ("" for none), else
// the current one, else the only one.
func (d Data) runSuite(shown string) string {
	if shown == "" && len(d.Suites) == 1 {
		shown = d.Suites[0].Hash
	}
	return cmp.Or(shown, d.Current.Suite)
}

func (d Data) suiteName(hash string) string {
	for _, s := range d.Suites {
		if s.Hash == hash {
			return s.Name
		}
	}
	return present.Short(hash)
}
