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
//	curve := &kit.Figure{Host: host, OnX: func(x float64) { ... }}
//	content := curve.Object()
//	curve.Set(invariance.Curves()[0].Figure(row))
//
// Points and lines are read out in words in the status line. The wheel, a rectangle and dragging
// with Shift zoom; a double click beside the points shows all. The menu copies and saves what is
// shown as PNG, SVG or PDF, which render.Draw draws, and all values as CSV.
//
// Set keeps the slices of its figure: nobody changes them afterwards. Everything is called on the
// main goroutine.
type Figure struct {
	*Host
	// Name has the parts of the names of saved files, such as the model's ID and what is shown. It
	// may be nil, as may all that follow; then the figure's title is the name.
	Name func() []string
	// OnTap is called with the ID of a point or box that is clicked or reached with the arrow keys,
	// OnOpen with that of one on a double click or Return.
	OnTap, OnOpen func(id string)
	// OnNone is called when a click beside everything or Escape has ended a selection.
	OnNone func()
	// OnX is called with the nearest X of the lines after a click on a chart of lines.
	OnX func(x float64)
	// OnHover gets the read-out, "" for none, where it is nil the status line.
	OnHover func(text string)
	// Tell reads an item out in place of result.Figure.Tell.
	Tell func(item int) string
	// Values are saved as CSV in place of the figure's own, Whole is drawn in files in place of
	// what is shown.
	Values func() *result.Sheet
	Whole  func() figures.Drawing
	// Command is the command that makes what is shown, "" for none.
	Command func() string
	// Headed puts a bold line over the figure, of which Head sets the text.
	Headed bool
	// Keys gets the keys that the figure does not use.
	Keys widget.Keys

	data     result.Figure
	selected string // ID, "" for none
	plot     *widget.Plot
	scroll   *container.Scroll // for figures that are as high as their names need
	head     *fynewidget.Label
	object   *fyne.Container
}

// Object is what the screen's layout holds.
func (f *Figure) Object() fyne.CanvasObject {
	f.build()
	return f.object
}

func (f *Figure) build() {
	if f.object != nil {
		return
	}
	f.plot = widget.NewPlot()
	f.scroll = container.NewVScroll(f.plot)
	f.scroll.SetMinSize(fyne.NewSize(140, 100))
	f.plot.Wheel = widget.Scrolling(f.scroll)
	f.plot.Keys, f.plot.Tell, f.plot.Menu = f.Keys, f.Tell, f.Entries
	f.plot.OnHover = f.OnHover
	if f.OnHover == nil {
		f.plot.OnHover = f.Say
	}
	if f.OnTap != nil || f.OnOpen != nil { // else nothing can be chosen, and the keys stay where they are
		f.plot.OnTapped = func(k int) {
			f.selected = f.data.ItemID(k)
			call(f.OnTap, f.selected)
		}
		f.plot.OnOpen = func(k int) { call(f.OnOpen, f.data.ItemID(k)) }
	}
	f.plot.OnNone = f.OnNone
	f.plot.OnX = func(x float64) {
		if f.OnX != nil {
			f.OnX(x)
		}
	}
	f.head = widget.Bold("")
	f.head.Truncation = fyne.TextTruncateEllipsis
	widget.Show(f.head, f.Headed)
	f.object = container.NewBorder(f.head, nil, nil, nil, f.scroll)
}

// Head sets the line over the figure.
func (f *Figure) Head(text string) {
	f.build()
	f.head.SetText(text)
}

// call hands an ID to a function, where there are both.
func call(f func(string), id string) {
	if f != nil && id != "" {
		f(id)
	}
}

// Set shows a figure. What was zoomed into stays while the axes and their ends do, and the selected
// ID stays selected. A figure that cannot be drawn is said and not shown.
func (f *Figure) Set(data result.Figure) {
	f.build()
	if err := data.Check(); err != nil {
		f.Fail(fmt.Errorf("show figure: %w", err))
		return
	}
	f.data = data
	f.plot.SetFigure(data)
	f.scroll.Refresh() // its content may have another height
	f.Select(f.selected)
}

// Entries are the entries of the menu that copies and saves the figure.
func (f *Figure) Entries() []*fyne.MenuItem { return f.Saver().Entries(f.saved()) }

// Data is what is shown.
func (f *Figure) Data() result.Figure { return f.data }

// Select rings the point of an ID, or outlines its boxes, "" for none, without OnTap.
func (f *Figure) Select(id string) {
	f.build()
	f.selected = id
	if at := f.plot.Selected(); at >= 0 && f.data.ItemID(at) == id {
		return // one of several boxes of the ID
	}
	if at := f.items(id); len(at) > 0 {
		f.plot.Select(at[0])
		return
	}
	f.plot.Select(-1)
}

// items are the points and boxes of IDs.
func (f *Figure) items(ids ...string) (items []int) {
	for k := range f.data.Items() {
		if id := f.data.ItemID(k); id != "" && slices.Contains(ids, id) {
			items = append(items, k)
		}
	}
	return items
}

// Ring rings the points of some IDs, such as those that look like the selected one.
func (f *Figure) Ring(ids ...string) {
	f.build()
	f.plot.SetMarked(f.items(ids...))
}

// Focused tells whether the figure has the keys.
func (f *Figure) Focused() bool {
	c := fyne.CurrentApp().Driver().CanvasForObject(f.plot)
	return c != nil && c.Focused() == fyne.Focusable(f.plot)
}

// Focus gives the figure the keys.
func (f *Figure) Focus() {
	f.build()
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.plot); c != nil {
		c.Focus(f.plot)
	}
}

// Centre brings the item of an ID into the middle.
func (f *Figure) Centre(id string) {
	if at := f.items(id); len(at) > 0 {
		f.plot.Centre(at[0])
	}
}

// Zoom makes what is shown so many times as large; 0 shows all.
func (f *Figure) Zoom(times float64) { f.plot.Zoom(times) }

// Mark draws a line at an X, NaN for none.
func (f *Figure) Mark(x float64) {
	f.build()
	f.plot.SetRule(x)
}

// saved is what is shown, as it is saved.
func (f *Figure) saved() figures.Figure {
	saved := figures.Of(f.data, f.name()...)
	if f.plot.Zoomed() {
		data, part := f.data, f.plot.Part()
		saved.Write = func(w io.Writer, format string) error { return render.Draw(w, data, part, format) }
	}
	if f.Values != nil {
		values := f.Values()
		saved.CSV = func(w io.Writer) error { return values.CSV(w, false) }
	}
	if f.Whole != nil {
		saved.Write = f.Whole()
	}
	if f.Command != nil {
		saved.Command = f.Command()
	}
	return saved
}

// leastBeside is the least height of a figure among others.
const leastBeside = 160

// Beside shows figures beside each other in columns, each below its title and above its note. They
// are saved together, below a common title.
func Beside(host *Host, title string, columns int, list []result.Figure) fyne.CanvasObject {
	grid := container.NewGridWithColumns(columns)
	var rows [][]result.Figure
	for row := range slices.Chunk(list, columns) {
		rows = append(rows, row)
	}
	for _, data := range list {
		f := &Figure{
			Host: host, Headed: true, Name: func() []string { return []string{title} },
			Whole: func() figures.Drawing { return figures.Rows(rows, title) },
		}
		f.Set(data)
		f.Head(data.Title)
		note := widget.Wrapped(data.Note)
		f.scroll.SetMinSize(f.plot.MinSize().Max(fyne.NewSize(0, leastBeside)))
		grid.Add(container.NewBorder(nil, note, nil, nil, f.Object()))
	}
	return grid
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
