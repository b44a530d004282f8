package render

import (
	"io"

	"github.com/variscope/variscope/engine/suite"
)

// Regions draws a distribution over n x n regions on a picture: an image in gray, a cell per region coloured by its value, and
// the number in it (the maps of a D-Score).
type Regions struct {
	Title  string
	Image  suite.Image // drawn below the cells; a zero Image leaves it out
	N      int
	Values []float64 // per region, row-major from the upper left; NaN is hatched
	// Scale colours the values; a signed one (a difference) is diverging.
	Scale Scale
	// Legend names the values: "share of features".
	Legend string
}

// Write writes the picture as PNG, SVG or PDF (the formats of Mosaic.Write).
func (r Regions) Write(w io.Writer, format string) error { panic("not built yet") }
