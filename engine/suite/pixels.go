package suite

import (
	"image"
	"image/color"
)

// fromImage converts a decoded image; gray takes its first channel alone.
func fromImage(m image.Image, gray bool) Image {
	b := m.Bounds()
	img := Image{Channels: 3, Height: b.Dy(), Width: b.Dx()}
	if gray {
		img.Channels = 1
	}
	area := img.Height * img.Width
	img.Pix = make([]float32, img.Channels*area)
	row := rowReader(m)
	line := make([][3]float32, img.Width)
	for y := range img.Height {
		row(line, b.Min.Y+y)
		for x, rgb := range line {
			for c := range img.Channels {
				img.Pix[c*area+y*img.Width+x] = rgb[c]
			}
		}
	}
	return img
}

// rowReader returns a function that reads row y (in the image's coordinates) as RGB in [0, 1], alpha composited on black.
func rowReader(m image.Image) func(line [][3]float32, y int) {
	left := m.Bounds().Min.X
	switch m := m.(type) {
	case *image.Gray:
		return func(line [][3]float32, y int) {
			for x, v := range m.Pix[m.PixOffset(left, y):][:len(line)] {
				line[x] = [3]float32{levels[v], levels[v], levels[v]}
			}
		}
	case *image.CMYK:
		return func(line [][3]float32, y int) {
			pix := m.Pix[m.PixOffset(left, y):]
			for x := range line {
				for c := range line[x] {
					line[x][c] = levels[cmyk8(pix[4*x+c], pix[4*x+3])]
				}
			}
		}
	case *image.RGBA: // premultiplied
		return func(line [][3]float32, y int) {
			pix := m.Pix[m.PixOffset(left, y):]
			for x := range line {
				line[x] = [3]float32{levels[pix[4*x]], levels[pix[4*x+1]], levels[pix[4*x+2]]}
			}
		}
	case *image.NRGBA:
		return func(line [][3]float32, y int) {
			pix := m.Pix[m.PixOffset(left, y):]
			for x := range line {
				line[x] = straight8(pix[4*x], pix[4*x+1], pix[4*x+2], pix[4*x+3])
			}
		}
	}
	return func(line [][3]float32, y int) {
		for x := range line {
			line[x] = fromColour(m.At(left+x, y))
		}
	}
}

func fromColour(c color.Color) [3]float32 {
	switch c := c.(type) {
	case color.NRGBA:
		return straight8(c.R, c.G, c.B, c.A)
	case color.NRGBA64:
		return [3]float32{straight16(c.R, c.A), straight16(c.G, c.A), straight16(c.B, c.A)}
	}
	r, g, b, _ := c.RGBA() // premultiplied, which is composited on black
	return [3]float32{float32(float64(r) / 65535), float32(float64(g) / 65535), float32(float64(b) / 65535)}
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

// upright undoes an EXIF orientation 1..8; any other value changes nothing.
func (img Image) upright(orientation int) Image {
	if orientation < 2 || orientation > 8 {
		return img
	}
	h, w := img.Height, img.Width
	out := Image{Channels: img.Channels, Height: h, Width: w, Pix: make([]float32, len(img.Pix))}
	if orientation >= 5 {
		out.Height, out.Width = w, h
	}
	for c := range img.Channels {
		from, to := img.Pix[c*h*w:(c+1)*h*w], out.Pix[c*h*w:(c+1)*h*w]
		for y := range out.Height {
			for x := range out.Width {
				sy, sx := stored(orientation, y, x, h, w)
				to[y*out.Width+x] = from[sy*w+sx]
			}
		}
	}
	return out
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

// RGBA draws the image with 8 bits per channel, values rounded to the nearest level and limited to [0, 1]; for screens.
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
