package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/kit"
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
// those of its Cache.
type Pairs struct {
	*Cache
	wall    *kit.Wall
	list    []PairOf
	guesses Guesses
	suite   string
}

// NewPairs makes an empty wall.
func NewPairs(host *kit.Host, store Store) *Pairs {
	p := &Pairs{}
	p.Cache = NewCache(host.Work, store, func() { p.wall.Arrived(p.Problem(), p.suite) })
	look := kit.CardLook{Pictures: 2, Side: 72, Pad: 5, Head: true, Below: 3, Digits: 11}
	p.wall = kit.NewWall(kit.Wall{Host: host, Look: look, Card: p.card})
	return p
}

// Object is what a page shows.
func (p *Pairs) Object() fyne.CanvasObject { return p.wall.Object() }

// Show shows pairs of pictures through a lens. suite is the one whose images are looked for where
// they are missing, "" for the one that the problem names.
func (p *Pairs) Show(list []PairOf, guesses Guesses, lens Lens, suite string) {
	p.list, p.guesses, p.suite = list, guesses, suite
	if len(list) > 0 {
		p.Use(lens)
	}
	p.wall.Set(len(list), true)
}

// List are the pairs that are shown.
func (p *Pairs) List() []PairOf { return p.list }

// Update draws the pictures that have come.
func (p *Pairs) Update() { p.wall.Update() }

// Missing tells whether it is said that images cannot be found.
func (p *Pairs) Missing() bool { return p.wall.Problem() }

func (p *Pairs) card(k int) kit.Card {
	one := p.list[k]
	c := kit.Card{Head: one.Head, Hint: one.Detail}
	for s, t := range one.Transformations {
		lines := p.guesses.Of(t, one.Image).Lines(kit.CardText{Text: one.Titles[s], Colour: theme.ColorNamePlaceHolder})
		c.Sides = append(c.Sides, kit.CardSide{
			Picture: p.Picture(Key{Image: one.Image, Transformation: t}), Lines: lines,
		})
	}
	return c
}
