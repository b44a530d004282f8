package render

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
)

// slope is a field whose element (a, b) is (a + 2b) / 3R: it tells its axes apart.
func slope(r int) result.Figure {
	m := scatter.Matrix{R: r, Values: make([]float64, r*r)}
	for e := range m.Values {
		m.Values[e] = float64(e%r+2*(e/r)) / float64(3*r)
	}
	f := m.Figure(1.3, FieldScale(0.5, nil), "max@CONF")
	f.Title, f.Note = "max@CONF, I3", "40 targets"
	return f
}

// shares are values over n x n regions of an image of black and white columns.
func shares(n, width, height int) result.Figure {
	under := image.NewGray(image.Rect(0, 0, width, height))
	for k := range under.Pix {
		under.Pix[k] = uint8(255 * (k % width % 2))
	}
	values := make([]float64, n*n)
	for k := range values {
		values[k] = float64(k) / float64(n*n)
	}
	text := func(v float64) string { return result.Number.Say(v, 0) }
	f := result.Regions(n, values, Scale{High: 1}, under, "share of features", text)
	f.Title = "CM"
	return f
}

// coefficients are a table of numbers with names on both axes.
func coefficients() result.Figure {
	names := []string{"truth", "LaF without optimising", "CRC"}
	return result.Figure{
		Title: "Spearman between rankers, mnist", Note: "10 models, 200 images", X: result.Axis{Names: names},
		Y: result.Axis{Names: names},
		Matrix: &result.Matrix{
			Rows: 3, Columns: 3, Values: []float64{1, 0.926, -0.31, 0.926, 1, -0.004, -0.31, -0.004, math.NaN()},
			Colours: Scale{Low: -1, High: 1}, Text: func(v float64) string { return result.Coefficient.Say(v, 2) },
		},
	}
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
	if other := FieldScale(0.5, &Cividis); other.Color(0.1) != (Scale{High: 0.5, Map: &Cividis}).Color(0.1) ||
		other.Color(9) != Cividis[255] {
		t.Error("the other map is not used")
	}
	if d := DensityScale(scatter.Matrix{R: 2, Values: []float64{math.NaN(), 0, 2.5, 1}}, nil); d.High != 2.5 ||
		d.Low != 0 {
		t.Errorf("density from %v to %v", d.Low, d.High)
	}
	if d := DensityScale(scatter.Matrix{R: 1, Values: []float64{math.NaN()}}, nil); d.High != 1 {
		t.Errorf("no points: to %v", d.High)
	}
	if (Scale{Low: -1, High: 1}).Color(1) != Diverging[255] ||
		(Scale{Low: -1, High: 1, Map: &Gray}).Color(1) != Gray[255] {
		t.Error("a difference is diverging unless it names a map")
	}
}

// TestPartsShowTheirCells: a part of a matrix has its cells in their places and its axes their
// ticks, whichever way the Y axis runs.
func TestPartsShowTheirCells(t *testing.T) {
	f := figure(9)
	img := CellImage(f, Part{1.5, 4.5, 5.5, 7.5})
	if img.Rect != image.Rect(0, 0, 3, 2) {
		t.Fatalf("%v", img.Rect)
	}
	for k := range 6 {
		row, column := 6+k/3, 2+k%3
		if got, want := img.RGBAAt(k%3, 1-k/3), f.Matrix.Colours.Color(f.Matrix.Values[row*9+column]); got != want {
			t.Errorf("cell %d, %d is %v, want %v", row, column, got, want)
		}
	}
	if at, texts := AxisTicks(f.X, 1.5, 4.5, 9); len(at) != 3 || at[0] != 2 || texts[0] != "-2" {
		t.Errorf("ticks at %v: %q", at, texts)
	}
	r := shares(2, 4, 4)
	if down := CellImage(r, Extent(r)); down.RGBAAt(1, 0) != r.Matrix.Colours.Color(0.25) {
		t.Error("regions run from the top down")
	}
	r.Matrix.Marked = []int{3}
	if m := shown(r, Part{0.5, 1.5, 1.5, 0.5}); m.Rows != 1 || m.Columns != 1 || m.Values[0] != 0.75 ||
		len(m.Marked) != 1 || m.Marked[0] != 0 {
		t.Errorf("%+v", m)
	}
}

// TestFieldShowsEveryElement: the middle of every element of a written picture has its colour; two
// corners of a colour of their own say where the picture lies.
func TestFieldShowsEveryElement(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	for _, r := range []int{4, 31, 100} {
		f := slope(r)
		scale := FieldScale(0.5, nil)
		scale.NaN = color.RGBA{0, 0, 254, 255}
		f.Matrix.Colours, f.Matrix.Values[0], f.Matrix.Values[r*r-1] = scale, math.NaN(), math.NaN()
		img := decode(t, drawn(t, "png", writes(f)))
		area := extent(img, scale.NaN)
		for e, v := range f.Matrix.Values {
			if e == 0 || e == r*r-1 {
				continue // smoothing takes some of the two corners
			}
			x := area.Min.X + int((float64(e%r)+0.5)*float64(area.Dx())/float64(r))
			y := area.Max.Y - 1 - int((float64(e/r)+0.5)*float64(area.Dy())/float64(r))
			got, want := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA), scale.Color(v)
			if max(diff(got.R, want.R), diff(got.G, want.G), diff(got.B, want.B)) > 8 {
				t.Fatalf("R %d: element %d at pixel %d, %d is %v, want %v", r, e, x, y, got, want)
			}
		}
	}
}

// TestRegionsPicture: every pixel of the image lies in its region and is seen through the region's
// colour, in the image's proportions.
func TestRegionsPicture(t *testing.T) {
	for _, c := range []struct{ n, width, height int }{{1, 8, 8}, {2, 12, 6}, {3, 7, 9}, {5, 2, 2}} {
		f := shares(c.n, c.width, c.height)
		img := overImage(*f.Matrix, false)
		if img.Rect.Dx()*c.height != img.Rect.Dy()*c.width || max(img.Rect.Dx(), img.Rect.Dy()) < cellPixelsLeast {
			t.Fatalf("%+v: %v", c, img.Rect)
		}
		lines := 0
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				value := f.Matrix.Colours.Color(f.Matrix.Values[y*c.n/img.Rect.Dy()*c.n+x*c.n/img.Rect.Dx()])
				gray := float64(255 * (x * c.width / img.Rect.Dx() % 2))
				mix := func(v uint8) uint8 { return uint8(math.Floor(0.6*float64(v) + 0.4*gray + 0.5)) }
				if img.RGBAAt(x, y) != (color.RGBA{mix(value.R), mix(value.G), mix(value.B), 255}) {
					lines++
				}
			}
		}
		if most := (c.n - 1) * (img.Rect.Dx() + img.Rect.Dy()); lines > most {
			t.Errorf("%+v: %d pixels have another colour, the lines between cells have %d", c, lines, most)
		}
	}
}

// TestMatricesSayEverything: titles, notes, names, numbers and axes stand in the figure, a value
// that is missing has no number.
func TestMatricesSayEverything(t *testing.T) {
	regions := shares(3, 28, 20)
	regions.Matrix.Values[4], regions.Matrix.Marked = math.NaN(), []int{1}
	many := shares(16, 28, 28)
	for name, c := range map[string]struct {
		figure result.Figure
		there  map[string]int
	}{
		"field": {slope(64), map[string]int{
			"max@CONF, I3": 1, "semantic distance of image i": 1, "semantic distance of image j": 1, "40 targets": 1,
			">0.5<": 1,
		}},
		"regions": {regions, map[string]int{
			">CM<": 1, ">share of features<": 1, ">0.111<": 1, ">0.889<": 1,
			">0.444<": 0, "NaN": 0, ">column<": 1,
		}},
		"many regions": {many, map[string]int{">0.004<": 0}},
		"coefficients": {coefficients(), map[string]int{
			">Spearman between rankers, mnist<": 1, ">LaF without optimising<": 2, ">truth<": 2,
			">10 models, 200 images<": 1, ">1.00<": 2, ">0.93<": 2, ">-0.31<": 2, ">&gt;-0.01<": 2, ">-0.00<": 0,
			"NaN": 0,
		}},
	} {
		svg := string(drawn(t, "svg", writes(c.figure)))
		for text, times := range c.there {
			if got := strings.Count(svg, text); got != times && (times == 0 || got < times) {
				t.Errorf("%s: %q is in the figure %d times, want %d", name, text, got, times)
			}
		}
		if len(svg) > 150_000 {
			t.Errorf("%s takes %d bytes as SVG", name, len(svg))
		}
	}
}

// TestNumbersAreLegible: numbers can be read on every colour of every map, in the better one of
// black and white.
func TestNumbersAreLegible(t *testing.T) {
	black := color.RGBA{A: 0xff}
	grounds := []color.RGBA{UnderColour, OverColour, nanDark, nanLight}
	for _, m := range mapsByName {
		grounds = append(grounds, m[:]...)
	}
	for _, ground := range grounds {
		got := contrast(ground, Legible(ground))
		if got < 4.5 || got < 0.999*max(contrast(ground, black), contrast(ground, white)) {
			t.Errorf("text on %v has a contrast of %.2f", ground, got)
		}
	}
}

// contrast is that of WCAG 2, from the tables of its formula.
func contrast(a, b color.RGBA) float64 {
	bright := func(c color.RGBA) float64 {
		sum := 0.0
		for k, part := range []uint8{c.R, c.G, c.B} {
			v := float64(part) / 255
			if v > 0.04045 {
				v = math.Pow((v+0.055)/1.055, 2.4)
			} else {
				v /= 12.92
			}
			sum += v * []float64{0.2126, 0.7152, 0.0722}[k]
		}
		return sum + 0.05
	}
	return math.Max(bright(a)/bright(b), bright(b)/bright(a))
}
