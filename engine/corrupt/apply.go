package corrupt

import (
	"fmt"
	"math"
	"sync"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
)

// filter corrupts an image in place. Values may leave [0, 1]; Apply clips them.
type filter func(c *call, r raster) error

// setup is what a corruption is prepared for.
type setup struct {
	p                       []float64 // the parameters of kind, lengths not yet scaled
	scale                   float64   // what lengths are multiplied with
	channels, height, width int
	compat                  bool
	frost                   []suite.Image
}

// keptSizes bounds how many sizes of images a Corruption remembers its kernels for.
const keptSizes = 64

// Corruption corrupts images. It is safe for many goroutines; what depends on an image's size
// (kernels, parameters) is made once per size and shared.
type Corruption struct {
	setting Setting
	kind    kind
	frost   []suite.Image
	calls   sync.Pool // of *call

	mu      sync.Mutex
	filters map[[3]int]filter
}

// New prepares a corruption. Frost takes its photographs from frost where some are given (any size,
// at least the image's), else the synthetic substitute of the spec.
func New(s Setting, frost []suite.Image) (*Corruption, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	for i, photograph := range frost {
		if err := check(photograph); err != nil {
			return nil, fmt.Errorf("frost photograph %d: %w", i+1, err)
		}
	}
	k, _ := kindOf(s.Name)
	c := &Corruption{setting: s, kind: k, frost: frost, filters: map[[3]int]filter{}}
	c.calls.New = func() any { return newCall() }
	return c, nil
}

// Apply is the corrupted form of image number index of a suite. The result is new; img stays as it
// is. Sizes other than 28 x 28 gray and 32 x 32 RGB scale the lengths as in spec/corruptions.md. An
// image of a size that cannot be corrupted is an error, which leaves it to the caller to name the
// image.
//
// It computes in float64 and rounds once at the end. Values within 1e-7 of a step of 1/255 are
// taken as that step, so that images of 8 bits are corrupted as pixel/255 in float64.
func (c *Corruption) Apply(index int, img suite.Image) (suite.Image, error) {
	out, err := c.apply(index, img)
	if err != nil {
		return suite.Image{}, fmt.Errorf("%s: %w", c.setting.Short(), err)
	}
	return out, nil
}

func (c *Corruption) apply(index int, img suite.Image) (suite.Image, error) {
	if err := check(img); err != nil {
		return suite.Image{}, err
	}
	f, err := c.filter(img.Channels, img.Height, img.Width)
	if err != nil {
		return suite.Image{}, err
	}
	work := c.calls.Get().(*call)
	defer c.calls.Put(work)
	work.begin(c.setting, index)
	r := raster{img.Channels, img.Height, img.Width, work.take(len(img.Pix))}
	for i, v := range img.Pix {
		r.pix[i] = exact(float64(v))
	}
	if err := f(work, r); err != nil {
		return suite.Image{}, err
	}
	return r.image(c.setting.Truncate), nil
}

// check tells whether an image is whole: its values are looked at where they are read.
func check(img suite.Image) error {
	switch {
	case img.Channels != 1 && img.Channels != 3:
		return fmt.Errorf("the image has %d channels; it must have 1 (gray) or 3 (RGB)", img.Channels)
	case img.Height < 1 || img.Width < 1 || len(img.Pix) != img.Channels*img.Height*img.Width:
		return fmt.Errorf("the image is said to be %d x %d x %d but has %d values", img.Channels, img.Height, img.Width,
			len(img.Pix))
	}
	for i, v := range img.Pix {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("value %d is %v; images lie in 0..1", i, v)
		}
	}
	return nil
}

// filter is what corrupts images of a size, prepared at the first of them.
func (c *Corruption) filter(channels, height, width int) (filter, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := [3]int{channels, height, width}
	if f, ok := c.filters[size]; ok {
		return f, nil
	}
	gray, scale := measured(channels, height, width)
	s := setup{
		p: c.kind.rgb[c.setting.Severity-1], scale: scale, channels: channels, height: height, width: width,
		compat: c.setting.Compat, frost: c.frost,
	}
	if gray {
		s.p = c.kind.gray[c.setting.Severity-1]
	}
	f, err := c.kind.prepare(s)
	if err != nil {
		return nil, err
	}
	if len(c.filters) == keptSizes {
		clear(c.filters)
	}
	c.filters[size] = f
	return f, nil
}

// Scaled tells whether the parameters were scaled for images of this size, and for people by how
// much; "" where they hold as they are.
func Scaled(channels, height, width int) string {
	gray, scale := measured(channels, height, width)
	if scale == 1 {
		return ""
	}
	side := rgbSide
	if gray {
		side = graySide
	}
	factor := result.Number.Write(math.Round(1000*scale) / 1000)
	return fmt.Sprintf("lengths × %s: made for %d pixels a side, these have %d", factor, side, min(height, width))
}
