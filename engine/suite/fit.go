package suite

import (
	"math"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/resample"
)

// Fitting is what a model's input wants of an image. A zero takes the image's own value.
type Fitting struct {
	Channels, Height, Width int
	Resize                  model.Resize // empty is Stretch
}

// Luma weights of the gray value (DESIGN.md section 5).
const (
	lumaRed   = 0.299
	lumaGreen = 0.587
	lumaBlue  = 0.114
)

// Fit brings an image to a model's input: RGB to gray by luma or gray to RGB by repetition, and the size by the triangle
// filter of spec/dscore.md section 2, in float64 with one rounding at the end. Stretch resizes both sides; Crop resizes
// until the target is just covered, the other side rounded down, and takes the centre (halves to even). An image that
// fits already is returned itself, without a copy.
func Fit(img Image, to Fitting) Image {
	to = to.of(img)
	if to.Channels == img.Channels && to.Height == img.Height && to.Width == img.Width {
		return img
	}
	planes := toPlanes(img, to.Channels)
	height, width := to.Height, to.Width
	if to.Resize == model.Crop {
		height, width = cover(img.Height, img.Width, to.Height, to.Width)
	}
	for i := range planes {
		planes[i] = planes[i].resize(height, width).crop(to.Height, to.Width)
	}
	return fromPlanes(planes, to)
}

func (to Fitting) of(img Image) Fitting {
	if to.Channels == 0 {
		to.Channels = img.Channels
	}
	if to.Height == 0 {
		to.Height = img.Height
	}
	if to.Width == 0 {
		to.Width = img.Width
	}
	return to
}

// cover is the smallest size with the image's proportions that covers height x width.
func cover(imageHeight, imageWidth, height, width int) (int, int) {
	if height*imageWidth >= width*imageHeight {
		return height, max(width, height*imageWidth/imageHeight)
	}
	return max(height, width*imageHeight/imageWidth), width
}

// plane is one channel in float64.
type plane struct {
	height, width int
	pix           []float64
}

// toPlanes gives the planes that have to be resized: one for a gray result or a gray image, else one per channel.
func toPlanes(img Image, channels int) []plane {
	area := img.Height * img.Width
	wide := make([]float64, len(img.Pix))
	for i, v := range img.Pix {
		wide[i] = float64(v)
	}
	if channels == 1 && img.Channels == 3 {
		for i := range area {
			wide[i] = float64(lumaRed*wide[i]) + float64(lumaGreen*wide[area+i]) + float64(lumaBlue*wide[2*area+i])
		}
		wide = wide[:area]
	}
	planes := make([]plane, len(wide)/area)
	for c := range planes {
		planes[c] = plane{img.Height, img.Width, wide[c*area : (c+1)*area]}
	}
	return planes
}

// fromPlanes rounds to float32; a single plane is repeated for every channel.
func fromPlanes(planes []plane, to Fitting) Image {
	area := to.Height * to.Width
	img := Image{Channels: to.Channels, Height: to.Height, Width: to.Width, Pix: make([]float32, to.Channels*area)}
	for c := range to.Channels {
		for i, v := range planes[min(c, len(planes)-1)].pix {
			img.Pix[c*area+i] = float32(v)
		}
	}
	return img
}

// resize applies the triangle filter along each side whose size changes.
func (p plane) resize(height, width int) plane {
	if width != p.width {
		out := plane{p.height, width, make([]float64, p.height*width)}
		for x, f := range resample.Triangle(p.width, width) {
			for y := range p.height {
				out.pix[y*width+x] = f.Sum(p.pix[y*p.width:], 1)
			}
		}
		p = out
	}
	if height != p.height {
		out := plane{height, p.width, make([]float64, height*p.width)}
		for y, f := range resample.Triangle(p.height, height) {
			for x := range p.width {
				out.pix[y*p.width+x] = f.Sum(p.pix[x:], p.width)
			}
		}
		p = out
	}
	return p
}

// crop takes the centre height x width; a margin of half a pixel is rounded to even.
func (p plane) crop(height, width int) plane {
	if height == p.height && width == p.width {
		return p
	}
	top, left := margin(p.height, height), margin(p.width, width)
	out := plane{height, width, make([]float64, 0, height*width)}
	for y := top; y < top+height; y++ {
		out.pix = append(out.pix, p.pix[y*p.width+left:y*p.width+left+width]...)
	}
	return out
}

// margin is what lies before the middle of a side.
func margin(size, middle int) int { return int(math.RoundToEven(float64(size-middle) / 2)) }
