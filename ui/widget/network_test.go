package widget

import (
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/internal/testdata"
)

// laidOut gives a network its places.
func laidOut(tb testing.TB, n render.Network) NetworkData {
	tb.Helper()
	spots, err := n.Places(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return NetworkData{Network: n, Spots: spots, Empty: "no keywords"}
}

// sceneNetwork is the ontology of the scenes: 34 keywords, 202 edges.
func sceneNetwork(tb testing.TB) render.Network {
	tb.Helper()
	rows := func(name string) [][]string {
		file, err := os.Open(filepath.Join(testdata.Root(), "engine", "itemset", "testdata", name))
		if err != nil {
			tb.Fatal(err)
		}
		defer file.Close()
		all, err := csv.NewReader(file).ReadAll()
		if err != nil {
			tb.Fatal(err)
		}
		return all[1:]
	}
	bare := strings.NewReplacer("seg_", "", "scene_", "", "_", " ").Replace
	n, place := render.Network{}, map[string]int{}
	for _, row := range rows("itemsets.csv") {
		if row[0] == "1" {
			count, _ := strconv.Atoi(row[2])
			place[row[1]] = len(n.Nodes)
			n.Nodes = append(n.Nodes, render.NetworkNode{Name: bare(row[1]), Count: count})
		}
	}
	for _, row := range rows("ontology.csv") {
		weight, _ := strconv.ParseFloat(row[3], 64)
		n.Links = append(n.Links, render.NetworkLink{From: place[row[0]], To: place[row[1]], Weight: weight})
	}
	if len(n.Nodes) != 34 || len(n.Links) != 202 {
		tb.Fatalf("%d nodes, %d links", len(n.Nodes), len(n.Links))
	}
	return n
}

// largeNetwork has clusters of nodes with long and short names.
func largeNetwork(nodes, links int) render.Network {
	r := rand.New(rand.NewPCG(1, 9))
	n := render.Network{}
	for k := range nodes {
		n.Nodes = append(n.Nodes, render.NetworkNode{Name: fmt.Sprintf("%s %d", strings.Repeat("keyword ", r.IntN(4)), k), Count: r.IntN(900)})
	}
	used := map[[2]int]bool{}
	for len(n.Links) < links {
		a, b := r.IntN(nodes), r.IntN(nodes)
		if a != b && !used[[2]int{a, b}] && (a%12 == b%12 || r.Float64() < 0.02) {
			used[[2]int{a, b}] = true
			n.Links = append(n.Links, render.NetworkLink{From: a, To: b, Weight: 0.3 + 0.7*r.Float64()})
		}
	}
	return n
}

// index is the node of a name.
func (n *Network) index(tb testing.TB, name string) int {
	tb.Helper()
	k := slices.IndexFunc(n.data.Nodes, func(node render.NetworkNode) bool { return node.Name == name })
	if k < 0 {
		tb.Fatalf("no node is called %q", name)
	}
	return k
}

// TestNetworkLook keeps pictures of the widget in the folder VARISCOPE_SCREENS, for looking at, and holds its texts apart in all of them.
func TestNetworkLook(t *testing.T) {
	folder := os.Getenv("VARISCOPE_SCREENS")
	scenes, large := laidOut(t, sceneNetwork(t)), laidOut(t, largeNetwork(500, 4000))
	for _, c := range []struct {
		name  string
		data  NetworkData
		size  fyne.Size
		dark  bool
		names int // that are shown at least
		set   func(n *Network)
	}{
		{"whole", scenes, fyne.NewSize(1280, 800), false, 34, func(*Network) {}},
		{"dark", scenes, fyne.NewSize(1280, 800), true, 34, func(*Network) {}},
		{"middle", scenes, fyne.NewSize(800, 520), false, 34, func(*Network) {}},
		{"small", scenes, fyne.NewSize(420, 300), false, 15, func(*Network) {}},
		{"narrow", scenes, fyne.NewSize(260, 600), true, 15, func(*Network) {}},
		{"selected", scenes, fyne.NewSize(1280, 800), false, 34, func(n *Network) { n.Select(n.index(t, "lamp")) }},
		{"selected-dark", scenes, fyne.NewSize(800, 520), true, 30, func(n *Network) { n.Select(n.index(t, "sea")) }},
		{"two-hops", scenes, fyne.NewSize(800, 520), false, 30, func(n *Network) {
			n.Select(n.index(t, "snow"))
			n.SetHops(2)
		}},
		{"found", scenes, fyne.NewSize(800, 520), false, 34, func(n *Network) { n.Search("ro") }},
		{"hovered", scenes, fyne.NewSize(800, 520), true, 34, func(n *Network) { n.point(-1, 40) }},
		{"zoomed", scenes, fyne.NewSize(800, 520), false, 5, func(n *Network) { n.Zoom(3) }},
		{"least", scenes, fyne.NewSize(800, 520), false, 34, func(n *Network) { n.SetLeast(0.7) }},
		{"large", large, fyne.NewSize(1280, 800), false, 60, func(*Network) {}},
		{"large-selected", large, fyne.NewSize(1280, 800), true, 60, func(n *Network) { n.Select(17) }},
		{"large-zoomed", large, fyne.NewSize(1280, 800), false, 40, func(n *Network) { n.Zoom(4) }},
	} {
		n := NewNetwork()
		w := show(t, container.NewStack(n), c.size)
		if c.dark {
			fyne.CurrentApp().Settings().SetTheme(darkTheme)
		}
		n.SetData(c.data)
		c.set(n)
		if err := checkTexts(objectsOf(t, n), c.size); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := len(texts(objectsOf(t, n))); got < c.names {
			t.Errorf("%s: %d names, want %d", c.name, got, c.names)
		}
		if folder != "" {
			keep(t, w.Canvas().Capture(), filepath.Join(folder, "network-"+c.name+".png"))
		}
	}
}
