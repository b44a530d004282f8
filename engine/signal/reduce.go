package signal

import (
	"fmt"
	"math"
	"strings"
)

// Reducer turns the tensor of one image into a number (spec/variance.md section 3).
type Reducer int

// The reducers, in the order in which a unit stores them. Standard deviations are over the
// population.
const (
	Mean    Reducer = iota // mean of all entries
	Std                    // standard deviation of all entries
	Max                    // largest entry
	Min                    // smallest entry
	MeanMax                // largest of the channel means
	MeanStd                // standard deviation of the channel means
	MaxMean                // mean of the channel maxima
	MaxStd                 // standard deviation of the channel maxima
	MeanAbs                // mean of the absolute values of all entries; units of versions before it lack it
)

// Reducers is the number of reducers.
const Reducers = 9

var reducerNames = [Reducers]string{
	"mean", "std", "max", "min", "mean_max", "mean_std", "max_mean", "max_std", "mean_abs",
}

// String is the spec's word: "mean", "max_mean", ...
func (r Reducer) String() string {
	if r < 0 || int(r) >= Reducers {
		return fmt.Sprintf("reducer %d", int(r))
	}
	return reducerNames[r]
}

// ParseReducer reads one of the spec's words.
func ParseReducer(text string) (Reducer, error) {
	for r, name := range reducerNames {
		if name == text {
			return Reducer(r), nil
		}
	}
	return 0, fmt.Errorf("%q is no reducer; use one of %s", text, strings.Join(reducerNames[:], ", "))
}

// Reduce computes all reducers of one image's tensor of the given number of channels, in float64,
// and rounds each once. The tensor is C x H x W (a vector is C x 1 x 1), or H x W x C with last, as
// the tokens of a transformer lie. Nothing is allocated. NaN or infinite entries make Mean NaN or
// infinite, so a look at Mean finds them. It panics when the tensor is empty or not a whole number
// of channels.
func Reduce(dst *[Reducers]float32, tensor []float32, channels int, last bool) {
	var wide [Reducers]float64
	reduce(&wide, tensor, channels, last)
	for r, v := range wide {
		dst[r] = float32(v)
	}
}

// reduce takes every sum of deviations from a member: of entries from the first entry, of channel
// sums from the first channel's, of maxima from the first. A member's squared deviation from the
// mean is at most n times the variance, so the subtraction in spread loses at most a factor n of
// float64's precision, however large the mean is.
func reduce[T float32 | float64](dst *[Reducers]float64, tensor []T, channels int, last bool) {
	if channels <= 0 || len(tensor) == 0 || len(tensor)%channels != 0 {
		panic(fmt.Sprintf("signal: a tensor of %d entries has no %d channels", len(tensor), channels))
	}
	size := len(tensor) / channels
	shift := float64(tensor[0])
	all := totals{shift: shift, lowest: shift}
	if size == 1 {
		reduceVector(dst, tensor, &all)
		return
	}
	over := scanChannels(tensor, channels, last, &all)
	n, c := float64(size), float64(channels)
	total := over.first[0]*c + over.sums[0]
	*dst = [Reducers]float64{
		Mean: shift + total/(n*c), Std: spread(all.squares(), total, len(tensor)), Max: over.highest[1],
		Min: all.lowest, MeanMax: shift + over.highest[0]/n,
		MeanStd: spread(over.squares[0], over.sums[0], channels) / n, MaxMean: over.first[1] + over.sums[1]/c,
		MaxStd: spread(over.squares[1], over.sums[1], channels),
	}
	dst[MeanAbs] = all.meanAbs(dst[Mean], over.highest[1], len(tensor))
}

// reduceVector is the case of one entry per channel: channel means and maxima are the entries
// themselves.
func reduceVector[T float32 | float64](dst *[Reducers]float64, vector []T, all *totals) {
	sum, highest := scan(vector, all)
	mean, std := all.shift+sum/float64(len(vector)), spread(all.squares(), sum, len(vector))
	*dst = [Reducers]float64{
		Mean: mean, Std: std, Max: highest, Min: all.lowest,
		MeanMax: highest, MeanStd: std, MaxMean: mean, MaxStd: std, MeanAbs: all.meanAbs(mean, highest, len(vector)),
	}
}

// spread is the population's standard deviation from the sums of n deviations and of their squares.
func spread(squares, sum float64, n int) float64 {
	return math.Sqrt(max(0, squares-sum*(sum/float64(n))) / float64(n))
}

// totals runs on from channel to channel. Four sums keep the processor's adders busy.
type totals struct {
	shift          float64 // what deviations are taken from
	q0, q1, q2, q3 float64 // squared deviations
	a0, a1, a2, a3 float64 // absolute values
	lowest         float64
}

func (t *totals) squares() float64 { return (t.q0 + t.q1) + (t.q2 + t.q3) }

// meanAbs is the mean of the absolute values of n entries with that mean and maximum. Without
// entries of both signs it is the mean itself or its negative, to the bit.
func (t *totals) meanAbs(mean, highest float64, n int) float64 {
	switch {
	case t.lowest >= 0:
		return mean
	case highest <= 0:
		return -mean
	}
	return ((t.a0 + t.a1) + (t.a2 + t.a3)) / float64(n)
}

// scan reads a channel once and returns the sum of its deviations and its maximum.
func scan[T float32 | float64](x []T, t *totals) (sum, highest float64) {
	if narrow, ok := any(x).([]float32); ok {
		return scan32(narrow, t)
	}
	return strided(x, 1, t)
}

// strided is scan for the entries 0, step, 2 step, ...
func strided[T float32 | float64](x []T, step int, t *totals) (sum, highest float64) {
	low, high := T(t.lowest), x[0]
	for i := 0; i < len(x); i += step {
		v := x[i]
		d := float64(v) - t.shift
		sum += d
		t.q0 += float64(d * d)
		t.a0 += math.Abs(float64(v))
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	t.lowest = float64(low)
	return sum, float64(high)
}

// scan32 is scan for the tensors that inference gives: unrolled, and with minimum and maximum over
// integers that are ordered as the floats are, which needs no branch that a processor could
// mispredict.
func scan32(x []float32, t *totals) (sum, highest float64) {
	shift := t.shift
	var s0, s1, s2, s3 float64
	q0, q1, q2, q3 := t.q0, t.q1, t.q2, t.q3
	a0, a1, a2, a3 := t.a0, t.a1, t.a2, t.a3
	low, high := ordered(float32(t.lowest)), ordered(x[0])
	i := 0
	for ; i+4 <= len(x); i += 4 {
		v := x[i : i+4 : i+4]
		a, b, c, d := float64(v[0])-shift, float64(v[1])-shift, float64(v[2])-shift, float64(v[3])-shift
		s0, s1, s2, s3 = s0+a, s1+b, s2+c, s3+d
		q0, q1, q2, q3 = q0+float64(a*a), q1+float64(b*b), q2+float64(c*c), q3+float64(d*d)
		a0, a1 = a0+math.Abs(float64(v[0])), a1+math.Abs(float64(v[1]))
		a2, a3 = a2+math.Abs(float64(v[2])), a3+math.Abs(float64(v[3]))
		k, l, m, n := ordered(v[0]), ordered(v[1]), ordered(v[2]), ordered(v[3])
		low, high = min(low, k, l, m, n), max(high, k, l, m, n)
	}
	for ; i < len(x); i++ {
		d := float64(x[i]) - shift
		s0, q0, a0 = s0+d, q0+float64(d*d), a0+math.Abs(float64(x[i]))
		low, high = min(low, ordered(x[i])), max(high, ordered(x[i]))
	}
	t.q0, t.q1, t.q2, t.q3, t.lowest = q0, q1, q2, q3, float64(fromOrdered(low))
	t.a0, t.a1, t.a2, t.a3 = a0, a1, a2, a3
	return (s0 + s1) + (s2 + s3), float64(fromOrdered(high))
}

// ordered maps a float32 to an integer of the same order: negative floats, whose bits grow with
// their size, get all bits but the sign turned round. It is its own inverse on the bits.
func ordered(f float32) int32 {
	i := int32(math.Float32bits(f))
	return i ^ int32(uint32(i>>31)>>1)
}

func fromOrdered(i int32) float32 {
	return math.Float32frombits(uint32(i ^ int32(uint32(i>>31)>>1)))
}
