package background

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
)

// Compositing says how a foreground lies on a scene.
type Compositing struct {
	Height, Width int // of the composite: the model's input; 0 takes the target's
	// Resize is how all three are brought to that size; empty is stretch (the specification's),
	// Crop that of models which are shown the centre, so that composites show what the target
	// itself does.
	Resize model.Resize
	// Feather is the radius in pixels over which the mask's edge is blended; 0 is the hard mask of
	// spec/background.md section 7. It blends inwards: a pixel of the foreground whose nearest
	// pixel outside of the mask is D away has the share min(1, D / (Feather + 1)), and pixels
	// outside of the mask have none, so that nothing of the target's own scene comes along.
	Feather float64
	// Align moves the foreground on the composite.
	Align Alignment
}

// Alignment is where the foreground lies: where it was, in the middle, or standing at the bottom in
// the middle.
type Alignment string

// The alignments; Keep is the default, also where none is given. What is in the middle is the box
// around the mask at the composite's size; a half pixel goes to the left and up.
const (
	Keep   Alignment = "keep"
	Centre Alignment = "centre"
	Ground Alignment = "ground"
)

// Alignments returns all alignments, the default first.
func Alignments() []Alignment { return []Alignment{Keep, Centre, Ground} }

// Check says what is wrong with a compositing: sizes below 0, a feather that is no radius, an
// unknown alignment.
func (c Compositing) Check() error {
	if c.Height < 0 || c.Width < 0 {
		return fmt.Errorf("a composite cannot have %d x %d pixels", c.Height, c.Width)
	}
	if !(c.Feather >= 0) || math.IsInf(c.Feather, 0) {
		return fmt.Errorf("a feather of %g pixels is no radius; use 0 or more", c.Feather)
	}
	if c.Align != "" && !slices.Contains(Alignments(), c.Align) {
		return fmt.Errorf("%q is no alignment of a foreground; use keep, centre or ground", c.Align)
	}
	return nil
}

// fitting brings an image to the composite's size and leaves its channels.
func (c Compositing) fitting() suite.Fitting {
	return suite.Fitting{Height: c.Height, Width: c.Width, Resize: c.Resize}
}

// Composite puts the foreground of target on scene. Target, mask and scene may have any sizes, the
// mask that of the target; all three are brought to the composite's size first: images by the
// triangle filter, the mask by the nearest pixel. The result has three channels where either image
// has. The error is that of NewForeground.
//
// Values are those that the model's input is made of, in [0, 1] and not yet normalised. Nothing is
// rounded to bytes: an image that has the composite's size is taken to the bit (byte / 255), and a
// resized one keeps what the filter gives, as the target itself does as image 0 of a run. At equal
// sizes that is the specification's replacement of bytes; the zoo's composites are all of that
// kind.
func Composite(target suite.Image, mask Mask, scene suite.Image, c Compositing) (suite.Image, error) {
	f, err := NewForeground(target, mask, c)
	if err != nil {
		return suite.Image{}, err
	}
	return f.On(scene), nil
}

// Foreground is a target's foreground at the composite's size and place, to be put on many scenes.
// It is not changed by that, so many goroutines may share it.
type Foreground struct {
	image  suite.Image
	share  []float32 // per pixel: how much of it is foreground, 0 to 1
	resize model.Resize
}

// NewForeground prepares what Composite does with target and mask. The error is a mask of another
// size than the target's, an empty or full one, one of which no pixel, or nothing else, is left at
// the composite's size, and what Compositing.Check says.
func NewForeground(target suite.Image, mask Mask, c Compositing) (Foreground, error) {
	if err := c.Check(); err != nil {
		return Foreground{}, err
	}
	if err := mask.Check(target.Height, target.Width); err != nil {
		return Foreground{}, err
	}
	fitted, small := suite.Fit(target, c.fitting()), mask.Fit(c.fitting())
	if n := small.count(); n == 0 || n == len(small.Set) {
		return Foreground{}, fmt.Errorf("the mask of %d x %d pixels is %s at %d x %d, the size of the composite",
			mask.Height, mask.Width, small.word(), small.Height, small.Width)
	}
	f := Foreground{image: fitted, share: small.shares(c.Feather), resize: c.Resize}
	down, right := small.move(c.Align)
	return f.moved(down, right), nil
}

// On puts the foreground on a scene of any size.
func (f Foreground) On(scene suite.Image) suite.Image {
	channels := max(f.image.Channels, scene.Channels)
	out := suite.Image{Channels: channels, Height: f.image.Height, Width: f.image.Width}
	out.Pix = make([]float32, channels*out.Height*out.Width)
	f.Onto(out.Pix, f.Scene(scene))
	return out
}

// Scene brings a scene to the composite's size, as Onto needs it. One that has that size is
// returned itself.
func (f Foreground) Scene(scene suite.Image) suite.Image {
	return suite.Fit(scene, suite.Fitting{Height: f.image.Height, Width: f.image.Width, Resize: f.resize})
}

// Onto writes the composite into dst: 1 or 3 channels x height x width, at least as many channels
// as either image has. scene has the composite's size. It makes nothing new, for runs over many
// scenes.
func (f Foreground) Onto(dst []float32, scene suite.Image) {
	area := len(f.share)
	for c := range len(dst) / area {
		front := f.image.Pix[min(c, f.image.Channels-1)*area:][:area]
		back := scene.Pix[min(c, scene.Channels-1)*area:][:area]
		to := dst[c*area:][:area]
		for i, s := range f.share {
			switch s {
			case 0:
				to[i] = back[i]
			case 1:
				to[i] = front[i]
			default:
				to[i] = float32(float64(float64(s)*float64(front[i])) + float64(float64(1-s)*float64(back[i])))
			}
		}
	}
}

// moved is the foreground further down and to the right; what was outside of the image has no
// share.
func (f Foreground) moved(down, right int) Foreground {
	if down == 0 && right == 0 {
		return f
	}
	h, w := f.image.Height, f.image.Width
	out := Foreground{resize: f.resize, share: make([]float32, h*w), image: f.image}
	out.image.Pix = make([]float32, len(f.image.Pix))
	for y := max(0, down); y < min(h, h+down); y++ {
		for x := max(0, right); x < min(w, w+right); x++ {
			to, from := y*w+x, (y-down)*w+x-right
			out.share[to] = f.share[from]
			for c := range f.image.Channels {
				out.image.Pix[c*h*w+to] = f.image.Pix[c*h*w+from]
			}
		}
	}
	return out
}
