package suite

import "github.com/variscope/variscope/engine/model"

// Nearest is Fit for masks, which take the nearest pixel in place of the triangle filter (DESIGN.md section 5): pixel (y, x) of the
// result is pixel (rows[y], columns[x]) of an image of height x width. Centres lie at half pixels; a centre between two pixels takes
// the higher one.
func (to Fitting) Nearest(height, width int) (rows, columns []int) {
	to = to.of(Image{Height: height, Width: width})
	h, w := to.Height, to.Width
	if to.Resize == model.Crop {
		h, w = cover(height, width, to.Height, to.Width)
	}
	return nearest(height, h, to.Height), nearest(width, w, to.Width)
}

// nearest resizes a side of src pixels to size and takes the middle of it, as crop does.
func nearest(src, size, middle int) []int {
	first := margin(size, middle)
	from := make([]int, middle)
	for k := range from {
		from[k] = (2*(first+k) + 1) * src / (2 * size)
	}
	return from
}
