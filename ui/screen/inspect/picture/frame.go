package picture

import (
	"image"
	"image/color"
	"math"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Frame shows one picture as large as its place allows, small ones with crisp pixels, and a plain ground while the
// picture is being made.
type Frame struct {
	widget.BaseWidget
	image  *canvas.Image
	ground *canvas.Rectangle
	side   float32
}

// NewFrame makes an empty frame that wants at least a square of that side.
func NewFrame(side float32) *Frame {
	f := &Frame{
		image:  &canvas.Image{FillMode: canvas.ImageFillContain, ScaleMode: canvas.ImageScalePixels},
		ground: canvas.NewRectangle(color.Transparent), side: side,
	}
	f.image.Hide()
	f.ExtendBaseWidget(f)
	return f
}

// SetPicture shows a picture, nil for none yet. Giving the same picture again costs nothing.
func (f *Frame) SetPicture(p image.Image) {
	if f.image.Image == p {
		return
	}
	f.image.Image = p
	f.image.Hidden = p == nil
	f.scale()
	f.image.Refresh()
	f.Refresh()
}

// Picture is what is shown, nil for none.
func (f *Frame) Picture() image.Image { return f.image.Image }

// scale keeps the pixels of an enlarged picture crisp, and smooths one that is made smaller.
func (f *Frame) scale() {
	f.image.ScaleMode = canvas.ImageScalePixels
	if p := f.image.Image; p != nil && float32(p.Bounds().Dx()) > f.Size().Width && f.Size().Width > 0 {
		f.image.ScaleMode = canvas.ImageScaleSmooth
	}
}

// MinSize implements fyne.CanvasObject.
func (f *Frame) MinSize() fyne.Size {
	f.ExtendBaseWidget(f)
	return fyne.NewSquareSize(f.side)
}

// CreateRenderer implements fyne.Widget.
func (f *Frame) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	r := &frameRenderer{f}
	r.Layout(f.Size())
	return r
}

type frameRenderer struct{ f *Frame }

// Destroy implements fyne.WidgetRenderer.
func (r *frameRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *frameRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.ground, r.f.image}
}

// MinSize implements fyne.WidgetRenderer.
func (r *frameRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(r.f.side) }

// Layout implements fyne.WidgetRenderer: a square in the middle.
func (r *frameRenderer) Layout(size fyne.Size) {
	side := min(size.Width, size.Height)
	for _, o := range []fyne.CanvasObject{r.f.ground, r.f.image} {
		o.Resize(fyne.NewSquareSize(side))
		o.Move(fyne.NewPos((size.Width-side)/2, (size.Height-side)/2))
	}
	r.f.scale()
	r.Refresh()
}

// Refresh implements fyne.WidgetRenderer.
func (r *frameRenderer) Refresh() {
	r.f.ground.FillColor = theme.ColorForWidget(theme.ColorNameDisabledButton, r.f)
	r.f.ground.Hidden = r.f.image.Image != nil
	r.f.ground.Refresh()
}

// Line is the height of a line of small text in the font size in force.
func Line() float32 { return float32(math.Ceil(float64(digits(1).Height))) }

// Word is the width of so many digits of small text.
func Word(n int) float32 { return digits(n).Width }

func digits(n int) fyne.Size {
	return fyne.MeasureText(strings.Repeat("0", n), theme.CaptionTextSize(), fyne.TextStyle{})
}

// Cut shortens a line of text to a width with an ellipsis; "" when not even one letter fits.
func Cut(line string, size, width float32, style fyne.TextStyle) string {
	wide := func(text string) bool { return fyne.MeasureText(text, size, style).Width > width }
	if !wide(line) {
		return line
	}
	letters := []rune(line)
	n := sort.Search(len(letters), func(n int) bool { return wide(string(letters[:n+1]) + "…") })
	if n == 0 {
		return ""
	}
	return string(letters[:n]) + "…"
}

// Colour is the theme's colour of a prediction.
func (v Verdict) Colour() fyne.ThemeColorName {
	switch v {
	case Right:
		return theme.ColorNameSuccess
	case Wrong:
		return theme.ColorNameError
	}
	return theme.ColorNameForeground
}
