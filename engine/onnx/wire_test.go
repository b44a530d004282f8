package onnx

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slowFields reads a message the plain way, one bit of the format at a time.
func slowFields(b []byte) (list []field, ok bool) {
	varint := func() (v uint64, ok bool) {
		for shift := 0; len(b) > 0 && shift < 64; shift += 7 {
			c := b[0]
			b = b[1:]
			if shift == 63 && c > 1 {
				return 0, false
			}
			v |= uint64(c&0x7f) << shift
			if c < 0x80 {
				return v, true
			}
		}
		return 0, false
	}
	take := func(n uint64) (part []byte, ok bool) {
		if n > uint64(len(b)) {
			return nil, false
		}
		part, b = b[:n], b[n:]
		return part, true
	}
	for len(b) > 0 {
		tag, ok := varint()
		if !ok || tag>>3 == 0 || tag>>3 > math.MaxInt32>>2 {
			return nil, false
		}
		f := field{num: protowire.Number(tag >> 3), typ: protowire.Type(tag & 7)}
		switch f.typ {
		case 0:
			f.n, ok = varint()
		case 1, 5:
			var part []byte
			part, ok = take(map[protowire.Type]uint64{1: 8, 5: 4}[f.typ])
			for i, c := range part {
				f.n |= uint64(c) << (8 * i)
			}
		case 2:
			var n uint64
			if n, ok = varint(); ok {
				f.bytes, ok = take(n)
			}
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
		list = append(list, f)
	}
	return list, true
}

func TestEachEqualsSlowReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var message pb
		for range rapid.IntRange(0, 6).Draw(t, "fields") {
			num := protowire.Number(rapid.IntRange(1, 40).Draw(t, "number"))
			switch rapid.IntRange(0, 3).Draw(t, "type") {
			case 0:
				message = message.num(num, rapid.Int64().Draw(t, "varint"))
			case 1:
				message = message.msg(num, rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes"))
			case 2:
				message = protowire.AppendFixed32(protowire.AppendTag(message, num, protowire.Fixed32Type),
					rapid.Uint32().Draw(t, "fixed"))
			case 3:
				message = protowire.AppendFixed64(protowire.AppendTag(message, num, protowire.Fixed64Type),
					rapid.Uint64().Draw(t, "fixed"))
			}
		}
		message = append(message, rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "rest")...)
		want, good := slowFields(message)
		var got []field
		r := reader{}
		err := r.each(message, func(f field) error {
			got = append(got, f)
			return nil
		})
		if good != (err == nil) {
			t.Fatalf("error %v, slowly %v", err, good)
		}
		same := func(a, b field) bool {
			return a.num == b.num && a.typ == b.typ && a.n == b.n && slices.Equal(a.bytes, b.bytes)
		}
		if good && !slices.EqualFunc(got, want, same) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestEachStops(t *testing.T) {
	stop := errors.New("stop")
	message := pb{}.num(1, 1).num(2, 2)
	r := reader{}
	calls := 0
	err := r.each(message, func(field) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	testdata.ErrorIs(t, "a number was read as a message", r.inside(field{typ: protowire.VarintType}, nil), errWire)
}

func TestReaderBudget(t *testing.T) {
	r := reader{fields: maxFields - 1}
	none := func(field) error { return nil }
	testdata.OK(t, r.each(pb{}.num(1, 1), none))
	testdata.ErrorIs(t, "each", r.each(pb{}.num(1, 1), none), errParts)
	r.parts = maxParts - 1
	testdata.OK(t, r.part())
	testdata.ErrorIs(t, "part", r.part(), errParts)
}

func TestFieldText(t *testing.T) {
	for text, good := range map[string]bool{
		"": true, "input": true, "größe/0:1": true, "a\x00b": false, "\xff\xfe": false,
		strings.Repeat("x", maxName): true, strings.Repeat("x", maxName+1): false,
	} {
		got, err := field{typ: protowire.BytesType, bytes: []byte(text)}.text()
		if (err == nil) != good || good && got != text {
			t.Errorf("%.20q: %.20q, %v", text, got, err)
		}
	}
	testdata.ErrorIs(t, "a number was read as text", testdata.Err((field{typ: protowire.VarintType}).text()), errWire)
	if _, err := (field{typ: protowire.BytesType}).integer(); !errors.Is(err, errWire) {
		t.Errorf("text was read as a number: %v", err)
	}
}

// A list of integers reads the same packed and one by one, and never keeps more than its cap.
func TestFieldIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int64(), 0, 2*maxInts).Draw(t, "list")
		var packed []byte
		var single []int64
		for _, v := range list {
			packed = protowire.AppendVarint(packed, uint64(v))
			var err error
			if single, err = (field{typ: protowire.VarintType, n: uint64(v)}).integers(single); err != nil {
				t.Fatal(err)
			}
		}
		got, err := field{typ: protowire.BytesType, bytes: packed}.integers(nil)
		want := list[:min(len(list), maxInts)]
		if err != nil || !slices.Equal(got, want) || !slices.Equal(single, want) {
			t.Fatalf("packed %v, single %v, want %v, %v", got, single, want, err)
		}
	})
	for _, bad := range []field{{typ: protowire.Fixed32Type}, {typ: protowire.BytesType, bytes: []byte{0x80}}} {
		testdata.ErrorIs(t, fmt.Sprintf("%+v", bad), testdata.Err(bad.integers(nil)), errWire)
	}
}

func TestProduct(t *testing.T) {
	// passes what an int64 holds and comes back below zero
	if n, ok := product([]int64{2, 1562614, 94562, 31209828}); ok {
		t.Errorf("an overflow is %d", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(-2, 9), rapid.Int64Range(1, 1<<21), rapid.Int64()), 0,
			5).Draw(t, "dims")
		want, good := 1.0, true
		for _, d := range dims {
			want *= float64(d)
			good = good && d >= 0 && d <= 1<<40 && want <= 1<<40
		}
		if n, ok := product(dims); ok != good || ok && float64(n) != want {
			t.Fatalf("%v: %d, %v; want %g, %v", dims, n, ok, want, good)
		}
	})
}

func TestBeginsField(t *testing.T) {
	for b := range 256 {
		_, err := firstField(byte(b))
		testdata.Is(t, fmt.Sprintf("%#x", b), beginsField(byte(b)), (err == nil))
	}
}

// firstField is what a byte can begin, by the format's own reader: fields 1 to 15 of the two types,
// or a longer tag.
func firstField(b byte) (protowire.Number, error) {
	if b >= 0x80 {
		return 0, nil
	}
	num, typ, n := protowire.ConsumeTag([]byte{b})
	if n < 0 || typ != protowire.VarintType && typ != protowire.BytesType {
		return 0, errWire
	}
	return num, nil
}
