package corrupt

// snow is a layer of flakes, zoomed, cut, blurred in one direction, over a whitened image.
type snow struct {
	mean, std float64
	zoom      zoom
	threshold float64
	motion    motion
	mix       float64
}

func prepareSnow(s setup) (filter, error) {
	f := snow{
		mean: s.p[0], std: s.p[1], zoom: newZoom(s.height, s.width, s.p[2]), threshold: s.p[3],
		motion: newMotion(s.p[4]*s.scale, s.p[5]*s.scale), mix: s.p[6],
	}
	return f.apply, nil
}

func (s snow) apply(c *call, r raster) error {
	drawn, layer := c.take(r.area()), c.take(r.area())
	for i := range drawn {
		drawn[i] = s.mean + float64(s.std*c.random.NormFloat64())
	}
	s.zoom.apply(c, layer, drawn)
	for i, v := range layer {
		if v < s.threshold {
			v = 0
		}
		layer[i] = eightBits(v) / 255
	}
	s.motion.apply(c, layer, r.width, -90+c.uniform(45))
	area := r.area()
	for i := range area {
		white := 1.5*r.gray(i) + 0.5
		flakes := layer[i] + layer[area-1-i] // the second is the layer rotated by 180 degrees
		for channel := range r.channels {
			at := &r.pix[channel*area+i]
			*at = float64(s.mix**at) + float64((1-s.mix)*max(*at, white)) + flakes
		}
	}
	return nil
}
