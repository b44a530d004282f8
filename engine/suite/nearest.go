package suite

// Nearest is Fit for masks, which take the nearest pixel in place of a filter (DESIGN.md section
// 5): pixel (y, x) of the result is pixel (rows[y], columns[x]) of an image of height x width, none
// of it where one of them is -1 (padding). Centres lie at half pixels; a centre between two pixels
// takes the higher one.
func (to Fitting) Nearest(height, width int) (rows, columns []int) {
	r, c := to.of(Image{Height: height, Width: width}).sides(height, width)
	return r.nearest(), c.nearest()
}

func (s side) nearest() []int {
	from := make([]int, s.count)
	for k := range from {
		at := s.first + k
		if from[k] = (2*at + 1) * s.src / (2 * s.size); at < 0 || at >= s.size {
			from[k] = -1
		}
	}
	return from
}
