package speed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// sized is a computer that has room for batches up to most, whose pace grows with them.
type sized struct {
	paced
	most  int
	mu    sync.Mutex
	rated []int
}

var errMemory = errors.New("not enough memory")

// Rate implements engine.Runtime.
func (s *sized) Rate(ctx context.Context, feed engine.Feed, _ float64) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rated = append(s.rated, feed.Input.Batch)
	if feed.Input.Batch > s.most {
		return 0, errMemory
	}
	return float64(feed.Input.Batch), ctx.Err()
}

// newSubject is a model on a suite of three images, on a computer.
func newSubject(t *testing.T, on *sized) *subject {
	t.Helper()
	ws, images := sums.Workspace(t, sums.Pets(t, 3))
	m, _, err := ws.AddModel(sums.Model("net"), strings.NewReader("net"))
	testdata.OK(t, err)
	family := testdata.Must(transform.Parse("rotation:-10:10:10"))(t)
	return &subject{
		Benchmark: Benchmark{Workspace: ws, Runtime: on, Workers: 1, Slice: time.Minute, Images: 2, Family: family},
		model:     m, suite: images,
	}
}

// TestCeilingWithWhatFits: a batch that passes its trial run may need more memory than there is
// with all workers. The ceiling is the best of the others then, and neither that batch nor a
// larger one is tried again.
func TestCeilingWithWhatFits(t *testing.T) {
	on := &sized{paced: paced{version: "1.0"}, most: 32}
	s := newSubject(t, on)
	err := s.prepare(t.Context())
	if batch := s.ceiling.feed.Input.Batch; err != nil || batch != 32 {
		t.Fatalf("batch %d, %v", batch, err)
	}
	want := slices.Concat([]int{8, 16, 32, 64}, slices.Repeat([]int{8, 16, 32}, turns-1))
	testdata.Equal(t, "measured", on.rated, want)
}

// TestCeilingWhereNothingFits: the error is that of the smallest batch, and names the model.
func TestCeilingWhereNothingFits(t *testing.T) {
	err := newSubject(t, &sized{paced: paced{version: "1.0"}, most: 1}).prepare(t.Context())
	if !errors.Is(err, errMemory) || !strings.Contains(fmt.Sprint(err), "model net") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = newSubject(t, &sized{paced: paced{version: "1.0"}, most: 32}).prepare(ctx)
	testdata.ErrorIs(t, "error", err, context.Canceled)
}

func TestTables(t *testing.T) {
	if err := errors.Join(Results.Check(), Computers.Check(), Scales.Check()); err != nil {
		t.Error(err)
	}
}

// TestScaleGainsWithEachDoubling: four workers that are 2.25 times as fast gain 1.5 per doubling,
// and gain it twice more up to sixteen.
func TestScaleGainsWithEachDoubling(t *testing.T) {
	s := Result{PerSecond: 1000, Workers: 4, Gain: 2.25, Bytes: 10, Inferences: 5}.Scale()
	if math.Abs(s.GainPerDoubling-1.5) > 1e-12 || math.Abs(s.OnCores-s.Here/2.25) > 1e-6 || s.AtBest != s.Here/4 ||
		s.Here != scaleInferences/1000 || s.Bytes != 2*scaleInferences {
		t.Errorf("%+v", s)
	}
	for _, r := range []Result{
		{PerSecond: 1, Workers: 1, Inferences: 1},
		{PerSecond: 1, Workers: 2, Gain: 3, Inferences: 1},
	} {
		if got := r.Scale().GainPerDoubling; got != 2 {
			t.Errorf("%+v gains %v", r, got)
		}
	}
	if got := (Result{PerSecond: 1, Workers: 2, Gain: 0.5, Inferences: 1}).Scale().GainPerDoubling; got != 1 {
		t.Errorf("a loss gains %v", got)
	}
}
