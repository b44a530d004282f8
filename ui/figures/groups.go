package figures

import (
	"io"
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

func groupName(groups []widget.Group, k int) string {
	if k < 0 || k >= len(groups) {
		return ""
	}
	return groups[k].Name
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
	rows := [][]string{append([]string{column(data.YName, "", "name")}, data.Columns...)}
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
