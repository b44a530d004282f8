package widget

import (
	"image"
	"image/draw"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/engine/render"
)

var (
	_ desktop.Hoverable      = (*Regions)(nil)
	_ fyne.Tappable          = (*Regions)(nil)
	_ fyne.SecondaryTappable = (*Regions)(nil)
	_ fyne.Focusable         = (*Regions)(nil)
)

// RegionPicture is what Regions shows: a distribution over n x n regions on an image.
type RegionPicture struct {
	// Image lies below the cells, in gray and in its own proportions; nil for none, and then the cells are opaque and form a
	// square. An *image.Gray is taken as it is, others are copied when they are set. It must not be changed afterwards.
	Image  image.Image
	N      int       // 0 shows Absent
	Values []float64 // per region, row-major from the upper left; NaN and regions without a value are hatched
	Scale  render.Scale
	Text   func(v float64) string // the number in a cell; nil for none
	Absent string                 // why there is nothing to show
}

// Regions shows a distribution over regions on an image. Pointer and arrow keys choose a region. A click gives it the keyboard.
type Regions struct {
	keyed
	// OnHover is told the region 1..n*n under the pointer or the cursor, 0 when it has left. OnChosen is told a tap or Enter.
	OnHover, OnChosen func(region int)
	// Menu are the entries of the menu that copies and saves; nil for no menu.
	Menu func() []*fyne.MenuItem

	picture RegionPicture
	gray    *image.Gray // the picture's image
	cells   image.Image // a pixel per region, to be laid over it
	marked  []int
	region  int // under the pointer or the cursor, 0 for none
	area    box // where the regions were drawn last
}

// box is a rectangle inside a widget.
type box struct{ x, y, width, height float32 }

// region is the one at a position, 0 outside.
func (b box) region(pos fyne.Position, n int) int {
	x, y := pos.X-b.x, pos.Y-b.y
	if n < 1 || x < 0 || y < 0 || x >= b.width || y >= b.height {
		return 0
	}
	row, col := min(int(y/b.height*float32(n)), n-1), min(int(x/b.width*float32(n)), n-1)
	return row*n + col + 1
}

// cell is where region 1..n*n lies.
func (b box) cell(region, n int) box {
	row, col := float32((region-1)/n), float32((region-1)%n)
	wide, high := b.width/float32(n), b.height/float32(n)
	return box{b.x + col*wide, b.y + row*high, wide, high}
}

// NewRegions makes an empty one.
func NewRegions() *Regions {
	r := &Regions{}
	r.ExtendBaseWidget(r)
	return r
}

// SetPicture shows another distribution. Marks and cursor stay where they still fit; the slices must not be changed afterwards.
func (r *Regions) SetPicture(p RegionPicture) {
	if p.Image != r.picture.Image {
		r.gray = grayOf(p.Image)
	}
	opacity := 1.0
	if p.Image != nil {
		opacity = render.RegionOpacity
	}
	if p.N != r.picture.N || !sameNumbers(p.Values, r.picture.Values) {
		r.leave() // what was read out is of the values before
	}
	r.picture = p
	r.cells = render.RegionCells(p.N, p.Values, p.Scale, opacity)
	r.Refresh()
}

// grayOf is an image in gray, itself where it is so already, nil for none.
func grayOf(img image.Image) *image.Gray {
	if img == nil {
		return nil
	}
	if gray, ok := img.(*image.Gray); ok {
		return gray
	}
	gray := image.NewGray(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(gray, gray.Rect, img, img.Bounds().Min, draw.Src)
	return gray
}

// Picture is what is shown.
func (r *Regions) Picture() RegionPicture { return r.picture }

// value is that of region 1..n*n, NaN without one.
func (r *Regions) value(region int) float64 {
	if region > len(r.picture.Values) {
		return math.NaN()
	}
	return r.picture.Values[region-1]
}

// SetMarked outlines regions (1..n*n): the one that is hovered in a neighbour, those that nothing is lost with.
func (r *Regions) SetMarked(regions []int) {
	if slices.Equal(r.marked, regions) {
		return
	}
	r.marked = slices.Clone(regions)
	r.Refresh()
}

// Marked are the outlined regions.
func (r *Regions) Marked() []int { return r.marked }

// Region is the one under the pointer or the cursor, 0 for none.
func (r *Regions) Region() int { return r.region }

// point chooses a region, 0 for none, and reports a change.
func (r *Regions) point(region int) {
	if region == r.region {
		return
	}
	r.region = region
	if r.OnHover != nil {
		r.OnHover(region)
	}
	r.Refresh()
}

func (r *Regions) leave() { r.point(0) }

// MouseIn implements desktop.Hoverable.
func (r *Regions) MouseIn(ev *desktop.MouseEvent) { r.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (r *Regions) MouseMoved(ev *desktop.MouseEvent) {
	r.point(r.area.region(ev.Position, r.picture.N))
}

// MouseOut implements desktop.Hoverable.
func (r *Regions) MouseOut() { r.leave() }

// Tapped implements fyne.Tappable.
func (r *Regions) Tapped(ev *fyne.PointEvent) {
	if r.Menu != nil && onSign(ev.Position, r.Size()) {
		popUp(r, ev.Position, r.Menu)
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil {
		c.Focus(r)
	}
	if region := r.area.region(ev.Position, r.picture.N); region > 0 {
		r.point(region)
		r.confirm()
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (r *Regions) TappedSecondary(ev *fyne.PointEvent) { popUp(r, ev.Position, r.Menu) }

func (r *Regions) confirm() {
	if r.OnChosen != nil && r.region > 0 {
		r.OnChosen(r.region)
	}
}

// FocusLost implements fyne.Focusable.
func (r *Regions) FocusLost() {
	r.keyed.FocusLost()
	r.leave()
}

// TypedKey implements fyne.Focusable: OnKey is asked first, then arrows, home and end move the cursor, Enter confirms and Escape
// leaves.
func (r *Regions) TypedKey(ev *fyne.KeyEvent) {
	n := r.picture.N
	if r.passKey(ev) || n == 0 {
		return
	}
	row, col := r.start(n)
	if r.region > 0 { // the first arrow only shows the cursor
		x, y := arrowOf(ev.Name)
		row, col = row+int(y), col+int(x)
	}
	switch ev.Name {
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight:
		r.point(min(max(row, 0), n-1)*n + min(max(col, 0), n-1) + 1)
	case fyne.KeyHome:
		r.point(1)
	case fyne.KeyEnd:
		r.point(n * n)
	case fyne.KeyReturn, fyne.KeyEnter:
		r.confirm()
	case fyne.KeyEscape:
		r.leave()
	}
}

// start is where the arrow keys go on from: the cursor, else the one marked region, else the middle.
func (r *Regions) start(n int) (row, col int) {
	region := r.region
	if region == 0 && len(r.marked) == 1 && r.marked[0] >= 1 && r.marked[0] <= n*n {
		region = r.marked[0]
	}
	if region == 0 {
		return n / 2, n / 2
	}
	return (region - 1) / n, (region - 1) % n
}

// CreateRenderer implements fyne.Widget.
func (r *Regions) CreateRenderer() fyne.WidgetRenderer {
	r.ExtendBaseWidget(r)
	return newRegionsRenderer(r)
}
