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
	cursor   int // of hard, -1 for none
	pictures *pictures
	judge    *fynewidget.RadioGroup // against what
	mosaic   *kit.Figure
	spread   *kit.Figure
	wall     *picture.Wall
	note     *fynewidget.Label
	missing  *picture.Missing
}

func newImagesPage(s *Screen, host *kit.Host) *imagesPage {
	p := &imagesPage{s: s, cursor: -1, note: fynewidget.NewLabel("")}
	name := func(what string) func() []string {
		return func() []string { return []string{what, s.outcome().Material.Source.Name} }
	}
	p.mosaic = &kit.Figure{
		Host: host, Name: name("hard-images"), Tell: p.told,
		OnTap: func(id string) {
			p.choose(slices.IndexFunc(p.hard, func(h Hard) bool { return result.Whole(h.Image) == id }))
		},
		OnOpen: func(string) { p.enlarge(p.cursor) },
	}
	p.spread = &kit.Figure{Host: host, Name: name("difficulty")}
	p.pictures = newPictures(host.Work, s.store, p.arrived)
	p.judge = fynewidget.NewRadioGroup([]string{"true class", "LaF's class"}, func(string) { p.draw() })
	p.judge.Horizontal, p.judge.Required = true, true
	p.judge.Selected = p.judge.Options[0]
	p.wall = picture.NewWall(hardCardSize, func() fyne.CanvasObject { return newHardCard(p) }, func(k int, o fyne.CanvasObject) { p.fill(k, o.(*hardCard)) })
	p.note.Truncation = fyne.TextTruncateEllipsis
	p.missing = picture.NewMissing(host.Locate)
	head := container.NewHBox(fynewidget.NewLabel("Compare predictions with"), p.judge)
	charts := container.NewVSplit(p.mosaic.Object(), p.spread.Object())
	charts.Offset = 0.72
	split := container.NewHSplit(container.NewBorder(head, nil, nil, nil, charts), container.NewBorder(container.NewVBox(p.note, p.missing.Object()), nil, nil, nil, p.wall))
	split.Offset = 0.56
	p.Panel = kit.Panel{
		Body: split, Show: p.changed, OnShown: p.shown, OnClosed: p.pictures.close,
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
	p.hard, p.cursor = v.hardest(MostHard), -1
	images := make([]int, len(p.hard))
	for k, h := range p.hard {
		images[k] = h.Image
	}
	p.pictures.want(v.Material.Source, images)
	if known(v.Data) == 0 {
		p.judge.Disable()
	} else {
		p.judge.Enable()
	}
	p.mosaic.Select("")
	p.draw()
	p.spread.Set(v.Difficulties())
	p.wall.SetCount(len(p.hard), true)
	p.sayWhy()
	p.shown()
}

// shown reads the pictures, which nobody sees before.
func (p *imagesPage) shown() {
	p.pictures.load()
	p.wall.Update()
}

// byTruth tells whether predictions are compared with the true classes, where they are known.
func (p *imagesPage) byTruth() bool { return p.judge.Selected == p.judge.Options[0] }

func (p *imagesPage) draw() {
	p.mosaic.Set(p.s.outcome().Mosaic(p.hard, p.byTruth()))
}

// sayWhy is the line above the pictures: how many there are; or why there are none.
func (p *imagesPage) sayWhy() {
	text := fmt.Sprintf("The %d hardest images; a double click enlarges one", len(p.hard))
	switch {
	case p.s.outcome().noLaF() != "":
		text = ""
	case p.pictures.source.Table:
		text = "These predictions came without images."
	}
	p.note.SetText(text)
	if p.missing.Show(p.pictures.problem, p.pictures.source.ID) {
		p.Body.Refresh()
	}
}

func (p *imagesPage) arrived() {
	p.sayWhy()
	p.wall.Update()
}

// told is the line about a cell of the mosaic.
func (p *imagesPage) told(cell int) string {
	columns := len(p.mosaic.Data().X.Names)
	return p.s.outcome().CellText(p.hard[cell/columns], cell%columns)
}

// choose moves the cursor to one of the hardest images.
func (p *imagesPage) choose(k int) {
	if k < 0 || k >= len(p.hard) {
		return
	}
	p.cursor = k
	p.mosaic.Select(result.Whole(p.hard[k].Image))
	spread := p.spread.Data()
	spread.Rules = []result.Rule{{Name: p.s.outcome().Material.Sample(p.hard[k].Image), X: p.hard[k].Difficulty}}
	p.spread.Set(spread)
	p.wall.ScrollTo(k)
	p.wall.Update()
	p.s.Say(p.s.outcome().HardText(p.hard[k]))
}

func (p *imagesPage) fill(k int, c *hardCard) {
	if k >= len(p.hard) {
		return
	}
	h := p.hard[k]
	c.set(k, p.pictures.of(h.Image), p.lines(h), k == p.cursor)
}

// lines are the words below a picture: which image, its class, what LaF takes it for, and how the
// models vote.
func (p *imagesPage) lines(h Hard) []string {
	v := p.s.outcome()
	lines := []string{v.Material.Sample(h.Image)}
	if h.Truth >= 0 {
		lines = append(lines, fmt.Sprintf("truly %s", v.Material.Class(h.Truth)))
	}
	return append(lines, fmt.Sprintf("LaF: %s, difficulty %s", v.Material.Class(h.Pseudo), result.Number.Say(h.Difficulty, 2)), v.VotesText(h.Image))
}

// tapped is a click on a picture; the second one of a double click enlarges it.
func (p *imagesPage) tapped(k int, double bool) {
	if double && k == p.cursor {
		p.enlarge(k)
		return
	}
	p.choose(k)
	p.mosaic.Focus()
}

// sampleOf is the place among the hardest of an image, -1 where it is not among them.
func (p *imagesPage) sampleOf(image int) int {
	return slices.IndexFunc(p.hard, func(h Hard) bool { return h.Image == image })
}
