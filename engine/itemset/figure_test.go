package itemset

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// path4 is an ontology whose edges lead from a to b, b to c and c to d, and back from b to a.
func path4() Ontology {
	return Ontology{
		Names: []string{"a", "b", "c", "d"}, Counts: []int{9, 4, 1, 1}, Nodes: []int{0, 1, 2, 3},
		Edges: []Edge{
			{From: 0, To: 1, Weight: 0.5},
			{From: 1, To: 0, Weight: 1},
			{From: 1, To: 2, Weight: 0.7, Edited: true},
			{From: 2, To: 3, Weight: 0.2},
		},
	}
}

func TestFigureShowsWhatIsAroundTheChosenNode(t *testing.T) {
	o := path4()
	places := testdata.Must(o.Places(t.Context()))(t)
	for way, want := range map[Way][]result.Emphasis{
		Either: {result.Plain, result.Chosen, result.Plain, result.Faint},
		Onward: {result.Plain, result.Chosen, result.Plain, result.Faint},
		Back:   {result.Plain, result.Chosen, result.Faint, result.Faint},
	} {
		f := o.Figure(places, Look{Chosen: 1, Hops: 1, Way: way})
		testdata.OK(t, f.Check())
		for k, p := range f.Points {
			if p.Emphasis != want[k] {
				t.Errorf("way %d: %s has %d, want %d", way, p.Label, p.Emphasis, want[k])
			}
		}
		if last := f.Links[3]; last.Emphasis != result.Faint || !f.Links[2].Marked {
			t.Errorf("way %d: %+v", way, f.Links)
		}
	}
	f := o.Figure(places, Look{Least: 0.6, Found: []int{3}})
	if len(f.Links) != 2 || f.Points[3].Emphasis != result.Found || f.Points[1].Size != 2.0/3 {
		t.Errorf("%+v", f)
	}
	if got := o.Hops(0, 2, Onward); !slices.Equal(got, []int{0, 1, 2, -1}) {
		t.Errorf("two hops reach %v", got)
	}
}

// TestPlacesAreTheSameAndApart: names of 40 nodes do not lie over each other; a second time gives
// the same places.
func TestPlacesAreTheSameAndApart(t *testing.T) {
	o := Ontology{}
	for k := range 40 {
		o.Names, o.Counts, o.Nodes = append(o.Names, "keyword"+string(rune('A'+k))), append(o.Counts, 1+k*k),
			append(o.Nodes, k)
		if k > 0 {
			o.Edges = append(o.Edges, Edge{From: k / 3, To: k, Weight: 1 / float64(1+k%4)})
		}
	}
	first, err := o.Places(context.Background())
	again, _ := o.Places(context.Background())
	if err != nil || !slices.Equal(first, again) {
		t.Fatalf("the places differ (%v)", err)
	}
	for a, p := range first {
		if !(p.X >= 0 && p.X <= 1 && p.Y >= 0 && p.Y <= 1) {
			t.Errorf("node %d at %v", a, p)
		}
		for b, q := range first[:a] {
			if math.Abs(p.X-q.X)*roomWidth < 50 && math.Abs(p.Y-q.Y)*roomHeight < nameLine*0.8 {
				t.Errorf("nodes %d and %d at %v and %v", a, b, p, q)
			}
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := o.Places(stopped); err == nil {
		t.Error("a layout that is stopped goes on")
	}
}
