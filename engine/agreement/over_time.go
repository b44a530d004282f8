package agreement

import "github.com/variscope/variscope/engine/result"

// Point is the agreement after so many items: of all so far, and of the last ones alone.
type Point struct {
	Items           int
	Percent, Fleiss Value
	// WindowPercent and WindowFleiss are over the last items only; undefined until there are as
	// many.
	WindowPercent, WindowFleiss Value
}

// WindowNotFull is why there is no value of a window that is not full yet.
var WindowNotFull = result.Because("window_not_full", "fewer items than the window takes")

// OverTime follows agreement over items in the order in which they were completed. order holds item
// indices, window is the number of items of the sliding window, at least 1. ratings and classes are
// those of Measure.
func OverTime(ratings [][]int, classes int, order []int, window int) []Point {
	check(ratings, classes, make([]string, len(ratings)))
	t := newTable(ratings, classes, false)
	window = max(window, 1)
	all, last := make([]int, len(t.patterns)), make([]int, len(t.patterns))
	s := t.newTally()
	points := make([]Point, len(order))
	for k, item := range order {
		all[t.of[item]]++
		last[t.of[item]]++
		if k >= window {
			last[t.of[order[k-window]]]--
		}
		t.count(s, all)
		p := Point{Items: k + 1, Percent: t.percent(s), Fleiss: t.fleiss(s)}
		p.WindowPercent, p.WindowFleiss = undefined(WindowNotFull), undefined(WindowNotFull)
		if k+1 >= window {
			t.count(s, last)
			p.WindowPercent, p.WindowFleiss = t.percent(s), t.fleiss(s)
		}
		points[k] = p
	}
	return points
}
