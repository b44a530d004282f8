package numpy

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Header begins a file with an array in C order in NumPy's format 1.0: descr is the type, such as
// "<f4", the values follow. It is a multiple of 64 bytes long.
func Header(descr string, shape []int) []byte {
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = strconv.Itoa(d) + ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, strings.Join(dims, " "))
	const magic, align = "\x93NUMPY\x01\x00", 64
	padding := align - (len(magic)+2+len(text)+1)%align
	text += strings.Repeat(" ", padding%align) + "\n"
	return append(binary.LittleEndian.AppendUint16([]byte(magic), uint16(len(text))), text...)
}
