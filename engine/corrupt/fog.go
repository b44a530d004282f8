package corrupt

import "slices"

// fogSide is the side of fog's plasma for images of up to 32 pixels a side.
const fogSide = 32

// prepareFog lays a plasma over the image and keeps its largest value.
func prepareFog(s setup) (filter, error) {
	strength, decay := s.p[0], s.p[1]
	side := covering(fogSide, s.height, s.width)
	return func(c *call, r raster) error {
		largest := slices.Max(r.pix)
		if largest == 0 {
			return nil // black stays black
		}
		fog, mask := plasma(c, side, decay), side-1
		for channel := range r.channels {
			plane := r.plane(channel)
			for i, v := range plane {
				mist := float64(strength * fog[(i/r.width&mask)*side+i%r.width&mask])
				plane[i] = (v + mist) * largest / (largest + strength)
			}
		}
		return nil
	}, nil
}
