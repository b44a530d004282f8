package corrupt

// brightness adds to the value of HSV and keeps hue and saturation. With the hue and saturation of
// a colour, all its channels grow as the largest one, which is the value; black has none and
// becomes gray.
func brightness(s setup) (filter, error) {
	added := s.p[0]
	return func(_ *call, r raster) error {
		for i := range r.area() {
			area, value := r.area(), 0.0
			for c := range r.channels {
				value = max(value, r.pix[c*area+i])
			}
			lighter := clip(value + added)
			for c := range r.channels {
				at := &r.pix[c*area+i]
				if *at == value {
					*at = lighter
					continue
				}
				*at *= lighter / value
			}
		}
		return nil
	}, nil
}

// contrast brings every channel nearer to its mean over the image.
func contrast(s setup) (filter, error) {
	factor := s.p[0]
	return func(_ *call, r raster) error {
		for c := range r.channels {
			plane := r.plane(c)
			sum := 0.0
			for _, v := range plane {
				sum += v
			}
			mean := sum / float64(len(plane))
			for i, v := range plane {
				plane[i] = float64((v-mean)*factor) + mean
			}
		}
		return nil
	}, nil
}
