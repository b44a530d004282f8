package saved

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// odd is a value that somebody may put in the place of another one.
func odd(random *rand.Rand) any {
	list := []any{
		nil, true, "", "x", "-inf", -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 1e9, -1e308, 1e308, 5e-324,
		[]any{},
		[]any{0.0},
		map[string]any{},
	}
	return list[random.IntN(len(list))]
}

// spoil replaces one value somewhere inside v by an odd one, or removes or repeats an entry of a
// list.
func spoil(random *rand.Rand, v any) any {
	if random.IntN(12) == 0 {
		return odd(random)
	}
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if len(keys) == 0 {
			return odd(random)
		}
		k := keys[random.IntN(len(keys))]
		v[k] = spoil(random, v[k])
		return v
	case []any:
		switch {
		case len(v) == 0:
			return []any{odd(random)}
		case random.IntN(8) == 0:
			return v[:len(v)-1]
		case random.IntN(8) == 0:
			return append(v, v[random.IntN(len(v))])
		}
		i := random.IntN(len(v))
		v[i] = spoil(random, v[i])
		return v
	}
	return odd(random)
}

// A file with a right hash and a wrong value is refused, or can be used like any other.
func TestDecodeSpoiled(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads thousands of files
	}
	read := 0
	for k, s := range small() {
		d := madeUp(12, 2+k%2, 1)
		content := testdata.Must(keeping(trained(t, d, s), d).content())(t)
		for seed := range uint64(500) {
			var v any
			testdata.OK(t, json.Unmarshal(content, &v))
			random := rand.New(rand.NewPCG(seed, uint64(k)))
			for range 1 + random.IntN(3) {
				v = spoil(random, v)
			}
			spoiled := testdata.Must(json.Marshal(v))(t)
			t.Run(fmt.Sprintf("%s %d", s.Algorithm, seed), func(t *testing.T) {
				if file, err := Decode("spoiled", []byte(sealed(string(spoiled)))); err == nil {
					read++
					usable(t, file)
				}
			})
		}
	}
	if read == 0 {
		t.Error("nothing that was spoiled could be read, so nothing was tried")
	}
	t.Logf("%d spoiled files could be read", read)
}
