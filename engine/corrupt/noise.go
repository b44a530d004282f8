package corrupt

// gaussianNoise adds N(0, c) to every value.
func gaussianNoise(s setup) (filter, error) {
	std := s.p[0]
	return func(c *call, r raster) error {
		for i := range r.pix {
			r.pix[i] += float64(std * c.random.NormFloat64())
		}
		return nil
	}, nil
}

// shotNoise counts photons: Poisson(x c)/c.
func shotNoise(s setup) (filter, error) {
	photons := s.p[0]
	return func(c *call, r raster) error {
		for i, v := range r.pix {
			r.pix[i] = poisson(c.random, v*photons) / photons
		}
		return nil
	}, nil
}

// impulseNoise sets a share of the values to 0 or 1.
func impulseNoise(s setup) (filter, error) {
	share := s.p[0]
	return func(c *call, r raster) error {
		for i := range r.pix {
			switch u := c.random.Float64(); {
			case u < share/2:
				r.pix[i] = 1
			case u < share:
				r.pix[i] = 0
			}
		}
		return nil
	}, nil
}
