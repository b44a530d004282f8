package corrupt

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/suite"
)

// frostSide is the side of frost's plasmas for images of up to 64 pixels a side.
const frostSide = 64

// The substitute for photographs: base = .55 + .35 P1, crystals along the line where P2 is 1/2.
const (
	frostDecay   = 1.7
	frostBase    = .55
	frostRange   = .35
	crystalWidth = .12
	crystalLight = .35
)

// frostTint is the colour of synthetic frost in RGB images.
var frostTint = [3]float64{.88, .95, 1}

// photographShare is what CIFAR-10-C reduces the photographs to before it cuts.
const photographShare = .2

func prepareFrost(s setup) (filter, error) {
	keep, add := s.p[0], s.p[1]
	pane := synthetic(covering(frostSide, s.height, s.width))
	if len(s.frost) > 0 {
		photographs, err := fitted(s)
		if err != nil {
			return nil, err
		}
		pane = photographed(photographs)
	}
	return func(c *call, r raster) error {
		frost := c.take(len(r.pix))
		pane(c, raster{r.channels, r.height, r.width, frost})
		for i, v := range r.pix {
			r.pix[i] = float64(keep*v) + float64(add*frost[i])
		}
		return nil
	}, nil
}

// synthetic draws frost from two plasmas into an image: a random crop, randomly turned by quarters.
func synthetic(side int) func(c *call, into raster) {
	return func(c *call, into raster) {
		ice := plasma(c, side, frostDecay)
		lines := plasma(c, side, frostDecay)
		for i, p := range ice {
			away := math.Abs(2*lines[i]-1) / crystalWidth
			ice[i] = clip(frostBase + float64(frostRange*p) + float64(crystalLight*max(0, 1-away)))
		}
		quarters := c.random.IntN(4)
		height, width := into.height, into.width
		if quarters%2 == 1 {
			height, width = width, height
		}
		top, left, mask := c.random.IntN(max(0, side-height)+1), c.random.IntN(max(0, side-width)+1), side-1
		for i := range into.area() {
			y, x := turned(i/into.width, i%into.width, quarters, height, width)
			v := ice[((top+y)&mask)*side+(left+x)&mask]
			for channel := range into.channels {
				tint := 1.0
				if into.channels == 3 {
					tint = frostTint[channel]
				}
				into.pix[channel*into.area()+i] = tint * v
			}
		}
	}
}

// turned is the place in a crop of height x width that pixel (y, x) of the crop turned by quarters
// shows.
func turned(y, x, quarters, height, width int) (int, int) {
	switch quarters {
	case 1:
		return x, width - 1 - y
	case 2:
		return height - 1 - y, width - 1 - x
	case 3:
		return height - 1 - x, y
	}
	return y, x
}

// fitted brings the photographs to the images' channels and, for RGB, to a fifth (times the scale
// of lengths), as far as they still cover the images.
func fitted(s setup) ([]suite.Image, error) {
	share := 1.0
	if s.channels == 3 {
		share = min(1, photographShare*s.scale)
	}
	list := make([]suite.Image, len(s.frost))
	for i, p := range s.frost {
		if p.Height < s.height || p.Width < s.width {
			return nil, fmt.Errorf("frost photograph %d has %d x %d pixels and does not cover an image of %d x %d; "+
				"give a larger one", i+1, p.Width, p.Height, s.width, s.height)
		}
		list[i] = suite.Fit(p, suite.Fitting{
			Channels: s.channels,
			Height:   max(s.height, int(share*float64(p.Height))), Width: max(s.width, int(share*float64(p.Width))),
		})
	}
	return list, nil
}

// photographed cuts frost from a random place of a random photograph.
func photographed(photographs []suite.Image) func(c *call, into raster) {
	return func(c *call, into raster) {
		p := photographs[c.random.IntN(len(photographs))]
		top, left := c.random.IntN(p.Height-into.height+1), c.random.IntN(p.Width-into.width+1)
		for channel := range into.channels {
			for i := range into.area() {
				from := (channel*p.Height+top+i/into.width)*p.Width + left + i%into.width
				into.pix[channel*into.area()+i] = float64(p.Pix[from])
			}
		}
	}
}
