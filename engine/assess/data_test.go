package assess

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// madeUp is a repository of models whose first two columns and scores follow the label, with noise;
// the last third is held out.
func madeUp(models, columns, classes int, seed uint64) Data {
	draw := rand.New(rand.NewPCG(seed, 1))
	d := Data{Classes: label.Values(classes)}
	for c := range columns {
		d.Names = append(d.Names, fmt.Sprintf("max@CONF.f%d", c))
	}
	for k := range models {
		class := k % classes
		r := Row{
			ID: fmt.Sprintf("m%d", k), Label: d.Classes[class], Holdout: k >= models*2/3,
			Group: string(rune('a' + k%4)),
		}
		for c := range columns {
			v := draw.NormFloat64()
			if c < 2 {
				v += 2 * float64(class)
			}
			r.X = append(r.X, v)
		}
		mean := min(1, max(0, 0.9-0.3*float64(class)+0.1*draw.NormFloat64()))
		r.Scores = Scores{
			CorrectProduct: mean * mean, CorrectMean: mean, ConsistencyProduct: mean * mean * mean,
			ConsistencyMean: math.Sqrt(mean),
		}
		d.Rows = append(d.Rows, r)
	}
	return d
}

// changed is d with one row changed.
func changed(d Data, row int, change func(r *Row)) Data {
	d.Rows = slices.Clone(d.Rows)
	r := d.Rows[row]
	r.X = slices.Clone(r.X)
	change(&r)
	d.Rows[row] = r
	return d
}

// says fails the test unless err contains all of the parts.
func says(t *testing.T, err error, parts ...string) {
	t.Helper()
	testdata.Refused(t, "the error", err, parts...)
}

func TestDataIsChecked(t *testing.T) {
	d := madeUp(6, 3, 2, 1)
	testdata.OK(t, d.Validate())
	other := changed(d, 0, func(r *Row) { r.Ratings = []label.Value{label.Borderline, ""} })
	other.Raters = []string{"r1", "r2"} // who may use a label that is not among the classes
	testdata.OK(t, other.Validate())
	named := func(names ...string) Data {
		d := d
		d.Names = names
		return d
	}
	for _, c := range []struct {
		name, want string
		data       Data
	}{
		{"NaN", "m2: feature max@CONF.f1 is NaN", changed(d, 2, func(r *Row) { r.X[1] = math.NaN() })},
		{"infinite", "m5: feature max@CONF.f2 is -Inf", changed(d, 5, func(r *Row) { r.X[2] = math.Inf(-1) })},
		{"NaN without label", "m1: feature max@CONF.f0", changed(d, 1, func(r *Row) {
			r.X[0], r.Label = math.NaN(), ""
		})},
		{"narrow row", "m3 has 2 features, not 3", changed(d, 3, func(r *Row) { r.X = r.X[:2] })},
		{"label of three classes", `m4 is labelled "borderline"`, changed(d, 4, func(r *Row) {
			r.Label = label.Borderline
		})},
		{"ratings", "m4 has 1 ratings of 0 annotators", changed(d, 4, func(r *Row) {
			r.Ratings = []label.Value{label.Variant}
		})},
		{"one class", "1 classes", Data{Classes: label.Values(2)[:1]}},
		{"order of classes", "order", Data{Classes: []label.Value{label.Variant, label.Invariant}}},
		{"unnamed column", "no name", named("a", "", "c")},
		{"names twice", "two features are named a", named("a", "b", "a")},
	} {
		testdata.Refused(t, c.name, c.data.Validate(), c.want)
	}
}
