package models

import (
	"image"
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/ui/kit"
	parts "github.com/variscope/variscope/ui/widget"
)

// gallery shows one matrix of every model, all under one colour range. Keys and mouse do what they
// do in the table.
type gallery struct {
	widget.GridWrap
	screen  *Screen
	hatch   image.Image
	hovered int  // row under the pointer, -1 for none
	shift   bool // is held down
}

var (
	_ desktop.Keyable   = (*gallery)(nil)
	_ fyne.Shortcutable = (*gallery)(nil)
	_ kit.Look          = (*gallery)(nil)
)

// hatchSize is the side of the picture for models that do not have the matrix.
const hatchSize = 64

func (g *gallery) update(at int, t *matrixTile) {
	s := g.screen
	r, ok := s.list.At(at)
	if !ok {
		return
	}
	content := tileContent{
		id: r.Model.ID, line: tileLine(r), warns: r.Chance.Flagged() || r.Looks.Doubtful(), side: s.looks.Tile,
		selected: s.list.IsSelected(at), checked: s.list.IsMarked(at), hovered: g.hovered == at,
	}
	content.picture, content.missing = s.tileOf(r)
	if content.missing == absentText {
		content.picture = g.hatch
	}
	if t.at == at && t.content == content {
		return
	}
	t.at, t.content = at, content
	t.Refresh()
}

// resized lays tiles of another size out anew. Fyne counts the columns only when the grid itself
// is resized.
func (g *gallery) resized() {
	g.Refresh()
	g.Resize(g.Size())
}

// tileLine is what stands under a tile's id: label and accuracy, else the state.
func tileLine(r inventory.Row) string {
	var parts []string
	if r.Verdict != nil && r.Verdict.Label != "" {
		parts = append(parts, r.Verdict.Label)
	}
	if !math.IsNaN(r.Accuracy) {
		parts = append(parts, "acc. "+result.Share.Say(r.Accuracy, 0))
	}
	if r.Chance.Flagged() {
		parts = append([]string{r.Chance.Code.Word()}, parts...)
	}
	if wanted, ok := r.Looks.Wanted(); ok {
		parts = append([]string{"wants " + wanted.Name + "?"}, parts...)
	}
	if len(parts) == 0 || r.State != inventory.Ready {
		parts = append(parts, r.Said())
	}
	return strings.Join(parts, " · ")
}

// absentText is what a tile says of a model without the matrix's position.
const absentText = "absent"

// tileOf is the picture of a row under the gallery's modality and range, nil while it is being
// made, and the word in its place when there is none.
func (s *Screen) tileOf(r inventory.Row) (picture image.Image, missing string) {
	if r.Set == "" {
		return nil, "no signals"
	}
	for _, position := range r.Absent {
		if strings.HasSuffix(s.looks.Modality, "@"+position) {
			return nil, absentText
		}
	}
	scale, _, ok := s.galleryScale()
	if !ok {
		return nil, "…"
	}
	one := thumb{
		r.Model.Hash, r.Set, s.data.current, s.looks.Modality, s.scales.colours,
		[5]label.Range{{Low: scale.Low, High: scale.High}},
	}
	if _, failed := s.failedThumbs.Load(one); failed {
		return nil, "not among this run's matrices"
	}
	return s.pictures.Picture(one), ""
}

// galleryScale is the colour scale of all tiles: the shared one of the modality or what the
// workspace has chosen in its place, with the badge that says so. ok is false while the shared one
// is not known.
func (s *Screen) galleryScale() (scale render.Scale, badge string, ok bool) {
	scale, ok = s.scales.by[s.looks.Modality]
	if !ok {
		return scale, "", false
	}
	view := s.data.view
	view.Shared, view.Was, view.Fresh = rangesOf(s.scales.by), rangesOf(s.scales.was), rangesOf(s.scales.fresh)
	chosen, badge := view.Range(s.looks.Modality)
	if chosen.Low < chosen.High {
		scale.Low, scale.High = chosen.Low, chosen.High
	}
	return scale, badge, true
}

// stripOf is the strip of a row in the table, nil while it is being made and without signals.
func (s *Screen) stripOf(r inventory.Row) image.Image {
	if r.Set == "" || len(s.scales.by) == 0 {
		return nil
	}
	one := thumb{model: r.Model.Hash, set: r.Set, current: s.data.current, colours: s.scales.colours}
	for at, m := range signal.DefaultModalities() {
		one.ranges[at] = label.Range{Low: s.scales.by[m.String()].Low, High: s.scales.by[m.String()].High}
	}
	if _, failed := s.failedThumbs.Load(one); failed {
		return nil
	}
	return s.pictures.Picture(one)
}

// FocusGained does nothing: the selected tile shows where the keyboard is.
func (g *gallery) FocusGained() {}

// FocusLost forgets a held Shift key, whose release goes elsewhere.
func (g *gallery) FocusLost() { g.shift = false }

// KeyDown and KeyUp follow the Shift key, which other key events do not tell.
func (g *gallery) KeyDown(ev *fyne.KeyEvent) { g.hold(ev, true) }
func (g *gallery) KeyUp(ev *fyne.KeyEvent)   { g.hold(ev, false) }

func (g *gallery) hold(ev *fyne.KeyEvent, down bool) {
	if ev.Name == desktop.KeyShiftLeft || ev.Name == desktop.KeyShiftRight {
		g.shift = down
	}
}

// TypedKey moves the selected model; other keys are those of the table.
func (g *gallery) TypedKey(ev *fyne.KeyEvent) {
	columns, records := g.ColumnCount(), g.screen.list
	page := columns * max(1,
		int(g.Size().Height/(tileSize(g.screen.looks.Tile).Height+g.Theme().Size(theme.SizeNamePadding))))
	at, last := records.Place(), records.Len()-1
	steps := map[fyne.KeyName]int{
		fyne.KeyDown: columns, fyne.KeyUp: -columns, fyne.KeyRight: 1, fyne.KeyLeft: -1, fyne.KeyPageDown: page,
		fyne.KeyPageUp: -page, fyne.KeyHome: -last - 1, fyne.KeyEnd: last + 1,
	}
	step, moves := steps[ev.Name]
	switch {
	case !moves || last < 0:
		records.TypedKey(ev)
	case at < 0:
		records.Move(0, false)
	default:
		records.Move(min(max(at+step, 0), last), g.shift)
	}
}

// TypedRune begins to filter.
func (g *gallery) TypedRune(r rune) { g.screen.list.TypedRune(r) }

// TypedShortcut takes Ctrl+A and the like.
func (g *gallery) TypedShortcut(shortcut fyne.Shortcut) { g.screen.list.TypedShortcut(shortcut) }

// hover marks the tile under the pointer and says more about its model.
func (g *gallery) hover(row int) {
	if g.hovered == row {
		return
	}
	g.hovered = row
	g.Refresh()
	if r, ok := g.screen.list.At(row); ok {
		g.screen.detail.SetText(r.Detail())
		return
	}
	g.screen.refreshDetail()
}

// matrixTile is one model of the gallery.
type matrixTile struct {
	widget.BaseWidget
	screen  *Screen
	at      int
	content tileContent
}

// tileContent is what a tile shows.
type tileContent struct {
	id, line string
	picture  image.Image
	missing  string
	warns    bool // the line begins with a badge's word
	side     float32
	selected,
	checked,
	hovered bool
}

var (
	_ desktop.Mouseable   = (*matrixTile)(nil)
	_ desktop.Hoverable   = (*matrixTile)(nil)
	_ fyne.DoubleTappable = (*matrixTile)(nil)
)

func newMatrixTile(s *Screen) *matrixTile {
	t := &matrixTile{screen: s, at: -1}
	t.content.side = s.looks.Tile
	t.ExtendBaseWidget(t)
	return t
}

// MouseDown selects; in the corner of the check mark it checks.
func (t *matrixTile) MouseDown(e *desktop.MouseEvent) {
	corner := e.Position.X < checkCorner && e.Position.Y < checkCorner
	t.screen.list.Press(t.at, e, corner, t)
}

func (t *matrixTile) MouseUp(*desktop.MouseEvent)         {}
func (t *matrixTile) DoubleTapped(*fyne.PointEvent)       { t.screen.list.Open(t.at) }
func (t *matrixTile) MouseIn(*desktop.MouseEvent)         { t.screen.gallery.hover(t.at) }
func (t *matrixTile) MouseMoved(*desktop.MouseEvent)      {}
func (t *matrixTile) MouseOut()                           { t.screen.gallery.hover(-1) }
func (t *matrixTile) MinSize() fyne.Size                  { return tileSize(t.content.side) }
func (t *matrixTile) CreateRenderer() fyne.WidgetRenderer { return newTileRenderer(t) }

const (
	tilePad     = 6
	checkCorner = 30
	captionRoom = 40 // two lines under the matrix, for the usual size of text
)

func tileSize(side float32) fyne.Size {
	return fyne.NewSize(side+2*tilePad, side+2*tilePad+captionRoom*parts.Grown())
}

type tileRenderer struct {
	tile              *matrixTile
	ground, patch     *canvas.Rectangle // the patch keeps the check mark apart from the matrix
	picture           *canvas.Image
	id, line, missing *canvas.Text
	check             *widget.Icon
}

func newTileRenderer(t *matrixTile) *tileRenderer {
	r := &tileRenderer{
		tile: t, ground: canvas.NewRectangle(color.Transparent), check: widget.NewIcon(nil),
		picture: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScalePixels},
		id:      canvas.NewText("", nil), line: canvas.NewText("", nil), missing: canvas.NewText("", nil),
	}
	r.patch = canvas.NewRectangle(color.Transparent)
	r.patch.CornerRadius = 3
	r.id.TextStyle.Bold = true
	r.missing.Alignment = fyne.TextAlignCenter
	r.Refresh()
	return r
}

// Destroy implements fyne.WidgetRenderer.
func (r *tileRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *tileRenderer) MinSize() fyne.Size { return r.tile.MinSize() }

// Objects implements fyne.WidgetRenderer.
func (r *tileRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.picture, r.missing, r.id, r.line, r.patch, r.check}
}

// Layout implements fyne.WidgetRenderer.
func (r *tileRenderer) Layout(size fyne.Size) {
	side := r.tile.content.side
	r.ground.Resize(size)
	r.picture.Move(fyne.NewPos(tilePad, tilePad))
	r.picture.Resize(fyne.NewSquareSize(side))
	r.missing.Move(fyne.NewPos(tilePad, tilePad+side/2-8))
	r.missing.Resize(fyne.NewSize(side, 16))
	r.id.Move(fyne.NewPos(tilePad, tilePad+side+2))
	r.line.Move(fyne.NewPos(tilePad, tilePad+side+2+18*parts.Grown()))
	r.check.Move(fyne.NewPos(tilePad+2, tilePad+2))
	r.check.Resize(fyne.NewSquareSize(20))
	r.patch.Move(fyne.NewPos(tilePad+2, tilePad+2))
	r.patch.Resize(fyne.NewSquareSize(20))
}

// Refresh implements fyne.WidgetRenderer.
func (r *tileRenderer) Refresh() {
	c, th, variant := r.tile.content, r.tile.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.ground.FillColor = color.Transparent
	switch {
	case c.selected:
		r.ground.FillColor = th.Color(theme.ColorNameSelection, variant)
	case c.hovered:
		r.ground.FillColor = th.Color(theme.ColorNameHover, variant)
	}
	r.ground.Refresh()
	if r.picture.Image != c.picture {
		r.picture.Image = c.picture
		r.picture.Refresh()
	}
	parts.Show(r.picture, c.picture != nil)
	foreground, faint := th.Color(theme.ColorNameForeground, variant), th.Color(theme.ColorNamePlaceHolder, variant)
	caption := th.Size(theme.SizeNameCaptionText)
	r.write(r.id, c.id, foreground, th.Size(theme.SizeNameText)-1)
	line := faint
	if c.warns {
		line = th.Color(theme.ColorNameWarning, variant)
	}
	r.write(r.line, c.line, line, caption)
	r.write(r.missing, c.missing, faint, caption)
	r.patch.FillColor = th.Color(theme.ColorNameBackground, variant)
	r.patch.Refresh()
	parts.Show(r.patch, c.checked || c.hovered)
	parts.Show(r.check, c.checked || c.hovered)
	r.check.SetResource(theme.CheckButtonIcon())
	if c.checked {
		r.check.SetResource(theme.NewPrimaryThemedResource(theme.CheckButtonCheckedIcon()))
	}
	r.Layout(r.tile.Size())
}

func (r *tileRenderer) write(t *canvas.Text, text string, c color.Color, size float32) {
	t.TextSize = size
	t.Text = fit(text, t, r.tile.content.side)
	t.Color = c
	t.Refresh()
}

// fit cuts a text at its end with an ellipsis until it is at most width wide.
func fit(text string, t *canvas.Text, width float32) string {
	wide := func(text string) bool { return fyne.MeasureText(text, t.TextSize, t.TextStyle).Width > width }
	if !wide(text) {
		return text
	}
	letters := []rune(text)
	for n := len(letters) - 1; n > 0; n-- {
		if cut := strings.TrimRight(string(letters[:n]), " ·") + "…"; !wide(cut) {
			return cut
		}
	}
	return ""
}
