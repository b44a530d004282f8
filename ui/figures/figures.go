// Package figures saves what the screens draw: charts as PNG, SVG, PDF and CSV with legend, axes and units, and any other
// picture in these formats. Drawing and writing run in the background.
package figures

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/widget"
	"github.com/variscope/variscope/ui/words"
)

// Saver asks where a figure shall lie and writes it there. Window and Work are needed.
type Saver struct {
	Window fyne.Window
	Work   *background.Group
	// Status shows a line of text, ShowError an error; Closed gives the keys back to the screen after a dialog. All may
	// be nil.
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

// Save has write make a file's content in the background and writes it to file, which is closed; name is the file's for
// messages.
func (s *Saver) Save(file io.WriteCloser, name string, write func(w io.Writer) error) {
	s.Work.Start(words.F("Save %s", name), func(context.Context, *background.Progress) error {
		var content bytes.Buffer
		err := write(&content)
		if err == nil {
			_, err = file.Write(content.Bytes())
		}
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return words.E("save %s: %w", name, err)
		}
		return nil
	}, func(err error) {
		if err != nil {
			s.failed(err)
			return
		}
		s.say(words.F("saved %s", name))
	})
}

// Connect gives a chart's menu the entries that copy and save it. name gives the parts of the files' names when they are
// asked for, such as the model's id and what the chart shows.
func (s *Saver) Connect(chart *widget.Chart, name func() []string) {
	chart.Menu = func() []*fyne.MenuItem {
		items := []*fyne.MenuItem{
			fyne.NewMenuItem(words.T("Copy values (CSV)"), func() { s.copy(chart, CSV, words.T("values copied")) }),
			fyne.NewMenuItem(words.T("Copy figure (SVG)"), func() {
				s.copy(chart, func(w io.Writer, data widget.ChartData) error { return Curves(data, View{}).Write(w, "svg") }, words.T("figure copied"))
			}),
			fyne.NewMenuItemSeparator(),
		}
		for _, format := range append(render.Formats(), "csv") {
			items = append(items, fyne.NewMenuItem(words.F("Save as %s…", strings.ToUpper(format)), func() { s.askChart(chart, format, name()) }))
		}
		return items
	}
}

// copy puts a text made of the chart into the clipboard.
func (s *Saver) copy(chart *widget.Chart, write func(io.Writer, widget.ChartData) error, said string) {
	data := chart.Data()
	var text bytes.Buffer
	s.Work.Quiet("copy figure", func(context.Context) error { return write(&text, data) }, func(err error) {
		if err != nil {
			s.failed(words.E("copy figure: %w", err))
			return
		}
		fyne.CurrentApp().Clipboard().SetContent(text.String())
		s.say(said)
	})
}

func (s *Saver) askChart(chart *widget.Chart, format string, name []string) {
	data := chart.Data()
	var view View
	if chart.Zoomed() {
		view.X0, view.X1, view.Y0, view.Y1 = chart.Ends()
	}
	s.Ask(FileName(format, name...), func(w io.Writer) error { return WriteChart(w, data, view, format) })
}

// View is the part of a chart that is shown; the zero View is all of it.
type View struct{ X0, X1, Y0, Y1 float64 }

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
		f.Curves = append(f.Curves, render.Curve{Name: s.Name, X: s.X[:n], Y: s.Y[:n]})
	}
	return f
}

// CSV writes the values of a chart: a column for x and one per series, a row per x in ascending order; a series without
// a value there leaves its cell empty. The unit stands in brackets behind a column's name.
func CSV(w io.Writer, data widget.ChartData) error {
	out := csv.NewWriter(w)
	head := []string{export.Guard(column(data.XName, data.XUnit, "x"))}
	var xs []float64
	values := make([]map[float64]float64, len(data.Series))
	for k, s := range data.Series {
		name := s.Name
		if name == "" {
			name = data.YName
		}
		head = append(head, export.Guard(column(name, data.YUnit, "y")))
		values[k] = map[float64]float64{}
		for i := range min(len(s.X), len(s.Y)) {
			xs = append(xs, s.X[i])
			values[k][s.X[i]] = s.Y[i]
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

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
