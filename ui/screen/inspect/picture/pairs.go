package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/background"
)

// PairOf is an image of a suite under two transformations, and what people read of it.
type PairOf struct {
	Image           int
	Transformations [2]int
	Titles          [2]string // below the pictures
	Head            string    // over them
	Detail          string    // said while the pointer is on the card
}

// Pairs is a wall of pairs of pictures with what a model says of them, and a line above it while
// the images cannot be found. It is used on the main goroutine. Doubt, Retry, Rest and Close are
// those of its Shelf.
type Pairs struct {
	*Shelf
	wall    *Wall
	missing *Missing
	list    []PairOf
	guesses Guesses
	suite   string
	say     func(string)
	object  *fyne.Container
}

// NewPairs makes an empty wall. Locate asks where a suite's images are, nil where nobody can; say
// shows what is under the pointer, "" for nothing.
func NewPairs(work *background.Group, store Store, locate func(suite string), say func(string)) *Pairs {
	p := &Pairs{missing: NewMissing(locate), say: say}
	p.Shelf = NewShelf(work, store, p.arrived)
	style := Style{Pictures: 2, Side: 72, Pad: 5, Head: true, Below: 3, Digits: 11}
	p.wall = NewWall(style.Size, func() fyne.CanvasObject {
		c := NewCard(style)
		c.Pointed = p.point
		return c
	}, func(k int, o fyne.CanvasObject) { p.fill(k, o.(*Card)) })
	p.object = container.NewBorder(p.missing.Object(), nil, nil, nil, p.wall)
	return p
}

// Object is what a page shows.
func (p *Pairs) Object() fyne.CanvasObject { return p.object }

// Show shows pairs of pictures through a lens. suite is the one whose images are looked for where
// they are missing, "" for the one that the problem names.
func (p *Pairs) Show(list []PairOf, guesses Guesses, lens Lens, suite string) {
	p.list, p.guesses, p.suite = list, guesses, suite
	if len(list) > 0 {
		p.Use(lens)
	}
	p.wall.SetCount(len(list), true)
}

// List are the pairs that are shown.
func (p *Pairs) List() []PairOf { return p.list }

// Update draws the pictures that have come.
func (p *Pairs) Update() { p.wall.Update() }

// Missing tells whether it is said that images cannot be found.
func (p *Pairs) Missing() bool { return p.missing.Object().Visible() }

// arrived shows pictures that were made.
func (p *Pairs) arrived() {
	if p.missing.Show(p.Problem(), p.suite) {
		p.object.Refresh()
	}
	p.wall.Update()
}

func (p *Pairs) fill(k int, c *Card) {
	if k >= len(p.list) {
		return
	}
	one := p.list[k]
	content := Content{Head: one.Head}
	for s, t := range one.Transformations {
		lines := p.guesses.Of(t, one.Image).Lines(Text{Words: one.Titles[s], Colour: theme.ColorNamePlaceHolder})
		content.Sides = append(content.Sides, Side{p.Picture(Key{Image: one.Image, Transformation: t}), lines})
	}
	c.Set(k, content)
}

// point says everything about the pair under the pointer.
func (p *Pairs) point(k int) {
	if k < 0 || k >= len(p.list) {
		p.say("")
		return
	}
	p.say(p.list[k].Detail)
}
