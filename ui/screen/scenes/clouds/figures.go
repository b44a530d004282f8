package clouds

import (
	"fmt"
	"io"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/render"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/figures"
)

// field is a tile as it is saved.
func (s *sheet) field(t tile) render.Field {
	f := render.Field{
		Title: s.title(t), Matrix: t.matrix, Absent: t.absent, D: s.far(), Scale: t.picture.Scale, Caption: string(t.measure),
		X: "semantic distance of image i", Y: "semantic distance of image j",
	}
	if s.logarithmic(t) {
		f.Caption = "log10 of points"
	}
	notes := []string{fmt.Sprintf("%d targets", s.targets())}
	if t.preview {
		notes = append(notes, "preview")
	}
	f.Note = strings.Join(notes, ", ")
	return f
}

// drawing writes all tiles: pictures in rows and columns as they are shown, values as a table with
// a row per element.
func (s *sheet) drawing() figures.Drawing {
	return func(w io.Writer, format string) error {
		if format == "csv" {
			return s.elements(w, s.all())
		}
		var rows [][]render.Field
		for _, row := range s.rows {
			var fields []render.Field
			for _, t := range row {
				fields = append(fields, s.field(t))
			}
			rows = append(rows, fields)
		}
		return render.Fields(w, format, rows, fmt.Sprintf("%s in the scenes of %s", s.who(), s.ask.evidence[0].Selection.Name))
	}
}

// one writes one tile.
func (s *sheet) one(t tile) figures.Drawing {
	return func(w io.Writer, format string) error {
		if format == "csv" {
			return s.elements(w, []tile{t})
		}
		f := s.field(t)
		f.Title = fmt.Sprintf("%s: %s", s.who(), f.Title)
		return f.Write(w, format)
	}
}

// names are the parts of the names of files.
func (s *sheet) names(more ...string) []string {
	list := strings.Split(s.who(), " ")
	if s.ask.settings.Mode != All {
		list = append(list, string(s.ask.settings.Measure))
	}
	return append(list, more...)
}

// all are the tiles in order.
func (s *sheet) all() []tile {
	var list []tile
	for _, row := range s.rows {
		list = append(list, row...)
	}
	return list
}

// row says where a tile's matrix comes from, with its features.
func (s *sheet) row(t tile) scenes.FieldRow {
	e := *s.ask.evidence[t.models()[0]]
	if t.model == difference {
		e.Model.ID, e.Model.Hash = fmt.Sprintf("%s − %s", e.Model.ID, s.ask.evidence[1].Model.ID), ""
	}
	cloud, _ := s.ask.cloud(t.models()[0], t.measure)
	r := scenes.NewFieldRow(e, t.measure, cloud, t.by, t.matrix)
	if t.points() {
		r.Interpolant = string(s.ask.settings.Points)
	}
	return r
}

// elements writes the elements of tiles.
func (s *sheet) elements(w io.Writer, list []tile) error {
	return writeTable(w, scenes.ElementHead(), func(row func(...string) error) error {
		for _, t := range list {
			if t.matrix.R == 0 {
				continue
			}
			if err := s.row(t).Elements(t.matrix, s.far(), row); err != nil {
				return err
			}
		}
		return nil
	})
}

// features writes a row per matrix, as `variscope background matrix` does.
func (s *sheet) features(w io.Writer) error {
	return writeTable(w, scenes.FieldHead(), func(row func(...string) error) error {
		for _, t := range s.all() {
			if t.matrix.R == 0 || t.points() || t.model == difference {
				continue
			}
			if err := row(s.row(t).Cells()...); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeTable(w io.Writer, head []string, fill func(row func(...string) error) error) error {
	out := comma.NewWriter(w)
	if err := out.Write(head); err != nil {
		return err
	}
	if err := fill(func(cells ...string) error { return out.Write(cells) }); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// saveMenu are the entries behind Save….
func (p *Page) saveMenu() []*fyne.MenuItem {
	s := p.board.sheet
	if s == nil {
		return nil
	}
	save := func(text string, write func(io.Writer) error, name ...string) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { p.saver.Ask(figures.FileName("csv", name...), write) })
	}
	items := p.saver.Menu(s.drawing, func() []string { return s.names("matrices") })
	return append(items, fyne.NewMenuItemSeparator(),
		save("Features of these matrices as CSV…", s.features, s.names("features")...))
}
