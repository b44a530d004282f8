package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

func TestContextVectors(t *testing.T) {
	w := fresh(t)
	long := make([]float64, 2000)
	for i := range long {
		long[i] = math.Sqrt(float64(i))
	}
	put := map[string][]float64{"a": {0.1, math.SmallestNonzeroFloat64, 1}, "long": long, "none": {}}
	if err := w.PutContextVectors(put); err != nil {
		t.Fatal(err)
	}
	if err := w.PutContextVectors(map[string][]float64{"a": {0.2}}); err != nil {
		t.Fatal(err)
	}
	put["a"] = []float64{0.2}
	path := w.Path()
	checkAndClose(t, w)
	w = reopen(t, path)
	for key, want := range put {
		if got, found, err := w.ContextVector(key); err != nil || !found || !slices.Equal(got, want) {
			t.Errorf("%s: %d numbers, %v, %v", key, len(got), found, err)
		}
	}
	if got, found, err := w.ContextVector("b"); got != nil || found || err != nil {
		t.Errorf("%v, %v, %v", got, found, err)
	}
	if err := w.PutContextVectors(map[string][]float64{"": {1}}); err == nil {
		t.Error("kept a vector without a key")
	}
}

// TestContextVectorsAreBounded: numbers that cannot be deflated fill the room; those that do not fit sweep the others away.
func TestContextVectorsAreBounded(t *testing.T) {
	if testing.Short() {
		return // one goroutine packs much
	}
	w := unsynced(fresh(t))
	random := rand.New(rand.NewPCG(1, 1))
	noise := make([]float64, 3<<20) // 24 MiB
	for i := range noise {
		noise[i] = math.Float64frombits(random.Uint64() >> 2)
	}
	for i := range 7 {
		if err := w.PutContextVectors(map[string][]float64{fmt.Sprint("v", i): noise}); err != nil {
			t.Fatal(err)
		}
		var counted, noted uint64
		err := w.view(func(tx *bbolt.Tx) error {
			noted = tx.Bucket(bucketContextVectors).Sequence()
			return tx.Bucket(bucketContextVectors).ForEach(func(k, v []byte) error {
				counted += uint64(len(k) + len(v))
				return nil
			})
		})
		if err != nil || counted != noted || counted > maxContext {
			t.Fatalf("%d bytes, noted %d, %v", counted, noted, err)
		}
	}
	if _, found, err := w.ContextVector("v0"); found || err != nil {
		t.Errorf("the oldest is still there: %v, %v", found, err)
	}
	if _, found, err := w.ContextVector("v6"); !found || err != nil {
		t.Errorf("the newest: %v, %v", found, err)
	}
	many := map[string][]float64{}
	for i := range 6 {
		many[fmt.Sprint(i)] = noise
	}
	if err := w.PutContextVectors(many); err == nil || !strings.Contains(err.Error(), "too many at once") {
		t.Errorf("%v", err)
	}
}

// FuzzUnpackNumbers: whatever bytes a damaged database holds give numbers that pack and unpack again, or an error.
func FuzzUnpackNumbers(f *testing.F) {
	for _, v := range [][]float64{nil, {0.1, math.Inf(1)}, make([]float64, 1000)} {
		data, err := packNumbers(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("J1234567"))
	f.Add([]byte("Z"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := unpackNumbers(data)
		if err != nil {
			return
		}
		again, err := packNumbers(v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := unpackNumbers(again)
		same := slices.EqualFunc(back, v, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
		if err != nil || !same {
			t.Errorf("%d numbers are %d, %v", len(v), len(back), err)
		}
	})
}
