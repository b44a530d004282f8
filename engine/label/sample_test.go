package label

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestSample(t *testing.T) {
	items := strings.Split("abcdefghij", "")
	strata := strings.Split("xxxxxxyyyz", "")
	count := map[string]int{}
	for _, item := range testdata.Must(Sample(items, strata, 5, 1))(t) {
		count[strata[slices.Index(items, item)]]++
	}
	// 3, 1.5 and 0.5 places: the larger stratum of equal remainders gets the one left.
	testdata.Is(t, "places", fmt.Sprint(count), "map[x:3 y:2]")
	for _, n := range []int{0, 11, -1} {
		testdata.Refused(t, fmt.Sprintf("a sample of %d", n),
			testdata.Err(Sample(items, nil, n, 1)), "ask for 1 to 10")
	}
	testdata.Refused(t, "strata of other items", testdata.Err(Sample(items, strata[:3], 2, 1)))
	one, _ := Sample(items, nil, 4, 1)
	if two, _ := Sample(items, nil, 4, 2); slices.Equal(one, two) {
		t.Error("two seeds give one sample")
	}
}

// A sample is what was asked for, in order, the same each time, and every stratum is within one of
// its share.
func TestSampleProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfNDistinct(rapid.StringN(1, 4, -1), 1, 40, rapid.ID[string]).Draw(t, "items")
		strata := make([]string, len(items))
		size := map[string]int{}
		for k := range strata {
			strata[k] = rapid.SampledFrom([]string{"", "p", "q", "r"}).Draw(t, "stratum")
			size[strata[k]]++
		}
		n, seed := rapid.IntRange(1, len(items)).Draw(t, "n"), rapid.Uint64().Draw(t, "seed")
		got, err := Sample(items, strata, n, seed)
		again, _ := Sample(items, strata, n, seed)
		if err != nil || len(got) != n || !slices.Equal(got, again) {
			t.Fatalf("%v, %v, again %v", got, err, again)
		}
		last, count := -1, map[string]int{}
		for _, item := range got {
			at := slices.Index(items, item)
			if at <= last {
				t.Fatalf("%v is not in the order of %v", got, items)
			}
			last = at
			count[strata[at]]++
		}
		for name, all := range size {
			if share := n * all / len(items); count[name] < share || count[name] > share+1 {
				t.Fatalf("stratum %q of %d has %d of %d places", name, all, count[name], n)
			}
		}
	})
}
