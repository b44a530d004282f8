package wire

import (
	"encoding/binary"
	"unsafe"
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

// readNumbers is the next n numbers, nil where there are fewer. Where the processor reads them as they lie there, they share the
// data's memory.
func readNumbers[T float32 | int32](c *cursor, n int) []T {
	raw := c.take(floatBytes * n)
	if raw == nil {
		return nil
	}
	if at := unsafe.Pointer(unsafe.SliceData(raw)); little && n > 0 && uintptr(at)%floatBytes == 0 {
		return unsafe.Slice((*T)(at), n)
	}
	out := make([]T, n)
	getNumbers(out, raw)
	return out
}

// little says that numbers lie in memory as they travel.
var little = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// memory is the memory of numbers of four bytes.
func memory[T float32 | int32](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), floatBytes*len(values))
}

// getNumbers reads len(dst) numbers, to the bit.
func getNumbers[T float32 | int32](dst []T, raw []byte) {
	if raw = raw[:floatBytes*len(dst)]; little {
		copy(memory(dst), raw)
	} else if _, err := binary.Decode(raw, binary.LittleEndian, dst); err != nil {
		panic(err) // there are as many bytes as numbers take
	}
}

// AppendNumbers writes numbers, to the bit.
func AppendNumbers[T float32 | int32](to []byte, values []T) []byte {
	if little {
		return append(to, memory(values)...)
	}
	out, err := binary.Append(to, binary.LittleEndian, values)
	if err != nil {
		panic(err) // these kinds of numbers can be written
	}
	return out
}
