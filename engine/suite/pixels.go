package suite

import "image"

// fromRows makes an image of a size from its rows, of which row fills in one after the other as
// RGB in [0, 1]; of a gray one the first value counts.
func fromRows(size image.Point, channels int, c *clock, row func(line [][3]float32, y int) error) (Image, error) {
	img := newImage(size, channels)
	line := make([][3]float32, size.X)
	for y := range size.Y {
		if err := c.check(); err != nil {
			return Image{}, err
		}
		if err := row(line, y); err != nil {
			return Image{}, err
		}
		img.put(line, y, 0, 1)
	}
	return img, nil
}

func newImage(size image.Point, channels int) Image {
	return Image{Channels: channels, Height: size.Y, Width: size.X, Pix: make([]float32, channels*size.X*size.Y)}
}

// put writes pixels of row y, from x on every step.
func (img Image) put(line [][3]float32, y, x, step int) {
	for c := range img.Channels {
		to := img.Pix[(c*img.Height+y)*img.Width+x:]
		for i := range line {
			to[i*step] = line[i][c]
		}
	}
}

// straight8 composites a colour that is not premultiplied on black, without rounding to a byte.
func straight8(r, g, b, a uint8) [3]float32 {
	if a == 255 {
		return [3]float32{levels[r], levels[g], levels[b]}
	}
	share := float64(a) / (255 * 255)
	return [3]float32{float32(float64(r) * share), float32(float64(g) * share), float32(float64(b) * share)}
}

// cmyk8 is red for cyan, green for magenta or blue for yellow, with black, in Pillow's rounding.
func cmyk8(ink, black uint8) uint8 {
	light := 255 - int(black)
	product := int(ink)*light + 128
	return clip8(light - (product>>8+product)>>8)
}

func straight16(v, a uint16) float32 {
	return float32(float64(v) * float64(a) / (65535 * 65535))
}

// upright undoes an EXIF orientation 1..8 in place; any other value changes nothing.
func (img Image) upright(orientation int) Image {
	if orientation < 2 || orientation > 8 {
		return img
	}
	h, w := img.Height, img.Width
	if orientation >= 5 {
		img.Height, img.Width = w, h
	}
	from := make([]float32, h*w)
	for c := range img.Channels {
		to := img.Pix[c*h*w:][:h*w]
		copy(from, to)
		for y := range img.Height {
			for x := range img.Width {
				sy, sx := stored(orientation, y, x, h, w)
				to[y*img.Width+x] = from[sy*w+sx]
			}
		}
	}
	return img
}

// stored is where the pixel that is shown at (y, x) lies in a stored image of h x w pixels.
func stored(orientation, y, x, h, w int) (int, int) {
	switch orientation {
	case 2:
		return y, w - 1 - x
	case 3:
		return h - 1 - y, w - 1 - x
	case 4:
		return h - 1 - y, x
	case 5:
		return x, y
	case 6:
		return h - 1 - x, y
	case 7:
		return h - 1 - x, w - 1 - y
	case 8:
		return x, w - 1 - y
	}
	return y, x
}

// RGBA draws the image with 8 bits per channel, values rounded to the nearest level and limited to
// [0, 1]; for screens.
func (img Image) RGBA() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, img.Width, img.Height))
	area := img.Height * img.Width
	for i := range area {
		for c := range 3 {
			v := img.Pix[min(c, img.Channels-1)*area+i]
			out.Pix[4*i+c] = uint8(max(0, min(1, v))*255 + 0.5)
		}
		out.Pix[4*i+3] = 255
	}
	return out
}
