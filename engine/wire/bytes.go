package wire

import (
	"encoding/binary"
	"math"
)

// cursor reads binary data from the front. Beyond the end it gives zeros and remembers that in short.
type cursor struct {
	rest  []byte
	short bool
}

// take is the next n bytes, nil where there are fewer.
func (c *cursor) take(n int) []byte {
	if c.short || n > len(c.rest) {
		c.short = true
		return nil
	}
	piece := c.rest[:n]
	c.rest = c.rest[n:]
	return piece
}

func (c *cursor) u8() uint8 {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// floatBytes is what an f32 or u32 takes.
const floatBytes = 4

// floats is the next n numbers, nil where there are fewer.
func (c *cursor) floats(n int) []float32 {
	raw := c.take(floatBytes * n)
	if raw == nil {
		return nil
	}
	out := make([]float32, n)
	getFloats(out, raw)
	return out
}

// getFloats reads len(dst) numbers, to the bit.
func getFloats(dst []float32, raw []byte) {
	raw = raw[:floatBytes*len(dst)]
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[floatBytes*i:]))
	}
}

// appendFloats writes numbers, to the bit.
func appendFloats(to []byte, values []float32) []byte {
	at := len(to)
	to = append(to, make([]byte, floatBytes*len(values))...)
	for i, v := range values {
		binary.LittleEndian.PutUint32(to[at+floatBytes*i:], math.Float32bits(v))
	}
	return to
}
