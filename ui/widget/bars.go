package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

var (
	_ desktop.Hoverable      = (*Bars)(nil)
	_ fyne.Tappable          = (*Bars)(nil)
	_ fyne.SecondaryTappable = (*Bars)(nil)
)

// BarsData is what Bars shows. Hints has a line per bar for OnHover.
type BarsData struct {
	render.Bars
	Hints []string
	Empty string // the text shown when there are no bars
}

// Bars draws horizontal bars with names at the left and values behind them: the importance of features, or a waterfall.
// It is as high as its bars need; put it into a scroll where there are many.
type Bars struct {
	widget.BaseWidget
	// OnHover gets the hint of the bar under the pointer, "" when it has left. OnTapped gets the number of a clicked bar.
	OnHover  func(text string)
	OnTapped func(bar int)
	// Menu are the entries of the menu that a click with the other button opens; nil for none.
	Menu func() []*fyne.MenuItem

	data BarsData
	bar  int // under the pointer, -1 for none
	line float32
}

// NewBars makes an empty widget.
func NewBars() *Bars {
	b := &Bars{bar: -1}
	b.ExtendBaseWidget(b)
	return b
}

// SetData shows other bars. The slices must not be changed afterwards.
func (b *Bars) SetData(d BarsData) {
	b.point(-1) // what was read out is of the data before
	b.data = d
	b.Refresh()
}

// Data is what is shown.
func (b *Bars) Data() BarsData { return b.data }

// at is the bar at a height, -1 for none.
func (b *Bars) at(y float32) int {
	if b.line <= 0 || y < 0 || int(y/b.line) >= len(b.data.Bars.Bars) {
		return -1
	}
	return int(y / b.line)
}

// Tapped implements fyne.Tappable.
func (b *Bars) Tapped(ev *fyne.PointEvent) {
	if bar := b.at(ev.Position.Y); bar >= 0 && b.OnTapped != nil {
		b.OnTapped(bar)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (b *Bars) TappedSecondary(ev *fyne.PointEvent) { popUp(b, ev.Position, b.Menu) }

// MouseIn implements desktop.Hoverable.
func (b *Bars) MouseIn(ev *desktop.MouseEvent) { b.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (b *Bars) MouseMoved(ev *desktop.MouseEvent) { b.point(b.at(ev.Position.Y)) }

// MouseOut implements desktop.Hoverable.
func (b *Bars) MouseOut() { b.point(-1) }

func (b *Bars) point(bar int) {
	if bar == b.bar {
		return
	}
	b.bar = bar
	if b.OnHover != nil {
		text := ""
		if bar >= 0 && bar < len(b.data.Hints) {
			text = b.data.Hints[bar]
		}
		b.OnHover(text)
	}
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *Bars) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	r := &barsRenderer{b: b}
	r.drawn = drawn{of: b, draw: r.build}
	r.build(b.Size())
	return r
}

type barsRenderer struct {
	drawn
	b *Bars
}

// MinSize implements fyne.WidgetRenderer.
func (r *barsRenderer) MinSize() fyne.Size {
	st := styleOf(r.b)
	return fyne.NewSize(220, float32(max(len(r.b.data.Bars.Bars), 2))*barLine(st)+axisHeight(st))
}

// barLine is the height of a bar with the room around it.
func barLine(st style) float32 { return whole(measure("X", st.caption, false).Height + 5) }

// axisHeight is the height of the ticks and the name of a horizontal axis.
func axisHeight(st style) float32 { return 2*measure("0", st.caption, false).Height + tickLength + 4 }

func (r *barsRenderer) build(size fyne.Size) {
	st := styleOf(r.b)
	r.objects = r.objects[:0]
	d := r.b.data
	r.b.line = 0
	if len(d.Bars.Bars) == 0 {
		text := newText(shorten(d.Empty, st.text, size.Width, false), st.faint, st.text)
		box := text.MinSize()
		placeText(text, (size.Width-box.Width)/2, max(min(size.Height, 60)-box.Height, 0)/2)
		r.objects = append(r.objects, text)
		return
	}
	r.b.line = barLine(st)
	names, texts := float32(0), float32(0)
	for _, bar := range d.Bars.Bars {
		names = max(names, measure(bar.Name, st.caption, false).Width)
		texts = max(texts, measure(bar.Text, st.caption, false).Width)
	}
	names, texts = min(names, 0.45*size.Width), min(texts, 0.3*size.Width)
	low, high := d.Range()
	f := frame{
		left: whole(names + 12), width: whole(size.Width - names - texts - 22), height: r.b.line * float32(len(d.Bars.Bars)),
		x0: low, x1: high, y1: 1,
	}
	if f.width < 20 {
		return
	}
	r.objects = append(r.objects, bottomAxis(f, size, d.XName, st)...)
	for k := range d.Bars.Bars {
		r.row(f, k, names, st)
	}
}

// bottomAxis draws the ticks below a frame, faint lines up from them, and the axis' name.
func bottomAxis(f frame, size fyne.Size, name string, st style) []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	bottom := f.top + f.height
	widest := measure("-0.00", st.caption, false).Width + 12
	ticks := render.Ticks(f.x0, f.x1, max(2, int(f.width/widest)))
	for k, text := range render.TickTexts(ticks) {
		x := f.x(ticks[k])
		line := newLine(st.line, x, f.top, x, bottom+tickLength)
		if ticks[k] == 0 {
			line.StrokeColor = st.faint
		}
		label := newText(text, st.foreground, st.caption)
		width := label.MinSize().Width
		placeText(label, min(max(x-width/2, 0), size.Width-width), bottom+tickLength)
		objects = append(objects, line, label)
	}
	title := newText(shorten(name, st.caption, size.Width, false), st.faint, st.caption)
	box := title.MinSize()
	placeText(title, min(max(f.left+(f.width-box.Width)/2, 0), max(size.Width-box.Width, 0)), bottom+tickLength+box.Height)
	return append(objects, title)
}

// toneName is the theme's colour of a tone: what raises the output towards variant is warm, what lowers it cool.
func toneName(t render.Tone) fyne.ThemeColorName {
	switch t {
	case render.Raises:
		return theme.ColorNameWarning
	case render.Stands:
		return theme.ColorNamePlaceHolder
	}
	return theme.ColorNamePrimary
}

func (r *barsRenderer) row(f frame, k int, names float32, st style) {
	bar := r.b.data.Bars.Bars[k]
	top := r.b.line * float32(k)
	colour := st.foreground
	if k == r.b.bar {
		ground := canvas.NewRectangle(st.hover)
		ground.Resize(fyne.NewSize(r.b.Size().Width, r.b.line))
		ground.Move(fyne.NewPos(0, top))
		r.objects = append(r.objects, ground)
	}
	name := newText(shorten(bar.Name, st.caption, names, false), colour, st.caption)
	box := name.MinSize()
	placeText(name, 4+names-box.Width, top+(r.b.line-box.Height)/2)
	x0, x1 := f.x(bar.From), f.x(bar.To)
	fill := canvas.NewRectangle(theme.ColorForWidget(toneName(bar.Tone), r.b))
	fill.CornerRadius = 1
	fill.Resize(fyne.NewSize(max(x0, x1)-min(x0, x1)+1, r.b.line-6))
	fill.Move(fyne.NewPos(min(x0, x1), top+3))
	r.objects = append(r.objects, name, fill)
	middle, end := top+r.b.line/2, max(x0, x1)
	if bar.Spread > 0 {
		low, high := f.x(bar.To-bar.Spread), f.x(bar.To+bar.Spread)
		r.objects = append(r.objects, newLine(st.foreground, low, middle, high, middle))
		end = max(end, high)
	}
	if r.b.data.Steps && k+1 < len(r.b.data.Bars.Bars) {
		r.objects = append(r.objects, newLine(st.faint, x1, top+r.b.line-3, x1, top+r.b.line+3))
	}
	text := newText(bar.Text, st.foreground, st.caption)
	placeText(text, end+5, top+(r.b.line-box.Height)/2)
	r.objects = append(r.objects, text)
}
