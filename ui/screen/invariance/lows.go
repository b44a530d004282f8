package invariance

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// Lows are the images of a row with the lowest EI, with what is needed to show them.
type Lows struct {
	Row      Row
	Step     int // place among Row.Rows, -1 for the lowest of all
	List     []Low
	Identity int
	Guesses  picture.Guesses
	Lens     picture.Lens
}

// findLows reads the signals of a row image by image. It is slow (files).
func findLows(ctx context.Context, from Store, r Row, step int) (l Lows, err error) {
	l = Lows{Row: r, Step: step}
	only := -1
	if step >= 0 && step < len(r.Rows) {
		only = r.Rows[step].Transformation
	}
	family, err := transform.ParseAny(r.Family)
	if err != nil {
		return l, err
	}
	l.Identity = family.Identity()
	var found lowest
	err = from.PerImage(ctx, r.Key, func(image, transformation int, v measure.Values) {
		if transformation != l.Identity && (only < 0 || only == transformation) {
			found.add(image, transformation, v)
		}
	})
	if err != nil {
		return l, err
	}
	l.List = found.found()
	l.Guesses, l.Lens, err = picture.Said(ctx, from, r.Model, r.Suite, r.Key)
	return l, err
}

// Title says what the pictures are.
func (l Lows) Title() string {
	if len(l.List) == 0 {
		return "no images"
	}
	return fmt.Sprintf("lowest EI first, %s of %s", present.Count(int64(len(l.List))), present.Counted(int64(l.Row.Images), "image"))
}

// stepName is the name of a transformation of the row.
func (l Lows) stepName(transformation int) string {
	for _, row := range l.Row.Rows {
		if row.Transformation == transformation {
			return row.Name
		}
	}
	return ""
}

// lowsPane shows these images before and after the transformation.
type lowsPane struct {
	s       *Screen
	latest  background.Latest
	shelf   *picture.Shelf
	wall    *picture.Wall
	missing *picture.Missing
	steps   *widget.Picker
	title   *fynewidget.Label
	lows    Lows
	wanted  string // row and transformation that are shown or on their way
	object  *fyne.Container
}

func newLowsPane(s *Screen) *lowsPane {
	p := &lowsPane{s: s, title: fynewidget.NewLabel("")}
	p.title.Truncation = fyne.TextTruncateEllipsis
	p.shelf = picture.NewShelf(s.deps.Work, s.deps.Store, p.arrived)
	p.missing = picture.NewMissing(s.deps.Locate)
	p.wall = picture.NewWall(picture.PairSize, func() fyne.CanvasObject { return picture.NewPair(p.point) }, func(k int, o fyne.CanvasObject) { p.fill(k, o.(*picture.Pair)) })
	p.steps = widget.NewPicker(func(key string) {
		r, ok := s.view.Selected()
		if !ok {
			return
		}
		for k, row := range r.Rows {
			if row.Name == key {
				p.choose(r, k)
				return
			}
		}
		p.choose(r, -1)
	})
	head := container.NewGridWithColumns(2, p.title, p.steps.Select)
	p.object = container.NewBorder(container.NewVBox(head, p.missing.Object()), nil, nil, nil, p.wall)
	return p
}

// choose shows the lowest images of a row under one of its transformations, -1 for all of them.
func (p *lowsPane) choose(r Row, step int) {
	name := ""
	choices := []widget.Option{{Name: "under any transformation"}}
	for k, row := range r.Rows {
		choices = append(choices, widget.Option{Key: row.Name, Name: row.Name})
		if k == step {
			name = row.Name
		}
	}
	p.steps.Offer(choices, name)
	wanted := r.id() + "/" + r.Key + "/" + name
	if wanted == p.wanted {
		return
	}
	p.wanted = wanted
	p.put(Lows{})
	if r.Key == "" {
		p.latest.Next()
		p.title.SetText("")
		return
	}
	p.title.SetText("looking for the lowest EI…")
	background.Load(p.s.deps.Work, &p.latest, "find lowest effective invariance", func(ctx context.Context) (Lows, error) {
		return findLows(ctx, p.s.deps.Store, r, step)
	}, func(l Lows, err error) {
		if err != nil {
			p.wanted = ""
			p.title.SetText(present.Sentence(err))
			return
		}
		p.put(l)
		p.title.SetText(l.Title())
	})
}

func (p *lowsPane) put(l Lows) {
	p.lows = l
	if len(l.List) > 0 {
		p.shelf.Use(l.Lens)
	}
	p.wall.SetCount(len(l.List), true)
}

// arrived shows pictures that were made.
func (p *lowsPane) arrived() {
	if p.missing.Show(p.shelf.Problem(), p.lows.Row.Suite) {
		p.object.Refresh()
	}
	p.wall.Update()
}

func (p *lowsPane) fill(k int, c *picture.Pair) {
	if k >= len(p.lows.List) {
		return
	}
	low := p.lows.List[k]
	half := func(transformation int, title string) picture.Side {
		return picture.Side{
			Picture: p.shelf.Picture(picture.Key{Image: low.Image, Transformation: transformation}),
			Title:   title, Guess: p.lows.Guesses.Of(transformation, low.Image),
		}
	}
	c.SetPair(k, low.head(), half(p.lows.Identity, fmt.Sprintf("image %d", low.Image)), half(low.Transformation, p.lows.stepName(low.Transformation)))
}

// head is the line over both pictures: the EI, and JS where there is one.
func (l Low) head() string {
	text := fmt.Sprintf("EI %s", present.Number(l.EI))
	if js := present.Number(l.JS); js != present.None {
		text = fmt.Sprintf("%s   JS %s", text, js)
	}
	return text
}

// point says everything about a card's image.
func (p *lowsPane) point(k int) {
	if k < 0 || k >= len(p.lows.List) {
		p.s.deps.Status("")
		return
	}
	low, g := p.lows.List[k], p.lows.Guesses
	text := fmt.Sprintf("image %d, %s: EI %s, %s before and %s after", low.Image, p.lows.stepName(low.Transformation), present.Number(low.EI),
		g.Of(p.lows.Identity, low.Image).Text(), g.Of(low.Transformation, low.Image).Text())
	if class := g.Class(low.Image); class != "" {
		text = fmt.Sprintf("%s; labelled %s", text, class)
	}
	p.s.deps.Status(text)
}

// doubt says that the images may have been located.
func (p *lowsPane) doubt() { p.shelf.Doubt() }

// retry makes the pictures that could not be made before, where the images may have been located since.
func (p *lowsPane) retry() { p.shelf.Retry() }

// rest lets go of the suite's files while the screen is not shown.
func (p *lowsPane) rest() { p.shelf.Rest() }

func (p *lowsPane) close() { p.shelf.Close() }
