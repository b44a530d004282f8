package inspect

import (
	"cmp"
	"fmt"
	"io"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
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
	return figures.FileName(format, e.Model.ID, cmp.Or(short, figure))
}

// WriteFigure writes a figure of the evidence as png, svg or pdf, with the colours of the screen.
func WriteFigure(w io.Writer, p evidence.Prepared, figure, format string) error {
	e := p.Evidence
	title := fmt.Sprintf("%s, %s, %s", e.Model.ID, e.Suite, e.Family)
	switch figure {
	case figureAccuracy:
		return render.Draw(w, evidence.AccuracyFigure(e), render.Part{}, format)
	case figureSheet:
		sheet := make([]result.Figure, len(e.Tiles))
		for k := range e.Tiles {
			sheet[k] = matrixFigure(p, k, e.Tiles[k].Modality)
		}
		return render.WriteGrid(w, [][]result.Figure{sheet}, title+", "+e.Note(), format)
	}
	for k, t := range e.Tiles {
		if t.Modality == figure && !t.Absent() {
			f := matrixFigure(p, k, title+", "+figure)
			f.Note = e.Note()
			return render.Draw(w, f, render.Part{}, format)
		}
	}
	return fmt.Errorf("model %s: no figure %q", e.Model.ID, figure)
}

func matrixFigure(p evidence.Prepared, k int, title string) result.Figure {
	t := p.Tiles[k]
	f := t.Matrix.Figure(p.Axis(), p.View.Scale(t.Modality), t.Modality)
	f.Title, f.Empty = title, t.Reason
	return f
}

// tileMenu copies and saves the matrix of a tile.
func (s *Screen) tileMenu(k int) []*fyne.MenuItem {
	d := s.data()
	p := d.frame.shown
	if k >= len(p.Tiles) || p.Tiles[k].Absent() {
		return nil
	}
	name := p.Tiles[k].Modality
	f := matrixFigure(p, k, fmt.Sprintf("%s, %s, %s, %s", p.Model.ID, p.Suite, p.Family, name))
	f.Note = p.Note()
	saved := figures.Of(f, p.Model.ID, name)
	saved.Command = s.Subject().Matrices([]string{p.Model.ID}, name)
	return s.Saver().Entries(saved)
}

// figureOptions is which figure is saved.
type figureOptions struct {
	Figure string `help:"What is drawn: all matrices, one of them, or how accurate the model is." source:"figures"`
	Format string `help:"PNG is pixels; SVG and PDF are lines and letters, for print." enum:"png,svg,pdf" default:"png"`
}

// AskFigure asks which figure is to be saved, in which format and where.
func (s *Screen) AskFigure() {
	p := s.data().frame.shown
	if !p.Ready() {
		return
	}
	ask := &kit.Ask[figureOptions]{
		Title: "Save figure", Button: "Choose file…", Size: fyne.NewSize(480, 240), Closed: func() { s.Focus() },
		Form: &kit.Form[figureOptions]{
			Host: s.Host,
			Choices: func(string) (list []kit.Option, first string) {
				for _, name := range Figures(p.Evidence) {
					list = append(list, kit.Option{Key: name, Name: name})
				}
				return list, ""
			},
		},
		Do: func(d *kit.Dialog, o figureOptions) {
			d.Close()
			s.Saver().Ask(FileName(p.Evidence, o.Figure, o.Format),
				func(w io.Writer) error { return WriteFigure(w, p, o.Figure, o.Format) })
		},
	}
	ask.Open()
}
