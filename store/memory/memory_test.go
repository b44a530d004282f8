package memory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/lookup"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const family = "rotation:-10:10:10;interpolation=bilinear;border=zero"

// A run gives the same bits and facts in memory as in a workspace, over several chunks of images.
func TestMemoryHoldsWhatAWorkspaceHolds(t *testing.T) {
	ws, on := sums.Workspace(t, sums.Pets(t, signal.ChunkSize+4))
	m := sums.Model("a")
	m.Graph.Metadata = map[string]string{"mean": "0", "std": "1"}
	m, _, err := ws.AddModel(m, strings.NewReader("model a"))
	must(t, err)
	on = testdata.Must(ws.Suite(on.Hash))(t)
	here := New(m, ws.ModelPath(m.Hash), on, signal.Want{Everything: true})
	rt := &sums.Runtime{}
	req := job.Request{Models: []string{m.Hash}, Suite: on.Hash, Family: family, Vectors: []string{"L2@CONV-1"}}
	run := func(rec engine.Recorder, start func(eng *engine.Engine) (string, []job.Refused, error)) {
		t.Helper()
		eng := engine.New(rt, rec, engine.Limits{Workers: 2})
		defer func() { _ = eng.Close() }()
		id, refused, err := start(eng)
		if err != nil || len(refused) > 0 {
			t.Fatal(refused, err)
		}
		if status, err := eng.Wait(t.Context(), id); err != nil || status.Phase != engine.Done {
			t.Fatalf("%+v, %v", status, err)
		}
	}
	if set, _ := here.Set(family); set != nil {
		t.Error("there are signals before a run")
	}
	run(ws, func(eng *engine.Engine) (string, []job.Refused, error) {
		return job.Start(t.Context(), ws, eng, rt, req, engine.NoProgress{})
	})
	run(here, func(eng *engine.Engine) (string, []job.Refused, error) {
		return job.StartFile(t.Context(), here, eng, rt, m, on, req)
	})

	m = testdata.Must(ws.Model(m.Hash))(t) // with what the probe has found
	want, _, err := ws.BestSet(m, on.Hash, family)
	must(t, err)
	info, ok, err := here.BestSet(m, on.Hash, family)
	want.Updated = info.Updated // nobody needs it
	if diff := cmp.Diff(want, info); err != nil || !ok || diff != "" {
		t.Fatalf("%v, %v, differ by %s", err, ok, diff)
	}
	set, _ := here.Set(family)
	theirs := testdata.Must(ws.LoadSet(t.Context(), want.Key, signal.Want{Everything: true}))(t)
	testdata.NoDiff(t, "signals", cmp.Diff(theirs, set))
	parts := 0
	err = lookup.EachChunk(t.Context(), here, info.Key, signal.Want{}, func(first int, part *signal.Set) error {
		parts++
		if first != 0 || part.Images != on.Images {
			t.Errorf("%d images from %d on", part.Images, first)
		}
		return nil
	})
	if err != nil || parts != 1 {
		t.Errorf("%d parts, %v", parts, err)
	}
	summary, ok, err := ws.Summary(m, on.Hash, family)
	if err != nil || !ok || here.Chance(family) != summary.Chance.Level() {
		t.Errorf("chance %+v and %+v, %v", here.Chance(family), summary.Chance, err)
	}
	here.Forget(family)
	there, err := here.Has(signal.UnitKeyOf(info.Key, 0))
	if set, _ := here.Set(family); set != nil || there || err != nil {
		t.Errorf("forgotten signals are there: %v, %v, %v", set != nil, there, err)
	}
}

// Arrays that nobody wants are not kept.
func TestMemoryKeepsWhatIsWanted(t *testing.T) {
	m := signal.Modality{Position: model.Conv1, Reducer: signal.Max}
	spec := signal.Spec{
		Images: 2, Family: family, Positions: []signal.Position{{Name: model.CONF}, {Name: model.Conv1}},
	}
	s := New(model.Model{}, "", suite.Manifest{Images: 2}, signal.Want{Modalities: []signal.Modality{m}})
	unit := &signal.Unit{
		Transformations: 3, Images: 2, Classes: 2, Softmax: make([]float32, 12), Prediction: make([]int32, 6),
		Confidence: make([]float32, 6), Reduced: [][]float32{
			make([]float32, signal.Reducers*6), make([]float32, signal.Reducers*6),
		},
	}
	must(t, s.Record(t.Context(), spec, unit))
	must(t, s.Finish(t.Context(), engine.Task{Spec: spec}))
	set, _ := s.Set(family)
	kept := 0
	for _, position := range set.Reduced {
		for _, values := range position {
			kept += len(values)
		}
	}
	if kept != 6 || set.Softmax != nil || set.Confidence != nil || len(set.Prediction) != 6 {
		t.Errorf("kept %d numbers of positions, %+v", kept, set)
	}
	unit.Classes = 3
	testdata.Refused(t, "a unit with other classes was kept", s.Record(t.Context(), spec, unit))
	if has, err := s.Has(spec.UnitKey(0)); err != nil || !has {
		t.Errorf("has %v, %v", has, err)
	}
}

// What is not there is said as a workspace says it.
func TestMemoryLacks(t *testing.T) {
	s := New(model.Model{Hash: "a"}, "", suite.Manifest{Images: 1}, signal.Want{})
	for _, err := range []error{
		testdata.Err(s.Model("b")), testdata.Err(s.Suite("b")), testdata.Err(s.OpenSuiteContext(t.Context(), "b")),
		s.UpdateModel("b", func(*model.Model) error { return nil }),
		s.EachChunk(t.Context(), "b", signal.Want{}, func(int, *signal.Set) error { return os.ErrInvalid }),
	} {
		testdata.ErrorIs(t, "b", err, store.ErrNotFound)
	}
	if why, err := s.WhyNoSet(model.Model{}, "", family); err != nil || why.Code != signal.NoSignals {
		t.Errorf("%+v, %v", why, err)
	}
	if found, err := s.KeptValue("x", nil); found || err != nil {
		t.Error("a value was kept")
	}
}

// TestAbove: a file in a workspace's folder, at any depth, is known there.
func TestAbove(t *testing.T) {
	folder := t.TempDir()
	at := filepath.Join(folder, "w.variscope")
	must(t, testdata.Must(store.Create(at))(t).Close())
	for path, want := range map[string]string{
		filepath.Join(at, "models", "0.onnx"): at, filepath.Join(at, "suites", "a", "b"): at,
		filepath.Join(folder, "m.onnx"): "", at: "", "": "",
	} {
		testdata.Is(t, path, above(path), want)
	}
}
