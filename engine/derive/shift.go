package derive

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// prefix is how the text of every shift begins.
const prefix = "shift"

// Shift is padded translation of a suite's images, at their own size, to one region.
type Shift struct {
	N, T   int // as in transform.Shift
	Region int // 1..N*N, row-major from the upper left
}

// Shifts are the shifts to all regions, in their order. The error is that of n and t.
func Shifts(n, t int) ([]Shift, error) {
	if _, err := transform.Shift(n, t); err != nil {
		return nil, err
	}
	list := make([]Shift, n*n)
	for k := range list {
		list[k] = Shift{N: n, T: t, Region: k + 1}
	}
	return list, nil
}

// String implements Change: "shift:n=3;t=5;region=7".
func (s Shift) String() string {
	return fmt.Sprintf("%s:n=%d;t=%d;region=%d", prefix, s.N, s.T, s.Region)
}

// Short implements Change: "shifted 3x3 t5 region 7".
func (s Shift) Short() string {
	kind, _ := s.Kind()
	return fmt.Sprintf("%s region %d", kind, s.Region)
}

// Words implements Change: "shifted to region 7 of 3 × 3, t = 5".
func (s Shift) Words() string {
	return fmt.Sprintf("shifted to region %d of %d × %d, t = %d", s.Region, s.N, s.N, s.T)
}

// Kind implements Change: "shifted 3x3 t5", and no severity.
func (s Shift) Kind() (name string, severity int) {
	return fmt.Sprintf("shifted %dx%d t%d", s.N, s.N, s.T), 0
}

// Check implements Change.
func (s Shift) Check() error {
	if _, err := transform.Shift(s.N, s.T); err != nil {
		return err
	}
	if s.Region < 1 || s.Region > s.N*s.N {
		return fmt.Errorf("region %d does not exist; %d x %d regions are numbered 1 to %d from the upper left",
			s.Region, s.N, s.N, s.N*s.N)
	}
	return nil
}

// Prepare implements Change. Images of any size and number of channels are shifted, each size by a
// region.Shifter of its own. For n = 1, and t above both sides, the images are as they were.
func (s Shift) Prepare() (suite.Change, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	sizes := &shifters{shift: s, made: map[[2]int]*region.Shifter{}}
	return sizes.apply, nil
}

// keptSizes bounds how many sizes of images tables are kept for.
const keptSizes = 64

// shifters shift images of different sizes; safe for many goroutines.
type shifters struct {
	shift Shift
	mu    sync.Mutex
	made  map[[2]int]*region.Shifter
}

func (s *shifters) apply(_ int, img suite.Image) (suite.Image, error) {
	if img.Channels < 1 || img.Height < 1 || img.Width < 1 || len(img.Pix) != img.Channels*img.Height*img.Width {
		return suite.Image{}, fmt.Errorf("%s: the image is said to be %d x %d x %d but has %d values",
			s.shift.Short(), img.Channels, img.Height, img.Width, len(img.Pix))
	}
	shifter, err := s.of(img.Height, img.Width)
	if err != nil {
		return suite.Image{}, fmt.Errorf("%s: %w", s.shift.Short(), err)
	}
	src := img.Pix
	img.Pix = make([]float32, len(src))
	shifter.Apply(img.Pix, src, img.Channels, s.shift.Region)
	return img, nil
}

func (s *shifters) of(height, width int) (*region.Shifter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := [2]int{height, width}
	if made, ok := s.made[size]; ok {
		return made, nil
	}
	made, err := region.NewShifter(height, width, s.shift.N, s.shift.T)
	if err != nil {
		return nil, err
	}
	if len(s.made) == keptSizes {
		clear(s.made)
	}
	s.made[size] = made
	return made, nil
}

// parseShift reads "shift:n=3;t=5;region=7", the three in any order.
func parseShift(text string) (Shift, error) {
	_, rest, _ := strings.Cut(text, ":")
	var s Shift
	values := map[string]*int{"n": &s.N, "t": &s.T, "region": &s.Region}
	for option := range strings.SplitSeq(rest, ";") {
		key, value, _ := strings.Cut(option, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		to, known := values[key]
		if !known {
			return Shift{}, fmt.Errorf("%q is unknown or given twice; write it as %s:n=3;t=5;region=7", option, prefix)
		}
		number, err := strconv.Atoi(value)
		if err != nil || strings.Trim(value, "0123456789") != "" {
			return Shift{}, fmt.Errorf("%s is %q; it must be a whole number from 1 on", key, value)
		}
		*to = number
		delete(values, key)
	}
	if len(values) > 0 {
		return Shift{}, errors.New("n, t or region is missing; write it as shift:n=3;t=5;region=7")
	}
	return s, s.Check()
}
