package figures

import (
	"fmt"
	"io"
	"math"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// Figure is something that can be saved: as a picture, as values, or both.
type Figure struct {
	Name  []string // parts of the files' names
	Write func(w io.Writer, format string) error
	CSV   func(w io.Writer) error // nil without values
}

// Entries are the entries of a menu that saves the figure.
func (s *Saver) Entries(f Figure) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	add := func(format string, write func(w io.Writer) error) {
		items = append(items, fyne.NewMenuItem(fmt.Sprintf("Save as %s…", strings.ToUpper(format)), func() { s.Ask(FileName(format, f.Name...), write) }))
	}
	if f.Write != nil {
		for _, format := range render.Formats() {
			add(format, func(w io.Writer) error { return f.Write(w, format) })
		}
	}
	if f.CSV != nil {
		add("csv", f.CSV)
	}
	return items
}

// CoefficientsCSV writes a table of numbers with the rows' names in front; a cell without a number
// is empty.
func CoefficientsCSV(c render.Coefficients) func(w io.Writer) error {
	return func(w io.Writer) error {
		rows := [][]string{append([]string{""}, c.Columns...)}
		for r, name := range c.Rows {
			row := []string{name}
			for _, v := range c.Values[r] {
				row = append(row, numberOrNothing(v))
			}
			rows = append(rows, row)
		}
		return comma.NewWriter(w).WriteAll(rows)
	}
}

func numberOrNothing(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return result.Number.Write(v)
}
