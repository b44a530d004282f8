package scatter

import (
	"math"
	"slices"
)

// slow is the direct formula of spec section 10: every element looks at every point.
func slow(c Cloud, raster int, p Interpolant) Matrix {
	return slowOf(slowPoints(c, raster), raster, p)
}

// slowPoint is a point in pixel units.
type slowPoint struct{ x, y, value float64 }

func slowPoints(c Cloud, raster int) []slowPoint {
	var list []slowPoint
	for t, distances := range c.Distances {
		for i := range distances {
			for j := range distances {
				x := distances[i]*float64(raster)/c.D - 0.5
				y := distances[j]*float64(raster)/c.D - 0.5
				list = append(list, slowPoint{x, y, math.Abs(c.Signals[t][i] - c.Signals[t][j])})
			}
		}
	}
	return list
}

func slowOf(points []slowPoint, raster int, p Interpolant) Matrix {
	m := Matrix{R: raster, Values: make([]float64, raster*raster)}
	for b := range raster {
		for a := range raster {
			var numerator, denominator float64
			near := nearby{most: p.K}
			for _, q := range points {
				distance2 := (q.x-float64(a))*(q.x-float64(a)) + (q.y-float64(b))*(q.y-float64(b))
				if distance2 <= p.Size/2*(p.Size/2) {
					phi := math.Exp(-distance2 / (2 * p.Sigma * p.Sigma))
					numerator, denominator = numerator+phi*q.value, denominator+phi
				}
				near.take(distance2, q.value)
			}
			if p.K > 0 {
				u := 0.0
				for _, v := range near.values {
					u += v
				}
				numerator, denominator = numerator+u/float64(len(near.values)), denominator+1
			}
			if denominator < 0x1p-1022 {
				numerator = math.NaN()
			}
			m.Values[b*raster+a] = numerator / denominator
		}
	}
	return m
}

// nearby keeps the nearest points in a sorted list; a later one comes behind those at the same
// distance.
type nearby struct {
	most              int
	distances, values []float64
}

func (n *nearby) take(distance, value float64) {
	if len(n.values) == n.most && (n.most == 0 || distance >= n.distances[n.most-1]) {
		return
	}
	at := 0
	for at < len(n.distances) && n.distances[at] <= distance {
		at++
	}
	n.distances, n.values = slices.Insert(n.distances, at, distance), slices.Insert(n.values, at, value)
	if len(n.values) > n.most {
		n.distances, n.values = n.distances[:n.most], n.values[:n.most]
	}
}
