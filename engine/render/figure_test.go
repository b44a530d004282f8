package render

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/variance"
)

func figure(n int) Figure {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i - n/2)
	}
	return Figure{
		Title: "model 307", Axis: Axis{Name: "rotation", Unit: "°", Values: values}, Scale: Scale{High: 1},
		Matrix:  matrix(n, func(i, j int) float64 { return math.Abs(float64(i-j)) / float64(n) }),
		Caption: "max@CONF", Note: "all images",
	}
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
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
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

// TestFigureOrientation finds each element of a 3 x 3 matrix by its colour: marker colours and the ends of the map occur
// nowhere else but in the colour bar, which is left out by looking at the left part only.
func TestFigureOrientation(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	f := figure(3)
	f.Scale = Scale{Low: 0, High: 1, Map: &Gray, Under: color.RGBA{255, 0, 0, 255}, Over: color.RGBA{0, 0, 255, 255}, NaN: color.RGBA{0, 255, 0, 255}}
	f.Matrix = variance.Matrix{N: 3, Data: []float64{
		-1, 0.5, 2,
		0.5, 0.5, 0.5,
		math.NaN(), 0.5, 0.5,
	}}
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }))
	if got, want := img.Bounds().Dx(), 787; got != want {
		t.Errorf("%d pixels wide, want %d (10 cm at 200 dpi)", got, want)
	}
	bottomLeft, bottomRight, topLeft := extent(crop(img, 0.75), f.Scale.Under), extent(crop(img, 0.75), f.Scale.Over), extent(crop(img, 0.75), f.Scale.NaN)
	for name, r := range map[string]image.Rectangle{"delta_00": bottomLeft, "delta_02": bottomRight, "delta_20": topLeft} {
		if r.Empty() {
			t.Fatalf("%s is not there", name)
		}
		if side := r.Dx() - r.Dy(); side < -3 || side > 3 || r.Dx() < 100 {
			t.Errorf("%s is %d x %d pixels, want a square of a third of the matrix", name, r.Dx(), r.Dy())
		}
	}
	if !near(bottomLeft.Min.X, topLeft.Min.X) || !near(bottomLeft.Max.Y, bottomRight.Max.Y) || topLeft.Min.Y >= bottomLeft.Min.Y || bottomRight.Min.X <= bottomLeft.Min.X {
		t.Errorf("delta_00 %v, delta_02 %v, delta_20 %v: delta_00 must be at the bottom-left, i upward, j to the right", bottomLeft, bottomRight, topLeft)
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

// TestNoSeams: inside a matrix of one value, every pixel has its colour; abutting rectangles would let white through.
func TestNoSeams(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	f := figure(31)
	f.Matrix = matrix(31, func(_, _ int) float64 { return 0 })
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }))
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

func TestBytesAreDeterministic(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	small, large := figure(31), figure(80)
	absent := Figure{Title: "none", Absent: "no second convolution", Axis: small.Axis}
	for _, format := range Formats() {
		for name, write := range map[string]func(*bytes.Buffer, string) error{
			"small":  func(b *bytes.Buffer, format string) error { return small.Write(b, format) },
			"large":  func(b *bytes.Buffer, format string) error { return large.Write(b, format) },
			"absent": func(b *bytes.Buffer, format string) error { return absent.Write(b, format) },
			"sheet": func(b *bytes.Buffer, format string) error {
				return Sheet(b, format, []Figure{small, absent}, "both")
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
	if data := drawn(t, "pdf", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }); bytes.Contains(data, []byte("(D:202")) {
		t.Error("the file holds a date of today")
	}
}

func TestSVGTexts(t *testing.T) {
	f := figure(31)
	f.Title = "δ of model − 307 …"
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }))
	for _, text := range []string{"delta of model - 307 ...", "V_j: rotation (°)", "V_i: rotation (°)", ">-15<", ">15<", ">0<", "max@CONF", "all images", ">0.0<", ">1.0<", "sans-serif"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
	absent := Figure{Title: "max@CONV-2", Absent: "no second convolution"}
	if svg := string(drawn(t, "svg", func(b *bytes.Buffer, format string) error { return absent.Write(b, format) })); !strings.Contains(svg, "no second convolution") {
		t.Error("an absent figure lacks its reason")
	}
}

// TestSVGIsSelfDescribed: fonts have fallbacks where Liberation is not installed, and images carry their true type.
func TestSVGIsSelfDescribed(t *testing.T) {
	f := figure(31)
	svg := drawn(t, "svg", func(b *bytes.Buffer, format string) error { return f.Write(b, format) })
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
	img := decode(t, drawn(t, "png", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }))
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
		return Sheet(b, format, []Figure{f, f, f}, "three")
	}))
	if got := img.Bounds().Dx(); got < 2355 || got > 2365 {
		t.Errorf("%d pixels wide, want three times 10 cm at 200 dpi", got)
	}
	squares := make([]image.Rectangle, 2)
	for k := range squares { // the lowest entry of the map lies on the diagonal, from corner to corner
		part := img.(*image.RGBA).SubImage(image.Rect(k*787, 0, k*787+590, img.Bounds().Dy()))
		squares[k] = extent(part, Viridis[0])
	}
	if !near(squares[0].Min.Y, squares[1].Min.Y) || !near(squares[0].Min.X+787, squares[1].Min.X) || squares[0].Empty() {
		t.Errorf("the matrices do not line up: %v and %v", squares[0], squares[1])
	}
}

func TestCommonNote(t *testing.T) {
	f := figure(3)
	rest, note := commonNote([]Figure{f, f})
	if note != f.Note || rest[0].Note != "" || f.Note == "" {
		t.Errorf("got %q and %q", note, rest[0].Note)
	}
	g := f
	g.Note = "other"
	if rest, note := commonNote([]Figure{f, g}); note != "" || rest[1].Note != "other" {
		t.Errorf("different notes stay where they are, got %q", note)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestRefusals(t *testing.T) {
	f := figure(3)
	short, ragged := f, f
	short.Axis.Values = f.Axis.Values[:2]
	ragged.Matrix.Data = f.Matrix.Data[:5]
	var b bytes.Buffer
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"format":      {f.Write(&b, "gif"), `"gif" is none of png, svg, pdf`},
		"axis":        {short.Write(&b, "png"), "2 values of V for a 3 x 3 matrix"},
		"data":        {ragged.Write(&b, "png"), "5 values for a 3 x 3 matrix"},
		"sheet":       {Sheet(&b, "png", []Figure{f, short}, "s"), "2 values of V"},
		"empty sheet": {Sheet(&b, "png", nil, "s"), "no figures"},
		"writer":      {f.Write(broken{}, "png"), "no room"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, c.err, c.want)
		}
	}
	if b.Len() != 0 {
		t.Error("something was written in spite of an error")
	}
}

func TestScaleWithoutWidth(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	f := figure(3)
	f.Scale = Scale{}
	for _, n := range []int{3, 80} {
		g := figure(n)
		g.Scale = f.Scale
		drawn(t, "png", func(b *bytes.Buffer, format string) error { return g.Write(b, format) })
	}
}

func BenchmarkFigurePNG(b *testing.B) {
	f := figure(31)
	for b.Loop() {
		var buffer bytes.Buffer
		if err := f.Write(&buffer, "png"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestGridPlacesRows(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	a, b := figure(5), figure(5)
	a.Title, b.Title = "first", "second"
	grid := func(rows ...[]Figure) image.Image {
		return decode(t, drawn(t, "png", func(out *bytes.Buffer, format string) error { return Grid(out, format, rows, "models") }))
	}
	one, two := grid([]Figure{a, b}).Bounds(), grid([]Figure{a, b}, []Figure{b}).Bounds()
	if two.Dx() != one.Dx() || two.Dy()-one.Dy() < 600 {
		t.Errorf("one row %v, two rows %v", one, two)
	}
	svg := string(drawn(t, "svg", func(out *bytes.Buffer, format string) error {
		return Grid(out, format, [][]Figure{{a}, {b, a}}, "models")
	}))
	if strings.Count(svg, ">first<") != 2 || strings.Count(svg, ">second<") != 1 || !strings.Contains(svg, ">models<") {
		t.Error("figures are missing")
	}
	if err := Grid(io.Discard, "png", [][]Figure{{}}, ""); err == nil {
		t.Error("no figures")
	}
	a.Axis.Values = a.Axis.Values[:2]
	if err := Grid(io.Discard, "png", [][]Figure{{a}}, ""); err == nil {
		t.Error("a matrix that does not fit its axis")
	}
}
