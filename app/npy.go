package app

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sbinet/npyio/npy"

	"github.com/variscope/variscope/engine/variance"
)

// The limits on arrays from files: the transformations of a family, the bytes of an array's
// header, and the numbers of all arrays.
const (
	maxTransformations = 1 << 12
	maxHeader          = 1 << 16
	maxNumbers         = 1 << 28 // of an archive: one of a few kilobytes can be unpacked into any number of zeros
)

// readMatrix reads a variance matrix, N x N numbers of any kind, from a .npy file.
func readMatrix(r io.Reader) (m variance.Matrix, err error) {
	array, err := openArray(r)
	if err != nil {
		return m, err
	}
	shape := array.shape
	if len(shape) != 2 || shape[0] != shape[1] || shape[0] < 2 {
		return m, fmt.Errorf("an array of shape %v is no variance matrix", shape)
	}
	if shape[0] > maxTransformations {
		return m, fmt.Errorf("%d transformations are too many; at most %d can be read", shape[0], maxTransformations)
	}
	m.N = shape[0]
	if m.Data, err = array.numbers(m.N * m.N); err != nil {
		return m, err
	}
	if array.byColumns { // column by column
		m = transposed(m)
	}
	return m, nil
}

// readVector reads the values of V.
func readVector(r io.Reader) ([]float64, error) {
	array, err := openArray(r)
	if err != nil {
		return nil, err
	}
	shape := array.shape
	if len(shape) != 1 || shape[0] < 0 || shape[0] > maxTransformations {
		return nil, fmt.Errorf("an array of shape %v is no list of sampling values", shape)
	}
	return array.numbers(shape[0])
}

func transposed(m variance.Matrix) variance.Matrix {
	t := variance.Matrix{N: m.N, Data: make([]float64, len(m.Data))}
	for k := range m.Data {
		t.Data[k] = m.Data[k%m.N*m.N+k/m.N]
	}
	return t
}

// array is a .npy file whose header is read. The library's own reading of numbers takes a read
// that brings fewer bytes than asked for, as those of archives do, for a whole number.
type array struct {
	in        io.Reader // at the first number
	kind      string    // as in the header, such as <f8
	shape     []int
	byColumns bool
}

// openArray reads the header of a .npy file, which the library would take at its word for the
// memory that it needs.
func openArray(r io.Reader) (a array, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("its header is damaged (%v)", reason)
		}
	}()
	in := bufio.NewReader(r)
	start, err := in.Peek(12)
	if err != nil || string(start[:6]) != "\x93NUMPY" {
		return a, errors.New("it is no .npy array")
	}
	if start[6] > 1 && binary.LittleEndian.Uint32(start[8:]) > maxHeader {
		return a, errors.New("its header is too long")
	}
	header, err := npy.NewReader(in)
	if err != nil {
		return a, err
	}
	d := header.Header.Descr
	return array{in: in, kind: d.Type, shape: d.Shape, byColumns: d.Fortran}, nil
}

// numbers reads all numbers of an array as float64.
func (a array) numbers(count int) ([]float64, error) {
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(a.kind, ">") {
		order = binary.BigEndian
	}
	switch strings.TrimLeft(a.kind, "<>=") {
	case "f8":
		return numbersOf[float64](a.in, order, count)
	case "f4":
		return numbersOf[float32](a.in, order, count)
	case "i8":
		return numbersOf[int64](a.in, order, count)
	case "i4":
		return numbersOf[int32](a.in, order, count)
	}
	return nil, fmt.Errorf("numbers of type %s cannot be read; save it as float64", a.kind)
}

func numbersOf[T float64 | float32 | int64 | int32](in io.Reader, order binary.ByteOrder, count int) ([]float64, error) {
	list := make([]T, count)
	switch err := binary.Read(in, order, list); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("it is cut short: there are fewer than %d numbers", count)
	case err != nil:
		return nil, err
	}
	values := make([]float64, count)
	for k, v := range list {
		values[k] = float64(v)
	}
	return values, nil
}
