package job

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// bright is a runtime whose models tell apart, by their mean brightness, dark, gray and light
// images.
type bright struct {
	sums.Runtime
	top    map[string]float64 // what a model takes for white, by its path
	broken map[string]float64 // value from which on a model fails
	opened atomic.Int64
}

func (r *bright) Open(ctx context.Context, feed engine.Feed) (engine.Session, error) {
	r.opened.Add(1)
	s, err := r.Runtime.Open(ctx, feed)
	return brightSession{s, r, feed}, err
}

// Work implements engine.Runtime with the sessions of bright.
func (r *bright) Work(ctx context.Context, n int, next engine.Next) { engine.Work(ctx, r, n, next) }

type brightSession struct {
	engine.Session
	rt   *bright
	feed engine.Feed
}

func (s brightSession) Runner() (engine.Runner, error) {
	r, err := s.Session.Runner()
	return brightRunner{r, s}, err
}

type brightRunner struct {
	engine.Runner
	brightSession
}

func (r brightRunner) Close() error { return r.Runner.Close() }

func (r brightRunner) Run(ctx context.Context) error {
	if limit := r.rt.broken[r.feed.Path]; limit > 0 && slices.Max(r.Input()) >= float32(limit) {
		return errors.New("too bright")
	}
	return r.Runner.Run(ctx)
}

func (r brightRunner) Result(k int) ([]int64, []float32) {
	shape, values := r.Runner.Result(k)
	if k > 0 {
		return shape, values
	}
	size := len(r.Input()) / int(shape[0])
	for i := range values {
		mean := 0.
		for _, v := range r.Input()[i/3*size : (i/3+1)*size] {
			mean += float64(v) / float64(size)
		}
		values[i] = -float32(math.Abs(mean/r.rt.top[r.feed.Path] - float64(i%3)/2))
	}
	return shape, values
}

// lookBench is a fixture with 90 images of the classes dark, gray and light.
func lookBench(t *testing.T) (*fixture, *bright) {
	b := &fixture{T: t, root: filepath.Join(t.TempDir(), "shades")}
	for i := range 90 {
		class := i % 3
		sums.Gray(t, filepath.Join(b.root, []string{"a-dark", "b-gray", "c-light"}[class], fmt.Sprintf("%04d.png", i)),
			func(p int) uint8 { return uint8(class*120 + (i+p)%16) })
	}
	b.ws, b.suite = sums.Workspace(t, b.root)
	rt := &bright{top: map[string]float64{}, broken: map[string]float64{}}
	return b, rt
}

// taking adds a model that takes top for white.
func (b *fixture) taking(rt *bright, id string, top float64) model.Model {
	m := b.model(id, func(m *model.Model) { m.Graph.Metadata = nil })
	rt.top[b.ws.ModelPath(m.Hash)] = top
	return m
}

// looking runs all models, and returns how many sessions that took.
func (b *fixture) looking(rt *bright, workers int, suiteHash string) int64 {
	b.Helper()
	eng := engine.New(rt, b.ws, engine.Limits{Workers: workers})
	before := rt.opened.Load()
	id, refused, err := Start(b.Context(), b.ws, eng, rt, Request{Suite: suiteHash, Family: "plain"},
		engine.NoProgress{})
	if err != nil || len(refused) > 0 {
		b.Fatal(err, refused)
	}
	status, err := eng.Wait(b.Context(), id)
	must(b, errors.Join(err, eng.Close()))
	if status.Phase != engine.Done || status.Failed > 0 {
		b.Fatalf("%+v", status)
	}
	return rt.opened.Load() - before
}

// TestLook: a model that wants 0..255 gets the badge, one that is right gets none and is run under
// no candidate, one whose range is said is not looked at, and a candidate that fails is left out.
// All is computed once, the same for any number of goroutines, and the badge goes with the
// correction that it asks for.
func TestLook(t *testing.T) {
	var first []store.Look
	for _, workers := range []int{1, 4} {
		b, rt := lookBench(t)
		wants, right, narrow := b.taking(rt, "wants", 255), b.taking(rt, "right", 1), b.taking(rt, "narrow", 255)
		rt.broken[b.ws.ModelPath(narrow.Hash)] = 200
		said := b.model("said", nil)
		rt.top[b.ws.ModelPath(said.Hash)] = 255
		if n := b.looking(rt, workers, b.suite.Hash); n != 4+3+1+3 { // gray models have three candidates
			t.Errorf("%d goroutines: %d sessions", workers, n)
		}
		var looks []store.Look
		for _, m := range []model.Model{wants, right, narrow} {
			l, found, err := b.ws.Look(m, b.suite.Hash)
			if must(b, err); !found || l.Looks.Images != chance.LookImages || !slices.Equal(l.Classes, []int{0, 1, 2}) {
				t.Fatalf("%s: %v, %+v", m.ID, found, l)
			}
			looks = append(looks, l)
		}
		if got := looks[0].Looks.Sentence(); got != "looks as if it wants 0..255: 100 % instead of 34.4 %" ||
			looks[0].Looks.P > 1e-9 {
			t.Errorf("%q, %+v", got, looks[0])
		}
		if looks[1].Looks.Doubtful() || len(looks[1].Looks.Tried) != 1 ||
			looks[1].Looks.Tried[0].Right != chance.LookImages {
			t.Errorf("right by default: %+v", looks[1])
		}
		if tried := looks[2].Looks.Tried; looks[2].Looks.Doubtful() || len(tried) != 2 || tried[1].Name != "-1..1" {
			t.Errorf("one candidate fails: %+v", looks[2])
		}
		if b.ws.Looks(said, b.suite.Hash).Images != 0 {
			t.Error("a model whose range is said was looked at")
		}
		if first == nil {
			first = looks
		} else if !reflect.DeepEqual(looks, first) {
			t.Errorf("%d goroutines find %+v in place of %+v", workers, looks, first)
		}
		if n := b.looking(rt, workers, b.suite.Hash); n != 0 {
			t.Errorf("the second time takes %d sessions", n)
		}
		wanted, _ := looks[0].Looks.Wanted()
		must(b, b.ws.UpdateModel(wants.Hash, func(m *model.Model) error {
			m.Correction.Recipe = wanted.Recipe
			return nil
		}))
		after := testdata.Must(b.ws.Model(wants.Hash))(b)
		if b.ws.Looks(after, b.suite.Hash).Doubtful() {
			t.Error("the badge stays with the recipe that it asks for")
		}
		if n := b.looking(rt, workers, b.suite.Hash); n != 1 { // its own signals are stale
			t.Errorf("corrected: %d sessions", n)
		}
		if s, ok, err := b.ws.Summary(after, b.suite.Hash, "plain"); err != nil || !ok || s.Accuracy[0] != 1 {
			t.Errorf("corrected: %v, %v, %v", s.Accuracy, ok, err)
		}
	}
}

// TestLookNeedsLabels: nothing is looked at on a suite without labels, and on one that is made
// from another.
func TestLookNeedsLabels(t *testing.T) {
	b, rt := lookBench(t)
	m := b.taking(rt, "wants", 255)
	bare := filepath.Join(t.TempDir(), "bare.csv")
	text := "path\n"
	for i := range 30 {
		text += filepath.Join(b.root, "a-dark", fmt.Sprintf("%04d.png", 3*i)) + "\n"
	}
	must(b, os.WriteFile(bare, []byte(text), 0o600))
	unlabelled := testdata.Must(suite.Scan(t.Context(), bare, suite.Options{}, engine.NoProgress{}))(b)
	unlabelled = testdata.Must(b.ws.AddSuite(unlabelled))(b)
	foggy := b.derived("gaussian_noise", 2)
	for _, s := range []suite.Manifest{unlabelled, foggy} {
		if n := b.looking(rt, 1, s.Hash); n != 1 {
			t.Errorf("%s: %d sessions", s.Name, n)
		}
		if l, found, err := b.ws.Look(m, s.Hash); err != nil || found || l.Looks.Doubtful() {
			t.Errorf("%s: %+v, %v, %v", s.Name, l, found, err)
		}
	}
}

// TestLookIsLeftOutWhereOnlyOthersCompute: this computer then runs no model.
func TestLookIsLeftOutWhereOnlyOthersCompute(t *testing.T) {
	b, rt := lookBench(t)
	m := b.taking(rt, "wants", 255)
	eng := engine.New(rt, b.ws, engine.Limits{Workers: engine.NoWorkers})
	defer func() { must(b, eng.Close()) }()
	req := Request{Suite: b.suite.Hash, Family: "plain"}
	id, _, err := Start(t.Context(), b.ws, eng, rt, req, engine.NoProgress{})
	must(b, errors.Join(err, Withdraw(eng, id)))
	if _, found, err := b.ws.Look(m, b.suite.Hash); err != nil || found || rt.opened.Load() > 0 {
		t.Errorf("looked at: %t, %v, %d sessions", found, err, rt.opened.Load())
	}
}

// TestLookEndsWithItsContext, and nothing of the run is begun.
func TestLookEndsWithItsContext(t *testing.T) {
	b, rt := lookBench(t)
	m := b.taking(rt, "wants", 255)
	eng := engine.New(rt, b.ws, engine.Limits{Workers: 1})
	defer func() { must(b, eng.Close()) }()
	ctx, cancel := context.WithCancel(t.Context())
	rt.OnRun = func(ctx context.Context, _ engine.Feed, _ int64) error {
		cancel()
		<-ctx.Done()
		return context.Cause(ctx)
	}
	id, _, err := Start(ctx, b.ws, eng, rt, Request{Suite: b.suite.Hash, Family: "plain"}, engine.NoProgress{})
	if _, found, _ := b.ws.Look(m, b.suite.Hash); !errors.Is(err, context.Canceled) || id != "" || found ||
		len(b.records()) > 0 {
		t.Errorf("%q, %v, kept %t, recorded %v", id, err, found, b.records())
	}
}

// TestSpread takes images with a label alone, evenly over all of them.
func TestSpread(t *testing.T) {
	labels := []int{0, -1, 0, 1, -1, 1, 2, 2}
	for n, want := range map[int][]int{3: {0, 3, 6}, 6: {0, 2, 3, 5, 6, 7}, 10: {0, 2, 3, 5, 6, 7}} {
		if got := spread(labels, n); !slices.Equal(got, want) {
			t.Errorf("%d: %v in place of %v", n, got, want)
		}
	}
	if spread(nil, 3) != nil {
		t.Error("images of nothing")
	}
}
