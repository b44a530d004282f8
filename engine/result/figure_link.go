package result

import (
	"fmt"
	"math"
)

// Emphasis says how much a point, a link or a box with text comes forward.
type Emphasis int

// The emphases: of what steps back, of what has been found, and of what is chosen, whose name is
// always written.
const (
	Plain Emphasis = iota
	Faint
	Found
	Chosen
)

// Link is an arrow from one point or box to another, by their items. Boxes lie below each other and
// are joined by a line.
type Link struct {
	// Name is the line that is read out, ID names its record, "" for none.
	Name, ID string
	From, To int
	Weight   float64 // in (0, 1]: how strong it is drawn
	Text     string  // beside its middle
	Marked   bool    // in another colour, such as of links that were made by hand
	Emphasis Emphasis
}

// Linked gives points the radii of their counts: their areas are as their counts are.
func Linked(points []Point, counts []int) {
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	for k, n := range counts {
		points[k].Size = math.Sqrt(float64(n) / float64(most))
	}
}

// checkLinks reports links between items that there are not, from an item to itself, or with a
// weight outside of (0, 1].
func (f Figure) checkLinks() error {
	for k, l := range f.Links {
		if min(l.From, l.To) < 0 || max(l.From, l.To) >= len(f.Points)+len(f.Boxes) || l.From == l.To {
			return fmt.Errorf("figure %q: link %d leads from item %d to item %d", f.Title, k, l.From, l.To)
		}
		if !(l.Weight > 0 && l.Weight <= 1) {
			return fmt.Errorf("figure %q: link %d has the weight %g", f.Title, k, l.Weight)
		}
	}
	for k, p := range f.Points {
		if !(p.Size >= 0 && p.Size <= 1) {
			return fmt.Errorf("figure %q: point %d (%s) has the size %g", f.Title, k, p.Name, p.Size)
		}
	}
	return nil
}

// Link is item k as a link, nil where it is another item.
func (f Figure) Link(k int) *Link {
	if k -= len(f.Points) + len(f.Boxes) + f.Matrix.Size(); k >= 0 && k < len(f.Links) {
		return &f.Links[k]
	}
	return nil
}

// Returned tells of each link whether another one leads back.
func (f Figure) Returned() []bool {
	there := make(map[[2]int]bool, len(f.Links))
	for _, l := range f.Links {
		there[[2]int{l.From, l.To}] = true
	}
	back := make([]bool, len(f.Links))
	for k, l := range f.Links {
		back[k] = there[[2]int{l.To, l.From}]
	}
	return back
}

// linkSheet has a row per link.
func (f Figure) linkSheet() *Sheet {
	named := func(k int) string {
		if k < len(f.Points) {
			return f.Points[k].Label
		}
		return f.Boxes[k-len(f.Points)].Name
	}
	return Table[Link]{
		Name: "figure", Title: "Figure", Noun: "link", ID: func(l Link) string { return fmt.Sprint(l.From, l.To) },
		Columns: []Column[Link]{
			{Key: "from", Title: "from", Text: func(l Link) string { return named(l.From) }},
			{Key: "to", Title: "to", Text: func(l Link) string { return named(l.To) }},
			{Key: "text", Title: "text", Text: func(l Link) string { return l.Text }},
			{Key: "weight", Title: "weight", Format: Number, Value: func(l Link) float64 { return l.Weight }},
		},
	}.Sheet(f.Links)
}
