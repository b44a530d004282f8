package figures

import (
	"io"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/widget"
)

// ConnectStacked gives a histogram's menu the entries that copy and save it.
func (s *Saver) ConnectStacked(plot *widget.Stacked, name func() []string) {
	now := func() Drawing {
		data := plot.Data()
		return func(w io.Writer, format string) error { return WriteStacked(w, data, format) }
	}
	plot.Menu = func() []*fyne.MenuItem { return s.Menu(now, name) }
}

// WriteScatter writes a scatter plot as png, svg, pdf or csv. Pictures show the view; a csv has all points, one per row:
// name, x, y and group, and the ends of the bars where a point has one. On an axis of logits y is the share, as the axis shows it.
func WriteScatter(w io.Writer, data widget.ScatterData, view View, format string) error {
	if format != "csv" {
		return Scatter(data, view).Write(w, format)
	}
	barred := slices.ContainsFunc(data.Points, func(p widget.ScatterPoint) bool { return p.Low != p.High })
	head := []string{"name", column(data.XName, "", "x"), column(data.YName, "", "y"), "group"}
	if barred {
		head = append(head, "low", "high")
	}
	crossed := slices.ContainsFunc(data.Points, func(p widget.ScatterPoint) bool { return p.Crossed })
	if crossed {
		head = append(head, data.Crossed)
	}
	rows := [][]string{head}
	shown := func(y float64) string {
		if data.Logit {
			y = render.Share(y)
		}
		return number(y)
	}
	for _, p := range data.Points {
		row := []string{p.Name, number(p.X), shown(p.Y), groupName(data.Groups, p.Group)}
		switch {
		case barred && p.Low != p.High:
			row = append(row, shown(p.Low), shown(p.High))
		case barred:
			row = append(row, "", "")
		}
		if crossed {
			row = append(row, map[bool]string{true: "1", false: "0"}[p.Crossed])
		}
		rows = append(rows, row)
	}
	return writeRows(w, rows)
}

func groupName(groups []widget.Group, k int) string {
	if k < 0 || k >= len(groups) {
		return ""
	}
	return groups[k].Name
}

// Scatter is the figure of a scatter plot; a point of no group of its data is left out.
func Scatter(data widget.ScatterData, view View) render.Scatter {
	f := render.Scatter{
		Title: data.Title, Note: data.Note, Groups: figureGroups(data.Groups),
		X: render.AxisRange{Name: data.XName, Low: view.X0, High: view.X1},
		Y: render.AxisRange{Name: data.YName, Low: view.Y0, High: view.Y1}, Trends: data.Trends, Logit: data.Logit,
		Crossed: data.Crossed,
	}
	for _, p := range data.Points {
		if p.Group >= 0 && p.Group < len(data.Groups) {
			f.Dots = append(f.Dots, render.Dot{X: p.X, Y: p.Y, Group: p.Group, Low: p.Low, High: p.High, Crossed: p.Crossed})
		}
	}
	return f
}

func figureGroups(groups []widget.Group) []render.Group {
	list := make([]render.Group, len(groups))
	for k, g := range groups {
		list[k] = g.Figure()
	}
	return list
}

// WriteStacked writes a histogram as png, svg, pdf or csv: a row per bin with its ends and a column of counts per group.
func WriteStacked(w io.Writer, data widget.StackedData, format string) error {
	if format != "csv" {
		return Stacked(data).Write(w, format)
	}
	head := []string{"from", "to"}
	for _, g := range data.Groups {
		head = append(head, g.Name)
	}
	rows := [][]string{head}
	bins := 0
	if len(data.Counts) > 0 {
		bins = len(data.Counts[0])
	}
	for b := range bins {
		row := []string{number(data.Edge(b)), number(data.Edge(b + 1))}
		for _, counts := range data.Counts {
			row = append(row, strconv.Itoa(counts[b]))
		}
		rows = append(rows, row)
	}
	return writeRows(w, rows)
}

// Stacked is the figure of a histogram.
func Stacked(data widget.StackedData) render.Stacked {
	return render.Stacked{
		Title: data.Title, Note: data.Note, YName: data.YName, Groups: figureGroups(data.Groups), Counts: data.Counts,
		X: render.AxisRange{Name: data.XName, Low: data.Low, High: data.High},
	}
}

func writeRows(w io.Writer, rows [][]string) error {
	return comma.NewWriter(w).WriteAll(rows)
}

// ConnectMosaic gives a mosaic's menu the entries that copy and save it.
func (s *Saver) ConnectMosaic(m *widget.Mosaic, name func() []string) {
	now := func() Drawing {
		data := m.Data()
		return func(w io.Writer, format string) error { return WriteMosaic(w, data, format) }
	}
	m.Menu = func() []*fyne.MenuItem { return s.Menu(now, name) }
}

// WriteMosaic writes a mosaic as png, svg, pdf or csv: a row per row of cells, with the name of each cell's kind.
func WriteMosaic(w io.Writer, data widget.MosaicData, format string) error {
	if format != "csv" {
		return Mosaic(data).Write(w, format)
	}
	head := []string{column(data.YName, "", "name")}
	for _, name := range data.Columns {
		head = append(head, name)
	}
	rows := [][]string{head}
	for r, cells := range data.Cells {
		row := []string{data.Rows[r]}
		for _, kind := range cells {
			row = append(row, groupName(data.Kinds, kind))
		}
		rows = append(rows, row)
	}
	return writeRows(w, rows)
}

// Mosaic is the figure of a mosaic.
func Mosaic(data widget.MosaicData) render.Mosaic {
	return render.Mosaic{
		Title: data.Title, Note: data.Note, XName: data.XName, YName: data.YName, Rows: data.Rows, Columns: data.Columns,
		Kinds: figureGroups(data.Kinds), Cells: data.Cells,
	}
}
