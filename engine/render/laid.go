package render

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"math"
	"slices"

	"golang.org/x/image/vector"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/variscope/variscope/engine/result"
)

// Laid is a figure laid out in a window: upright texts, which the window sets, and all else as an
// image of the whole size.
type Laid struct {
	Texts                    []Text
	Left, Top, Width, Height float32 // of the plotted area, in device-independent pixels
	Cells                    bool    // the area is left to the image that CellImage makes

	figure result.Figure
	part   Part
	ground Ground
	size   vg.Point
}

// Lay lays a part of a figure out in a size, in device-independent pixels; ok is false where there
// is not enough room.
func Lay(f result.Figure, part Part, g Ground, width, height float32) (l Laid, ok bool) {
	l = Laid{figure: f, part: part, ground: g, size: vg.Point{X: vg.Length(width), Y: vg.Length(height)}}
	l.ground.screen, l.ground.scale = true, 1
	on := l.ground
	on.texts = func(t Text) {
		t.Y = height - t.Y
		if t.Behind != nil || !slices.ContainsFunc(l.Texts, func(o Text) bool { return on.over(t, o) }) {
			l.Texts = append(l.Texts, t) // else ticks of both axes meet in a corner of a small figure
		}
	}
	if line := on.text().Height("0"); l.size.X < 6*line || l.size.Y < 4*line {
		return l, false
	}
	if m := f.Matrix; m.Size() > 0 && cellsOnly(*m) { // its cells are an image of their own
		l.Cells = true
	}
	area := on.draw(draw.NewCanvas(blank{}, l.size.X, l.size.Y), f, part)
	l.Left, l.Top = float32(area.Min.X), height-float32(area.Max.Y)
	l.Width, l.Height = float32(area.Max.X-area.Min.X), float32(area.Max.Y-area.Min.Y)
	return l, l.Width >= 30 && l.Height >= 12
}

// over tells whether two texts lie over each other in a window.
func (g Ground) over(a, b Text) bool {
	wide, high := g.Measure(a.Text, a.Size)
	wide2, high2 := g.Measure(b.Text, b.Size)
	return a.X < b.X+wide2 && b.X < a.X+wide && a.Y < b.Y+high2 && b.Y < a.Y+high
}

// Image draws the figure without its upright texts into w x h pixels, which stand for the size that
// it is laid out in.
func (l Laid) Image(w, h int) image.Image {
	on := l.ground
	if l.size.X <= 0 || w <= 0 || h <= 0 {
		return image.NewRGBA(image.Rect(0, 0, max(w, 0), max(h, 0)))
	}
	on.scale = float64(w) / float64(l.size.X)
	size, ground := vgimg.UseWH(vg.Length(w), vg.Length(h)), vgimg.UseBackgroundColor(color.Transparent)
	c := screen{vgimg.NewWith(size, vgimg.UseDPI(72), ground)}
	on.draw(draw.New(c), l.figure, l.part)
	return c.Image()
}

// screen is a canvas of pixels, one per point.
type screen struct{ *vgimg.Canvas }

func (s screen) fillPixels(r vg.Rectangle, colour color.Color) {
	img := s.Image()
	round := func(v vg.Length) int { return int(math.Round(float64(v))) }
	high := img.Bounds().Dy()
	box := image.Rect(round(r.Min.X), high-round(r.Max.Y), round(r.Max.X), high-round(r.Min.Y))
	box.Max.X, box.Max.Y = max(box.Max.X, box.Min.X+1), max(box.Max.Y, box.Min.Y+1)
	stddraw.Draw(img, box, image.NewUniform(colour), image.Point{}, stddraw.Over)
}

func (s screen) fillShapes(shapes [][]vg.Point, colour color.Color) {
	img := s.Image().(*image.RGBA)
	high := vg.Length(img.Bounds().Dy())
	room := vg.Rectangle{Max: vg.Point{X: vg.Length(img.Bounds().Dx()), Y: high}}
	z := vector.NewRasterizer(img.Bounds().Dx(), img.Bounds().Dy())
	for _, shape := range shapes {
		reach := vg.Rectangle{Min: shape[0], Max: shape[0]}
		for _, p := range shape {
			reach.Min = vg.Point{X: min(reach.Min.X, p.X), Y: min(reach.Min.Y, p.Y)}
			reach.Max = vg.Point{X: max(reach.Max.X, p.X), Y: max(reach.Max.Y, p.Y)}
		}
		if reach.Max.X < room.Min.X || reach.Max.Y < room.Min.Y || reach.Min.X > room.Max.X ||
			reach.Min.Y > room.Max.Y {
			continue
		}
		z.MoveTo(float32(shape[0].X), float32(high-shape[0].Y))
		for _, p := range shape[1:] {
			z.LineTo(float32(p.X), float32(high-p.Y))
		}
		z.ClosePath()
	}
	z.Draw(img, img.Bounds(), image.NewUniform(colour), image.Point{})
}

// network is a network as it is laid out.
func (l Laid) network() network {
	low := vg.Point{X: vg.Length(l.Left), Y: l.size.Y - vg.Length(l.Top+l.Height)}
	area := vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: vg.Length(l.Width), Y: vg.Length(l.Height)})}
	return l.ground.network(draw.Canvas{Canvas: blank{}, Rectangle: area}, l.figure, l.part)
}

// Radius is that of a point of a network.
func (l Laid) Radius(point int) float32 { return float32(l.network().radius(point)) }

// Link is link k in straight pieces, from the top left corner on; nil where its ends touch.
func (l Laid) Link(k int) (line [][2]float32) {
	for _, p := range l.network().line(k) {
		line = append(line, [2]float32{float32(p.X), float32(l.size.Y - p.Y)})
	}
	return line
}

// LinkAt is the nearest of the links that are not faint, at most so far from a place; -1 for none.
func (l Laid) LinkAt(x, y, reach float32) int {
	n, best, least := l.network(), -1, vg.Length(reach)
	for k, link := range l.figure.Links {
		if link.Emphasis == result.Faint {
			continue
		}
		if d := distance(n.line(k), vg.Point{X: vg.Length(x), Y: l.size.Y - vg.Length(y)}); d < least {
			best, least = k, d
		}
	}
	return best
}

// blank is a canvas on which nothing can be seen.
type blank struct{}

// The methods of vg.Canvas.
func (blank) SetLineWidth(vg.Length)                 {}
func (blank) SetLineDash([]vg.Length, vg.Length)     {}
func (blank) SetColor(color.Color)                   {}
func (blank) Rotate(float64)                         {}
func (blank) Translate(vg.Point)                     {}
func (blank) Scale(float64, float64)                 {}
func (blank) Push()                                  {}
func (blank) Pop()                                   {}
func (blank) Stroke(vg.Path)                         {}
func (blank) Fill(vg.Path)                           {}
func (blank) FillString(font.Face, vg.Point, string) {}
func (blank) DrawImage(vg.Rectangle, image.Image)    {}
func (blank) fillPixels(vg.Rectangle, color.Color)   {}
func (blank) fillShapes([][]vg.Point, color.Color)   {}
