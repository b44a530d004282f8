package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// turnPage scrolls the largest of what scrolls in a dialog by a page, down (1) or up (-1), and
// tells whether there was anything to scroll: long texts take no keys of their own.
func turnPage(over fyne.CanvasObject, by float32) bool {
	var largest *container.Scroll
	area := func(s *container.Scroll) float32 { return s.Size().Width * s.Size().Height }
	for _, s := range scrolling(contentOf(over)) {
		if largest == nil || area(s) > area(largest) {
			largest = s
		}
	}
	if largest == nil {
		return false
	}
	// A line of the old page stays in sight.
	step := largest.Size().Height - 2*widget.NewLabel("X").MinSize().Height
	most := largest.Content.MinSize().Height - largest.Size().Height
	offset := largest.Offset
	offset.Y = min(max(offset.Y+by*max(step, 1), 0), most)
	scrollTo(largest, offset)
	return true
}

// scrollTo scrolls and tells what has asked to hear of it, which Fyne does not for scrolling that
// is not a person's: a list brings the rows that came into sight by that.
func scrollTo(s *container.Scroll, offset fyne.Position) {
	s.ScrollToOffset(offset)
	if s.OnScrolled != nil {
		s.OnScrolled(s.Offset)
	}
}

// scrolling are the visible containers below an object that have more in them than they show.
func scrolling(o fyne.CanvasObject) (list []*container.Scroll) {
	if o == nil || !o.Visible() {
		return nil
	}
	if s, ok := o.(*container.Scroll); ok && s.Content.MinSize().Height > s.Size().Height+1 {
		list = append(list, s)
	}
	for _, child := range parts.Inside(o) {
		list = append(list, scrolling(child)...)
	}
	return list
}

// leavesPaging tells whether what has the keyboard in a dialog has no use for the keys that scroll
// by a page: nothing, what is there to be clicked or chosen, and text that can only be read.
func leavesPaging(focused fyne.Focusable) bool {
	switch focused.(type) {
	case nil, *widget.List, *widget.Hyperlink:
		return true
	}
	_, text := focused.(interface{ SelectedText() string })
	return forClicks(focused) || text && entryOf(focused) == nil
}
