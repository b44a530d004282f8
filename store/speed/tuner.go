package speed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/durable"
)

var _ engine.Tuner = (*Tuner)(nil)

// The bounds of a calibration.
const (
	// leastInferences are not worth a first look, which is a trial run.
	leastInferences = 50_000
	// leastSeconds is how long a run has to take by that look for a calibration to pay.
	leastSeconds = 60
	// margin is what another choice has to be faster by: the default is kept where the difference
	// is within the noise.
	margin = 1.03
	// turnSeconds is about how long a batch is measured each time.
	turnSeconds = 0.1
	// slowSeconds is how long a batch may take to be compared with the default: a larger choice
	// gains little there and costs long.
	slowSeconds = 0.15
)

// Tuner is engine.Tuner by short calibrations, whose results it keeps in a file: one per computer,
// library and architecture of the model with its positions. It is safe for many goroutines.
type Tuner struct {
	// File keeps the choices; empty for none. What cannot be read or written there is measured
	// again.
	File string
	// Always calibrates, however little there is to compute.
	Always bool

	// made are the answers of this process (engine.Tuning) by place, empty ones too: the many
	// models of an architecture ask one after the other.
	made sync.Map
	// looks are the seconds that an image takes on one worker (float64), by the trial run of a
	// place; 0 where that failed.
	looks sync.Map
}

// measuring is held by who measures: two calibrations beside each other would measure each other.
var measuring = semaphore.NewWeighted(1)

// Tune looks the choice up, or measures where it is worth it (engine.Tuner).
func (t *Tuner) Tune(
	ctx context.Context, rt engine.Runtime, feed engine.Feed, architecture string, workers int, inferences int64,
) (engine.Tuning, error) {
	if !t.Always && inferences < leastInferences { // whatever is kept: short runs have the same batch everywhere
		return engine.Tuning{}, ctx.Err()
	}
	g := gauge{rt, feed, workers}
	place := g.place(architecture)
	if known, ok := t.known(place); ok {
		return known, nil
	}
	if err := measuring.Acquire(ctx, 1); err != nil {
		return engine.Tuning{}, err
	}
	defer measuring.Release(1)
	if known, ok := t.known(place); ok { // the one before was of the same kind
		return known, nil
	}
	image := t.look(ctx, place, g)
	if !t.Always && image*float64(inferences)/float64(workers) < leastSeconds {
		return engine.Tuning{}, ctx.Err()
	}
	chosen := g.choose(ctx, image)
	if ctx.Err() != nil {
		return engine.Tuning{}, ctx.Err()
	}
	t.made.Store(place, chosen)
	t.keep(place, chosen)
	return chosen, nil
}

// look is the seconds of an image by the trial run of a place. There is one per place: a longer
// run of the same kind is judged by it as well.
func (t *Tuner) look(ctx context.Context, place string, g gauge) (seconds float64) {
	if known, ok := t.looks.Load(place); ok {
		return known.(float64)
	}
	if found, err := g.trial(ctx); err == nil { // else the run meets the error, too, and says it
		seconds = found.Milliseconds / 1000 / float64(g.feed.Input.Batch)
	}
	if ctx.Err() == nil {
		t.looks.Store(place, seconds)
	}
	return seconds
}

// choose measures the batches with all workers, and the best one with half of them where there are
// many: processors may share their arithmetic in pairs. An image takes about so many seconds. The
// choice is empty where nothing can be measured.
func (g gauge) choose(ctx context.Context, image float64) (chosen engine.Tuning) {
	batches := slices.DeleteFunc(engine.Batches(), func(batch int) bool {
		return batch != engine.DefaultBatch && float64(batch)*image > slowSeconds
	})
	best, rates, err := g.race(ctx, batches, turnSeconds)
	if err != nil {
		return engine.Tuning{}
	}
	if rates[best] <= margin*rates[engine.DefaultBatch] {
		best = engine.DefaultBatch
	}
	chosen.Batch = best
	if g.workers /= 2; g.workers > 1 {
		_, halves, err := g.race(ctx, []int{best}, turnSeconds)
		if err == nil && halves[best] > margin*rates[best] {
			chosen.Workers = g.workers
		}
	}
	return chosen
}

// place names everything that a choice depends on.
func (g gauge) place(architecture string) string {
	in := g.feed.Input
	text := fmt.Sprintf("%s|%d processors|%d workers|%s|ONNX Runtime %s|%s|%s|%q|%q|%dx%dx%d",
		processor(), runtime.NumCPU(), g.workers, engine.Level(), g.rt.Version(), architecture,
		in.Layout, g.feed.Output, g.feed.Tensors, in.Channels, in.Height, in.Width)
	if g.feed.Device.IsGPU() {
		text += "|" + string(g.feed.Device)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

var modelName = regexp.MustCompile(`(?m)^model name\s*:\s*(.*\S)`)

// processor is the processor's name as far as the system tells it.
func processor() string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	text, _ := os.ReadFile("/proc/cpuinfo") // other systems have none
	if found := modelName.FindSubmatch(text); found != nil {
		name += " " + string(found[1])
	}
	return name
}

// known is the answer of this process, else that of the file where it makes sense.
func (t *Tuner) known(place string) (engine.Tuning, bool) {
	if made, ok := t.made.Load(place); ok {
		return made.(engine.Tuning), true
	}
	kept := t.kept()[place]
	return kept, slices.Contains(engine.Batches(), kept.Batch) && kept.Workers >= 0
}

// kept reads the file; one that is not there or not readable holds nothing.
func (t *Tuner) kept() map[string]engine.Tuning {
	all := map[string]engine.Tuning{}
	text, err := os.ReadFile(t.File)
	if err != nil || json.Unmarshal(text, &all) != nil || all == nil {
		return map[string]engine.Tuning{}
	}
	return all
}

// keep adds a choice to the file. Another process may write at the same time: then one of the two
// measures again, some day. So it does after an error.
func (t *Tuner) keep(place string, chosen engine.Tuning) {
	if t.File == "" || chosen == (engine.Tuning{}) {
		return
	}
	all := t.kept()
	all[place] = chosen
	if durable.Folders(filepath.Dir(t.File)) == nil {
		_ = durable.WritePrivateJSON(t.File, all)
	}
}
