package kit

import (
	"fmt"
	"image/png"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/widget"
)

// Wall shows items as equal cards with pictures, in rows that fill its width. Cards exist for
// those in sight only. NewWall makes one from its declaration; a screen puts Object into its
// layout and calls Set whenever there are other items:
//
//	cache := kit.NewImageCache[int](host.Work, func() { wall.Arrived(cache.Problem(), suite) })
//	wall := kit.NewWall(kit.Wall{
//		Host: host, Look: kit.CardLook{Pictures: 1, Side: 96, Pad: 5, Below: 1},
//		Card: func(item int) kit.Card {
//			side := kit.CardSide{Picture: cache.Picture(item)}
//			side.Lines = []kit.CardText{{Text: names[item]}}
//			return kit.Card{Sides: []kit.CardSide{side}}
//		},
//	})
//	wall.Set(len(names), true)
//
// A click and the arrow keys, Page, Home and End move a cursor. With Several a click with Ctrl or
// Shift and Space mark items, and Escape lets go of them. The menu of a card copies its texts and
// saves its pictures.
type Wall struct {
	*Host
	Look CardLook
	// Card is what the card of an item shows. It is asked again by Update.
	Card func(item int) Card
	// ID tells an item among others after Set, nil where its number does.
	ID      func(item int) int
	Several bool
	// OnSelect, which may be nil, is called after a person has moved the cursor or marked items.
	OnSelect func()
	// OnOpen is called after a double click and Return; nil where nothing can be opened.
	OnOpen func(item int)
	// Keys get keys before the wall does.
	Keys widget.Keys
	// Take gives the keyboard after a click to what hands keys on to Key; nil for the wall itself.
	Take func()

	count, cursor, anchor int          // an anchor is where a range of marked items begins
	id                    int          // of the item under the cursor
	marked                map[int]bool // by ID
	pressed               time.Time
	missing               *MissingImages
	scroll                *container.Scroll
	sheet                 *fyne.Container
	cards                 []*wallCard // their item is -1 where they are out of sight
	surface               *widget.Surface
	object                *fyne.Container
}

// NewWall makes an empty wall.
func NewWall(declared Wall) *Wall {
	w := &declared
	w.cursor, w.anchor, w.marked, w.missing = -1, -1, map[int]bool{}, NewMissingImages(w.Locate)
	w.sheet = container.New(sheetLayout{w})
	w.scroll = container.NewVScroll(w.sheet)
	w.scroll.OnScrolled = func(fyne.Position) { w.arrange(false) }
	w.object = container.NewBorder(w.missing.Object(), nil, nil, nil, container.New(wallLayout{w}, w.scroll))
	w.surface = widget.NewSurface(w.object)
	w.surface.OnRune = w.Keys.OnRune
	w.surface.OnKey = func(ev *fyne.KeyEvent) bool {
		return w.Keys.OnKey != nil && w.Keys.OnKey(ev) || w.Key(ev.Name)
	}
	return w
}

// Object is what the screen's layout holds.
func (w *Wall) Object() fyne.CanvasObject {
	if w.Take != nil {
		return w.object
	}
	return w.surface
}

// Focus gives the wall, or what Take has it for, the keyboard, unless something lies over the
// window.
func (w *Wall) Focus() {
	switch c := w.Window.Canvas(); {
	case c.Overlays().Top() != nil:
	case w.Take != nil:
		w.Take()
	default:
		w.surface.TakeIn(c)
	}
}

// Set shows so many items. The cursor and the marks stay on their items; where that under the
// cursor is gone, the one that has come to its place follows. Anew begins at the top without a
// cursor.
func (w *Wall) Set(count int, anew bool) {
	w.count = count
	at, here := -1, map[int]bool{}
	for item := range count {
		id := w.idOf(item)
		if w.cursor >= 0 && id == w.id {
			at = item
		}
		if w.marked[id] {
			here[id] = true
		}
	}
	switch {
	case anew:
		at, w.scroll.Offset.Y = -1, 0
	case at < 0:
		at = min(w.cursor, count-1)
	}
	w.marked = here
	w.put(at)
	w.anchor = at
	w.scroll.Offset.Y = min(w.scroll.Offset.Y, max(0, w.height()-w.scroll.Size().Height))
	w.arrange(true)
	w.scroll.Refresh()
}

func (w *Wall) idOf(item int) int {
	if w.ID == nil {
		return item
	}
	return w.ID(item)
}

func (w *Wall) put(item int) {
	if w.cursor = item; item >= 0 {
		w.id = w.idOf(item)
	}
}

// Count is the number of items.
func (w *Wall) Count() int { return w.count }

// Cursor is the item under the cursor, -1 for none.
func (w *Wall) Cursor() int { return w.cursor }

// Select moves the cursor, -1 for none, and brings it into sight, without OnSelect.
func (w *Wall) Select(item int) {
	w.put(min(max(item, -1), w.count-1))
	w.scrollTo(w.cursor)
	w.Update()
}

// Marked are the IDs of the marked items, of that under the cursor where none is marked;
// ascending.
func (w *Wall) Marked() []int {
	if len(w.marked) == 0 && w.cursor >= 0 {
		return []int{w.id}
	}
	return slices.Sorted(maps.Keys(w.marked))
}

// Unmark takes all marks away, without OnSelect.
func (w *Wall) Unmark() { clear(w.marked) }

// Update fills the cards in sight anew.
func (w *Wall) Update() { w.arrange(true) }

// Arrived shows pictures that have come to a cache, and says its problem, nil for none. suite is
// the hash of the one that is looked for where the problem names none.
func (w *Wall) Arrived(problem error, suite string) {
	if w.missing.Show(problem, suite) {
		w.object.Refresh()
	}
	w.Update()
}

// InSight are the cards in sight, in the order of their items.
func (w *Wall) InSight() []Card {
	shown := slices.DeleteFunc(slices.Clone(w.cards), func(c *wallCard) bool { return c.item < 0 })
	slices.SortFunc(shown, func(a, b *wallCard) int { return a.item - b.item })
	list := make([]Card, len(shown))
	for k, c := range shown {
		list[k] = c.content
	}
	return list
}

// Problem tells whether the wall says that there are no pictures.
func (w *Wall) Problem() bool { return w.missing.box.Visible() }

// press is a press of the mouse on an item.
func (w *Wall) press(item int, with fyne.KeyModifier) {
	if item < 0 || item >= w.count {
		return
	}
	w.Focus()
	double := false
	switch {
	case w.Several && with&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0:
		if len(w.marked) == 0 && w.cursor >= 0 && w.cursor != item {
			w.flip(w.cursor) // the one that was clicked before is meant, too
		}
		w.flip(item)
		w.anchor = item
	case w.Several && with&fyne.KeyModifierShift != 0 && w.anchor >= 0:
		for k := min(w.anchor, item); k <= max(w.anchor, item); k++ {
			w.marked[w.idOf(k)] = true
		}
	default:
		clear(w.marked)
		double = item == w.cursor && time.Since(w.pressed) < fyne.CurrentApp().Driver().DoubleTapDelay()
		w.anchor, w.pressed = item, time.Now()
	}
	w.move(item)
	if double && w.OnOpen != nil {
		w.OnOpen(item)
	}
}

// flip marks an item, or takes its mark away.
func (w *Wall) flip(item int) {
	id := w.idOf(item)
	if w.marked[id] {
		delete(w.marked, id)
	} else {
		w.marked[id] = true
	}
}

// move moves the cursor because somebody wants that.
func (w *Wall) move(item int) {
	w.Select(item)
	if w.OnSelect != nil {
		w.OnSelect()
	}
}

// Key takes a key that the wall uses; false for another one.
func (w *Wall) Key(name fyne.KeyName) bool {
	columns := w.Columns()
	page := columns * max(1, int((w.scroll.Size().Height+w.gap())/(w.Look.size().Height+w.gap())))
	step, moves := map[fyne.KeyName]int{
		fyne.KeyLeft: -1, fyne.KeyRight: 1, fyne.KeyUp: -columns, fyne.KeyDown: columns,
		fyne.KeyPageUp: -page, fyne.KeyPageDown: page, fyne.KeyHome: -w.count, fyne.KeyEnd: w.count,
	}[name]
	switch {
	case moves && w.count > 0:
		if w.cursor < 0 && name != fyne.KeyEnd {
			step = 0
		}
		w.anchor = min(max(max(w.cursor, 0)+step, 0), w.count-1)
		w.move(w.anchor)
	case name == fyne.KeySpace && w.Several:
		if w.cursor >= 0 {
			w.flip(w.cursor)
			w.move(w.cursor)
		}
	case name == fyne.KeyEscape && w.Several && (len(w.marked) > 0 || w.cursor >= 0):
		clear(w.marked)
		w.anchor = -1
		w.move(-1)
	case (name == fyne.KeyReturn || name == fyne.KeyEnter) && w.OnOpen != nil && w.cursor >= 0:
		w.OnOpen(w.cursor)
	default:
		return moves
	}
	return true
}

// entries are the menu of a card.
func (w *Wall) entries(c Card) []*fyne.MenuItem {
	texts := append([]CardText{{Text: c.Head}}, c.Words...)
	for _, side := range c.Sides {
		texts = append(texts, side.Lines...)
	}
	var lines []string
	for _, t := range texts {
		if t.Text != "" {
			lines = append(lines, t.Text)
		}
	}
	items := []*fyne.MenuItem{fyne.NewMenuItem("Copy text", func() {
		fyne.CurrentApp().Clipboard().SetContent(strings.Join(lines, "\n"))
		w.Say("text copied")
	})}
	for k, side := range c.Sides {
		name := "Save picture as PNG…"
		if len(c.Sides) > 1 {
			name = fmt.Sprintf("Save %s picture as PNG…", []string{"left", "right"}[k])
		}
		save := fyne.NewMenuItem(name, func() {
			parts := lines[:min(1, len(lines))]
			if len(side.Lines) > 0 && len(c.Sides) > 1 {
				parts = append(slices.Clone(parts), side.Lines[0].Text)
			}
			w.Saver().Ask(figures.FileName("png", parts...),
				func(to io.Writer) error { return png.Encode(to, side.Picture) })
		})
		save.Disabled = side.Picture == nil
		items = append(items, save)
	}
	return items
}

// Columns is the number of cards in a row.
func (w *Wall) Columns() int {
	return max(1, int((w.scroll.Size().Width+w.gap())/(w.Look.size().Width+w.gap())))
}

func (w *Wall) gap() float32 { return theme.SizeForWidget(theme.SizeNamePadding, w.scroll) }

// height is that of all rows.
func (w *Wall) height() float32 {
	rows := (w.count + w.Columns() - 1) / w.Columns()
	return max(0, float32(rows)*(w.Look.size().Height+w.gap())-w.gap())
}

// scrollTo brings an item into sight.
func (w *Wall) scrollTo(item int) {
	height := w.scroll.Size().Height
	if item < 0 || height <= 0 { // before the first layout everything would seem out of sight
		return
	}
	card := w.Look.size().Height
	top := float32(item/w.Columns()) * (card + w.gap())
	if to := min(max(w.scroll.Offset.Y, top+card-height), top); to != w.scroll.Offset.Y {
		w.scroll.Offset.Y = to
		w.scroll.Refresh()
	}
}

// arrange gives the items in sight cards; fill also fills the cards that stay.
func (w *Wall) arrange(fill bool) {
	size := w.scroll.Size()
	if size.Width <= 0 || size.Height <= 0 {
		return
	}
	gap, columns, height := w.gap(), w.Columns(), w.Look.size().Height
	line := height + gap
	first := max(0, int(w.scroll.Offset.Y/line)) * columns
	last := min(w.count, (int((w.scroll.Offset.Y+size.Height)/line)+1)*columns)
	width := (size.Width - gap*float32(columns-1)) / float32(columns)
	for _, c := range w.cards {
		if c.item < first || c.item >= last {
			c.item = -1
			c.Hide()
		}
	}
	for item := first; item < last; item++ {
		c, fresh := w.cardOf(item)
		c.Move(fyne.NewPos(float32(item%columns)*(width+gap), float32(item/columns)*line))
		c.Resize(fyne.NewSize(width, height))
		if fresh || fill {
			c.content, c.cursor = w.Card(item), item == w.cursor
			c.selected = w.marked[w.idOf(item)] || len(w.marked) == 0 && c.cursor
			c.Refresh()
		}
		c.Show()
	}
}

// cardOf is the card of an item; fresh tells that it showed another one before.
func (w *Wall) cardOf(item int) (c *wallCard, fresh bool) {
	at := slices.IndexFunc(w.cards, func(c *wallCard) bool { return c.item == item })
	if at >= 0 {
		return w.cards[at], false
	}
	if at = slices.IndexFunc(w.cards, func(c *wallCard) bool { return c.item < 0 }); at < 0 {
		at = len(w.cards)
		w.cards = append(w.cards, newWallCard(w))
		w.sheet.Objects = append(w.sheet.Objects, w.cards[at])
	}
	w.cards[at].item = item
	return w.cards[at], true
}

// wallLayout gives the wall at least the room of one card. A larger window shows more cards also
// where the sheet keeps its size.
type wallLayout struct{ w *Wall }

// Layout implements fyne.Layout.
func (l wallLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	l.w.arrange(true)
}

// MinSize implements fyne.Layout.
func (l wallLayout) MinSize([]fyne.CanvasObject) fyne.Size { return l.w.Look.size() }

// sheetLayout is as high as all rows; the wall places the cards.
type sheetLayout struct{ w *Wall }

// Layout implements fyne.Layout.
func (l sheetLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.w.arrange(false) }

// MinSize implements fyne.Layout.
func (l sheetLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(1, l.w.height()) }
