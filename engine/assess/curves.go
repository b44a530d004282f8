package assess

import (
	"cmp"
	"math"
	"slices"
)

// Point is a point of a curve: what comes out when scores from Threshold on count as variant. A
// curve begins at +Inf, where none does.
type Point struct{ X, Y, Threshold float64 }

// step is where a curve stands after all predictions with scores from threshold on.
type step struct {
	threshold float64
	hits      int // variant models among them
	alarms    int // others
}

// steps has one step per distinct score, descending; it begins with none at +Inf.
type steps []step

// descend walks down the scores of the predictions.
func descend(predictions []Prediction, variant int) steps {
	sorted := slices.Clone(predictions)
	slices.SortStableFunc(sorted, func(a, b Prediction) int { return cmp.Compare(b.Score, a.Score) })
	list := steps{{threshold: math.Inf(1)}}
	for k, p := range sorted {
		if k == 0 || p.Score != sorted[k-1].Score {
			next := list[len(list)-1]
			next.threshold = p.Score
			list = append(list, next)
		}
		last := &list[len(list)-1]
		if p.Truth == variant {
			last.hits++
		} else {
			last.alarms++
		}
	}
	return list
}

// roc is the curve of false against true positive rate and the area under it, which is the share of
// pairs of a variant and another model in which the variant one has the higher score, ties counting
// half (Mann-Whitney). With one class only there is neither.
func (s steps) roc() ([]Point, float64) {
	end := s[len(s)-1]
	if end.hits == 0 || end.alarms == 0 {
		return nil, math.NaN()
	}
	points := make([]Point, len(s))
	halves := 0 // of pairs
	for k, at := range s {
		points[k] = Point{share(at.alarms, end.alarms), share(at.hits, end.hits), at.threshold}
		if k > 0 {
			halves += (at.alarms - s[k-1].alarms) * (at.hits + s[k-1].hits)
		}
	}
	return points, share(halves, 2*end.hits*end.alarms)
}

// pr is the curve of recall against precision, 1 at recall 0, and the average precision: the sum
// over the steps of the gain in recall times the precision there, without interpolation (as
// scikit-learn's). Without a variant model there is neither.
func (s steps) pr() ([]Point, float64) {
	end := s[len(s)-1]
	if end.hits == 0 {
		return nil, math.NaN()
	}
	points := []Point{{0, 1, s[0].threshold}}
	average := 0.0
	for k := 1; k < len(s); k++ {
		precision := share(s[k].hits, s[k].hits+s[k].alarms)
		points = append(points, Point{share(s[k].hits, end.hits), precision, s[k].threshold})
		average += float64(share(s[k].hits-s[k-1].hits, end.hits) * precision)
	}
	return points, average
}
