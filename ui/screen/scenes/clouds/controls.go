package clouds

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// controls ask for the settings: choice and look above the matrices, the free interpolant on a tab.
type controls struct {
	p      *Page
	choice *kit.Form[background.MatrixChoice]
	look   *kit.Form[background.MatrixLook]
	free   *kit.Form[background.FreeMatrix]
	ranged *fynewidget.Button
	above  *fyne.Container
	tab    fyne.CanvasObject
}

func newControls(p *Page) *controls {
	c := &controls{p: p}
	c.choice = &kit.Form[background.MatrixChoice]{
		Host: p.Host, Choices: func(string) (list []kit.Option, first string) {
			for _, r := range p.data().others(p.selected) {
				list = append(list, kit.Option{Key: r.Model.Hash, Name: r.Model.ID})
			}
			if list == nil {
				list = []kit.Option{{Name: "no other"}}
			}
			return list, ""
		},
		Named: func(_, choice string) string {
			names := map[string]string{
				One: "one model", All: "all measures", Two: "two models", Several: "selections",
				Density: "how many", Mean: "mean value",
			}
			if name, ok := names[choice]; ok {
				return name
			}
			return choice
		},
		OnChange: func(o background.MatrixChoice) { p.choose(func(s *Settings) { s.MatrixChoice = o }) },
	}
	c.look = &kit.Form[background.MatrixLook]{
		Host: p.Host, OnChange: func(o background.MatrixLook) { p.choose(func(s *Settings) { s.MatrixLook = o }) },
	}
	c.free = &kit.Form[background.FreeMatrix]{
		Host: p.Host, Rows: true, InPage: true,
		OnChange: func(o background.FreeMatrix) { p.choose(func(s *Settings) { s.FreeMatrix = o }) },
	}
	c.choice.Make()
	c.look.Make()
	c.free.Make()
	starts := container.NewGridWithColumns(len(scatter.Interpolants()))
	for _, by := range scatter.Interpolants() {
		starts.Add(fynewidget.NewButton(by.Name(), func() {
			p.choose(func(s *Settings) { s.Kernel, s.Raster = background.Kernel(by), scatter.DefaultRaster })
		}))
	}
	c.tab = container.NewVScroll(container.NewVBox(c.free.Object(),
		container.NewBorder(nil, nil, fynewidget.NewLabel("begin with"), nil, starts)))
	c.ranged = fynewidget.NewButtonWithIcon("", theme.ColorPaletteIcon(), func() { c.popUp(c.ranged, c.rangeMenu()) })
	var save *fynewidget.Button
	save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), func() { c.popUp(save, p.saveMenu()) })
	c.above = container.NewVBox(c.choice.Object(),
		container.NewBorder(nil, nil, nil, container.NewHBox(c.ranged, save), c.look.Object()))
	return c
}

func (c *controls) popUp(under *fynewidget.Button, items []*fyne.MenuItem) {
	widget.PopUpBelow(under, c.p.Window.Canvas(), items...)
}

// rangeMenu chooses the colour range.
func (c *controls) rangeMenu() []*fyne.MenuItem {
	_, shared := c.p.settings.colours()
	usual := fyne.NewMenuItem(fmt.Sprintf("%s, shared by all", present.RangeText(sharedRange.Low, sharedRange.High)),
		func() {
			c.p.choose(func(s *Settings) { s.Range = label.Range{} })
		})
	usual.Checked = shared
	own := fyne.NewMenuItem("Own range…", c.p.askRange)
	own.Checked = !shared
	return []*fyne.MenuItem{usual, own}
}

// show brings everything up to date.
func (c *controls) show() {
	s := c.p.settings
	put(c.choice, s.MatrixChoice)
	put(c.look, s.MatrixLook)
	put(c.free, s.FreeMatrix)
	c.choice.Offer()
	r, shared := s.colours()
	text := present.RangeText(r.Low, r.High)
	if !shared {
		text = fmt.Sprintf("%s (own)", text)
	}
	if c.ranged.Text != text {
		c.ranged.SetText(text)
		c.above.Refresh() // the button may need another width
	}
}

// put shows options, unless the form has them: what is being typed stays as it is.
func put[O comparable](f *kit.Form[O], o O) {
	if f.Options() == o {
		return
	}
	if err := f.Take(o); err != nil {
		f.Fail(err)
	}
}
