package widget

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// MatrixTile is a matrix with its name above, its colour bar at the right and a badge that names an
// unusual range. When the matrix is absent, it is a hatched square with the reason.
type MatrixTile struct {
	widget.BaseWidget
	// OnHover and OnTapped are those of the heatmap.
	OnHover  func(Cell)
	OnTapped func(Cell)
	// OnBadge is called after a click on the badge; may be nil.
	OnBadge func()

	title string
	heat  *Heatmap
	badge *Badge
	notes []string
	head  head // what the row needs above its squares; zero for a tile on its own
}

// head is what stands above a square: the width of title and badge beside each other, and whether
// there is a badge.
type head struct {
	width  float32
	badged bool
}

// NewMatrixTile makes a tile without a matrix.
func NewMatrixTile(title string) *MatrixTile {
	t := &MatrixTile{title: title, heat: NewHeatmap(), badge: NewBadge()}
	t.heat.Signless = true
	t.heat.OnHover = func(c Cell) {
		if t.OnHover != nil {
			t.OnHover(c)
		}
	}
	t.heat.OnTapped = func(c Cell) {
		if t.OnTapped != nil {
			t.OnTapped(c)
		}
	}
	t.badge.OnTapped = func() {
		if t.OnBadge != nil {
			t.OnBadge()
		}
	}
	t.ExtendBaseWidget(t)
	return t
}

// Heatmap is the tile's heatmap, for marks, keys and the cursor.
func (t *MatrixTile) Heatmap() *Heatmap { return t.heat }

// Tapped implements fyne.Tappable: the sign of the menu stands in the head.
func (t *MatrixTile) Tapped(ev *fyne.PointEvent) {
	if t.heat.Menu != nil && onSign(ev.Position, t.Size()) {
		popUp(t, ev.Position, t.heat.Items)
	}
}

// SetTitle changes the name.
func (t *MatrixTile) SetTitle(title string) {
	t.title = title
	t.Refresh()
}

// SetPicture shows a matrix.
func (t *MatrixTile) SetPicture(p Picture) {
	t.heat.SetPicture(p)
	t.Refresh()
}

// SetAbsent shows why there is no matrix.
func (t *MatrixTile) SetAbsent(reason string) {
	t.heat.SetAbsent(reason)
	t.Refresh()
}

// SetBadge shows a short remark about the range; "" hides it.
func (t *MatrixTile) SetBadge(text string) {
	t.badge.SetText(text)
	t.Refresh()
}

// SetNotes shows lines of small text below the matrix. The room that they take is the same for any
// text, so that nothing jumps while they change; other numbers of lines lay the tile out anew.
func (t *MatrixTile) SetNotes(lines []string) {
	if !slices.Equal(t.notes, lines) {
		t.notes = slices.Clone(lines)
		t.Refresh()
	}
}

// Notes are the lines below the matrix.
func (t *MatrixTile) Notes() []string { return t.notes }

// LineUp gives neighbouring tiles heads of one height, so that their squares are in line whatever
// their titles and badges. Call it after these have changed.
func LineUp(tiles []*MatrixTile) {
	var widest head
	for _, t := range tiles {
		own := t.ownHead()
		widest = head{max(widest.width, own.width), widest.badged || own.badged}
	}
	for _, t := range tiles {
		if t.head != widest {
			t.head = widest
			t.Refresh()
		}
	}
}

func (t *MatrixTile) ownHead() head {
	st := styleOf(t)
	badge := t.badge.MinSize().Width
	return head{measure(t.title, st.text, true).Width + max(narrowBeside, 2*st.pad+badge) + t.sign(), badge > 0}
}

// sign is the width that the sign of the menu takes from the head.
func (t *MatrixTile) sign() float32 {
	if t.heat.Menu == nil {
		return 0
	}
	return menuSide
}

// NotesHeight is the height that so many lines of notes take below a matrix.
func NotesHeight(lines int) float32 {
	if lines == 0 {
		return 0
	}
	return float32(lines)*whole(measure("X", theme.CaptionTextSize(), false).Height+0.99) + notesGap
}

// notesGap is the room between the axis and the notes.
const notesGap = 2

// CreateRenderer implements fyne.Widget.
func (t *MatrixTile) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	title := canvas.NewText(t.title, nil)
	title.TextStyle.Bold = true
	r := &tileRenderer{t: t, title: title, sign: menuSign(t.Size())}
	r.Layout(t.Size())
	return r
}

type tileRenderer struct {
	t     *MatrixTile
	title *canvas.Text
	sign  *canvas.Image // of the menu
	notes []*canvas.Text
}

// Destroy implements fyne.WidgetRenderer.
func (r *tileRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *tileRenderer) Objects() []fyne.CanvasObject {
	list := []fyne.CanvasObject{r.title, r.t.badge, r.t.heat}
	if r.t.heat.Menu != nil {
		list = append(list, r.sign)
	}
	for _, note := range r.notes {
		list = append(list, note)
	}
	return list
}

// MinSize implements fyne.WidgetRenderer.
func (r *tileRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 120+NotesHeight(len(r.t.notes))) }

// Refresh implements fyne.WidgetRenderer.
func (r *tileRenderer) Refresh() {
	r.Layout(r.t.Size())
	r.title.Refresh()
	r.sign.Refresh()
	for _, note := range r.notes {
		note.Refresh()
	}
	r.t.badge.Refresh()
	canvas.Refresh(r.t)
}

// narrowBeside is the room that a badge is expected to need beside the title. A narrower tile has a
// line for it below the title, with or without a badge, so that nothing jumps when the range
// changes and neighbours line up.
const narrowBeside = 130

// Layout implements fyne.WidgetRenderer: the head, then the square with its bar, in the middle of
// the width.
func (r *tileRenderer) Layout(size fyne.Size) {
	st := styleOf(r.t)
	r.title.Color, r.title.TextSize = st.foreground, st.text
	r.title.Text = shorten(r.t.title, st.text, size.Width-r.t.sign(), true)
	line := r.title.MinSize()
	needed := r.t.head
	if needed == (head{}) {
		needed = r.t.ownHead()
	}
	below := needed.width > size.Width
	head := line.Height + st.pad
	if below && (needed.badged || size.Height >= 170) {
		head += measure("X", st.caption, false).Height + 3
	}
	head = whole(head + 0.99)
	r.t.heat.Resize(fyne.NewSize(size.Width, max(size.Height-head-NotesHeight(len(r.t.notes)), 0)))
	r.t.heat.Move(fyne.NewPos(0, head))
	r.sign.Move(signPlace(size))
	area := r.t.heat.area
	r.head(size, area.left, below, line, st)
	axes := 2*measure("X", st.caption, false).Height + 8
	r.foot(size, area.left, head+area.top+area.height+axes+notesGap, st)
}

// foot places the notes below the axis, from the square's left edge on where they have the room.
func (r *tileRenderer) foot(size fyne.Size, over, top float32, st style) {
	for len(r.notes) < len(r.t.notes) {
		r.notes = append(r.notes, canvas.NewText("", nil))
	}
	r.notes = r.notes[:len(r.t.notes)]
	line := whole(measure("X", st.caption, false).Height + 0.99)
	for k, note := range r.notes {
		note.Text = shorten(r.t.notes[k], st.caption, size.Width, false)
		note.Color, note.TextSize = st.foreground, st.caption
		placeText(note, max(min(over, size.Width-note.MinSize().Width), 0),
			min(top, size.Height-float32(len(r.notes))*line)+float32(k)*line)
	}
}

// head places title and badge: the title starts over the square where it has the room, the badge
// ends at the right, before the sign of the menu.
func (r *tileRenderer) head(size fyne.Size, over float32, below bool, line fyne.Size, st style) {
	badge, room := r.t.badge.MinSize(), size.Width-r.t.sign()
	x := min(over, max(room-line.Width, 0))
	if badge.Width > 0 && !below {
		x = min(x, room-line.Width-2*st.pad-badge.Width)
	}
	placeText(r.title, x, 0)
	width := min(badge.Width, size.Width)
	r.t.badge.Resize(fyne.NewSize(width, badge.Height))
	if below {
		r.t.badge.Move(fyne.NewPos(min(x, size.Width-width), line.Height))
		return
	}
	r.t.badge.Move(fyne.NewPos(room-width, (line.Height-badge.Height)/2))
}
