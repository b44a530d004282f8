package training

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// slowly measures a model from signals that were never on disk, with scores counted one by one.
func (b *fixture) slowly(m model.Model, layout feature.Layout, chosen []int) Measured {
	b.tb.Helper()
	set := b.sets[m.Hash]
	vector := testdata.Must(layout.Vector(set, chosen))(b.tb)
	var always, right, same, sameAlways, labelled, first float64
	t := set.Transformations
	for _, k := range chosen {
		var hits, agrees int
		for i := range t {
			p := int(set.Prediction[i*set.Images+k])
			if b.suite.Labels[k] >= 0 && p == 2-b.suite.Labels[k] {
				hits++
				if i == t/2 {
					first++
				}
			}
			if i != t/2 && p == int(set.Prediction[t/2*set.Images+k]) {
				agrees++
			}
		}
		same += float64(agrees) / float64(t-1)
		sameAlways += float64(agrees / (t - 1))
		if b.suite.Labels[k] >= 0 {
			labelled++
			right += float64(hits) / float64(t)
			always += float64(hits / t)
		}
	}
	n := float64(len(chosen))
	return Measured{Model: m, Vector: vector, Accuracy: first / labelled, Chance: b.chance(set), Scores: assess.Scores{
		CorrectProduct: always / labelled, CorrectMean: right / labelled, ConsistencyProduct: sameAlways / n,
		ConsistencyMean: same / n,
	}}
}

// chance counts over all images of the suite, whatever was chosen.
func (b *fixture) chance(set *signal.Set) chance.Level {
	c := chance.Counts{Classes: set.Classes}
	labels, predicted := make([]int, set.Classes), make([]int, set.Classes)
	for k, label := range b.suite.Labels {
		if label >= 0 {
			p := int(set.Prediction[set.Transformations/2*set.Images+k])
			c.Labelled++
			labels[2-label]++
			predicted[p]++
			if p == 2-label {
				c.Correct++
			}
		}
	}
	c.Largest, c.Top = slices.Max(labels), slices.Max(predicted)
	c.TopLabels = labels[slices.Index(predicted, c.Top)]
	return c.Level()
}

// near compares what was measured: vectors exactly, counts that were summed in another order
// nearly, models by id.
func near(want, got Measured) string {
	id := cmp.Comparer(func(a, b model.Model) bool { return a.ID == b.ID && a.Hash == b.Hash })
	if diff := cmp.Diff(want.Vector, got.Vector); diff != "" {
		return diff
	}
	return cmp.Diff(want, got, id, cmpopts.EquateApprox(0, 1e-12), cmpopts.EquateNaNs())
}

func all() []int {
	return testdata.UpTo(images)
}

func TestMeasure(t *testing.T) {
	b := newFixture(t, 6)
	var p testdata.Progress
	got, left, err := Measure(t.Context(), b.Workspace, b.ask(), nil, &p)
	must(t, err)
	want := []model.Model{b.models[0], b.models[1], b.models[2], b.models[4], b.models[5]}
	if len(got) != len(want) || p.Total.Load() != 6 || p.Done.Load() != 6 {
		t.Fatalf("%d models measured, progress %d of %d", len(got), p.Done.Load(), p.Total.Load())
	}
	for i, m := range want {
		if diff := near(b.slowly(m, feature.DefaultLayout(), all()), got[i]); diff != "" {
			t.Errorf("%s: %s", m.ID, diff)
		}
	}
	lacking := []LeftOut{{
		ID: "m3", Hash: b.models[3].Hash, Reason: result.Because(signal.Absent, "max@CONV-2: no second convolution"),
	}}
	testdata.NoDiff(t, "-want +got", cmp.Diff(lacking, left))
}

// The choice of images is per model where predictions decide, and scores are over the chosen
// images.
func TestMeasureChoosesImages(t *testing.T) {
	b := newFixture(t, 3)
	for _, text := range []string{"correct", "all;class=1", "all;share=0.3;seed=9;excluded=0,7"} {
		ask := b.ask()
		ask.Layout.Modalities = []string{"mean@CONV-1"}
		var err error
		if ask.Images, err = variance.ParseImages(text); err != nil {
			t.Fatal(err)
		}
		got, _, err := Measure(t.Context(), b.Workspace, ask, nil, nil)
		if err != nil || len(got) != 3 {
			t.Fatalf("%s: %v", text, err)
		}
		for i, m := range b.models {
			set := b.sets[m.Hash]
			chosen, err := ask.Images.Choose(b.suite.Labels, set.Predictions()[set.Transformations/2], []int{2, 1, 0})
			must(t, err)
			if diff := near(b.slowly(m, ask.Layout, chosen), got[i]); diff != "" {
				t.Errorf("%s, %s: %s", text, m.ID, diff)
			}
		}
	}
}

// Any number of workers, any order of models and a cache give the same bits.
func TestMeasureIsTheSameForAnyWorkers(t *testing.T) {
	b := newFixture(t, 6)
	ask := b.ask()
	for _, m := range slices.Backward(b.models) {
		ask.Models = append(ask.Models, m.Hash)
	}
	ask.Workers = 1
	want, _, err := Measure(t.Context(), b.Workspace, ask, nil, nil)
	if err != nil || want[0].Model.ID != "m5" {
		t.Fatalf("%v, %v", err, want)
	}
	var cache Cache
	for _, workers := range []int{2, 5} {
		ask.Workers = workers
		got, _, err := Measure(t.Context(), b.Workspace, ask, &cache, nil)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}

func TestMeasureSubsets(t *testing.T) {
	b := newFixture(t, 5)
	ask := b.ask()
	subsets := [][]int{all(), {0, 1, 2, 299}, {5}}
	for s := range 20 {
		share := variance.AllImages()
		share.Share, share.Seed = 0.2, uint64(s)
		chosen := testdata.Must(share.Choose(b.suite.Labels, nil, nil))(t)
		subsets = append(subsets, chosen)
	}
	got, left, err := MeasureSubsets(t.Context(), b.Workspace, ask, subsets, nil)
	if err != nil || len(got) != len(subsets) || len(left) != 1 {
		t.Fatalf("%v, %v", err, left)
	}
	whole, _, err := Measure(t.Context(), b.Workspace, ask, nil, nil)
	must(t, err)
	if diff := cmp.Diff(whole, got[0]); diff != "" {
		t.Error("all images as a subset:", diff)
	}
	for s, chosen := range subsets {
		for i, m := range got[s] {
			if diff := near(b.slowly(m.Model, ask.Layout, chosen), m); diff != "" {
				t.Errorf("subset %d, model %d: %s", s, i, diff)
			}
		}
	}
	if unlabelled := got[2][0]; !math.IsNaN(unlabelled.Accuracy) || !math.IsNaN(unlabelled.Scores.CorrectProduct) ||
		unlabelled.Scores.ConsistencyProduct < 0 {
		t.Errorf("over an image without label: %+v", unlabelled.Scores)
	}
}

func TestMeasureSubsetsRefuses(t *testing.T) {
	b := newFixture(t, 1)
	for _, c := range []struct {
		subsets [][]int
		want    string
	}{
		{nil, "no subsets"},
		{[][]int{{1}, {}}, "subset 2 of the images is empty"},
		{[][]int{{2, 1}}, "not in ascending order"},
		{[][]int{{1, 1}}, "names one twice"},
		{[][]int{{-1, 1}}, "names images -1..1; suite pets has 300"},
		{[][]int{{0, 300}}, "names images 0..300; suite pets has 300"},
	} {
		_, _, err := MeasureSubsets(t.Context(), b.Workspace, b.ask(), c.subsets, nil)
		testdata.Refused(t, fmt.Sprint(c.subsets), err, c.want)
	}
}

// Every reason to leave a model out names itself, and the others are measured all the same.
func TestMeasureLeavesOut(t *testing.T) {
	b := newFixture(t, 9)
	b.addModel(9)
	b.addModel(10)
	m9, m10 := b.models[9], b.models[10]
	spec, _ := b.spec(m9)
	must(t, b.Record(t.Context(), spec, b.unit(spec, 0, 9)))
	few, _ := b.spec(m10)
	few.Positions = few.Positions[:1]
	for chunk := range few.Chunks() {
		must(t, b.Record(t.Context(), few, b.unit(few, chunk, 10)))
	}
	must(t, b.Finish(t.Context(), engine.Task{ID: m10.ID, Spec: few, Classes: []int{2, 1, 0}}))
	b.correct(1)
	b.spoil(2, func(path string) error { return os.Remove(path) })
	b.spoil(4, func(path string) error { return os.WriteFile(path, []byte("short"), 0o644) })
	ask := b.ask()
	for _, m := range b.models {
		ask.Models = append(ask.Models, m.Hash)
	}
	ask.Models = append(ask.Models, sums.Hash("nobody"))
	got, left, err := Measure(t.Context(), b.Workspace, ask, nil, nil)
	must(t, err)
	var ids []string
	for _, m := range got {
		ids = append(ids, m.Model.ID)
	}
	if !slices.Equal(ids, []string{"m0", "m5", "m6", "m8"}) {
		t.Errorf("measured %v", ids)
	}
	want := map[string]string{
		"m1": "run it again", "m2": "is gone; run the model again", "m3": "no second convolution",
		"m4": "5 bytes in place of", "m7": "no second convolution", "m9": "not complete",
		"m10": "max@CONV-1: not among the run's positions", "": "not in the workspace",
	}
	for _, l := range left {
		if !strings.Contains(l.Reason.Text, want[l.ID]) || want[l.ID] == "" || strings.Contains(l.Reason.Text, "\n") {
			t.Errorf("%s: %s", l.ID, l.Reason)
		}
		delete(want, l.ID)
	}
	if len(want) != 0 {
		t.Errorf("not listed: %v", want)
	}
}

// correct changes a model's preprocessing, so that its signals are stale.
func (b *fixture) correct(k int) {
	b.tb.Helper()
	must(b.tb, b.UpdateModel(b.models[k].Hash, func(m *model.Model) error {
		m.Correction.Mean, m.Correction.Std = []float64{0.5}, []float64{0.25}
		return nil
	}))
}

// spoil does something to the first signal file of a model.
func (b *fixture) spoil(k int, do func(path string) error) {
	b.tb.Helper()
	spec, _ := b.spec(b.models[k])
	unit := spec.UnitKey(0)
	must(b.tb, do(filepath.Join(b.Path(), "signals", unit[:2], unit+".npz")))
}

// What a round package brought has neither sub-sample nor predictions.
func TestMeasureLeavesOutPackages(t *testing.T) {
	b := newFixture(t, 1)
	b.addModel(1)
	r := b.addRound(nil)
	e := store.Evidence{
		Round: r.ID, Model: b.models[1].Hash, Suite: b.suite.Hash, Family: b.family.String(), Filter: "all",
		Chosen: images, Total: images, Matrices: map[string]variance.Matrix{},
	}
	n := len(b.family.Values())
	for _, m := range signal.DefaultModalities() {
		e.Matrices[m.String()] = variance.Matrix{N: n, Data: make([]float64, n*n)}
	}
	p := store.Package{Round: r, Suite: b.suite, Models: b.models, Evidence: []store.Evidence{e}}
	testdata.Must(b.AddPackage(p))(t)
	got, left, err := Measure(t.Context(), b.Workspace, b.ask(), nil, nil)
	if err != nil || len(got) != 1 || len(left) != 1 ||
		!strings.Contains(left[0].Reason.Text, "only a round package's matrices") {
		t.Errorf("%v, %v", err, left)
	}
}

func TestMeasureRefuses(t *testing.T) {
	b := newFixture(t, 2)
	for _, c := range []struct {
		change func(*Ask)
		want   string
	}{
		{func(a *Ask) { a.Suite = sums.Hash("other") }, "not found"},
		{func(a *Ask) { a.Layout.Modalities = nil }, "at least one matrix"},
		{func(a *Ask) { a.Layout.Modalities = []string{"most@CONF"} }, "most@CONF"},
		{func(a *Ask) { a.Layout.Share = 0 }, "share 0"},
		{func(a *Ask) { a.Images = variance.Images{} }, "share 0 of the images"},
	} {
		ask := b.ask()
		c.change(&ask)
		_, _, err := Measure(t.Context(), b.Workspace, ask, nil, nil)
		testdata.Refused(t, "error", err, c.want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Measure(ctx, b.Workspace, b.ask(), nil, nil)
	testdata.ErrorIs(t, "ended", err, context.Canceled)
	none := b.ask()
	none.Models = []string{}
	if got, left, err := Measure(t.Context(), b.Workspace, none, nil, nil); err != nil || len(got)+len(left) != 0 {
		t.Errorf("no models: %v, %v, %v", got, left, err)
	}
}

func TestMeasureWithoutLabels(t *testing.T) {
	b := newFixture(t, 0)
	b.suite = sums.MadeUpSuite(t, b.Workspace, "plain", 1, false, "a", "b", "c")
	b.addModel(0)
	b.run(b.models[0], 0)
	got, _, err := Measure(t.Context(), b.Workspace, b.ask(), nil, nil)
	if err != nil || len(got) != 1 {
		t.Fatal(err)
	}
	if s := got[0].Scores; !math.IsNaN(got[0].Accuracy) || !math.IsNaN(s.CorrectProduct) || s.ConsistencyProduct != 1 {
		t.Errorf("%+v, accuracy %v", s, got[0].Accuracy)
	}
	ask := b.ask()
	ask.Images.Which = variance.Correct
	if _, _, err := Measure(t.Context(), b.Workspace, ask, nil, nil); !errors.Is(err, variance.ErrNoLabels) {
		t.Errorf("%v", err)
	}
	ask = b.ask()
	ask.Images.Excluded = all()
	if got, left, err := Measure(t.Context(), b.Workspace, ask, nil, nil); err != nil || len(got) != 0 ||
		!strings.Contains(left[0].Reason.Text, "no images left") {
		t.Errorf("%v, %v", left, err)
	}
}

func BenchmarkMeasure(b *testing.B) {
	w := newFixture(b, 8)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Measure(b.Context(), w.Workspace, w.ask(), nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The cache answers without any file, follows the choices, and gives up what was not used for
// longest.
func TestCache(t *testing.T) {
	b := newFixture(t, 3)
	var cache Cache
	ask := b.ask()
	first, _, err := Measure(t.Context(), b.Workspace, ask, &cache, nil)
	must(t, err)
	for k := range b.models {
		b.spoil(k, os.Remove)
	}
	must(t, b.UpdateModel(b.models[0].Hash, func(m *model.Model) error { m.ID = "renamed"; return nil }))
	again, left, err := Measure(t.Context(), b.Workspace, ask, &cache, nil)
	if err != nil || len(left) != 0 {
		t.Fatalf("%v, %v", err, left)
	}
	at := slices.IndexFunc(again, func(m Measured) bool { return m.Model.ID == "renamed" })
	if at < 0 || cmp.Diff(first[0].Vector, again[at].Vector) != "" {
		t.Errorf("the cache keeps numbers, not names: %d", at)
	}
	ask.Images.Seed, ask.Images.Share = 4, 0.5
	if got, left, err := Measure(t.Context(), b.Workspace, ask, &cache, nil); err != nil || len(got) != 0 ||
		len(left) != 3 {
		t.Errorf("another choice must not come from the cache: %v, %v", left, err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := Cache{most: 50}
	for k := range 20 {
		c.put(fmt.Sprint(k), store.Features{Images: k, Vector: feature.Vector{
			Values: make([]float64, 6), Matrices: map[string]variance.Matrix{"m": {N: 2, Data: make([]float64, 4)}},
		}})
		c.put("0", store.Features{})
		if f, ok := c.get("0"); !ok || f.Images != 0 {
			t.Fatal("what is used stays")
		}
	}
	if c.numbers > 50 || len(c.at) != 5 || c.order.Len() != 5 {
		t.Errorf("%d numbers, %d entries", c.numbers, len(c.at))
	}
	if _, ok := c.get("19"); !ok {
		t.Error("the newest stays")
	}
	if _, ok := c.get("3"); ok {
		t.Error("the oldest goes")
	}
}
