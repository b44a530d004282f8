package diagnosis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// keptVersion counts the forms of what is kept: it changes with what is computed and with its form.
const keptVersion = 1

// counted is what is kept of the predictions; a score is made of it in no time.
type counted struct {
	Images     int // with a label
	Accuracies dscore.Accuracies
	Untouched  dscore.Untouched
}

// keptName names what is counted in two sets: their keys stand for model, settings, images and
// sets, the hash for what is right. Equal names have equal results.
func (j *job) keptName() string {
	return fmt.Sprintf("dscore/%d/%s/%s/%s", keptVersion, j.mask.Key, j.shift.Key, truthHash(j.labels, j.mask.ClassMap))
}

// lossName names the intervals of what deleting the regions of one layer costs.
func lossName(mask store.SetInfo, labels []int, o dscore.BootstrapOptions) string {
	return fmt.Sprintf("dscore-layer/%d/%s/%s/%s", keptVersion, mask.Key, truthHash(labels, mask.ClassMap),
		optionText(o))
}

// optionText names what intervals depend on; the number of goroutines does not change them.
func optionText(o dscore.BootstrapOptions) string {
	return fmt.Sprintf("%d/%v/%d", o.Samples, o.Level, o.Seed)
}

// truthHash stands for the true classes of all images, in the model's numbering.
func truthHash(labels, classMap []int) string {
	text, err := json.Marshal([][]int{labels, classMap})
	if err != nil {
		panic("diagnosis: numbers that JSON cannot hold: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// fill computes accuracies, score and intervals, or reads what is kept of them.
func (j *job) fill(ctx context.Context, ws lookup.Signals, how how) error {
	name := j.keptName()
	intervalName := name + "/pivot/" + optionText(how.bootstrap)
	haveCounts := j.readCounts(ws, name)
	haveIntervals := how.scoresOnly || j.readIntervals(ws, intervalName, how.bootstrap)
	if haveCounts && haveIntervals {
		return nil
	}
	hits, untouched, err := j.hits(ctx, ws)
	if err != nil {
		return err
	}
	if !haveCounts {
		if err := j.compute(hits, untouched); err != nil {
			return err
		}
		if err := ws.KeepValue(name, j.counted); err != nil {
			return err
		}
	}
	if haveIntervals {
		return nil
	}
	if j.intervals, err = dscore.Bootstrap(ctx, hits, how.bootstrap, nil); err != nil {
		return err
	}
	return ws.KeepValue(intervalName, j.intervals)
}

// compute makes the score of what was read.
func (j *job) compute(hits dscore.Hits, untouched dscore.Untouched) (err error) {
	j.counted = counted{Images: len(hits.Original), Untouched: untouched}
	if j.counted.Accuracies, err = hits.Accuracies(); err == nil {
		j.score, err = dscore.Compute(j.counted.Accuracies)
	}
	if err != nil {
		return lookup.Unusable(err)
	}
	return nil
}

// readCounts makes the score of what was counted before. What cannot be read, or makes no score of
// this grid, counts as not counted: it is computed again.
func (j *job) readCounts(ws lookup.Signals, name string) bool {
	var c counted
	found, err := ws.KeptValue(name, &c)
	if err != nil || !found || c.Images < 1 || len(c.Accuracies.Variants) != j.grid.N*j.grid.N {
		return false
	}
	score, err := dscore.Compute(c.Accuracies)
	if err != nil {
		return false
	}
	j.counted, j.score = c, score
	return true
}

func (j *job) readIntervals(ws lookup.Signals, name string, o dscore.BootstrapOptions) bool {
	var i dscore.Intervals
	found, err := ws.KeptValue(name, &i)
	regions := j.grid.N * j.grid.N
	if err != nil || !found || i.Samples != o.Samples || i.Level != o.Level {
		return false
	}
	for _, list := range [][]dscore.Interval{i.Features, i.Attention, i.Variants, i.Shifted, i.Loss} {
		if len(list) != regions {
			return false
		}
	}
	j.intervals = i
	return true
}
