package shards

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
)

// correct gives a model another preprocessing.
func (b *fixture) correct(hash string, mean ...float64) {
	b.Helper()
	must(b, b.ws.UpdateModel(hash, func(m *model.Model) error {
		m.Correction.Mean, m.Correction.Std = mean, mean
		return nil
	}))
}

// TestOtherSettingsAreFoundFirst: where no model fits any more, nothing is recorded.
func TestOtherSettingsAreFoundFirst(t *testing.T) {
	b := newFixture(t, 5, "a", "b")
	f := b.plan(b.request(), 1)
	b.work(f, 1)
	for _, m := range f.models {
		b.correct(m.Spec.Model, 0.25)
	}
	says(t, b.refused(f), "does not fit the workspace any more", "model a was planned with another preprocessing")
	b.rt.Release = "2.0"
	says(t, b.refused(f), "ONNX Runtime 1.0")
	b.rt.Release = "1.0"
	says(t, testdata.Err(f.Collect(t.Context(), b.place(), nil, "0.1.1")), "of Variscope 0.1.0, and this is 0.1.1")
	other := newFixture(t, 5, "c")
	says(t, other.refused(f), "does not fit the workspace any more", "none of its 2 models")
	_, err := b.ws.RemoveModels([]string{f.models[0].Spec.Model, f.models[1].Spec.Model}, nil)
	must(b, err)
	says(t, b.refused(f), "does not fit the workspace any more")
}

// TestAModelThatIsLeftOut does not keep the others from being collected: one that was removed from
// the workspace, one whose file is gone, and one that was corrected. The sentences name it, and
// the shards tell it from what is missing.
func TestAModelThatIsLeftOut(t *testing.T) {
	want := newFixture(t, 300, "a", "c").local(newFixture(t, 300, "a", "c").request())
	for name, test := range map[string]struct {
		change func(b *fixture, hash string)
		says   string
	}{
		"removed": {func(b *fixture, hash string) {
			_, err := b.ws.RemoveModels([]string{hash}, nil)
			must(b, err)
		}, "model b was removed from the workspace"},
		"file": {func(b *fixture, hash string) { must(b, os.Remove(b.ws.ModelPath(hash))) }, "model b: "},
		"corrected": {
			func(b *fixture, hash string) { b.correct(hash, 0.25) }, "model b was planned with another preprocessing",
		},
	} {
		b := newFixture(t, 300, "a", "b", "c")
		f := b.plan(b.request(), 3)
		for k := range 3 {
			b.work(f, k+1)
		}
		bad := f.models[1].Spec.Model
		test.change(b, bad)
		status, c := b.collect(f)
		if status.Phase != engine.Done || status.Done != status.Total || len(status.Tasks) != 2 ||
			!maps.Equal(b.signals(), want) {
			t.Errorf("%s: %+v, %d signals", name, status, len(b.signals()))
		}
		if len(c.Refused) != 1 || c.Refused[0].Model != bad || c.Refused[0].ID != "b" ||
			!strings.Contains(c.Refused[0].Err.Error(), test.says) {
			t.Errorf("%s: %+v", name, c.Refused)
		}
		left := 0
		for _, s := range c.States() {
			if left += s.Left; s.Missing+s.Damaged+s.Failed > 0 || s.Complete() != (s.Left == 0) {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if left != 2 {
			t.Errorf("%s: %d units are left out", name, left)
		}
		if r := b.runs()[0]; len(r.Failures) != 1 || !strings.Contains(r.Failures[bad], test.says) ||
			len(r.Models) != 2 {
			t.Errorf("%s: recorded as %+v", name, r)
		}
	}
}

// partly plans a run of two models in one shard, of which the workspace has one completely.
func (b *fixture) partly() (f *Folder, complete string) {
	b.Helper()
	models := testdata.Must(b.ws.Models())(b)
	first := b.request()
	first.Models = []string{models[0].Hash}
	b.local(first)
	return b.plan(b.request(), 1), models[0].Hash
}

// TestAModelThatWasComplete and was removed since has nothing to be collected: no collection waits
// for it, and none fails.
func TestAModelThatWasComplete(t *testing.T) {
	b := newFixture(t, 5, "a", "b")
	f, complete := b.partly()
	b.work(f, 1)
	_, err := b.ws.RemoveModels([]string{complete}, nil)
	must(b, err)
	for _, what := range []string{"first", "again"} {
		status, c := b.collect(f)
		if status.Phase != engine.Done || status.Failed > 0 || status.Done != status.Total || len(c.Refused) > 0 ||
			!c.States()[0].Complete() {
			t.Errorf("%s: %+v, %+v, %+v", what, status, c.Refused, c.States())
		}
		if r := b.runs()[0]; len(r.Failures) > 0 || len(r.Models) != 1 {
			t.Errorf("%s: recorded as %+v", what, r)
		}
	}
	_, err = b.ws.RemoveModels([]string{f.models[0].Spec.Model}, nil)
	must(b, err)
	says(t, b.refused(f), "does not fit the workspace any more", "none of its 2 models")
}

func TestDifference(t *testing.T) {
	planned := signal.Spec{Runtime: "1", Arch: "a", Level: "l", Batch: 32}
	for want, alter := range map[string]func(*signal.Spec){
		"another version of ONNX Runtime": func(s *signal.Spec) { s.Runtime = "2" },
		"another kind of processor":       func(s *signal.Spec) { s.Level = "m" },
		"another batch size":              func(s *signal.Spec) { s.Batch = 64 },
		"another kind of output":          func(s *signal.Spec) { s.OutputKind = model.Logits },
		"another output":                  func(s *signal.Spec) { s.Output = "y" },
		"other positions":                 func(s *signal.Spec) { s.Positions = []signal.Position{{Name: "x"}} },
		"other classes":                   func(s *signal.Spec) { s.TrueClass = []int{1} },
		"another preprocessing":           func(s *signal.Spec) { s.Preprocessing.Mean = []float64{1} },
		"another suite":                   func(s *signal.Spec) { s.Source = "s" },
		"other vector modalities":         func(s *signal.Spec) { s.Vectors = []string{"L2@x"} },
		"other settings":                  func(s *signal.Spec) { s.Height = 3 },
	} {
		now := planned
		alter(&now)
		if got := difference(planned, now); got != want {
			t.Errorf("%q in place of %q", got, want)
		}
	}
}
