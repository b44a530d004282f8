package background

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func scenesAt(first int, at ...float64) []Scene {
	list := make([]Scene, len(at))
	for k, d := range at {
		list[k] = Scene{first + k, d, -1, -1}
	}
	return list
}

func TestDiversityKnown(t *testing.T) {
	s := Selection{Chosen: [][]Scene{scenesAt(0, 0.1, 0.3, 0.6, 1), scenesAt(2, 0.1, 0.2, 0, 0.05)}}
	s.Chosen[0][1].Keyword, s.Chosen[0][1].Level = 3, 2
	s.Chosen[1][0].Keyword, s.Chosen[1][0].Level = 3, 0
	d := s.Diversity(0)
	if d.Targets != 2 || d.Scenes != 8 || d.Different != 6 || d.MostUsed != 2 || d.ByDistance != 6 ||
		!reflect.DeepEqual(d.ByLevel, []int{1, 0, 1}) {
		t.Errorf("%+v", d)
	}
	if d.Filled != 0.625 || math.Abs(d.Even-0.5) > 1e-15 { // one in each interval; all in the first
		t.Errorf("filled %g, even %g", d.Filled, d.Even)
	}
	if math.Abs(d.Distance.Mean-2.35/8) > 1e-15 || d.Distance.Least != 0 || d.Distance.Far != 1 ||
		math.Abs(d.Distance.Median-0.15) > 1e-15 {
		t.Errorf("%+v", d.Distance)
	}
	if d := s.Diversity(10); d.Filled != 0.25 || d.Even != 0 { // all in the first of [0, 10]
		t.Errorf("on a long axis: %+v", d)
	}
	if d := s.Diversity(0.1); d.Filled != 0.5 || math.Abs(d.Even-0.375) > 1e-15 { // what is beyond it lies in the last
		t.Errorf("on a short axis: %+v", d)
	}
	half := Selection{Chosen: [][]Scene{scenesAt(0, 0, 0.1, 0.9, 1)}}.Diversity(0) // two and two: ln 2 / ln 4
	if half.Filled != 0.5 || math.Abs(half.Even-0.5) > 1e-15 {
		t.Errorf("filled %g, even %g", half.Filled, half.Even)
	}
}

func TestDiversityEdges(t *testing.T) {
	if d := (Selection{}).Diversity(0); d.Targets != 0 || !math.IsNaN(d.Filled) || !math.IsNaN(d.Distance.Mean) ||
		!math.IsNaN(d.Distance.Median) {
		t.Errorf("nothing: %+v", d)
	}
	if d := (Selection{Chosen: [][]Scene{scenesAt(0, 0.5)}}).Diversity(0); d.Filled != 1 || d.Even != 1 {
		t.Errorf("one scene: %+v", d)
	}
	if d := (Selection{Chosen: [][]Scene{scenesAt(0, 0, 0)}}).Diversity(0); d.Filled != 0.5 || d.Even != 0 {
		t.Errorf("D = 0: %+v", d)
	}
}

func TestPlausibility(t *testing.T) {
	s := Scenes{Keywords: Keywords{Present: [][]int{nil, {5, 2}, {2}, {9}, {}}}}
	v := []Keyword{{Item: 1}, {Item: 5, Level: 1}, {Item: 2, Level: 3}}
	var p Plausibility
	if !math.IsNaN(p.Share(0)) {
		t.Errorf("of nothing %g", p.Share(0))
	}
	p.Add(s, v, []Scene{{Background: 1}, {Background: 2}, {Background: 3}})
	p.Add(s, nil, []Scene{{Background: 4}})
	if want := (Plausibility{Scenes: 4, ByLevel: []int{0, 1, 0, 1}, None: 2}); !reflect.DeepEqual(p, want) {
		t.Errorf("%+v, want %+v", p, want)
	}
	for level, want := range map[int]float64{-1: 0, 0: 0, 1: 0.25, 2: 0.25, 3: 0.5, 9: 0.5} {
		testdata.Is(t, fmt.Sprintf("up to level %d", level), p.Share(level), want)
	}
}
