package feature

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/variance"
)

// noSpread is the standard deviation, as a share of the largest element, below which a ratio to it
// means nothing.
const noSpread = 1e-12

// measurePaper is profile paper of spec/features.md. Names follow the spec: n = N-1, f is delta
// with its diagonal filled.
func (m *Measurement) measurePaper(delta variance.Matrix, reduced *variance.Matrix, tau float64) {
	triangle := lowerTriangle(delta)
	average := mean(triangle)
	m.Values[SVM] = meanSquare(delta.Data) / 2
	m.Values[Mean] = average
	m.Values[Std] = deviation(triangle)
	m.Values[ASV] = shareAbove(triangle, tau)
	if reduced != nil {
		m.Values[SSTY] = meanSquareDifference(triangle, lowerTriangle(*reduced))
	}
	m.measureGradients(fillDiagonal(delta))
	if average == 0 {
		m.Flags = append(m.Flags, MeanZero)
		return
	}
	sum, _ := discontinuity(delta)
	m.Values[Dctny], m.Values[Asymm] = sum/average, asymmetry(delta)/average
}

// ScaleFree are the extra numbers of spec/features.md, profile paper only: dctny by the root of the
// mean square of a line and asymm by the number of elements below the diagonal, which do not grow
// with the matrix. Both are 0 where all elements are.
func ScaleFree(delta variance.Matrix) (dctny, asymm float64) {
	triangle := lowerTriangle(delta)
	average := mean(triangle)
	if average == 0 {
		return 0, 0
	}
	_, sum := discontinuity(delta)
	return sum / average, asymmetry(delta) / average / float64(len(triangle))
}

func meanSquareDifference(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		d := a[k] - b[k]
		sum += float64(d * d)
	}
	return sum / float64(len(a))
}

// fillDiagonal replaces each diagonal element by the mean of its neighbours in the lower triangle.
func fillDiagonal(delta variance.Matrix) variance.Matrix {
	n := delta.N - 1
	f := variance.Matrix{N: delta.N, Data: slices.Clone(delta.Data)}
	for i := range delta.N {
		var v float64
		switch i {
		case 0:
			v = delta.At(1, 0)
		case n:
			v = delta.At(n, n-1)
		default:
			v = (delta.At(i, i-1) + delta.At(i+1, i)) / 2
		}
		f.Data[i*f.N+i] = v
	}
	return f
}

// measureGradients computes features 6 to 14. Gradients point away from the diagonal.
func (m *Measurement) measureGradients(f variance.Matrix) {
	hg, vg, dg := horizontal(f), vertical(f), diagonal(f)
	v := &m.Values
	v[HGMean], v[HGStd], v[HGRStd] = mean(hg.values), deviation(hg.values), hg.lineDeviation()
	v[VGMean], v[VGStd], v[VGCStd] = mean(vg.values), deviation(vg.values), vg.lineDeviation()
	v[DGMean], v[DGStd] = mean(dg.values), deviation(dg.values)
	if len(dg.values) == 0 {
		m.Flags = append(m.Flags, NoDiagonalGradient)
	}
	limit := noSpread * f.Max()
	sum := 0.0
	for _, ratio := range []struct {
		mean, std float64
		flag      Flag
	}{
		{v[HGMean], v[HGStd], HGRatioUndefined},
		{v[VGMean], v[VGStd], VGRatioUndefined},
		{v[DGMean], v[DGStd], DGRatioUndefined},
	} {
		if ratio.std <= limit { // also where all elements are 0
			m.Flags = append(m.Flags, ratio.flag)
			continue
		}
		sum += ratio.mean / ratio.std
	}
	v[GOverall] = sum / 3
}

// horizontal is eh_ij = f_i,j-1 - f_ij, one line per row i = 1..n.
func horizontal(f variance.Matrix) gradient {
	g := newGradient(f.N)
	for i := 1; i < f.N; i++ {
		for j := 1; j <= i; j++ {
			g.add(f.At(i, j-1) - f.At(i, j))
		}
		g.endLine()
	}
	return g
}

// vertical is ev_ij = f_i+1,j - f_ij, one line per column j = 0..n-1.
func vertical(f variance.Matrix) gradient {
	g := newGradient(f.N)
	for j := range f.N - 1 {
		for i := j; i < f.N-1; i++ {
			g.add(f.At(i+1, j) - f.At(i, j))
		}
		g.endLine()
	}
	return g
}

// diagonal is ed_ij = f_i+1,j-1 - f_ij, empty for two transformations.
func diagonal(f variance.Matrix) gradient {
	g := newGradient(f.N)
	for i := 1; i < f.N-1; i++ {
		for j := 1; j <= i; j++ {
			g.add(f.At(i+1, j-1) - f.At(i, j))
		}
		g.endLine()
	}
	return g
}

// discontinuity is the numerator of dctny and of its scale-free form.
func discontinuity(delta variance.Matrix) (printed, scaleFree float64) {
	line := make([]float64, 0, delta.N)
	for r := 1; r < delta.N-1; r++ {
		line = appendDiagonal(line[:0], delta, r)
		sum, length := squares(line), float64(len(line))
		printed += sum
		scaleFree += length / float64(delta.N) * math.Sqrt(sum/length)
	}
	return printed, scaleFree
}

// asymmetry is the numerator of asymm: the sum over the lower triangle of what reflection about the
// second diagonal changes.
func asymmetry(delta variance.Matrix) float64 {
	n, sum := delta.N-1, 0.0
	for i := range delta.N {
		for j := range i {
			sum += math.Abs(delta.At(i, j) - delta.At(n-j, n-i))
		}
	}
	return sum
}
