package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/itemset"
)

// someNetwork draws clusters of nodes, most links within a cluster.
func someNetwork(nodes, links int, seed uint64) Network {
	r := rand.New(rand.NewPCG(seed, 3))
	n := Network{Title: "network", Note: fmt.Sprintf("%d nodes", nodes)}
	for k := range nodes {
		n.Nodes = append(n.Nodes, NetworkNode{Name: fmt.Sprintf("keyword %d", k), Count: r.IntN(900)})
	}
	used := map[[2]int]bool{}
	for range 20 * links {
		a, b := r.IntN(nodes), r.IntN(nodes)
		if a%5 != b%5 && r.Float64() < 0.9 || a == b || used[[2]int{a, b}] || len(n.Links) == links {
			continue
		}
		used[[2]int{a, b}] = true
		n.Links = append(n.Links, NetworkLink{From: a, To: b, Weight: 0.3 + 0.7*r.Float64(), Marked: r.Float64() < 0.05})
	}
	return n
}

func placed(tb testing.TB, n Network) []Point {
	tb.Helper()
	if err := n.Check(); err != nil {
		tb.Fatal(err)
	}
	places, err := n.Places(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return places
}

func TestOntologyBecomesANetwork(t *testing.T) {
	o, err := itemset.New([]string{"rare", "sky", "sea"}, [][]int{{1, 2}, {1}, {2, 1}, {0}, {}}, 0.4, 0.5)
	if err == nil {
		o, err = o.With(itemset.Edit{From: "sea", To: "sky", Weight: 0.25})
	}
	if err != nil {
		t.Fatal(err)
	}
	want := Network{
		Nodes: []NetworkNode{{"sky", 3}, {"sea", 2}},
		Links: []NetworkLink{{From: 0, To: 1, Weight: 2.0 / 3}, {From: 1, To: 0, Weight: 0.25, Marked: true}},
	}
	if got := OntologyNetwork(o); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestPlacesAreInTheRoomAndTheSame: finite, over the whole room, and equal from one time to the next.
func TestPlacesAreInTheRoomAndTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(0, 25).Draw(t, "nodes")
		links := 0
		if nodes > 1 {
			links = rapid.IntRange(0, 3*nodes).Draw(t, "links")
		}
		n := someNetwork(nodes, links, rapid.Uint64Range(0, 1000).Draw(t, "seed"))
		a, err := n.Places(context.Background())
		if err != nil || len(a) != nodes {
			t.Fatalf("%d places, %v", len(a), err)
		}
		low, high := Point{1, 1}, Point{}
		for _, p := range a {
			if !(p.X >= 0 && p.X <= 1 && p.Y >= 0 && p.Y <= 1) {
				t.Fatalf("a node at %v", p)
			}
			low, high = Point{min(low.X, p.X), min(low.Y, p.Y)}, Point{max(high.X, p.X), max(high.Y, p.Y)}
		}
		if nodes > 1 && (low.X > 1e-9 || high.X < 1-1e-9) {
			t.Fatalf("from %v to %v", low, high)
		}
		if b, err := n.Places(context.Background()); err != nil || !reflect.DeepEqual(a, b) {
			t.Fatal("another time they are others")
		}
	})
}

// TestPlacesSayWhatGoesTogether: nodes of a cluster stand closer to each other than to the rest.
func TestPlacesSayWhatGoesTogether(t *testing.T) {
	n := Network{}
	for k := range 20 {
		n.Nodes = append(n.Nodes, NetworkNode{Name: fmt.Sprint(k), Count: 5})
		for other := range k {
			if other%2 == k%2 {
				n.Links = append(n.Links, NetworkLink{From: k, To: other, Weight: 0.8}, NetworkLink{From: other, To: k, Weight: 0.7})
			}
		}
	}
	n.Links = append(n.Links, NetworkLink{From: 0, To: 1, Weight: 0.3})
	places := placed(t, n)
	var within, between []float64
	for a := range places {
		for b := range a {
			d := math.Hypot(places[a].X-places[b].X, places[a].Y-places[b].Y)
			if a%2 == b%2 {
				within = append(within, d)
			} else {
				between = append(between, d)
			}
		}
	}
	slices.Sort(within)
	slices.Sort(between)
	if !(within[len(within)/2] < 0.6*between[len(between)/2]) {
		t.Errorf("half of the pairs within a cluster are closer than %.3g, between clusters than %.3g", within[len(within)/2], between[len(between)/2])
	}
}

// TestTheMostFrequentNodeStaysOnItsSide: it stands to the right of the middle of all nodes and above it.
func TestTheMostFrequentNodeStaysOnItsSide(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	for seed := range uint64(6) {
		n := someNetwork(200, 600, seed) // too many to be moved for their names
		x, y, places := 0.0, 0.0, placed(t, n)
		for _, p := range places {
			x, y = x+p.X/200, y+p.Y/200
		}
		if p := places[n.Order()[0]]; p.X < x-1e-9 || p.Y > y+1e-9 {
			t.Errorf("seed %d: at %v, the middle is at %g, %g", seed, p, x, y)
		}
	}
}

// TestNamesHaveRoom: up to some dozens of nodes, the boxes of nodes and names do not overlap where they were laid out.
func TestNamesHaveRoom(t *testing.T) {
	for seed := range uint64(4) {
		n := someNetwork(40, 220, seed)
		places := placed(t, n)
		for a, p := range places {
			for b := range a {
				dx, dy := math.Abs(p.X-places[b].X)*roomWidth, math.Abs(p.Y-places[b].Y)*roomHeight
				if dx < 40 && dy < 14 {
					t.Errorf("seed %d: nodes %d and %d are %.0f and %.0f apart", seed, a, b, dx, dy)
				}
			}
		}
	}
}

// TestNodesOnTopOfEachOther: nodes that hang on nothing are pushed apart too.
func TestNodesOnTopOfEachOther(t *testing.T) {
	l := layout{ctx: context.Background(), at: make([]Point, 4), push: make([]Point, 4)}
	if err := l.settle(); err != nil {
		t.Fatal(err)
	}
	for a, p := range l.at {
		for b := range a {
			if !(math.Hypot(p.X-l.at[b].X, p.Y-l.at[b].Y) > 10) {
				t.Errorf("nodes %d and %d are at %v and %v", a, b, p, l.at[b])
			}
		}
	}
}

func TestPlacesEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, nodes := range []int{0, 1, 50} {
		if _, err := someNetwork(nodes, 0, 1).Places(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%d nodes: %v", nodes, err)
		}
	}
	if err := someNetwork(9, 5, 1).Write(ctx, &bytes.Buffer{}, "svg"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestHops(t *testing.T) {
	n := Network{Nodes: make([]NetworkNode, 5), Links: []NetworkLink{{From: 0, To: 1}, {From: 2, To: 1}, {From: 2, To: 3}}}
	for _, c := range []struct {
		node, most int
		way        Way
		want       []int
	}{
		{0, 0, Either, []int{0, -1, -1, -1, -1}},
		{0, 1, Either, []int{0, 1, -1, -1, -1}},
		{0, 2, Either, []int{0, 1, 2, -1, -1}},
		{3, 9, Either, []int{3, 2, 1, 0, -1}},
		{4, 9, Either, []int{-1, -1, -1, -1, 0}},
		{-1, 9, Either, []int{-1, -1, -1, -1, -1}},
		{5, 9, Either, []int{-1, -1, -1, -1, -1}},
		{0, 9, Onward, []int{0, 1, -1, -1, -1}},
		{2, 9, Onward, []int{-1, 1, 0, 1, -1}},
		{1, 9, Onward, []int{-1, 0, -1, -1, -1}},
		{1, 9, Back, []int{1, 0, 1, -1, -1}},
		{0, 9, Back, []int{0, -1, -1, -1, -1}},
	} {
		if got := n.Hops(c.node, c.most, c.way); !slices.Equal(got, c.want) {
			t.Errorf("%d hops around %d, way %d: %v, want %v", c.most, c.node, c.way, got, c.want)
		}
	}
}

func TestNetworkCheck(t *testing.T) {
	nodes := []NetworkNode{{"a", 1}, {"b", 4}}
	for _, c := range []struct {
		name, want string
		n          Network
	}{
		{"nothing", "", Network{}},
		{"a link", "", Network{Nodes: nodes, Links: []NetworkLink{{From: 0, To: 1, Weight: 1}}}},
		{"a count below 0", "count of -1", Network{Nodes: []NetworkNode{{"a", -1}}}},
		{"to itself", "from node 1 to node 1", Network{Nodes: nodes, Links: []NetworkLink{{From: 1, To: 1, Weight: 1}}}},
		{"to nothing", "to node 2 of 2", Network{Nodes: nodes, Links: []NetworkLink{{From: 1, To: 2, Weight: 1}}}},
		{"from nothing", "from node -1", Network{Nodes: nodes, Links: []NetworkLink{{From: -1, To: 1, Weight: 1}}}},
		{"weight 0", "weight 0", Network{Nodes: nodes, Links: []NetworkLink{{From: 0, To: 1}}}},
		{"weight NaN", "weight NaN", Network{Nodes: nodes, Links: []NetworkLink{{From: 0, To: 1, Weight: math.NaN()}}}},
		{"weight above 1", "weight 2", Network{Nodes: nodes, Links: []NetworkLink{{From: 0, To: 1, Weight: 2}}}},
	} {
		if err := c.n.Check(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if n := (Network{Nodes: nodes}); !slices.Equal(n.Shares(), []float64{0.5, 1}) || !slices.Equal(n.Order(), []int{1, 0}) {
		t.Errorf("shares %v, order %v", n.Shares(), n.Order())
	}
	if n := (Network{Nodes: []NetworkNode{{"a", 0}}}); n.Shares()[0] != 0 {
		t.Errorf("a node that never occurs has the share %g", n.Shares()[0])
	}
}

func TestNetworkIsWritten(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	ctx := context.Background()
	n := someNetwork(30, 150, 1)
	width, svg := written(t, func(w *bytes.Buffer, format string) error { return n.Write(ctx, w, format) })
	if width < 1800 {
		t.Errorf("%d pixels wide", width)
	}
	if missing := slices.IndexFunc(n.Nodes, func(node NetworkNode) bool { return !strings.Contains(svg, ">"+node.Name+"<") }); missing >= 0 {
		t.Errorf("the figure does not name %q", n.Nodes[missing].Name)
	}
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"nothing", "no nodes", Network{}.Write(ctx, &bytes.Buffer{}, "png")},
		{"too much", "too many for a picture", Network{Nodes: make([]NetworkNode, largestFigure+1)}.Write(ctx, &bytes.Buffer{}, "png")},
		{"no format", "gif", n.Write(ctx, &bytes.Buffer{}, "gif")},
		{"a bad link", "weight 0", Network{Nodes: n.Nodes, Links: []NetworkLink{{From: 0, To: 1}}}.Write(ctx, &bytes.Buffer{}, "png")},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
}

// TestNamesDoNotOverlap: whatever is shown lies inside of the picture, over no other name and over no other node.
func TestNamesDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const width, height = 300, 200
		var names []Name
		for range rapid.IntRange(0, 40).Draw(t, "names") {
			names = append(names, Name{
				At:     Point{rapid.Float64Range(-20, width+20).Draw(t, "x"), rapid.Float64Range(-20, height+20).Draw(t, "y")},
				Radius: rapid.Float64Range(1, 12).Draw(t, "radius"), Width: rapid.Float64Range(5, 90).Draw(t, "width"), Height: 14,
				Faint: rapid.Bool().Draw(t, "faint"),
			})
		}
		order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for k := range names {
				if !yield(k) {
					return
				}
			}
		})).Draw(t, "order")
		must := rapid.IntRange(0, 2).Draw(t, "must")
		boxes := PlaceNames(names, order, must, width, height)
		for rank, k := range order {
			n, b := names[k], boxes[k]
			inside := n.At.X >= 0 && n.At.Y >= 0 && n.At.X <= width && n.At.Y <= height
			if b.Shown && (!inside || b.X < 0 || b.Y < 0 || b.X+n.Width > width || b.Y+n.Height > height) || rank < must && inside != b.Shown {
				t.Fatalf("name %d of %+v is at %+v", k, n, b)
			}
			if !b.Shown || rank < must {
				continue
			}
			for other, o := range names {
				c := boxes[other]
				if other != k && c.Shown && b.X < c.X+o.Width && c.X < b.X+n.Width && b.Y < c.Y+o.Height && c.Y < b.Y+n.Height {
					t.Fatalf("names %d and %d overlap", k, other)
				}
				dx, dy := max(b.X-o.At.X, o.At.X-b.X-n.Width, 0), max(b.Y-o.At.Y, o.At.Y-b.Y-n.Height, 0)
				if other != k && !(o.Faint && !n.Faint) && math.Hypot(dx, dy) < o.Radius-1e-9 {
					t.Fatalf("name %d lies over node %d", k, other)
				}
			}
		}
	})
}

// BenchmarkPlaces lays out networks as large as the scenes' ontology and as large as a long keyword list.
func BenchmarkPlaces(b *testing.B) {
	for _, size := range [][2]int{{34, 202}, {500, 4000}} {
		n := someNetwork(size[0], size[1], 1)
		b.Run(fmt.Sprintf("%d nodes", size[0]), func(b *testing.B) {
			for b.Loop() {
				placed(b, n)
			}
		})
	}
}
