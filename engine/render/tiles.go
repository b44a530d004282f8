package render

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tiles draws small matrices in a row, each below its name; one whose Matrix.N is 0 is hatched.
func Tiles(tiles []Tile, names []string) Drawing {
	const side, gap, head = 2.8 * vg.Centimeter, 0.28 * vg.Centimeter, 0.5 * vg.Centimeter
	width := side*vg.Length(max(len(tiles), 1)) + gap*vg.Length(max(len(tiles)-1, 0))
	return Drawing{width + 2, head + side + 2, func(c draw.Canvas) {
		for k, tile := range tiles {
			left := 1 + (side+gap)*vg.Length(k)
			square := vg.Rectangle{Min: vg.Point{X: left, Y: 1}, Max: vg.Point{X: left + side, Y: 1 + side}}
			style := sans(vg.Points(9))
			c.FillText(style, vg.Point{X: left, Y: square.Max.Y + 4}, printable(names[k]))
			if tile.Matrix.N == 0 {
				c.DrawImage(square, Hatch(88))
			} else {
				c.DrawImage(square, Raster(tile.Matrix, tile.Scale))
			}
			paper.frame(c, square)
		}
	}}
}

// Confusion draws how often two raters chose each pair of classes: counts[i][j] items are of class
// i
// by the first, in rows from the top, and of class j by the second. The stronger a cell, the larger
// its share.
func Confusion(counts [][]int, classes []string) Drawing {
	const left, head, wide, high = 2.4 * vg.Centimeter, 0.6 * vg.Centimeter, 2 * vg.Centimeter, 0.9 * vg.Centimeter
	n := vg.Length(len(classes))
	total := 1
	for _, row := range counts {
		for _, v := range row {
			total = max(total, v)
		}
	}
	d := Drawing{width: left + n*wide + 2, height: head + n*high + 2}
	d.draw = func(c draw.Canvas) {
		write := func(x draw.XAlignment, at vg.Point, size vg.Length, text string) {
			style := sans(size)
			style.XAlign, style.YAlign = x, draw.YCenter
			c.FillText(style, at, text)
		}
		for k, class := range classes {
			write(draw.XCenter, vg.Point{X: left + (vg.Length(k)+0.5)*wide, Y: d.height - head/2}, vg.Points(9), printable(class))
			write(draw.XRight, vg.Point{X: left - 6, Y: d.height - head - (vg.Length(k)+0.5)*high}, vg.Points(9), printable(class))
		}
		for i, row := range counts {
			for j, v := range row {
				low := vg.Point{X: left + vg.Length(j)*wide, Y: d.height - head - vg.Length(i+1)*high}
				cell := vg.Rectangle{Min: low, Max: vg.Point{X: low.X + wide, Y: low.Y + high}}
				if v > 0 {
					fill(c, cell, color.NRGBA{0x00, 0x72, 0xb2, uint8(26 + 115*v/total)})
				}
				paper.frame(c, cell)
				write(draw.XCenter, vg.Point{X: low.X + wide/2, Y: low.Y + high/2}, vg.Points(11), fmt.Sprint(v))
			}
		}
	}
	return d
}
