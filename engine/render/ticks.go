package render

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Ticks returns at most `most` values inside [low, high] that are multiples of a step of 1, 2 or 5
// times a power of ten, ascending; the smallest such step is taken. It returns nil when the range
// is empty or not finite or most < 1. A range so narrow for its numbers that 12 digits do not tell
// its multiples apart has fewer, or none.
func Ticks(low, high float64, most int) []float64 {
	width := high - low
	if !(width > 0) || math.IsInf(width, 0) || most < 1 {
		return nil
	}
	step := RoundUp(width / float64(most))
	if step == 0 { // of the smallest numbers there are
		return nil
	}
	for {
		first, last := math.Ceil(low/step-1e-9), math.Floor(high/step+1e-9)
		if n := int(last-first) + 1; n <= most {
			return multiples(first, step, n)
		}
		step = RoundUp(step * 1.01)
	}
}

// multiples are n multiples of a step from the first on, without those that rounding moves to their
// neighbours. They are counted by whole numbers: of factors as large as those of a narrow range far
// from 0, k and k+1 may be one float64.
func multiples(first, step float64, n int) []float64 {
	list := make([]float64, 0, max(n, 0))
	for i := range n {
		k := first + float64(i)
		v := tidy(k, step)
		if moved := math.Abs(v - float64(k*step)); moved <= step/2 && (len(list) == 0 || v > list[len(list)-1]) {
			list = append(list, v)
		}
	}
	return list
}

// tidy is k*step without the noise of the last bits, so that 3*0.1 is 0.3 and -0 is 0.
func tidy(k, step float64) float64 {
	if k == 0 {
		return 0
	}
	v, err := strconv.ParseFloat(strconv.FormatFloat(k*step, 'g', 12, 64), 64)
	if err != nil {
		return k * step
	}
	return v
}

// TickTexts writes the ticks with the fewest decimals (at most 6) that tell them all exactly; very
// small and very large values come in the form 1e-07. All have the same number of decimals.
func TickTexts(ticks []float64) []string {
	texts := make([]string, len(ticks))
	largest, decimals := 0.0, 0
	for _, v := range ticks {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest > 0 && (largest < 1e-4 || largest >= 1e6) {
		for i, v := range ticks {
			texts[i] = strconv.FormatFloat(v, 'g', 3, 64)
		}
		return texts
	}
	for _, v := range ticks {
		for decimals < 6 && math.Abs(v-rounded(v, decimals)) > 1e-9*math.Max(largest, 1e-3) {
			decimals++
		}
	}
	for i, v := range ticks {
		texts[i] = strconv.FormatFloat(v+0, 'f', decimals, 64)
		if strings.Trim(texts[i], "-0.") == "" {
			texts[i] = strings.TrimPrefix(texts[i], "-")
		}
	}
	return texts
}

func rounded(v float64, decimals int) float64 {
	p := math.Pow10(decimals)
	return math.Round(v*p) / p
}

// Tick is a mark on an axis of sampling values: at row or column Index, which stands for Value.
type Tick struct {
	Index int
	Value float64
	Text  string // without unit
}

// ValueTicks chooses at most `most` ticks for the sampling values V_0..V_{N-1} at equal distances
// in index: both ends always (only the first where most is 1), and the middle, the identity, where
// most >= 3 and N is odd.
func ValueTicks(values []float64, most int) []Tick {
	n := len(values)
	switch {
	case n == 0 || most < 1:
		return nil
	case n == 1 || most == 1:
		return textTicks(values, []int{0})
	}
	half, ends := n-1, most
	if n%2 == 1 && most >= 3 {
		half, ends = (n-1)/2, (most+1)/2 // divide one half alike and mirror it, so that the middle has a tick
	}
	step := stride(values, half, ends)
	var at []int
	for k := 0; k < n; k += step {
		at = append(at, k)
	}
	return textTicks(values, at)
}

// stride is the smallest divisor of half that gives at most `ends` ticks over it; one with round
// steps in V (1, 2 or 5 times a power of ten) is preferred where it still gives five ticks in all.
func stride(values []float64, half, ends int) int {
	smallest := 0
	for s := 1; s <= half; s++ {
		if half%s != 0 || half/s+1 > ends {
			continue
		}
		if smallest == 0 {
			smallest = s
		}
		step := math.Abs(values[s] - values[0])
		if math.Abs(RoundUp(step)-step) <= 1e-6*step && (s == smallest || half/s >= 2) {
			return s
		}
	}
	return max(smallest, 1)
}

func textTicks(values []float64, at []int) []Tick {
	chosen := make([]float64, len(at))
	for k, index := range at {
		chosen[k] = values[index]
	}
	texts := TickTexts(chosen)
	ticks := make([]Tick, len(at))
	for k, index := range at {
		ticks[k] = Tick{Index: index, Value: values[index], Text: texts[k]}
	}
	return ticks
}

// RoundUp is the smallest 1, 2 or 5 times a power of ten that is not below v (up to a relative
// 1e-9), 0 for v <= 0, NaN or infinity.
func RoundUp(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 0
	}
	exponent := int(math.Floor(math.Log10(v)))
	for e := exponent - 1; ; e++ {
		for _, digit := range []float64{1, 2, 5} {
			if c := decimal(digit, e); c >= v*(1-1e-9) {
				return c
			}
		}
	}
}

// decimal is digit x 10^e, the float64 nearest to it.
func decimal(digit float64, e int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(digit, 'f', 0, 64)+"e"+strconv.Itoa(e), 64)
	if err != nil {
		return digit * math.Pow10(e)
	}
	return v
}

// P99Range is the colour range 0..p99 rounded up to 1, 2 or 5 times a power of ten (DESIGN.md
// section 7). p99 is the 99th percentile of the finite values with linear interpolation between
// neighbours (position 0.99 (n-1)). Without a finite positive percentile the range is 0..1. The
// argument is not changed.
func P99Range(values []float64) (low, high float64) {
	finite := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			finite = append(finite, v)
		}
	}
	if len(finite) == 0 {
		return 0, 1
	}
	slices.Sort(finite)
	at := 0.99 * float64(len(finite)-1)
	k := int(at)
	p99 := finite[k]
	if k+1 < len(finite) {
		p99 += float64((at - float64(k)) * (finite[k+1] - finite[k]))
	}
	if high = RoundUp(p99); high <= 0 {
		return 0, 1
	}
	return 0, high
}

// DefaultRange is the shared colour range of a modality given all matrix elements of the round's or
// workspace's models: 0..0.3 for the reducers of CONF, else P99Range (DESIGN.md section 7).
func DefaultRange(modality string, values []float64) (low, high float64) {
	reducer, position, _ := strings.Cut(modality, "@")
	if position == "CONF" && !strings.HasPrefix(reducer, "L") {
		return 0, 0.3
	}
	return P99Range(values)
}
