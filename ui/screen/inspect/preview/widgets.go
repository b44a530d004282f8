package preview

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// widgets holds the pane's widgets.
type widgets struct {
	entry                                         *widget.Entry
	total, title, note                            *fynewidget.Label
	classes                                       *widget.Picker
	normalised                                    *fynewidget.Check
	before, after, anyOne, wrong, moved, excluded *fynewidget.Button
	wall                                          *kit.Wall
	original, larger                              *kit.Frame
	originalText, largerText                      *fynewidget.Label
	confidence, signal                            *kit.Figure
}

func (p *Pane) build() fyne.CanvasObject {
	p.widgets = &widgets{title: fynewidget.NewLabel(""), note: fynewidget.NewLabel(""), total: fynewidget.NewLabel("")}
	p.title.Truncation, p.note.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	p.note.SizeName = theme.SizeNameCaptionText
	p.wall = kit.NewWall(kit.Wall{
		Host: p.site.Host, Look: kit.CardLook{Pictures: 1, Side: 64, Pad: 3, Below: 3, Close: 2, Frameless: true},
		Card: p.card, OnSelect: func() { p.enlarge(p.wall.Cursor()) }, Take: p.site.Refocus,
	})
	controls := p.controls()
	line := container.NewBorder(nil, nil, nil, container.NewHBox(p.normalised, picture.Wide(130, p.excluded)), p.title)
	both := container.New(picture.Split{First: stripShare}, p.wall.Object(), p.enlarged())
	return container.NewBorder(container.NewVBox(controls, line), p.note, nil, nil, both)
}

// stripShare is the part of the width that the strip takes.
const stripShare = 0.6

// controls choose the image.
func (p *Pane) controls() fyne.CanvasObject {
	p.before = fynewidget.NewButtonWithIcon(",", theme.NavigateBackIcon(), func() { p.step(-1, AnyImage) })
	p.after = fynewidget.NewButtonWithIcon(".", theme.NavigateNextIcon(), func() { p.step(1, AnyImage) })
	p.anyOne = fynewidget.NewButton("Random (R)", p.random)
	p.wrong = fynewidget.NewButton("Next wrong (W)", func() { p.step(1, WrongImage) })
	p.moved = fynewidget.NewButton("Next changing (C)", func() { p.step(1, ChangingImage) })
	p.excluded = fynewidget.NewButton("Exclude (X)", p.exclude)
	p.entry = widget.NewEntry()
	p.entry.OnSubmitted = func(text string) { p.number(text); p.site.Refocus() }
	p.entry.OnEscape = func() { p.fill(); p.site.Refocus() }
	p.classes = p.site.Menu(func(key string) {
		class, _ := strconv.Atoi(key) // every key is a number
		p.class = class
		if class >= 0 && p.prepared.guesses.Label(p.image) != class {
			p.step(1, AnyImage)
		}
	})
	p.offerClasses(nil)
	p.normalised = fynewidget.NewCheck("normalised (N)", func(on bool) {
		p.inNet = on
		p.fill()
		p.site.Refocus()
	})
	return container.NewHBox(p.before, picture.Wide(64, p.entry), picture.Wide(72, p.total), p.after,
		p.anyOne, p.wrong, p.moved, picture.Wide(120, p.classes.Object()))
}

// offerClasses fills the menu of classes.
func (p *Pane) offerClasses(names []string) {
	list := []widget.Option{{Key: "-1", Name: "any class"}}
	for k, name := range names {
		list = append(list, widget.Option{Key: strconv.Itoa(k), Name: name})
	}
	p.classes.Offer(list, strconv.Itoa(p.class))
	widget.Enable(p.classes, len(names) > 0)
}

// enlarged is the original beside one transformation, over the curves of the image.
func (p *Pane) enlarged() fyne.CanvasObject {
	p.original, p.larger = kit.NewFrame(120), kit.NewFrame(120)
	p.originalText, p.largerText = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	figure := func(name string) *kit.Figure {
		return &kit.Figure{Host: p.site.Host, Name: func() []string {
			return []string{p.prepared.subject.Model.ID, fmt.Sprintf("image %d", p.image), name}
		}}
	}
	p.confidence, p.signal = figure("confidence"), figure("signal")
	half := func(text *fynewidget.Label, frame *kit.Frame) fyne.CanvasObject {
		text.Alignment, text.Truncation = fyne.TextAlignCenter, fyne.TextTruncateEllipsis
		return container.NewBorder(nil, text, nil, nil, frame)
	}
	pair := container.NewGridWithColumns(2, half(p.originalText, p.original), half(p.largerText, p.larger))
	curves := container.NewGridWithColumns(2, p.confidence.Object(), p.signal.Object())
	return container.NewGridWithRows(2, pair, curves)
}

// fill shows the sheet.
func (p *Pane) fill() {
	p.wall.Set(len(p.sheet.Frames), false)
	p.wall.Select(p.chosen)
	p.title.SetText(p.sheet.Title)
	p.note.SetText(p.prepared.Note(p.inNet))
	p.entry.SetText(strconv.Itoa(p.image))
	p.total.SetText(fmt.Sprintf("of %d", p.sheet.Total))
	p.excluded.SetText(map[bool]string{false: "Exclude (X)", true: "Include again (X)"}[p.sheet.Excluded])
	p.enable()
	p.confidence.Set(p.sheet.Confidence)
	p.signal.Set(p.sheet.Signal)
	p.arrived()
}

// enable leaves only the buttons that can do something.
func (p *Pane) enable() {
	images := len(p.sheet.Frames) > 0
	predictions := images && p.prepared.subject.Set != nil
	labels := p.prepared.subject.Suite.Labelled()
	for button, on := range map[*fynewidget.Button]bool{
		p.before: images, p.after: images, p.anyOne: images, p.excluded: images, p.wrong: predictions && labels,
		p.moved: predictions,
	} {
		widget.Enable(button, on)
	}
}

// draw puts the pictures that are ready on the larger frames.
func (p *Pane) draw() {
	if len(p.sheet.Frames) == 0 {
		p.original.SetPicture(nil)
		p.larger.SetPicture(nil)
		p.originalText.SetText("")
		p.largerText.SetText("")
		return
	}
	p.original.SetPicture(p.cache.Picture(p.pictureKey(p.sheet.Identity)))
	p.larger.SetPicture(p.cache.Picture(p.pictureKey(p.chosen)))
	p.originalText.SetText("original")
	f := p.sheet.Frames[p.chosen]
	p.largerText.SetText(f.V + ": " + f.Guess.Text())
}

func (p *Pane) pictureKey(i int) picture.Key {
	return picture.Key{Image: p.image, Transformation: i, Normalised: p.inNet}
}

// card shows the image under transformation i with what the model says.
func (p *Pane) card(i int) kit.Card {
	f := p.sheet.Frames[i]
	value := kit.CardText{Text: f.V, Bold: f.Identity}
	if !f.Inside {
		value.Colour = theme.ColorNamePlaceHolder
	}
	lines := f.Guess.Lines(value)
	lines[2].Colour = theme.ColorNamePlaceHolder
	return kit.Card{
		Sides: []kit.CardSide{{Picture: p.cache.Picture(p.pictureKey(i)), Lines: lines}}, Shaded: f.Identity,
	}
}
