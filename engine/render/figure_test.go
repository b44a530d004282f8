package render

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

func figure(n int) result.Figure {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i - n/2)
	}
	m := matrix(n, func(i, j int) float64 { return math.Abs(float64(i-j)) / float64(n) })
	f := m.Figure(Axis{Name: "rotation", Unit: "°", Values: values}, Scale{High: 1}, "max@CONF")
	f.Title, f.Note = "model 307", "all images"
	return f
}

// missing is a matrix that is absent for a reason.
func missing(title, reason string) result.Figure {
	f := variance.Matrix{}.Figure(figure(31).X, Scale{}, "max@CONF")
	f.X, f.Y, f.Title, f.Empty = figure(31).X, figure(31).Y, title, reason
	return f
}

// writes draws a figure.
func writes(f result.Figure) func(*bytes.Buffer, string) error {
	return func(b *bytes.Buffer, format string) error { return Draw(b, f, Part{}, format) }
}

func drawn(t *testing.T, format string, write func(*bytes.Buffer, string) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, format); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.Bytes()
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img := testdata.Must(png.Decode(bytes.NewReader(data)))(t)
	return img
}

// extent is the rectangle around all pixels of exactly this colour.
func extent(img image.Image, c color.RGBA) (r image.Rectangle) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if color.RGBAModel.Convert(img.At(x, y)) == c {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// TestFigureOrientation finds each element of a 3 x 3 matrix by its colour: marker colours and the
// ends of the map occur nowhere else but in the colour bar, which is left out by looking at the
// left part only.
func TestFigureOrientation(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	f := figure(3)
	scale := Scale{
		Low: 0, High: 1, Map: &Gray, Under: color.RGBA{255, 0, 0, 255}, Over: color.RGBA{0, 0, 255, 255},
		NaN: color.RGBA{0, 255, 0, 255},
	}
	f.Matrix.Colours, f.Matrix.Values = scale, []float64{-1, 0.5, 2, 0.5, 0.5, 0.5, math.NaN(), 0.5, 0.5}
	img := decode(t, drawn(t, "png", writes(f)))
	if got, want := img.Bounds().Dx(), 787; got != want {
		t.Errorf("%d pixels wide, want %d (10 cm at 200 dpi)", got, want)
	}
	bottomLeft, bottomRight, topLeft := extent(crop(img, 0.75), scale.Under), extent(crop(img, 0.75), scale.Over),
		extent(crop(img, 0.75), scale.NaN)
	for name, r := range map[string]image.Rectangle{
		"delta_00": bottomLeft, "delta_02": bottomRight,
		"delta_20": topLeft,
	} {
		if r.Empty() {
			t.Fatalf("%s is not there", name)
		}
		if side := r.Dx() - r.Dy(); side < -3 || side > 3 || r.Dx() < 100 {
			t.Errorf("%s is %d x %d pixels, want a square of a third of the matrix", name, r.Dx(), r.Dy())
		}
	}
	if !near(bottomLeft.Min.X, topLeft.Min.X) || !near(bottomLeft.Max.Y, bottomRight.Max.Y) ||
		topLeft.Min.Y >= bottomLeft.Min.Y || bottomRight.Min.X <= bottomLeft.Min.X {
		t.Errorf("delta_00 %v, delta_02 %v, delta_20 %v: delta_00 must be at the bottom-left, i upward, j to the right",
			bottomLeft, bottomRight, topLeft)
	}
}

func near(a, b int) bool { return a-b < 4 && b-a < 4 }

func crop(img image.Image, share float64) image.Image {
	b := img.Bounds()
	b.Max.X = b.Min.X + int(float64(b.Dx())*share)
	return img.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(b)
}

// TestNoSeams: inside a matrix of one value, every pixel has its colour; abutting rectangles would
// let white through.
func TestNoSeams(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	f := figure(31)
	f.Matrix.Values = make([]float64, 31*31)
	img := decode(t, drawn(t, "png", writes(f)))
	r := extent(crop(img, 0.7), Viridis[0]).Inset(2)
	if r.Dx() < 300 {
		t.Fatalf("the matrix is %v", r)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if c := color.RGBAModel.Convert(img.At(x, y)); c != Viridis[0] {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, c, Viridis[0])
			}
		}
	}
}

// TestBytesAreDeterministic has what TestKindsAreTheseFiles has not.
func TestBytesAreDeterministic(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	small, large, absent := figure(31), figure(80), missing("none", "no second convolution")
	for _, format := range Formats() {
		for name, write := range map[string]func(*bytes.Buffer, string) error{
			"large": writes(large),
			"sheet": func(b *bytes.Buffer, format string) error {
				return WriteGrid(b, [][]result.Figure{{small, absent}}, "both", format)
			},
		} {
			first := drawn(t, format, write)
			if !bytes.Equal(first, drawn(t, format, write)) {
				t.Errorf("%s as %s has other bytes the second time", name, format)
			}
			head := map[string]string{"png": "\x89PNG", "svg": "<?xml", "pdf": "%PDF"}[format]
			if !bytes.HasPrefix(first, []byte(head)) {
				t.Errorf("%s as %s begins with %q", name, format, first[:8])
			}
		}
	}
}

func TestPDFDatesAreFixed(t *testing.T) {
	pdf := []byte("<< /CreationDate (D:20251120141800) /ModDate (D:19990101000000Z) >>")
	want := "<< /CreationDate (D:20000101000000) /ModDate (D:20000101000000Z) >>"
	if got := string(undated(pdf)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f := figure(3)
	if data := drawn(t, "pdf", writes(f)); bytes.Contains(data, []byte("(D:202")) {
		t.Error("the file holds a date of today")
	}
}

func TestSVGTexts(t *testing.T) {
	f := figure(31)
	f.Title = "δ of model − 307 …"
	svg := string(drawn(t, "svg", writes(f)))
	for _, text := range []string{
		"delta of model - 307 ...", "V_j: rotation (°)", "V_i: rotation (°)", ">-15<", ">15<",
		">0<", "max@CONF", "all images", ">0.0<", ">1.0<", "sans-serif",
	} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
	absent := missing("max@CONV-2", "no second convolution")
	if svg := string(drawn(t, "svg", writes(absent))); !strings.Contains(svg, "no second convolution") {
		t.Error("an absent figure lacks its reason")
	}
}

// TestSVGIsSelfDescribed: fonts have fallbacks where Liberation is not installed, and images carry
// their true type.
func TestSVGIsSelfDescribed(t *testing.T) {
	f := figure(31)
	svg := drawn(t, "svg", writes(f))
	if n, all := bytes.Count(svg, []byte("sans-serif")), bytes.Count(svg, []byte("font-family")); n != all || n == 0 {
		t.Errorf("%d of %d texts have a fallback font", n, all)
	}
	if bytes.Contains(svg, []byte("image/jpg")) || !bytes.Contains(svg, []byte("data:image/png;base64,")) {
		t.Error("the colour bar is not named as the PNG that it is")
	}
}

func TestTextsStayInside(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	f := figure(3)
	f.Title, f.Note = strings.Repeat("a very long title ", 20), strings.Repeat("note ", 200)
	img := decode(t, drawn(t, "png", writes(f)))
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for _, x := range []int{b.Min.X, b.Min.X + 4, b.Max.X - 5, b.Max.X - 1} {
			if c := color.RGBAModel.Convert(img.At(x, y)); c != white {
				t.Fatalf("pixel %d,%d at the edge is %v: something is clipped", x, y, c)
			}
		}
	}
}

func TestSheetSize(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	f := figure(31)
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error {
		return WriteGrid(b, [][]result.Figure{{f, f, f}}, "three", format)
	}))
	if got := img.Bounds().Dx(); got < 2355 || got > 2365 {
		t.Errorf("%d pixels wide, want three times 10 cm at 200 dpi", got)
	}
	squares := make([]image.Rectangle, 2)
	for k := range squares { // the lowest entry of the map lies on the diagonal, from corner to corner
		part := img.(*image.RGBA).SubImage(image.Rect(k*787, 0, k*787+590, img.Bounds().Dy()))
		squares[k] = extent(part, Viridis[0])
	}
	if !near(squares[0].Min.Y, squares[1].Min.Y) || !near(squares[0].Min.X+787, squares[1].Min.X) ||
		squares[0].Empty() {
		t.Errorf("the matrices do not line up: %v and %v", squares[0], squares[1])
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestRefusals(t *testing.T) {
	short, ragged, endless := figure(3), figure(3), slope(4)
	short.X.Values = short.X.Values[:2]
	ragged.Matrix.Values = ragged.Matrix.Values[:5]
	endless.X.High = math.Inf(1)
	var b bytes.Buffer
	rows := func(list ...result.Figure) [][]result.Figure { return [][]result.Figure{list} }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"format":     {writes(figure(3))(&b, "gif"), `"gif" is none of png, svg, pdf`},
		"axis":       {writes(short)(&b, "png"), "2 places along V_j: rotation for a 3 x 3 matrix"},
		"data":       {writes(ragged)(&b, "png"), "5 values for a 3 x 3 matrix"},
		"ends":       {writes(endless)(&b, "png"), "runs from 0 to +Inf"},
		"grid":       {WriteGrid(&b, rows(figure(3), short), "s", "png"), `figure "s": figure "model 307": 2 places`},
		"empty grid": {WriteGrid(&b, rows(), "s", "png"), "no figures"},
		"writer":     {Draw(broken{}, figure(3), Part{}, "png"), "no room"},
		"nothing":    {writes(missing("none", ""))(&b, "png"), "nothing to draw"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
	if b.Len() != 0 {
		t.Error("something was written in spite of an error")
	}
}

// TestNamesHeadAGrid: the names and one colour bar per row stand beside cells alone.
func TestNamesHeadAGrid(t *testing.T) {
	f := result.Figure{
		Title: "models", Note: "all images", X: result.Axis{Names: []string{"m1", "m2"}},
		Y:    result.Axis{Names: []string{"max", "mean"}},
		Grid: [][]result.Figure{{figure(3), figure(3)}, {missing("m1", "no layer"), figure(80)}},
	}
	svg := string(drawn(t, "svg", writes(f)))
	for text, n := range map[string]int{
		"models": 1, "all images": 1, "m1": 1, "m2": 1, "max": 1, "mean": 1,
		"no layer": 1, "V_j: rotation (°)": 0,
	} {
		if got := strings.Count(svg, ">"+text+"<"); got != n {
			t.Errorf("%q stands %d times, want %d", text, got, n)
		}
	}
	if n := strings.Count(svg, "<image"); n != 3+2 {
		t.Errorf("%d images of cells and colour bars", n)
	}
	if d, err := OnPage(f); err != nil || d.height >= 200 {
		t.Errorf("on a page it is %v high, %v", d.height, err)
	}
	for want, wrong := range map[string]func(*result.Figure){
		"1 names for 2 rows": func(f *result.Figure) { f.Y.Names = f.Y.Names[:1] },
		"1 names for 2 col":  func(f *result.Figure) { f.X.Names = f.X.Names[:1] },
		"no square matrix":   func(f *result.Figure) { f.Grid = [][]result.Figure{{forecast()}, nil} },
	} {
		other := f
		if wrong(&other); other.Check() == nil || !strings.Contains(other.Check().Error(), want) {
			t.Errorf("%v, want %s", other.Check(), want)
		}
	}
}

func TestScaleWithoutWidth(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	for _, n := range []int{3, 80} {
		f := figure(n)
		f.Matrix.Colours = Scale{}
		drawn(t, "png", writes(f))
	}
}

func BenchmarkFigurePNG(b *testing.B) {
	f := figure(31)
	for b.Loop() {
		var buffer bytes.Buffer
		testdata.OK(b, writes(f)(&buffer, "png"))
	}
}

func TestGridPlacesRows(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	a, b := figure(5), figure(5)
	a.Title, b.Title = "first", "second"
	grid := func(rows ...[]result.Figure) image.Image {
		return decode(t, drawn(t, "png", func(out *bytes.Buffer, format string) error {
			return WriteGrid(out, rows, "models", format)
		}))
	}
	one, two := grid([]result.Figure{a, b}).Bounds(), grid([]result.Figure{a, b}, []result.Figure{b}).Bounds()
	if two.Dx() != one.Dx() || two.Dy()-one.Dy() < 600 {
		t.Errorf("one row %v, two rows %v", one, two)
	}
	other := a
	other.Note = "another note"
	svg := string(drawn(t, "svg", func(out *bytes.Buffer, format string) error {
		return WriteGrid(out, [][]result.Figure{{a}, {b, other}}, "models", format)
	}))
	if strings.Count(svg, ">first<") != 2 || strings.Count(svg, ">second<") != 1 ||
		!strings.Contains(svg, ">models<") || strings.Count(svg, ">all images<") != 2 {
		t.Error("figures or notes are missing")
	}
	svg = string(drawn(t, "svg", func(out *bytes.Buffer, format string) error {
		return WriteGrid(out, [][]result.Figure{{a, b}}, "models", format)
	}))
	if strings.Count(svg, ">all images<") != 1 {
		t.Error("a note that all have stands once")
	}
}
