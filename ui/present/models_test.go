package present

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
)

func TestNatural(t *testing.T) {
	want := []string{"", "2", "10", "10a", "m", "M1", "m2", "m02", "m10", "m10-2", "m10-11", "model 9", "model 10", "vit"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	// equal numbers with different zeros are ordered by bytes
	i, j := slices.Index(got, "m2"), slices.Index(got, "m02")
	if i > j {
		got[i], got[j] = got[j], got[i]
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNaturalIsAnOrder(t *testing.T) {
	text := rapid.StringMatching(`[aAb0-2]{0,5}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c")
		if sign(Natural(a, b)) != -sign(Natural(b, a)) {
			t.Errorf("%q and %q are not antisymmetric", a, b)
		}
		if (Natural(a, b) == 0) != (a == b) {
			t.Errorf("%q and %q: zero must mean equal", a, b)
		}
		if Natural(a, b) <= 0 && Natural(b, c) <= 0 && Natural(a, c) > 0 {
			t.Errorf("%q, %q, %q are not transitive", a, b, c)
		}
	})
}

func sign(n int) int { return min(1, max(-1, n)) }

func rows() ([]model.Model, []ModelRow) {
	models := []model.Model{
		{Hash: "h10", ID: "m10", File: "ten.onnx", Record: []model.Field{{Name: "architecture", Value: "vit"}, {Name: "epochs", Value: "9"}}},
		{
			Hash: "h2", ID: "m2", File: "two.onnx", Graph: model.Graph{Parameters: 12345, Outputs: []model.Output{{Classes: 10}}},
			Record: []model.Field{{Name: "architecture", Value: "CNN5"}, {Name: "epochs", Value: "100"}, {Name: "accuracy", Value: "0.5"}},
		},
		{Hash: "h3", ID: "m3", Record: []model.Field{{Name: "note", Value: "random labels"}, {Name: "", Value: "x"}}},
	}
	nan := math.NaN()
	scores := map[string]Scores{
		"h10": {State: Ready, Accuracy: 0.9, Robust: 0.7},
		"h2":  {State: Stale, Note: "other preprocessing", Accuracy: 0.95, Robust: nan},
		"h3":  {State: NoSignals, Accuracy: nan, Robust: nan},
	}
	return models, ModelRows(models, func(hash string) Scores { return scores[hash] })
}

func ids(rows []ModelRow) string {
	var list []string
	for _, r := range rows {
		list = append(list, r.ID)
	}
	return strings.Join(list, " ")
}

func TestModelRowsAndColumns(t *testing.T) {
	models, list := rows()
	if got := ids(list); got != "m2 m3 m10" {
		t.Errorf("rows come as %s, want natural order", got)
	}
	want := []string{"id", "state", "accuracy", "robust accuracy", "parameters", "architecture", "epochs", "note"}
	if got := Columns(models); !slices.Equal(got, want) {
		t.Errorf("columns %q, want %q", got, want)
	}
	for _, c := range []struct {
		row    int
		column string
		want   string
	}{
		{0, "id", "m2"},
		{0, "state", "stale"},
		{0, "accuracy", "0.9500"}, // ours, not the record's
		{0, "robust accuracy", ""},
		{0, "parameters", "12,345"},
		{0, "architecture", "CNN5"},
		{1, "architecture", ""},
		{1, "parameters", ""},
		{1, "state", "no signals"},
		{2, "robust accuracy", "0.7000"},
		{2, "unknown", ""},
	} {
		if got := list[c.row].Cell(c.column); got != c.want {
			t.Errorf("row %d, %s: got %q, want %q", c.row, c.column, got, c.want)
		}
	}
	if list[0].Classes != 10 || list[1].Classes != 0 || list[0].File != "two.onnx" {
		t.Errorf("classes or file are wrong: %+v", list[0])
	}
}

func TestSortRows(t *testing.T) {
	for _, c := range []struct {
		column     string
		descending bool
		want       string
	}{
		{"id", false, "m2 m3 m10"},
		{"id", true, "m10 m3 m2"},
		{"accuracy", false, "m10 m2 m3"},
		{"accuracy", true, "m2 m10 m3"},
		{"robust accuracy", true, "m10 m2 m3"},
		{"epochs", false, "m10 m2 m3"}, // 9 before 100, the empty one last
		{"epochs", true, "m2 m10 m3"},
		{"architecture", false, "m2 m10 m3"},
		{"parameters", false, "m2 m3 m10"},
		{"state", false, "m3 m10 m2"},
		{"unknown", false, "m2 m3 m10"},
	} {
		_, list := rows()
		SortRows(list, c.column, c.descending)
		if got := ids(list); got != c.want {
			t.Errorf("by %s (descending %v): got %s, want %s", c.column, c.descending, got, c.want)
		}
	}
}

func TestSortPutsEmptyCellsLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []ModelRow
		for _, v := range rapid.SliceOf(rapid.SampledFrom([]string{"", "1", "10", "2.5", "x", "Y", "-3"})).Draw(t, "values") {
			list = append(list, ModelRow{Fields: []model.Field{{Name: "c", Value: v}}})
		}
		SortRows(list, "c", rapid.Bool().Draw(t, "descending"))
		empty := slices.IndexFunc(list, func(r ModelRow) bool { return r.Cell("c") == "" })
		if empty >= 0 && slices.ContainsFunc(list[empty:], func(r ModelRow) bool { return r.Cell("c") != "" }) {
			t.Errorf("a filled cell follows an empty one in %v", list)
		}
	})
}

func TestFilterRows(t *testing.T) {
	_, list := rows()
	for text, want := range map[string]string{
		"": "m2 m3 m10", "  ": "m2 m3 m10", "m1": "m10", "VIT": "m10", "cnn 100": "m2", "cnn vit": "", "state:ready": "m10",
		"arch:cnn": "m2", "epochs:9": "m10", "note:random": "m3", "labels": "m3", "file:two": "m2", "id:m": "m2 m3 m10", "zz:top": "", ":": "", "0.95": "m2",
	} {
		if got := ids(FilterRows(list, text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if ids(list) != "m2 m3 m10" {
		t.Error("the argument was changed")
	}
}
