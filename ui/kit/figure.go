package kit

import (
	"fmt"
	"io"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/widget"
)

// Figure draws a result.Figure in the window, and is all that a screen needs of a chart. It holds
// widgets and is none. A screen sets the exported fields once, puts Object into its layout, and
// calls Set whenever there is another figure:
//
//	course := &kit.Figure{Host: host, OnX: func(x float64) { ... }}
//	content := course.Object()
//	course.Set(invariance.Course(row))
//
// Points and lines are read out in words in the status line. The wheel, a rectangle and dragging
// with Shift zoom; a double click beside the points shows all. The menu copies and saves what is
// shown as PNG, SVG or PDF, which render.Draw draws, and all values as CSV.
//
// A figure with points shows its lines below them, without names; one without points is a chart of
// lines. Everything is called on the main goroutine. Set keeps the slices of its figure: nobody
// changes them afterwards.
type Figure struct {
	*Host
	// Name has the parts of the names of saved files, such as the model's ID and what is shown. It
	// may be nil, as may all that follow; then the figure's title is the name.
	Name func() []string
	// OnTap is called with the ID of a point that is clicked or reached with the arrow keys, OnOpen
	// with that of a point on a double click or Return.
	OnTap, OnOpen func(id string)
	// OnX is called with the nearest X of the lines after a click on a chart of lines.
	OnX func(x float64)
	// OnHover gets the read-out, "" for none, where it is nil the status line.
	OnHover func(text string)
	// Headed puts a bold line over the figure, of which Head sets the text.
	Headed bool
	// Keys gets the keys that the figure does not use.
	Keys widget.Keys

	data     result.Figure
	selected string // ID of a point, "" for none
	points   *widget.Scatter
	lines    *widget.Chart
	head     *fynewidget.Label
	object   *fyne.Container
}

// Object is what the screen shows.
func (f *Figure) Object() fyne.CanvasObject {
	f.build()
	return f.object
}

func (f *Figure) build() {
	if f.object != nil {
		return
	}
	f.points, f.lines = widget.NewScatter(), widget.NewChart()
	f.points.Keys = f.Keys
	hover := f.OnHover
	if hover == nil {
		hover = f.Say
	}
	f.points.OnHover = hover
	f.points.OnTapped = func(k int) {
		f.selected = f.data.Points[k].ID
		call(f.OnTap, f.selected)
	}
	f.points.OnOpen = func(k int) { call(f.OnOpen, f.data.Points[k].ID) }
	f.lines.OnHover = func(_ float64, text string) { hover(text) }
	f.lines.OnTapped = func(x float64) {
		if f.OnX != nil {
			f.OnX(x)
		}
	}
	f.points.Menu, f.lines.Menu = f.Entries, f.Entries
	f.points.Hide()
	f.head = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	f.head.Truncation = fyne.TextTruncateEllipsis
	widget.Show(f.head, f.Headed)
	f.object = container.NewBorder(f.head, nil, nil, nil, container.NewStack(f.points, f.lines))
}

// Head sets the text of the line over a figure that is Headed.
func (f *Figure) Head(text string) {
	f.build()
	f.head.SetText(text)
}

func call(f func(string), id string) {
	if f != nil && id != "" {
		f(id)
	}
}

// Set shows another figure. The selected point stays by its ID, and what was zoomed into stays
// while the axes do. A figure that cannot be drawn is an error, which is shown; what was shown
// before stays.
func (f *Figure) Set(data result.Figure) {
	f.build()
	if err := data.Check(); err != nil {
		f.Fail(fmt.Errorf("show figure: %w", err))
		return
	}
	f.data = data
	ends := render.Extent(data)
	x := func(low, high float64, most int) ([]float64, []string) {
		return render.AxisTicks(data.X, low, high, most)
	}
	y := func(low, high float64, most int) ([]float64, []string) {
		return render.AxisTicks(data.Y, low, high, most)
	}
	if len(data.Points) > 0 {
		f.points.SetData(widget.ScatterData{
			Title: data.Title, Note: data.Note, XName: data.X.Title(), YName: data.Y.Title(),
			Groups: groupsOf(data), Points: pointsOf(data),
			Trends: trendsOf(data), Crossed: data.Crossed, Logit: data.Y.Logit, Ends: ends,
			TicksX: x, TicksY: y, Tell: data.TellPoint, Empty: data.Empty,
		})
		f.Select(f.selected)
	} else {
		f.lines.SetData(widget.ChartData{
			Title: data.Title, Note: data.Note, XName: data.X.Title(), YName: data.Y.Title(), Series: seriesOf(data),
			Ends: ends, TicksX: x, TicksY: y, Tell: data.TellAt, Empty: data.Empty,
		})
	}
	widget.Show(f.points, len(data.Points) > 0)
	widget.Show(f.lines, len(data.Points) == 0)
}

// Entries are the lines of the figure's menu: copy and save.
func (f *Figure) Entries() []*fyne.MenuItem { return f.Saver().Menu(f.drawing, f.name) }

// Data is the figure that is shown.
func (f *Figure) Data() result.Figure { return f.data }

// Select draws a ring around the point of an ID, and none where there is no such point. OnTap is
// not called.
func (f *Figure) Select(id string) {
	f.build()
	f.selected = id
	f.points.Select(slices.IndexFunc(f.data.Points, func(p result.Point) bool { return id != "" && p.ID == id }))
}

// Ring draws thin rings around the points of some IDs, such as the neighbours of the selected one, in
// place of those of before.
func (f *Figure) Ring(ids ...string) {
	f.build()
	var points []int
	for k, p := range f.data.Points {
		if slices.Contains(ids, p.ID) {
			points = append(points, k)
		}
	}
	f.points.SetMarked(points)
}

// Mark draws a line upright at an X of a chart of lines, NaN for none.
func (f *Figure) Mark(x float64) {
	f.build()
	f.lines.SetMark(x)
}

// drawing is what is shown now, for files; it is called in the background.
func (f *Figure) drawing() figures.Drawing {
	data, part := f.data, render.Part{}
	switch {
	case len(data.Points) > 0 && f.points.Zoomed():
		part.X0, part.X1, part.Y0, part.Y1 = f.points.Ends()
	case len(data.Points) == 0 && f.lines.Zoomed():
		part.X0, part.X1, part.Y0, part.Y1 = f.lines.Ends()
	}
	return func(w io.Writer, format string) error {
		if format == "csv" {
			return data.Sheet().CSV(w, false)
		}
		return render.Draw(w, data, part, format)
	}
}

func (f *Figure) name() []string {
	if f.Name != nil {
		return f.Name()
	}
	if f.data.Title == "" {
		return []string{"figure"}
	}
	return []string{f.data.Title}
}

func groupsOf(f result.Figure) []widget.Group {
	list := make([]widget.Group, len(f.Groups))
	for k, g := range f.Groups {
		list[k] = widget.Group(g)
	}
	return list
}

func pointsOf(f result.Figure) []widget.ScatterPoint {
	list := make([]widget.ScatterPoint, len(f.Points))
	for k, p := range f.Points {
		list[k] = widget.ScatterPoint{
			X: p.X, Y: p.Y, Group: p.Group, Name: p.Name, Low: p.Low, High: p.High,
			Crossed: p.Crossed,
		}
	}
	return list
}

// trendsOf are the trends and, below points, the lines.
func trendsOf(f result.Figure) []render.Trend {
	var list []render.Trend
	for _, t := range f.Trends {
		list = append(list, render.Trend(t))
	}
	for _, l := range f.Lines {
		list = append(list, render.Trend{X: l.X, Y: l.Y})
	}
	return list
}

func seriesOf(f result.Figure) []widget.Series {
	list := make([]widget.Series, len(f.Lines))
	for k, l := range f.Lines {
		list[k] = widget.Series{Name: l.Name, X: l.X, Y: l.Y, Spread: l.SD}
	}
	return list
}
