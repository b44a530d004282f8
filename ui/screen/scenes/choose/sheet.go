package choose

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// sheet is the contact sheet of the target that is looked at.
type sheet struct {
	p       *Page
	object  *fyne.Container
	title   *fynewidget.Label
	legend  *fyne.Container // of the frames
	what    *widget.Picker
	size    *widget.Picker
	alone   bool
	input   inputSize
	wall    *picture.Wall
	surface *widget.Surface
}

// wide gives a menu the width of its longest text.
func wide(o fyne.CanvasObject) fyne.CanvasObject { return picture.Wide(150*widget.Grown(), o) }

// inputSize is that of a model's input.
type inputSize struct{ height, width int }

func (s inputSize) key() string { return fmt.Sprintf("%dx%d", s.height, s.width) }

func newSheet(p *Page) *sheet {
	s := &sheet{p: p, title: fynewidget.NewLabel("")}
	s.title.Truncation = fyne.TextTruncateEllipsis
	s.title.TextStyle.Bold = true
	s.what = widget.NewPicker(func(key string) {
		s.alone = key == "scenes"
		s.again()
	})
	s.what.Offer([]widget.Option{{Key: "composites", Name: "composites"}, {Key: "scenes", Name: "scenes alone"}}, "composites")
	s.size = widget.NewPicker(func(key string) {
		for _, size := range p.view.inputs() {
			if size.key() == key {
				s.input = size
				s.again()
			}
		}
	})
	s.wall = picture.NewWall(cardSize, func() fyne.CanvasObject { return newCard(s.pressed, s.hovered) }, s.fill)
	s.surface = widget.NewSurface(s.wall)
	s.surface.OnKey, s.surface.OnRune = s.key, func(r rune) { p.typed(r) }
	s.legend = container.NewHBox()
	head := container.NewBorder(nil, nil, nil, container.NewHBox(wide(s.what.Select), wide(s.size.Select)), s.title)
	s.object = container.NewBorder(head, s.legend, nil, nil, s.surface)
	return s
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
		if in := m.Graph.Input; in.Height > 0 && in.Width > 0 && !slices.Contains(list, inputSize{in.Height, in.Width}) {
			list = append(list, inputSize{in.Height, in.Width})
		}
	}
	slices.SortFunc(list[1:], func(a, b inputSize) int { return cmp.Or(a.height*a.width-b.height*b.width, a.height-b.height) })
	return list
}

// offer fills the menu of sizes.
func (s *sheet) offer() {
	sizes := s.p.view.inputs()
	if !slices.Contains(sizes, s.input) {
		s.input = sizes[0]
	}
	var list []widget.Option
	for k, size := range sizes {
		name := fmt.Sprintf("%d × %d", size.height, size.width)
		if k == 0 {
			name = fmt.Sprintf("%s (targets)", name)
		}
		list = append(list, widget.Option{Key: size.key(), Name: name})
	}
	s.size.Offer(list, s.input.key())
}

// again shows everything after another kind or size of pictures was chosen.
func (s *sheet) again() {
	widget.Enable(s.size, !s.alone)
	s.wall.Update()
	s.p.detail.show()
}

// show shows the tiles, from the top where top is set.
func (s *sheet) show(top bool) {
	s.title.SetText(s.p.view.Headline())
	if top {
		s.explain()
	}
	s.wall.SetCount(len(s.p.view.Tiles()), top)
}

// explain says what the frames' colours are.
func (s *sheet) explain() {
	levels := map[int]bool{}
	for _, t := range s.p.view.Tiles() {
		if t.Image > 0 && t.Keyword >= 0 {
			levels[t.Level] = true
		}
	}
	s.legend.RemoveAll()
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		key := canvas.NewRectangle(scenes.LevelColour(level))
		key.SetMinSize(fyne.NewSquareSize(keySide))
		name := ledger(fyne.TextAlignLeading)
		name.SetText(levelText(level))
		s.legend.Add(container.NewHBox(container.NewCenter(key), name))
	}
	s.object.Refresh()
}

// keySide is the side of a colour in the legend.
const keySide = 10

// shot is the picture of a tile.
func (s *sheet) shot(t Tile) shot {
	k := shot{target: s.p.view.Target(), image: t.Image, alone: s.alone && t.Image > 0, height: s.input.height, width: s.input.width}
	if k.alone {
		k.height, k.width = 0, 0 // it is the same for all sizes
	}
	return k
}

func (s *sheet) fill(place int, o fyne.CanvasObject) {
	v := s.p.view
	if place >= len(v.Tiles()) {
		return
	}
	t := v.Tiles()[place]
	f := cardContent{picture: s.p.rack.Picture(s.shot(t)), cursor: place == v.Place()}
	f.first, f.second = v.caption(t)
	if t.Image > 0 {
		f.verdict = v.Verdicts.Of(v.Target(), t.Background)
		if t.Keyword >= 0 {
			f.level = color.Color(scenes.LevelColour(t.Level))
		}
	}
	o.(*card).show(place, f)
}

func (s *sheet) pressed(place int) {
	s.surface.Take()
	s.mark(place)
}

func (s *sheet) hovered(place int) { s.p.Say(s.p.view.hint(place)) }

// mark looks at another tile.
func (s *sheet) mark(place int) {
	v := s.p.view
	v.Mark(min(max(place, 0), len(v.Tiles())-1))
	s.wall.ScrollTo(v.Place())
	s.wall.Update()
	s.p.detail.show()
}

// key moves through the tiles, and on to the targets before and after.
func (s *sheet) key(ev *fyne.KeyEvent) bool {
	at := s.p.view.Place()
	switch ev.Name {
	case fyne.KeyLeft:
		s.mark(at - 1)
	case fyne.KeyRight:
		s.mark(at + 1)
	case fyne.KeyUp:
		if at >= s.wall.Columns() {
			s.mark(at - s.wall.Columns())
		}
	case fyne.KeyDown:
		if at+s.wall.Columns() < s.wall.Count() {
			s.mark(at + s.wall.Columns())
		}
	case fyne.KeyHome:
		s.mark(0)
	case fyne.KeyEnd:
		s.mark(s.wall.Count() - 1)
	case fyne.KeyPageUp:
		s.p.step(-1)
	case fyne.KeyPageDown:
		s.p.step(1)
	case fyne.KeyDelete:
		s.p.judge(Vetoed)
	default:
		return false
	}
	return true
}
