package evidence

import (
	"cmp"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// Prepared is evidence with its pictures made for a view. Prepare does the raster work off the
// main goroutine.
type Prepared struct {
	Evidence
	View     View
	pictures []widget.Picture
	fields   []widget.FieldPicture // in the place of pictures for a background round
	badges   []string
}

// Prepare makes the pictures of the evidence under a view. It is safe for several goroutines.
func Prepare(e Evidence, v View) Prepared {
	p := Prepared{
		Evidence: e, View: v, pictures: make([]widget.Picture, len(e.Tiles)),
		fields: make([]widget.FieldPicture, len(e.Tiles)), badges: make([]string, len(e.Tiles)),
	}
	for k, t := range e.Tiles {
		if t.Absent() {
			continue
		}
		if e.Scenes != nil {
			p.fields[k] = v.fieldPicture(e, t)
		} else {
			p.pictures[k] = widget.NewPicture(t.Matrix, v.Scale(t.Modality), e.Axis())
		}
		_, p.badges[k] = v.Range(t.Modality)
	}
	return p
}

// Scale is the colour scale of a modality under the view.
func (v View) Scale(modality string) render.Scale {
	r, _ := v.Range(modality)
	colours, ok := render.MapByName(v.Map)
	if !ok {
		colours = &render.Viridis
	}
	return render.Scale{Low: r.Low, High: r.High, Map: colours}
}

// Matrices shows the matrices of one model side by side, each with its own colour bar; those of a
// background round in rows of measures and columns of interpolants. It is used on the main
// goroutine.
type Matrices struct {
	box     *fyne.Container
	tiles   []*widget.MatrixTile
	fields  []*widget.Field // in the place of tiles for a background round
	link    widget.Link     // the crosshair that all tiles or fields share
	keys    widget.Keys
	onHover func(text string)
	onTap   func()
	shown   Prepared
	only    int               // the tile that stands alone, -1 for all
	wrap    bool              // the tiles may take several rows
	grid    grid              // set where an Area lays the tiles out
	laid    int               // columns of fields as they were laid out last
	notes   int               // lines below each tile
	changed func()            // after the number of tiles changed
	scroll  *container.Scroll // that an Area puts around the tiles

	// OnCell is told which element of which tile was clicked or confirmed, OnMoved where the arrow
	// keys have moved to (Inside false after Escape). Both may be nil.
	OnCell, OnMoved func(tile int, c widget.Cell)
	// Keyed is given the keys of tiles before they use them; nil leaves them with the keys of
	// NewMatrices.
	Keyed func(tile int, ev *fyne.KeyEvent) bool
	// Menu are the entries that copy and save a tile; nil for no menu. It is set before Show.
	Menu func(tile int) []*fyne.MenuItem
	// OnBadge is told of a click on the remark about a range; nil where there is nothing to do.
	OnBadge func()
	// Outside has the badges say how many elements lie outside the range.
	Outside bool
}

// NewMatrices makes empty ones. Keys that a matrix does not use go to keys; onHover gets the
// read-out, "" when the pointer leaves; onTap is called after a click on a matrix and may be nil.
func NewMatrices(keys widget.Keys, onHover func(text string), onTap func()) *Matrices {
	r := &Matrices{keys: keys, onHover: onHover, onTap: onTap, only: -1, changed: func() {}}
	r.box = container.New(tileLayout{r})
	return r
}

// Object is what the screen shows.
func (r *Matrices) Object() fyne.CanvasObject { return r.box }

// Shown is the evidence on the row.
func (r *Matrices) Shown() Prepared { return r.shown }

// Tiles are the row's matrices in their order.
func (r *Matrices) Tiles() []*widget.MatrixTile { return r.tiles }

// Show puts evidence on the row.
func (r *Matrices) Show(p Prepared) {
	before := r.arrangement()
	if p.Model.Hash != r.shown.Model.Hash || p.Filter != r.shown.Filter || p.Suite != r.shown.Suite ||
		p.Family != r.shown.Family {
		for _, tile := range r.tiles {
			tile.Heatmap().Leave()
		}
		for _, f := range r.fields {
			f.Leave()
		}
	}
	r.shown = p
	r.fit(len(p.Tiles))
	if r.arrangement() != before {
		r.changed()
	}
	if p.Scenes != nil {
		for k, t := range p.Tiles {
			f := r.fields[k]
			title := t.Title()
			if badge := p.badges[k]; badge != "" && r.barred(k) {
				title += " (" + badge + ")"
			}
			f.SetTitle(title)
			f.SetBar(r.barred(k))
			if t.Absent() {
				f.SetAbsent(t.Reason)
				continue
			}
			f.SetPicture(p.fields[k])
		}
		return
	}
	for k, t := range p.Tiles {
		tile := r.tiles[k]
		tile.SetTitle(t.Modality)
		if t.Absent() {
			tile.SetAbsent(t.Reason)
			tile.SetBadge("")
			continue
		}
		tile.SetPicture(p.pictures[k])
		tile.SetBadge(r.badge(k))
	}
	widget.LineUp(r.tiles[:len(p.Tiles)])
}

// arrangement is the number of tiles and, for a background round, of columns.
func (r *Matrices) arrangement() [2]int { return [2]int{len(r.shown.Tiles), r.columns()} }

// columns is the number of columns of fields: what the evidence asks for, else what its area has
// found best; 0 for what else is shown.
func (r *Matrices) columns() int {
	if r.shown.Scenes == nil || r.only >= 0 {
		return 0
	}
	return cmp.Or(r.shown.Scenes.Columns, r.grid.columns, len(r.shown.Tiles))
}

// badge is the remark about the range of tile k, and about what lies outside it.
func (r *Matrices) badge(k int) string {
	text, outside := r.shown.badges[k], OutsideText(r.shown.pictures[k])
	switch {
	case !r.Outside || outside == "":
		return text
	case text == "":
		return outside
	}
	return text + "; " + outside
}

// OutsideText says how many elements lie outside the range of a picture, "" for none.
func OutsideText(p widget.Picture) string {
	var parts []string
	if p.Over > 0 {
		parts = append(parts, fmt.Sprintf("%s above", result.Whole(p.Over)))
	}
	if p.Under > 0 {
		parts = append(parts, fmt.Sprintf("%s below", result.Whole(p.Under)))
	}
	return strings.Join(parts, ", ")
}

// Mark outlines an element of all tiles; none with i or j below 0.
func (r *Matrices) Mark(i, j int) {
	var marks []widget.Mark
	if i >= 0 && j >= 0 {
		marks = []widget.Mark{{I: i, J: j}}
	}
	for _, tile := range r.tiles {
		tile.Heatmap().SetMarks(marks)
	}
}

// Note puts lines below the tiles, notes[k] below tile k; all tiles get the same number of lines.
func (r *Matrices) Note(notes [][]string) {
	lines := 0
	for _, n := range notes {
		lines = max(lines, len(n))
	}
	for k, tile := range r.tiles {
		padded := make([]string, lines)
		if k < len(notes) {
			copy(padded, notes[k])
		}
		tile.SetNotes(padded)
	}
	if lines != r.notes {
		r.notes = lines
		r.changed()
	}
}

// Blank hatches all tiles, while the evidence of a model is being read, say.
func (r *Matrices) Blank(e Evidence) { r.Show(Prepare(e, r.shown.View)) }

// fit makes as many tiles as are needed; tiles are kept and hidden, since making them is slow.
func (r *Matrices) fit(n int) {
	if r.shown.Scenes != nil {
		for len(r.fields) < n {
			k := len(r.fields)
			f := widget.NewField("")
			f.Keys = r.keys
			f.OnHover = func(p widget.FieldPoint) { r.hoverField(k, p) }
			f.OnTapped = func(p widget.FieldPoint) {
				r.hoverField(k, p)
				if r.onTap != nil {
					r.onTap()
				}
			}
			r.link.Add(&f.Plot)
			r.fields = append(r.fields, f)
			r.box.Add(f)
		}
		r.reveal(n)
		return
	}
	for len(r.tiles) < n {
		k := len(r.tiles)
		tile := widget.NewMatrixTile("")
		tile.OnHover = func(c widget.Cell) { r.hover(k, c) }
		tile.OnTapped = func(c widget.Cell) {
			r.hover(k, c)
			if r.OnCell != nil {
				r.OnCell(k, c)
			}
			if r.onTap != nil {
				r.onTap()
			}
		}
		tile.OnBadge = func() {
			if r.OnBadge != nil {
				r.OnBadge()
			}
		}
		tile.Heatmap().Wheel = func(ev *fyne.ScrollEvent) bool {
			return r.scroll != nil && widget.Scrolling(r.scroll)(ev)
		}
		if r.Menu != nil {
			tile.Heatmap().Menu = func() []*fyne.MenuItem { return r.Menu(k) }
		}
		r.link.Add(&tile.Heatmap().Plot)
		heat := tile.Heatmap()
		heat.Keys = r.keys
		heat.OnMoved = func(c widget.Cell) {
			if r.OnMoved != nil {
				r.OnMoved(k, c)
			}
		}
		if r.Keyed != nil {
			heat.OnKey = func(ev *fyne.KeyEvent) bool { return r.Keyed(k, ev) }
		}
		r.tiles = append(r.tiles, tile)
		r.box.Add(tile)
	}
	r.reveal(n)
}

// reveal shows the first n tiles or fields, or of these the one that stands alone.
func (r *Matrices) reveal(n int) {
	if r.only >= n {
		r.only = -1
	}
	seen := func(k int) bool { return k < n && (r.only < 0 || r.only == k) }
	for k, tile := range r.tiles {
		widget.Show(tile, r.shown.Scenes == nil && seen(k))
	}
	for k, f := range r.fields {
		f.SetBar(r.barred(k))
		widget.Show(f, r.shown.Scenes != nil && seen(k))
	}
}

// Enlarge gives the whole room to one matrix, also of the models that are shown next; -1 shows all
// again.
func (r *Matrices) Enlarge(only int) {
	r.only = only
	r.reveal(len(r.shown.Tiles))
	r.changed()
}

// seen is the number of tiles that are shown.
func (r *Matrices) seen() int {
	if r.only >= 0 {
		return 1
	}
	return len(r.shown.Tiles)
}

// Enlarged is the matrix that stands alone, -1 when all are shown.
func (r *Matrices) Enlarged() int { return r.only }

func (r *Matrices) hover(k int, c widget.Cell) {
	if r.onHover == nil {
		return
	}
	if !c.Inside {
		r.onHover("")
		return
	}
	r.onHover(r.shown.ReadOut(k, c.I, c.J))
}
