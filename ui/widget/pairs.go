package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

var _ fyne.SecondaryTappable = (*Pairs)(nil)

// Pairs shows pairs of softmax vectors as butterflies of bars, as render.Pairs draws them on
// paper: two in a row, one where there is no room for two.
type Pairs struct {
	widget.BaseWidget
	// Menu are the entries of the menu that a click with the other button opens; nil for none.
	Menu func() []*fyne.MenuItem

	data render.Pairs
}

// NewPairs makes a widget of pairs. What Check refuses is not drawn.
func NewPairs(data render.Pairs) *Pairs {
	p := &Pairs{data: data}
	p.ExtendBaseWidget(p)
	return p
}

// Data is what is shown.
func (p *Pairs) Data() render.Pairs { return p.data }

// Tapped implements fyne.Tappable: it opens the menu at its sign.
func (p *Pairs) Tapped(ev *fyne.PointEvent) {
	if p.Menu != nil && onSign(ev.Position, p.Size()) {
		p.TappedSecondary(ev)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (p *Pairs) TappedSecondary(ev *fyne.PointEvent) { popUp(p, ev.Position, p.Menu) }

// Cursor implements desktop.Cursorable.
func (p *Pairs) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// CreateRenderer implements fyne.Widget.
func (p *Pairs) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	r := &pairsRenderer{p: p}
	r.drawn = drawn{of: p, draw: r.build}
	r.build(p.Size())
	return r
}

// pairLeast and pairMost are the least and the greatest width of one pair.
const pairLeast, pairMost = 250, 600

type pairsRenderer struct {
	drawn
	p *Pairs
}

// columnsOfPairs is how many pairs stand beside each other.
func columnsOfPairs(width float32) int {
	if width < 2*pairLeast+pairSpace {
		return 1
	}
	return 2
}

// pairSpace is the room between pairs.
const pairSpace = 32

// pairApart is the room between two bars.
const pairApart = 5

// MinSize implements fyne.WidgetRenderer: as high as the pairs are in two columns.
func (r *pairsRenderer) MinSize() fyne.Size {
	rows := (len(r.p.data.Pairs) + 1) / 2
	return fyne.NewSize(2*pairLeast+pairSpace, float32(rows)*(r.height(styleOf(r.p))+pairSpace))
}

// height is that of one pair.
func (r *pairsRenderer) height(st style) float32 {
	line := measure("X", st.text, false).Height
	return line + line*float32(1+len(r.p.data.Classes)+r.p.data.Lines()) + pairApart*float32(len(r.p.data.Classes)) + 12
}

func (r *pairsRenderer) build(size fyne.Size) {
	st := styleOf(r.p)
	r.objects = nil
	if r.p.data.Check() != nil || size.Width < pairLeast {
		return
	}
	columns := columnsOfPairs(size.Width)
	width := min((size.Width-float32(columns-1)*pairSpace)/float32(columns), pairMost)
	left := (size.Width - width*float32(columns) - float32(columns-1)*pairSpace) / 2
	for k := range r.p.data.Pairs {
		at := fyne.NewPos(left+float32(k%columns)*(width+pairSpace), float32(k/columns)*(r.height(st)+pairSpace))
		r.pair(k, at, width, st)
	}
	if r.p.Menu != nil {
		r.objects = append(r.objects, menuSign(size))
	}
}

// pair draws one pair with its corner at a place.
func (r *pairsRenderer) pair(k int, at fyne.Position, width float32, st style) {
	d := r.p.data
	p := d.Pairs[k]
	middle := at.X + width/2
	r.write(p.Title, middle, at.Y, 0.5, newText("", st.foreground, st.text), true)
	line := measure("X", st.text, false).Height
	y := at.Y + line + 2
	names := float32(0)
	for _, name := range d.Classes {
		names = max(names, measure(name, st.text, false).Width)
	}
	inner := names/2 + 8
	half := width/2 - inner - measure("0.00", st.caption, false).Width - 6
	r.write(d.Before, middle-inner, y, 1, newText("", st.faint, st.caption), false)
	r.write(d.After, middle+inner, y, 0, newText("", st.faint, st.caption), false)
	y += line
	for c, name := range d.Classes {
		r.write(name, middle, y, 0.5, newText("", st.foreground, st.text), false)
		r.bar(fyne.NewPos(middle-inner, y), -half, p.Before[c], c == render.Top(p.Before), st)
		r.bar(fyne.NewPos(middle+inner, y), half, p.After[c], c == render.Top(p.After), st)
		y += line + pairApart
	}
	for _, text := range p.Lines {
		r.write(shorten(text, st.text, width, false), middle, y+6, 0.5, newText("", st.foreground, st.text), false)
		y += line
	}
}

// bar draws a share with its number behind it; reach is the length of a whole one, negative for a
// bar to the left.
func (r *pairsRenderer) bar(at fyne.Position, reach float32, share float64, top bool, st style) {
	colour := faded(colourOf(result.Category(0), st.background), 0.35)
	if top {
		colour = colourOf(result.Category(0), st.background)
	}
	length := reach * float32(share)
	box := canvas.NewRectangle(colour)
	box.CornerRadius = 1
	box.Resize(fyne.NewSize(max(length, -length, 1), measure("X", st.text, false).Height))
	box.Move(fyne.NewPos(min(at.X, at.X+length), at.Y))
	r.objects = append(r.objects, box)
	align, gap := float32(0), float32(4)
	if reach < 0 {
		align, gap = 1, -4
	}
	r.write(result.Number.Say(share, 2), at.X+length+gap, at.Y, align, newText("", st.faint, st.caption), false)
}

// write places a text at x: from there on (align 0), around it (0.5) or up to it (1).
func (r *pairsRenderer) write(line string, x, y, align float32, t *canvas.Text, bold bool) {
	t.Text, t.TextStyle.Bold = line, bold
	placeText(t, x-align*t.MinSize().Width, y)
	r.objects = append(r.objects, t)
}
