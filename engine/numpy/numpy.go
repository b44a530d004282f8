// Package numpy reads arrays of numbers in NumPy's format (.npy; .npz is a zip of them) from files
// that anybody may have made: nothing in a header is believed before the bytes are there. Header is
// for files that are written.
package numpy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Array is an array whose header is read.
type Array struct {
	Kind      byte // i, u or f
	Size      int  // bytes of a number
	Order     binary.ByteOrder
	ByColumns bool // the first index runs fastest
	Shape     []int
	Count     int       // of numbers
	Start     int64     // bytes before the first number
	In        io.Reader // at the first number
}

// maxHeader is the length of a header in bytes.
const maxHeader = 1 << 16

var (
	headerType  = regexp.MustCompile(`'descr': *'([<>|=])([a-zA-Z])([0-9]+)'`)
	headerOrder = regexp.MustCompile(`'fortran_order': *(True|False)`)
	headerShape = regexp.MustCompile(`'shape': *\(([0-9, ]*)\)`)
)

// Open reads the header of an array of at most this many numbers.
func Open(in io.Reader, most int) (Array, error) {
	a := Array{In: in, Order: binary.LittleEndian, Count: 1}
	header, start, err := readHeader(in)
	if err != nil {
		return a, err
	}
	a.Start = start
	kind, order, shape := headerType.FindStringSubmatch(header), headerOrder.FindStringSubmatch(header),
		headerShape.FindStringSubmatch(header)
	if kind == nil || order == nil || shape == nil {
		return a, errors.New("its header cannot be read; save it as a plain array of numbers")
	}
	if kind[1] == ">" {
		a.Order = binary.BigEndian
	}
	a.Kind, a.ByColumns = kind[2][0], order[1] == "True"
	a.Size, _ = strconv.Atoi(kind[3]) // a number that is too large is no size either
	if !a.readable() {
		return a, fmt.Errorf("numbers of type %s%s cannot be read; save it as float32 or int32", kind[2], kind[3])
	}
	for text := range strings.SplitSeq(shape[1], ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		d, err := strconv.Atoi(text)
		if err != nil || d > most || d > 0 && a.Count > most/d {
			return a, fmt.Errorf("its shape (%s) has more than %d numbers; that is too large",
				strings.TrimSpace(shape[1]), most)
		}
		a.Shape = append(a.Shape, d)
		a.Count *= d
	}
	return a, nil
}

// readHeader reads the header and where it ends.
func readHeader(in io.Reader) (text string, end int64, err error) {
	start := make([]byte, 8)
	if _, err := io.ReadFull(in, start); err != nil || string(start[:6]) != "\x93NUMPY" {
		return "", 0, errors.New("it is no array in NumPy's format")
	}
	long := start[6] > 1
	length := make([]byte, 2)
	if long {
		length = make([]byte, 4)
	}
	if _, err := io.ReadFull(in, length); err != nil {
		return "", 0, errors.New("its header is cut short")
	}
	n := uint32(binary.LittleEndian.Uint16(length))
	if long {
		n = binary.LittleEndian.Uint32(length)
	}
	if n > maxHeader {
		return "", 0, errors.New("its header is too long")
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(in, header); err != nil {
		return "", 0, errors.New("its header is cut short")
	}
	return string(header), int64(len(start) + len(length) + len(header)), nil
}

func (a Array) readable() bool {
	switch a.Kind {
	case 'f':
		return a.Size == 4 || a.Size == 8
	case 'i', 'u':
		return a.Size == 1 || a.Size == 2 || a.Size == 4 || a.Size == 8
	}
	return false
}

// Floats tells whether the array holds floating-point numbers.
func (a Array) Floats() bool { return a.Kind == 'f' }

// ReadFloats reads all numbers of an array of floats, row by row.
func (a Array) ReadFloats() ([]float32, error) {
	values, err := numbers(a, func(bytes []byte) (float32, error) {
		if a.Size == 8 {
			return float32(math.Float64frombits(a.Order.Uint64(bytes))), nil
		}
		return math.Float32frombits(a.Order.Uint32(bytes)), nil
	})
	return byRows(a, values), err
}

// ReadNumbers reads all numbers of an array as float64, row by row.
func (a Array) ReadNumbers() ([]float64, error) {
	values, err := numbers(a, func(bytes []byte) (float64, error) {
		switch {
		case a.Floats() && a.Size == 8:
			return math.Float64frombits(a.Order.Uint64(bytes)), nil
		case a.Floats():
			return float64(math.Float32frombits(a.Order.Uint32(bytes))), nil
		case a.Kind == 'u' && a.Size == 8:
			return float64(a.Order.Uint64(bytes)), nil
		}
		v, _ := a.Whole(bytes)
		return float64(v), nil
	})
	return byRows(a, values), err
}

// ReadClasses reads all numbers of an array of whole numbers, row by row. One that is no int32 is
// an error.
func (a Array) ReadClasses() ([]int32, error) {
	values, err := numbers(a, func(bytes []byte) (int32, error) {
		v, ok := a.Whole(bytes)
		if !ok || v != int64(int32(v)) {
			return 0, errors.New("a number in it is too large for a class")
		}
		return int32(v), nil
	})
	return byRows(a, values), err
}

// Whole reads a whole number; ok is false when it does not fit.
func (a Array) Whole(bytes []byte) (v int64, ok bool) {
	signed := a.Kind == 'i'
	switch a.Size {
	case 1:
		if signed {
			return int64(int8(bytes[0])), true
		}
		return int64(bytes[0]), true
	case 2:
		u := a.Order.Uint16(bytes)
		if signed {
			return int64(int16(u)), true
		}
		return int64(u), true
	case 4:
		u := a.Order.Uint32(bytes)
		if signed {
			return int64(int32(u)), true
		}
		return int64(u), true
	}
	u := a.Order.Uint64(bytes)
	return int64(u), signed || u <= math.MaxInt64
}

// numbers reads in blocks, so that a file which declares more than it has asks for no more memory
// than it has.
func numbers[T any](a Array, one func(bytes []byte) (T, error)) ([]T, error) {
	const block = 1 << 16
	values := make([]T, 0, min(a.Count, block))
	buffer := make([]byte, min(a.Count, block)*a.Size)
	for len(values) < a.Count {
		part := buffer[:min(block, a.Count-len(values))*a.Size]
		if _, err := io.ReadFull(a.In, part); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("it is cut short: there are fewer than %d numbers", a.Count)
		} else if err != nil {
			return nil, err
		}
		for at := 0; at < len(part); at += a.Size {
			v, err := one(part[at : at+a.Size])
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
	}
	return values, nil
}

// byRows brings numbers that lie column by column (the first index runs fastest) into the order of
// rows.
func byRows[T any](a Array, values []T) []T {
	if !a.ByColumns || len(a.Shape) < 2 || len(values) == 0 {
		return values
	}
	out := make([]T, len(values))
	index := make([]int, len(a.Shape))
	for _, v := range values {
		at := 0
		for k, d := range a.Shape {
			at = at*d + index[k]
		}
		out[at] = v
		for k := range index {
			if index[k]++; index[k] < a.Shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// Sort names the kind of its numbers.
func (a Array) Sort() string {
	if a.Floats() {
		return "floats"
	}
	return "whole numbers"
}
