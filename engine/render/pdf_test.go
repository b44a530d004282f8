package render

import (
	"bytes"
	"compress/zlib"
	"image"
	"image/color"
	"io"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// streams are the decompressed parts of a PDF file.
func streams(t *testing.T, file []byte) [][]byte {
	t.Helper()
	var list [][]byte
	for {
		_, rest, found := bytes.Cut(file, []byte("stream\n"))
		if !found {
			return list
		}
		body, after, _ := bytes.Cut(rest, []byte("\nendstream"))
		file = after
		z, err := zlib.NewReader(bytes.NewReader(body))
		if err != nil {
			continue // a part that is not compressed
		}
		text := testdata.Must(io.ReadAll(z))(t)
		list = append(list, text)
	}
}

// TestPDFTexts: the page shows the degree sign as the one byte that the font's code page has for
// it.
func TestPDFTexts(t *testing.T) {
	f := figure(31)
	f.Title = "rotation -15..15°, 0.7×, Überblick"
	page := bytes.Join(streams(t, drawn(t, "pdf", writes(f))), nil)
	for _, want := range []string{
		"rotation -15..15\xb0, 0.7\xd7, \xdcberblick", "V_j: rotation \\(\xb0\\)", "max@CONF",
		"all images", "(-15)",
	} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if bytes.Contains(page, []byte("°")) {
		t.Error("the page holds UTF-8, which its fonts do not know")
	}
}

// recorded keeps the images that are drawn on a canvas.
type recorded struct {
	vg.CanvasWriterTo
	images []image.Image
}

func (r *recorded) DrawImage(rect vg.Rectangle, img image.Image) {
	r.images = append(r.images, img)
	r.CanvasWriterTo.DrawImage(rect, img)
}

func TestPDFImagesAreTurned(t *testing.T) {
	r := &recorded{CanvasWriterTo: vgpdf.New(100, 100)}
	bar := ColourBar(Scale{High: 1, Map: &Gray}, 16)
	newPDF(r).DrawImage(vg.Rectangle{Max: vg.Point{X: 10, Y: 10}}, bar)
	if len(r.images) != 1 {
		t.Fatalf("%d images", len(r.images))
	}
	for y := range 16 {
		if got, want := color.RGBAModel.Convert(r.images[0].At(0, y)), bar.RGBAAt(0, 15-y); got != want {
			t.Errorf("row %d is %v, want %v", y, got, want)
		}
	}
}

func TestUpsideDownOfAPart(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 4, 4))
	img.SetRGBA(2, 1, color.RGBA{9, 8, 7, 255})
	got := upsideDown(img.SubImage(image.Rect(1, 1, 4, 4)))
	if got.Bounds() != image.Rect(0, 0, 3, 3) || got.At(1, 2) != (color.RGBA{9, 8, 7, 255}) {
		t.Errorf("bounds %v, pixel %v", got.Bounds(), got.At(1, 2))
	}
}

func TestOneByte(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "15°": "15\xb0", "0.9×": "0.9\xd7", "日": "?"} {
		if got := oneByte(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// painted keeps the colours that a canvas is asked for.
type painted struct {
	vg.CanvasWriterTo
	colours []color.Color
}

func (p *painted) SetColor(c color.Color) { p.colours = append(p.colours, c) }

// TestPDFColours: the PDF canvas gets a see-through colour as it is, and black for none.
func TestPDFColours(t *testing.T) {
	p := &painted{CanvasWriterTo: vgpdf.New(vg.Centimeter, vg.Centimeter)}
	for _, c := range []color.Color{
		color.NRGBA{200, 100, 50, 51},
		color.RGBA{40, 20, 10, 51},
		color.RGBA{9, 8, 7, 255},
		nil,
	} {
		newPDF(p).SetColor(c)
	}
	for k, want := range [][4]uint32{{200, 100, 50, 51}, {200, 100, 50, 51}, {9, 8, 7, 255}} {
		r, g, b, a := p.colours[k].RGBA()
		if got := [4]uint32{r >> 8, g >> 8, b >> 8, a >> 8}; got != want {
			t.Errorf("colour %d is painted as %v, want %v", k, got, want)
		}
	}
	if p.colours[3] != nil {
		t.Errorf("no colour is painted as %v", p.colours[3])
	}
}

// Images of one width get widths of their own, since the file would list them in any order; equal
// ones are kept once.
func TestPDFImagesHaveWidthsOfTheirOwn(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	r := &recorded{CanvasWriterTo: vgpdf.New(100, 100)}
	c := newPDF(r)
	for _, k := range []int{0, 1, 2, 1, 0} {
		img := image.NewRGBA(image.Rect(0, 0, 3, 2))
		for x := range 3 {
			img.SetRGBA(x, 0, color.RGBA{uint8(10*k + x), 0, 0, 255})
		}
		c.DrawImage(vg.Rectangle{Max: vg.Point{X: 10, Y: 10}}, img)
		wide := r.images[len(r.images)-1]
		if got := wide.Bounds().Dx(); got != 3*(k+1) {
			t.Fatalf("image %d is %d wide, want %d", k, got, 3*(k+1))
		}
		for x := range wide.Bounds().Dx() {
			if got := wide.At(x, 1).(color.RGBA).R; got != uint8(10*k+x/(k+1)) {
				t.Errorf("image %d has %d in column %d", k, got, x)
			}
		}
	}
	row := []result.Figure{shares(2, 8, 8), shares(3, 8, 8), shares(4, 8, 8)}
	row[1].Matrix.Colours = Scale{High: 1, Map: &Gray}
	write := func(b *bytes.Buffer, format string) error { return WriteGrid(b, [][]result.Figure{row}, "", format) }
	first := drawn(t, "pdf", write)
	for range 3 {
		if !bytes.Equal(first, drawn(t, "pdf", write)) {
			t.Fatal("equal figures give different files")
		}
	}
}
