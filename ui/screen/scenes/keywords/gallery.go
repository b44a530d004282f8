package keywords

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// gallery is the wall of the images that have the keywords looked for.
type gallery struct {
	p       *Page
	shelves map[string]*picture.Shelf // by suite
	wall    *picture.Wall
	surface *widget.Surface
	join    *widget.Picker
	kind    *widget.Picker
	found   *fynewidget.Label
	missing *picture.Missing
	body    *fyne.Container
	object  fyne.CanvasObject
}

// The keys of the two menus.
const (
	joinAll = "all"
	joinAny = "any"
)

func newGallery(p *Page) *gallery {
	g := &gallery{p: p, shelves: map[string]*picture.Shelf{}}
	g.wall = picture.NewWall(cardSize, func() fyne.CanvasObject { return newCard(g) }, func(k int, o fyne.CanvasObject) { g.fill(k, o.(*card)) })
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
	g.missing = picture.NewMissing(p.site.Locate)
	g.body = container.NewBorder(g.missing.Object(), nil, nil, nil, g.wall)
	g.surface = widget.NewSurface(g.body)
	g.surface.OnKey = g.key
	menus := container.NewGridWithColumns(2, g.join.Select, g.kind.Select)
	g.object = container.NewBorder(container.NewVBox(menus, g.found), nil, nil, nil, g.surface)
	return g
}

// show brings the wall up to date, from its top where other images are looked for.
func (g *gallery) show(top bool) {
	v := g.p.view
	g.found.SetText(v.Found())
	widget.Enable(g.join, len(v.wanted) > 1)
	g.clear()
	for hash, m := range v.Homes {
		shelf := g.shelves[hash]
		if shelf == nil {
			shelf = picture.NewShelf(g.p.Work, g.p.site.Workspace, g.arrived)
			g.shelves[hash] = shelf
		}
		shelf.Use(lens(m))
	}
	g.wall.SetCount(len(v.Images()), top)
	if v.Cursor() < 0 && len(v.Images()) > 0 {
		v.Choose(0)
	}
	if top {
		g.wall.ScrollTo(v.Cursor())
	}
	g.wall.Update()
	g.p.detail.show()
}

// clear lets go of the pictures of suites that the table does not have.
func (g *gallery) clear() {
	for hash, shelf := range g.shelves {
		if _, there := g.p.view.Homes[hash]; !there {
			shelf.Close()
			delete(g.shelves, hash)
			g.arrived() // it may have had a problem
		}
	}
}

// thumbSide is the longer side of small pictures, in pixels.
const thumbSide = 128

// lens looks at the images of a suite as they are, in small; where they have several sizes, at
// their middle.
func lens(m suite.Manifest) picture.Lens {
	spec := signal.Spec{Family: transform.Plain, Channels: 3, Height: thumbSide, Width: thumbSide}
	spec.Preprocessing.Mean, spec.Preprocessing.Std = []float64{0}, []float64{1} // the pixels are not normalised
	height, width := m.Shape[1], m.Shape[2]
	if largest := max(height, width); largest == 0 {
		spec.Preprocessing.Resize = model.Crop
	} else {
		side := min(largest, thumbSide)
		spec.Height, spec.Width = max(1, height*side/largest), max(1, width*side/largest)
	}
	return picture.Lens{Suite: m.Hash, Root: m.Root, Spec: spec}
}

// arrived shows pictures that came, or why none comes.
func (g *gallery) arrived() {
	g.wall.Update()
	for hash, shelf := range g.shelves {
		if err := shelf.Problem(); err != nil {
			if g.missing.Show(err, hash) {
				g.body.Refresh()
			}
			return
		}
	}
	if g.missing.Show(nil, "") {
		g.body.Refresh()
	}
}

// thumb is the small picture of a row, nil while there is none.
func (g *gallery) thumb(row int) image.Image {
	place := g.p.view.Place(row)
	if shelf := g.shelves[place.Suite]; shelf != nil {
		return shelf.Picture(picture.Key{Image: place.Image})
	}
	return nil
}

func (g *gallery) fill(k int, c *card) {
	v := g.p.view
	if k >= len(v.Images()) {
		return
	}
	row := v.Images()[k]
	name, kind := v.Entry(row)
	c.show(k, name, kind, g.thumb(row), row == v.Chosen())
}

// choose chooses the k-th image.
func (g *gallery) choose(k int) {
	g.p.view.Choose(k)
	g.wall.ScrollTo(k)
	g.wall.Update()
	g.p.detail.show()
}

func (g *gallery) take() { g.surface.TakeIn(g.p.Window.Canvas()) }

// hover says what is under the pointer, -1 for nothing.
func (g *gallery) hover(k int) {
	v := g.p.view
	if k < 0 || k >= len(v.Images()) {
		g.p.Say("")
		return
	}
	g.p.Say(v.Details(v.Images()[k])[0])
}

// key moves the choice.
func (g *gallery) key(ev *fyne.KeyEvent) bool {
	if ev.Name == fyne.KeyEscape {
		g.p.Focus()
		return true
	}
	to, moves := g.wall.Step(ev.Name, g.p.view.Cursor())
	if moves && g.wall.Count() > 0 {
		g.choose(to)
	}
	return moves
}

func (g *gallery) rest() {
	for _, shelf := range g.shelves {
		shelf.Rest()
	}
}

func (g *gallery) close() {
	for _, shelf := range g.shelves {
		shelf.Close()
	}
}
