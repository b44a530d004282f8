package invariance

import (
	"cmp"
	"context"
	"slices"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/ui/kit"
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
func read(ctx context.Context, from *store.Workspace, p engine.Progress) (d Data, err error) {
	if d.Current, err = from.Current(); err != nil {
		return d, err
	}
	if d.Models, err = from.Models(); err != nil {
		return d, err
	}
	if d.Suites, err = from.Suites(); err != nil {
		return d, err
	}
	rows, left, err := evaluate.Measure(ctx, from, evaluate.Ask{}, p)
	d.Rows, d.Left = rows, measure.Lacking(left)
	return d, err
}

// line says what was measured.
func (d Data) line() string {
	models, suites := int64(len(menu(d.Rows, modelOf))), int64(len(menu(d.Rows, suiteOf)))
	return result.Counted(models, "model") + ", " + result.Counted(suites, "suite")
}

func modelOf(m measure.Measured) kit.Option { return kit.Option{Key: m.Model.Hash, Name: m.Model.ID} }

func suiteOf(m measure.Measured) kit.Option { return kit.Option{Key: m.Suite, Name: m.SuiteName} }

func familyOf(m measure.Measured) kit.Option { return kit.Option{Key: m.Family, Name: m.FamilyName} }

// menu are the models, suites or families of rows: sets before families, the rest by name.
func menu(rows []measure.Measured, of func(measure.Measured) kit.Option) (list []kit.Option) {
	seen := map[kit.Option]bool{}
	for _, m := range rows {
		if o := of(m); !seen[o] {
			seen[o] = true
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b kit.Option) int {
		place := cmp.Compare(evaluate.Place(a.Key), evaluate.Place(b.Key)) // the same for all that is no family
		return cmp.Or(place, result.Natural(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	return list
}

// of are the rows of a model, a suite and a family; "" stands for all.
func (d Data) of(model, suite, family string) (rows []measure.Measured) {
	is := func(want, have string) bool { return want == "" || want == have }
	for _, m := range d.Rows {
		if is(model, m.Model.Hash) && is(suite, m.Suite) && is(family, m.Family) {
			rows = append(rows, m)
		}
	}
	return rows
}

// usual is the family of a menu that is chosen first: turned images, else the workspace's own.
func (d Data) usual(list []kit.Option) string {
	if slices.ContainsFunc(list, func(o kit.Option) bool { return o.Key == transform.Rot90 }) {
		return transform.Rot90
	}
	return d.Current.Family
}

// mostSuites is the model that was measured on most suites, the first of several.
func (d Data) mostSuites() (best string) {
	most := 0
	for _, o := range menu(d.Rows, modelOf) {
		if n := len(menu(d.of(o.Key, "", ""), suiteOf)); n > most {
			best, most = o.Key, n
		}
	}
	return best
}

// suite is the one that is looked at: the current one, else the only one; "" for none.
func (d Data) suite() string {
	if d.Current.Suite == "" && len(d.Suites) == 1 {
		return d.Suites[0].Hash
	}
	return d.Current.Suite
}

func (d Data) suiteName(hash string) string {
	for _, s := range d.Suites {
		if s.Hash == hash {
			return s.Name
		}
	}
	return result.ID.SayText(hash)
}
