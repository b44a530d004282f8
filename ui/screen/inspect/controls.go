// Package inspect is the screen that shows everything about one model: its variance matrices for a
// choice of images and of the sampling variable, recomputed while the controls move, and panes
// that look behind them. Controls, session and frame know nothing of Fyne; Screen draws them.
package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/present"
)

// anyClass is the menu's word for images of every class.
const anyClass = "any class"

// Controls say which images and which part of the family the matrices are made from. The zero
// value with Share 100 is everything.
type Controls struct {
	Which variance.Which
	Class int // 0 for any, else the class's place in the suite from 1
	Share int // of the suite in percent, 1..100
	Draw  int // which sample of that share: its seed less 1
	Reach int // steps of V to either side of the identity; 0 for all
}

// everything is the choice that leaves nothing out.
func everything() Controls { return Controls{Share: 100} }

// images is the choice as the engine understands it. What a suite without labels does not know
// counts as any.
func (c Controls) images(classes []string, excluded []int) variance.Images {
	f := variance.AllImages()
	if len(classes) > 0 {
		f.Which = c.Which
	}
	if c.Class > 0 && c.Class <= len(classes) {
		f.Class = c.Class - 1
	}
	if c.Share >= 1 && c.Share < 100 {
		f.Share, f.Seed = float64(c.Share)/100, uint64(max(c.Draw, 0))+1
	}
	f.Excluded = excluded
	return f
}

// interval are the first and the last of n transformations.
func (c Controls) interval(n int) (first, last int) {
	middle := (n - 1) / 2
	if c.Reach <= 0 || c.Reach >= middle {
		return 0, n - 1
	}
	return middle - c.Reach, middle + c.Reach
}

// words say what was chosen, "" for everything; values are those of the whole family.
func (c Controls) words(classes []string, values []float64, unit string) string {
	f := c.images(classes, nil)
	var parts []string
	if f.Which != variance.All {
		parts = append(parts, []string{"all images", "correct only", "wrong only"}[f.Which])
	}
	if f.Class != variance.AnyClass {
		parts = append(parts, fmt.Sprintf("class %s", classes[f.Class]))
	}
	if f.Share != 1 {
		parts = append(parts, fmt.Sprintf("%d %% of the suite, seed %d", c.Share, f.Seed))
	}
	if first, last := c.interval(len(values)); len(values) > 0 && last-first+1 < len(values) {
		parts = append(parts, fmt.Sprintf("V %s", intervalText(values, first, last, unit)))
	}
	return strings.Join(parts, ", ")
}

// intervalText is a part of the sampling variable: "-10°..10°".
func intervalText(values []float64, first, last int, unit string) string {
	if first < 0 || last >= len(values) || first > last {
		return present.None
	}
	return result.Digits(values[first], 6) + unit + ".." + result.Digits(values[last], 6) + unit
}

// classNames are the entries of the class menu.
func classNames(classes []string) []string {
	names := []string{anyClass}
	for k, name := range classes {
		if slices.Contains(names, name) {
			name = fmt.Sprintf("%s (%d)", name, k)
		}
		names = append(names, name)
	}
	return names
}

// neighbour is the index of the model by steps away in a list of n, staying inside; -1 for an
// empty list.
func neighbour(at, by, n int) int {
	if n == 0 {
		return -1
	}
	return min(max(at+by, 0), n-1)
}

// with are the images of both lists, ascending and each once; without are those of the first that
// are not in the second.
func with(images, more []int) []int {
	all := append(slices.Clone(images), more...)
	slices.Sort(all)
	return slices.Compact(all)
}

func without(images, gone []int) []int {
	left := slices.Clone(images)
	return slices.DeleteFunc(left, func(k int) bool { return slices.Contains(gone, k) })
}
