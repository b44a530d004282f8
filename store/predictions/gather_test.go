package predictions

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func (b *fixture) gather(ask Ask) (rank.Data, []rank.LeftOut) {
	b.tb.Helper()
	d, left, err := Gather(b.tb.Context(), b.Workspace, ask, engine.NoProgress{})
	must(b.tb, err)
	return d, left
}

func ids(d rank.Data) string {
	var list []string
	for _, m := range d.Models {
		list = append(list, m.ID)
	}
	return strings.Join(list, " ")
}

func reasons(left []rank.LeftOut) string {
	var list []string
	for _, l := range left {
		list = append(list, l.ID+": "+l.Reason.Text)
	}
	return strings.Join(list, "; ")
}

// checkSignals holds a model's part of the data to its set, number by number; to[c] is the task's
// class for the model's class c.
func (b *fixture) checkSignals(d rank.Data, j int, family string, to []int) {
	b.tb.Helper()
	set := b.sets[d.Models[j].Hash+family]
	identity := transform.IdentityOf(family, set.Transformations)
	rows := testdata.Must(d.Softmax(b.tb.Context(), j))(b.tb)
	mean := 0.0
	for i := range d.Samples {
		at := identity*set.Images + i
		if got, want := d.Labels[i*len(d.Models)+j], int32(to[set.Prediction[at]]); got != want {
			b.tb.Fatalf("model %d, image %d: class %d, want %d", j, i, got, want)
		}
		mean += float64(set.Confidence[at])
		want := make([]float32, d.Classes)
		for c := range set.Classes {
			want[to[c]] = set.Softmax[at*set.Classes+c]
		}
		if got := rows[i*d.Classes : (i+1)*d.Classes]; !slices.Equal(got, want) {
			b.tb.Fatalf("model %d, image %d: %v, want %v", j, i, got, want)
		}
	}
	if mean /= float64(d.Samples); math.Abs(mean-d.Confidence[j]) > 1e-12 {
		b.tb.Errorf("model %d: confidence %v, want %v", j, d.Confidence[j], mean)
	}
}

func TestGather(t *testing.T) {
	b := newFixture(t)
	a, c, none := b.model("a", 3), b.model("c", 3), b.model("none", 3)
	b.runOn("cuda", a, b.pets, rotation, []int{2, 0, 1})
	b.run(c, b.pets, rotation, []int{0, 1, 2})
	b.run(c, b.pets, transform.Plain, []int{0, 1, 2})
	d, left := b.gather(Ask{Suite: b.pets.Hash})
	if ids(d) != "a c" || d.Samples != images || d.Classes != 3 ||
		reasons(left) != "none: it has no predictions on this suite yet: run it first" {
		t.Fatalf("%s, %d samples, %d classes, %s", ids(d), d.Samples, d.Classes, reasons(left))
	}
	if left[0].Hash != none.Hash || d.Models[0].Hash != a.Hash || d.Models[0].Device != "cuda" ||
		d.Models[1].Device != "" {
		t.Errorf("%+v %+v", left, d.Models)
	}
	b.checkSignals(d, 0, rotation, []int{1, 2, 0})
	b.checkSignals(d, 1, transform.Plain, []int{0, 1, 2})
	for i, class := range d.Truth {
		if int(class) != b.pets.Labels[i] {
			t.Fatalf("true class of image %d is %d", i, class)
		}
	}
	d, left = b.gather(Ask{Suite: b.pets.Hash, Models: []string{c.Hash}, Truth: NoTruth})
	if ids(d) != "c" || d.Truth != nil || len(left) != 0 {
		t.Errorf("%s, %v, %s", ids(d), d.Truth, reasons(left))
	}
	_, left = b.gather(Ask{Suite: b.pets.Hash, Models: []string{c.Hash, none.Hash}})
	if len(left) != 1 {
		t.Error(left)
	}
}

func TestGatherErrors(t *testing.T) {
	b := newFixture(t)
	a := b.model("a", 3)
	b.run(a, b.pets, rotation, []int{2, 0, 1})
	table := b.table("t", b.pets.Hash, images, "x")
	for _, c := range []struct {
		ask  Ask
		want string
	}{
		{Ask{Suite: "nowhere"}, "suite nowhere: not found"},
		{Ask{Suite: b.pets.Hash, Models: []string{a.Hash, "zz"}}, "there are no predictions of model zz"},
		{Ask{Suite: table.ID}, "table t is about the images of a suite; rank that suite"},
	} {
		_, _, err := Gather(t.Context(), b.Workspace, c.ask, engine.NoProgress{})
		testdata.Refused(t, "error", err, c.want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Gather(ended, b.Workspace, Ask{Suite: b.pets.Hash}, engine.NoProgress{})
	testdata.ErrorIs(t, "error", err, context.Canceled)
	d, _ := b.gather(Ask{Suite: b.pets.Hash})
	testdata.ErrorIs(t, "error", testdata.Err(d.Softmax(ended, 0)), context.Canceled)
}

// Models whose classes are not those of the most are left out; classes that the suite lacks come
// after the suite's.
func TestGatherOtherClasses(t *testing.T) {
	b := newFixture(t)
	for id, mapped := range map[string][]int{"a": {4, 0, 2}, "b": {0, 1, 2}} {
		b.run(b.model(id, 5), b.pets, transform.Plain, mapped)
	}
	b.run(b.model("c", 3), b.pets, transform.Plain, []int{0, 1, 2})
	b.run(b.model("d", 2), b.pets, transform.Plain, []int{1, -1, 0})
	b.run(b.model("e", 5), b.pets, transform.Plain, []int{1, 3, 4})
	d, left := b.gather(Ask{Suite: b.pets.Hash})
	if ids(d) != "a b e" || d.Classes != 5 {
		t.Fatalf("%s, %d classes", ids(d), d.Classes)
	}
	want := "c: it has 3 classes, and the other models 5; d: it has 3 classes, and the other models 5"
	if reasons(left) != want {
		t.Error(reasons(left))
	}
	b.checkSignals(d, 0, transform.Plain, []int{1, 3, 2, 4, 0})
	b.checkSignals(d, 1, transform.Plain, []int{0, 1, 2, 3, 4})
	b.checkSignals(d, 2, transform.Plain, []int{3, 0, 4, 1, 2})
}

// A model that knows fewer classes than the suite gives the others no probability.
func TestGatherFewerClasses(t *testing.T) {
	b := newFixture(t)
	b.run(b.model("a", 3), b.pets, transform.Plain, []int{0, 1, 2})
	b.run(b.model("b", 2), b.pets, transform.Plain, []int{1, -1, 0})
	d, left := b.gather(Ask{Suite: b.pets.Hash})
	if ids(d) != "a b" || d.Classes != 3 || len(left) != 0 {
		t.Fatalf("%s, %d classes, %s", ids(d), d.Classes, reasons(left))
	}
	b.checkSignals(d, 1, transform.Plain, []int{2, 0})
}

func TestGatherWithoutLabels(t *testing.T) {
	b := newFixture(t)
	bare := b.suite("bare")
	b.run(b.model("a", 3, "x", "y", "z"), bare, transform.Plain, nil)
	b.run(b.model("b", 3, "z", "x", "y"), bare, transform.Plain, nil)
	b.run(b.model("c", 3), bare, transform.Plain, nil)
	b.run(b.model("d", 3, "x", "y", "w"), bare, transform.Plain, nil)
	d, left := b.gather(Ask{Suite: bare.Hash})
	if ids(d) != "a b c" || d.Truth != nil || d.Classes != 3 ||
		reasons(left) != "d: its class w is none of those of the others" {
		t.Fatalf("%s, %v, %s", ids(d), d.Truth, reasons(left))
	}
	b.checkSignals(d, 0, transform.Plain, []int{0, 1, 2})
	b.checkSignals(d, 1, transform.Plain, []int{2, 0, 1})
	b.checkSignals(d, 2, transform.Plain, []int{0, 1, 2})
	if d, _ := b.gather(Ask{Suite: bare.Hash, Truth: ByHand}); d.Truth != nil {
		t.Error("there are no labels by hand")
	}
	must(t, b.SetImageLabels(bare.Hash, []store.ImageLabel{{Image: 4, Class: 2}, {Image: 299, Class: 0}}))
	d, _ = b.gather(Ask{Suite: bare.Hash, Truth: ByHand})
	for i, class := range d.Truth {
		if want := map[int]int32{4: 2, 299: 0}; class != want[i] && (class != -1 || i == 4 || i == 299) {
			t.Errorf("image %d has class %d", i, class)
		}
	}
}

// TestGatherLabelsOfTheBase: a label of an image holds for what a corruption makes of it too, but
// not the other way round.
func TestGatherLabelsOfTheBase(t *testing.T) {
	b := newFixture(t)
	shifted := testdata.Must(b.DeriveSuite(b.pets.Hash, corrupt.Setting{Name: "fog", Severity: 1, Seed: 1}, ""))(t)
	m := b.model("a", 3)
	for _, s := range []suite.Manifest{b.pets, shifted} {
		b.run(m, s, transform.Plain, []int{0, 1, 2})
	}
	for hash, labels := range map[string][]store.ImageLabel{
		b.pets.Hash:  {{Image: 4, Class: 2}, {Image: 5, Class: 0}},
		shifted.Hash: {{Image: 5, Class: 1}, {Image: 6, Class: 2}},
	} {
		must(t, b.SetImageLabels(hash, labels))
	}
	for hash, want := range map[string]map[int]int32{b.pets.Hash: {4: 2, 5: 0}, shifted.Hash: {4: 2, 5: 1, 6: 2}} {
		d, _ := b.gather(Ask{Suite: hash, Truth: ByHand})
		got := map[int]int32{}
		for i, class := range d.Truth {
			if class >= 0 {
				got[i] = class
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestGatherTablesOfASuite(t *testing.T) {
	b := newFixture(t)
	b.run(b.model("a", 3), b.pets, transform.Plain, []int{0, 1, 2})
	b.table("cloud", b.pets.Hash, images, "a", "hard")
	b.table("other", "", 7, "z")
	d, left := b.gather(Ask{Suite: b.pets.Hash})
	if ids(d) != "a a (cloud) hard" || d.Classes != 3 || len(left) != 0 {
		t.Fatalf("%s, %s", ids(d), reasons(left))
	}
	for i := range images { // the table's dog, eel, cat are the suite's 1, 2, 0
		if d.Labels[i*3+1] != int32((i+1)%3) || d.Labels[i*3+2] != int32((i+2)%3) {
			t.Fatalf("image %d: %v", i, d.Labels[i*3:i*3+3])
		}
	}
	if d.Softmax != nil || d.Confidence[1] != .75 || !math.IsNaN(d.Confidence[2]) {
		t.Errorf("%v", d.Confidence)
	}
	if d.Models[1].Hash != "" {
		t.Error("a model of a table has a hash")
	}
	for want, names := range map[string][]string{"a (cloud)": {"a (cloud)"}, "hard": {"hard"}} {
		if d, _ := b.gather(Ask{Suite: b.pets.Hash, Models: names}); ids(d) != want {
			t.Errorf("%v gives %s", names, ids(d))
		}
	}
	d, _ = b.gather(Ask{Suite: b.pets.Hash, Models: []string{"a"}})
	rows, err := d.Softmax(t.Context(), 0)
	if err != nil || ids(d) != "a (cloud)" || !slices.Equal(rows[:6], []float32{.125, .75, .125, .125, .125, .75}) {
		t.Errorf("%s %v %v", ids(d), rows[:6], err)
	}
}

func TestGatherTablesThatDoNotFit(t *testing.T) {
	b := newFixture(t)
	s := b.suite("ships", "boat", "raft")
	b.table("t", s.Hash, images, "x", "y")
	d, left := b.gather(Ask{Suite: s.Hash})
	if len(d.Models) != 0 ||
		reasons(left) != "x: its class dog is none of those of the others; "+
			"y: its class dog is none of those of the others" {
		t.Errorf("%s, %s", ids(d), reasons(left))
	}
	if err := d.Check(); err == nil {
		t.Error("no models can be ranked")
	}
}

func TestGatherATable(t *testing.T) {
	b := newFixture(t)
	table := b.table("t", "", 7, "x", "y", "z")
	d, left := b.gather(Ask{Suite: table.ID, Given: true})
	if ids(d) != "x y z" || d.Samples != 7 || d.Classes != 3 || len(left) != 0 || d.Softmax != nil || d.Given != nil {
		t.Fatalf("%+v %s", d, reasons(left))
	}
	for i, class := range d.Truth {
		if int(class) != i%2 || d.Labels[i*3+2] != int32((i+2)%3) {
			t.Errorf("image %d", i)
		}
	}
	must(t, b.SetImageLabel(table.ID, store.ImageLabel{Image: 6, Class: 2}))
	if d, _ := b.gather(Ask{Suite: table.ID, Truth: ByHand}); !slices.Equal(d.Truth,
		[]int32{-1, -1, -1, -1, -1, -1, 2}) {
		t.Error(d.Truth)
	}
	if d, _ := b.gather(Ask{Suite: table.ID, Models: []string{"x"}}); ids(d) != "x" || d.Softmax == nil ||
		d.Confidence[0] != .75 {
		t.Errorf("%+v", d)
	}
}

// Above 100 classes whole softmax vectors are not kept: there are confidences all the same.
func TestGatherManyClasses(t *testing.T) {
	b := newFixture(t)
	bare := b.suite("bare")
	for k := range 3 {
		b.run(b.model(fmt.Sprint("m", k), 150), bare, transform.Plain, nil)
	}
	d, _ := b.gather(Ask{Suite: bare.Hash})
	if d.Softmax != nil || d.Classes != 150 || len(d.Confidence) != 3 || math.IsNaN(d.Confidence[2]) {
		t.Errorf("%d classes, %v", d.Classes, d.Confidence)
	}
}

// The data of any number of goroutines are the same: they are read into places of their own.
func TestGatherProgress(t *testing.T) {
	b := newFixture(t)
	for k := range 6 {
		b.run(b.model(fmt.Sprint("m", k), 3), b.pets, rotation, []int{0, 1, 2})
	}
	var p testdata.Progress
	d, _, err := Gather(t.Context(), b.Workspace, Ask{Suite: b.pets.Hash}, &p)
	if err != nil || p.Total.Load() != 6 || p.Done.Load() != 6 {
		t.Errorf("%v %v %v", err, p.Total.Load(), p.Done.Load())
	}
	for j := range 6 {
		b.checkSignals(d, j, rotation, []int{0, 1, 2})
	}
}
