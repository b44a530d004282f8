package assess

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// fitThreshold searches greedily (spec/assessors.md): candidates are -inf, the midpoints of
// neighbouring distinct values and +inf. Two classes take the threshold with the most correct rows,
// three the pair; the first in ascending order wins.
func fitThreshold(values []float64, y []int, classes int) []float64 {
	candidates := midpoints(values)
	below := make([][]int, classes) // below[k][c]: rows of class k under candidate c
	for k := range below {
		below[k] = countBelow(values, y, k, candidates)
	}
	last := len(candidates) - 1
	if classes == 2 {
		best := first(len(candidates), func(c int) int { return below[1][c] + below[0][last] - below[0][c] })
		return []float64{candidates[best]}
	}
	// Rows right under the pair (a, b): variant below a, borderline between, invariant from b on.
	// What depends on b alone is kept as its best from each candidate on.
	second := make([]int, len(candidates))
	gain := func(b int) int { return below[1][b] + below[0][last] - below[0][b] }
	second[last] = last
	for b := last - 1; b >= 0; b-- {
		second[b] = second[b+1]
		if gain(b) >= gain(second[b]) {
			second[b] = b
		}
	}
	best := first(len(candidates), func(a int) int { return below[2][a] - below[1][a] + gain(second[a]) })
	return []float64{candidates[best], candidates[second[best]]}
}

// first is the first of n candidates with the largest count.
func first(n int, count func(int) int) int {
	best := 0
	for c := 1; c < n; c++ {
		if count(c) > count(best) {
			best = c
		}
	}
	return best
}

// midpoints are the candidates, ascending. Where the midpoint of two neighbours rounds down to the
// lower one, the upper one parts them.
func midpoints(values []float64) []float64 {
	sorted := slices.Compact(slices.Sorted(slices.Values(values)))
	list := []float64{math.Inf(-1)}
	for k := 1; k < len(sorted); k++ {
		middle := sorted[k-1]/2 + sorted[k]/2
		if middle <= sorted[k-1] {
			middle = sorted[k]
		}
		list = append(list, middle)
	}
	return append(list, math.Inf(1))
}

// countBelow counts the rows of a class that lie below each of the ascending candidates.
func countBelow(values []float64, y []int, class int, candidates []float64) []int {
	var own []float64
	for s, v := range values {
		if y[s] == class {
			own = append(own, v)
		}
	}
	slices.Sort(own)
	counts := make([]int, len(candidates))
	n := 0
	for c, candidate := range candidates {
		for n < len(own) && own[n] < candidate {
			n++
		}
		counts[c] = n
	}
	return counts
}

// class judges a score: the lower, the more variant.
func (t *Threshold) class(value float64) int {
	for k, threshold := range t.Thresholds {
		if value < threshold {
			return len(t.Thresholds) - k
		}
	}
	return 0
}

// margin is the distance to the nearest threshold.
func (t *Threshold) margin(value float64) float64 {
	least := math.Inf(1)
	for _, threshold := range t.Thresholds {
		least = min(least, math.Abs(value-threshold))
	}
	return least
}

func (t *Threshold) validate(classes int) error {
	if !t.Score.known() {
		return fmt.Errorf("the baseline's score %q is not known", t.Score)
	}
	if len(t.Thresholds) != classes-1 {
		return fmt.Errorf("the baseline has %d thresholds for %d classes", len(t.Thresholds), classes)
	}
	if slices.ContainsFunc(t.Thresholds, math.IsNaN) || !slices.IsSorted(t.Thresholds) {
		return fmt.Errorf("the baseline's thresholds %v are not in ascending order", t.Thresholds)
	}
	return nil
}

// The words of thresholds that JSON has no numbers for.
const (
	minusInfinity = "-inf"
	plusInfinity  = "+inf"
)

// thresholdFile is a Threshold in a file.
type thresholdFile struct {
	Score      Score `json:"score"`
	Thresholds []any `json:"thresholds"`
}

// MarshalJSON writes infinite thresholds as the texts "-inf" and "+inf".
func (t Threshold) MarshalJSON() ([]byte, error) {
	file := thresholdFile{Score: t.Score, Thresholds: make([]any, len(t.Thresholds))}
	for k, v := range t.Thresholds {
		switch {
		case math.IsInf(v, -1):
			file.Thresholds[k] = minusInfinity
		case math.IsInf(v, 1):
			file.Thresholds[k] = plusInfinity
		default:
			file.Thresholds[k] = v
		}
	}
	return json.Marshal(file)
}

// UnmarshalJSON reads what MarshalJSON writes and nothing else.
func (t *Threshold) UnmarshalJSON(data []byte) error {
	var file thresholdFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return fmt.Errorf("threshold of the baseline: %w", err)
	}
	read := Threshold{Score: file.Score}
	for _, v := range file.Thresholds {
		number, err := thresholdNumber(v)
		if err != nil {
			return err
		}
		read.Thresholds = append(read.Thresholds, number)
	}
	*t = read
	return nil
}

func thresholdNumber(v any) (float64, error) {
	switch v {
	case minusInfinity:
		return math.Inf(-1), nil
	case plusInfinity:
		return math.Inf(1), nil
	}
	if number, ok := v.(float64); ok {
		return number, nil
	}
	return 0, errors.New(`a threshold of the baseline is neither a number nor "-inf" or "+inf"`)
}
