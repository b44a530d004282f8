package assess

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// handKappa is Cohen's kappa of two columns of labels by the definition, over the models that have
// both, NaN where it is undefined.
func handKappa(a, b []label.Value, classes []label.Value) (kappa float64, n int) {
	same, first, second := 0.0, map[label.Value]float64{}, map[label.Value]float64{}
	for k := range a {
		if !slices.Contains(classes, a[k]) || !slices.Contains(classes, b[k]) {
			continue
		}
		n++
		first[a[k]]++
		second[b[k]]++
		if a[k] == b[k] {
			same++
		}
	}
	chance := 0.0
	for class := range first {
		chance += first[class] / float64(n) * second[class] / float64(n)
	}
	if n == 0 || 1-chance < 1e-12 {
		return math.NaN(), n
	}
	return (same/float64(n) - chance) / (1 - chance), n
}

// handMajority is the label that more annotators gave than any other, "" for none.
func handMajority(r Row, classes []label.Value) label.Value {
	votes := map[label.Value]int{}
	for _, v := range r.Ratings {
		if slices.Contains(classes, v) {
			votes[v]++
		}
	}
	best, tied := label.Value(""), false
	for v, n := range votes {
		switch {
		case n > votes[best]:
			best, tied = v, false
		case n == votes[best]:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

func checkKappa(t *rapid.T, what string, c agreement.Cohen, a, b []label.Value, classes []label.Value) {
	kappa, n := handKappa(a, b, classes)
	got := math.NaN()
	if c.Kappa.Value.Defined() {
		got = c.Kappa.Value.Value
	}
	if c.N != n || !(math.IsNaN(got) && math.IsNaN(kappa) || math.Abs(got-kappa) <= 1e-9) {
		t.Errorf("%s: kappa %v of %d, want %v of %d", what, got, c.N, kappa, n)
	}
}

func TestTheAssessorStandsAmongTheHumans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := label.Values(rapid.IntRange(2, 3).Draw(t, "classes"))
		word := rapid.SampledFrom([]label.Value{"", label.Invariant, label.Invariant, label.Borderline, label.Variant})
		d := Data{Classes: classes, Raters: []string{"r1", "r2", "r3"}[:rapid.IntRange(1, 3).Draw(t, "raters")]}
		var verdicts []label.Value
		columns := make([][]label.Value, len(d.Raters)+2) // annotators, assessor, majority
		for range rapid.IntRange(1, 15).Draw(t, "models") {
			r := Row{Ratings: rapid.SliceOfN(word, len(d.Raters), len(d.Raters)).Draw(t, "ratings")}
			d.Rows = append(d.Rows, r)
			verdicts = append(verdicts, word.Draw(t, "verdict"))
			for k, v := range append(slices.Clone(r.Ratings), verdicts[len(verdicts)-1], handMajority(r, classes)) {
				columns[k] = append(columns[k], v)
			}
		}
		table := Join(d, verdicts, "forest", agreement.Options{})
		raters := len(d.Raters)
		if table.Assessor() != raters || table.Reference != AnnotatorsMajority ||
			len(table.Report.VsMajority) != raters+1 {
			t.Fatalf("assessor %d, reference %q, %d compared", table.Assessor(), table.Reference,
				len(table.Report.VsMajority))
		}
		for a := range raters + 1 {
			for b := range a {
				p, ok := table.Report.Pair(b, a)
				if !ok {
					t.Fatalf("no pair %d, %d", b, a)
				}
				checkKappa(t, "pair", p.Cohen, columns[b], columns[a], classes)
			}
			against := table.Report.VsMajority[a]
			if against.Index != a || against.Rater != table.Report.Raters[a] {
				t.Errorf("comparison %d is of %d, %s", a, against.Index, against.Rater)
			}
			checkKappa(t, "majority", against.Cohen, columns[a], columns[raters+1], classes)
		}
		alone := agreement.Measure(d.ratings(), len(classes), d.Raters,
			agreement.Options{Classes: label.Words(len(classes))})
		if !reflect.DeepEqual(table.Humans, alone) {
			t.Error("the humans alone are measured otherwise")
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

func TestFleissWithAndWithoutTheAssessor(t *testing.T) {
	const i, v = label.Invariant, label.Variant
	d := rated(2, "iiii", "vvvv", "iiiv", "vvvi", "iivv", "iiii")
	same := Join(d, []label.Value{i, v, i, v, i, i}, "a", agreement.Options{})
	other := Join(d, []label.Value{v, i, v, i, i, v}, "a", agreement.Options{})
	alone := same.Humans.Fleiss.Value.Value
	if with := same.Report.Fleiss.Value.Value; with <= alone {
		t.Errorf("an assessor that agrees lowers Fleiss from %v to %v", alone, with)
	}
	if with := other.Report.Fleiss.Value.Value; with >= alone {
		t.Errorf("an assessor that contradicts raises Fleiss from %v to %v", alone, with)
	}
	if !reflect.DeepEqual(same.Humans, other.Humans) ||
		!reflect.DeepEqual(same.Report.Majority, other.Report.Majority) {
		t.Error("the assessor has a vote among the humans")
	}
	if k := same.Report.VsMajority[4].Kappa.Value; k.Value != 1 || same.Report.VsMajority[4].N != 5 {
		t.Errorf("against the majority %+v of %d", k, same.Report.VsMajority[4].N)
	}
}

func TestIntervalsAndLeaveOneOut(t *testing.T) {
	const i, v = label.Invariant, label.Variant
	d := rated(2, "iiii", "vvvv", "iiiv", "vvvi", "iivv", "iiii", "vviv")
	verdicts := []label.Value{i, v, i, v, i, v, v}
	opts := agreement.Options{Intervals: true, LeaveOneOut: true}
	table := Join(d, verdicts, "a", opts)
	for _, pair := range table.Report.Cohen {
		if pair.Kappa.Interval == nil {
			t.Errorf("pair %v has the interval %+v", pair.Raters, pair.Kappa.Interval)
		}
	}
	for _, against := range table.Report.VsMajority {
		if against.Kappa.Interval == nil {
			t.Errorf("%s has no interval against the majority", against.Rater)
		}
	}
	if table.Report.Note != othersNote || !table.Report.LeaveOneOut {
		t.Errorf("note %q", table.Report.Note)
	}
	opts.LeaveOneOut = false
	plain := Join(d, verdicts, "a", opts)
	if !reflect.DeepEqual(plain.Report.VsMajority[4], table.Report.VsMajority[4]) {
		t.Error("leaving an annotator out changes what the assessor is compared with")
	}
	if reflect.DeepEqual(plain.Report.VsMajority[:4], table.Report.VsMajority[:4]) {
		t.Error("leaving annotators out changes nothing")
	}
	testdata.Is(t, "note", plain.Report.Note, joinedNote)
}

func TestWithoutAnnotatorsTheTrainingLabelIsTheReference(t *testing.T) {
	d := madeUp(12, 2, 3, 1)
	d = changed(d, 5, func(r *Row) { r.Label = "" })
	verdicts := make([]label.Value, len(d.Rows))
	var labels []label.Value
	for k, r := range d.Rows {
		verdicts[k] = d.Classes[(k/2)%3]
		labels = append(labels, r.Label)
	}
	for _, opts := range []agreement.Options{{}, {Intervals: true}} {
		table := Join(d, verdicts, "rule", opts)
		if table.Reference != TrainingLabel || table.Assessor() != 0 || len(table.Report.Cohen) != 0 ||
			table.Report.Note != trainingNote {
			t.Fatalf("reference %q, assessor %d", table.Reference, table.Assessor())
		}
		against := table.Report.VsMajority[0]
		if kappa, n := handKappa(verdicts, labels, d.Classes); against.N != n || n != 11 ||
			math.Abs(against.Kappa.Value.Value-kappa) > 1e-12 {
			t.Errorf("kappa %+v of %d, want %v of %d", against.Kappa.Value, against.N, kappa, n)
		}
		if (against.Kappa.Interval != nil) != opts.Intervals {
			t.Errorf("interval %+v", against.Kappa.Interval)
		}
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
		if _, err := json.Marshal(table.Report); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if table.Report.VsMajority[table.Assessor()].Kappa.Value.Defined() {
			t.Errorf("%s: there is a kappa", name)
		}
	}
}
