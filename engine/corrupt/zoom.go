package corrupt

import "math"

// zoomed is Z along one side of n pixels: cut the centre, enlarge it bilinearly with its corners
// aligned, cut n pixels.
func zoomed(n int, factor float64) line {
	inner := int(math.Ceil(float64(n) / factor))
	enlarged := int(math.RoundToEven(float64(inner) * factor))
	from, skip := (n-inner)/2, (enlarged-n)/2
	l := line{first: make([]int, n), weights: make([][]float64, n)}
	for o := range n {
		at := 0.0
		if enlarged > 1 {
			at = float64((o+skip)*(inner-1)) / float64(enlarged-1)
		}
		below := int(at)
		share := at - float64(below)
		l.first[o], l.weights[o] = from+below, []float64{1 - share, share}
		if share == 0 {
			l.weights[o] = l.weights[o][:1]
		}
	}
	return l
}

// zoom is Z on images of one size.
type zoom struct{ rows, columns line }

func newZoom(height, width int, factor float64) zoom {
	return zoom{rows: zoomed(width, factor), columns: zoomed(height, factor)}
}

// apply zooms a plane from src to dst, which are different room.
func (z zoom) apply(c *call, dst, src []float64) {
	width, taken := len(z.rows.first), c.taken
	room := c.take(len(src))
	z.columns.down(room, src, width)
	z.rows.across(dst, room, width)
	c.taken = taken
}

// zoomBlur is the mean of the image and its zooms by 1 + step q, q = 0..count-1.
func zoomBlur(s setup) (filter, error) {
	count, step := int(s.p[0]), s.p[1]
	zooms := make([]zoom, count)
	for q := range zooms {
		zooms[q] = newZoom(s.height, s.width, 1+float64(step*float64(q)))
	}
	return func(c *call, r raster) error {
		room := c.take(r.area())
		sum := c.take(r.area())
		for channel := range r.channels {
			plane := r.plane(channel)
			copy(sum, plane)
			for _, z := range zooms {
				z.apply(c, room, plane)
				addTimes(sum, 1, room)
			}
			for i, v := range sum {
				plane[i] = v / float64(count+1)
			}
		}
		return nil
	}, nil
}
