package onnx

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// Limits of the reader. An image classifier has a few thousand nodes; a file beyond these is
// hostile or something else.
const (
	maxFields = 20_000_000 // fields read in the whole file
	maxParts  = 500_000    // nodes, weights, value infos and metadata entries kept
	maxDepth  = 32         // graphs inside graphs
	maxName   = 1 << 16    // bytes
	maxText   = 1 << 24    // bytes of a metadata value
	maxInts   = 64         // entries kept of an attribute's or shape's list
)

var (
	errWire  = errors.New("it is damaged")
	errDepth = errors.New("its graphs are nested too deeply")
	errParts = errors.New("it has more parts than an image classifier has")
	errName  = errors.New("it holds a name that is too long or not text")
)

// field is one field of a protobuf message; bytes is set for length-delimited fields, n for all
// others.
type field struct {
	num   protowire.Number
	typ   protowire.Type
	bytes []byte
	n     uint64
}

// reader counts what was read of one file, so that no file costs more than the limits.
type reader struct {
	fields, parts int
}

// each calls visit for every field of a message, in order.
func (r *reader) each(message []byte, visit func(field) error) error {
	for len(message) > 0 {
		if r.fields++; r.fields > maxFields {
			return errParts
		}
		f, size, err := nextField(message)
		if err != nil {
			return err
		}
		if err := visit(f); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}

// inside calls visit for every field of the message that a field holds.
func (r *reader) inside(f field, visit func(field) error) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	return r.each(b, visit)
}

// part counts one kept part.
func (r *reader) part() error {
	if r.parts++; r.parts > maxParts {
		return errParts
	}
	return nil
}

func nextField(message []byte) (f field, size int, err error) {
	num, typ, tag := protowire.ConsumeTag(message)
	if tag < 0 {
		return field{}, 0, errWire
	}
	f = field{num: num, typ: typ}
	value := message[tag:]
	n := -1
	switch typ {
	case protowire.VarintType:
		f.n, n = protowire.ConsumeVarint(value)
	case protowire.Fixed32Type:
		var v uint32
		v, n = protowire.ConsumeFixed32(value)
		f.n = uint64(v)
	case protowire.Fixed64Type:
		f.n, n = protowire.ConsumeFixed64(value)
	case protowire.BytesType:
		f.bytes, n = protowire.ConsumeBytes(value)
	case protowire.StartGroupType, protowire.EndGroupType: // ONNX has no groups
	}
	if n < 0 {
		return field{}, 0, errWire
	}
	return f, tag + n, nil
}

// message returns a field that must be a message or a string.
func (f field) message() ([]byte, error) {
	if f.typ != protowire.BytesType {
		return nil, errWire
	}
	return f.bytes, nil
}

// integer returns a field that must be a varint.
func (f field) integer() (int64, error) {
	if f.typ != protowire.VarintType {
		return 0, errWire
	}
	return int64(f.n), nil
}

// text returns a name: valid UTF-8 without a zero byte, since names also pass through C strings.
func (f field) text() (string, error) { return f.textUpTo(maxName) }

func (f field) textUpTo(limit int) (string, error) {
	b, err := f.message()
	if err != nil {
		return "", err
	}
	if len(b) > limit || !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
		return "", errName
	}
	return string(b), nil
}

// word returns a short text such as SAME_UPPER, "" for anything else: texts of attributes may hold
// any bytes.
func (f field) word() string {
	if len(f.bytes) > maxInts || !utf8.Valid(f.bytes) ||
		bytes.ContainsFunc(f.bytes, func(r rune) bool { return r < ' ' }) {
		return ""
	}
	return string(f.bytes)
}

// integers appends a repeated integer field, packed or not, keeping at most maxInts entries.
func (f field) integers(list []int64) ([]int64, error) {
	if f.typ == protowire.VarintType {
		return appendCapped(list, int64(f.n)), nil
	}
	packed, err := f.message()
	if err != nil {
		return nil, err
	}
	for len(packed) > 0 && len(list) < maxInts {
		v, n := protowire.ConsumeVarint(packed)
		if n < 0 {
			return nil, errWire
		}
		list = append(list, int64(v))
		packed = packed[n:]
	}
	return list, nil
}

func appendCapped(list []int64, v int64) []int64 {
	if len(list) >= maxInts {
		return list
	}
	return append(list, v)
}
