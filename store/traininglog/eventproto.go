package traininglog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"google.golang.org/protobuf/encoding/protowire"
)

func allZero(data []byte) bool { return bytes.Count(data, []byte{0}) == len(data) }

// onlyZeros tells whether nothing but zeros is left, or nothing at all.
func onlyZeros(in *bufio.Reader) bool {
	for {
		c, err := in.ReadByte()
		if err != nil || c != 0 {
			return err == io.EOF
		}
	}
}

// field is a field of a protobuf message: the bits of a number, or bytes.
type field struct {
	num  protowire.Number
	typ  protowire.Type
	bits uint64
	data []byte
}

// is tells whether a field has this number and type.
func (f field) is(num protowire.Number, typ protowire.Type) bool { return f.num == num && f.typ == typ }

// errMessage is the fault of what is no protobuf message.
var errMessage = errors.New("a record holds no event")

// fields are the fields of a protobuf message up to its first fault, which err then has.
func (e *events) fields(data []byte) iter.Seq[field] {
	return func(yield func(field) bool) {
		for len(data) > 0 {
			num, typ, n := protowire.ConsumeTag(data)
			f := field{num: num, typ: typ}
			if n > 0 {
				data = data[n:]
				switch typ {
				case protowire.VarintType:
					f.bits, n = protowire.ConsumeVarint(data)
				case protowire.Fixed32Type:
					var bits uint32
					bits, n = protowire.ConsumeFixed32(data)
					f.bits = uint64(bits)
				case protowire.Fixed64Type:
					f.bits, n = protowire.ConsumeFixed64(data)
				case protowire.BytesType:
					f.data, n = protowire.ConsumeBytes(data)
				default:
					n = protowire.ConsumeFieldValue(num, typ, data)
				}
			}
			if n < 0 {
				e.err = errMessage
				return
			}
			data = data[n:]
			if !yield(f) {
				return
			}
		}
	}
}

// parts are the messages in a message that its fields of a number hold.
func (e *events) parts(data []byte, num protowire.Number) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for f := range e.fields(data) {
			if f.is(num, protowire.BytesType) && !yield(f.data) {
				return
			}
		}
	}
}
