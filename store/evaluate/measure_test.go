package evaluate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

func (b *fixture) measure(ask Ask) ([]invariance.Measured, []invariance.LeftOut) {
	b.tb.Helper()
	var p testdata.Progress
	measured, left, err := Measure(b.tb.Context(), b.Workspace, ask, &p)
	must(b.tb, err)
	testdata.Is(b.tb, "progress", p.Done.Load(), p.Total.Load())
	return measured, left
}

// whole is what a meter says of a set that lies in memory.
func whole(tb testing.TB, set *signal.Set, labels []int) invariance.Result {
	tb.Helper()
	m := testdata.Must(invariance.NewMeter(set.Spec.Family, labels, suiteClasses))(tb)
	must(tb, m.Add(set, nil))
	return testdata.Must(m.Result())(tb)
}

func TestMeasureEqualsSignalsInMemory(t *testing.T) {
	b := newFixture(t, 3)
	for _, m := range b.models {
		for _, s := range b.suites {
			b.run(m, s, transform.Rot90)
			b.run(m, s, rotation)
		}
	}
	measured, left := b.measure(Ask{})
	if len(measured) != 12 || len(left) != 0 {
		t.Fatalf("%d measured, left out %v", len(measured), left)
	}
	for k, m := range measured {
		s, family := b.suites[k/2%2], []string{transform.Rot90, rotation}[k%2]
		if m.Model.ID != b.models[k/4].ID || m.Suite != s.Hash || m.SuiteName != s.Name || m.Family != family ||
			m.Change != "" {
			t.Errorf("%d is %s on %s under %s", k, m.Model.ID, m.SuiteName, m.Family)
		}
		var labels []int
		if s.Name == "pets" {
			labels = s.Labels
		}
		want := whole(t, b.sets[m.Key], labels)
		if diff := cmp.Diff(want, m.Result, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s on %s under %s:\n%s", m.Model.ID, m.SuiteName, m.Family, diff)
		}
		if labels == nil {
			continue
		}
		identity := transform.IdentityOf(family, b.sets[m.Key].Transformations)
		scores := assess.Robust(b.sets[m.Key].Predictions(), labels, suiteClasses, identity,
			testdata.UpTo(sums.Images))
		if scores != m.Scores || m.Labelled != sums.Images-1 {
			t.Errorf("scores %+v of %d, want %+v", m.Scores, m.Labelled, scores)
		}
	}
}

// What was measured is read again without the signals, with the same bits, for any number of
// workers.
func TestMeasuredIsKept(t *testing.T) {
	b := newFixture(t, 2)
	for _, m := range b.models {
		for _, s := range b.suites {
			b.run(m, s, transform.Rot90)
		}
	}
	first, _ := b.measure(Ask{Workers: 1})
	removeSignals(t, b)
	again, left := b.measure(Ask{Workers: 3})
	if len(left) != 0 || !cmp.Equal(first, again, cmpopts.EquateNaNs()) {
		t.Errorf("left out %v:\n%s", left, cmp.Diff(first, again, cmpopts.EquateNaNs()))
	}
}

// removeSignals takes the signal files away behind the workspace's back.
func removeSignals(t *testing.T, b *fixture) {
	t.Helper()
	must(t, os.RemoveAll(filepath.Join(b.Path(), "signals")))
}

// A kept value that cannot be read, or of an older form, is measured anew.
func TestKeptOfAnotherFormIsMeasuredAnew(t *testing.T) {
	b := newFixture(t, 1)
	info := b.run(b.models[0], b.suites[0], transform.Rot90)
	want, _ := b.measure(Ask{})
	for _, value := range []any{"text", map[string]any{"mean": map[string]any{"ei": 1}}, []int{1}} {
		must(t, b.KeepValue(keptName(info), value))
		if got, left := b.measure(Ask{}); len(left) != 0 || !cmp.Equal(want, got, cmpopts.EquateNaNs()) {
			t.Errorf("kept %v: left out %v, %+v", value, left, got)
		}
	}
	other := info
	other.ClassMap = []int{0, 1, 2}
	if keptName(other) == keptName(info) {
		t.Error("another class mapping has the same name")
	}
}

func TestWhatIsLeftOutHasAReason(t *testing.T) {
	b := newFixture(t, 3)
	gray := b.addModel("gray", 1, classes)
	pets := b.suites[0]
	b.run(b.models[0], pets, transform.Grayscale)
	b.run(b.models[1], pets, transform.Grayscale)
	must(t, b.UpdateModel(b.models[1].Hash, func(m *model.Model) error {
		m.Correction.Mean = []float64{0.5}
		m.Correction.Std = []float64{0.5}
		return nil
	}))
	spec := b.spec(b.models[2], pets, transform.Grayscale)
	must(t, b.Record(t.Context(), spec, b.unit(newRandom(), b.models[2], pets, spec, 0)))
	stranger := sums.Hash("stranger")
	hashes := []string{b.models[0].Hash, b.models[1].Hash, b.models[2].Hash, gray.Hash, stranger}
	measured, left := b.measure(Ask{
		Models: hashes, Suites: []string{pets.Hash}, Families: []string{transform.Grayscale, transform.Plain, rotation},
	})
	if len(measured) != 1 || measured[0].Model.ID != "m0" {
		t.Errorf("measured %+v", measured)
	}
	want := [][3]string{
		{"m0", transform.Plain, invariance.NotApplicable},
		{"m0", rotation, signal.NoSignals},
		{"m1", transform.Grayscale, signal.Stale},
		{"m1", transform.Plain, invariance.NotApplicable},
		{"m1", rotation, signal.NoSignals},
		{"m2", transform.Grayscale, signal.Incomplete},
		{"m2", transform.Plain, invariance.NotApplicable},
		{"m2", rotation, signal.NoSignals},
		{"gray", transform.Grayscale, invariance.NotApplicable},
		{"gray", transform.Plain, invariance.NotApplicable},
		{"gray", rotation, signal.NoSignals},
		{"", transform.Grayscale, signal.NotHere},
		{"", transform.Plain, signal.NotHere},
		{"", rotation, signal.NotHere},
	}
	if len(left) != len(want) {
		t.Fatalf("left out %v", left)
	}
	for k, l := range left {
		if l.ID != want[k][0] || l.Family != want[k][1] || l.Reason.Code != want[k][2] || l.SuiteName != "pets" ||
			l.FamilyName == "" || l.Suite != pets.Hash {
			t.Errorf("left out %+v, want %v", l, want[k])
		}
	}
}

// Damaged signals, and signals that are no probabilities, concern their model alone.
func TestUnusableSignalsAreLeftOut(t *testing.T) {
	b := newFixture(t, 2)
	pets := b.suites[0]
	b.run(b.models[0], pets, transform.Rot90)
	removeSignals(t, b)
	b.run(b.models[1], pets, transform.Rot90)
	bad := b.addModel("bad", 3, classes)
	spec := b.spec(bad, pets, transform.Rot90)
	for chunk := range spec.Chunks() {
		u := b.unit(newRandom(), bad, pets, spec, chunk)
		if chunk == 1 {
			u.Softmax[0] = 7
		}
		must(t, b.Record(t.Context(), spec, u))
	}
	must(t, b.Finish(t.Context(), task(bad, spec)))
	measured, left := b.measure(Ask{})
	if len(measured) != 1 || measured[0].Model.ID != "m1" || len(left) != 2 {
		t.Fatalf("measured %d, left out %v", len(measured), left)
	}
	for _, l := range left {
		want, code := "signals from image 256 on: image 256: a softmax vector sums to", signal.Damaged
		if l.ID == "m0" {
			want, code = "is gone", signal.DamagedFile
		}
		if l.Reason.Code != code || !strings.Contains(l.Reason.Text, want) {
			t.Errorf("%s is left out: %s, want %q", l.ID, l.Reason, want)
		}
	}
}

func TestMeasureOfManyClasses(t *testing.T) {
	b := newFixture(t, 0)
	big := b.addModel("big", 3, 120)
	b.run(big, b.suites[1], transform.Rot90)
	measured, left := b.measure(Ask{})
	if len(measured) != 1 || len(left) != 0 || !strings.Contains(measured[0].Missing.Text, "120 classes") ||
		measured[0].Missing.Code != invariance.NoSoftmax {
		t.Errorf("%+v, left out %v", measured, left)
	}
	again, _ := b.measure(Ask{})
	if !cmp.Equal(measured, again, cmpopts.EquateNaNs()) {
		t.Errorf("kept:\n%s", cmp.Diff(measured, again, cmpopts.EquateNaNs()))
	}
}

func TestMeasureRefuses(t *testing.T) {
	b := newFixture(t, 1)
	b.run(b.models[0], b.suites[0], transform.Rot90)
	for want, ask := range map[string]Ask{
		"not found":        {Suites: []string{sums.Hash("nowhere")}},
		`family "rotten"`:  {Families: []string{"rotten"}},
		"measure invarian": {Families: []string{"rotation:1:2:3"}},
	} {
		_, _, err := Measure(t.Context(), b.Workspace, ask, nil)
		testdata.Refused(t, fmt.Sprint(ask), err, want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Measure(ended, b.Workspace, Ask{}, nil)
	testdata.ErrorIs(t, "ended", err, context.Canceled)
}

func TestAvailable(t *testing.T) {
	b := newFixture(t, 2)
	suites, families, err := Available(b.Workspace)
	if err != nil || suites != nil || families != nil {
		t.Errorf("of nothing: %v, %v, %v", suites, families, err)
	}
	b.run(b.models[0], b.suites[1], transform.Plain)
	b.run(b.models[0], b.suites[1], "mask:2;layers=1")
	if suites, families, _ = Available(b.Workspace); suites != nil || families != nil {
		t.Errorf("of plain predictions and masks: %v, %v", suites, families)
	}
	b.run(b.models[1], b.suites[1], "shift:3:5")
	b.run(b.models[1], b.suites[1], "shift:2:5")
	b.run(b.models[0], b.suites[1], rotation)
	b.run(b.models[1], b.suites[1], transform.Grayscale)
	b.run(b.models[1], b.suites[0], transform.Rot90)
	suites, families, err = Available(b.Workspace)
	if err != nil ||
		!slices.Equal(families, []string{transform.Rot90, transform.Grayscale, "shift:2:5", "shift:3:5", rotation}) ||
		len(suites) != 2 {
		t.Errorf("%v, %v, %v", suites, families, err)
	}
}

// TestShiftIsMeasuredAndMaskIsNot: padded translation is a change of images as any; masks say
// nothing about invariance.
func TestShiftIsMeasuredAndMaskIsNot(t *testing.T) {
	b := newFixture(t, 1)
	b.run(b.models[0], b.suites[0], "shift:2:5")
	masked := b.run(b.models[0], b.suites[0], "mask:2")
	measured, left := b.measure(Ask{
		Models: []string{b.models[0].Hash}, Suites: []string{b.suites[0].Hash},
		Families: []string{"mask:2", "shift:2:5"},
	})
	if len(measured) != 1 || measured[0].Family != "shift:2:5" || len(measured[0].Rows) != 4 ||
		measured[0].Rows[3].Name != "shifted to region 4" {
		t.Errorf("%+v", measured)
	}
	if len(left) != 1 || left[0].Family != "mask:2" ||
		!strings.Contains(left[0].Reason.Text, "mask:2 deletes regions inside the model") {
		t.Errorf("%+v", left)
	}
	err := PerImage(t.Context(), b.Workspace, masked.Key, func(int, int, invariance.Values) { t.Error("visited") })
	testdata.Refused(t, "error", err, "needs a transformation of images")
}

func TestPerImage(t *testing.T) {
	b := newFixture(t, 1)
	info := b.run(b.models[0], b.suites[0], transform.Rot90)
	next := 0
	sum := 0.0
	err := PerImage(t.Context(), b.Workspace, info.Key, func(image, transformation int, v invariance.Values) {
		if image != next/3 || transformation != next%3+1 {
			t.Errorf("pair %d is of image %d, transformation %d", next, image, transformation)
		}
		next, sum = next+1, sum+v[invariance.EI]
	})
	mean := whole(t, b.sets[info.Key], nil).Mean[invariance.EI]
	if err != nil || next != 3*sums.Images ||
		mean == 0 || sum/float64(next)-mean > 1e-12 || mean-sum/float64(next) > 1e-12 {
		t.Errorf("%d pairs with mean %v, want %v; %v", next, sum/float64(next), mean, err)
	}
	plain := b.run(b.models[0], b.suites[0], transform.Plain)
	for key, want := range map[string]string{plain.Key: "needs a transformation", sums.Hash("no set"): "not found"} {
		err := PerImage(t.Context(), b.Workspace, key, func(int, int, invariance.Values) { t.Error("visited") })
		testdata.Refused(t, "error", err, want)
	}
}

func TestPoints(t *testing.T) {
	b := newFixture(t, 2)
	pets := b.suites[0]
	fog, err := b.DeriveSuite(pets.Hash, corrupt.Setting{Name: "fog", Severity: 3, Seed: 1}, "")
	must(t, err)
	if fog, err = b.Suite(fog.Hash); err != nil {
		t.Fatal(err)
	}
	for _, m := range b.models {
		b.run(m, pets, transform.Rot90)
	}
	b.run(b.models[0], fog, transform.Rot90)
	b.run(b.models[0], b.suites[1], transform.Rot90)
	measured, _ := b.measure(Ask{Suites: []string{pets.Hash}})
	points := invariance.Points(measured, invariance.ScoreEI, "optimizer", false)
	if len(points) != 2 || points[1].ID != "m1" || points[1].Hash != b.models[1].Hash || points[1].Group != "SGD" ||
		points[1].Score != measured[1].Mean[invariance.EI] || points[1].Accuracy != measured[1].Accuracy {
		t.Errorf("%+v", points)
	}
	if p := invariance.Points(measured, invariance.ScoreJS, "", false)[0]; p.Group != "" ||
		p.Score != measured[0].Mean[invariance.JS] {
		t.Errorf("without a column %+v", p)
	}
	measured, _ = b.measure(Ask{Models: []string{b.models[0].Hash}})
	points = invariance.Points(measured, invariance.ScoreEI, "optimizer", true)
	groups := map[string]string{}
	for k, p := range points {
		groups[p.ID] = p.Group
		if p.Hash != measured[k].Suite {
			t.Errorf("%+v of suite %s", p, measured[k].Suite)
		}
	}
	if want := map[string]string{"pets": "", "wild": "", fog.Name: "fog"}; !cmp.Equal(groups, want) {
		t.Errorf("%v, want %v", groups, want)
	}
	if n := invariance.FewestImages(measured); n != sums.Images-1 {
		t.Errorf("fewest images %d", n)
	}
	if invariance.FewestImages(nil) != 0 {
		t.Error("without labels")
	}
}
