package render

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/scatter"
)

// slope is a field whose element (a, b) is (a + 2b) / 3R: it tells its axes apart.
func slope(r int) Field {
	f := Field{Title: "max@CONF, I3", Matrix: scatter.Matrix{R: r, Values: make([]float64, r*r)}, D: 1.3, Scale: FieldScale(0.5, nil), Caption: "max@CONF", Note: "40 targets"}
	for e := range f.Matrix.Values {
		f.Matrix.Values[e] = float64(e%r+2*(e/r)) / float64(3*r)
	}
	return f
}

func TestFieldScale(t *testing.T) {
	s := FieldScale(0.5, nil)
	for _, test := range []struct {
		v    float64
		want color.RGBA
	}{
		{0, color.RGBA{0, 102, 51, 255}},
		{0.5, color.RGBA{255, 255, 77, 255}},
		{0.7, color.RGBA{255, 255, 77, 255}},
		{math.Inf(1), color.RGBA{255, 255, 77, 255}},
		{-1, color.RGBA{0, 102, 51, 255}},
		{math.NaN(), FieldNaN},
		{0.25, Green[128]},
	} {
		if got := s.Color(test.v); got != test.want {
			t.Errorf("%v is drawn as %v, want %v", test.v, got, test.want)
		}
	}
	if other := FieldScale(0.5, &Cividis); other.Color(0.1) != (Scale{High: 0.5, Map: &Cividis}).Color(0.1) || other.Color(9) != Cividis[255] {
		t.Error("the other map is not used")
	}
	if d := DensityScale(scatter.Matrix{R: 2, Values: []float64{math.NaN(), 0, 2.5, 1}}, nil); d.High != 2.5 || d.Low != 0 {
		t.Errorf("density from %v to %v", d.Low, d.High)
	}
	if d := DensityScale(scatter.Matrix{R: 1, Values: []float64{math.NaN()}}, nil); d.High != 1 {
		t.Errorf("no points: to %v", d.High)
	}
}

func TestRasterFieldHasItsOriginAtTheBottomLeft(t *testing.T) {
	f := slope(3)
	img := RasterField(f.Matrix, f.Scale)
	for a := range 3 {
		for b := range 3 {
			if got, want := img.RGBAAt(a, 2-b), f.Scale.Color(f.Matrix.At(a, b)); got != want {
				t.Errorf("element %d, %d is %v, want %v", a, b, got, want)
			}
		}
	}
}

// The middle of every element of a written picture has its colour; two corners of a colour of their own say where the picture
// lies.
func TestFieldShowsEveryElement(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	for _, r := range []int{4, 31, 64, 100} {
		f := slope(r)
		f.Scale.NaN = color.RGBA{0, 0, 254, 255}
		f.Matrix.Values[0], f.Matrix.Values[r*r-1] = math.NaN(), math.NaN()
		img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }))
		area := extent(img, f.Scale.NaN)
		for b := range r {
			for a := range r {
				if a+b == 0 || a+b == 2*r-2 {
					continue // smoothing takes some of the two corners
				}
				x := area.Min.X + int((float64(a)+0.5)*float64(area.Dx())/float64(r))
				y := area.Max.Y - 1 - int((float64(b)+0.5)*float64(area.Dy())/float64(r))
				got, want := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA), f.Scale.Color(f.Matrix.At(a, b))
				if max(diff(got.R, want.R), diff(got.G, want.G), diff(got.B, want.B)) > 8 {
					t.Fatalf("R %d: element %d, %d at pixel %d, %d is %v, want %v", r, a, b, x, y, got, want)
				}
			}
		}
	}
}

func TestFieldsAreWritten(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	f := slope(64)
	one, svg := written(t, func(w *bytes.Buffer, format string) error { return f.Write(w, format) })
	for _, want := range []string{"max@CONF, I3", FieldX, FieldY, "40 targets", "1.2", "0.5"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the field does not say %q", want)
		}
	}
	if len(svg) > 100_000 {
		t.Errorf("the field takes %d bytes as SVG", len(svg))
	}
	dots := f
	dots.Title, dots.X, dots.Y = "dots", "distance of the first", "distance of the second"
	three, svg := written(t, func(w *bytes.Buffer, format string) error {
		return Fields(w, format, [][]Field{{f, dots, {Title: "gone", Absent: "no such position"}}, {f}}, "model s09")
	})
	if three < 3*one-3 || three > 3*one+3 {
		t.Errorf("three fields are %d pixels wide, one is %d", three, one)
	}
	for _, want := range []string{"model s09", "dots", "distance of the first", "distance of the second", "gone", "no such position"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the fields do not say %q", want)
		}
	}
}

func TestFieldsRefuse(t *testing.T) {
	short, flat := slope(4), slope(4)
	short.Matrix.Values = short.Matrix.Values[:15]
	flat.D = 0
	var w bytes.Buffer
	for _, test := range []struct {
		want string
		err  error
	}{
		{"15 values for 4 x 4", short.Write(&w, "png")},
		{"the axes end at 0", flat.Write(&w, "svg")},
		{`draw fields "x": draw field "max@CONF, I3": 15 values`, Fields(&w, "png", [][]Field{{slope(4)}, {short}}, "x")},
		{"no fields", Fields(&w, "png", nil, "x")},
		{"no fields", Fields(&w, "png", [][]Field{{}, {}}, "x")},
		{"gif", slope(4).Write(&w, "gif")},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%v, want %q", test.err, test.want)
		}
	}
}
