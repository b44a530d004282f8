package assess

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// labelled is a repository without features, made of its labels; "" is a model without one.
func labelled(classes int, labels ...label.Value) Data {
	d := Data{Classes: label.Values(classes)}
	for k, v := range labels {
		d.Rows = append(d.Rows, Row{ID: fmt.Sprintf("m%d", k), Label: v})
	}
	return d
}

// drawn is a repository with at least so many models of each class, some models without labels,
// hold-outs and groups.
func drawn(t *rapid.T, least int) Data {
	classes := rapid.IntRange(2, 3).Draw(t, "classes")
	values := label.Values(classes)
	var labels []label.Value
	for _, v := range values {
		for range least {
			labels = append(labels, v)
		}
	}
	more := rapid.SliceOfN(rapid.SampledFrom(append(values, "")), 0, 20).Draw(t, "more labels")
	d := labelled(classes, rapid.Permutation(append(labels, more...)).Draw(t, "labels")...)
	for i := range d.Rows {
		d.Rows[i].Group = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "group")
		d.Rows[i].Holdout = rapid.Bool().Draw(t, "held out")
	}
	return d
}

// checkCut checks what holds for the folds of every scheme: ascending, nothing trained and tested
// at once, every labelled row tested once.
func checkCut(t *rapid.T, d Data, folds []Fold) {
	var tested []int
	for _, f := range folds {
		if !slices.IsSorted(f.Train) || !slices.IsSorted(f.Test) {
			t.Errorf("%s does not ascend: %v, %v", f.Name, f.Train, f.Test)
		}
		for _, i := range f.Test {
			if slices.Contains(f.Train, i) {
				t.Errorf("%s trains on row %d that it tests", f.Name, i)
			}
		}
		tested = append(tested, f.Test...)
	}
	slices.Sort(tested)
	testdata.Equal(t, "tested", tested, d.Labelled())
}

func TestStratifiedFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn(t, 2)
		k := rapid.IntRange(2, min(6, len(d.Labelled()))).Draw(t, "folds")
		repetitions, note, err := d.Folds(Scheme{
			Kind: KFold, Folds: k, Repetitions: 2, Seed: rapid.Uint64().Draw(t, "seed"),
		})
		if err != nil || note != "" || len(repetitions) != 2 {
			t.Fatalf("%d repetitions, note %q, %v", len(repetitions), note, err)
		}
		for _, folds := range repetitions {
			checkCut(t, d, folds)
			testdata.Is(t, "folds", len(folds), k)
			for _, class := range append(d.Classes, "any") {
				checkEven(t, d, folds, class)
			}
			for _, f := range folds {
				testdata.Is(t, fmt.Sprintf("%s leaves rows out", f.Name),
					len(f.Train)+len(f.Test), len(d.Labelled()))
			}
		}
	})
}

// checkEven checks that the folds' counts of a class, or of all, differ by one at most.
func checkEven(t *rapid.T, d Data, folds []Fold, class label.Value) {
	least, most := len(d.Rows), 0
	for _, f := range folds {
		n := 0
		for _, i := range f.Test {
			if class == "any" || d.Rows[i].Label == class {
				n++
			}
		}
		least, most = min(least, n), max(most, n)
	}
	if most-least > 1 {
		t.Errorf("folds have %d to %d models of class %s", least, most, class)
	}
}

func TestThePapersFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn(t, 1)
		for _, class := range d.Classes { // each class in both parts
			d.Rows = append(d.Rows, Row{Label: class, Holdout: true}, Row{Label: class})
		}
		regular, held := d.parted(d.Labelled())
		repetitions, note, err := d.Folds(Scheme{Kind: PaperScheme, Seed: rapid.Uint64().Draw(t, "seed")})
		if err != nil || note != "" || len(repetitions) != defaultRepetitions {
			t.Fatalf("%d repetitions, note %q, %v", len(repetitions), note, err)
		}
		for _, folds := range repetitions {
			checkCut(t, d, folds)
			if !reflect.DeepEqual(folds[0], Fold{"hold-out", regular, held}) {
				t.Errorf("first fold %+v, want to train on %v and test %v", folds[0], regular, held)
			}
			b, a := folds[1].Test, folds[2].Test
			if len(a) != len(regular)/2 || len(b) != len(regular)-len(a) {
				t.Errorf("halves of %d and %d of %d", len(a), len(b), len(regular))
			}
			if !slices.Equal(folds[1].Train, ascending(a, held)) || !slices.Equal(folds[2].Train, ascending(b, held)) {
				t.Errorf("halves train on %v and %v", folds[1].Train, folds[2].Train)
			}
		}
	})
}

func TestRepetitionsAndSeedsDiffer(t *testing.T) {
	d := madeUp(60, 1, 2, 1)
	for _, kind := range []SchemeKind{PaperScheme, KFold} {
		cut := func(seed uint64) [][]Fold {
			repetitions, _, err := d.Folds(Scheme{Kind: kind, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			return repetitions
		}
		one := cut(1)
		if reflect.DeepEqual(one[0], one[1]) {
			t.Errorf("%s: two repetitions are cut in the same way", kind)
		}
		if !reflect.DeepEqual(one, cut(1)) {
			t.Errorf("%s: one seed cuts in two ways", kind)
		}
		if reflect.DeepEqual(one, cut(2)) {
			t.Errorf("%s: two seeds cut in the same way", kind)
		}
	}
}

func TestWithoutHoldOutThePapersSchemeIsStratified(t *testing.T) {
	d := madeUp(20, 1, 2, 1)
	for i := range d.Rows {
		d.Rows[i].Holdout = false
	}
	paper, note, err := d.Folds(Scheme{Kind: PaperScheme, Folds: 5, Seed: 3})
	if err != nil || note != "no hold-out models: plain stratified 3-fold" {
		t.Errorf("note %q, %v", note, err)
	}
	plain, _, err := d.Folds(Scheme{Kind: KFold, Folds: 3, Seed: 3})
	if err != nil || !reflect.DeepEqual(paper, plain) {
		t.Errorf("it is not stratified 3-fold: %v", err)
	}
}

func TestFoldsByGroup(t *testing.T) {
	d := labelled(2, "variant", "invariant", "variant", "", "invariant", "variant", "invariant")
	for i, g := range []string{"b", "a", "", "c", "b", "a", "a"} {
		d.Rows[i].Group = g
	}
	repetitions, note, err := d.Folds(Scheme{Kind: LeaveGroupOut, Repetitions: 5, Folds: 9})
	if err != nil || note != "" || len(repetitions) != 1 {
		t.Fatalf("%d repetitions, note %q, %v", len(repetitions), note, err)
	}
	want := []Fold{
		{"b", []int{1, 2, 5, 6}, []int{0, 4}},
		{"a", []int{0, 2, 4}, []int{1, 5, 6}},
		{NoGroup, []int{0, 1, 4, 5, 6}, []int{2}},
	}
	if !reflect.DeepEqual(repetitions[0], want) {
		t.Errorf("folds %v, want %v", repetitions[0], want)
	}
}

func TestFoldsRefuse(t *testing.T) {
	const i, v = label.Invariant, label.Variant
	held := labelled(2, i, v, v)
	held.Rows[0].Holdout, held.Rows[1].Holdout = true, true
	lone := labelled(2, i, i, v, v)
	for k, g := range []string{"a", "a", "b", "b"} {
		lone.Rows[k].Group = g
	}
	for _, c := range []struct {
		name   string
		data   Data
		scheme Scheme
		want   string
	}{
		{"fewer models than folds", labelled(2, i, v, i, v), Scheme{Kind: KFold, Folds: 5}, "4 labelled models"},
		{"fewer models than the paper's folds", labelled(2, i, v), Scheme{Kind: PaperScheme}, "2 labelled models"},
		{"one class", labelled(2, v, v, v, v), Scheme{Kind: KFold}, "all labels are variant"},
		{"no labels", labelled(2, "", ""), Scheme{Kind: PaperScheme}, "no labelled models"},
		{"one of a class", labelled(2, i, i, i, v), Scheme{Kind: KFold}, "without the models of fold"},
		{"one group", labelled(2, i, v, i, v), Scheme{Kind: LeaveGroupOut}, "one group"},
		{"a group holds a class", lone, Scheme{Kind: LeaveGroupOut}, "without the models of a"},
		{"almost all held out", held, Scheme{Kind: PaperScheme}, "1 of the labelled models"},
		{"scheme", labelled(2, i, v), Scheme{Kind: "loo"}, "paper, kfold or group"},
		{"one fold", labelled(2, i, v), Scheme{Kind: KFold, Folds: 1}, "1 folds"},
		{"negative folds", labelled(2, i, v), Scheme{Kind: KFold, Folds: -3}, "-3 folds"},
		{"negative repetitions", labelled(2, i, v), Scheme{Kind: KFold, Repetitions: -1}, "-1 repetitions"},
		{"label", labelled(2, i, label.Borderline), Scheme{Kind: KFold}, "m1"},
	} {
		_, _, err := c.data.Folds(c.scheme)
		testdata.Refused(t, c.name, err, c.want)
	}
}
