package ranking

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// imagesPage is data difficulty: the hardest images and who is right about them, how difficulty is
// distributed, and the images themselves.
type imagesPage struct {
	kit.Panel
	s        *Screen
	key      string // of the outcome that hard is of
	hard     []Hard
	pictures *kit.ImageCache[int]
	judge    *fynewidget.RadioGroup // against what
	mosaic   *kit.Figure
	spread   *kit.Figure
	wall     *kit.Wall
	note     *fynewidget.Label
}

func newImagesPage(s *Screen, host *kit.Host) *imagesPage {
	p := &imagesPage{s: s, note: fynewidget.NewLabel("")}
	name := func(what string) func() []string {
		return func() []string { return []string{what, s.outcome().Material.Source.Name} }
	}
	p.mosaic = &kit.Figure{
		Host: host, Name: name("hard-images"), Tell: p.told, Command: s.command(nil),
		OnTap: func(id string) {
			if at := slices.IndexFunc(p.hard, func(h Hard) bool { return result.Whole(h.Image) == id }); at >= 0 {
				p.wall.Select(at)
				p.chosen()
			}
		},
		OnOpen: func(string) { p.enlarge(p.wall.Cursor()) },
	}
	p.spread = &kit.Figure{Host: host, Name: name("difficulty"), Command: s.command(nil)}
	p.pictures = kit.NewImageCache[int](host.Work,
		func() { p.wall.Arrived(p.pictures.Problem(), s.outcome().Material.Source.ID) })
	p.judge = fynewidget.NewRadioGroup([]string{"true class", "LaF's class"}, func(string) { p.draw() })
	p.judge.Horizontal, p.judge.Required = true, true
	p.judge.Selected = p.judge.Options[0]
	p.wall = kit.NewWall(kit.Wall{
		Host: host, Look: kit.CardLook{Pictures: 1, Side: 96, Pad: 5, Below: 4, Gap: 5, Close: -1, Digits: 21},
		Card: p.card, OnSelect: p.chosen, OnOpen: p.enlarge,
	})
	p.note.Truncation = fyne.TextTruncateEllipsis
	head := container.NewHBox(fynewidget.NewLabel("Compare predictions with"), p.judge)
	charts := container.NewVSplit(p.mosaic.Object(), p.spread.Object())
	charts.Offset = 0.72
	split := container.NewHSplit(container.NewBorder(head, nil, nil, nil, charts),
		container.NewBorder(p.note, nil, nil, nil, p.wall.Object()))
	split.Offset = 0.56
	p.Panel = kit.Panel{
		Body: split, Show: p.changed, OnShown: p.wall.Update, OnHidden: p.pictures.Rest, OnClosed: p.pictures.Close,
		Keys: p.mosaic.Focus,
	}
	return p
}

// changed finds the hardest images of another outcome.
func (p *imagesPage) changed() {
	v := p.s.outcome()
	if p.key == v.key && v.key != "" {
		return
	}
	p.key = v.key
	p.hard = v.hardest(MostHard)
	source := v.Material.Source
	if source.Table {
		p.pictures.Use("", nil)
	} else {
		p.pictures.Use(source.ID, picture.Whole(p.s.store, source.ID, pictureSide))
	}
	if p.pictures.Problem() != nil {
		p.pictures.Rest() // they may be there by now
	}
	if known(v.Data) == 0 {
		p.judge.Disable()
	} else {
		p.judge.Enable()
	}
	p.mosaic.Select("")
	p.draw()
	p.spread.Set(v.Difficulties())
	p.wall.Set(len(p.hard), true)
	p.wall.Arrived(p.pictures.Problem(), source.ID)
	text := fmt.Sprintf("The %d hardest images; a double click enlarges one", len(p.hard))
	switch {
	case v.noLaF() != "":
		text = ""
	case source.Table:
		text = "These predictions came without images."
	}
	p.note.SetText(text)
}

// pictureSide bounds the sides of pictures that are kept, in pixels.
const pictureSide = 256

func (p *imagesPage) draw() {
	p.mosaic.Set(p.s.outcome().Mosaic(p.hard, p.judge.Selected == p.judge.Options[0]))
}

// told is the line about a cell of the mosaic.
func (p *imagesPage) told(cell int) string {
	columns := len(p.mosaic.Data().X.Names)
	return p.s.outcome().CellText(p.hard[cell/columns], cell%columns)
}

// chosen shows the image under the cursor in both figures.
func (p *imagesPage) chosen() {
	h := p.hard[p.wall.Cursor()]
	p.mosaic.Select(result.Whole(h.Image))
	spread := p.spread.Data()
	spread.Rules = []result.Rule{{Name: p.s.outcome().Material.Sample(h.Image), X: h.Difficulty}}
	p.spread.Set(spread)
	p.s.Say(p.s.outcome().HardText(h))
}

// card is a hard image, its class, what LaF takes it for, and how the models vote.
func (p *imagesPage) card(k int) kit.Card {
	h, v := p.hard[k], p.s.outcome()
	lines := []kit.CardText{{Text: v.Material.Sample(h.Image), Bold: true}}
	if h.Truth >= 0 {
		lines = append(lines, kit.CardText{Text: "truly " + v.Material.Class(h.Truth)})
	}
	laf := fmt.Sprintf("LaF: %s, difficulty %s", v.Material.Class(h.Pseudo), result.Number.Say(h.Difficulty, 2))
	lines = append(lines, kit.CardText{Text: laf}, kit.CardText{Text: v.VotesText(h.Image)})
	return kit.Card{Sides: []kit.CardSide{{Picture: p.pictures.Picture(h.Image), Lines: lines}}, Hint: v.HardText(h)}
}
