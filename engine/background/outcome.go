package background

import (
	"cmp"
	"fmt"
	"math"
)

// Outcome is what a classifier did in the scenes of a selection (spec/background.md section 12).
// The shares are of targets with a label, NaN without any.
type Outcome struct {
	Targets       int     // all, with a label or without
	Labelled      int     // those with a label
	Accuracy      float64 // image 0 is classified correctly
	WorstCase     float64 // all images are, image 0 and all composites
	MeanComposite float64 // share of correct composites; NaN without composites
	// share of composites whose prediction differs from image 0's; of all targets; NaN without any
	ChangedShare     float64
	ChangedPerTarget []float64
}

// Judge computes an Outcome from predictions, transformation first (image 0 = the target itself):
// predictions[j][t] is the predicted class of image j of target t, labels[t] the true class in the
// model's numbering, -1 without one. Rows of another length than labels panic.
func Judge(predictions [][]int32, labels []int) Outcome {
	o := Outcome{Targets: len(labels), ChangedPerTarget: make([]float64, len(labels))}
	for j, row := range predictions {
		if len(row) != len(labels) {
			panic(fmt.Sprintf("background: %d predictions of image %d for %d targets", len(row), j, len(labels)))
		}
	}
	composites := predictions[min(1, len(predictions)):]
	right, worst, correct, changed := 0, 0, 0, 0
	for t, label := range labels {
		if len(predictions) == 0 {
			o.ChangedPerTarget[t] = math.NaN()
			continue
		}
		differ, hits := 0, 0
		for _, row := range composites {
			if row[t] != predictions[0][t] {
				differ++
			}
			if int(row[t]) == label {
				hits++
			}
		}
		o.ChangedPerTarget[t] = share(differ, len(composites))
		changed += differ
		if label < 0 {
			continue
		}
		o.Labelled++
		correct += hits
		if int(predictions[0][t]) == label {
			right++
			if hits == len(composites) {
				worst++
			}
		}
	}
	o.Accuracy, o.WorstCase = share(right, o.Labelled), share(worst, o.Labelled)
	o.MeanComposite = share(correct, o.Labelled*len(composites))
	o.ChangedShare = share(changed, len(labels)*len(composites))
	return o
}

// share is n of all, NaN of none.
func share(n, all int) float64 {
	if all == 0 {
		return math.NaN()
	}
	return float64(n) / float64(all)
}

// DefaultThreshold is the scaled value above which a neuron is covered.
const DefaultThreshold = 0.5

// Coverage is the share of neurons that are covered (spec section 12, diversity): neurons holds one
// row of channel means per testing image; a row is scaled to [0, 1] by its own least and largest
// entry, and a neuron is covered if its scaled value is above threshold in at least one row. It
// takes rows one by one, so that images are streamed. It is not safe for several goroutines.
type Coverage struct {
	Threshold float64 // 0.5 by default, also where it is 0
	covered   []bool
}

// Add takes one testing image's neurons. Rows of another length than the first's panic. Entries
// that are not finite cover nothing and do not count as least or largest; a row whose entries are
// all the same covers nothing.
func (c *Coverage) Add(neurons []float32) {
	if c.covered == nil {
		c.covered = make([]bool, len(neurons))
	}
	if len(neurons) != len(c.covered) {
		panic(fmt.Sprintf("background: %d neurons after rows of %d", len(neurons), len(c.covered)))
	}
	threshold := c.Threshold
	threshold = cmp.Or(threshold, DefaultThreshold)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range neurons {
		if a := float64(v); finite(a) {
			low, high = min(low, a), max(high, a)
		}
	}
	for k, v := range neurons {
		if a := float64(v); finite(a) && high > low && (a-low)/(high-low) > threshold {
			c.covered[k] = true
		}
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Share is covered / all, NaN before the first row.
func (c *Coverage) Share() float64 {
	n := 0
	for _, is := range c.covered {
		if is {
			n++
		}
	}
	return share(n, len(c.covered))
}

// F1 is 2PR / (P + R) of recall (coverage) and precision (kappa); a negative kappa counts as 0. It
// is 0 where both are 0, and NaN where one is.
func F1(coverage, kappa float64) float64 {
	kappa = max(kappa, 0)
	if coverage == 0 && kappa == 0 {
		return 0
	}
	return 2 * kappa * coverage / (kappa + coverage)
}
