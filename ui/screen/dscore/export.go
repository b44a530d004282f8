package dscore

import (
	"fmt"
	"io"

	"fyne.io/fyne/v2"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/figures"
)

// sheetCSV writes a sheet as the commands do.
func sheetCSV(s *result.Sheet) func(w io.Writer) error {
	return func(w io.Writer) error { return s.CSV(w, false) }
}

// rows are those of the table in its order.
func (v *View) rows() []Row {
	list := make([]Row, 0, len(v.shown))
	for _, at := range v.shown {
		list = append(list, v.Rows[at])
	}
	return list
}

// scoresCSV writes what scores.csv of the command holds of rows. It reads the models' files
// (slow), and must not be called on the main goroutine.
func scoresCSV(from Store, rows []Row) func(w io.Writer) error {
	return func(w io.Writer) error {
		for k, r := range rows {
			maps, leftAlone, err := from.Maps(r.Model, r.Suite, r.Grid)
			if err == nil && maps != nil { // else the columns about the file are empty
				rows[k].Maps = score.NewMaps(maps, leftAlone)
			}
		}
		return score.Scores.Sheet(rows).CSV(w, false)
	}
}

// drawing is a map as it is saved.
func (m Maps) drawing(kind int, over suite.Image) render.Regions {
	return render.Regions{
		Title: mapTitle(kind), Image: over, N: m.N, Values: m.Values[kind], Scale: m.Scales[kind], Legend: mapLegend(kind), Text: mapText(kind, m.N),
	}
}

// mapFigure is one map as it is saved; regions are its numbers.
func mapFigure(r Row, m Maps, kind int, over suite.Image, regions []Region) figures.Figure {
	drawing := m.drawing(kind, over)
	drawing.Title = fmt.Sprintf("%s: %s", m.Name, mapTitle(kind))
	return figures.Figure{
		Name: []string{m.Name, mapKey(kind), r.SuiteName}, Write: drawing.Write, CSV: regionsCSV(regions),
	}
}

// mapsFigure are the three maps side by side as they are saved.
func mapsFigure(r Row, m Maps, over suite.Image, regions []Region) figures.Figure {
	row := render.RegionsRow{Title: fmt.Sprintf("%s on %s, %s", m.Name, r.SuiteName, r.Grid.String())}
	for kind := range mapKinds {
		row.Maps = append(row.Maps, m.drawing(kind, over))
	}
	return figures.Figure{Name: []string{m.Name, "dscore", r.SuiteName}, Write: row.Write, CSV: regionsCSV(regions)}
}

// figure is one of the maps that are shown, as it is saved.
func (d *detail) figure(kind int) figures.Figure {
	return mapFigure(d.row, d.maps(), kind, d.saved(), d.regions())
}

// saved is what lies below the maps, for files.
func (d *detail) saved() suite.Image {
	if d.one == nil {
		return d.average.image
	}
	if p := d.picture(); p != nil {
		return imageOf(p)
	}
	return suite.Image{}
}

// exportMenu offers the tables, and the maps of the selected model.
func (f *face) exportMenu() []*fyne.MenuItem {
	s := f.s
	ask := func(text, name string, write func(w io.Writer) error) *fyne.MenuItem {
		return fyne.NewMenuItem(text, func() { s.saver.Ask(name, write) })
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy table (CSV)", func() { s.saver.Copy(scoresCSV(s.deps.Store, s.view.rows())) }),
		ask("Models as CSV…", "dscore.csv", scoresCSV(s.deps.Store, s.view.rows())),
		ask("Regions of the models as CSV…", "dscore-regions.csv",
			sheetCSV(score.Regions.Sheet(score.RegionsOf(s.view.rows())))),
		ask("Several n as CSV…", "dscore-several.csv", figures.TableCSV(s.view.several(0, false).Table())),
		ask("Models side by side as CSV…", "dscore-compared.csv", figures.TableCSV(s.view.comparison().Table())),
	}
	if l := f.lose; l.known {
		items = append(items, ask(fmt.Sprintf("What %s would lose as CSV…", l.made.Model.ID),
			figures.FileName("csv", l.made.Model.ID, "lost"), sheetCSV(l.made.sheet(s.settings.Tolerance))))
	}
	if d := f.main.detail; d.has && (!d.alone || d.one != nil) {
		maps := fyne.NewMenuItem(fmt.Sprintf("Maps of %s", d.maps().Name), nil)
		maps.ChildMenu = fyne.NewMenu("", s.saver.Entries(mapsFigure(d.row, d.maps(), d.saved(), d.regions()))...)
		items = append(items, fyne.NewMenuItemSeparator(), maps)
	}
	return items
}
