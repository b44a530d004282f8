package scatter

import "math"

// Dots is the original scatter picture on side x side pixels: the value of the last point, in order
// of t, i, j, whose pixel it is; NaN without points. It panics for a cloud that Check refuses.
func Dots(c Cloud, side int) Matrix {
	m := picture(c, side, math.NaN())
	for t := range c.Distances {
		at := c.pixels(t, side)
		for i, x := range at {
			for j, y := range at {
				m.Values[y*side+x] = c.value(t, i, j)
			}
		}
	}
	return m
}

// Density is the number of points per pixel of the scatter picture, 0 without any. It panics for a
// cloud that Check refuses.
func Density(c Cloud, side int) Matrix {
	m := picture(c, side, 0)
	for t := range c.Distances {
		at := c.pixels(t, side)
		for _, x := range at {
			for _, y := range at {
				m.Values[y*side+x]++
			}
		}
	}
	return m
}

// LogDensity is log10 of Density, NaN where no point lies: 0 for one point, 3 for a thousand.
func LogDensity(c Cloud, side int) Matrix {
	m := Density(c, side)
	for e, n := range m.Values {
		if m.Values[e] = math.Log10(n); n == 0 {
			m.Values[e] = math.NaN()
		}
	}
	return m
}

// picture is an empty picture of a cloud.
func picture(c Cloud, side int, ground float64) Matrix {
	if err := c.Check(); err != nil {
		panic("scatter: draw a cloud: " + err.Error())
	}
	m := Matrix{R: side, Values: make([]float64, side*side)}
	for e := range m.Values {
		m.Values[e] = ground
	}
	return m
}
