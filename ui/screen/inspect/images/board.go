package images

import (
	"context"
	"image"
	"maps"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// board is what both panes are made of: the wall of cards of a ranking, with a cursor and a
// selection, below a line with what is ranked, the order and a button that excludes.
type board struct {
	*pane.Base
	preview  func(image int) // of a double click or Return; may be nil
	tapped   time.Time       // when an entry was clicked last
	shelf    *picture.Shelf
	wall     *picture.Wall
	ranking  Ranking
	selected map[int]bool // by image; while it is empty, the entry under the cursor counts as selected
	cursor   int          // entry, -1 for none
	anchor   int          // entry where a range of selected ones begins
	missing  *picture.Missing
	body     *fyne.Container // the wall, below the line about missing images

	subject pane.Subject
	ask     Question
	answer  func() // begins to answer the question about the subject
	pace    background.Pace
	closed  bool
	title   *fynewidget.Label
	order   *widget.Picker
	exclude *fynewidget.Button
}

func newBoard(site pane.Site, store picture.Store, preview func(image int), title string, tall bool) *board {
	b := &board{Base: pane.NewBase(site, title, tall), preview: preview, selected: map[int]bool{}, cursor: -1}
	b.shelf = picture.NewShelf(b.Work, store, b.arrived)
	b.missing = picture.NewMissing(b.Locate)
	b.wall = picture.NewWall(cards.Size, func() fyne.CanvasObject {
		c := picture.NewCard(cards)
		c.Pressed = b.pressed
		return c
	}, func(id int, o fyne.CanvasObject) { b.fill(id, o.(*picture.Card)) })
	b.body = container.NewBorder(b.missing.Object(), nil, nil, nil, b.wall)
	b.title = fynewidget.NewLabel("")
	b.title.Truncation = fyne.TextTruncateEllipsis
	b.order = b.Menu(func(name string) {
		b.ask.Order = Order(slices.Index(orderNames, name))
		b.load()
	})
	b.order.Offer(widget.ByName(orderNames...), orderNames[ByShare])
	b.exclude = b.Button("Exclude (X)", nil, b.leaveOut)
	b.changed()
	return b
}

// head is the line over the pane, with more menus before the order's.
func (b *board) head(left, menu fyne.CanvasObject) fyne.CanvasObject {
	right := container.NewHBox(picture.Wide(155, b.order.Object()), picture.Wide(140, b.exclude))
	if menu != nil {
		right.Objects = append([]fyne.CanvasObject{menu}, right.Objects...)
	}
	return container.NewBorder(nil, nil, left, right, b.title)
}

// Show implements pane.Pane.
func (b *board) Show(s pane.Subject) {
	b.subject = s
	b.load()
}

// Hidden implements pane.Pane.
func (b *board) Hidden() { b.shelf.Rest() }

// Close implements pane.Pane.
func (b *board) Close() {
	b.closed = true
	b.shelf.Close()
}

// load answers what is asked about the subject now.
func (b *board) load() {
	if b.pace.Begin(b.load) {
		b.answer()
	}
}

// answer finds what a pane shows off the main goroutine and shows it, unless it is of another model
// than the one that is shown by then.
func answer[T any](b *board, name string, find func(pane.Subject, Question) T, show func(T)) {
	s, q := b.subject, b.ask
	var found T
	b.Work.Quiet(name, func(context.Context) error {
		found = find(s, q)
		return nil
	}, func(err error) {
		switch {
		case b.closed:
			return
		case err != nil:
			b.Fail(err)
		case s.Model.Hash == b.subject.Model.Hash:
			show(found)
		}
		b.pace.End()
	})
}

// show puts a ranking on the board; what was selected stays so where it is still there.
func (b *board) show(r Ranking) {
	b.title.SetText(r.Title)
	other := r.Modality != b.ranking.Modality || r.Focus != b.ranking.Focus || r.subject.Model.Hash != b.ranking.subject.Model.Hash
	at := -1
	if b.cursor >= 0 && b.cursor < len(b.ranking.Entries) && !other {
		image := b.ranking.Entries[b.cursor].Image
		at = slices.IndexFunc(r.Entries, func(e Entry) bool { return e.Image == image })
		if at < 0 { // it was excluded: the next one has come to its place
			at = min(b.cursor, len(r.Entries)-1)
		}
	}
	here := make(map[int]bool, len(b.selected))
	if len(b.selected) > 0 {
		for _, e := range r.Entries {
			if b.selected[e.Image] {
				here[e.Image] = true
			}
		}
	}
	b.ranking, b.selected, b.cursor, b.anchor = r, here, at, at
	b.look(r.subject)
	b.wall.SetCount(len(r.Entries), other)
	b.changed()
}

// look points the shelf at the subject's images.
func (b *board) look(s pane.Subject) {
	if s.Set != nil {
		b.shelf.Use(picture.Lens{Suite: s.Suite.Hash, Root: s.Suite.Root, Spec: s.Set.Spec})
	}
	b.sayMissing()
}

// sayMissing shows or hides the line about missing images.
func (b *board) sayMissing() {
	if b.missing.Show(b.shelf.Problem(), b.ranking.subject.Suite.Hash) {
		b.body.Refresh()
	}
}

// arrived puts pictures on the cards that wait for them.
func (b *board) arrived() {
	b.sayMissing()
	b.wall.Update()
}

func (b *board) fill(x int, c *picture.Card) {
	if x >= len(b.ranking.Entries) {
		return
	}
	d := b.ranking.Details(x)
	var pictures [2]image.Image
	for side, i := range []int{d.I, d.J} {
		pictures[side] = b.shelf.Picture(picture.Key{Image: d.Image, Transformation: i})
	}
	content := d.content(pictures)
	content.Selected, content.Cursor = b.selected[d.Image] || len(b.selected) == 0 && x == b.cursor, x == b.cursor
	c.Set(x, content)
}

// pressed is a click on an entry: alone, added or taken away with Ctrl, or a range with Shift.
func (b *board) pressed(x int, with fyne.KeyModifier) {
	if x < 0 || x >= len(b.ranking.Entries) {
		return
	}
	b.TakeBack()
	switch {
	case with&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0:
		if len(b.selected) == 0 && b.cursor >= 0 && b.cursor != x {
			b.flip(b.cursor) // the one that was clicked before belongs to the selection too
		}
		b.flip(x)
		b.anchor = x
	case with&fyne.KeyModifierShift != 0 && b.anchor >= 0:
		for k := min(b.anchor, x); k <= max(b.anchor, x); k++ {
			b.selected[b.ranking.Entries[k].Image] = true
		}
	default:
		clear(b.selected)
		if x == b.cursor && time.Since(b.tapped) < fyne.CurrentApp().Driver().DoubleTapDelay() {
			b.open()
		}
		b.anchor, b.tapped = x, time.Now()
	}
	b.at(x)
}

// open shows the image under the cursor under the whole family; false where nobody can.
func (b *board) open() bool {
	if b.preview == nil || b.cursor < 0 || b.cursor >= len(b.ranking.Entries) {
		return false
	}
	b.preview(b.ranking.Entries[b.cursor].Image)
	return true
}

// at moves the cursor.
func (b *board) at(x int) {
	b.cursor = x
	b.wall.ScrollTo(x)
	b.wall.Update()
	b.changed()
}

// key moves the cursor by arrows and pages, selects with Space, opens with Return and lets go with
// Escape; false for other keys.
func (b *board) key(name fyne.KeyName) bool {
	columns, last := b.wall.Columns(), len(b.ranking.Entries)-1
	to := b.cursor
	switch name {
	case fyne.KeyLeft:
		to--
	case fyne.KeyRight:
		to++
	case fyne.KeyUp:
		to -= columns
	case fyne.KeyDown:
		to += columns
	case fyne.KeyPageUp:
		to -= columns * b.wall.Rows()
	case fyne.KeyPageDown:
		to += columns * b.wall.Rows()
	case fyne.KeyHome:
		to = 0
	case fyne.KeyEnd:
		to = last
	case fyne.KeySpace:
		b.toggle()
		return true
	case fyne.KeyEscape:
		return b.letGo()
	case fyne.KeyReturn, fyne.KeyEnter:
		return b.open()
	default:
		return false
	}
	if last >= 0 {
		if b.cursor < 0 {
			to = 0
		}
		b.anchor = max(0, min(to, last))
		b.at(b.anchor)
	}
	return true
}

// toggle selects the entry under the cursor, or takes it out of the selection.
func (b *board) toggle() {
	if b.cursor >= 0 && b.cursor < len(b.ranking.Entries) {
		b.flip(b.cursor)
		b.at(b.cursor)
	}
}

// flip takes an entry into the selection or out of it.
func (b *board) flip(x int) {
	image := b.ranking.Entries[x].Image
	if b.selected[image] {
		delete(b.selected, image)
	} else {
		b.selected[image] = true
	}
}

// letGo clears the selection; false where there was none.
func (b *board) letGo() bool {
	if len(b.selected) == 0 && b.cursor < 0 {
		return false
	}
	clear(b.selected)
	b.cursor, b.anchor = -1, -1
	b.wall.Update()
	b.changed()
	return true
}

// picked are the selected images, the one under the cursor when none is selected, ascending.
func (b *board) picked() []int {
	list := slices.Collect(maps.Keys(b.selected))
	if len(list) == 0 && b.cursor >= 0 && b.cursor < len(b.ranking.Entries) {
		list = []int{b.ranking.Entries[b.cursor].Image}
	}
	slices.Sort(list)
	return list
}

// leaveOut excludes the picked images, or takes them back in where the board shows excluded ones.
func (b *board) leaveOut() {
	list := b.picked()
	if len(list) == 0 {
		b.Say("select images first: click, or move with the arrow keys")
		return
	}
	clear(b.selected)
	if b.ranking.Entries[0].Excluded {
		b.Screen.Include(list)
		return
	}
	b.Screen.Exclude(list)
}

// changed follows a change of the selection: the button says what it would do.
func (b *board) changed() {
	n := len(b.picked())
	verb := "Exclude"
	if len(b.ranking.Entries) > 0 && b.ranking.Entries[0].Excluded {
		verb = "Include again"
	}
	if n > 1 {
		verb += " " + result.Whole(n)
	}
	b.exclude.SetText(verb + " (X)")
	widget.Enable(b.exclude, n > 0)
}

// letter takes the letters of both panes: X excludes, S sorts otherwise.
func (b *board) letter(r rune) bool {
	switch {
	case r == 's':
		b.order.SetSelectedIndex((b.order.SelectedIndex() + 1) % len(orderNames))
	case r != 'x':
		return false
	case b.Spend():
		b.leaveOut()
	}
	return true
}
