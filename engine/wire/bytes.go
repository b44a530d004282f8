package wire

import (
	"encoding/binary"
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
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

// floats is the next n numbers, nil where there are fewer. Where the processor reads them as they lie there, they share the data's memory.
func (c *cursor) floats(n int) []float32 {
	raw := c.take(floatBytes * n)
	if raw == nil {
		return nil
	}
	if at := unsafe.Pointer(unsafe.SliceData(raw)); !cpu.IsBigEndian && n > 0 && uintptr(at)%floatBytes == 0 {
		return unsafe.Slice((*float32)(at), n)
	}
	out := make([]float32, n)
	getFloats(out, raw)
	return out
}

// bytesOf is the memory of numbers: on little-endian processors that is how they travel.
func bytesOf(values []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), floatBytes*len(values))
}

// getFloats reads len(dst) numbers, to the bit.
func getFloats(dst []float32, raw []byte) {
	raw = raw[:floatBytes*len(dst)]
	if !cpu.IsBigEndian {
		copy(bytesOf(dst), raw)
		return
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[floatBytes*i:]))
	}
}

// AppendFloats writes numbers as little-endian, to the bit.
func AppendFloats(to []byte, values []float32) []byte {
	if !cpu.IsBigEndian {
		return append(to, bytesOf(values)...)
	}
	for _, v := range values {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(v))
	}
	return to
}
