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
	with := func(change func(d *Data)) Data {
		d := d
		change(&d)
		return d
	}
	for _, c := range []struct {
		name  string
		data  Data
		parts []string
	}{
		{"NaN", changed(d, 2, func(r *Row) { r.X[1] = math.NaN() }), []string{"m2", "max@CONF.f1", "NaN"}},
		{"infinite", changed(d, 5, func(r *Row) { r.X[2] = math.Inf(-1) }), []string{"m5", "max@CONF.f2", "-Inf"}},
		{
			"NaN without label", changed(d, 1, func(r *Row) { r.X[0], r.Label = math.NaN(), "" }),
			[]string{"m1", "max@CONF.f0"},
		},
		{"narrow row", changed(d, 3, func(r *Row) { r.X = r.X[:2] }), []string{"m3", "2 features, not 3"}},
		{
			"label of three classes", changed(d, 4, func(r *Row) { r.Label = label.Borderline }),
			[]string{"m4", "borderline"},
		},
		{
			"ratings", changed(d, 4, func(r *Row) { r.Ratings = []label.Value{label.Variant} }),
			[]string{"m4", "1 ratings of 0 annotators"},
		},
		{"one class", with(func(d *Data) { d.Classes = label.Values(2)[:1] }), []string{"1 classes", "two or three"}},
		{
			"order of classes", with(func(d *Data) { d.Classes = []label.Value{label.Variant, label.Invariant} }),
			[]string{"order"},
		},
		{"unnamed column", with(func(d *Data) { d.Names = []string{"a", "", "c"} }), []string{"no name"}},
		{
			"names twice", with(func(d *Data) { d.Names = []string{"a", "b", "a"} }),
			[]string{"two features are named a"},
		},
	} {
		t.Run(c.name, func(t *testing.T) { says(t, c.data.Validate(), c.parts...) })
	}
}

func TestDataMayHoldOtherRatings(t *testing.T) {
	d := madeUp(4, 2, 2, 1)
	d.Raters = []string{"r1", "r2"}
	d = changed(d, 0, func(r *Row) { r.Ratings = []label.Value{label.Borderline, ""} })
	testdata.OK(t, d.Validate())
}

func TestLabelled(t *testing.T) {
	d := madeUp(5, 1, 2, 1)
	d = changed(d, 0, func(r *Row) { r.Label = "" })
	d = changed(d, 3, func(r *Row) { r.Label = "" })
	testdata.Equal(t, "labelled rows", d.Labelled(), []int{1, 2, 4})
	if got := (Data{}).Labelled(); len(got) != 0 {
		t.Errorf("labelled rows of nothing: %v", got)
	}
}
