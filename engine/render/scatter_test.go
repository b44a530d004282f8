package render

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	bluish = color.RGBA{0, 0x72, 0xb2, 0xff}
	orange = color.RGBA{0xd5, 0x5e, 0, 0xff}
)

func twoGroups() []Group {
	return []Group{{Name: "invariant", Shape: Disc, Colour: bluish}, {Name: "variant", Shape: Triangle, Colour: orange}}
}

func scatterFigure() Scatter {
	return Scatter{
		Title: "svm", X: AxisRange{Name: "max@CONF.svm"}, Y: AxisRange{Name: "robust accuracy"}, Groups: twoGroups(), Note: "60 images",
		Dots: []Dot{{X: 0, Y: 0}, {X: 0.02, Y: 0.5}, {X: 0.04, Y: 1, Group: 1}, {X: math.NaN(), Y: 0.3, Group: 1}},
	}
}

// area is the number of pixels that a shape covers, weighted by their opacity.
func area(s Shape, at Point, size float64) (sum float64, img *image.NRGBA) {
	img = image.NewNRGBA(image.Rect(0, 0, 40, 40))
	Mark(img, at, s, size, color.NRGBA{A: 255})
	for i := 3; i < len(img.Pix); i += 4 {
		sum += float64(img.Pix[i]) / 255
	}
	return sum, img
}

func TestShapesCoverAboutAsMuch(t *testing.T) {
	disc, _ := area(Disc, Point{20, 20}, 8)
	if want := math.Pi * 64; math.Abs(disc-want) > 0.02*want {
		t.Errorf("the disc covers %v, want %v", disc, want)
	}
	for s, least := range map[Shape]float64{Square: 0.85, Triangle: 0.85, Ring: 0.5, Diamond: 0.85} {
		if got, _ := area(s, Point{20, 20}, 8); got < least*disc || got > 1.15*disc {
			t.Errorf("shape %d covers %v, the disc %v", s, got, disc)
		}
	}
}

func TestShapesDiffer(t *testing.T) {
	at := func(s Shape, x, y int) bool {
		_, img := area(s, Point{20, 20}, 8)
		return img.NRGBAAt(x, y).A > 127
	}
	for _, c := range []struct {
		name                         string
		s                            Shape
		middle, corner, above, right bool
	}{
		{"disc", Disc, true, false, true, true},
		{"square", Square, true, true, true, true},
		{"triangle", Triangle, true, false, true, false},
		{"ring", Ring, false, false, true, true},
		{"diamond", Diamond, true, false, true, true},
	} {
		got := [4]bool{at(c.s, 20, 20), at(c.s, 26, 26), at(c.s, 20, 13), at(c.s, 26, 19)}
		if c.s == Triangle {
			got[1] = at(c.s, 26, 13) // its upper corners are empty, its lower ones are not
		}
		if want := [4]bool{c.middle, c.corner, c.above, c.right}; got != want {
			t.Errorf("%s covers %v, want %v", c.name, got, want)
		}
	}
}

// TestMarkStaysInside: no place of a point is out of bounds, and what is not finite draws nothing.
func TestMarkStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := Point{rapid.Float64().Draw(t, "x"), rapid.Float64().Draw(t, "y")}
		s := Shape(rapid.IntRange(0, 4).Draw(t, "shape"))
		sum, _ := area(s, at, rapid.Float64Range(0, 30).Draw(t, "size"))
		if (at.X < -100 || at.Y > 200) && sum > 0 {
			t.Errorf("a point at %v covers %v", at, sum)
		}
	})
	if sum, _ := area(Disc, Point{math.NaN(), 3}, 5); sum != 0 {
		t.Errorf("a point that is nowhere covers %v", sum)
	}
}

// TestScatterPlacesPoints finds the first and the last point by their colours: low values left and below.
func TestScatterPlacesPoints(t *testing.T) {
	s := scatterFigure()
	s.Groups[0].Name, s.Groups[1].Name = "", ""
	s.Dots = []Dot{{X: 0, Y: 0}, {X: 1, Y: 1, Group: 1}}
	s.X, s.Y = AxisRange{Low: 0, High: 1}, AxisRange{Low: 0, High: 1}
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return s.Write(b, format) }))
	if w, h := img.Bounds().Dx(), img.Bounds().Dy(); !near(w, 945) || !near(h, 787) {
		t.Errorf("%d x %d pixels, want 12 x 10 cm at 200 dpi", w, h)
	}
	half := crop(img, 0.5)
	if first := extent(half, bluish); first.Empty() || first.Max.Y < img.Bounds().Dy()*3/4 {
		t.Errorf("the first point is at %v of %v", first, img.Bounds())
	}
	if last := extent(img, orange); last.Empty() || last.Max.X < img.Bounds().Dx()*3/4 {
		t.Errorf("the last point is at %v of %v", last, img.Bounds())
	}
}

func TestScatterFormats(t *testing.T) {
	s := scatterFigure()
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<?xml", "pdf": "%PDF"} {
		data := drawn(t, format, func(b *bytes.Buffer, f string) error { return s.Write(b, f) })
		again := drawn(t, format, func(b *bytes.Buffer, f string) error { return s.Write(b, f) })
		if !strings.HasPrefix(string(data), begins) || !bytes.Equal(data, again) {
			t.Errorf("%s begins %q, equal again %v", format, data[:8], bytes.Equal(data, again))
		}
	}
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, f string) error { return s.Write(b, f) }))
	for _, text := range []string{"invariant", "variant", "max@CONF.svm", "robust accuracy", "60 images", ">0.02<", "svm"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
}

func TestFiguresOfGroupsRefuse(t *testing.T) {
	none, stray := scatterFigure(), scatterFigure()
	none.Dots = nil
	stray.Dots = []Dot{{X: 1, Y: 1, Group: 2}}
	empty, ends, groups, ragged := stacked(), stacked(), stacked(), stacked()
	empty.Counts = nil
	ends.X.High = ends.X.Low
	groups.Groups = groups.Groups[:1]
	ragged.Counts = [][]int{{1, 2}, {1}}
	for want, err := range map[string]error{
		"no point to draw":   none.Write(&bytes.Buffer{}, "png"),
		"is of group 2":      stray.Write(&bytes.Buffer{}, "png"),
		"no bins to draw":    errorsOf(empty, ends),
		"2 rows of counts":   groups.Write(&bytes.Buffer{}, "png"),
		"has 1 bins":         ragged.Write(&bytes.Buffer{}, "png"),
		`format "gif" is no`: stacked().Write(&bytes.Buffer{}, "gif"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// errorsOf is the error of the last figure, nil unless both have one.
func errorsOf(a, b Stacked) error {
	if err := a.Write(&bytes.Buffer{}, "png"); err == nil {
		return nil
	}
	return b.Write(&bytes.Buffer{}, "png")
}

func TestWiden(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ low, high, from, to float64 }{
		{1, 3, 0.9, 3.1}, {2, 2, 1.9, 2.1}, {0, 0, -1e-3, 1e-3}, {inf, -inf, 0, 1}, {math.NaN(), 1, 0, 1},
	} {
		if from, to := Widen(c.low, c.high); math.Abs(from-c.from) > 1e-12 || math.Abs(to-c.to) > 1e-12 {
			t.Errorf("%v..%v becomes %v..%v, want %v..%v", c.low, c.high, from, to, c.from, c.to)
		}
	}
}

func stacked() Stacked {
	return Stacked{
		Title: "svm", X: AxisRange{Name: "max@CONF.svm", Low: 0, High: 0.4}, YName: "models", Groups: twoGroups(), Note: "60 images",
		Counts: [][]int{{4, 2, 0, 0}, {0, 2, 0, 3}},
	}
}

// TestStackedBars finds the bars by their colours: the first group at the foot, the second one above it.
func TestStackedBars(t *testing.T) {
	s := stacked()
	s.Groups[0].Name, s.Groups[1].Name = "", ""
	s.Counts = [][]int{{2, 0, 0, 6}, {2, 0, 0, 0}}
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return s.Write(b, format) }))
	left := crop(below(img), 0.6)
	lower, upper := extent(left, bluish), extent(left, orange)
	if lower.Empty() || upper.Empty() || upper.Max.Y > lower.Min.Y+1 {
		t.Fatalf("the groups cover %v and %v", lower, upper)
	}
	if d := lower.Dy() - upper.Dy(); d < -3 || d > 3 {
		t.Errorf("equal counts are %d and %d pixels high", lower.Dy(), upper.Dy())
	}
	if !near(lower.Min.X, upper.Min.X) || lower.Max.X > img.Bounds().Dx()*6/10 {
		t.Errorf("the bars stand at %v and %v", lower, upper)
	}
	if most := MostStacked(stacked().Counts); most != 4 || MostStacked(nil) != 0 {
		t.Errorf("the highest bar has %d", most)
	}
}

// below is the picture without the legend.
func below(img image.Image) image.Image {
	b := img.Bounds()
	b.Min.Y += 130
	return img.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(b)
}

func TestStackedTexts(t *testing.T) {
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, f string) error { return stacked().Write(b, f) }))
	for _, text := range []string{"invariant", "variant", "max@CONF.svm", "models", "60 images", ">0.20<", ">4<"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
}

func BenchmarkMark(b *testing.B) {
	img := image.NewNRGBA(image.Rect(0, 0, 700, 500))
	for b.Loop() {
		for k := range 2000 {
			Mark(img, Point{float64(k*37%700) + 0.3, float64(k*61%500) + 0.7}, Shape(k%4), 3.6, color.NRGBA{A: 255})
		}
	}
}

func TestManyPointsAreDrawnSmaller(t *testing.T) {
	drawn := func(n int) string {
		s := Scatter{X: AxisRange{Name: "x"}, Y: AxisRange{Name: "y"}, Groups: []Group{{Name: "models"}}}
		for k := range n {
			s.Dots = append(s.Dots, Dot{X: float64(k), Y: float64(k * k)})
		}
		var b bytes.Buffer
		if err := s.Write(&b, "svg"); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	few, many := drawn(crowd), drawn(crowd+1)
	if strings.Contains(few, "A1.7,1.7") || !strings.Contains(many, "A1.7,1.7") {
		t.Error("the size of the points does not follow their number")
	}
}
