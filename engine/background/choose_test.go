package background

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// scenesOf makes a table with a target in row 0 and backgrounds with these vectors and keywords
// behind it.
func scenesOf(target []float64, backgrounds [][]float64, present [][]int) Scenes {
	s := Scenes{
		Table:    Table{Rows: []Row{{File: "targets/dog.png", Kind: TargetKind, Vector: target}}},
		Keywords: Keywords{Present: [][]int{nil}},
	}
	for k, v := range backgrounds {
		s.Table.Rows = append(s.Table.Rows, Row{File: fmt.Sprintf("bg_%d.png", k), Kind: BackgroundKind, Vector: v})
		s.Keywords.Present = append(s.Keywords.Present, present[k])
	}
	return s
}

// onALine are backgrounds at these distances from a target at 0, with the keyword 0 each.
func onALine(at ...float64) Scenes {
	vectors, present := make([][]float64, len(at)), make([][]int, len(at))
	for k, v := range at {
		vectors[k], present[k] = []float64{v}, []int{0}
	}
	return scenesOf([]float64{0}, vectors, present)
}

func rowsOf(scenes []Scene) []int {
	rows := make([]int, len(scenes))
	for k, s := range scenes {
		rows[k] = s.Background
	}
	return rows
}

// obvious chooses as section 6 says it, looking at all backgrounds for each scene; without jitter,
// and not at random.
func obvious(s Scenes, target int, v []Keyword, c Choice) []Scene {
	used := map[int]bool{}
	distance := func(b int) float64 {
		sum := 0.0
		for k, x := range s.Table.Rows[target].Vector {
			sum += (x - s.Table.Rows[b].Vector[k]) * (x - s.Table.Rows[b].Vector[k])
		}
		return math.Sqrt(sum)
	}
	all := func(fits func(b int) bool) (list []int) {
		for b, r := range s.Table.Rows {
			if r.Kind == BackgroundKind && !s.Vetoed[b] && !used[b] && fits(b) {
				list = append(list, b)
			}
		}
		return list
	}
	best := func(list []int, cost func(b int) float64) int {
		sort.SliceStable(list, func(i, j int) bool { return cost(list[i]) < cost(list[j]) })
		used[list[0]] = true
		return list[0]
	}
	any := func(int) bool { return true }
	has := func(item int) func(int) bool {
		return func(b int) bool { return slices.Contains(s.Keywords.Present[b], item) }
	}
	var chosen []Scene
	take := func(b, keyword, level int) { chosen = append(chosen, Scene{b, distance(b), keyword, level}) }
	switch c.Method {
	case Nearest:
		for range c.N {
			take(best(all(any), distance), -1, -1)
		}
	case ByKeywords:
		for before := -1; before < len(chosen) && len(chosen) < c.N; {
			before = len(chosen)
			for _, k := range v {
				if list := all(has(k.Item)); len(list) > 0 && len(chosen) < c.N {
					take(best(list, distance), k.Item, k.Level)
				}
			}
		}
		for len(chosen) < c.N {
			take(best(all(any), distance), -1, -1)
		}
	case ByIntervals:
		pool := all(func(b int) bool { return slices.ContainsFunc(v, func(k Keyword) bool { return has(k.Item)(b) }) })
		if len(pool) < c.N {
			pool = all(any)
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, b := range pool {
			low, high = min(low, distance(b)), max(high, distance(b))
		}
		w := (high - low) / float64(c.N)
		lies := func(b int) int {
			if w == 0 {
				return 0
			}
			return min(int(math.Floor((distance(b)-low)/w)), c.N-1)
		}
		slots := make([]int, c.N)
		for pass := range 2 {
			for k := range c.N {
				off := func(b int) float64 { return math.Abs(distance(b) - (low + (float64(k)+0.5)*w)) }
				inside := slices.DeleteFunc(slices.Clone(pool), func(b int) bool { return lies(b) != k })
				unused := slices.DeleteFunc(slices.Clone(pool), func(b int) bool { return used[b] })
				if pass == 0 && len(inside) > 0 {
					slots[k] = best(inside, off)
				}
				if pass == 1 && len(inside) == 0 {
					slots[k] = best(unused, off)
				}
			}
		}
		for _, b := range slots {
			take(b, -1, -1)
		}
	}
	return chosen
}

// TestChooseAgainstTheObviousWay draws tables on a coarse grid, so that equal distances, equal
// vectors and empty intervals are common.
func TestChooseAgainstTheObviousWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, items := rapid.IntRange(1, 3).Draw(t, "size"), rapid.IntRange(1, 6).Draw(t, "items")
		vector := func() []float64 {
			v := make([]float64, size)
			for k := range v {
				v[k] = float64(rapid.IntRange(0, 4).Draw(t, "share")) / 4
			}
			return v
		}
		var vectors [][]float64
		var present [][]int
		vetoed := map[int]bool{}
		for b := range rapid.IntRange(1, 20).Draw(t, "backgrounds") {
			vectors = append(vectors, vector())
			present = append(present, rapid.SliceOfNDistinct(rapid.IntRange(0, items-1), 0, items, rapid.ID).Draw(t,
				"present"))
			if rapid.IntRange(0, 5).Draw(t, "veto") == 0 {
				vetoed[b+1] = true
			}
		}
		vectors, present = append(vectors, vector()), append(present, []int{0}) // one is left in any case
		var v []Keyword
		for _, item := range rapid.SliceOfNDistinct(rapid.IntRange(0, items-1), 0, items, rapid.ID).Draw(t, "v") {
			v = append(v, Keyword{Item: item, Level: len(v) / 2})
		}
		s := scenesOf(vector(), vectors, present)
		s.Vetoed = vetoed
		for _, m := range []Method{ByKeywords, ByIntervals, Nearest} {
			c := Choice{Method: m, N: rapid.IntRange(1, len(vectors)-len(vetoed)).Draw(t, "n")}
			got := testdata.Must(s.Choose(0, 0, v, c))(t)
			if want := obvious(s, 0, v, c); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s %d: %v, want %v", m, c.N, got, want)
			}
		}
	})
}

// TestChooseWhole: all backgrounds are chosen by every method where N is their number, each once.
func TestChooseWhole(t *testing.T) {
	s := onALine(5, 1, 1, 4, 9, 0)
	for _, m := range Methods() {
		for _, jitter := range []bool{false, true} {
			c := Choice{Method: m, N: 6, Seed: 2, Jitter: jitter}
			got := testdata.Must(s.Choose(0, 3, []Keyword{{Item: 0}}, c))(t)
			rows := rowsOf(got)
			slices.Sort(rows)
			testdata.Equal(t, fmt.Sprintf("%s, jitter %v", m, jitter), rows, []int{1, 2, 3, 4, 5, 6})
		}
	}
}

func TestChooseRefuses(t *testing.T) {
	s := onALine(1, 2, 3)
	vetoed := s
	vetoed.Vetoed = map[int]bool{1: true, 2: true, 3: true, 0: true, 99: true}
	for _, c := range []struct {
		scenes Scenes
		choice Choice
		want   string
	}{
		{
			s,
			Choice{Method: ByKeywords, N: 4},
			"targets/dog.png: 4 testing scenes were asked for and there are 3 backgrounds",
		},
		{s, Choice{Method: Random, N: 0}, "targets/dog.png: 0 testing scenes"},
		{s, Choice{Method: Nearest, N: -1}, "targets/dog.png: -1 testing scenes"},
		{vetoed, Choice{Method: Nearest, N: 1}, "there are 0 backgrounds that are not vetoed (3 are)"},
		{s, Choice{Method: "best", N: 1}, `targets/dog.png: "best" is no way of choosing scenes`},
	} {
		if got, err := c.scenes.Choose(0, 0, nil, c.choice); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, %v; want %q", c.choice, got, err, c.want)
		}
	}
}

// TestChanceBelongsToTheTarget: what is drawn for a target depends on seed and index alone, not on
// what was drawn before, and every chance is used over many of them.
func TestChanceBelongsToTheTarget(t *testing.T) {
	s := onALine(1, 2, 3, 4, 5, 6, 7, 8)
	v := []Keyword{{Item: 0}}
	for _, c := range []struct {
		choice Choice
		first  []int // rows that can be chosen first
	}{
		{Choice{Method: Random, N: 3}, []int{1, 2, 3, 4, 5, 6, 7, 8}},
		{Choice{Method: ByKeywords, N: 3, Jitter: true}, []int{1, 2, 3}},
		{Choice{Method: ByIntervals, N: 2, Jitter: true}, []int{1, 2, 3, 4}},
	} {
		run := func(seed uint64, order []int) map[int][]Scene {
			got := map[int][]Scene{}
			for _, index := range order {
				choice := c.choice
				choice.Seed = seed
				list := testdata.Must(s.Choose(0, index, v, choice))(t)
				got[index] = list
			}
			return got
		}
		up := testdata.UpTo(200)
		down := slices.Clone(up)
		slices.Reverse(down)
		one := run(1, up)
		if !reflect.DeepEqual(one, run(1, down)) {
			t.Errorf("%s depends on the order of targets", c.choice.Method)
		}
		if reflect.DeepEqual(one, run(2, up)) {
			t.Errorf("%s is the same for two seeds", c.choice.Method)
		}
		seen := map[int]bool{}
		for _, list := range one {
			seen[list[0].Background] = true
		}
		testdata.Is(t, fmt.Sprintf("%s: first scenes %v, want %v", c.choice.Method, seen, c.first),
			len(seen), len(c.first))
		for _, row := range c.first {
			if !seen[row] {
				t.Errorf("%s never begins with row %d", c.choice.Method, row)
			}
		}
	}
}

// TestRandomIsUniform: over 4000 targets every pair of 5 backgrounds is drawn about as often: 400
// times each, standard deviation 19.
func TestRandomIsUniform(t *testing.T) {
	s := onALine(1, 2, 3, 4, 5)
	counts := map[[2]int]int{}
	for index := range 4000 {
		list := testdata.Must(s.Choose(0, index, nil, Choice{Method: Random, N: 2, Seed: 7}))(t)
		counts[[2]int{min(list[0].Background, list[1].Background), max(list[0].Background, list[1].Background)}]++
	}
	if len(counts) != 10 {
		t.Fatalf("%d of 10 pairs were drawn", len(counts))
	}
	for pair, n := range counts {
		if n < 320 || n > 480 {
			t.Errorf("pair %v was drawn %d times", pair, n)
		}
	}
}

func TestDistance(t *testing.T) {
	testdata.Is(t, "without entries", Distance(nil, nil), 0)
	testdata.Is(t, "want 5", Distance([]float64{0, 3, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 4, 0}), 5)
	r := rand.New(rand.NewPCG(1, 1))
	for size := range 40 {
		a, b, sum := make([]float64, size), make([]float64, size), 0.0
		for k := range a {
			a[k], b[k] = r.Float64(), r.Float64()
			sum += (a[k] - b[k]) * (a[k] - b[k])
		}
		what := fmt.Sprintf("distance of %d entries", size)
		testdata.Near(t, what, Distance(a, b), math.Sqrt(sum), 1e-14)
		testdata.Is(t, what+" the other way", Distance(b, a), Distance(a, b))
	}
}

// BenchmarkChoose is one target among 20,000 backgrounds with vectors of 515 entries: the paper's
// run has 1712 of them.
func BenchmarkChoose(b *testing.B) {
	const size, all = 515, 20000
	r := rand.New(rand.NewPCG(1, 2))
	vector := func() []float64 {
		v := make([]float64, size)
		for k := range v {
			v[k] = r.Float64()
		}
		return v
	}
	var vectors [][]float64
	var present [][]int
	for range all {
		vectors = append(vectors, vector())
		present = append(present, []int{r.IntN(size), r.IntN(size), r.IntN(size), r.IntN(size), r.IntN(size)})
	}
	s := scenesOf(vector(), vectors, present)
	var v []Keyword
	for item := range 48 {
		v = append(v, Keyword{Item: item})
	}
	for _, m := range Methods() {
		b.Run(string(m), func(b *testing.B) {
			for index := range b.N {
				testdata.Must(s.Choose(0, index, v, Choice{Method: m, N: DefaultScenes}))(b)
			}
		})
	}
}
