package database

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestPackRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := map[string][]int{}
		for range rapid.IntRange(0, 30).Draw(t, "keys") {
			in[rapid.String().Draw(t, "key")] = rapid.SliceOfN(rapid.Int(), 0, 60).Draw(t, "values")
		}
		data := testdata.Must(Pack(in))(t)
		out := map[string][]int{}
		must(t, unpack(data, &out))
		// JSON writes what is not UTF-8 as the replacement character, which rapid's strings do not
		// hold
		testdata.NoDiff(t, "out", cmp.Diff(in, out))
		if cut, err := Pack(out); err != nil || len(cut) == 0 {
			t.Fatal(err)
		}
	})
}

func TestPackDeflatesLargeValuesOnly(t *testing.T) {
	for _, size := range []int{1, packLimit - 2, packLimit - 1, 100000} {
		data := testdata.Must(Pack(strings.Repeat("a", size)))(t)
		want := byte(packedPlain)
		if size+2 > packLimit {
			want = packedDeflated
		}
		if data[0] != want || want == packedDeflated && len(data) > size/10 {
			t.Errorf("%d bytes became %d of kind %q", size, len(data), data[0])
		}
	}
	if _, err := Pack(func() {}); err == nil {
		t.Error("packed a function")
	}
}

func TestUnpackRefuses(t *testing.T) {
	large := testdata.Must(Pack(strings.Repeat("abc", packLimit)))(t)
	for name, data := range map[string][]byte{
		"nothing": nil, "kind": []byte("X1"), "no json": []byte("J{"), "no flate": {packedDeflated, 0xFF, 0xFF},
		"cut": large[:len(large)/2],
	} {
		var into any
		if err := unpack(data, &into); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, v := range []any{1, strings.Repeat("x", packLimit)} {
		data := testdata.Must(Pack(v))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		var into any
		if err := unpack(data, &into); err == nil && data[0] != packedPlain && data[0] != packedDeflated {
			t.Error("an unknown kind")
		}
	})
}

func TestIndexKeys(t *testing.T) {
	key := IndexKey("model", "suite", "rotation:-15:15:1;border=zero", "set")
	m, s, f, k, ok := SplitIndexKey(key)
	if !ok || m != "model" || s != "suite" || f != "rotation:-15:15:1;border=zero" || k != "set" {
		t.Error(m, s, f, k, ok)
	}
	for _, parts := range [][]string{{"model"}, {"model", "suite"}, {"model", "suite", f}} {
		if prefix := IndexKey(parts...); !strings.HasPrefix(key, prefix) || prefix[len(prefix)-1] != 0 {
			t.Errorf("%q is no prefix of %q that ends a part", prefix, key)
		}
	}
	if _, _, _, _, ok := SplitIndexKey("a\x00b"); ok {
		t.Error("split a key of two parts")
	}
}

// A value of a few bytes may say that it is anything.
func TestInflateIsBounded(t *testing.T) {
	data, err := packBytes(make([]byte, 1<<20))
	if err != nil || data[0] != packedDeflated {
		t.Fatal(err)
	}
	if raw, err := inflate(data[1:], 1<<20); err != nil || len(raw) != 1<<20 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
	testdata.Refused(t, "inflate", testdata.Err(inflate(data[1:], 1<<20-1)), "more than")
}

// FuzzUnpackNumbers: whatever bytes a damaged database holds give numbers that pack and unpack
// again, or an error.
func FuzzUnpackNumbers(f *testing.F) {
	for _, v := range [][]float64{nil, {0.1, math.Inf(1)}, make([]float64, 1000)} {
		data := testdata.Must(PackNumbers(v))(f)
		f.Add(data)
	}
	f.Add([]byte("J1234567"))
	f.Add([]byte("Z"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v, back []float64
		if unpackNumbers(data, &v) != nil {
			return
		}
		again, err := PackNumbers(v)
		must(t, err)
		err = unpackNumbers(again, &back)
		same := slices.EqualFunc(back, v, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
		if err != nil || !same {
			t.Errorf("%d numbers are %d, %v", len(v), len(back), err)
		}
	})
}
