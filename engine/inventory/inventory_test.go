package inventory

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func row(id string, fields ...string) Row {
	r := Row{Model: model.Model{Hash: "hash-" + id, ID: id}, State: NoSignals, Accuracy: math.NaN(), Robust: math.NaN()}
	for i := 0; i+1 < len(fields); i += 2 {
		r.Model.Record = append(r.Model.Record, model.Field{Name: fields[i], Value: fields[i+1]})
	}
	return r
}

func TestOrdersAndFilters(t *testing.T) {
	rows := []Row{
		row("10", "architecture", "VGG4", "learning_rate", "0.001"),
		row("2", "architecture", "VGG4-BN", "learning_rate", "0.03", "anomaly", "leak"),
		row("t103", "architecture", "CNN5"),
		row("1", "architecture", "CNN5", "learning_rate", "1e-4"),
	}
	rows[0].State, rows[1].State, rows[1].Share, rows[2].State = Failed, Running, 0.5, Ready
	rows[3].Accuracy, rows[3].Set = 0.9, "set"
	testdata.OK(t, Models.Check())
	sheet := Models.Sheet(rows)
	for _, c := range []struct {
		filter string
		by     result.Order
		want   []string
	}{
		{"", sheet.First, []string{"1", "2", "10", "t103"}},
		{"", result.Order{Key: "record.learning_rate"}, []string{"1", "10", "2", "t103"}},
		{"", result.Order{Key: "record.learning_rate", Descending: true}, []string{"2", "10", "1", "t103"}},
		{"", result.Order{Key: "state"}, []string{"10", "2", "1", "t103"}},
		{"vgg4", sheet.First, []string{"2", "10"}},
		{"learning_rate<0.005", sheet.First, []string{"1", "10"}},
		{"architecture=cnn5 state=ready", sheet.First, []string{"t103"}},
		{"state=running", sheet.First, []string{"2"}},
		{"accuracy<=90% accuracy<=0.9", sheet.First, []string{"1"}},
	} {
		var got []string
		for _, k := range sheet.Arrange(result.ParseFilter(c.filter), c.by) {
			got = append(got, rows[k].Model.ID)
		}
		testdata.Equal(t, fmt.Sprintf("filter %q by %v shows", c.filter, c.by), got, c.want)
	}
}

// TestColumnsFollowTheRows: those of chance, of looks and of a round are there where a row has
// something to say in them, and no column of a record twice.
func TestColumnsFollowTheRows(t *testing.T) {
	keys := func(rows ...Row) (list []string) {
		for _, f := range Models.Sheet(rows).Fields {
			if f.Show == result.Shown {
				list = append(list, f.Key)
			}
		}
		return list
	}
	one := row("1", "architecture", "CNN5", "parameters", "100", "note", "x")
	want := []string{
		"model_id", "matrices", "state", "accuracy", "robust_accuracy", "record.architecture", "parameters",
		"record.note", "input", "classes", "file",
	}
	testdata.Equal(t, "keys", keys(one), want)
	one.Chance.Code, one.Verdict = chance.NotAbove, &Verdict{Label: "variant", Agree: 1}
	one.Looks = chance.Looks{Images: 64, Best: 1, Tried: []chance.Tried{
		{Name: "0..1", Right: 22}, {Name: "0..255", Right: 52},
	}}
	want = slices.Insert(want, 5, "chance", "looks", "label", "agreement")
	testdata.Equal(t, "keys", keys(one), want)
	if got := one.Detail(); !strings.Contains(got, "looks as if it wants 0..255: 81.3 % instead of 34.4 %") {
		t.Errorf("%q", got)
	}
}

func TestVerdicts(t *testing.T) {
	r := label.Round{
		ID: "R", Classes: 3, Annotators: []string{"a", "b", "c"}, Models: []string{"m0", "m1", "m2", "m3", "m4"},
	}
	var events []label.Event
	put := func(kind label.Kind, who, model string, v label.Value) {
		events = append(events, label.Event{
			ID: time.Unix(int64(len(events)), 0).UTC().Format(time.RFC3339), Round: "R", Kind: kind, Annotator: who,
			Model: model, Value: v, Pass: 1,
		})
	}
	put(label.Label, "a", "m0", label.Variant)
	put(label.Label, "b", "m0", label.Variant)
	put(label.Label, "c", "m0", label.Invariant)
	put(label.Label, "a", "m1", label.Variant)
	put(label.Label, "b", "m1", label.Invariant)
	put(label.Label, "a", "m2", label.Variant)
	put(label.Adjudicate, "a", "m2", label.Borderline)
	put(label.Label, "stranger", "m4", label.Variant)
	want := map[string]Verdict{
		"m0": {Label: "variant", Ratings: 3, Agree: 2. / 3}, "m1": {Label: "tie", Ratings: 2, Agree: 0.5},
		"m2": {Label: "borderline", Final: true, Ratings: 1, Agree: 1}, "m3": {Agree: math.NaN()},
		"m4": {Agree: math.NaN()},
	}
	testdata.NoDiff(t, "verdicts", cmp.Diff(want, Verdicts(r, events), cmpopts.EquateNaNs()))
}

// TestDifference: settings that are alike, notes and the parts of a recipe are no difference.
func TestDifference(t *testing.T) {
	a := []Setting{
		{Name: "recipe", Value: "r"},
		{Name: "recipe.range", Value: "x"},
		{Name: "output", Value: "b"},
		{Name: model.Conv2, Value: "c"},
	}
	b := []Setting{
		{Name: "recipe", Value: "r"},
		{Name: "output", Value: "a"},
		{Name: "batch", Value: "8"},
		{Name: model.Conv2, Value: "c"},
	}
	if inA, inB := Difference(a, b); inA != "output b, batch not set" || inB != "output a, batch 8" {
		t.Errorf("%q, %q", inA, inB)
	}
	if inA, inB := Difference(a, a[:1:1]); inA != "output b, CONV-2 c" || inB != "output not set, CONV-2 not set" {
		t.Errorf("%q, %q", inA, inB)
	}
}
