package label

import (
	"cmp"
	"fmt"
	"slices"
)

// Sample draws n of the items, without replacement, from a seed; it keeps the order of items. With
// strata (one name per item, else nil) every stratum gets its share of n, rounded down, and the
// places left go to those with the largest remainders, the larger stratum first and then by name.
func Sample(items, strata []string, n int, seed uint64) ([]string, error) {
	switch {
	case strata != nil && len(strata) != len(items):
		return nil, fmt.Errorf("sample: %d strata for %d items", len(strata), len(items))
	case n < 1 || n > len(items):
		return nil, fmt.Errorf("a sample of %d from %d models is not possible; ask for 1 to %d", n, len(items),
			len(items))
	}
	groups := map[string][]int{}
	for k := range items {
		name := ""
		if strata != nil {
			name = strata[k]
		}
		groups[name] = append(groups[name], k)
	}
	var drawn []int
	for _, s := range shares(groups, n) {
		rng := repeatDraws(seed, "sample", s.name)
		members := groups[s.name]
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		drawn = append(drawn, members[:s.places]...)
	}
	slices.Sort(drawn)
	list := make([]string, len(drawn))
	for k, at := range drawn {
		list[k] = items[at]
	}
	return list, nil
}

// share is how many places a stratum gets.
type share struct {
	name                    string
	size, places, remainder int // remainder in parts of the number of all items
}

// shares splits n places over the groups by size, in the order of names.
func shares(groups map[string][]int, n int) []share {
	list := make([]share, 0, len(groups))
	total := 0
	for name, members := range groups {
		list = append(list, share{name: name, size: len(members)})
		total += len(members)
	}
	left := n
	for k := range list {
		list[k].places, list[k].remainder = n*list[k].size/total, n*list[k].size%total
		left -= list[k].places
	}
	slices.SortFunc(list, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.remainder, a.remainder), cmp.Compare(b.size, a.size), cmp.Compare(a.name, b.name))
	})
	for k := range left {
		list[k].places++
	}
	slices.SortFunc(list, func(a, b share) int { return cmp.Compare(a.name, b.name) })
	return list
}
