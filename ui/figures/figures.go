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
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
)

// Saver asks where a figure shall lie and writes it there. Window and Work are needed.
type Saver struct {
	Window fyne.Window
	Work   *jobs.Group
	// Status shows a line of text, ShowError an error; Closed gives the keys back to the screen
	// after a dialog. All may be nil.
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
		if s.Closed != nil {
			s.Closed()
		}
	}, s.Window)
	d.SetFileName(name)
	d.SetFilter(Readable(nil))
	d.Show()
}

// Save has write make a file's content in the background and writes it to file, which is closed;
// name is the file's for messages. A file that Ask has found keeps what it has until the new
// content is whole.
func (s *Saver) Save(file io.WriteCloser, name string, write func(w io.Writer) error) {
	s.Work.Start(fmt.Sprintf("Save %s", name), func(ctx context.Context, _ *jobs.Progress) error {
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

// Array writes a matrix as a NumPy file: float64, in its rows.
func Array(w io.Writer, m result.Matrix) error {
	if _, err := w.Write(numpy.Header("<f8", []int{m.Rows, m.Columns})); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, m.Values)
}

// copy puts what write makes as text into the clipboard.
func (s *Saver) copy(write func(w io.Writer) error, said string) {
	var text bytes.Buffer
	s.Work.Quiet("copy figure", func(context.Context) error { return write(&text) }, func(err error) {
		if err != nil {
			s.failed(fmt.Errorf("copy figure: %w", err))
			return
		}
		fyne.CurrentApp().Clipboard().SetContent(text.String())
		s.say(said)
	})
}

// Copy puts a table that write makes as text into the clipboard.
func (s *Saver) Copy(write func(w io.Writer) error) { s.copy(write, "values copied") }
