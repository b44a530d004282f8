package dscore

import (
	"fmt"
	"io"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/figures"
)

// Table is the table of models as it is shown for a file: names and hashes, the columns of the records, then all numbers with all
// digits and the ends of their intervals.
func (v *View) Table() (head []string, rows [][]string) {
	head = []string{"model_id", "model_hash", "suite", "suite_hash", "n", "t", "masks"}
	head = append(head, v.records...)
	for _, c := range scoreColumns() {
		head = append(head, c.Key)
		if c.Interval != nil {
			head = append(head, c.Key+"_low", c.Key+"_high")
		}
	}
	head = append(head, "robust_features", "robust_attention", "robust_shift", "flags", "images")
	for k := range v.shown {
		r, _ := v.At(k)
		rows = append(rows, v.line(r))
	}
	return head, rows
}

func (v *View) line(r Row) []string {
	line := []string{r.Model.ID, r.Model.Hash, r.SuiteName, r.Suite, whole(float64(r.N)), whole(float64(r.T)), r.Mask}
	for _, name := range v.records {
		line = append(line, r.Model.Value(name))
	}
	for _, c := range scoreColumns() {
		line = append(line, whole(c.Value(r)))
		switch {
		case c.Interval == nil:
		case r.Intervals.Samples == 0:
			line = append(line, "", "")
		default:
			in := c.Interval(r)
			line = append(line, whole(in.Low), whole(in.High))
		}
	}
	for _, term := range r.Score.RobustTerms {
		line = append(line, whole(term))
	}
	flags := ""
	for k, f := range r.Score.Flags {
		if k > 0 {
			flags += " "
		}
		flags += string(f)
	}
	return append(line, flags, whole(float64(r.Images)))
}

// Regions are the regions of all models that the table shows.
func (v *View) Regions() []Region {
	var list []Region
	for k := range v.shown {
		r, _ := v.At(k)
		list = append(list, regionsOf(r)...)
	}
	return list
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
	row := render.RegionsRow{Title: fmt.Sprintf("%s on %s, %s", m.Name, r.SuiteName, gridName(r.Grid))}
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
		fyne.NewMenuItem("Copy table (CSV)", func() { s.saver.Copy(figures.TableCSV(s.view.Table())) }),
		ask("Models as CSV…", "dscore.csv", figures.TableCSV(s.view.Table())),
		ask("Regions of the models as CSV…", "dscore-regions.csv", regionsCSV(s.view.Regions())),
		ask("Several n as CSV…", "dscore-several.csv", figures.TableCSV(s.view.several(0, false).Table())),
		ask("Models side by side as CSV…", "dscore-compared.csv", figures.TableCSV(s.view.comparison().Table())),
	}
	if l := f.lose; l.known {
		items = append(items, ask(fmt.Sprintf("What %s would lose as CSV…", l.made.Model.ID), figures.FileName("csv", l.made.Model.ID, "lost"), figures.TableCSV(l.made.Table())))
	}
	if d := f.main.detail; d.has && (!d.alone || d.one != nil) {
		maps := fyne.NewMenuItem(fmt.Sprintf("Maps of %s", d.maps().Name), nil)
		maps.ChildMenu = fyne.NewMenu("", s.saver.Entries(mapsFigure(d.row, d.maps(), d.saved(), d.regions()))...)
		items = append(items, fyne.NewMenuItemSeparator(), maps)
	}
	return items
}
