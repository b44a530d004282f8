package onnx

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestReaderBudget(t *testing.T) {
	r := reader{fields: maxFields - 1}
	none := func(field) error { return nil }
	testdata.OK(t, r.each(pb{}.num(1, 1), none))
	testdata.ErrorIs(t, "each", r.each(pb{}.num(1, 1), none), errParts)
	r.parts = maxParts - 1
	testdata.OK(t, r.part())
	testdata.ErrorIs(t, "part", r.part(), errParts)
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
