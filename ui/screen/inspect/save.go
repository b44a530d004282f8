package inspect

import (
	"fmt"
	"io"
	"strings"

	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// The figures that are not one matrix.
const (
	figureSheet    = "all matrices in one row"
	figureAccuracy = "accuracy per transformation"
)

// Figures are the names of the figures that can be saved for the evidence.
func Figures(e evidence.Evidence) []string {
	names := []string{figureSheet}
	for _, t := range e.Tiles {
		if !t.Absent() {
			names = append(names, t.Modality)
		}
	}
	if len(e.Accuracy) > 0 {
		names = append(names, figureAccuracy)
	}
	return names
}

// FileName is the name that a figure's file is offered with.
func FileName(e evidence.Evidence, figure, format string) string {
	short := map[string]string{figureSheet: "matrices", figureAccuracy: "accuracy"}[figure]
	if short == "" {
		short = figure
	}
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) {
			return '-'
		}
		return r
	}, e.Model.ID+"_"+short)
	return clean + "." + format
}

// WriteFigure writes a figure of the evidence as png, svg or pdf, with the colours of the screen.
func WriteFigure(w io.Writer, p evidence.Prepared, figure, format string) error {
	e := p.Evidence
	title := fmt.Sprintf("%s, %s, %s", e.Model.ID, e.Suite, e.Family)
	switch figure {
	case figureAccuracy:
		lines := render.Lines{
			Title: title, Axis: e.Axis(), YName: "accuracy", Low: 0, High: 1, Note: e.Note(),
			Series: []render.Series{{Name: "accuracy", Values: e.Accuracy}},
		}
		return lines.Write(w, format)
	case figureSheet:
		figures := make([]render.Figure, len(e.Tiles))
		for k := range e.Tiles {
			figures[k] = matrixFigure(p, k, e.Tiles[k].Modality)
		}
		return render.Sheet(w, format, figures, title+", "+e.Note())
	}
	for k, t := range e.Tiles {
		if t.Modality == figure && !t.Absent() {
			f := matrixFigure(p, k, title+", "+figure)
			f.Note = e.Note()
			return f.Write(w, format)
		}
	}
	return fmt.Errorf("model %s: no figure %q", e.Model.ID, figure)
}

func matrixFigure(p evidence.Prepared, k int, title string) render.Figure {
	t := p.Tiles[k]
	return render.Figure{
		Title: title, Matrix: t.Matrix, Absent: t.Reason, Axis: p.Axis(), Scale: p.View.Scale(t.Modality),
		Caption: t.Modality,
	}
}

// AskFigure asks which figure is to be saved, in which format and where.
func (s *Screen) AskFigure() {
	p := s.frame.shown
	if s.deps.Window == nil || !p.Ready() {
		return
	}
	which := fynewidget.NewSelect(Figures(p.Evidence), nil)
	which.SetSelectedIndex(0)
	format := fynewidget.NewSelect(render.Formats(), nil)
	format.SetSelectedIndex(0)
	d := dialog.NewForm("Save figure", "Choose file…", "Cancel", []*fynewidget.FormItem{
		fynewidget.NewFormItem("figure", which), fynewidget.NewFormItem("format", format),
	}, func(yes bool) {
		if yes {
			s.askFile(p, which.Selected, format.Selected)
		}
	}, s.deps.Window)
	d.SetOnClosed(s.focus)
	d.Show()
}

func (s *Screen) askFile(p evidence.Prepared, figure, format string) {
	s.saver().Ask(FileName(p.Evidence, figure, format), func(w io.Writer) error { return WriteFigure(w, p, figure, format) })
}

// saver saves what the screen shows.
func (s *Screen) saver() *figures.Saver {
	return &figures.Saver{
		Window: s.deps.Window, Work: s.deps.Work, Status: s.deps.Status, ShowError: s.deps.ShowError, Closed: s.focus,
	}
}
