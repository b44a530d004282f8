package corrupt

// The grid of small disks reaches to 8 on both sides and is smoothed with 3 taps, that of larger
// ones with 5.
const smallDisk = 8

// disk is the kernel of defocus_blur, side x side: the normalised disk smoothed at its rim.
func disk(radius, alias float64) (kernel []float64, side int) {
	reach, taps := smallDisk, 1
	if radius > smallDisk {
		reach, taps = int(radius), 2
	}
	side = 2*reach + 1
	kernel = make([]float64, side*side)
	sum := 0.0
	for i := range kernel {
		y, x := float64(i/side-reach), float64(i%side-reach)
		if y*y+x*x <= radius*radius {
			kernel[i] = 1
			sum++
		}
	}
	for i := range kernel {
		kernel[i] /= sum
	}
	newSmoother(bell(alias, taps), side, side, mirror).apply(newCall(), kernel)
	return kernel, side
}

// defocus correlates with a disk. A disk is symmetric about its middle row, so the rows above and
// below are added first and multiplied once.
type defocus struct {
	reach int
	bands []band // by distance from the middle row
	// ys and xs are the pixels at the places -reach..n-1+reach of a side.
	ys, xs []int
}

func defocusBlur(s setup) (filter, error) {
	kernel, side := disk(s.p[0]*s.scale, s.p[1])
	d := defocus{reach: side / 2, ys: places(s.height, side/2), xs: places(s.width, side/2)}
	for y := d.reach; y < side; y++ {
		b := newBand(kernel[y*side:][:side])
		if b.empty() {
			break // a small disk does not fill its grid
		}
		d.bands = append(d.bands, b)
	}
	return func(c *call, r raster) error {
		for channel := range r.channels {
			d.apply(c, r.plane(channel), r.height, r.width)
		}
		return nil
	}, nil
}

// places are the mirrored pixels of a side of n, reach beyond both ends.
func places(n, reach int) []int {
	at := make([]int, n+2*reach)
	for i := range at {
		at[i] = mirror(i-reach, n)
	}
	return at
}

func (d defocus) apply(c *call, plane []float64, height, width int) {
	taken := c.taken
	wide := width + 2*d.reach
	padded, both, sums := c.take(height*wide), c.take(wide), c.take(wide+1)
	for y := range height {
		row := plane[y*width:][:width]
		for i, x := range d.xs {
			padded[y*wide+i] = row[x]
		}
	}
	for y := range height {
		out := plane[y*width:][:width]
		clear(out)
		for distance, b := range d.bands {
			above := padded[d.ys[y+d.reach-distance]*wide:][:wide]
			below := padded[d.ys[y+d.reach+distance]*wide:][:wide]
			if distance == 0 {
				b.add(out, above, sums)
				continue
			}
			for i, v := range above {
				both[i] = v + below[i]
			}
			b.add(out, both, sums)
		}
	}
	c.taken = taken
}
