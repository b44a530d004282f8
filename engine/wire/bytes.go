package wire

import (
	"encoding/binary"
	"unsafe"
)

// floatBytes is what an f32 or i32 takes.
const floatBytes = 4

// little says that numbers lie in memory as they travel.
var little = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Bytes are numbers as they travel, to the bit. They share the memory of values where the
// processor has them there in that order.
func Bytes[T float32 | int32](values []T) []byte {
	if little {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), floatBytes*len(values))
	}
	out, _ := binary.Append(nil, binary.LittleEndian, values) // their size is known
	return out
}

// readNumbers are the numbers of data, to the bit. They share its memory where the processor reads
// them as they lie there.
func readNumbers[T float32 | int32](data []byte) []T {
	n := len(data) / floatBytes
	if at := unsafe.Pointer(unsafe.SliceData(data)); little && n > 0 && uintptr(at)%floatBytes == 0 {
		return unsafe.Slice((*T)(at), n)
	}
	out := make([]T, n)
	if little {
		copy(Bytes(out), data)
	} else {
		_, _ = binary.Decode(data, binary.LittleEndian, out) // there are enough bytes
	}
	return out
}
