package choose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// wall shows the target that is looked at and its scenes.
type wall struct {
	*kit.Wall
	p      *Page
	object *fyne.Container
	title  *fynewidget.Label
	legend *fyne.Container // of the frames
	what   *widget.Picker
	size   *widget.Picker
	alone  bool
	input  inputSize
}

// wide gives a menu the width of its longest text.
func wide(o fyne.CanvasObject) fyne.CanvasObject { return picture.Wide(150*widget.Grown(), o) }

// inputSize is that of a model's input.
type inputSize struct{ height, width int }

func (s inputSize) key() string { return fmt.Sprintf("%dx%d", s.height, s.width) }

func newWall(p *Page) *wall {
	w := &wall{p: p, title: fynewidget.NewLabel("")}
	w.title.Truncation = fyne.TextTruncateEllipsis
	w.title.TextStyle.Bold = true
	w.what = widget.NewPicker(func(key string) {
		w.alone = key == "scenes"
		w.again()
	})
	w.what.Offer([]widget.Option{{Key: "composites", Name: "composites"}, {Key: "scenes", Name: "scenes alone"}},
		"composites")
	w.size = widget.NewPicker(func(key string) {
		for _, size := range p.view.inputs() {
			if size.key() == key {
				w.input = size
				w.again()
			}
		}
	})
	w.Wall = kit.NewWall(kit.Wall{
		Host: p.Host, Look: kit.CardLook{Pictures: 1, Side: 88, Pad: 7, Below: 2, Gap: 3, Digits: 13, Frameless: true},
		Card: w.card,
		OnSelect: func() {
			p.view.Mark(w.Cursor())
			p.detail.show()
		},
		Keys: widget.Keys{OnKey: w.key, OnRune: p.typed},
	})
	w.legend = container.NewHBox()
	head := container.NewBorder(nil, nil, nil, container.NewHBox(wide(w.what.Select), wide(w.size.Select)), w.title)
	w.object = container.NewBorder(head, w.legend, nil, nil, w.Object())
	return w
}

// inputs are the sizes of input that composites can be looked at in: the one of the targets, then
// those of the models, smallest first.
func (v *View) inputs() []inputSize {
	own := inputSize{scenes.DefaultSide, scenes.DefaultSide}
	if shape := v.Targets.Shape; shape[1] > 0 && shape[2] > 0 {
		own = inputSize{shape[1], shape[2]}
	}
	list := []inputSize{own}
	for _, m := range v.Models {
		if in := m.Graph.Input; in.Height > 0 && in.Width > 0 &&
			!slices.Contains(list, inputSize{in.Height, in.Width}) {
			list = append(list, inputSize{in.Height, in.Width})
		}
	}
	slices.SortFunc(list[1:], func(a, b inputSize) int {
		return cmp.Or(a.height*a.width-b.height*b.width, a.height-b.height)
	})
	return list
}

// offer fills the menu of sizes.
func (w *wall) offer() {
	sizes := w.p.view.inputs()
	if !slices.Contains(sizes, w.input) {
		w.input = sizes[0]
	}
	var list []widget.Option
	for k, size := range sizes {
		name := fmt.Sprintf("%d × %d", size.height, size.width)
		if k == 0 {
			name = fmt.Sprintf("%s (targets)", name)
		}
		list = append(list, widget.Option{Key: size.key(), Name: name})
	}
	w.size.Offer(list, w.input.key())
}

// again shows everything after another kind or size of pictures was chosen.
func (w *wall) again() {
	widget.Enable(w.size, !w.alone)
	w.Update()
	w.p.detail.show()
}

// show shows the tiles, from the top where top is set.
func (w *wall) show(top bool) {
	w.Set(len(w.p.view.Tiles()), top)
	w.Select(w.p.view.Place())
	w.title.SetText(w.p.view.Headline())
	if top {
		levels := map[int]bool{}
		for _, t := range w.p.view.Tiles() {
			if t.Image > 0 && t.Keyword >= 0 {
				levels[t.Level] = true
			}
		}
		w.legend.RemoveAll()
		for _, level := range slices.Sorted(maps.Keys(levels)) {
			key := canvas.NewRectangle(scenes.LevelColour(level))
			key.SetMinSize(fyne.NewSquareSize(keySide))
			name := ledger(fyne.TextAlignLeading)
			name.SetText(levelText(level))
			w.legend.Add(container.NewHBox(container.NewCenter(key), name))
		}
		w.object.Refresh()
	}
}

// keySide is the side of a colour in the legend.
const keySide = 10

// shot is the picture of a tile.
func (w *wall) shot(t Tile) shot {
	k := shot{
		target: w.p.view.Target(), image: t.Image, alone: w.alone && t.Image > 0, height: w.input.height,
		width: w.input.width,
	}
	if k.alone {
		k.height, k.width = 0, 0 // it is the same for all sizes
	}
	return k
}

// card shows a tile with its verdict; the edge has the colour of the keyword's level.
func (w *wall) card(place int) (c kit.Card) {
	v := w.p.view
	if place >= len(v.Tiles()) { // other tiles are on their way
		return c
	}
	t := v.Tiles()[place]
	first, second := v.caption(t)
	lines := []kit.CardText{{Text: first, Bold: place == v.Place()}, {Text: second}}
	c.Sides, c.Hint = []kit.CardSide{{Picture: w.p.cache.Picture(w.shot(t)), Lines: lines}}, v.hint(place)
	if t.Image > 0 {
		verdict := v.Verdicts.Of(v.Target(), t.Background)
		c.Sign = map[Verdict]kit.CardSign{Approved: kit.Good, Vetoed: kit.Bad}[verdict]
		if t.Keyword >= 0 {
			c.Edge = scenes.LevelColour(t.Level)
		}
	}
	return c
}

// key moves on to the targets before and after, and judges.
func (w *wall) key(ev *fyne.KeyEvent) bool {
	switch ev.Name {
	case fyne.KeyPageUp:
		w.p.step(-1)
	case fyne.KeyPageDown:
		w.p.step(1)
	case fyne.KeyDelete:
		w.p.judge(Vetoed)
	default:
		return false
	}
	return true
}
