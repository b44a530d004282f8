package picture

import (
	"image"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
)

// hatching is the side of what stands for an image that cannot be read.
const hatching = 16

// Read decodes an image of a suite in its own proportions, at most side pixels wide and high. One that cannot be decoded is hatched. It
// is called off the main goroutine.
func Read(from *suite.Suite, at, side int) image.Image {
	img, err := from.Image(at)
	if err != nil || len(img.Pix) == 0 {
		return render.Hatch(hatching)
	}
	return Bounded(img, side)
}

// Bounded is a decoded image in its own proportions, at most side pixels wide and high.
func Bounded(img suite.Image, side int) image.Image {
	if largest := max(img.Height, img.Width); largest > side {
		img = suite.Fit(img, suite.Fitting{
			Channels: img.Channels, Height: max(1, img.Height*side/largest), Width: max(1, img.Width*side/largest),
		})
	}
	return img.RGBA()
}
