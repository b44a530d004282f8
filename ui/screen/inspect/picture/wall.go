package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Wall lays out any number of equal cards in rows and makes only those that are in sight. Cards are as wide as fills the
// rows. It has no selection of its own: cards are told what they show.
type Wall struct {
	widget.BaseWidget
	least  func() fyne.Size // of a card
	create func() fyne.CanvasObject
	update func(id int, card fyne.CanvasObject)

	count  int
	scroll *container.Scroll
	sheet  *fyne.Container
	cards  []fyne.CanvasObject // pool; shown[k] is the item of cards[k], -1 for none
	shown  []int
}

// NewWall makes an empty wall of cards that are at least so large; least is asked again whenever cards are placed, since it
// may depend on the font size. Update fills a card for an item.
func NewWall(least func() fyne.Size, create func() fyne.CanvasObject, update func(id int, card fyne.CanvasObject)) *Wall {
	w := &Wall{least: least, create: create, update: update}
	w.sheet = &fyne.Container{Layout: sheetLayout{w}}
	w.scroll = container.NewVScroll(w.sheet)
	w.scroll.OnScrolled = func(fyne.Position) { w.arrange(false) }
	w.ExtendBaseWidget(w)
	return w
}

// SetCount changes the number of items and fills all cards anew, from the top where top is set.
func (w *Wall) SetCount(n int, top bool) {
	w.count = n
	if top {
		w.scroll.Offset.Y = 0
	}
	w.scroll.Offset.Y = min(w.scroll.Offset.Y, max(0, w.height()-w.scroll.Size().Height))
	w.arrange(true)
	w.scroll.Refresh()
}

// Count is the number of items.
func (w *Wall) Count() int { return w.count }

// Update fills the cards in sight anew.
func (w *Wall) Update() { w.arrange(true) }

// InSight are the items that have a card, in no order.
func (w *Wall) InSight() []int {
	var ids []int
	for _, id := range w.shown {
		if id >= 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// Columns is the number of cards in a row.
func (w *Wall) Columns() int {
	gap := w.gap()
	return max(1, int((w.scroll.Size().Width+gap)/(w.least().Width+gap)))
}

// Rows is the number of whole rows in sight, at least 1.
func (w *Wall) Rows() int {
	return max(1, int((w.scroll.Size().Height+w.gap())/(w.least().Height+w.gap())))
}

// ScrollTo brings an item into sight.
func (w *Wall) ScrollTo(id int) {
	if id < 0 || id >= w.count {
		return
	}
	card := w.least().Height
	top := float32(id/w.Columns()) * (card + w.gap())
	switch height := w.scroll.Size().Height; {
	case height <= 0:
		return // before the first layout everything would seem out of sight
	case top < w.scroll.Offset.Y:
		w.scroll.Offset.Y = top
	case top+card > w.scroll.Offset.Y+height:
		w.scroll.Offset.Y = top + card - height
	default:
		return
	}
	w.scroll.Refresh()
	w.arrange(false)
}

// Step is the item that a key leads to from an item, among those that there are: arrows to its
// neighbours, Page Up and Down by what is in sight, Home and End to the ends. ok is false for other
// keys.
func (w *Wall) Step(key fyne.KeyName, from int) (to int, ok bool) {
	columns := w.Columns()
	steps := map[fyne.KeyName]int{
		fyne.KeyLeft: -1, fyne.KeyRight: 1, fyne.KeyUp: -columns, fyne.KeyDown: columns,
		fyne.KeyPageUp: -columns * w.Rows(), fyne.KeyPageDown: columns * w.Rows(), fyne.KeyHome: -w.count, fyne.KeyEnd: w.count,
	}
	step, ok := steps[key]
	return max(0, min(from+step, w.count-1)), ok
}

func (w *Wall) gap() float32 { return theme.SizeForWidget(theme.SizeNamePadding, w) }

// height is that of all rows.
func (w *Wall) height() float32 {
	rows := (w.count + w.Columns() - 1) / w.Columns()
	return max(0, float32(rows)*(w.least().Height+w.gap())-w.gap())
}

// arrange gives the items in sight cards; fill also fills the cards that stay.
func (w *Wall) arrange(fill bool) {
	size := w.scroll.Size()
	if size.Width <= 0 || size.Height <= 0 {
		return
	}
	gap, columns := w.gap(), w.Columns()
	height := w.least().Height
	line := height + gap
	first := max(0, int(w.scroll.Offset.Y/line)) * columns
	last := min(w.count, (int((w.scroll.Offset.Y+size.Height)/line)+1)*columns)
	width := (size.Width - gap*float32(columns-1)) / float32(columns)
	w.release(first, last)
	for id := first; id < last; id++ {
		card, fresh := w.cardOf(id)
		if card.Size() != fyne.NewSize(width, height) {
			card.Resize(fyne.NewSize(width, height))
		}
		card.Move(fyne.NewPos(float32(id%columns)*(width+gap), float32(id/columns)*line))
		if fresh || fill {
			w.update(id, card)
		}
		card.Show()
	}
}

// release frees the cards of items out of sight.
func (w *Wall) release(first, last int) {
	for k, id := range w.shown {
		if id >= 0 && (id < first || id >= last) {
			w.shown[k] = -1
			w.cards[k].Hide()
		}
	}
}

// cardOf is the card of an item; fresh tells that it showed another one before.
func (w *Wall) cardOf(id int) (card fyne.CanvasObject, fresh bool) {
	free := -1
	for k, other := range w.shown {
		if other == id {
			return w.cards[k], false
		}
		if other < 0 {
			free = k
		}
	}
	if free < 0 {
		free = len(w.cards)
		w.cards, w.shown = append(w.cards, w.create()), append(w.shown, -1)
		w.sheet.Objects = w.cards
	}
	w.shown[free] = id
	return w.cards[free], true
}

// MinSize implements fyne.CanvasObject: one card.
func (w *Wall) MinSize() fyne.Size {
	w.ExtendBaseWidget(w)
	return w.least()
}

// CreateRenderer implements fyne.Widget.
func (w *Wall) CreateRenderer() fyne.WidgetRenderer {
	w.ExtendBaseWidget(w)
	return &wallRenderer{w}
}

type wallRenderer struct{ w *Wall }

// Destroy implements fyne.WidgetRenderer.
func (r *wallRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *wallRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.w.scroll} }

// MinSize implements fyne.WidgetRenderer.
func (r *wallRenderer) MinSize() fyne.Size { return r.w.least() }

// Layout implements fyne.WidgetRenderer. A larger window shows more cards even where the sheet keeps its size.
func (r *wallRenderer) Layout(size fyne.Size) {
	r.w.scroll.Resize(size)
	r.w.arrange(false)
}

// Refresh implements fyne.WidgetRenderer.
func (r *wallRenderer) Refresh() { r.w.arrange(true) }

// sheetLayout is as high as all rows; cards are placed by the wall.
type sheetLayout struct{ wall *Wall }

// Layout implements fyne.Layout.
func (l sheetLayout) Layout([]fyne.CanvasObject, fyne.Size) { l.wall.arrange(false) }

// MinSize implements fyne.Layout.
func (l sheetLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(1, l.wall.height())
}
