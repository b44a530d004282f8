// Package figures saves what the screens draw as PNG, SVG, PDF and CSV. Drawing and writing run in
// the background.
package figures

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"github.com/variscope/variscope/engine/numpy"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
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

// Arrays are the entries that save a matrix, which may be nil, as an array.
func (s *Saver) Arrays(m *result.Matrix, name func() []string) []*fyne.MenuItem {
	if m.Size() == 0 {
		return nil
	}
	return []*fyne.MenuItem{fyne.NewMenuItem("Save as NPY…", func() {
		s.Ask(FileName("npy", name()...), func(w io.Writer) error { return Array(w, *m) })
	})}
}

// Array writes a matrix as a NumPy file: float64, in its rows.
func Array(w io.Writer, m result.Matrix) error {
	if _, err := w.Write(numpy.Header("<f8", []int{m.Rows, m.Columns})); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, m.Values)
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
