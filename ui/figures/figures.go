// Package figures saves what the screens draw: charts as PNG, SVG, PDF and CSV with legend, axes
// and units, and any other picture in these formats. Drawing and writing run in the background.
package figures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/widget"
)

// Saver asks where a figure shall lie and writes it there. Window and Work are needed.
type Saver struct {
	Window fyne.Window
	Work   *background.Group
	// Status shows a line of text, ShowError an error; Closed gives the keys back to the screen after
	// a dialog. All may be nil.
	Status    func(text string)
	ShowError func(err error)
	Closed    func()
}

func (s *Saver) say(text string) {
	if s.Status != nil {
		s.Status(text)
	}
}

func (s *Saver) failed(err error) {
	if s.ShowError != nil {
		s.ShowError(err)
	}
}

func (s *Saver) closed() {
	if s.Closed != nil {
		s.Closed()
	}
}

// FileName makes a file's name of parts: what file systems refuse becomes a dash.
func FileName(format string, parts ...string) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < 0x20 {
			return '-'
		}
		return r
	}, strings.Join(parts, "_"))
	return clean + "." + format
}

// Ask asks for a file, offered under a name, and has write write it.
func (s *Saver) Ask(name string, write func(w io.Writer) error) {
	if s.Window == nil {
		return
	}
	keepFiles()
	d := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
		switch {
		case err != nil:
			s.failed(err)
		case file != nil:
			s.Save(file, file.URI().Path(), write)
		}
		s.closed()
	}, s.Window)
	d.SetFileName(name)
	d.Show()
}

// Save has write make a file's content in the background and writes it to file, which is closed;
// name is the file's for messages. A file that Ask has found keeps what it has until the new
// content is whole.
func (s *Saver) Save(file io.WriteCloser, name string, write func(w io.Writer) error) {
	s.Work.Start(fmt.Sprintf("Save %s", name), func(ctx context.Context, _ *background.Progress) error {
		var content bytes.Buffer
		err := errors.Join(write(&content), ctx.Err())
		if err == nil {
			_, err = file.Write(content.Bytes())
			err = errors.Join(err, file.Close())
		} else if _, untouched := file.(*place); !untouched {
			_ = file.Close()
		}
		if err != nil {
			return fmt.Errorf("save %s: %w", name, err)
		}
		return nil
	}, func(err error) {
		if err != nil {
			s.failed(err)
			return
		}
		s.say(fmt.Sprintf("saved %s", name))
	})
}

// Drawing writes what a screen draws: a picture in one of render.Formats, or its values as "csv".
// It must not read widgets, since it is called in the background.
type Drawing func(w io.Writer, format string) error

// Menu are the entries that copy and save a drawing. now gives what is drawn when an entry is
// chosen, name the parts of the file's name, such as the model's id and what is shown.
func (s *Saver) Menu(now func() Drawing, name func() []string) []*fyne.MenuItem {
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy values (CSV)", func() { s.copy(now(), "csv", "values copied") }),
		fyne.NewMenuItem("Copy figure (SVG)", func() { s.copy(now(), "svg", "figure copied") }),
		fyne.NewMenuItemSeparator(),
	}
	for _, format := range append(render.Formats(), "csv") {
		items = append(items, fyne.NewMenuItem(fmt.Sprintf("Save as %s…", strings.ToUpper(format)), func() {
			drawing := now()
			s.Ask(FileName(format, name()...), func(w io.Writer) error { return drawing(w, format) })
		}))
	}
	return items
}

// copy puts a drawing in a format that is text into the clipboard.
func (s *Saver) copy(drawing Drawing, format, said string) {
	var text bytes.Buffer
	s.Work.Quiet("copy figure", func(context.Context) error { return drawing(&text, format) }, func(err error) {
		if err != nil {
			s.failed(fmt.Errorf("copy figure: %w", err))
			return
		}
		fyne.CurrentApp().Clipboard().SetContent(text.String())
		s.say(said)
	})
}

// Copy puts a table that write makes as text into the clipboard.
func (s *Saver) Copy(write func(w io.Writer) error) {
	s.copy(func(w io.Writer, _ string) error { return write(w) }, "csv", "values copied")
}

// Connect gives a chart's menu the entries that copy and save what it shows of its data.
func (s *Saver) Connect(chart *widget.Chart, name func() []string) {
	now := func() Drawing {
		data := chart.Data()
		var view View
		if chart.Zoomed() {
			view.X0, view.X1, view.Y0, view.Y1 = chart.Ends()
		}
		return func(w io.Writer, format string) error { return WriteChart(w, data, view, format) }
	}
	chart.Menu = func() []*fyne.MenuItem { return s.Menu(now, name) }
}

// View is the part of a chart or scatter plot that is shown; the zero View is all of it.
type View = render.Part

// WriteChart writes a chart as png, svg, pdf or csv. Pictures show the view, a csv has all values.
func WriteChart(w io.Writer, data widget.ChartData, view View, format string) error {
	if format == "csv" {
		return CSV(w, data)
	}
	return Curves(data, view).Write(w, format)
}

// Curves is the figure of a chart.
func Curves(data widget.ChartData, view View) render.Curves {
	f := render.Curves{
		Title: data.Title, Note: data.Note,
		X: render.AxisRange{Name: data.XName, Unit: data.XUnit, Low: view.X0, High: view.X1},
		Y: render.AxisRange{Name: data.YName, Unit: data.YUnit, Low: view.Y0, High: view.Y1},
	}
	if view == (View{}) {
		f.Y.Low, f.Y.High = data.Low, data.High
	}
	for _, s := range data.Series {
		n := min(len(s.X), len(s.Y))
		c := render.Curve{Name: s.Name, X: s.X[:n], Y: s.Y[:n]}
		if len(s.Spread) >= n {
			c.Spread = s.Spread[:n]
		}
		f.Curves = append(f.Curves, c)
	}
	return f
}

// CSV writes the values of a chart: a column for x and one per series, and one more for its
// deviation where it has one, a row per x in ascending order; a series without a value there
// leaves its cell empty. The unit stands in brackets behind a column's name.
func CSV(w io.Writer, data widget.ChartData) error {
	out := comma.NewWriter(w)
	head := []string{column(data.XName, data.XUnit, "x")}
	var xs []float64
	var values []map[float64]float64
	take := func(name string, x, y []float64) {
		head = append(head, column(name, data.YUnit, "y"))
		at := map[float64]float64{}
		for i := range min(len(x), len(y)) {
			xs = append(xs, x[i])
			at[x[i]] = y[i]
		}
		values = append(values, at)
	}
	for _, s := range data.Series {
		name := s.Name
		if name == "" {
			name = data.YName
		}
		take(name, s.X, s.Y)
		if s.Spread != nil {
			take(name+" SD", s.X, s.Spread)
		}
	}
	slices.Sort(xs)
	if err := out.Write(head); err != nil {
		return err
	}
	for _, x := range slices.Compact(xs) {
		row := []string{number(x)}
		for _, at := range values {
			text := ""
			if y, ok := at[x]; ok {
				text = number(y)
			}
			row = append(row, text)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func column(name, unit, none string) string {
	if name == "" {
		name = none
	}
	if unit != "" {
		name += " (" + unit + ")"
	}
	return name
}

func number(v float64) string { return result.Number.Write(v) }
