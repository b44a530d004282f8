package figures

import (
	"fmt"
	"io"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// Figure is something that can be saved: as a picture, as values, or both.
type Figure struct {
	Name  []string // parts of the files' names
	Write Drawing
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

// One writes a figure.
func One(f result.Figure) Drawing {
	return func(w io.Writer, format string) error { return render.Draw(w, f, render.Part{}, format) }
}

// Rows writes figures of matrices in rows and columns below a title.
func Rows(rows [][]result.Figure, title string) Drawing {
	return func(w io.Writer, format string) error { return render.WriteGrid(w, rows, title, format) }
}

// Sheet writes the numbers of a figure as CSV.
func Sheet(f result.Figure) func(w io.Writer) error {
	return func(w io.Writer) error { return f.Sheet().CSV(w, false) }
}
