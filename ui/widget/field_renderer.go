package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
)

// fieldBarWidth is the width from which on a field has its colour bar.
const fieldBarWidth = 150

// fieldRenderer places one image and draws everything around it by hand.
type fieldRenderer struct {
	drawn
	f     *Field
	image *canvas.Image
}

func newFieldRenderer(f *Field) *fieldRenderer {
	r := &fieldRenderer{f: f, image: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScalePixels}}
	r.drawn = drawn{of: f, draw: r.build}
	r.build(f.Size())
	return r
}

// MinSize implements fyne.WidgetRenderer.
func (r *fieldRenderer) MinSize() fyne.Size {
	return fyne.NewSize(80, 80+headHeight(styleOf(r.f)))
}

// headHeight is the room of title and mark; it is kept free without them, so that fields side by
// side are in line.
func headHeight(st style) float32 { return whole(measure("X", st.text, true).Height + 3) }

// fieldPlace is a laid-out field: the square, and the room to its left, above it (head and name of
// the axis), to its right and below it.
type fieldPlace struct {
	square
	left, top, right, bottom float32
	ticks                    []float64
	texts                    []string
	named, barred            bool
}

// build makes the objects anew for a size. The image object stays, so that its texture is kept
// while only the cursor moves.
func (r *fieldRenderer) build(size fyne.Size) {
	st := styleOf(r.f)
	p := r.place(size, st)
	r.f.area = p.square
	r.objects = r.objects[:0]
	if p.side < 1 {
		r.f.area = square{}
		return
	}
	r.head(p, size, st)
	frame := box{p.x, p.y, p.side, p.side}
	if r.f.picture.Matrix.R == 0 {
		r.objects = append(r.objects, hatching(frame, max(8, p.side/20), faded(st.faint, 0.45))...)
		r.outline(frame, 0, 1, st.line)
		r.objects = append(r.objects, reasonOver(frame, r.f.reason, size.Width, st)...)
		return
	}
	r.picture(p)
	r.outline(frame, 0, 1, st.line)
	r.axes(p, st)
	r.cursor(p)
	if r.f.focused {
		r.outline(frame, 2, 2, st.primary)
	}
	if p.barred {
		over := r.f.bar.overhang()
		r.f.bar.Resize(fyne.NewSize(r.f.bar.MinSize().Width, p.side+2*over))
		r.f.bar.Move(fyne.NewPos(p.x+p.side+10, p.y-over))
		r.objects = append(r.objects, r.f.bar)
	}
}

// place finds the largest square of whole pixels that fits into a size together with its ticks, in
// the middle of its width.
func (r *fieldRenderer) place(size fyne.Size, st style) fieldPlace {
	p := fieldPlace{top: headHeight(st), right: 1, left: 1, bottom: 1}
	line := measure("X", st.caption, false).Height
	if r.f.picture.Matrix.R > 0 && min(size.Width, size.Height-p.top) >= smallestSide+2*st.caption {
		r.room(&p, size, line, st)
	}
	p.left, p.top = whole(p.left+0.99), whole(p.top+0.99) // the image lies on whole pixels, else its elements get uneven
	p.side = whole(min(size.Width-p.left-p.right, size.Height-p.top-p.bottom))
	p.x, p.y = p.left+max(0, whole((size.Width-p.left-p.right-p.side)/2)), p.top
	r.ticks(&p, line, st)
	return p
}

// room makes room for the axes and the colour bar.
func (r *fieldRenderer) room(p *fieldPlace, size fyne.Size, line float32, st style) {
	var widest float32
	for most := 2; most <= mostTicks; most++ {
		for _, text := range render.TickTexts(render.Ticks(0, r.f.picture.D, most)) {
			widest = max(widest, measure(text, st.caption, false).Width)
		}
	}
	p.left, p.right, p.bottom = widest+tickLength+3, max(8, widest/2+1), line+tickLength
	p.top += line / 2
	if p.barred = !r.f.barless && size.Width >= fieldBarWidth; p.barred {
		p.right = 10 + r.f.bar.MinSize().Width
	}
	if p.named = size.Height-p.top-p.bottom-2*line >= 120 && size.Width-p.left-p.right >= 120; !p.named {
		return
	}
	if r.f.xName != "" {
		p.bottom += line
	}
	if r.f.yName != "" {
		p.top += line
	}
}

// ticks are as many as fit on a side.
func (r *fieldRenderer) ticks(p *fieldPlace, line float32, st style) {
	if p.left <= 1 || p.side < 1 {
		return
	}
	for most := mostTicks; most > 1; most-- {
		ticks := render.Ticks(0, r.f.picture.D, most)
		texts := render.TickTexts(ticks)
		if len(ticks) < 2 {
			p.ticks, p.texts = ticks, texts
			return
		}
		var widest float32
		for _, text := range texts {
			widest = max(widest, measure(text, st.caption, false).Width)
		}
		if step := p.side * float32((ticks[1]-ticks[0])/r.f.picture.D); step >= widest+0.7*st.caption && step >= 1.3*line {
			p.ticks, p.texts = ticks, texts
			return
		}
	}
}

// head writes the title, the mark of a preview and the sign of the menu.
func (r *fieldRenderer) head(p fieldPlace, size fyne.Size, st style) {
	room := size.Width
	if r.f.Menu != nil {
		room -= menuSide
		r.objects = append(r.objects, menuSign(size))
	}
	if r.f.picture.Preview {
		if r.f.mark.Text() == "" {
			r.f.mark.SetText("preview")
		}
		need := r.f.mark.MinSize()
		r.f.mark.Resize(need)
		r.f.mark.Move(fyne.NewPos(whole(room-need.Width), 1))
		r.objects = append(r.objects, r.f.mark)
		room -= need.Width + 6
	}
	at := min(p.x, max(0, room-measure(r.f.title, st.text, true).Width))
	if text := shorten(r.f.title, st.text, room-at, true); text != "" {
		title := newText(text, st.foreground, st.text)
		title.TextStyle.Bold = true
		placeText(title, at, 0)
		r.objects = append(r.objects, title)
	}
}

func (r *fieldRenderer) picture(p fieldPlace) {
	if r.image.Image != r.f.picture.Image {
		r.image.Image = r.f.picture.Image
		r.image.Refresh()
	}
	r.image.Resize(fyne.NewSquareSize(p.side))
	r.image.Move(fyne.NewPos(p.x, p.y))
	r.objects = append(r.objects, r.image)
}

// axes draws tick marks, tick texts and the names.
func (r *fieldRenderer) axes(p fieldPlace, st style) {
	line, bottom := measure("X", st.caption, false).Height, p.y+p.side
	for k, v := range p.ticks {
		along := p.side * float32(v/r.f.picture.D)
		x, y := p.x+along, bottom-along
		across, up := newText(p.texts[k], st.foreground, st.caption), newText(p.texts[k], st.foreground, st.caption)
		width := across.MinSize().Width
		placeText(across, x-width/2, bottom+tickLength-1)
		placeText(up, p.x-tickLength-2-width, y-line/2)
		below, beside := newLine(st.faint, x, bottom, x, bottom+tickLength), newLine(st.faint, p.x-tickLength, y, p.x, y)
		r.objects = append(r.objects, below, beside, across, up)
	}
	if !p.named {
		return
	}
	if name := shorten(r.f.xName, st.caption, r.f.Size().Width, false); name != "" {
		text := newText(name, st.faint, st.caption)
		width := text.MinSize().Width
		placeText(text, min(max(0, p.x+(p.side-width)/2), r.f.Size().Width-width), bottom+tickLength+line-3)
		r.objects = append(r.objects, text)
	}
	if name := shorten(r.f.yName, st.caption, r.f.Size().Width, false); name != "" {
		text := newText(name, st.faint, st.caption)
		placeText(text, max(0, min(p.x-p.left, r.f.Size().Width-text.MinSize().Width)), p.y-1.5*line-1)
		r.objects = append(r.objects, text)
	}
}

// cursor draws a crosshair through the chosen element and a frame around it, in two tones that are
// seen on every colour.
func (r *fieldRenderer) cursor(p fieldPlace) {
	c, n := r.f.cursor, r.f.picture.Matrix.R
	if !c.Inside || c.A >= n || c.B >= n {
		return
	}
	pos, size := p.box(Mark{I: c.B, J: c.A}, n)
	element := box{pos.X, pos.Y, size.Width, size.Height}
	x, y := whole(element.x+element.width/2), whole(element.y+element.height/2)
	for k, tone := range []color.Color{color.NRGBA{A: 0x90}, color.NRGBA{0xff, 0xff, 0xff, 0x90}} {
		shift := float32(k)
		for _, l := range [][4]float32{
			{p.x, y + shift, element.x - 2, y + shift},
			{element.x + element.width + 2, y + shift, p.x + p.side, y + shift},
			{x + shift, p.y, x + shift, element.y - 2},
			{x + shift, element.y + element.height + 2, x + shift, p.y + p.side},
		} {
			if l[2] > l[0] || l[3] > l[1] {
				r.objects = append(r.objects, newLine(tone, l[0], l[1], l[2], l[3]))
			}
		}
	}
	r.outline(element, 2, 1, color.Black)
	r.outline(element, 1, 1, color.White)
}

// outline draws a frame around a box, so far outside of it.
func (r *fieldRenderer) outline(b box, beyond, width float32, c color.Color) {
	frame := canvas.NewRectangle(color.Transparent)
	frame.StrokeColor, frame.StrokeWidth = c, width
	frame.Move(fyne.NewPos(b.x-beyond, b.y-beyond))
	frame.Resize(fyne.NewSize(b.width+2*beyond, b.height+2*beyond))
	r.objects = append(r.objects, frame)
}
