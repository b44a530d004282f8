package predictions

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

// array is an array in NumPy's format whose header is read.
type array struct {
	in        io.Reader // at the first number
	kind      byte      // i, u or f
	size      int       // bytes of a number
	order     binary.ByteOrder
	byColumns bool
	shape     []int
	count     int
}

// maxHeader is the length of a header in bytes.
const maxHeader = 1 << 16

var (
	headerType  = regexp.MustCompile(`'descr': *'([<>|=])([a-zA-Z])([0-9]+)'`)
	headerOrder = regexp.MustCompile(`'fortran_order': *(True|False)`)
	headerShape = regexp.MustCompile(`'shape': *\(([0-9, ]*)\)`)
)

// openArray reads the header of an array of at most maxNumbers numbers.
func openArray(in io.Reader) (array, error) {
	a := array{in: in, order: binary.LittleEndian, count: 1}
	header, err := readHeader(in)
	if err != nil {
		return a, err
	}
	kind, order, shape := headerType.FindStringSubmatch(header), headerOrder.FindStringSubmatch(header), headerShape.FindStringSubmatch(header)
	if kind == nil || order == nil || shape == nil {
		return a, errors.New("its header cannot be read; save it as a plain array of numbers")
	}
	if kind[1] == ">" {
		a.order = binary.BigEndian
	}
	a.kind, a.byColumns = kind[2][0], order[1] == "True"
	a.size, _ = strconv.Atoi(kind[3]) // a number that is too large is no size either
	if !a.readable() {
		return a, fmt.Errorf("numbers of type %s%s cannot be read; save it as float32 or int32", kind[2], kind[3])
	}
	for text := range strings.SplitSeq(shape[1], ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		d, err := strconv.Atoi(text)
		if err != nil || d > maxNumbers || d > 0 && a.count > maxNumbers/d {
			return a, fmt.Errorf("its shape (%s) has more than %d numbers; that is too large", strings.TrimSpace(shape[1]), maxNumbers)
		}
		a.shape = append(a.shape, d)
		a.count *= d
	}
	return a, nil
}

func readHeader(in io.Reader) (string, error) {
	start := make([]byte, 8)
	if _, err := io.ReadFull(in, start); err != nil || string(start[:6]) != "\x93NUMPY" {
		return "", errors.New("it is no array in NumPy's format")
	}
	long := start[6] > 1
	length := make([]byte, 2)
	if long {
		length = make([]byte, 4)
	}
	if _, err := io.ReadFull(in, length); err != nil {
		return "", errors.New("its header is cut short")
	}
	n := uint32(binary.LittleEndian.Uint16(length))
	if long {
		n = binary.LittleEndian.Uint32(length)
	}
	if n > maxHeader {
		return "", errors.New("its header is too long")
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(in, header); err != nil {
		return "", errors.New("its header is cut short")
	}
	return string(header), nil
}

func (a array) readable() bool {
	switch a.kind {
	case 'f':
		return a.size == 4 || a.size == 8
	case 'i', 'u':
		return a.size == 1 || a.size == 2 || a.size == 4 || a.size == 8
	}
	return false
}

// floats tells whether the array holds floating-point numbers.
func (a array) floats() bool { return a.kind == 'f' }

// readFloats reads all numbers of an array of floats, row by row.
func (a array) readFloats() ([]float32, error) {
	values, err := numbers(a, func(bytes []byte) (float32, error) {
		if a.size == 8 {
			return float32(math.Float64frombits(a.order.Uint64(bytes))), nil
		}
		return math.Float32frombits(a.order.Uint32(bytes)), nil
	})
	return byRows(a, values), err
}

// readClasses reads all numbers of an array of whole numbers, row by row. One that is no int32 is an error.
func (a array) readClasses() ([]int32, error) {
	values, err := numbers(a, func(bytes []byte) (int32, error) {
		v, ok := a.whole(bytes)
		if !ok || v != int64(int32(v)) {
			return 0, errors.New("a number in it is too large for a class")
		}
		return int32(v), nil
	})
	return byRows(a, values), err
}

// whole reads a whole number; ok is false when it does not fit.
func (a array) whole(bytes []byte) (v int64, ok bool) {
	signed := a.kind == 'i'
	switch a.size {
	case 1:
		if signed {
			return int64(int8(bytes[0])), true
		}
		return int64(bytes[0]), true
	case 2:
		u := a.order.Uint16(bytes)
		if signed {
			return int64(int16(u)), true
		}
		return int64(u), true
	case 4:
		u := a.order.Uint32(bytes)
		if signed {
			return int64(int32(u)), true
		}
		return int64(u), true
	}
	u := a.order.Uint64(bytes)
	return int64(u), signed || u <= math.MaxInt64
}

// numbers reads in blocks, so that a file which declares more than it has asks for no more memory than it has.
func numbers[T any](a array, one func(bytes []byte) (T, error)) ([]T, error) {
	const block = 1 << 16
	values := make([]T, 0, min(a.count, block))
	buffer := make([]byte, block*a.size)
	for len(values) < a.count {
		part := buffer[:min(block, a.count-len(values))*a.size]
		if _, err := io.ReadFull(a.in, part); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("it is cut short: there are fewer than %d numbers", a.count)
		} else if err != nil {
			return nil, err
		}
		for at := 0; at < len(part); at += a.size {
			v, err := one(part[at : at+a.size])
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
	}
	return values, nil
}

// byRows brings numbers that lie column by column (the first index runs fastest) into the order of rows.
func byRows[T any](a array, values []T) []T {
	if !a.byColumns || len(a.shape) < 2 || len(values) == 0 {
		return values
	}
	out := make([]T, len(values))
	index := make([]int, len(a.shape))
	for _, v := range values {
		at := 0
		for k, d := range a.shape {
			at = at*d + index[k]
		}
		out[at] = v
		for k := range index {
			if index[k]++; index[k] < a.shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// sort names the kind of its numbers.
func (a array) sort() string {
	if a.floats() {
		return "floats"
	}
	return "whole numbers"
}
