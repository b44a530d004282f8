package render

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// covered draws arrows in black over white and tells how dark a pixel is, from 0 to 1.
func covered(size image.Point, list ...Arrow) func(x, y int) float64 {
	img := image.NewRGBA(image.Rectangle{Max: size})
	Arrows(img, list, color.NRGBA{A: 0xff})
	return func(x, y int) float64 { return float64(img.RGBAAt(x, y).A) / 255 }
}

func TestArrowsAreDrawn(t *testing.T) {
	straight := Arrow{From: Point{20, 50}, To: Point{180, 50}, FromRadius: 10, ToRadius: 20, Width: 4}
	dark := covered(image.Pt(200, 100), straight)
	for _, c := range []struct {
		x, y int
		want float64
		what string
	}{
		{20, 49, 0, "inside of the node it comes from"},
		{34, 49, 1, "on the shaft"},
		{100, 50, 1, "on the shaft"},
		{100, 44, 0, "beside the shaft"},
		{150, 49, 1, "in the head"},
		{150, 46, 1, "in the head, beside the shaft"},
		{163, 49, 0, "inside of the node it goes to"},
	} {
		if got := dark(c.x, c.y); math.Abs(got-c.want) > 0.05 {
			t.Errorf("%s (%d, %d): %.2f, want %.0f", c.what, c.x, c.y, got, c.want)
		}
	}
	if straight.Distance(Point{100, 55}) != 5 || straight.Distance(Point{20, 50}) != 10 {
		t.Errorf("distances %g and %g", straight.Distance(Point{100, 55}), straight.Distance(Point{20, 50}))
	}
	there, back := straight, straight
	there.Bow, back.Bow = true, true
	back.From, back.To = straight.To, straight.From
	if a, b := there.Distance(Point{100, 50}), back.Distance(Point{100, 50}); a < 20 || b < 20 || there.Distance(Point{100, 72}) > 1 || back.Distance(Point{100, 28}) > 1 {
		t.Errorf("two bows pass the middle at %g and %g", a, b)
	}
	dark = covered(image.Pt(200, 100), there)
	if dark(100, 50) != 0 || dark(97, 72) < 0.9 {
		t.Error("a bow goes straight")
	}
	touching := Arrow{From: Point{20, 50}, To: Point{25, 50}, FromRadius: 10, ToRadius: 10, Width: 3}
	if !math.IsInf(touching.Distance(Point{22, 50}), 1) || covered(image.Pt(50, 100), touching)(22, 50) != 0 {
		t.Error("an arrow between nodes that touch is drawn")
	}
}

// TestCrossingArrowsGetNoDarker: two arrows of one half-seen colour, in either direction, are as dark as one.
func TestCrossingArrowsGetNoDarker(t *testing.T) {
	there := Arrow{From: Point{0, 50}, To: Point{200, 50}, Width: 6}
	back := Arrow{From: Point{200, 50}, To: Point{0, 50}, Width: 6}
	across := Arrow{From: Point{100, 0}, To: Point{100, 100}, Width: 6}
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	Arrows(img, []Arrow{there, back, across}, color.NRGBA{A: 0x80})
	for _, x := range []int{60, 100} {
		if got := img.RGBAAt(x, 50).A; got < 0x7e || got > 0x82 {
			t.Errorf("pixel %d has the opacity %d", x, got)
		}
	}
}

// TestArrowsBeyondThePicture: what lies far outside leaves what is inside as it is, in small and in large pictures.
func TestArrowsBeyondThePicture(t *testing.T) {
	long := Arrow{From: Point{-9000, -8900}, To: Point{9000, 9100}, FromRadius: 3, ToRadius: 3, Width: 4}
	far := Arrow{From: Point{-9000, -50}, To: Point{9000, -60}, Width: 4}
	for _, size := range []image.Point{{300, 200}, {900, 600}} {
		dark := covered(size, long, far, Arrow{From: Point{5000, 5000}, To: Point{6000, 5000}, Width: 3})
		wrong := 0
		for y := range size.Y {
			for x := range size.X {
				d := math.Abs(float64(x)-float64(y)+100) / math.Sqrt2 // the line y = x + 100
				if got := dark(x, y); d < 0.8 && got < 0.9 || d > 3.5 && got > 0.02 {
					wrong++
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%v: %d pixels are wrong", size, wrong)
		}
	}
	Arrows(image.NewRGBA(image.Rectangle{}), []Arrow{long}, color.NRGBA{A: 0xff})
}

// BenchmarkArrows draws all links of a network, as a window does whenever it moves.
func BenchmarkArrows(b *testing.B) {
	n := someNetwork(500, 4000, 1)
	places := placed(b, n)
	const levels = 5
	var lists [levels][]Arrow
	for k, l := range n.Links {
		at := func(node int) Point { return Point{places[node].X * 1200, places[node].Y * 760} }
		lists[k%levels] = append(lists[k%levels], Arrow{From: at(l.From), To: at(l.To), FromRadius: 5, ToRadius: 5, Bow: k%2 == 0, Width: 1.5})
	}
	for b.Loop() {
		img := image.NewRGBA(image.Rect(0, 0, 1200, 760))
		for _, list := range lists {
			Arrows(img, list, color.NRGBA{A: 0x60})
		}
	}
}
