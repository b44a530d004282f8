package report

import (
	"fmt"
	"image"
	"math"
	"sync"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
)

// The measures of a matrix's drawing.
const (
	matrixSide = 176.0
	matrixLeft = 62.0
	matrixTop  = 10.0
	barWidth   = 12.0
	tickText   = 11.0
	titleText  = 12.0
)

// hatch is the ground of all matrices that are absent; large reports have many.
var hatch = sync.OnceValue(func() *image.RGBA { return render.Hatch(88) })

// matrixDrawing draws a variance matrix with V on both axes, delta_00 at the bottom left, and its colour bar. Without a
// matrix it is a hatched square with the reason.
func matrixDrawing(m measure, axis render.Axis) Drawing {
	d := Drawing{Width: 324, Height: 232, Alt: matrixAlt(m, axis)}
	low, high := Point{matrixLeft, matrixTop}, Point{matrixLeft + matrixSide, matrixTop + matrixSide}
	if m.absent != "" {
		d.picture(hatch(), low, high)
		d.absence(m.absent, (low.X+high.X)/2, (low.Y+high.Y)/2)
	} else {
		d.picture(render.Raster(m.matrix, m.scale), low, high)
	}
	d.frame(low, high)
	d.matrixAxes(axis)
	if m.absent == "" {
		d.colourBar(m)
	}
	return d
}

func matrixAlt(m measure, axis render.Axis) string {
	if m.absent != "" {
		return fmt.Sprintf("no matrix %s: %s", m.modality, m.absent)
	}
	return fmt.Sprintf("variance matrix %s over %s, %d x %d, largest element %s", m.modality, axis.Name, m.matrix.N, m.matrix.N, number(m.matrix.Max()))
}

// absence writes a reason on a ground of its own in the middle of a hatched square.
func (d *Drawing) absence(reason string, x, y float64) {
	half := float64(len([]rune(reason)))*titleText*0.27 + 6
	d.add(Mark{Shape: Box, X: x - half, Y: y - 11, X2: x + half, Y2: y + 11, Ink: "ground", Fill: true})
	d.words(Point{x, y + titleText*0.35}, Middle, titleText, reason)
}

// matrixAxes writes the sampling values on both axes and their names.
func (d *Drawing) matrixAxes(axis render.Axis) {
	bottom, step := matrixTop+matrixSide, matrixSide/float64(max(len(axis.Values), 1))
	for _, t := range render.ValueTicks(axis.Values, 5) {
		x := matrixLeft + (float64(t.Index)+0.5)*step
		y := bottom - (float64(t.Index)+0.5)*step
		d.line(Strong, Point{x, bottom}, Point{x, bottom + 4})
		d.words(Point{x, bottom + 4 + tickText}, Middle, tickText, t.Text).Ink = Soft
		d.line(Strong, Point{matrixLeft - 4, y}, Point{matrixLeft, y})
		d.words(Point{matrixLeft - 6, y + tickText*0.35}, End, tickText, t.Text).Ink = Soft
	}
	middle := matrixLeft + matrixSide/2
	d.words(Point{middle, bottom + 34}, Middle, titleText, axisName("V_j", axis))
	d.words(Point{16, matrixTop + matrixSide/2}, Middle, titleText, axisName("V_i", axis)).Turned = true
}

// axisName is "V_j: rotation (°)".
func axisName(variable string, axis render.Axis) string {
	if axis.Name != "" {
		variable += ": " + axis.Name
	}
	if axis.Unit != "" {
		variable += " (" + axis.Unit + ")"
	}
	return variable
}

// colourBar draws the scale beside the matrix, with a cap in the marker colour where values lie outside.
func (d *Drawing) colourBar(m measure) {
	left, bottom := matrixLeft+matrixSide+14, matrixTop+matrixSide
	right := left + barWidth
	d.picture(render.ColourBar(m.scale, 256), Point{left, matrixTop}, Point{right, bottom})
	d.frame(Point{left, matrixTop}, Point{right, bottom})
	ticks := render.Ticks(m.scale.Low, m.scale.High, 6)
	for k, text := range render.TickTexts(ticks) {
		y := bottom - (ticks[k]-m.scale.Low)/(m.scale.High-m.scale.Low)*matrixSide
		d.line(Strong, Point{right, y}, Point{right + 3, y})
		d.words(Point{right + 5, y + tickText*0.35}, Start, tickText, text).Ink = Soft
	}
	under, over := m.scale.Outside(m.matrix)
	if over > 0 {
		d.add(Mark{Shape: Box, X: left, Y: matrixTop - 7, X2: right, Y2: matrixTop - 2, Ink: "over", Fill: true})
	}
	if under > 0 {
		d.add(Mark{Shape: Box, X: left, Y: bottom + 2, X2: right, Y2: bottom + 7, Ink: "under", Fill: true})
	}
	d.words(Point{d.Width - 6, matrixTop + matrixSide/2}, Middle, titleText, m.modality).Turned = true
}

// stripTile is one small matrix of a strip.
type stripTile struct {
	name   string
	matrix variance.Matrix // N = 0 is a hatched square
	scale  render.Scale
}

// stripDrawing draws small matrices in a row, each below its name.
func stripDrawing(tiles []stripTile, alt string) Drawing {
	const side, gap, head = 90.0, 9.0, 16.0
	d := Drawing{Width: math.Max(1, float64(len(tiles)))*(side+gap) - gap + 2, Height: head + side + 2, Alt: alt}
	for k, tile := range tiles {
		left := 1 + float64(k)*(side+gap)
		low, high := Point{left, head}, Point{left + side, head + side}
		d.words(Point{left, head - 5}, Start, tickText, tile.name).Ink = Soft
		if tile.matrix.N == 0 {
			d.picture(hatch(), low, high)
		} else {
			d.picture(render.Raster(tile.matrix, tile.scale), low, high)
		}
		d.frame(low, high)
	}
	return d
}
