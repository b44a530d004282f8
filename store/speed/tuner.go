package speed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/variscope/variscope/engine"
)

var _ engine.Tuner = (*Tuner)(nil)

// The bounds of a calibration.
const (
	// leastInferences are not worth a first look, which is a trial run.
	leastInferences = 50_000
	// leastSeconds is how long a run has to take by that look for a calibration of a few seconds to pay.
	leastSeconds = 60
	// margin is what another choice has to be faster by: the default is kept where the difference is within the noise.
	margin = 1.03
	// turns and turn are how often and about how long each batch is measured.
	turns = 4
	turn  = 100 * time.Millisecond
	// slow is how many milliseconds a batch may take to be compared with the default: a larger choice gains little there and costs long.
	slow = 150
)

// Tuner is engine.Tuner by short calibrations, whose results it keeps in a file: one per computer, library and architecture of the
// model with its positions. It is safe for many goroutines.
type Tuner struct {
	// File keeps the choices; empty for none. What cannot be read or written there is measured again.
	File string
	// Always calibrates, however little there is to compute.
	Always bool

	// turn is taken by who measures: two calibrations beside each other would measure each other.
	ready sync.Once
	turn  chan struct{}

	mu sync.Mutex // of what was found out so far
	// made are the answers of this process by place, empty ones too: the many models of an architecture ask one after the other.
	made map[string]engine.Tuning
	// looks are the seconds that an image takes on one worker by the trial run of a place, 0 where that failed.
	looks map[string]float64
}

// Tune looks the choice up, or measures where it is worth it (engine.Tuner).
func (t *Tuner) Tune(
	ctx context.Context, rt engine.Runtime, feed engine.Feed, architecture string, workers int, inferences int64,
) (engine.Tuning, error) {
	if !t.Always && inferences < leastInferences { // whatever is kept: short runs have the same batch everywhere
		return engine.Tuning{}, ctx.Err()
	}
	c := calibration{rt: rt, feed: feed, workers: workers}
	place := placeOf(rt, feed, architecture, workers)
	if known, ok := t.known(place); ok {
		return known, nil
	}
	release, err := t.wait(ctx)
	if err != nil {
		return engine.Tuning{}, err
	}
	defer release()
	if known, ok := t.known(place); ok { // the one before was of the same kind
		return known, nil
	}
	if !t.Always && !t.worthwhile(ctx, place, c, inferences) {
		return engine.Tuning{}, ctx.Err()
	}
	made, ok := c.run(ctx)
	if err := ctx.Err(); err != nil {
		return engine.Tuning{}, err
	}
	if ok {
		keepChoice(t.File, place, made)
	}
	t.remember(place, made.Tuning)
	return made.Tuning, nil
}

// wait takes the turn, as long as ctx lasts; release gives it back.
func (t *Tuner) wait(ctx context.Context) (release func(), err error) {
	t.ready.Do(func() { t.turn = make(chan struct{}, 1) })
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// known is the answer of this process, else that of the file.
func (t *Tuner) known(place string) (engine.Tuning, bool) {
	t.mu.Lock()
	made, ok := t.made[place]
	t.mu.Unlock()
	if ok {
		return made, true
	}
	kept, ok := readChoice(t.File, place)
	if ok {
		t.remember(place, kept.Tuning)
	}
	return kept.Tuning, ok
}

func (t *Tuner) remember(place string, made engine.Tuning) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.made == nil {
		t.made = map[string]engine.Tuning{}
	}
	t.made[place] = made
}

// placeOf names everything that a choice depends on.
func placeOf(rt engine.Runtime, feed engine.Feed, architecture string, workers int) string {
	in := feed.Input
	text := fmt.Sprintf("%s|%d processors|%d workers|%s|ONNX Runtime %s|%s|%s|%q|%q|%dx%dx%d", processor(), runtime.NumCPU(), workers, engine.Level(),
		rt.Version(), architecture, in.Layout, feed.Output, feed.Tensors, in.Channels, in.Height, in.Width)
	if feed.Device.IsGPU() {
		text += "|" + string(feed.Device)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// worthwhile tells whether a run takes long enough, by the time of a batch in a trial run. There is one trial run per place: a longer run
// of the same kind is judged by it as well. Who asks has the turn.
func (t *Tuner) worthwhile(ctx context.Context, place string, c calibration, inferences int64) bool {
	look, ok := t.looks[place]
	if !ok {
		look = c.look(ctx)
		if ctx.Err() != nil {
			return false
		}
		if t.looks == nil {
			t.looks = map[string]float64{}
		}
		t.looks[place] = look
	}
	return look*float64(inferences)/float64(c.workers) >= leastSeconds
}

// calibration measures a model with its positions, whatever the weights and images.
type calibration struct {
	rt      engine.Runtime
	feed    engine.Feed
	workers int
}

// look is the seconds that an image takes on one worker, by a trial run.
func (c calibration) look(ctx context.Context) float64 {
	found, err := c.rt.Probe(ctx, c.feed)
	if err != nil {
		return 0 // the run meets the error, too, and says it
	}
	return found.Milliseconds / 1000 / float64(c.feed.Input.Batch)
}

// run measures each batch with all workers, and the best one with half of them where there are many: processors may share their
// arithmetic in pairs. Batches are measured in turns, since a busy computer is slow for seconds at a time. ok is false where nothing could
// be measured.
func (c calibration) run(ctx context.Context) (made choice, ok bool) {
	candidates := c.candidates(ctx)
	rates := map[int]float64{}
	for k := range turns {
		for _, x := range candidates {
			if k == 0 || !x.long {
				rates[x.batch] = max(rates[x.batch], c.measure(ctx, x.batch, c.workers))
			}
		}
	}
	best := engine.DefaultBatch
	for _, x := range candidates {
		if rates[x.batch] > margin*rates[engine.DefaultBatch] && rates[x.batch] > rates[best] {
			best = x.batch
		}
	}
	if rates[best] == 0 {
		return choice{}, false
	}
	made = choice{Tuning: engine.Tuning{Batch: best}, PerSecond: math.Round(rates[best])}
	if half := c.workers / 2; half > 1 {
		for range turns {
			if rate := c.measure(ctx, best, half); rate > margin*rates[best] && rate > made.PerSecond {
				made.Workers, made.PerSecond = half, math.Round(rate)
			}
		}
	}
	return made, true
}

// candidate is a batch that can be run. The default is one even if it is slow, since everything is held against it, but it is measured
// once only then.
type candidate struct {
	batch int
	long  bool
}

// candidates tries the batches. Those behind a slow one take
// longer still and are left out.
func (c calibration) candidates(ctx context.Context) []candidate {
	var found []candidate
	for _, batch := range engine.Batches() {
		feed := c.feed
		feed.Input.Batch = batch
		probe, err := c.rt.Probe(ctx, feed)
		if err != nil {
			continue
		}
		long := probe.Milliseconds > slow
		if !long || batch == engine.DefaultBatch {
			found = append(found, candidate{batch, long})
		}
		if long && batch >= engine.DefaultBatch {
			break
		}
	}
	return found
}

// measure is the images per second of a batch over a short time; 0 where it cannot be run.
func (c calibration) measure(ctx context.Context, batch, workers int) float64 {
	feed := c.feed
	feed.Input.Batch = batch
	rate, err := together(ctx, c.rt, feed, workers, turn.Seconds())
	if err != nil {
		return 0
	}
	return rate
}
