package widget

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

var (
	_ desktop.Hoverable      = (*Stacked)(nil)
	_ fyne.Tappable          = (*Stacked)(nil)
	_ fyne.SecondaryTappable = (*Stacked)(nil)
)

// StackedData is what a Stacked shows: counts of equal bins from Low to High, by group.
type StackedData struct {
	// Title and Note are not drawn on the screen; they head and foot the figures that are saved.
	Title, Note  string
	XName, YName string
	Low, High    float64
	Groups       []Group
	Counts       [][]int // by group, then bin; the first group stands at the foot
	// Marked is drawn as a line with its name, NaN for none.
	Marked     float64
	MarkedName string
	// Empty is the text shown when there is nothing to draw.
	Empty string
}

// Stacked is a histogram whose bars are divided by groups. The pointer reads bars off.
type Stacked struct {
	widget.BaseWidget
	// OnHover gets a line about the bar under the pointer, "" when it has left.
	OnHover func(text string)
	// Menu are the entries of the menu that copies and saves; nil for no menu.
	Menu func() []*fyne.MenuItem

	data StackedData
	plot frame
	bar  int // under the pointer, -1 for none
}

// NewStacked makes an empty histogram.
func NewStacked() *Stacked {
	s := &Stacked{bar: -1}
	s.ExtendBaseWidget(s)
	return s
}

// SetData shows other counts. The slices must not be changed afterwards.
func (s *Stacked) SetData(d StackedData) {
	s.point(-1) // what was read out is of the data before
	s.data = d
	s.Refresh()
}

// Data is what is shown.
func (s *Stacked) Data() StackedData { return s.data }

// SetMark moves the line; NaN for none.
func (s *Stacked) SetMark(x float64, name string) {
	s.data.Marked, s.data.MarkedName = x, name
	s.Refresh()
}

// bins is the number of bins, 0 for none.
func (d StackedData) bins() int {
	if len(d.Counts) == 0 || !(d.High > d.Low) || len(d.Groups) < len(d.Counts) {
		return 0
	}
	return len(d.Counts[0])
}

// Edge is the lower end of bin b; that of the number of bins is High.
func (d StackedData) Edge(b int) float64 {
	return d.Low + (d.High-d.Low)*float64(b)/float64(d.bins())
}

// ReadOut is the line about bin b: "0.1..0.12: 5 models, invariant 3, variant 2".
func (d StackedData) ReadOut(b int) string {
	if b < 0 || b >= d.bins() {
		return ""
	}
	sum := 0
	var parts []string
	for g, row := range d.Counts {
		if row[b] > 0 {
			sum += row[b]
			parts = append(parts, d.Groups[g].Name+" "+strconv.Itoa(row[b]))
		}
	}
	text := fmt.Sprintf("%s..%s: %s %s", short(d.Edge(b)), short(d.Edge(b+1)), d.YName, strconv.Itoa(sum))
	if len(parts) > 1 || sum > 0 && len(d.Groups) > 1 {
		text += ", " + strings.Join(parts, ", ")
	}
	return text
}

// MouseIn implements desktop.Hoverable.
func (s *Stacked) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (s *Stacked) MouseMoved(ev *desktop.MouseEvent) {
	bar, f := -1, s.plot
	if x := ev.Position.X - f.left; f.width > 0 && x >= 0 && x < f.width {
		bar = int(x / f.width * float32(s.data.bins()))
	}
	s.point(bar)
}

// MouseOut implements desktop.Hoverable.
func (s *Stacked) MouseOut() { s.point(-1) }

func (s *Stacked) point(bar int) {
	if bar == s.bar {
		return
	}
	s.bar = bar
	if s.OnHover != nil {
		s.OnHover(s.data.ReadOut(bar))
	}
	s.Refresh()
}

// Tapped implements fyne.Tappable: it opens the menu at its sign.
func (s *Stacked) Tapped(ev *fyne.PointEvent) {
	if onSign(ev.Position, s.Size()) {
		s.TappedSecondary(ev)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (s *Stacked) TappedSecondary(ev *fyne.PointEvent) {
	if s.Menu != nil && s.data.bins() > 0 && render.MostStacked(s.data.Counts) > 0 {
		popUp(s, ev.Position, s.Menu)
	}
}

// CreateRenderer implements fyne.Widget.
func (s *Stacked) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	r := &stackedRenderer{s: s}
	r.drawn = drawn{of: s, draw: r.build}
	r.build(s.Size())
	return r
}

type stackedRenderer struct {
	drawn
	s *Stacked
}

// MinSize implements fyne.WidgetRenderer.
func (r *stackedRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 120) }

func (r *stackedRenderer) build(size fyne.Size) {
	st, d := styleOf(r.s), r.s.data
	r.objects = nil
	r.s.plot = frame{}
	most := render.MostStacked(d.Counts)
	if d.bins() == 0 || most == 0 {
		r.objects = append(r.objects, emptyText(d.Empty, size, st))
		return
	}
	legend, top := groupLegend(d.Groups, size.Width-menuSide, st, func(g Group) fyne.CanvasObject {
		return canvas.NewRectangle(colourOf(g.Look, st.background))
	})
	f := frame{x0: d.Low, x1: d.High, y1: float64(most) * 1.05}
	p, marks, ok := newPlotted(f, top, size, st, func(room int) ticks { return numbers(render.Ticks(0, f.y1, min(room, most+1))) })
	if !ok {
		r.objects = append(r.objects, emptyText(tooSmall, size, st))
		return
	}
	r.s.plot = p.frame
	p.axes(marks, d.XName, d.YName)
	r.objects = append(append(r.objects, legend...), p.objects...)
	r.bars(p.frame, st)
	r.mark(p, st)
	if r.s.Menu != nil {
		r.objects = append(r.objects, menuSign(size))
	}
}

// bars are drawn from the axis up, group above group; the one under the pointer stands on a ground
// of its own.
func (r *stackedRenderer) bars(f frame, st style) {
	d := r.s.data
	for b := range d.bins() {
		left, right := f.x(d.Edge(b)), f.x(d.Edge(b+1))
		if b == r.s.bar {
			r.bar(st.hover, left, right, f.top, f.top+f.height)
		}
		foot := 0
		for g, row := range d.Counts {
			if row[b] > 0 {
				r.bar(colourOf(d.Groups[g].Look, st.background), left+0.5, right-0.5, f.y(float64(foot+row[b])), f.y(float64(foot)))
				foot += row[b]
			}
		}
	}
}

func (r *stackedRenderer) bar(colour color.Color, left, right, top, bottom float32) {
	bar := canvas.NewRectangle(colour)
	bar.Move(fyne.NewPos(left, top))
	bar.Resize(fyne.NewSize(max(1, right-left), bottom-top))
	r.objects = append(r.objects, bar)
}

// mark is a line across the plot with its name above.
func (r *stackedRenderer) mark(p *plotted, st style) {
	d := r.s.data
	if math.IsNaN(d.Marked) || d.Marked < d.Low || d.Marked > d.High {
		return
	}
	x := p.x(d.Marked)
	name := newText(d.MarkedName, st.foreground, st.caption)
	name.TextStyle.Bold = true
	box := name.MinSize()
	least := measure(d.YName, st.caption, false).Width + 8 // where the name of the axis ends
	placeText(name, fyne.Max(least, fyne.Min(x-box.Width/2, p.left+p.width-box.Width)), p.top-p.line*1.5-2)
	line := newLine(st.foreground, x, p.top-p.line/2, x, p.top+p.height)
	line.StrokeWidth = 2
	r.objects = append(r.objects, line, name)
}
