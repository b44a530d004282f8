package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// icon is the place's own icon; no other one of the window means the same or looks like it.
func (p Place) icon() fyne.Resource {
	switch p {
	case Models:
		return theme.StorageIcon()
	case Inspect:
		return theme.SearchIcon()
	case Label:
		return theme.DocumentCreateIcon()
	case Agreement: // two circles that overlap
		return drawn("agreement", "M9 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14zm0 2a5 5 0 1 1 0 10a5 5 0 1 1 0-10z"+
			"M15 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14zm0 2a5 5 0 1 1 0 10a5 5 0 1 1 0-10z")
	case Features: // a histogram
		return drawn("features", "M3 20h3v-6H3zM8 20h3V6H8zM13 20h3v-9h-3zM18 20h3v-4h-3z")
	case Assessors: // a decision tree
		return drawn("assessors", "M9 3h6v5h-2v3h6v4h2v5h-6v-5h2v-2H7v2h2v5H3v-5h2v-4h6V8H9z")
	case Invariance: // a square in one that is turned
		return drawn("invariance", "M12 1L23 12L12 23L1 12zM12 4L4 12L12 20L20 12zM9 9h6v6H9z")
	case Ranking: // bars in order of length
		return drawn("ranking", "M3 5h18v3H3zM3 10.5h13v3H3zM3 16h8v3H3z")
	case DScore: // a mark where a model looks
		return drawn("dscore", "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20zm0 2a8 8 0 1 1 0 16a8 8 0 1 1 0-16z"+
			"M11 7h2v4h4v2h-4v4h-2v-4H7v-2h4z")
	case Background:
		return theme.FileImageIcon()
	}
	return theme.MediaPlayIcon()
}

// drawn is an icon of 24 x 24 from an SVG path, in the colour of texts.
func drawn(name, path string) fyne.Resource {
	return theme.NewThemedResource(fyne.NewStaticResource(name+".svg", []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path d="`+path+
			`" fill="#000000"/></svg>`)))
}
