package figures

import (
	"io"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// Drawing writes a picture in one of render.Formats. It must not read widgets, since it is called
// in the background.
type Drawing func(w io.Writer, format string) error

// Figure is something that can be copied and saved: as a picture, as values, or both.
type Figure struct {
	Name    []string                // parts of the files' names, such as the model's id and what is shown
	Write   Drawing                 // nil without a picture
	CSV     func(w io.Writer) error // nil without values
	Array   *result.Matrix          // nil for what is no matrix
	Command string                  // that makes the same, "" for none
}

// Of is a figure as it is saved.
func Of(f result.Figure, name ...string) Figure {
	return Figure{Name: name, Write: One(f), CSV: Sheet(f), Array: f.Matrix}
}

// Entries are the entries of a menu that copies and saves a figure.
func (s *Saver) Entries(f Figure) []*fyne.MenuItem {
	var copies, saves []*fyne.MenuItem
	save := func(format string, write func(w io.Writer) error) {
		saves = append(saves, fyne.NewMenuItem("Save as "+strings.ToUpper(format)+"…",
			func() { s.Ask(FileName(format, f.Name...), write) }))
	}
	if f.CSV != nil {
		copies = append(copies, fyne.NewMenuItem("Copy values (CSV)", func() { s.Copy(f.CSV) }))
	}
	if f.Write != nil {
		svg := func(w io.Writer) error { return f.Write(w, "svg") }
		copies = append(copies, fyne.NewMenuItem("Copy figure (SVG)", func() { s.copy(svg, "figure copied") }))
		for _, format := range render.Formats() {
			save(format, func(w io.Writer) error { return f.Write(w, format) })
		}
	}
	if f.CSV != nil {
		save("csv", f.CSV)
	}
	if f.Array.Size() > 0 {
		save("npy", func(w io.Writer) error { return Array(w, *f.Array) })
	}
	copies = append(copies, s.Command(f.Command)...)
	if len(copies) > 0 {
		copies = append(copies, fyne.NewMenuItemSeparator())
	}
	return append(copies, saves...)
}

// Command is the entry that copies a command, unless that is "".
func (s *Saver) Command(line string) []*fyne.MenuItem {
	if line == "" {
		return nil
	}
	return []*fyne.MenuItem{fyne.NewMenuItem("Copy as command", func() {
		fyne.CurrentApp().Clipboard().SetContent(line)
		s.say("command copied")
	})}
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
