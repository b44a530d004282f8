package recipe

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/transform"
)

// Feed writes fitted and transformed pixels as a model takes them: range, normalisation, order of
// channels and axes (spec section 1, steps 6 and 7). It is immutable and safe for many goroutines.
type Feed struct {
	mul, off []float32 // per channel of the input: value = pixel*mul + off
	reversed bool      // the input's channels are blue, green, red
	last     bool      // channels are the last axis
}

// NewFeed is the feed of a recipe for an input of so many channels, with the channels as the last
// axis or the first. Mean and Std need 1 number or one for each channel.
func NewFeed(r Recipe, channels int, last bool) (Feed, error) {
	if err := r.Check(); err != nil {
		return Feed{}, err
	}
	f := Feed{reversed: r.Channels == BGR, last: last}
	if f.reversed && channels != 3 {
		return Feed{}, fmt.Errorf("channels=bgr needs an input of 3 channels, not %d", channels)
	}
	for c := range channels {
		mean, ok1 := perChannel(r.Mean, 0, c, channels)
		std, ok2 := perChannel(r.Std, 1, c, channels)
		if !ok1 || !ok2 {
			return Feed{}, fmt.Errorf("mean and std need 1 or %d numbers; correct the preprocessing", channels)
		}
		mul, off := float32(r.Scaled()/std), float32(-(mean-r.Shift)/std)
		if v := mul + off; v-v != 0 {
			return Feed{}, fmt.Errorf("a std of %v is too small to divide by", std)
		}
		f.mul, f.off = append(f.mul, mul), append(f.off, off)
	}
	return f, nil
}

func perChannel(list []float64, none float64, c, channels int) (float64, bool) {
	switch len(list) {
	case 0:
		return none, true
	case 1:
		return list[0], true
	case channels:
		return list[c], true
	}
	return 0, false
}

// Write writes one image, whose planes lie one behind the other as red, green, blue, to dst.
// Multiplication and addition round apart, so that all processors give the same bits.
func (f Feed) Write(dst, pix []float32) {
	channels := len(f.mul)
	area := len(pix) / channels
	for c, mul := range f.mul {
		from := c
		if f.reversed {
			from = channels - 1 - c
		}
		src, off := pix[from*area:(from+1)*area], f.off[c]
		if !f.last {
			transform.Scale(dst[c*area:], src, mul, off)
			continue
		}
		for x, v := range src {
			dst[x*channels+c] = float32(v*mul) + off
		}
	}
}

// Span is the least and the largest value that is written for pixels in 0..1, over all channels.
func (f Feed) Span() (low, high float32) {
	low, high = f.off[0], f.off[0]
	for c, mul := range f.mul {
		for _, end := range []float32{f.off[c], mul + f.off[c]} {
			low, high = min(low, end), max(high, end)
		}
	}
	return low, high
}

// Whole rounds values to the whole numbers of a type, half to even and clipped (spec section 1,
// step 7): 0..255 for uint8, the same less 128 for int8. Other types keep what they are given.
func Whole(values []float32, numbers string) {
	if !whole(numbers) {
		return
	}
	less := float32(0)
	if numbers == "int8" {
		less = 128
	}
	for i, v := range values {
		values[i] = max(0, min(255, float32(math.RoundToEven(float64(v))))) - less
	}
}

// Half rounds values to the nearest ones of float16, half to even; what is larger than its largest
// is infinite.
func Half(values []float32) {
	for i, v := range values {
		_, exp := math.Frexp(float64(v))
		unit := math.Ldexp(1, max(exp-11, -24)) // of the last of 11 binary digits, or of the smallest values
		v = float32(math.RoundToEven(float64(v)/unit) * unit)
		if math.Abs(float64(v)) > 65504 {
			v = float32(math.Inf(int(math.Copysign(1, float64(v)))))
		}
		values[i] = v
	}
}
