package clouds

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/layout"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/ui/widget"
)

// tileGrid shows the tiles of a sheet in rows and columns, each with its colour bar, so that all
// are of one size.
type tileGrid struct {
	p      *Page
	fields []*widget.Field
	more   fyne.CanvasObject // stands behind the tiles of one model
	grid   *fyne.Container
	link   widget.Link
	sheet  *sheet
	object fyne.CanvasObject
}

// field is the k-th field, made when it is needed first.
func (d *tileGrid) field(k int) *widget.Field {
	for len(d.fields) <= k {
		f := widget.NewField("")
		at := len(d.fields)
		d.link.Add(&f.Plot)
		f.OnHover = func(p widget.FieldPoint) { d.hover(at, p) }
		f.OnTapped = func(p widget.FieldPoint) { d.tap(at, p) }
		f.Menu = func() []*fyne.MenuItem { return d.menu(at) }
		d.fields = append(d.fields, f)
	}
	return d.fields[k]
}

// show shows a sheet. Fields stay where they are, so that the pointer keeps its place while
// matrices change.
func (d *tileGrid) show(s *sheet) {
	d.sheet = s
	var objects []fyne.CanvasObject
	columns := 0
	for k, t := range s.all() {
		f := d.field(k)
		f.SetTitle(s.title(t))
		if t.absent != "" {
			f.SetAbsent(t.absent)
		} else {
			f.SetPicture(t.picture)
		}
		objects = append(objects, f)
	}
	for _, row := range s.rows {
		columns = max(columns, len(row))
	}
	if s.ask.settings.Mode == One {
		objects = append(objects, d.more)
	}
	same := len(objects) == len(d.grid.Objects)
	for k := range objects {
		same = same && objects[k] == d.grid.Objects[k]
	}
	if same {
		return
	}
	d.grid.Layout = layout.NewGridLayoutWithColumns(columns)
	d.grid.Objects = objects
	d.grid.Refresh()
}

// clear shows no matrix, and why.
func (d *tileGrid) clear(why string) {
	d.sheet = nil
	for _, f := range d.fields {
		f.SetAbsent(why)
	}
}

// hover says what is there.
func (d *tileGrid) hover(at int, p widget.FieldPoint) {
	if d.sheet == nil {
		return
	}
	list := d.sheet.all()
	if at >= len(list) {
		return
	}
	d.p.hovered(d.sheet.hover(list[at], p))
}

// tap shows the images behind an element.
func (d *tileGrid) tap(at int, p widget.FieldPoint) {
	if d.sheet == nil || at >= len(d.sheet.all()) {
		return
	}
	t := d.sheet.all()[at]
	who := t.models()[0]
	cloud, ok := d.sheet.ask.cloud(who, t.measure, d.sheet.ask.settings.Share)
	if !ok {
		return
	}
	title := t.by.Name()
	if t.points() {
		title = "points"
	}
	e := d.sheet.ask.evidence[who]
	switch d.sheet.ask.settings.Mode {
	case Two:
		title = fmt.Sprintf("%s, %s", e.Model.ID, title)
	case Several:
		title = fmt.Sprintf("%s, %s", e.Selection.Name, title)
	}
	drawn := d.sheet.ask.drawn()
	d.p.images.look(&element{
		evidence: e, measure: t.measure, drawn: drawn, cloud: cloud, title: title, x: p.X, y: p.Y,
		at: scatter.Element{A: p.A, B: p.B, Raster: t.raster, By: t.by},
	})
	d.p.tabs.Select("images")
}

// menu copies and saves a tile.
func (d *tileGrid) menu(at int) []*fyne.MenuItem {
	if d.sheet == nil || at >= len(d.sheet.all()) {
		return nil
	}
	s, t := d.sheet, d.sheet.all()[at]
	if t.matrix.R == 0 {
		return nil
	}
	saved := s.one(t)
	saved.Command = s.command(d.p.site, &t)
	return d.p.Saver().Entries(saved)
}
