package corrupt

import (
	"math"
	"math/rand/v2"

	"github.com/variscope/variscope/engine/suite"
)

// raster is an image in float64, channel by channel, row by row.
type raster struct {
	channels, height, width int
	pix                     []float64
}

func (r raster) area() int { return r.height * r.width }

// plane is one channel.
func (r raster) plane(c int) []float64 { return r.pix[c*r.area() : (c+1)*r.area()] }

// The luma weights of spec/corruptions.md, "snow".
const (
	lumaRed   = .299
	lumaGreen = .587
	lumaBlue  = .114
)

// gray is the luma at a place of a plane.
func (r raster) gray(i int) float64 {
	if r.channels == 1 {
		return r.pix[i]
	}
	area := r.area()
	return float64(lumaRed*r.pix[i]) + float64(lumaGreen*r.pix[area+i]) + float64(lumaBlue*r.pix[2*area+i])
}

// image clips and rounds to float32, where asked after cutting to steps of 1/255.
func (r raster) image(truncate bool) suite.Image {
	img := suite.Image{Channels: r.channels, Height: r.height, Width: r.width, Pix: make([]float32, len(r.pix))}
	for i, v := range r.pix {
		v = clip(v)
		if truncate {
			v = math.Floor(v*255) / 255
		}
		img.Pix[i] = float32(v)
	}
	return img
}

func clip(v float64) float64 { return max(0, min(1, v)) }

// call is what one Apply works with: its randomness, and room that is used again by later ones.
type call struct {
	pcg    rand.PCG
	random *rand.Rand
	room   [][]float64
	taken  int
	first  []uint8
	second []uint8
}

func newCall() *call {
	c := &call{}
	c.random = rand.New(&c.pcg)
	return c
}

// begin gives all room back and starts the generator for one image of a setting.
func (c *call) begin(s Setting, index int) {
	c.taken = 0
	stream := uint64(14695981039346656037) // FNV-1a over the name
	for _, b := range []byte(s.Name) {
		stream = (stream ^ uint64(b)) * 1099511628211
	}
	stream = mixed(stream + uint64(s.Severity))
	c.pcg.Seed(mixed(s.Seed), mixed(stream+uint64(index)))
}

// mixed is the finaliser of SplitMix64: it carries a change of one bit to all of them.
func mixed(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// uniform draws from [-reach, reach).
func (c *call) uniform(reach float64) float64 { return reach * (2*c.random.Float64() - 1) }

// take is room for n values, which hold anything. It lasts until the next begin.
func (c *call) take(n int) []float64 {
	if c.taken == len(c.room) {
		c.room = append(c.room, nil)
	}
	if cap(c.room[c.taken]) < n {
		c.room[c.taken] = make([]float64, n)
	}
	c.taken++
	return c.room[c.taken-1][:n]
}

// bytes is room for two times n bytes, the same at every call.
func (c *call) bytes(n int) (a, b []uint8) {
	if cap(c.first) < n {
		c.first, c.second = make([]uint8, n), make([]uint8, n)
	}
	return c.first[:n], c.second[:n]
}

// copied is a copy of values in room of its own.
func (c *call) copied(values []float64) []float64 {
	room := c.take(len(values))
	copy(room, values)
	return room
}

// exact undoes the rounding of a value of 8 bits to float32. Values of 16 bits that are no step of
// 1/255 lie further away.
func exact(v float64) float64 {
	if step := steps[int(v*255+0.5)]; math.Abs(v-step) < 1e-7 {
		return step
	}
	return v
}

// steps are the values of 8 bits.
var steps = func() (values [256]float64) {
	for k := range values {
		values[k] = float64(k) / 255
	}
	return values
}()

// eightBits is the value as stored in 8 bits: by truncation as the public data are.
func eightBits(v float64) float64 { return math.Floor(clip(v) * 255) }

// byteOf is a value that came from 8 bits as that byte; others are rounded.
func byteOf(v float64) uint8 { return uint8(clip(v)*255 + 0.5) }
