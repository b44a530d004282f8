package background

import "fmt"

// DistanceBin is an interval of semantic distances with what a classifier did in the scenes that lie in it.
type DistanceBin struct {
	From, To   float64
	Composites int // of targets with a label
	Right      int // of these
}

// Accuracy is the share of right composites, NaN without any.
func (b DistanceBin) Accuracy() float64 { return share(b.Right, b.Composites) }

// OverDistance tells accuracy in the scenes by their distance from the target: the composites of targets with a label, in equal intervals of
// [0, far], each closed below and open above, the last one closed. predictions and labels are those of Judge, distances[t][j] is the
// distance of image j of target t (image 0, the target itself, is not counted). Distances beyond far count in the last interval. It panics
// for fewer than one interval and for lists whose lengths do not fit together.
func OverDistance(predictions [][]int32, labels []int, distances [][]float64, far float64, intervals int) []DistanceBin {
	if intervals < 1 || len(distances) != len(labels) {
		panic(fmt.Sprintf("background: %d intervals, distances of %d targets for %d labels", intervals, len(distances), len(labels)))
	}
	bins := make([]DistanceBin, intervals)
	for k := range bins {
		bins[k].From, bins[k].To = far*float64(k)/float64(intervals), far*float64(k+1)/float64(intervals)
	}
	for t, label := range labels {
		if label < 0 {
			continue
		}
		for j := 1; j < len(predictions); j++ {
			bin := &bins[intervalOf(bins, distances[t][j])]
			bin.Composites++
			if int(predictions[j][t]) == label {
				bin.Right++
			}
		}
	}
	return bins
}

// intervalOf is the last interval that begins at or below a distance.
func intervalOf(bins []DistanceBin, distance float64) int {
	k := len(bins) - 1
	for k > 0 && distance < bins[k].From {
		k--
	}
	return k
}
