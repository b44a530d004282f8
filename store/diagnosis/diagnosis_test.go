package diagnosis

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// grid is one of the grids of the tests.
func grid(tb testing.TB, masks transform.Masks, t int) dscore.Grid {
	tb.Helper()
	return testdata.Must(dscore.NewGrid(masks, t))(tb)
}

// TestDiagnoseEqualsSignalsInMemory: accuracies are counted image by image from the sets in
// memory; a derived suite has the labels of its base.
func TestDiagnoseEqualsSignalsInMemory(t *testing.T) {
	b := newFixture(t, 2)
	fog := testdata.Must(b.DeriveSuite(b.pets.Hash, corrupt.Setting{Name: "fog", Severity: 1, Seed: 1}, ""))(t)
	fog = b.whole(fog.Hash)
	for _, m := range b.models {
		for _, s := range []string{b.pets.Hash, fog.Hash} {
			b.both(m, b.whole(s), 2, 5)
			b.both(m, b.whole(s), 3, 4)
		}
	}
	list, left := b.diagnose(Ask{})
	if len(list) != 8 || len(left) != 0 {
		t.Fatalf("%d diagnoses, left out %v", len(list), left)
	}
	suites := b.inOrder()
	for k, d := range list {
		n, shift := k%2+2, []int{5, 4}[k%2]
		if d.Model.ID != b.models[k/4].ID || d.Suite != suites[k/2%2] || d.N != n || d.T != shift ||
			d.Images != pictures-1 {
			t.Errorf("%d is %s on %s with %s and %d images", k, d.Model.ID, d.SuiteName, d.Grid, d.Images)
		}
		masked, shifted := b.accuracies(d.MaskKey, b.pets.Labels, suiteClasses),
			b.accuracies(d.ShiftKey, b.pets.Labels, suiteClasses)
		want := dscore.Accuracies{Original: masked[0], Variants: masked[1:], Shifted: shifted[1:], Classes: classes}
		if diff := cmp.Diff(want, d.Accuracies); diff != "" {
			t.Errorf("%d: %s", k, diff)
		}
		score, err := dscore.Compute(want)
		if diff := cmp.Diff(score, d.Score); err != nil || diff != "" {
			t.Errorf("%d: %v %s", k, err, diff)
		}
		if d.Untouched.Differ != 0 || d.Untouched.Masks != int(math.Round(masked[0]*(pictures-1))) ||
			d.Untouched.Remark() != "" {
			t.Errorf("untouched %+v", d.Untouched)
		}
		if d.Intervals.Samples != 40 || d.Intervals.Original.Low > masked[0] || d.Intervals.Original.High < masked[0] ||
			len(d.Intervals.Loss) != n*n {
			t.Errorf("%d: intervals %+v", k, d.Intervals)
		}
	}
}

// inOrder are the hashes of the labelled suites in the order of the workspace.
func (b *fixture) inOrder() (hashes []string) {
	b.tb.Helper()
	list := testdata.Must(b.Suites())(b.tb)
	for _, s := range list {
		if s.Hash != b.wild.Hash {
			hashes = append(hashes, s.Hash)
		}
	}
	return hashes
}

// Intervals are those of the hits in memory, and so are those of the difference between two
// models, which are kept. A model without signals is compared with none.
func TestIntervalsAreThoseOfTheHits(t *testing.T) {
	b := newFixture(t, 3)
	o := dscore.BootstrapOptions{Samples: 30, Level: 0.9, Seed: 7}
	for _, m := range b.models[:2] {
		b.both(m, b.pets, 2, 5)
	}
	list, _ := b.diagnose(Ask{Bootstrap: o})
	var hits [2]dscore.Hits
	for k := range hits {
		of := func(key string) (rows [][]bool) {
			for _, row := range b.sets[key].Predictions() {
				var right []bool
				for i, l := range b.pets.Labels {
					if l >= 0 {
						right = append(right, int(row[i]) == suiteClasses[l])
					}
				}
				rows = append(rows, right)
			}
			return rows
		}
		masked, shifted := of(list[k].MaskKey), of(list[k].ShiftKey)
		hits[k] = dscore.Hits{
			Grid: 2, Classes: classes, Original: masked[0], Variants: masked[1:], Shifted: shifted[1:],
		}
		want, err := dscore.Bootstrap(t.Context(), hits[k], o, nil)
		if diff := cmp.Diff(want, list[k].Intervals); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	}
	ask := Ask{Models: []string{b.models[1].Hash, b.models[0].Hash}, Bootstrap: o}
	want := testdata.Must(dscore.Differ(t.Context(), hits[1], hits[0], o, nil))(t)
	for range 2 {
		pairs, err := Compare(t.Context(), b.Workspace, ask, nil)
		if err != nil || len(pairs) != 1 || pairs[0].Models[0].Model.ID != "m1" || pairs[0].Models[1].Model.ID != "m0" {
			t.Fatalf("%+v, %v", pairs, err)
		}
		testdata.NoDiff(t, "-want +got", cmp.Diff(want, pairs[0].Differences))
		b.removeSignals()
	}
	ask.Models[0] = b.models[2].Hash
	if pairs, err := Compare(t.Context(), b.Workspace, ask, nil); err != nil || len(pairs) != 0 {
		t.Errorf("%+v, %v", pairs, err)
	}
}

// What was computed is read again without the signals, with the same bits, for any number of
// workers.
func TestDiagnosesAreKept(t *testing.T) {
	b, other := newFixture(t, 3), newFixture(t, 3)
	for _, one := range []*fixture{b, other} {
		for _, m := range one.models {
			one.both(m, one.pets, 2, 5)
		}
	}
	first, _ := b.diagnose(Ask{Workers: 1})
	elsewhere, _ := other.diagnose(Ask{Workers: 4})
	if len(first) != 3 || len(elsewhere) != 3 {
		t.Fatalf("%d and %d", len(first), len(elsewhere))
	}
	for k := range first {
		if !reflect.DeepEqual(first[k].Intervals, elsewhere[k].Intervals) ||
			!reflect.DeepEqual(first[k].Score, elsewhere[k].Score) {
			t.Errorf("%d differs with other workers", k)
		}
	}
	b.removeSignals()
	again, left := b.diagnose(Ask{Workers: 3})
	if diff := cmp.Diff(first, again); len(left) != 0 || diff != "" {
		t.Errorf("left out %v:\n%s", left, diff)
	}
	quick, left := b.diagnose(Ask{ScoresOnly: true, Bootstrap: dscore.BootstrapOptions{Samples: 9}})
	if len(left) != 0 || len(quick) != 3 || quick[1].Score.DScore != first[1].Score.DScore ||
		quick[1].Intervals.Samples != 0 {
		t.Errorf("scores alone: left out %v", left)
	}
	if _, left := b.diagnose(Ask{Bootstrap: dscore.BootstrapOptions{Samples: 40, Seed: 2}}); len(left) != 3 {
		t.Errorf("another seed was answered without signals: left out %v", left)
	}
}

// A kept value that cannot be read, or of another form, is computed anew.
func TestKeptOfAnotherFormIsComputedAnew(t *testing.T) {
	b := newFixture(t, 1)
	b.both(b.models[0], b.pets, 2, 5)
	want, _ := b.diagnose(Ask{})
	j := job{model: b.models[0], suite: b.pets, labels: b.pets.Labels, grid: want[0].Grid}
	if err := j.find(b.Workspace); err != nil || !j.reason.None() {
		t.Fatal(err, j.reason)
	}
	o := testdata.Must(fewSamples.Filled())(t)
	for _, name := range []string{j.keptName(), j.keptName() + "/" + optionText(o)} {
		for _, value := range []any{
			"text",
			[]int{1},
			map[string]any{"Images": 3},
			counted{Images: 3, Accuracies: dscore.Accuracies{
				Original: 2, Variants: make([]float64, 4), Shifted: make([]float64, 4), Classes: 3,
			}},
			dscore.Intervals{Samples: 40, Level: 0.95},
		} {
			must(t, b.KeepValue(name, value))
			got, left := b.diagnose(Ask{})
			if diff := cmp.Diff(want, got); len(left) != 0 || diff != "" {
				t.Errorf("kept %v: left out %v, %s", value, left, diff)
			}
		}
	}
	other := j
	other.mask.ClassMap = []int{0, 1, 2}
	another := j
	another.labels = slices.Clone(j.labels)
	another.labels[0] = 1
	if other.keptName() == j.keptName() || another.keptName() == j.keptName() {
		t.Error("other true classes have the same name")
	}
}

// TestUntouchedModelsThatDiffer: what the shifts' signals say of the untouched model is told, and
// that of the masks counts.
func TestUntouchedModelsThatDiffer(t *testing.T) {
	b := newFixture(t, 1)
	m := b.models[0]
	b.run(m, b.pets, "mask:2")
	spec := b.spec(m, b.pets, "shift:2:5")
	for chunk := range spec.Chunks() {
		u := b.unit(m, b.pets, spec, chunk)
		if chunk == 1 { // an untouched image that is predicted rightly is not any more
			x := 0
			for int(u.Prediction[x]) != suiteClasses[b.pets.Labels[256+x]] {
				x++
			}
			u.Prediction[x] = (u.Prediction[x] + 1) % classes
		}
		must(t, b.Record(t.Context(), spec, u))
	}
	must(t, b.Finish(t.Context(), task(m, spec, suiteClasses)))
	list, left := b.diagnose(Ask{})
	if len(list) != 1 || len(left) != 0 {
		t.Fatalf("left out %v", left)
	}
	d := list[0]
	masked := b.accuracies(d.MaskKey, b.pets.Labels, suiteClasses)
	right := int(math.Round(masked[0] * (pictures - 1)))
	if d.Accuracies.Original != masked[0] || d.Untouched != (dscore.Untouched{
		Masks: right, Shifts: right - 1,
		Differ: 1,
	}) {
		t.Errorf("%v, %+v", d.Accuracies.Original, d.Untouched)
	}
	if !strings.Contains(d.Untouched.Remark(), "(1 differ); the score rests on the former") {
		t.Error(d.Untouched.Remark())
	}
	again, _ := b.diagnose(Ask{})
	testdata.NoDiff(t, "-want +got", cmp.Diff(list, again))
}

func TestWhatIsLeftOutHasAReason(t *testing.T) {
	b := newFixture(t, 4)
	for _, m := range b.models[:2] {
		b.both(m, b.pets, 2, 5)
	}
	b.run(b.models[2], b.pets, "mask:2")
	spec := b.spec(b.models[2], b.pets, "shift:2:5")
	must(t, b.Record(t.Context(), spec, b.unit(b.models[2], b.pets, spec, 0)))
	b.both(b.models[0], b.wild, 2, 5)
	must(t, b.UpdateModel(b.models[1].Hash, func(m *model.Model) error {
		m.Correction.Mean, m.Correction.Std = []float64{0.5}, []float64{0.5}
		return nil
	}))
	stranger := sums.Hash("stranger")
	ask := Ask{Suites: []string{b.pets.Hash, b.wild.Hash}, Grids: []dscore.Grid{grid(t, transform.Masks{N: 2}, 5)}}
	for _, m := range b.models {
		ask.Models = append(ask.Models, m.Hash)
	}
	ask.Models = append(ask.Models, stranger)
	list, left := b.diagnose(ask)
	if len(list) != 1 || list[0].Model.ID != "m0" || list[0].Suite != b.pets.Hash {
		t.Errorf("%d diagnoses", len(list))
	}
	const none = "no signals for this suite and family yet"
	const stale = "its signals are for other preprocessing, another output or an older suite: run it again"
	want := []struct {
		id, suite, reason string
		sets              []string
	}{
		{"m0", b.wild.Hash, noLabels.Text, nil},
		{"m1", b.pets.Hash, "mask:2: " + stale + "; shift:2:5: " + stale, []string{"mask:2", "shift:2:5"}},
		{"m1", b.wild.Hash, noLabels.Text, nil},
		{"m2", b.pets.Hash, "shift:2:5: its signals are not complete: run it to the end", []string{"shift:2:5"}},
		{"m2", b.wild.Hash, noLabels.Text, nil},
		{"m3", b.pets.Hash, "mask:2: " + none, []string{"mask:2", "shift:2:5"}},
		{"m3", b.wild.Hash, noLabels.Text, nil},
		{"", b.pets.Hash, "it is not in the workspace", nil},
		{"", b.wild.Hash, "it is not in the workspace", nil},
	}
	if len(left) != len(want) {
		t.Fatalf("left out %v", left)
	}
	for k, l := range left {
		if l.ID != want[k].id || l.Suite != want[k].suite || !strings.HasPrefix(l.Reason.Text, want[k].reason) ||
			!slices.Equal(l.Sets, want[k].sets) ||
			l.Grid != ask.Grids[0] {
			t.Errorf("left out %+v, want %+v", l, want[k])
		}
	}
}

// Sets that were run with different input sizes or mappings of classes are not of one model in one
// state.
func TestUnlikeSetsAreLeftOut(t *testing.T) {
	b := newFixture(t, 2)
	for k, want := range []result.Reason{otherSettings, otherClasses} {
		m := b.models[k]
		b.run(m, b.pets, "mask:2")
		spec, mapping := b.spec(m, b.pets, "shift:2:5"), suiteClasses
		if k == 0 {
			spec.Height = 9
		} else {
			mapping = []int{0, 1, 2}
		}
		b.record(m, b.pets, spec, mapping)
		list, left := b.diagnose(Ask{Models: []string{m.Hash}})
		if len(list) != 0 || len(left) != 1 || left[0].Reason != want || len(left[0].Sets) != 2 {
			t.Errorf("%d diagnoses, left out %+v", len(list), left)
		}
	}
}

// Damaged signals concern their model alone.
func TestDamagedSignalsAreLeftOut(t *testing.T) {
	b := newFixture(t, 2)
	b.both(b.models[0], b.pets, 2, 5)
	b.removeSignals()
	b.both(b.models[1], b.pets, 2, 5)
	for range 2 { // also after it is known
		list, left := b.diagnose(Ask{})
		if len(list) != 1 || list[0].Model.ID != "m1" || len(left) != 1 || left[0].ID != "m0" ||
			!strings.Contains(left[0].Reason.Text, "is gone") || !slices.Equal(left[0].Sets, []string{"mask:2"}) {
			t.Fatalf("%d diagnoses, left out %+v", len(list), left)
		}
	}
}

// A class that the model does not know makes an image count, and no prediction right.
func TestClassesThatTheModelDoesNotKnow(t *testing.T) {
	b := newFixture(t, 1)
	m := b.models[0]
	mapping := []int{2, -1}
	for _, set := range []string{"mask:2", "shift:2:5"} {
		b.record(m, b.pets, b.spec(m, b.pets, set), mapping)
	}
	list, left := b.diagnose(Ask{})
	if len(list) != 1 || len(left) != 0 {
		t.Fatalf("left out %v", left)
	}
	masked := b.accuracies(list[0].MaskKey, b.pets.Labels, mapping)
	if list[0].Images != pictures-1 || list[0].Accuracies.Original != masked[0] || masked[0] > 0.4 ||
		!slices.Equal(list[0].ClassMap, mapping) {
		t.Errorf("%d images, %v, want %v", list[0].Images, list[0].Accuracies.Original, masked[0])
	}
}

func TestDiagnoseRefuses(t *testing.T) {
	b := newFixture(t, 1)
	b.both(b.models[0], b.pets, 2, 5)
	for want, ask := range map[string]Ask{
		"not found":                              {Suites: []string{sums.Hash("nowhere")}},
		"n is 0":                                 {Grids: []dscore.Grid{{T: 5}}},
		"t is 0":                                 {Grids: []dscore.Grid{{N: 2}}},
		"rot90 is no set of masks":               {Grids: []dscore.Grid{{N: 2, T: 5, Mask: "rot90"}}},
		`unknown name "rotten"`:                  {Grids: []dscore.Grid{{N: 2, T: 5, Mask: "rotten"}}},
		"masks mask:3 are not of 2 x 2 regions":  {Grids: []dscore.Grid{{N: 2, T: 5, Mask: "mask:3"}}},
		"padded translation shift:3:5 is not":    {Grids: []dscore.Grid{{N: 2, T: 5, Shift: "shift:3:5"}}},
		"a bootstrap of -1 samples":              {Bootstrap: dscore.BootstrapOptions{Samples: -1}},
		"D-Score: an interval at level 2 is not": {Bootstrap: dscore.BootstrapOptions{Level: 2}},
	} {
		_, _, err := Diagnose(t.Context(), b.Workspace, ask, nil)
		testdata.Refused(t, fmt.Sprint(ask), err, want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Diagnose(ended, b.Workspace, Ask{}, nil)
	testdata.ErrorIs(t, "ended", err, context.Canceled)
}

// A grid without its texts is that of n and t; empty workspaces have nothing to say.
func TestDiagnoseOfShortGridsAndOfNothing(t *testing.T) {
	b := newFixture(t, 1)
	if list, left := b.diagnose(Ask{}); list != nil || left != nil {
		t.Errorf("of nothing: %v, %v", list, left)
	}
	b.both(b.models[0], b.pets, 1, 5)
	list, left := b.diagnose(Ask{Suites: []string{b.pets.Hash}, Grids: []dscore.Grid{{N: 1, T: 5, Mask: "mask:1"}}})
	if len(list) != 1 || len(left) != 0 || list[0].Mask != "mask:1" || list[0].Shift != "shift:1:5" {
		t.Fatalf("%v, left out %v", list, left)
	}
	want := math.Abs(list[0].Accuracies.Shifted[0] - list[0].Accuracies.Original)
	testdata.Near(t, "v_robust", list[0].Score.Robust, want, 1e-15)
}
