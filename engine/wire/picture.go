package wire

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
)

const (
	mostChannels = 3
	maxSide      = 1 << 15 // pixels of a side, as in package suite
)

// picture is what an index says of an image's values, and where they lie.
type picture struct {
	channels, height, width int
	each                    int // bytes per value: 1 where all are levels, else floatBytes
	at                      int64
}

// values is the number of its values.
func (p picture) values() int64 { return int64(p.channels) * int64(p.height) * int64(p.width) }

// end is where its values end.
func (p picture) end() int64 { return p.at + int64(p.each)*p.values() }

// maskBytes is what a mask of its size takes.
func (p picture) maskBytes() int64 { return (int64(p.height)*int64(p.width) + 7) / 8 }

func (p picture) check() error {
	if p.channels != 1 && p.channels != mostChannels || p.height < 1 || p.width < 1 ||
		p.height > maxSide || p.width > maxSide || p.values() > MaxValues {
		return fmt.Errorf("it is said to have %d x %d x %d values; 1 or %d channels, sides up to %d and %d "+
			"values can travel", p.channels, p.height, p.width, mostChannels, maxSide, MaxValues)
	}
	if p.each != 1 && p.each != floatBytes {
		return fmt.Errorf("its values have %d bytes each; 1 or %d are possible", p.each, floatBytes)
	}
	return nil
}

// fits says that a picture is so long and thin that suite.Fit would take far more memory than the
// picture and the input have: it resizes the width first, and for a centre crop it resizes until
// the input is covered.
func (p picture) fits(spec signal.Spec) error {
	height, width := spec.Height, spec.Width
	if spec.Preprocessing.Resize == model.Crop {
		if height*p.width >= width*p.height {
			width = max(width, height*p.width/p.height)
		} else {
			height = max(height, width*p.height/p.width)
		}
	}
	if values := int64(spec.Channels) * int64(width) * int64(max(p.height, height)); values > MaxValues {
		return fmt.Errorf("its %d x %d pixels become %d values on their way to the model's input of %d x %d; "+
			"%d are possible", p.height, p.width, values, spec.Height, spec.Width, MaxValues)
	}
	return nil
}

// pictureOf describes an image, and appends its values to room.
func pictureOf(img suite.Image, room []byte) (picture, []byte, error) {
	p := picture{channels: img.Channels, height: img.Height, width: img.Width, each: 1}
	err := p.check()
	if err == nil && int64(len(img.Pix)) != p.values() {
		err = fmt.Errorf("it has %d values in place of %d x %d x %d", len(img.Pix), p.channels, p.height, p.width)
	}
	if err != nil {
		return p, room, err
	}
	if out, ok := appendLevels(room, img.Pix); ok {
		return p, out, nil
	}
	p.each = floatBytes
	return p, append(room, Bytes(img.Pix)...), nil
}

// appendLevels writes values as bytes; ok is false where one of them is no level to the bit.
func appendLevels(room []byte, values []float32) (out []byte, ok bool) {
	out = slices.Grow(room, len(values))
	for _, v := range values {
		b := uint8(max(0, min(1, v))*255 + 0.5)
		if math.Float32bits(suite.Level(b)) != math.Float32bits(v) {
			return nil, false
		}
		out = append(out, b)
	}
	return out, true
}

// image is the picture's image from its bytes, whose memory it may share.
func (p picture) image(raw []byte) suite.Image {
	img := suite.Image{Channels: p.channels, Height: p.height, Width: p.width}
	if p.each == floatBytes {
		img.Pix = readNumbers[float32](raw)
		return img
	}
	img.Pix = make([]float32, len(raw))
	for i, b := range raw {
		img.Pix[i] = suite.Level(b)
	}
	return img
}

// PictureOf is an image's values: a byte each where all are levels, else a float32.
func PictureOf(img suite.Image) (levels bool, data []byte, err error) {
	p, data, err := pictureOf(img, nil)
	return p.each == 1, data, err
}

// Picture is the image of values that PictureOf gives. It may share the memory of data.
func Picture(channels, height, width int, levels bool, data []byte) (suite.Image, error) {
	p := picture{channels: channels, height: height, width: width, each: floatBytes}
	if levels {
		p.each = 1
	}
	err := p.check()
	if err == nil && p.end() != int64(len(data)) {
		err = fmt.Errorf("an image of %d x %d x %d values has %d bytes in place of %d", channels, height, width,
			len(data), p.end())
	}
	if err != nil {
		return suite.Image{}, err
	}
	return p.image(data), nil
}
