package widget

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

// RegionPicture is what Regions shows: a distribution over n x n regions on an image.
type RegionPicture struct {
	Image  image.Image // below the cells, in gray; nil for none
	N      int
	Values []float64 // per region, row-major from the upper left; NaN is hatched
	Scale  render.Scale
	Text   func(v float64) string // the number in a cell; nil for none
}

// Regions shows a distribution over regions on an image. Pointer and arrow keys choose a region.
type Regions struct {
	widget.BaseWidget
	// OnHover is told the region 1..n*n under the pointer or the cursor, 0 when it has left. OnChosen is told a tap or Enter.
	OnHover, OnChosen func(region int)
}

// NewRegions makes an empty one.
func NewRegions() *Regions { panic("not built yet") }

// SetPicture shows another distribution.
func (r *Regions) SetPicture(p RegionPicture) { panic("not built yet") }

// SetMarked outlines regions (1..n*n): the one that is hovered in a neighbour, those that nothing is lost with.
func (r *Regions) SetMarked(regions []int) { panic("not built yet") }

// CreateRenderer is for Fyne.
func (r *Regions) CreateRenderer() fyne.WidgetRenderer { panic("not built yet") }
