package render

import (
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
