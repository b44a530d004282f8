package lookup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func addModel(t *testing.T, ws *store.Workspace, id string) model.Model {
	t.Helper()
	m, _, err := ws.AddModel(model.Model{ID: id, File: id + ".onnx", Graph: model.Graph{
		Input:   model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
		Outputs: []model.Output{{Name: "y", Classes: 2}}, Tensors: []string{"y"},
	}}, strings.NewReader(id))
	testdata.OK(t, err)
	return m
}

// run records the plain predictions of a model: class 1 for every seventh image. It finishes them
// when all chunks are there.
func run(t *testing.T, ws *store.Workspace, m model.Model, s suite.Manifest, chunks int) signal.Spec {
	t.Helper()
	spec := sums.MadeUpSpec(t, m, s, transform.Plain)
	for chunk := range chunks {
		first, n := spec.ChunkImages(chunk)
		u := &signal.Unit{
			Chunk: chunk, Transformations: 1, Images: n, Classes: 2, Prediction: make([]int32, n),
			Confidence: make([]float32, n), Softmax: make([]float32, 2*n),
		}
		for x := range n {
			if (first+x)%7 == 0 {
				u.Prediction[x] = 1
			}
			u.Confidence[x], u.Softmax[2*x+int(u.Prediction[x])] = 1, 1
		}
		testdata.OK(t, ws.Record(t.Context(), spec, u))
	}
	if chunks == spec.Chunks() {
		testdata.OK(t, ws.Finish(t.Context(), engine.Task{ID: m.ID, Spec: spec}))
	}
	return spec
}

func TestModelsSuitesAndSets(t *testing.T) {
	ws := sums.Empty(t)
	pets, wild := sums.MadeUpSuite(t, ws, "pets", 1, false), sums.MadeUpSuite(t, ws, "wild", 1, false)
	whole, half, none := addModel(t, ws, "whole"), addModel(t, ws, "half"), addModel(t, ws, "none")
	spec := run(t, ws, whole, pets, 2)
	run(t, ws, half, pets, 1)
	stranger := sums.Hash("stranger")
	all, err := Models(ws, nil)
	if err != nil || len(all) != 3 {
		t.Errorf("%d models, %v", len(all), err)
	}
	list, err := Models(ws, []string{none.Hash, stranger, whole.Hash, half.Hash})
	if err != nil || len(list) != 4 || list[0].ID != "none" || list[1].Hash != stranger || list[1].ID != "" {
		t.Fatalf("%+v, %v", list, err)
	}
	for k, want := range []string{signal.NoSignals, signal.NotHere, "", signal.Incomplete} {
		info, reason, err := Set(ws, list[k], pets.Hash, transform.Plain)
		if err != nil || reason.Code != want || (reason.Text == "") != (want == "") ||
			(info.Key != "") != (want == "") {
			t.Errorf("%s: %q, set %q, %v", list[k].ID, reason, info.Key, err)
		}
	}
	headless := whole
	headless.Graph.Outputs = nil
	if _, reason, err := Set(ws, headless, pets.Hash, transform.Plain); err != nil ||
		reason.Code != signal.Unreadable || !strings.Contains(reason.Text, "no output of form (N, C)") {
		t.Errorf("%q, %v", reason, err)
	}
	var found []string
	for _, of := range []string{"", pets.Hash, wild.Hash} {
		if err := EachSet(ws, of, func(info store.SetInfo) { found = append(found, info.Key) }); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(found, []string{spec.Key(), spec.Key()}) {
		t.Errorf("finished sets %q", found)
	}
	suites, err := Suites(ws, []string{wild.Hash, pets.Hash})
	if err != nil || len(suites) != 2 || suites[0].Name != "wild" {
		t.Errorf("%+v, %v", suites, err)
	}
	testdata.ErrorIs(t, "error", testdata.Err(Suites(ws, []string{stranger})), store.ErrNotFound)
	order, err := InOrder(ws, map[string]bool{wild.Hash: true, pets.Hash: true, stranger: true})
	manifests, _ := ws.Suites()
	if err != nil || !slices.Equal(order, []string{manifests[0].Hash, manifests[1].Hash}) {
		t.Errorf("%q, %v", order, err)
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct{ labels, want []int }{{nil, nil}, {[]int{-1, -1}, nil}, {[]int{-1, 0}, []int{-1, 0}}} {
		if got := Labels(suite.Manifest{Labels: c.labels}); !slices.Equal(got, c.want) ||
			(got == nil) != (c.want == nil) {
			t.Errorf("%v became %v", c.labels, got)
		}
	}
}

// What concerns one combination is a reason, everything else an error.
func TestEachChunkAndReason(t *testing.T) {
	ws := sums.Empty(t)
	m, s := addModel(t, ws, "m"), sums.MadeUpSuite(t, ws, "s", 1, false)
	key := run(t, ws, m, s, 2).Key()
	ones, want := 0, store.Want{Predictions: true}
	count := func(_ int, part *signal.Set) error {
		for _, class := range part.Prediction {
			ones += int(class)
		}
		return nil
	}
	if err := EachChunk(t.Context(), ws, key, want, count); err != nil || ones != 43 {
		t.Errorf("%d, %v", ones, err)
	}
	strange := errors.New("it is strange")
	err := EachChunk(t.Context(), ws, key, want, func(first int, _ *signal.Set) error {
		if first > 0 {
			return strange
		}
		return nil
	})
	if reason, other := Reason(err); other != nil || reason.Text != "signals from image 256 on: it is strange" ||
		reason.Code != signal.Damaged || !errors.Is(err, strange) {
		t.Errorf("%q, %v", reason, other)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if reason, other := Reason(EachChunk(ended, ws, key, want, count)); !reason.None() ||
		!errors.Is(other, context.Canceled) {
		t.Errorf("%q, %v", reason, other)
	}
	if reason, other := Reason(EachChunk(t.Context(), ws, sums.Hash("nothing"), want, count)); other != nil ||
		reason.Code != signal.Damaged {
		t.Errorf("%q, %v", reason, other)
	}
	testdata.OK(t, os.RemoveAll(filepath.Join(ws.Path(), "signals")))
	for range 2 { // who finds the damage, and who comes after that
		reason, other := Reason(EachChunk(t.Context(), ws, key, want, count))
		if other != nil || reason.Code != signal.DamagedFile ||
			!strings.Contains(reason.Text, ".npz is gone; run the model again") {
			t.Errorf("%q, %v", reason, other)
		}
	}
	if _, reason, err := Set(ws, m, s.Hash, transform.Plain); err != nil || reason.Code != signal.DamagedFile ||
		!strings.Contains(reason.Text, ".npz is gone") {
		t.Errorf("%q, %v", reason, err)
	}
	run(t, ws, m, s, 2)
	if _, reason, err := Set(ws, m, s.Hash, transform.Plain); err != nil || !reason.None() {
		t.Errorf("after another run: %q, %v", reason, err)
	}
	if reason, other := Reason(nil); !reason.None() || other != nil {
		t.Errorf("%q, %v", reason, other)
	}
}

func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		var p testdata.Progress
		squares := make([]int, 20)
		err := Each(t.Context(), len(squares), workers, &p, func(_ context.Context, k int) error {
			squares[k] = k * k
			return nil
		})
		if p.Whole(t, 20); err != nil || squares[19] != 361 {
			t.Errorf("%d workers: %v, %v", workers, err, squares)
		}
	}
	bad := errors.New("bad")
	err := Each(t.Context(), 5, 1, engine.NoProgress{}, func(ctx context.Context, k int) error {
		if k > 2 {
			return fmt.Errorf("%d was done after the error", k)
		}
		if k == 2 {
			return bad
		}
		return ctx.Err()
	})
	testdata.ErrorIs(t, "error", err, bad)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err = Each(ended, 5, 0, engine.NoProgress{}, func(context.Context, int) error { return bad })
	testdata.ErrorIs(t, "error", err, context.Canceled)
	if Workers(4) != 4 || Workers(0) != runtime.GOMAXPROCS(0) {
		t.Errorf("%d and %d workers", Workers(4), Workers(0))
	}
}
