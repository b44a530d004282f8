package background

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// jitterAmong is how many of the nearest backgrounds a jittered choice draws from
// (spec/background.md section 6).
const jitterAmong = 3

// picker chooses the scenes of one target.
type picker struct {
	scenes    Scenes
	target    []float64
	choice    Choice
	generator *rand.Rand
}

// generator is that of the target with an index: the stream is the target's, so that the order of
// targets does not matter.
func (c Choice) generator(index int) *rand.Rand { return rand.New(rand.NewPCG(c.Seed, uint64(index))) }

// near is a background with its distance.
type near struct {
	row      int
	distance float64
}

// ranked are backgrounds by falling nearness; of equally near ones the lower row first.
func (p picker) ranked(rows []int) []near {
	list := make([]near, len(rows))
	for k, row := range rows {
		list[k] = near{row, Distance(p.target, p.scenes.Table.Rows[row].Vector)}
	}
	slices.SortFunc(list, func(a, b near) int {
		if a.distance != b.distance {
			return cmp.Compare(a.distance, b.distance)
		}
		return a.row - b.row
	})
	return list
}

// plain are scenes that were chosen by their distance.
func plain(list []near) []Scene {
	scenes := make([]Scene, len(list))
	for k, n := range list {
		scenes[k] = Scene{n.row, n.distance, -1, -1}
	}
	return scenes
}

// random draws N of all backgrounds without replacement: the first steps of a shuffle. The other
// methods' distances are not needed.
func (p picker) random(rows []int) []Scene {
	list := make([]near, p.choice.N)
	for k := range list {
		other := k + p.generator.IntN(len(rows)-k)
		rows[k], rows[other] = rows[other], rows[k]
		list[k] = near{rows[k], Distance(p.target, p.scenes.Table.Rows[rows[k]].Vector)}
	}
	return plain(list)
}

// byKeywords goes through the keywords again and again and takes for each the nearest background
// that has it and is not used.
func (p picker) byKeywords(ranked []near, v []Keyword) []Scene {
	having := p.having(ranked, v)
	used := make(map[int]bool, p.choice.N)
	chosen := make([]Scene, 0, p.choice.N)
	take := func(from []near, k Keyword) bool {
		n, ok := p.nearest(from, used)
		if ok {
			used[n.row] = true
			chosen = append(chosen, Scene{n.row, n.distance, k.Item, k.Level})
		}
		return ok
	}
	for found := true; found && len(chosen) < p.choice.N; {
		found = false
		for _, k := range v {
			if len(chosen) == p.choice.N {
				break
			}
			if take(having[k.Item], k) {
				found = true
			}
		}
	}
	for len(chosen) < p.choice.N {
		take(ranked, Keyword{Item: -1, Level: -1})
	}
	return chosen
}

// having are, per keyword, the backgrounds that have it, the nearest first: as many as can ever be
// looked at, since at most N are used.
func (p picker) having(ranked []near, v []Keyword) map[int][]near {
	most := p.choice.N + jitterAmong
	lists := make(map[int][]near, len(v))
	for _, k := range v {
		lists[k.Item] = nil
	}
	for _, n := range ranked {
		for _, item := range p.scenes.Keywords.Present[n.row] {
			if list, wanted := lists[item]; wanted && len(list) < most {
				lists[item] = append(list, n)
			}
		}
	}
	return lists
}

// nearest is the first of a list that is not used, or with jitter one of the first three.
func (p picker) nearest(list []near, used map[int]bool) (near, bool) {
	among := 1
	if p.choice.Jitter {
		among = jitterAmong
	}
	first := make([]near, 0, jitterAmong)
	for _, n := range list {
		if !used[n.row] {
			first = append(first, n)
		}
		if len(first) == among {
			break
		}
	}
	switch len(first) {
	case 0:
		return near{}, false
	case 1: // nothing to draw
		return first[0], true
	}
	return first[p.generator.IntN(len(first))], true
}

// byIntervals divides the distances of the pool into N intervals and takes the background nearest
// to the centre of each.
func (p picker) byIntervals(ranked []near, v []Keyword) []Scene {
	pool := p.pool(ranked, v)
	n := p.choice.N
	low := pool[0].distance
	width := (pool[len(pool)-1].distance - low) / float64(n)
	members := make([][]near, n)
	for _, b := range pool {
		k := interval(b.distance, low, width, n)
		members[k] = append(members[k], b)
	}
	centre := func(k int) float64 { return low + float64((float64(k)+0.5)*width) }
	used := make(map[int]bool, n)
	chosen := make([]near, n)
	take := func(k int, b near) { chosen[k], used[b.row] = b, true }
	for k, list := range members {
		switch {
		case len(list) == 0:
		case p.choice.Jitter:
			take(k, list[p.generator.IntN(len(list))])
		default:
			take(k, closest(list, centre(k), used))
		}
	}
	for k, list := range members {
		if len(list) == 0 {
			take(k, closest(pool, centre(k), used))
		}
	}
	return plain(chosen)
}

// pool are the backgrounds with at least one keyword of v, or all where these are fewer than N.
func (p picker) pool(ranked []near, v []Keyword) []near {
	wanted := make(map[int]bool, len(v))
	for _, k := range v {
		wanted[k.Item] = true
	}
	var list []near
	for _, n := range ranked {
		if slices.ContainsFunc(p.scenes.Keywords.Present[n.row], func(item int) bool { return wanted[item] }) {
			list = append(list, n)
		}
	}
	if len(list) < p.choice.N {
		return ranked
	}
	return list
}

// interval is the number of the interval that a distance lies in; all lie in the first where they
// have no width.
func interval(d, low, width float64, n int) int {
	if !(width > 0) {
		return 0
	}
	return int(min(math.Floor((d-low)/width), float64(n-1)))
}

// closest is the unused background whose distance is nearest to a centre; of equally near ones the
// lower row. There is one: N are taken of at least N.
func closest(list []near, centre float64, used map[int]bool) near {
	best, gap := near{row: -1}, math.Inf(1)
	for _, n := range list {
		g := math.Abs(n.distance - centre)
		if !used[n.row] && (g < gap || g == gap && n.row < best.row) {
			best, gap = n, g
		}
	}
	return best
}
