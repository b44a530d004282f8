package clouds

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	measure "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// field is a tile as it is saved.
func (s *sheet) field(t tile) result.Figure {
	value := string(t.measure)
	if s.logarithmic(t) {
		value = "log10 of points"
	}
	f := t.matrix.Figure(s.ask.far(), t.picture.Scale, value)
	f.Title, f.Empty, f.Note = s.title(t), t.absent, fmt.Sprintf("%d targets", s.targets())
	if t.preview {
		f.Note += ", preview"
	}
	return f
}

// figure is all tiles as they are saved: pictures in rows and columns as they are shown, values as
// a table with a row per element.
func (s *sheet) figure() figures.Figure {
	var rows [][]result.Figure
	for _, row := range s.rows {
		var fields []result.Figure
		for _, t := range row {
			fields = append(fields, s.field(t))
		}
		rows = append(rows, fields)
	}
	title := fmt.Sprintf("%s in the scenes of %s", s.who(), strings.Join(s.selections(), ", "))
	return figures.Figure{
		Name: s.names("matrices"), Write: figures.Rows(rows, title),
		CSV: func(w io.Writer) error { return s.elements(w, s.all()) },
	}
}

// selections are those whose scenes are shown, each once.
func (s *sheet) selections() (names []string) {
	for _, e := range s.ask.evidence {
		if name := s.ask.selection(e); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// one is one tile as it is saved.
func (s *sheet) one(t tile) figures.Figure {
	name := t.by.Name()
	if t.points() {
		name = s.ask.settings.Points
	}
	f := s.field(t)
	f.Title = fmt.Sprintf("%s: %s", s.who(), f.Title)
	saved := figures.Of(f, s.names(string(t.measure), name)...)
	saved.CSV = func(w io.Writer) error { return s.elements(w, []tile{t}) }
	return saved
}

// command is the command that makes the matrix of a tile, or for nil those of all measures or
// selections. It is "" for points, differences and what has some of them: no command makes these.
func (s *sheet) command(site page.Site, t *tile) string {
	choice := s.ask.settings
	if t == nil && choice.Mode != All && choice.Mode != Several || t != nil && (t.points() || t.model == difference) {
		return ""
	}
	e, selections := s.ask.evidence[0], s.selections()
	if t != nil && choice.Mode == Two {
		e = s.ask.evidence[t.model]
	}
	return site.Matrices([]string{e.Model.ID}, selections, func(o *measure.MatrixOptions) {
		colours, _ := choice.colours()
		o.Measure, o.Share, o.Seed, o.High = []string{"all"}, float64(choice.Share)/wholeShare, choice.Seed,
			colours.High
		if choice.Mode != All {
			o.Measure = []string{choice.Measure}
		}
		if t != nil {
			o.Measure, o.Interpolant, o.Raster = []string{string(t.measure)}, []string{t.by.Name()}, t.raster
		}
	})
}

// names are the parts of the names of files.
func (s *sheet) names(more ...string) []string {
	list := strings.Split(s.who(), " ")
	if s.ask.settings.Mode != All {
		list = append(list, s.ask.settings.Measure)
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

// interpolated says where a tile's matrix comes from, with its features.
func (s *sheet) interpolated(t tile) *measure.Interpolated {
	cloud, _ := s.ask.cloud(t.models()[0], t.measure, s.ask.settings.Share)
	f := s.ask.evidence[t.models()[0]].Interpolated(t.measure, cloud, t.by, t.matrix)
	if t.model == difference {
		f.Model, f.Hash = fmt.Sprintf("%s − %s", f.Model, s.ask.evidence[1].Model.ID), ""
	}
	if t.points() {
		f.Name, f.By = s.ask.settings.Points, scatter.Interpolant{}
	}
	return &f
}

// elements writes the elements of tiles.
func (s *sheet) elements(w io.Writer, list []tile) error {
	out := measure.Elements.Stream(w, false)
	for _, t := range list {
		if t.matrix.R > 0 {
			out.Write(measure.ElementsOf(s.interpolated(t))...)
		}
	}
	return out.Close()
}

// features writes a row per matrix, as `variscope background matrix` does.
func (s *sheet) features(w io.Writer) error {
	var rows []measure.Interpolated
	for _, t := range s.all() {
		if t.matrix.R > 0 && !t.points() && t.model != difference {
			rows = append(rows, *s.interpolated(t))
		}
	}
	return measure.Matrices.Sheet(rows).CSV(w, false)
}

// saveMenu are the entries behind Save….
func (p *Page) saveMenu() []*fyne.MenuItem {
	s := p.renewer.sheet
	if s == nil {
		return nil
	}
	save := func(text string, write func(io.Writer) error, name ...string) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { p.Saver().Ask(figures.FileName("csv", name...), write) })
	}
	saved := s.figure()
	saved.Command = s.command(p.site, nil)
	items := p.Saver().Entries(saved)
	return append(items, fyne.NewMenuItemSeparator(),
		save("Features of these matrices as CSV…", s.features, s.names("features")...))
}
