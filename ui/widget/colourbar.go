package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

const (
	barWidth = 12

	tickLength = 4
)

// ColourBar shows a scale: the colours from low (bottom) to high (top) with ticks at the right.
type ColourBar struct {
	widget.BaseWidget
	scale render.Scale
	image *canvas.Image
}

// NewColourBar makes a bar for the range 0..1.
func NewColourBar() *ColourBar {
	b := &ColourBar{image: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScalePixels}}
	b.ExtendBaseWidget(b)
	b.SetScale(render.Scale{High: 1})
	return b
}

// SetScale shows another scale.
func (b *ColourBar) SetScale(s render.Scale) {
	if b.image.Image == nil || s != b.scale {
		b.scale = s
		b.image.Image = render.ColourBar(s, 256)
		b.image.Refresh()
	}
	b.Refresh()
}

// Scale is what is shown.
func (b *ColourBar) Scale() render.Scale { return b.scale }

// CreateRenderer implements fyne.Widget.
func (b *ColourBar) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	r := &barRenderer{b: b}
	r.drawn = drawn{of: b, draw: r.build}
	r.build(b.Size())
	return r
}

// overhang is the room above and below the colours, for half a tick text.
func (b *ColourBar) overhang() float32 { return measure("0", styleOf(b).caption, false).Height / 2 }

type barRenderer struct {
	drawn
	b *ColourBar
}

// MinSize implements fyne.WidgetRenderer: wide enough for the ticks at any height.
func (r *barRenderer) MinSize() fyne.Size {
	caption := styleOf(r.b).caption
	var widest float32
	for _, most := range []int{3, 6, 10} {
		for _, text := range render.TickTexts(render.Ticks(r.b.scale.Low, r.b.scale.High, most)) {
			widest = max(widest, measure(text, caption, false).Width)
		}
	}
	return fyne.NewSize(barWidth+tickLength+3+widest, 40)
}

func (r *barRenderer) build(size fyne.Size) {
	st := styleOf(r.b)
	pad := r.b.overhang()
	height := size.Height - 2*pad
	r.objects = r.objects[:0]
	if height < 4 {
		return
	}
	r.b.image.Resize(fyne.NewSize(barWidth, height))
	r.b.image.Move(fyne.NewPos(0, pad))
	r.objects = append(r.objects, r.b.image)
	line := measure("0", st.caption, false).Height
	ticks := render.Ticks(r.b.scale.Low, r.b.scale.High, min(10, max(2, int(height/(1.6*line))+1)))
	texts := render.TickTexts(ticks)
	for k, v := range ticks {
		y := pad + height*float32(1-(v-r.b.scale.Low)/(r.b.scale.High-r.b.scale.Low))
		text := newText(texts[k], st.foreground, st.caption)
		placeText(text, barWidth+tickLength+2, y-line/2)
		r.objects = append(r.objects, newLine(st.faint, barWidth, y, barWidth+tickLength, y), text)
	}
}
