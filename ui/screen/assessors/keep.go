package assessors

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// openKeep shows the ways to keep the assessor that is looked at.
func (f *widgets) openKeep() {
	s := f.s
	if s.subject == nil {
		return
	}
	subject := *s.subject
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Save in the workspace…", func() {
			s.askName("Save assessor", "Save", subject.usualName(), func(name string) { s.Save(subject, name) })
		}),
		fyne.NewMenuItem("Export as assessor file…",
			func() { s.exportFile(subject.saved(subject.usualName(), time.Now(), s.actions.Version)) }),
	}
	if subject.Assessor.Threshold == nil {
		items = append(items, fyne.NewMenuItem("Export as ONNX…",
			func() { s.exportONNX(subject.saved(subject.usualName(), time.Now(), s.actions.Version), subject) }))
	}
	s.menuBelow(f.keep, items...)
}

// naming is a name that is asked for.
type naming struct {
	Name string `required:"" help:"What the assessor is called."`
}

// askName asks for the name of an assessor.
func (s *Screen) askName(title, button, usual string, named func(name string)) {
	ask := &kit.Ask[naming]{
		Title: title, Button: button, Size: fyne.NewSize(420*widget.Grown(), 160*widget.Grown()),
		Form:  &kit.Form[naming]{Host: s.host},
		Start: func(f *kit.Form[naming]) { _ = f.Put("name", usual) }, // any text is taken
		Do: func(d *kit.Dialog, n naming) {
			if name := strings.TrimSpace(n.Name); name != "" {
				d.Close()
				named(name)
			}
		},
	}
	ask.Open()
}

// Save keeps a subject in the workspace under a name; what had this name before is kept for undo.
func (s *Screen) Save(subject Subject, name string) {
	s.keepFile(subject.saved(name, time.Now(), s.actions.Version), fmt.Sprintf("saving of assessor %s", name))
}

// keepFile stores a file under its name and notes how to take that back.
func (s *Screen) keepFile(f saved.File, title string) {
	ws, name := s.ws, f.Name
	var before, after []byte
	s.host.Work.Quiet("save assessor", func(context.Context) (err error) {
		if after, err = f.Encode(); err != nil {
			return err
		}
		before = s.stored(name)
		return ws.SaveAssessor(name, after)
	}, s.orFail(func() {
		s.host.Say(fmt.Sprintf("assessor %s is saved", name))
		s.actions.Did(history.Step{
			Title: title,
			Undo: func(context.Context) error {
				if before != nil {
					return ws.SaveAssessor(name, before)
				}
				_, err := ws.RemoveAssessor(name)
				return err
			},
			Redo: func(context.Context) error { return ws.SaveAssessor(name, after) },
		})
	}))
}

// orFail goes on after work that went well, and shows the error of work that did not.
func (s *Screen) orFail(then func()) func(error) {
	return func(err error) {
		if err != nil {
			s.host.Fail(err)
			return
		}
		then()
	}
}

// stored are the bytes of the assessor of a name, nil where there is none.
func (s *Screen) stored(name string) []byte {
	files, err := s.ws.Assessors()
	if err != nil {
		return nil
	}
	for _, f := range files {
		if f.Name == name {
			data, _ := s.ws.AssessorData(name) // one that cannot be read cannot be brought back
			return data
		}
	}
	return nil
}

// exportFile writes an assessor to a file of its own.
func (s *Screen) exportFile(f saved.File) {
	s.saver.Ask(figures.FileName(strings.TrimPrefix(saved.Extension, "."), f.Name), func(w io.Writer) error {
		data, err := f.Encode()
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
}

// exportONNX writes an assessor as an ONNX model, after it gave the same verdicts through ONNX
// Runtime.
func (s *Screen) exportONNX(f saved.File, subject Subject) {
	var model []byte
	var report exchange.Report
	x := make([][]float64, len(subject.Data.Rows))
	for k, r := range subject.Data.Rows {
		x[k] = r.X
	}
	s.start("Export as ONNX", func(ctx context.Context, _ *jobs.Progress) (err error) {
		if model, err = exchange.Export(f); err != nil || s.actions.Runner == nil {
			return err
		}
		report, err = exchange.Check(ctx, s.actions.Runner, f.Name, f.Assessor, model, x)
		return err
	}, func() {
		if s.actions.Runner == nil {
			s.host.Say("ONNX Runtime is missing, so the file is written unchecked.")
		} else {
			s.host.Say(fmt.Sprintf("ONNX Runtime gives the same verdicts on %d models; "+
				"largest difference of a score %s", report.Rows, result.Digits(report.Largest, 2)))
		}
		s.saver.Ask(figures.FileName("onnx", f.Name), func(w io.Writer) error {
			_, err := w.Write(model)
			return err
		})
	})
}

// fileName is the part of files' names that says which assessor they are of.
func (s *Screen) fileName() string {
	if s.subject == nil {
		return "assessor"
	}
	return s.subject.usualName()
}
