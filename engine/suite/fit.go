package suite

import (
	"cmp"
	"math"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/resample"
)

// Fitting is what a model's input wants of an image. A zero takes the image's own value.
type Fitting struct {
	Channels, Height, Width int
	Resize                  model.Resize // empty is Stretch; not read where there is a Geometry
	// Geometry is that of a recipe; zero for the default one (spec/recipe.md section 1). Its pad
	// is in the order red, green, blue.
	Geometry recipe.Geometry
}

// Inputs are the two halves of a preprocessing for an input of a size: what becomes of an image
// before it is transformed, and how it is written to the input.
func Inputs(p model.Preprocessing, layout model.Layout, channels, height, width int) (Fitting, recipe.Feed, error) {
	r, err := p.Whole()
	if err != nil {
		return Fitting{}, recipe.Feed{}, err
	}
	feed, err := recipe.NewFeed(r, channels, layout.ChannelsLast())
	to := FittingOf(r, channels, height, width)
	to.Resize = p.Resize
	return to, feed, err
}

// FittingOf is the geometry of a recipe for an input of a size.
func FittingOf(r recipe.Recipe, channels, height, width int) Fitting {
	if r.Channels == recipe.BGR {
		r.Pad[0], r.Pad[2] = r.Pad[2], r.Pad[0]
	}
	return Fitting{Channels: channels, Height: height, Width: width, Geometry: r.Geometry}
}

// Luma weights of the gray value (DESIGN.md section 5).
const (
	lumaRed   = 0.299
	lumaGreen = 0.587
	lumaBlue  = 0.114
)

// top is the largest level of 8 bits.
const top = 255

// Fit brings an image to a model's input, steps 1 to 5 of spec/recipe.md section 1: RGB to gray by
// luma or gray to RGB by repetition, then resize, crop and pad. Without a geometry the size
// changes by the triangle filter of spec/dscore.md section 2, in float64 with one rounding at the
// end: Stretch resizes both sides, Crop resizes until the target is just covered, the other side
// rounded down, and takes the centre (halves to even). An image that fits already is returned
// itself, without a copy. A geometry that gives another size than asked for returns an image of
// that size without pixels.
func Fit(img Image, to Fitting) Image {
	to = to.of(img)
	rows, columns := to.sides(img.Height, img.Width)
	if rows.count != to.Height || columns.count != to.Width {
		return Image{Channels: to.Channels, Height: rows.count, Width: columns.count}
	}
	g := to.geometry()
	if g.Float && to.Channels == img.Channels && rows.same() && columns.same() {
		return img
	}
	planes := img.resizeColumns(columns, to.Channels, g)
	for i := range planes {
		planes[i] = planes[i].resizeRows(rows, g)
	}
	return fromPlanes(planes, to, rows, columns)
}

func (to Fitting) of(img Image) Fitting {
	height, width := to.Geometry.Fixed()
	to.Channels = cmp.Or(to.Channels, img.Channels)
	for _, side := range []struct {
		to          *int
		fixed, have int
	}{{&to.Height, height, img.Height}, {&to.Width, width, img.Width}} {
		if *side.to == 0 {
			*side.to = side.fixed
		}
		if *side.to == 0 {
			*side.to = side.have
		}
	}
	return to
}

// geometry is the one in force.
func (to Fitting) geometry() recipe.Geometry {
	if to.Geometry == (recipe.Geometry{}) {
		return recipe.Default()
	}
	return to.Geometry
}

// side is what becomes of one side of an image: src entries are resized to size, of which count
// from first on are taken. first is below 0 where the side is padded.
type side struct{ src, size, first, count int }

func (s side) same() bool { return s.size == s.src && s.first == 0 && s.count == s.size }

// kept are the entries of the resized side that are in the result, and how many of the result lie
// before them.
func (s side) kept() (from, end, before int) {
	return max(0, s.first), min(s.size, s.first+s.count), max(0, -s.first)
}

// sides says what becomes of an image of height x width. No field of to is 0.
func (to Fitting) sides(height, width int) (rows, columns side) {
	g := to.geometry()
	h, w := g.Size(height, width, [2]int{to.Height, to.Width})
	cropHeight, cropWidth := g.CropHeight, g.CropWidth
	if to.Geometry == (recipe.Geometry{}) && to.Resize == model.Crop {
		h, w = cover(height, width, to.Height, to.Width)
		cropHeight, cropWidth = to.Height, to.Width
	}
	rows, columns = side{height, h, 0, h}, side{width, w, 0, w}
	if cropHeight > 0 {
		rows.first, rows.count = g.Offset(h, cropHeight), cropHeight
		columns.first, columns.count = g.Offset(w, cropWidth), cropWidth
	}
	return rows, columns
}

// Resized is the height and width of an image after the resize, before the crop. Channels, Height
// and Width must be given.
func (to Fitting) Resized(height, width int) [2]int {
	rows, columns := to.sides(height, width)
	return [2]int{rows.size, columns.size}
}

// cover is the smallest size with the image's proportions that covers height x width.
func cover(imageHeight, imageWidth, height, width int) (int, int) {
	if height*imageWidth >= width*imageHeight {
		return height, max(width, height*imageWidth/imageHeight)
	}
	return max(height, width*imageHeight/imageWidth), width
}

// plane is one channel in float64: values in 0..1, or whole levels of 0..255 where it has 8 bits.
type plane struct {
	height, width int
	bits8         bool
	pix           []float64
}

// resizeColumns applies the filter along the rows and takes the columns that are kept. It gives one
// plane for a gray result or a gray image, else one per channel. Only one row at a time is in
// float64: a large image that becomes small takes little memory.
func (img Image) resizeColumns(columns side, channels int, g recipe.Geometry) []plane {
	from, end, _ := columns.kept()
	planes := make([]plane, min(channels, img.Channels))
	for c := range planes {
		planes[c] = plane{img.Height, end - from, !g.Float, make([]float64, img.Height*(end-from))}
	}
	filters := columns.filters(g)
	lines := make([][]float64, img.Channels)
	for c := range lines {
		lines[c] = make([]float64, img.Width)
	}
	for y := range img.Height {
		img.row(lines, y, channels, !g.Float)
		for c, p := range planes {
			for x := range p.width {
				p.pix[y*p.width+x] = p.entry(filters, from, x, lines[c], 1)
			}
		}
	}
	return planes
}

// row reads row y into a line per channel; that of a gray result is the first.
func (img Image) row(lines [][]float64, y, channels int, bits8 bool) {
	for c, line := range lines {
		for x, v := range img.Pix[(c*img.Height+y)*img.Width:][:img.Width] {
			line[x] = float64(v)
			if bits8 {
				line[x] = level(line[x] * top)
			}
		}
	}
	if channels > 1 || img.Channels == 1 {
		return
	}
	for x, r := range lines[0] {
		g, b := lines[1][x], lines[2][x]
		if bits8 { // Pillow's whole weights
			lines[0][x] = level((19595*r + 38470*g + 7471*b) / (1 << 16))
		} else {
			lines[0][x] = float64(lumaRed*r) + float64(lumaGreen*g) + float64(lumaBlue*b)
		}
	}
}

// level rounds to a whole level of 0..255, half up.
func level(v float64) float64 { return max(0, min(top, math.Floor(v+0.5))) }

// fromPlanes rounds to float32 and pads; a single plane is repeated for every channel.
func fromPlanes(planes []plane, to Fitting, rows, columns side) Image {
	area := to.Height * to.Width
	img := Image{Channels: to.Channels, Height: to.Height, Width: to.Width, Pix: make([]float32, to.Channels*area)}
	_, _, above := rows.kept()
	_, _, left := columns.kept()
	for c := range to.Channels {
		p, out := planes[min(c, len(planes)-1)], img.Pix[c*area:(c+1)*area]
		if pad := float32(to.Geometry.Pad[c] / top); pad != 0 {
			for i := range out {
				out[i] = pad
			}
		}
		for y := range p.height {
			row := out[(above+y)*to.Width+left:]
			for x, v := range p.pix[y*p.width : (y+1)*p.width] {
				if p.bits8 {
					v /= top
				}
				row[x] = float32(v)
			}
		}
	}
	return img
}

// resizeRows applies the filter along the columns and takes the rows that are kept.
func (p plane) resizeRows(rows side, g recipe.Geometry) plane {
	if rows.same() {
		return p
	}
	from, end, _ := rows.kept()
	out := plane{end - from, p.width, p.bits8, make([]float64, (end-from)*p.width)}
	filters := rows.filters(g)
	for y := range out.height {
		for x := range p.width {
			out.pix[y*out.width+x] = p.entry(filters, from, y, p.pix[x:], p.width)
		}
	}
	return out
}

// filters are those of the kept entries of a side; nil where its size stays.
func (s side) filters(g recipe.Geometry) []resample.Filter {
	if s.size == s.src {
		return nil
	}
	from, end, _ := s.kept()
	filters := resample.Filters(g.Filter, s.src, s.size, from, end-from, !g.Aliased)
	if !g.Float {
		for _, f := range filters {
			f.Whole()
		}
	}
	return filters
}

// entry is kept entry number i of a line; from is the first kept one.
func (p plane) entry(filters []resample.Filter, from, i int, line []float64, stride int) float64 {
	switch {
	case filters == nil:
		return line[(from+i)*stride]
	case p.bits8:
		return level(filters[i].Sum(line, stride))
	}
	return filters[i].Sum(line, stride)
}
