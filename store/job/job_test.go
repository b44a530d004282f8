package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestStartPlansProbesRecordsAndSubmits(t *testing.T) {
	b := newFixture(t, 7)
	first, second := b.model("a2", nil), b.model("a10", nil)
	var p testdata.Progress
	req := b.request()
	req.Vectors = []string{"L2@CONV-1"}
	id, refused, err := Start(t.Context(), b.ws, b.eng, b.rt, req, &p)
	if err != nil || len(refused) > 0 {
		t.Fatal(err, refused)
	}
	if _, err := ulid.ParseStrict(id); err != nil {
		t.Errorf("id %q: %v", id, err)
	}
	status := testdata.Must(b.eng.Wait(t.Context(), id))(b)
	if status.Phase != engine.Done || status.Suite != "pets" || status.Family != canonical || status.Done != 2*7*3 ||
		status.Reused != 0 {
		t.Errorf("status %+v", status)
	}
	if p.Total.Load() != 2 || p.Done.Load() != 2 {
		t.Errorf("progress %d of %d", p.Done.Load(), p.Total.Load())
	}
	want := store.RunRecord{
		ID: id, Models: []string{first.Hash, second.Hash}, Suite: b.suite.Hash, Family: canonical, Vectors: req.Vectors,
		Batch: engine.DefaultBatch, Phase: engine.Done, Done: 42, Total: 42,
	}
	got := b.records()[0]
	if got.Started.IsZero() || got.Ended.Before(got.Started) {
		t.Errorf("from %v to %v", got.Started, got.Ended)
	}
	got.Started, got.Ended = time.Time{}, time.Time{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %+v\nin place of %+v", got, want)
	}
	for _, m := range []model.Model{first, second} {
		if s := b.summary(m); len(s.Matrices) != 5 || s.Images != 7 || s.MappedBy != engine.ByIndex {
			t.Errorf("summary of %s: %+v", m.ID, s)
		}
	}
	if len(b.rt.Probed()) != 2 || !slices.Equal(b.rt.Probed()[0].Tensors, []string{"c2", "c1"}) ||
		b.rt.Probed()[0].Path != b.ws.ModelPath(first.Hash) {
		t.Errorf("probed %+v", b.rt.Probed())
	}
}

func TestOnlyNewFeedsAreProbed(t *testing.T) {
	b := newFixture(t, 4)
	m := b.model("a", nil)
	for _, step := range []struct {
		name   string
		change func(*Request)
		probes int
	}{
		{"first", func(*Request) {}, 1},
		{"the same", func(*Request) {}, 1},
		{"another family", func(r *Request) { r.Family = "brightness:-0.2:0.2:0.1" }, 1},
		{"the default batch by number", func(r *Request) { r.Batch = engine.DefaultBatch }, 1},
		{"another batch", func(r *Request) { r.Batch = 2 }, 2},
		{"another position", func(r *Request) { r.Positions = []string{model.CONF} }, 3},
		{"another position again", func(r *Request) { r.Positions = []string{model.CONF} }, 3},
	} {
		req := b.request()
		step.change(&req)
		b.done(req)
		if len(b.rt.Probed()) != step.probes {
			t.Errorf("%s: %d probes in place of %d", step.name, len(b.rt.Probed()), step.probes)
		}
	}
	after, err := b.ws.Model(m.Hash)
	if must(b, err); len(after.Probes) != 3 || after.ProbedKind != model.Logits {
		t.Errorf("the model remembers %v, %s", after.Probes, after.ProbedKind)
	}
}

func TestRefusedModelsAreReportedAndTheOthersRun(t *testing.T) {
	b := newFixture(t, 5)
	good, crash := b.model("a", nil), b.model("b", nil)
	many := b.model("c", func(m *model.Model) { m.Graph.Outputs[0].Classes = 5 })
	without := b.model("d", nil) // as one that came with a round package
	must(b, os.Remove(b.ws.ModelPath(without.Hash)))
	cause := errors.New("it crashes the library")
	b.rt.Refuse[b.ws.ModelPath(crash.Hash)] = cause
	var noted map[string]string // of the run's record, as it is before the engine has it
	stop := b.ws.Subscribe(func(c store.Change) {
		if c.Kind == store.RunChanged && noted == nil {
			noted = b.records()[0].Failures
		}
	})
	defer stop()
	status, refused := b.run(b.request())
	if status.Phase != engine.Done || len(status.Tasks) != 1 || status.Tasks[0].Model != good.Hash {
		t.Errorf("status %+v", status)
	}
	if len(refused) != 3 || refused[0].Model != crash.Hash || refused[0].ID != "b" ||
		refused[1].Model != many.Hash || refused[2].Model != without.Hash {
		t.Fatalf("refused %+v", refused)
	}
	testdata.ErrorIs(t, "reason", refused[2].Err, store.ErrNoFile)
	if !errors.Is(refused[0].Err, cause) || !strings.Contains(refused[0].Err.Error(), "model b") {
		t.Errorf("reason %v", refused[0].Err)
	}
	if err := refused[1].Err; !errors.Is(err, engine.ErrClassMismatch) || !strings.Contains(err.Error(), "model c") {
		t.Errorf("reason %v", err)
	}
	if len(noted) != 3 || noted[crash.Hash] != refused[0].Err.Error() {
		t.Errorf("recorded %v", noted)
	}
	if after, err := b.ws.Model(crash.Hash); err != nil || len(after.Probes) > 0 {
		t.Errorf("a failed probe is remembered: %v, %v", after.Probes, err)
	}
}

func TestNothingToRun(t *testing.T) {
	b := newFixture(t, 3)
	if _, refused, err := b.start(b.request()); !errors.Is(err, ErrNothingToRun) ||
		!strings.Contains(err.Error(), "import a model") || len(refused) > 0 {
		t.Errorf("empty workspace: %v, %v", err, refused)
	}
	cause := errors.New("no such operator")
	for _, id := range []string{"a", "b"} {
		b.rt.Refuse[b.ws.ModelPath(b.model(id, nil).Hash)] = cause
	}
	id, refused, err := b.start(b.request())
	if !errors.Is(err, ErrNothingToRun) || !errors.Is(err, cause) || len(refused) != 2 || id != "" {
		t.Errorf("all refused: %q, %v, %v", id, err, refused)
	}
	_, _, err = Start(t.Context(), b.ws, b.eng, nil, b.request(), engine.NoProgress{})
	testdata.ErrorIs(t, "without a runtime", err, engine.ErrNoRuntime)
	if list := b.records(); len(list) > 0 || len(b.eng.Snapshot()) > 0 {
		t.Errorf("recorded all the same: %+v", list)
	}
	if current, err := b.ws.Current(); err != nil || current != (store.Current{}) {
		t.Errorf("current %+v, %v", current, err)
	}
}

func TestWrongRequestsFailBeforeAnyProbe(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(b *fixture, req *Request)
		want   error // nil for any
	}{
		"family":      {func(_ *fixture, r *Request) { r.Family = "shear:1:2:3" }, nil},
		"suite":       {func(_ *fixture, r *Request) { r.Suite = "feed" }, store.ErrNotFound},
		"model":       {func(_ *fixture, r *Request) { r.Models = append(r.Models, "feed") }, store.ErrNotFound},
		"images gone": {func(b *fixture, _ *Request) { must(b, os.RemoveAll(b.root)) }, store.ErrNoImages},
		"image gone": {func(b *fixture, _ *Request) {
			must(b, os.Remove(filepath.Join(b.root, "cat", "0000.png")))
		}, store.ErrNoImages},
		"image changed": {func(b *fixture, _ *Request) {
			must(b, os.WriteFile(filepath.Join(b.root, "cat", "0000.png"), []byte("x"), 0o600))
		}, suite.ErrChanged},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, 3)
			req := b.request()
			req.Models = []string{b.model("a", nil).Hash}
			tt.change(b, &req)
			id, _, err := b.start(req)
			if err == nil || id != "" || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%q, %v in place of %v", id, err, tt.want)
			}
			if len(b.rt.Probed()) > 0 || len(b.records()) > 0 {
				t.Errorf("%d probes, recorded %v", len(b.rt.Probed()), b.records())
			}
		})
	}
}

func TestClassTable(t *testing.T) {
	b := newFixture(t, 6)
	b.rt.Classes = 4
	m := b.model("a", func(m *model.Model) {
		m.Graph.Outputs[0].Classes = 4
		m.Graph.Metadata = map[string]string{"class_names": "fox;eel;dog;cat"}
	})
	_, refused, err := b.start(b.request())
	if !errors.Is(err, ErrNothingToRun) || !errors.Is(err, engine.ErrClassTable) || len(refused) != 1 ||
		len(b.rt.Probed()) > 0 {
		t.Errorf("without a table: %v, %v, %d probes", err, refused, len(b.rt.Probed()))
	}
	req := b.request()
	req.ClassMap = map[string]string{"cat": "cat", "dog": "2", "eel": ""}
	b.done(req)
	if s := b.summary(m); s.MappedBy != engine.ByTable || !slices.Equal(s.Classes, []int{3, 2, -1}) {
		t.Errorf("mapped %s, %v", s.MappedBy, s.Classes)
	}
}

// A file that does not say how many classes it has is asked about its classes after the probe only.
func TestProbeTellsNumberOfClasses(t *testing.T) {
	open := func(m *model.Model) {
		m.Graph.Outputs[0].Classes = 0
		m.Graph.Input = model.Input{Name: "x", Layout: model.NHWC}
	}
	b := newFixture(t, 6)
	b.rt.Classes, b.rt.Sums = 7, true
	m := b.model("a", open)
	if _, refused, err := b.start(b.request()); !errors.Is(err, engine.ErrClassMismatch) || len(refused) != 1 ||
		len(b.rt.Probed()) != 1 {
		t.Errorf("7 classes on a suite of 3: %v, %d probes", err, len(b.rt.Probed()))
	}
	if in := b.rt.Probed()[0].Input; in.Layout != model.NHWC || in.Channels != 1 || in.Height != 6 || in.Width != 6 ||
		in.Batch != engine.DefaultBatch {
		t.Errorf("probed with %+v", in)
	}
	after, err := b.ws.Model(m.Hash)
	if must(b, err); after.Graph.Outputs[0].Classes != 7 || after.ProbedKind != model.Probabilities {
		t.Errorf("the model has %d classes of %s", after.Graph.Outputs[0].Classes, after.ProbedKind)
	}
	n := b.model("b", open)
	req := b.request()
	req.ClassMap = map[string]string{"cat": "6", "dog": "5", "eel": "0"}
	b.done(req)
	for _, m := range []model.Model{m, n} {
		if s := b.summary(m); !slices.Equal(s.Classes, []int{6, 5, 0}) || s.MappedBy != engine.ByTable {
			t.Errorf("%s: mapped %s, %v", m.ID, s.MappedBy, s.Classes)
		}
	}
}

func TestAgainComputesOnlyTheRest(t *testing.T) {
	undisturbed := newFixture(t, 300)
	same := undisturbed.model("a", nil)
	undisturbed.done(undisturbed.request())

	b := newFixture(t, 300) // two units: 256 and 44 images
	m := b.model("a", nil)
	asked := Request{
		Models: []string{m.Hash, m.Hash}, Suite: b.suite.Hash, Family: family, Positions: model.DefaultPositions(),
		ClassMap: map[string]string{"cat": "0", "dog": "1", "eel": "2"},
	}
	b.rt.OnRun = func(_ context.Context, _ engine.Feed, batch int64) error {
		if batch > 256/engine.DefaultBatch*3+1 {
			return errors.New("the plug was pulled")
		}
		return nil
	}
	if status, _ := b.run(asked); status.Phase != engine.Failed || len(status.Tasks) != 1 {
		t.Fatalf("the run was to fail: %+v", status)
	}
	record := b.records()[0]
	b.rt.OnRun = nil
	want := asked
	want.Models, want.Family, want.Batch = []string{m.Hash}, canonical, engine.DefaultBatch
	if got := Again(record); !reflect.DeepEqual(got, want) {
		t.Fatalf("Again asks for %+v in place of %+v", got, want)
	}
	b.rt.Batches.Store(0)
	if status := b.done(Again(record)); status.Reused != 256*3 || status.Total != 300*3 || b.rt.Batches.Load() != 2*3 {
		t.Errorf("%d batches, status %+v", b.rt.Batches.Load(), status)
	}
	if status := b.done(Again(b.records()[1])); status.Reused != status.Total || len(b.rt.Probed()) != 1 {
		t.Errorf("third time: %d probes, status %+v", len(b.rt.Probed()), status)
	}
	if got, want := b.summary(m), undisturbed.summary(same); !reflect.DeepEqual(got.Matrices, want.Matrices) {
		t.Error("the matrices differ from those of an undisturbed run")
	}
}

func TestFirstRunSetsWhatIsLookedAt(t *testing.T) {
	b := newFixture(t, 3)
	b.model("a", nil)
	want := store.Current{Suite: b.suite.Hash, Family: canonical}
	for _, text := range []string{family, "brightness:-0.2:0.2:0.1"} {
		req := b.request()
		req.Family = text
		b.done(req)
		if current, err := b.ws.Current(); err != nil || current != want {
			t.Errorf("after %s: %+v, %v", text, current, err)
		}
	}
	must(b, b.ws.SetCurrent(store.Current{Suite: b.suite.Hash}))
	b.done(b.request())
	if current, err := b.ws.Current(); err != nil || current != want {
		t.Errorf("without a family: %+v, %v", current, err)
	}
}

func TestCancelledWhileProbing(t *testing.T) {
	b := newFixture(t, 3)
	m := b.model("a", nil)
	b.model("b", nil)
	ctx, cancel := context.WithCancel(t.Context())
	b.rt.OnProbe = func(ctx context.Context, _ engine.Feed) error {
		cancel()
		<-ctx.Done()
		return fmt.Errorf("probe: %w", ctx.Err())
	}
	id, refused, err := Start(ctx, b.ws, b.eng, b.rt, b.request(), engine.NoProgress{})
	if !errors.Is(err, context.Canceled) || id != "" || len(refused) > 0 || len(b.rt.Probed()) != 1 {
		t.Errorf("%q, %v, refused %v, %d probes", id, err, refused, len(b.rt.Probed()))
	}
	after, err := b.ws.Model(m.Hash)
	if must(b, err); len(after.Probes) > 0 || len(b.records()) > 0 {
		t.Errorf("probes %v, runs %v", after.Probes, b.records())
	}
	b.rt.OnProbe = nil
	b.done(b.request())
}

// What goes wrong with the workspace or the engine is no model's fault.
func TestTroubleOfWorkspaceAndEngineIsNotTheModels(t *testing.T) {
	b := newFixture(t, 3)
	b.model("a", nil)
	must(b, b.eng.Close())
	if id, refused, err := b.start(b.request()); !errors.Is(err, engine.ErrClosed) || id != "" || len(refused) > 0 {
		t.Errorf("closed engine: %q, %v, %v", id, refused, err)
	}
	if list := b.records(); len(list) != 1 || list[0].Unfinished() || list[0].Phase != engine.Failed ||
		list[0].Ended.IsZero() {
		t.Errorf("a run that was never queued looks interrupted: %+v", list)
	}
	b.rt.OnProbe = func(context.Context, engine.Feed) error { return b.ws.Close() }
	req := b.request()
	req.Batch = 2 // to be probed
	if _, refused, err := b.start(req); !errors.Is(err, store.ErrClosed) || errors.Is(err, ErrNothingToRun) ||
		len(refused) > 0 {
		t.Errorf("closed workspace: %v, %v", refused, err)
	}
}
