package assessors

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// savedPage lists the assessors that the workspace keeps.
type savedPage struct {
	s       *Screen
	object  fyne.CanvasObject
	files   *kit.Records[store.AssessorFile]
	details *fynewidget.Label
	buttons []*fynewidget.Button // those that need a chosen assessor
	latest  jobs.Latest
}

func newSavedPage(s *Screen) *savedPage {
	p := &savedPage{s: s, details: widget.Wrapped("")}
	p.details.SizeName = theme.SizeNameCaptionText
	p.files = &kit.Records[store.AssessorFile]{
		Host: s.host, Table: savedTable, Plain: true,
		Empty:    "No saved assessors yet. Train one and keep it, or import a file.",
		OnSelect: func(store.AssessorFile, bool) { p.choose() },
		OnOpen:   func(f store.AssessorFile) { s.Look(f.Name) },
	}
	button := func(text string, icon fyne.Resource, do func(name string)) *fynewidget.Button {
		b := fynewidget.NewButtonWithIcon(text, icon, func() { do(p.name()) })
		b.Disable()
		p.buttons = append(p.buttons, b)
		return b
	}
	look := button("Judge the models", theme.MediaPlayIcon(), s.Look)
	look.Importance = fynewidget.HighImportance
	rename := func(name string) {
		s.askName("Rename assessor", "Rename", name, func(to string) { s.Rename(name, to) })
	}
	row := container.NewGridWithColumns(2, button("Rename…", theme.SettingsIcon(), rename),
		button("Delete", theme.DeleteIcon(), s.Remove),
		button("Export…", theme.DocumentSaveIcon(), p.export),
		fynewidget.NewButtonWithIcon("Import…", theme.ContentAddIcon(), p.askImport))
	scroll := container.NewVScroll(p.details)
	scroll.SetMinSize(fyne.NewSize(0, 190))
	p.object = container.NewBorder(nil, container.NewVBox(scroll, look, row), nil, nil, p.files.Object())
	return p
}

var savedTable = result.Table[store.AssessorFile]{
	Name: "assessors", Title: "Saved assessors", Noun: "assessor",
	ID: func(f store.AssessorFile) string { return f.Name },
	Columns: []result.Column[store.AssessorFile]{
		{Key: "assessor", Title: "assessor", Text: func(f store.AssessorFile) string { return f.Name }},
		{
			Key: "saved", Title: "saved", Format: result.Time,
			Value: func(f store.AssessorFile) float64 { return float64(f.Saved.Unix()) },
		},
		{
			Key: "bytes", Title: "size", Format: result.Bytes, Show: result.Offered,
			Value: func(f store.AssessorFile) float64 { return float64(f.Size) },
		},
	},
}

// name is the chosen assessor's, "" for none.
func (p *savedPage) name() string {
	f, _ := p.files.Selected()
	return f.Name
}

// choose shows what the chosen file says of itself.
func (p *savedPage) choose() {
	name := p.name()
	for _, b := range p.buttons {
		widget.Enable(b, name != "")
	}
	if name == "" {
		p.latest.Next()
		p.details.SetText("")
		return
	}
	jobs.Load(p.s.host.Work, &p.latest, "read assessor",
		func(context.Context) (saved.File, error) { return p.read(name) },
		func(f saved.File, err error) {
			if err != nil {
				p.details.SetText(present.Sentence(err))
			} else {
				p.details.SetText(about(f))
			}
		})
}

func (p *savedPage) read(name string) (saved.File, error) {
	data, err := p.s.ws.AssessorData(name)
	if err != nil {
		return saved.File{}, err
	}
	f, err := saved.Decode(name, data)
	f.Name = name // a file may have been renamed
	return f, err
}

// Look has a saved assessor judge the models of the workspace.
func (s *Screen) Look(name string) {
	asked := s.widgets.form.Options()
	var subject Subject
	s.start(fmt.Sprintf("Judge with %s", name), func(ctx context.Context, p *jobs.Progress) error {
		f, err := s.widgets.saved.read(name)
		if err != nil {
			return err
		}
		subject, err = Revive(ctx, s.ws, f, asked, &s.cache, jobs.Stages{Progress: p})
		return err
	}, func() {
		s.look(&subject)
		s.widgets.tabs.Select("verdicts")
	})
}

// Rename gives a saved assessor another name.
func (s *Screen) Rename(from, to string) {
	if from == to {
		return
	}
	ws := s.ws
	s.host.Work.Quiet("rename assessor", func(context.Context) error { return ws.RenameAssessor(from, to) },
		s.orFail(func() {
			s.actions.Did(history.Step{
				Title: fmt.Sprintf("renaming of assessor %s", from),
				Undo:  func(context.Context) error { return ws.RenameAssessor(to, from) },
				Redo:  func(context.Context) error { return ws.RenameAssessor(from, to) },
			})
		}))
}

// Remove deletes a saved assessor; that can be taken back, so it does not ask.
func (s *Screen) Remove(name string) {
	ws := s.ws
	var gone []byte
	s.host.Work.Quiet("delete assessor", func(context.Context) (err error) {
		gone, err = ws.RemoveAssessor(name)
		return err
	}, s.orFail(func() {
		s.host.Say(fmt.Sprintf("assessor %s is deleted", name))
		s.actions.Did(history.Step{
			Title: fmt.Sprintf("deletion of assessor %s", name),
			Undo:  func(context.Context) error { return ws.SaveAssessor(name, gone) },
			Redo:  func(context.Context) error { _, err := ws.RemoveAssessor(name); return err },
		})
	}))
}

// export writes a file as it lies in the workspace.
func (p *savedPage) export(name string) {
	var f saved.File
	p.s.host.Work.Quiet("read assessor", func(context.Context) (err error) {
		f, err = p.read(name)
		return err
	}, p.s.orFail(func() { p.s.exportFile(f) }))
}

func (p *savedPage) askImport() {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		switch {
		case err != nil:
			p.s.host.Fail(err)
		case r != nil:
			p.s.Import(r.URI().Path(), r)
		}
	}, p.s.host.Window)
	d.SetFilter(figures.Readable{saved.Extension})
	d.Show()
}

// Import reads an assessor file and keeps it under its file's name.
func (s *Screen) Import(path string, from io.ReadCloser) {
	base := filepath.Base(path)
	var f saved.File
	s.host.Work.Quiet("import assessor", func(context.Context) error {
		data, err := io.ReadAll(io.LimitReader(from, saved.MaxBytes+1))
		if closed := from.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", base, err)
		}
		f, err = saved.Decode(base, data)
		f.Name = strings.TrimSuffix(base, filepath.Ext(base))
		return err
	}, s.orFail(func() { s.keepFile(f, fmt.Sprintf("import of assessor %s", f.Name)) }))
}
