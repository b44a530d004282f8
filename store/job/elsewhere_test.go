package job

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// returned keeps, of what an engine computes, one unit, as it comes back from another machine.
type returned struct {
	*testing.T
	order wire.Order
	ws    *store.Workspace
}

func (r returned) Has(key string) (bool, error) { return key != r.order.Unit, nil }

func (r returned) Record(ctx context.Context, spec signal.Spec, unit *signal.Unit) error {
	data, err := wire.EncodeResult(r.order.Spec, unit)
	if err != nil {
		return err
	}
	back, err := wire.DecodeResult(data, spec, r.order.Chunk, unit.Transformations)
	if err != nil {
		return err
	}
	return r.ws.Record(ctx, spec, back)
}

func (returned) Finish(context.Context, engine.Task) error { return nil }
func (returned) Ended(engine.Status) error                 { return nil }

// TestUnitsThatWereComputedElsewhere are kept in the same files as those of a run here: a plain
// suite, a shifted and a corrupted one, scenes.
func TestUnitsThatWereComputedElsewhere(t *testing.T) {
	b := newFixture(t, 300)
	m := b.model("a", headed)
	record := b.scened(3)
	for name, req := range map[string]Request{
		"plain suite": {Suite: b.suite.Hash, Family: family, Vectors: []string{"L2@CONV-1"}},
		"shifted":     {Suite: b.shiftedTo(derive.Shift{N: 2, T: 3, Region: 2}).Hash, Family: transform.Plain},
		"corrupted":   {Suite: b.derived("gaussian_noise", 2).Hash, Family: family},
		"scenes":      b.under(record),
	} {
		b.done(req)
		s := testdata.Must(b.ws.Suite(req.Suite))(b)
		parsed := testdata.Must(transform.ParseAny(req.Family))(b)
		away := sums.Empty(t)
		task := b.task(m, s, parsed, req)
		for chunk := range task.Spec.Chunks() {
			b.elsewhere(away, task, s, parsed, chunk)
		}
		here, there := b.unitFiles(b.ws, task), b.unitFiles(away, task)
		if len(here) != 2 {
			t.Errorf("%s: %d units", name, len(here))
		}
		if diff := cmp.Diff(here, there); diff != "" {
			t.Errorf("%s: the files differ", name)
		}
	}
}

// task plans a model as the run of a request did.
func (b *fixture) task(m model.Model, s suite.Manifest, f transform.Family, req Request) engine.Task {
	b.Helper()
	return testdata.Must(engine.Plan(engine.PlanInput{
		Model: m, Path: b.ws.ModelPath(m.Hash), Suite: s, Family: f, Vectors: req.Vectors, Runtime: b.rt.Version(),
		Batch: b.signals(m, req.Suite, f.String()).Spec.Batch,
	}))(b)
}

// elsewhere computes one chunk from the bytes of its pack and order, and records it in another
// workspace.
func (b *fixture) elsewhere(away *store.Workspace, task engine.Task, s suite.Manifest, f transform.Family, chunk int) {
	b.Helper()
	source, closed, err := sourceOf(b.Context(), b.ws, s, f)
	must(b, err)
	first, n := task.Spec.ChunkImages(chunk)
	var data bytes.Buffer
	blob, err := wire.WritePack(b.Context(), &data, source, first, n)
	must(b, errors.Join(err, closed()))
	text := testdata.Must(wire.NewOrder(task, chunk, wire.Blob{SHA256: task.Spec.Model, Size: 7}, blob).Encode())(b)
	order := testdata.Must(wire.ParseOrder(text))(b)
	pack := testdata.Must(order.Pack(wire.NewKept(), bytes.NewReader(data.Bytes())))(b)
	e := engine.New(b.rt, returned{b.T, order, away}, engine.Limits{Workers: 1})
	must(b, e.Submit(engine.Run{
		ID: "r", Family: order.Spec.Family, Source: pack,
		Tasks: []engine.Task{order.Task(filepath.Join("elsewhere", filepath.Base(task.Feed.Path)))},
	}))
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	status, err := e.Wait(ctx, "r")
	must(b, errors.Join(err, e.Close()))
	if status.Phase != engine.Done || status.Failed > 0 {
		b.Fatalf("%+v", status)
	}
}

// unitFiles are the contents of a task's signal files.
func (b *fixture) unitFiles(ws *store.Workspace, task engine.Task) map[string][]byte {
	b.Helper()
	files := map[string][]byte{}
	for chunk := range task.Spec.Chunks() {
		key := task.Spec.UnitKey(chunk)
		data := testdata.Must(os.ReadFile(filepath.Join(ws.Path(), "signals", key[:2], key+".npz")))(b)
		files[key] = data
	}
	return files
}

// TestAClosedRunPacksNothing: the ingredients of scenes are there as long as their run.
func TestAClosedRunPacksNothing(t *testing.T) {
	b := newFixture(t, 4)
	record := b.scened(2)
	family := testdata.Must(transform.Scenes(record.Hash, 2))(b)
	source, closed, err := sourceOf(t.Context(), b.ws, b.suite, family)
	must(b, err)
	composed, ok := source.(wire.Composed)
	if !ok {
		t.Fatalf("%T gives no ingredients", source)
	}
	g, err := composed.Ingredients()
	if err != nil || g.Scenes() != 2 || g.Scene(1, 2) != sums.SceneOf(1, 2) {
		t.Errorf("%v", err)
	}
	must(b, closed())
	testdata.ErrorIs(t, "error", testdata.Err(composed.Ingredients()), errClosed)
	testdata.ErrorIs(t, "error", testdata.Err(wire.WritePack(t.Context(), &bytes.Buffer{}, source, 0, 4)), errClosed)
}
