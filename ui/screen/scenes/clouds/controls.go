package clouds

import (
	"fmt"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// controls are the menus above the matrices: what is shown, and how.
type controls struct {
	p                             *Page
	mode, measure, points, second *widget.Picker
	colours                       *widget.Picker
	share                         *fynewidget.Slider
	shareText                     *fynewidget.Label
	ranged, save                  *fynewidget.Button
	drawn, compared               fyne.CanvasObject // the menus of points and of the second model: one of them is there at a time
	quiet                         bool              // they are being filled
	object                        *fyne.Container
}

// shareStep is the step of the slider of shares, in percent.
const shareStep = 5

// sliderShare is the part of the room that the slider takes, beside what it says.
const sliderShare = 0.34

func newControls(p *Page) *controls {
	c := &controls{p: p, shareText: fynewidget.NewLabel("")}
	set := func(change func(s *Settings, key string)) func(string) {
		return func(key string) { p.choose(func(s *Settings) { change(s, key) }) }
	}
	c.mode = widget.NewPicker(set(func(s *Settings, key string) { s.Mode = Mode(key) }))
	c.measure = widget.NewPicker(set(func(s *Settings, key string) { s.Measure = scenes.Measure(key) }))
	c.points = widget.NewPicker(set(func(s *Settings, key string) { s.Points = Points(key) }))
	c.second = widget.NewPicker(set(func(s *Settings, key string) { s.Second = key }))
	c.colours = widget.NewPicker(set(func(s *Settings, key string) { s.Map = key }))
	c.share = fynewidget.NewSlider(leastShare, wholeShare)
	c.share.Step = shareStep
	c.share.OnChanged = func(v float64) {
		if !c.quiet {
			p.choose(func(s *Settings) { s.Share = int(math.Round(v)) })
		}
	}
	c.shareText.Truncation = fyne.TextTruncateEllipsis
	c.ranged = fynewidget.NewButtonWithIcon("", theme.ColorPaletteIcon(), func() { c.popUp(c.ranged, c.rangeMenu()) })
	c.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), func() { c.popUp(c.save, p.saveMenu()) })
	c.drawn, c.compared = evidence.Named("points", c.points.Select), evidence.Named("with", c.second.Select)
	first := container.NewGridWithColumns(3, evidence.Named("show", c.mode.Select), evidence.Named("measure", c.measure.Select),
		container.NewStack(c.drawn, c.compared))
	share := container.NewBorder(nil, nil, fynewidget.NewLabel("share"), nil, container.New(picture.Split{First: sliderShare}, c.share, c.shareText))
	buttons := container.NewHBox(picture.Wide(110, c.colours.Select), c.ranged, c.save)
	c.object = container.NewVBox(first, container.NewBorder(nil, nil, nil, buttons, share))
	return c
}

func (c *controls) popUp(under *fynewidget.Button, items []*fyne.MenuItem) {
	widget.PopUpBelow(under, c.p.Window.Canvas(), items...)
}

// rangeMenu chooses the colour range.
func (c *controls) rangeMenu() []*fyne.MenuItem {
	_, shared := c.p.settings.colours()
	usual := fyne.NewMenuItem(fmt.Sprintf("%s, shared by all", present.RangeText(sharedRange.Low, sharedRange.High)), func() {
		c.p.choose(func(s *Settings) { s.Range = label.Range{} })
	})
	usual.Checked = shared
	own := fyne.NewMenuItem("Own range…", c.p.askRange)
	own.Checked = !shared
	return []*fyne.MenuItem{usual, own}
}

// show brings the menus up to date.
func (c *controls) show() {
	c.quiet = true
	defer func() { c.quiet = false }()
	s := c.p.settings
	c.mode.Offer([]widget.Option{
		{Key: string(One), Name: "one model"}, {Key: string(All), Name: "all measures"}, {Key: string(Two), Name: "two models"},
	}, string(s.Mode))
	var measures []widget.Option
	for _, m := range scenes.Measures() {
		measures = append(measures, widget.Option{Key: string(m), Name: string(m)})
	}
	c.measure.Offer(measures, string(s.Measure))
	c.points.Offer([]widget.Option{
		{Key: string(Density), Name: "how many"}, {Key: string(Mean), Name: "mean value"}, {Key: string(Dots), Name: "dots"},
	}, string(s.Points))
	c.showSecond(s)
	var maps []widget.Option
	for _, name := range mapNames() {
		maps = append(maps, widget.Option{Key: name, Name: name})
	}
	c.colours.Offer(maps, s.Map)
	widget.Enable(c.measure, s.Mode != All)
	widget.Enable(c.points, s.Mode == One)
	widget.Show(c.drawn, s.Mode != Two)
	widget.Show(c.compared, s.Mode == Two)
	c.share.SetValue(float64(s.Share))
	r, shared := s.colours()
	text := present.RangeText(r.Low, r.High)
	if !shared {
		text = fmt.Sprintf("%s (own)", text)
	}
	if c.ranged.Text != text {
		c.ranged.SetText(text)
		c.object.Refresh() // the button may need another width
	}
}

// showSecond offers the models to compare with.
func (c *controls) showSecond(s Settings) {
	var list []widget.Option
	for _, r := range c.p.data().others(c.p.selected) {
		list = append(list, widget.Option{Key: r.Model.Hash, Name: r.Model.ID})
	}
	chosen := ""
	if r, ok := c.p.data().second(c.p.selected, s.Second); ok && s.Mode == Two {
		chosen = r.Model.Hash
	}
	c.second.PlaceHolder = "no other"
	c.second.Offer(list, chosen)
	widget.Enable(c.second, s.Mode == Two && len(list) > 0)
}

// measured says what the share is, and how far its matrices lie from those of all targets.
func (c *controls) measured(s *sheet) {
	text := fmt.Sprintf("%d %%: all %s", s.ask.settings.Share, result.Counted(s.targets(), "target"))
	if s.ask.settings.Share < wholeShare {
		text = fmt.Sprintf("%d %%: %s", s.ask.settings.Share, result.Counted(s.targets(), "target"))
		var parts []string
		for _, t := range s.all() {
			if s.ask.settings.Mode == One && !t.free && !math.IsNaN(t.apart) {
				parts = append(parts, fmt.Sprintf("%s %s", t.by.Name(), result.Number.Say(t.apart, 4)))
			}
		}
		if len(parts) > 0 {
			text = fmt.Sprintf("%s; RMSE %s", text, strings.Join(parts, ", "))
		}
	}
	if c.shareText.Text != text {
		c.shareText.SetText(text)
	}
}
