package assess

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

func TestTheAssessorStandsAmongTheHumans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := label.Values(rapid.IntRange(2, 3).Draw(t, "classes"))
		word := rapid.SampledFrom([]label.Value{"", label.Invariant, label.Invariant, label.Borderline, label.Variant})
		d := Data{Classes: classes, Raters: []string{"r1", "r2", "r3"}[:rapid.IntRange(1, 3).Draw(t, "raters")]}
		var verdicts []label.Value
		columns := make([][]int, len(d.Raters)+1) // the assessor's is the last
		for range rapid.IntRange(1, 15).Draw(t, "models") {
			r := Row{Ratings: rapid.SliceOfN(word, len(d.Raters), len(d.Raters)).Draw(t, "ratings")}
			d.Rows = append(d.Rows, r)
			verdicts = append(verdicts, word.Draw(t, "verdict"))
			for k, v := range append(slices.Clone(r.Ratings), verdicts[len(verdicts)-1]) {
				columns[k] = append(columns[k], slices.Index(classes, v)) // -1 is agreement.Missing
			}
		}
		table := Join(d, verdicts, "forest", agreement.Options{})
		raters := append(slices.Clone(d.Raters), "forest")
		measure := func(names []string, columns ...[]int) agreement.Report {
			opts := agreement.Options{Classes: label.Words(len(classes))}
			return agreement.Measure(columns, len(classes), names, opts)
		}
		humans, all := measure(d.Raters, columns[:len(d.Raters)]...), measure(raters, columns...)
		if !reflect.DeepEqual(table.Humans, humans) || !reflect.DeepEqual(table.Report.Majority, humans.Majority) {
			t.Error("the assessor has a vote among the humans")
		}
		if !reflect.DeepEqual(table.Report.Cohen, all.Cohen) || !reflect.DeepEqual(table.Report.Fleiss, all.Fleiss) {
			t.Errorf("pairs %+v, want %+v", table.Report.Cohen, all.Cohen)
		}
		testdata.Is(t, "assessor", table.Assessor(), len(d.Raters))
		testdata.Is(t, "reference", table.Reference, AnnotatorsMajority)
		testdata.Is(t, "compared", len(table.Report.VsMajority), len(raters))
		for k, against := range table.Report.VsMajority {
			want := measure([]string{"a", "b"}, columns[k], humans.Majority.Unresolved).Cohen[0].Cohen
			if against.Index != k || against.Rater != raters[k] || !reflect.DeepEqual(against.Cohen, want) {
				t.Errorf("%+v, want %s with %+v", against, raters[k], want)
			}
		}
	})
}

// rated is a small round: four annotators' ratings of one model per text.
func rated(classes int, rows ...string) Data {
	words := map[rune]label.Value{'i': label.Invariant, 'b': label.Borderline, 'v': label.Variant, '-': ""}
	d := Data{Classes: label.Values(classes), Raters: []string{"r1", "r2", "r3", "r4"}}
	for _, row := range rows {
		var r Row
		for _, letter := range row {
			r.Ratings = append(r.Ratings, words[letter])
		}
		d.Rows = append(d.Rows, r)
	}
	return d
}

func TestIntervalsAndLeaveOneOut(t *testing.T) {
	const i, v = label.Invariant, label.Variant
	d := rated(2, "iiii", "vvvv", "iiiv", "vvvi", "iivv", "iiii", "vviv")
	verdicts := []label.Value{i, v, i, v, i, v, v}
	opts := agreement.Options{Intervals: true, LeaveOneOut: true}
	left := Join(d, verdicts, "a", opts).Report
	for _, pair := range left.Cohen {
		if pair.Kappa.Interval == nil {
			t.Errorf("pair %v has no interval", pair.Raters)
		}
	}
	opts.LeaveOneOut = false
	plain := Join(d, verdicts, "a", opts).Report
	if !reflect.DeepEqual(plain.VsMajority[4], left.VsMajority[4]) || left.VsMajority[4].Kappa.Interval == nil {
		t.Errorf("leaving an annotator out changes what the assessor is compared with: %+v", left.VsMajority[4])
	}
	if reflect.DeepEqual(plain.VsMajority[:4], left.VsMajority[:4]) {
		t.Error("leaving annotators out changes nothing")
	}
	testdata.Equal(t, "notes", []string{left.Note, plain.Note}, []string{othersNote, joinedNote})
}

func TestWithoutAnnotatorsTheTrainingLabelIsTheReference(t *testing.T) {
	d := changed(madeUp(12, 2, 3, 1), 5, func(r *Row) { r.Label = "" })
	verdicts, columns := make([]label.Value, len(d.Rows)), make([][]int, 2)
	for k, r := range d.Rows {
		verdicts[k] = d.Classes[(k/2)%3]
		columns[0], columns[1] = append(columns[0], (k/2)%3), append(columns[1], slices.Index(d.Classes, r.Label))
	}
	for _, opts := range []agreement.Options{{}, {Intervals: true}} {
		table := Join(d, verdicts, "rule", opts)
		if table.Reference != TrainingLabel || table.Assessor() != 0 || len(table.Report.Cohen) != 0 ||
			table.Report.Note != trainingNote {
			t.Fatalf("reference %q, assessor %d", table.Reference, table.Assessor())
		}
		want := agreement.Measure(columns, 3, []string{"a", "b"}, opts).Cohen[0].Cohen
		testdata.NoDiff(t, "against the label", cmp.Diff(want, table.Report.VsMajority[0].Cohen))
		testdata.Is(t, "models", want.N, 11)
	}
}

func TestTheTableCanBeWritten(t *testing.T) {
	empty := Data{Classes: label.Values(2), Raters: []string{"r1"}}
	for name, table := range map[string]Table{
		"no models":  Join(empty, nil, "a", agreement.Options{Intervals: true}),
		"no ratings": Join(rated(3, "----", "----"), make([]label.Value, 2), "a", agreement.Options{}),
		"no labels": Join(Data{Classes: label.Values(2), Rows: make([]Row, 3)}, make([]label.Value, 3), "a",
			agreement.Options{}),
	} {
		testdata.OK(t, testdata.Err(json.Marshal(table.Report)))
		if table.Report.VsMajority[table.Assessor()].Kappa.Value.Defined() {
			t.Errorf("%s: there is a kappa", name)
		}
	}
}
