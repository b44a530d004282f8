package speed

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// paced is a runtime with a fast batch; all others are as fast as each other.
type paced struct {
	engine.Runtime
	mu      sync.Mutex
	fast    int
	refuse  int // a batch whose trial run fails
	probed  []int
	opened  []int
	milli   float64
	version string
}

func (p *paced) Version() string { return p.version }

func (p *paced) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	p.probed = append(p.probed, feed.Input.Batch)
	if feed.Input.Batch == p.refuse {
		return engine.Probe{}, errors.New("too large")
	}
	return engine.Probe{Milliseconds: p.milli}, ctx.Err()
}

func (p *paced) Rate(ctx context.Context, feed engine.Feed, seconds float64) (float64, error) {
	p.mu.Lock()
	p.opened = append(p.opened, feed.Input.Batch)
	p.mu.Unlock()
	if len(feed.Shapes) > 0 && feed.Shapes[0][0] != int64(feed.Input.Batch) {
		return 0, errors.New("other shapes than those that were found")
	}
	select {
	case <-time.After(time.Millisecond):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if feed.Input.Batch == p.fast {
		return 10 * 20_000, nil
	}
	return 20_000, nil
}

func feed() engine.Feed {
	return engine.Feed{
		Output: "y", Shapes: [][]int64{{engine.DefaultBatch, 2}},
		Input: model.Input{Layout: model.NCHW, Batch: engine.DefaultBatch, Channels: 1, Height: 2, Width: 2},
	}
}

func TestTunerTakesTheFastestAndKeepsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache", "tuning.json")
	rt := &paced{fast: 64, refuse: 128, version: "1.0"}
	tuner := &Tuner{File: file, Always: true}
	for range 2 {
		got, err := tuner.Tune(t.Context(), rt, feed(), "net", 2, 1)
		if err != nil || got.Batch != 64 {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if !slices.Equal(rt.probed, []int{engine.DefaultBatch, 16, 32, 64, 128}) ||
		!slices.Equal(rt.opened, slices.Repeat([]int{16, 16, 32, 32, 64, 64}, turns)) {
		t.Errorf("probed %v, opened %v", rt.probed, rt.opened)
	}
	// What is kept serves every tuner with that file, also one that would not measure; another
	// library, net or number of workers is measured for itself.
	idle := &Tuner{File: file}
	if got, err := idle.Tune(t.Context(), rt, feed(), "net", 2, leastInferences); err != nil || got.Batch != 64 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := idle.Tune(t.Context(), rt, feed(), "net", 2, leastInferences-1); err != nil ||
		got != (engine.Tuning{}) {
		t.Errorf("a short run: %+v, %v", got, err)
	}
	for name, ask := range map[string]func() (engine.Tuning, error){
		"library": func() (engine.Tuning, error) {
			return idle.Tune(t.Context(), &paced{version: "2.0"}, feed(), "net", 2, leastInferences)
		},
		"net": func() (engine.Tuning, error) {
			return idle.Tune(t.Context(), rt, feed(), "other", 2, leastInferences)
		},
		"workers": func() (engine.Tuning, error) {
			return idle.Tune(t.Context(), rt, feed(), "net", 3, leastInferences)
		},
	} {
		if got, err := ask(); err != nil || got != (engine.Tuning{}) {
			t.Errorf("another %s: %+v, %v", name, got, err)
		}
	}
	// A file that is cut off or holds nonsense is no choice.
	place := gauge{rt, feed(), 2}.place("net")
	for _, text := range []string{"", "{", "null", "[]", `{"x":1}`, `{"` + place + `":{"Batch":33}}`} {
		testdata.OK(t, os.WriteFile(file, []byte(text), 0o600))
		if got, err := (&Tuner{File: file}).Tune(t.Context(), rt, feed(), "net", 2, leastInferences); err != nil ||
			got != (engine.Tuning{}) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestTunerMeasuresOnlyWhatPays(t *testing.T) {
	for _, test := range []struct {
		name       string
		milli      float64
		inferences int64
		probes     int
	}{
		{"few images", 1000, leastInferences - 1, 0},
		{"a fast model", 0.1, leastInferences, 1},
		{"a slow model", 75, leastInferences, 1 + 3},   // 64 images take 150 ms
		{"a slower model", 76, leastInferences, 1 + 2}, // larger batches would take longer
		{"a very slow model", 301, leastInferences, 1 + 1},
	} {
		rt := &paced{fast: 16, milli: test.milli}
		got, err := (&Tuner{}).Tune(t.Context(), rt, feed(), "net", 1, test.inferences)
		if err != nil || len(rt.probed) != test.probes || (got.Batch != 0) != (test.probes > 1) {
			t.Errorf("%s: %+v after %d probes, %v", test.name, got, len(rt.probed), err)
		}
	}
}

// A process asks once, also where nothing is worth it, nothing can be measured or the file cannot
// be written.
func TestTunerRemembers(t *testing.T) {
	for _, test := range []struct {
		name   string
		rt     *paced
		probes int
	}{
		{"not worth it", &paced{fast: 16}, 1},
		{"no trial run passes", &paced{refuse: engine.DefaultBatch, milli: 100}, 1},
		{"no file", &paced{fast: 16, milli: 100}, 1 + 2},
	} {
		tuner := &Tuner{File: filepath.Join(t.TempDir(), "\x00")}
		for range 3 {
			testdata.Must(tuner.Tune(t.Context(), test.rt, feed(), "net", 1, leastInferences))(t)
		}
		if len(test.rt.probed) != test.probes {
			t.Errorf("%s: probed %v", test.name, test.rt.probed)
		}
	}
	// What does not pay for some images may pay for more.
	rt := &paced{fast: 16, milli: 10}
	tuner := &Tuner{}
	if got, err := tuner.Tune(t.Context(), rt, feed(), "net", 1, leastInferences); err != nil ||
		got != (engine.Tuning{}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := tuner.Tune(t.Context(), rt, feed(), "net", 1, 100*leastInferences); err != nil || got.Batch == 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTunerStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := filepath.Join(t.TempDir(), "tuning.json")
	testdata.ErrorIs(t, "error", testdata.Err((&Tuner{File: file, Always: true}).Tune(ctx, &paced{}, feed(), "net", 1,
		math.MaxInt64)), context.Canceled)
	testdata.ErrorIs(t, "a calibration that was stopped left", testdata.Err(os.Stat(file)), os.ErrNotExist)
}

// held is a runtime whose first trial run waits until it is let go.
type held struct {
	paced
	begun, free chan struct{}
}

func (h *held) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	if len(h.probed) == 0 {
		close(h.begun)
		<-h.free
	}
	return h.paced.Probe(ctx, feed)
}

// TestTunerWaitsAsLongAsTheContext: while one model is measured, another one's run can be
// cancelled, and what is known is told at once.
func TestTunerWaitsAsLongAsTheContext(t *testing.T) {
	tuner := &Tuner{Always: true}
	known := testdata.Must(tuner.Tune(t.Context(), &paced{fast: 16}, feed(), "known", 1, 1))(t)
	slow := &held{paced: paced{fast: 32}, begun: make(chan struct{}), free: make(chan struct{})}
	first := make(chan error)
	go func() {
		_, err := tuner.Tune(t.Context(), slow, feed(), "first", 1, 1)
		first <- err
	}()
	<-slow.begun
	if again, err := tuner.Tune(t.Context(), &paced{}, feed(), "known", 1, 1); again != known || err != nil {
		t.Errorf("%+v, %v in place of %+v", again, err, known)
	}
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error)
	go func() {
		_, err := tuner.Tune(ctx, &paced{}, feed(), "second", 1, 1)
		second <- err
	}()
	cancel()
	testdata.ErrorIs(t, "error", <-second, context.Canceled)
	close(slow.free)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
