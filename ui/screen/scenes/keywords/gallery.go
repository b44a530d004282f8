package keywords

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// gallery is the wall of the images that have the keywords looked for.
type gallery struct {
	p      *Page
	caches map[string]*kit.ImageCache[int] // by suite
	wall   *kit.Wall
	join   *widget.Picker
	kind   *widget.Picker
	found  *fynewidget.Label
	object fyne.CanvasObject
}

// The keys of the two menus.
const (
	joinAll = "all"
	joinAny = "any"
)

func newGallery(p *Page) *gallery {
	g := &gallery{p: p, caches: map[string]*kit.ImageCache[int]{}}
	g.wall = kit.NewWall(kit.Wall{
		Host: p.Host, Look: kit.CardLook{Pictures: 1, Side: 92, Pad: 5, Below: 2, Gap: 2, Close: -1, Digits: 12},
		Card: g.card,
		OnSelect: func() {
			p.view.Choose(g.wall.Cursor())
			p.detail.show()
		},
		Keys: widget.Keys{OnKey: func(ev *fyne.KeyEvent) bool {
			if ev.Name == fyne.KeyEscape {
				p.Focus()
			}
			return ev.Name == fyne.KeyEscape
		}},
	})
	g.join = widget.NewPicker(func(key string) {
		p.view.Join(key == joinAny)
		g.show(true)
	})
	g.join.Offer([]widget.Option{{Key: joinAll, Name: "all of them"}, {Key: joinAny, Name: "any of them"}}, joinAll)
	g.kind = widget.NewPicker(func(key string) {
		p.view.Kind(key)
		g.show(true)
	})
	g.kind.Offer([]widget.Option{
		{Key: "", Name: "all images"},
		{Key: background.TargetKind, Name: "targets"},
		{Key: background.BackgroundKind, Name: "backgrounds"},
	}, "")
	g.found = fynewidget.NewLabel("")
	g.found.Truncation = fyne.TextTruncateEllipsis
	menus := container.NewGridWithColumns(2, g.join.Select, g.kind.Select)
	g.object = container.NewBorder(container.NewVBox(menus, g.found), nil, nil, nil, g.wall.Object())
	return g
}

// show brings the wall up to date, from its top where other images are looked for.
func (g *gallery) show(top bool) {
	v := g.p.view
	for hash, cache := range g.caches {
		if _, there := v.Homes[hash]; !there {
			cache.Close()
			delete(g.caches, hash)
		}
	}
	for hash, m := range v.Homes {
		if g.caches[hash] == nil {
			g.caches[hash] = kit.NewImageCache[int](g.p.Work, g.arrived)
		}
		g.caches[hash].Use(m.Root, picture.Whole(g.p.site.Workspace, hash, thumbSide))
	}
	if v.Cursor() < 0 {
		v.Choose(0)
	}
	g.wall.Set(len(v.Images()), top)
	if g.wall.Cursor() != v.Cursor() {
		g.wall.Select(v.Cursor())
	}
	g.arrived()
	g.found.SetText(v.Found())
	widget.Enable(g.join, len(v.wanted) > 1)
	g.p.detail.show()
}

// thumbSide is the longer side of small pictures, in pixels.
const thumbSide = 128

// arrived shows pictures that came, or why none comes.
func (g *gallery) arrived() {
	for hash, cache := range g.caches {
		if err := cache.Problem(); err != nil {
			g.wall.Arrived(err, hash)
			return
		}
	}
	g.wall.Arrived(nil, "")
}

func (g *gallery) card(k int) (c kit.Card) {
	v := g.p.view
	if k >= len(v.Images()) { // other images are on their way
		return c
	}
	row := v.Images()[k]
	name, kind := v.Entry(row)
	side := kit.CardSide{Lines: []kit.CardText{{Text: name}, {Text: kind, Colour: theme.ColorNamePlaceHolder}}}
	place := v.Place(row)
	if cache := g.caches[place.Suite]; cache != nil {
		side.Picture = cache.Picture(place.Image)
	}
	return kit.Card{Sides: []kit.CardSide{side}, Hint: v.Details(row)[0]}
}

// each calls a function for the cache of each suite.
func (g *gallery) each(do func(*kit.ImageCache[int])) {
	for _, cache := range g.caches {
		do(cache)
	}
}
