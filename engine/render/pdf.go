package render

import (
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"regexp"
	"slices"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// The PDF writer lists a page's images in the order of a map unless it is told to sort them.
func init() { fpdf.SetDefaultCatalogSort(true) }

// pdfCanvas sets right what gonum/plot's PDF canvas (v0.17.0) gets wrong: it draws images upside
// down, it hands UTF-8 to fonts that are encoded in cp1252, so that "°" comes out as two letters,
// and it takes colours for see-through ones that are darkened already. It also tells images apart
// that the writer of the file would put in any order.
type pdfCanvas struct {
	vg.CanvasWriterTo
	drawn map[int][sha256.Size]byte // what was drawn, by the width of the image
}

func newPDF(c vg.CanvasWriterTo) pdfCanvas { return pdfCanvas{c, map[int][sha256.Size]byte{}} }

// DrawImage implements vg.Canvas. The file lists images by their width, and those of one width in
// the order of a map, so every other image gets a width of its own: each of its columns comes
// several times, which looks the same.
func (c pdfCanvas) DrawImage(rect vg.Rectangle, img image.Image) {
	turned := upsideDown(img)
	sum := sha256.Sum256(append(fmt.Append(nil, turned.Rect), turned.Pix...))
	for times := 1; ; times++ {
		width := times * turned.Rect.Dx()
		if before, used := c.drawn[width]; used && before != sum {
			continue
		}
		c.drawn[width] = sum
		c.CanvasWriterTo.DrawImage(rect, widened(turned, times))
		return
	}
}

// widened is an image with every column so many times.
func widened(img *image.RGBA, times int) *image.RGBA {
	if times == 1 {
		return img
	}
	wide := image.NewRGBA(image.Rect(0, 0, img.Rect.Dx()*times, img.Rect.Dy()))
	for y := range wide.Rect.Dy() {
		for x := range wide.Rect.Dx() {
			wide.SetRGBA(x, y, img.RGBAAt(x/times, y))
		}
	}
	return wide
}

// FillString implements vg.Canvas. The text has gone through printable, so that each character is
// one byte in cp1252.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	c.CanvasWriterTo.FillString(f, at, oneByte(text))
}

// SetColor implements vg.Canvas.
func (c pdfCanvas) SetColor(fill color.Color) {
	if fill != nil {
		fill = undarkened(color.NRGBAModel.Convert(fill).(color.NRGBA))
	}
	c.CanvasWriterTo.SetColor(fill)
}

// undarkened is a colour whose parts are not multiplied by its opacity, against the rule of
// color.Color.
type undarkened color.NRGBA

// RGBA implements color.Color for pdfCanvas alone.
func (u undarkened) RGBA() (r, g, b, a uint32) {
	return uint32(u.R) * 0x101, uint32(u.G) * 0x101, uint32(u.B) * 0x101, uint32(u.A) * 0x101
}

func upsideDown(img image.Image) *image.RGBA {
	b := img.Bounds()
	turned := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			turned.Set(x, b.Dy()-1-y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return turned
}

// oneByte encodes characters up to U+00FF as one byte each; cp1252 agrees with them from U+00A0 on.
func oneByte(text string) string {
	var coded []byte
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		coded = append(coded, byte(r))
	}
	return string(coded)
}

var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:[0-9]{14}`)

// undated sets the dates that the PDF writer takes from the clock to a fixed one of the same
// length, so that offsets in the file stay right and equal figures give equal bytes.
func undated(file []byte) []byte {
	return pdfDate.ReplaceAllFunc(file, func(found []byte) []byte {
		fixed := slices.Clone(found)
		copy(fixed[len(fixed)-14:], "20000101000000")
		return fixed
	})
}
