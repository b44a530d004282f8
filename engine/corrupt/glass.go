package corrupt

import (
	"math"
	"math/rand/v2"
)

// glass smooths, cuts to 8 bits, moves pixels about, and smooths again.
type glass struct {
	smooth        smoother
	reach, rounds int
	gray, copies  bool
	height, width int
}

// prepareGlass scales sigma and reach, the reach to a whole number of at least 1. Gray images are
// smoothed along the vertical axis alone, as the public code does by taking the last axis for
// channels.
func prepareGlass(s setup) (filter, error) {
	g := glass{
		smooth: newSmoother(gaussian(s.p[0]*s.scale, 4), s.height, s.width, edge),
		reach:  max(1, int(math.Round(s.p[1]*s.scale))), rounds: int(s.p[2]),
		gray: s.channels == 1, copies: s.compat, height: s.height, width: s.width,
	}
	g.smooth.vertical = g.gray
	return g.apply, nil
}

func (g glass) apply(c *call, r raster) error {
	for channel := range r.channels {
		g.smooth.apply(c, r.plane(channel))
	}
	for i, v := range r.pix {
		r.pix[i] = eightBits(v) / 255
	}
	for range g.rounds {
		g.move(c.random, r)
	}
	for channel := range r.channels {
		g.smooth.apply(c, r.plane(channel))
	}
	return nil
}

// move exchanges the pixels that are far enough from the rim with neighbours, from the lower right
// corner on.
func (g glass) move(random *rand.Rand, r raster) {
	for h := g.height - g.reach; h > g.reach; h-- {
		for w := g.width - g.reach; w > g.reach; w-- {
			if g.gray && random.Uint64()&1 == 0 {
				continue
			}
			dx := random.IntN(2*g.reach) - g.reach
			dy := random.IntN(2*g.reach) - g.reach
			g.exchange(r, h*g.width+w, (h+dy)*g.width+w+dx)
		}
	}
}

// exchange swaps two pixels; the public code's exchange of views of RGB pixels copies b onto a and
// leaves b.
func (g glass) exchange(r raster, a, b int) {
	area := r.area()
	for channel := range r.channels {
		p, q := channel*area+a, channel*area+b
		if g.copies && !g.gray {
			r.pix[p] = r.pix[q]
			continue
		}
		r.pix[p], r.pix[q] = r.pix[q], r.pix[p]
	}
}
