package feature

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/variance"
)

// refcodeLeast is the smallest number of transformations for which profile refcode is defined.
const refcodeLeast = 7

// measureRefcode repeats the arithmetic of the published code, quirks included (spec/features.md,
// profile refcode). All features but ssty see the matrix with its diagonal filled. What the code
// leaves NaN becomes 0, listed and flagged.
func (m *Measurement) measureRefcode(delta variance.Matrix, reduced *variance.Matrix, tau float64) {
	g := fillRefcode(delta)
	v := &m.Values
	v[SVM] = meanSquare(g.Data)
	v[Mean], v[Std] = mean(g.Data), deviation(g.Data)
	v[ASV] = shareAbove(g.Data, tau)
	if reduced != nil {
		v[SSTY] = sumOfDifferences(delta.Data, reduced.Data)
	}
	hg, vg, dg := refcodeHorizontal(g), refcodeVertical(g), refcodeDiagonal(g)
	v[HGMean], v[HGStd], v[HGRStd] = mean(hg.values), deviation(hg.values), hg.withoutLastLine().lineDeviation()
	v[VGMean], v[VGStd], v[VGCStd] = mean(vg.values), deviation(vg.values), vg.withoutLastLine().lineDeviation()
	v[DGMean], v[DGStd] = mean(dg.values), deviation(dg.values)
	v[GOverall] = (ratioOrNaN(v[HGMean], v[HGRStd]) + ratioOrNaN(v[VGMean], v[VGCStd]) +
		ratioOrNaN(v[DGMean], v[DGStd])) / 3
	offDiagonal := sumOf(g.Data) / float64(g.N*g.N-g.N)
	v[Dctny] = ratioOrNaN(refcodeDiscontinuity(g), offDiagonal)
	v[Asymm] = ratioOrNaN(refcodeAsymmetry(g), offDiagonal)
	for f, v := range m.Values {
		if math.IsNaN(v) {
			m.Values[f] = 0
			m.Undefined = append(m.Undefined, Feature(f))
		}
	}
	if len(m.Undefined) > 0 {
		m.Flags = append(m.Flags, RefcodeUndefined)
	}
}

// ratioOrNaN is NaN for a divisor of 0 whatever is divided.
func ratioOrNaN(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

func sumOf(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

func sumOfDifferences(a, b []float64) float64 {
	total := 0.0
	for k := range a {
		total += math.Abs(a[k] - b[k])
	}
	return total
}

// fillRefcode fills the diagonal, and the 3 x 3 block in the middle with one value: the code's
// remedy for images that are equal at -1, 0 and 1 degrees.
func fillRefcode(delta variance.Matrix) variance.Matrix {
	n, k := delta.N-1, delta.N/2
	g := variance.Matrix{N: delta.N, Data: slices.Clone(delta.Data)}
	set := func(a, b int, v float64) { g.Data[a*g.N+b] = v }
	set(0, 0, delta.At(0, 1))
	set(n, n, delta.At(n, n-1))
	for a := 1; a < n; a++ {
		set(a, a, (delta.At(a, a+1)+delta.At(a-1, a))/2)
	}
	centre := (delta.At(k+1, k+2) + delta.At(k-2, k+1)) / 2
	for a := k - 1; a <= k+1; a++ {
		for b := k - 1; b <= k+1; b++ {
			set(a, b, centre)
		}
	}
	return g
}

// refcodeHorizontal has a line per column j = 1..n but the two that touch the middle.
func refcodeHorizontal(g variance.Matrix) gradient {
	k, eh := g.N/2, newGradient(g.N)
	for j := 1; j < g.N; j++ {
		if j == k || j == k+1 {
			continue
		}
		for a := j; a < g.N; a++ {
			eh.add(g.At(a, j-1) - g.At(a, j))
		}
		eh.endLine()
	}
	return eh
}

// refcodeVertical has a line per row a = n-1..0 but the two that touch the middle.
func refcodeVertical(g variance.Matrix) gradient {
	k, ev := g.N/2, newGradient(g.N)
	for a := g.N - 2; a >= 0; a-- {
		if a == k || a == k-1 {
			continue
		}
		for c := range a + 1 {
			ev.add(g.At(a+1, c) - g.At(a, c))
		}
		ev.endLine()
	}
	return ev
}

// refcodeDiagonal are vertical differences, too: the code takes its "diagonal" statistics from that
// array.
func refcodeDiagonal(g variance.Matrix) gradient {
	k, ev := g.N/2, newGradient(g.N)
	for a := g.N - 2; a >= 1; a-- {
		if a == k {
			continue
		}
		for c := 1; c <= a; c++ {
			ev.add(g.At(a+1, c) - g.At(a, c))
		}
		ev.endLine()
	}
	return ev
}

// withoutLastLine leaves out the line that has a single value.
func (g gradient) withoutLastLine() gradient {
	last := len(g.ends) - 1
	return gradient{values: g.values, ends: g.ends[:last]}
}

func refcodeDiscontinuity(g variance.Matrix) float64 {
	line, total := make([]float64, 0, g.N), 0.0
	for r := range g.N - 1 {
		line = appendDiagonal(line[:0], g, r)
		total += float64(g.N-r) / float64(g.N) * deviation(line)
	}
	return total
}

// refcodeAsymmetry is the mean change under reflection over the pairs (a, b) below the second
// diagonal, a+b < n.
func refcodeAsymmetry(g variance.Matrix) float64 {
	n, total, count := g.N-1, 0.0, 0
	for a := range n {
		for b := range n - a {
			total += math.Abs(g.At(a, b) - g.At(n-b, n-a))
			count++
		}
	}
	return total / float64(count)
}
