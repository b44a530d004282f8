package background

import (
	"errors"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/suite"
)

// Mask is where an image's foreground lies: Height x Width, true for foreground.
type Mask struct {
	Height, Width int
	Set           []bool
}

// DecodeMask reads a mask from an image file's bytes: foreground where the value is above 127. The
// error says what is wrong: no image, a size other than height x width, an empty or a full mask. It
// does not name the file.
//
// The value is that of the image in gray (colours by luma, alpha on black, 16-bit values by their
// upper byte), turned upright as images are.
func DecodeMask(data []byte, height, width int) (Mask, error) {
	img, err := suite.Decode(data)
	if err != nil {
		return Mask{}, err
	}
	img = suite.Fit(img, suite.Fitting{Channels: 1})
	m := Mask{Height: img.Height, Width: img.Width, Set: make([]bool, len(img.Pix))}
	for i, v := range img.Pix {
		m.Set[i] = v > 0.5 // lies between 127/255 and 128/255
	}
	return m, m.Check(height, width)
}

// MaskOf is the mask that a segmentation network gives: foreground where the element with the
// largest logit (the first of equal ones) is one of foreground. logits is elements x height x
// width. It may be empty or full; Check says so.
func MaskOf(logits []float32, elements, height, width int, foreground map[int]bool) Mask {
	if elements < 1 || len(logits) != elements*height*width {
		panic(fmt.Sprintf("background: %d logits in place of %d x %d x %d", len(logits), elements, height, width))
	}
	m := Mask{Height: height, Width: width, Set: make([]bool, height*width)}
	for p, k := range argMaxima(logits, elements, height*width) {
		m.Set[p] = foreground[int(k)]
	}
	return m
}

// Check says what is wrong with a mask for an image of height x width: another size, no foreground,
// nothing but foreground. It does not name the file.
func (m Mask) Check(height, width int) error {
	if m.Height != height || m.Width != width {
		return fmt.Errorf("the mask has %d x %d pixels and its image %d x %d; both need the same size", m.Height,
			m.Width, height, width)
	}
	if len(m.Set) != height*width {
		return fmt.Errorf("the mask has %d values for %d x %d pixels", len(m.Set), height, width)
	}
	switch m.count() {
	case 0:
		return errors.New("the mask is empty: no value is above 127; draw the foreground white (255) on black (0)")
	case len(m.Set):
		return errors.New("the mask is full: every value is above 127, so that nothing of a scene would be seen; " +
			"draw the background black (0)")
	}
	return nil
}

// count is the number of foreground pixels.
func (m Mask) count() int {
	n := 0
	for _, set := range m.Set {
		if set {
			n++
		}
	}
	return n
}

// word says which of the two nothings a mask is.
func (m Mask) word() string {
	if m.count() == 0 {
		return "empty"
	}
	return "full"
}

// Fit brings the mask to the size that suite.Fit brings its image to, by the nearest pixel. What is
// padded is no foreground.
func (m Mask) Fit(to suite.Fitting) Mask {
	rows, columns := to.Nearest(m.Height, m.Width)
	out := Mask{Height: len(rows), Width: len(columns), Set: make([]bool, 0, len(rows)*len(columns))}
	for _, y := range rows {
		for _, x := range columns {
			out.Set = append(out.Set, y >= 0 && x >= 0 && m.Set[y*m.Width+x])
		}
	}
	return out
}

// move says how far the foreground has to go down and to the right. There is a foreground.
func (m Mask) move(a Alignment) (down, right int) {
	if a != Centre && a != Ground {
		return 0, 0
	}
	top, bottom, left, end := m.Height, 0, m.Width, 0 // the box around the foreground, its ends outside
	for i, set := range m.Set {
		if y, x := i/m.Width, i%m.Width; set {
			top, bottom = min(top, y), max(bottom, y+1)
			left, end = min(left, x), max(end, x+1)
		}
	}
	right = (m.Width-(end-left))/2 - left
	if a == Ground {
		return m.Height - bottom, right
	}
	return (m.Height-(bottom-top))/2 - top, right
}

// shares are how much of each pixel is foreground when the edge is blended over a radius, see
// Compositing. The image's own edge is no edge of the mask.
func (m Mask) shares(radius float64) []float32 {
	out := make([]float32, len(m.Set))
	if radius == 0 {
		for i, set := range m.Set {
			if set {
				out[i] = 1
			}
		}
		return out
	}
	up := m.columns()
	reach := min(int(math.Ceil(radius+1)), m.Width)
	for y := range m.Height {
		line := up[y*m.Width:][:m.Width]
		for x, d := range line {
			if d == 0 {
				continue
			}
			nearest := float64(d) * float64(d)
			for at := max(0, x-reach); at <= min(m.Width-1, x+reach); at++ {
				nearest = min(nearest, float64(at-x)*float64(at-x)+float64(float64(line[at])*float64(line[at])))
			}
			out[y*m.Width+x] = float32(min(1, math.Sqrt(nearest)/(radius+1)))
		}
	}
	return out
}

// columns are, per pixel, how far the nearest pixel outside of the mask in the same column is; more
// than any distance where there is none.
func (m Mask) columns() []int {
	far := m.Height + m.Width
	out := make([]int, len(m.Set))
	for x := range m.Width {
		d := far
		for y := range m.Height {
			d = m.step(d, x, y)
			out[y*m.Width+x] = d
		}
		d = far
		for y := m.Height - 1; y >= 0; y-- {
			d = m.step(d, x, y)
			out[y*m.Width+x] = min(out[y*m.Width+x], d)
		}
	}
	return out
}

// step is the distance one pixel further.
func (m Mask) step(d, x, y int) int {
	if !m.Set[y*m.Width+x] {
		return 0
	}
	return min(d+1, m.Height+m.Width)
}
