package preview

import (
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// face holds the pane's widgets.
type face struct {
	p                                   *Pane
	surface                             *widget.Surface
	entry                               *widget.Entry
	total, title, note                  *fynewidget.Label
	class                               *fynewidget.Select
	normalised                          *fynewidget.Check
	excluded                            *fynewidget.Button
	wall                                *picture.Wall
	missing                             *picture.Missing
	root                                *fyne.Container
	original, larger                    *picture.Frame
	originalText, largerText            *fynewidget.Label
	confidence, signal                  *widget.Chart
	before, after, random, wrong, moved *fynewidget.Button
}

func newFace(p *Pane) *face {
	f := &face{p: p}
	f.title, f.note, f.total = fynewidget.NewLabel(""), fynewidget.NewLabel(""), fynewidget.NewLabel("")
	f.title.Truncation, f.note.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	f.note.SizeName = theme.SizeNameCaptionText
	f.wall = picture.NewWall(cardSize,
		func() fyne.CanvasObject { return newCard(func(i int) { p.enlarge(i); p.Take() }) },
		func(i int, o fyne.CanvasObject) { p.card(i, o.(*card)) })
	f.missing = picture.NewMissing(p.deps.Locate)
	controls := f.controls()
	line := container.NewBorder(nil, nil, nil, container.NewHBox(f.normalised, picture.Wide(130, f.excluded)), f.title)
	top := container.NewVBox(controls, line, f.missing.Object())
	f.root = container.NewBorder(top, f.note, nil, nil, container.New(picture.Split{First: stripShare}, f.wall, f.enlarged()))
	f.surface = widget.NewSurface(f.root)
	f.surface.OnRune, f.surface.OnKey = p.rune, p.key
	return f
}

// stripShare is the part of the width that the strip takes.
const stripShare = 0.6

// controls choose the image.
func (f *face) controls() fyne.CanvasObject {
	p := f.p
	button := func(text string, icon fyne.Resource, act func()) *fynewidget.Button {
		return fynewidget.NewButtonWithIcon(text, icon, func() { act(); p.Take() })
	}
	f.before = button(",", theme.NavigateBackIcon(), func() { p.step(-1, AnyImage) })
	f.after = button(".", theme.NavigateNextIcon(), func() { p.step(1, AnyImage) })
	f.random = button("Random (R)", nil, p.random)
	f.wrong = button("Next wrong (W)", nil, func() { p.step(1, WrongImage) })
	f.moved = button("Next changing (C)", nil, func() { p.step(1, ChangingImage) })
	f.excluded = button("Exclude (X)", nil, p.exclude)
	f.entry = widget.NewEntry()
	f.entry.OnSubmitted = func(text string) { p.number(text); p.Take() }
	f.entry.OnEscape = func() { p.fill(); p.Take() }
	f.class = fynewidget.NewSelect([]string{anyClass}, func(string) {
		if !p.quiet {
			p.ofClass(f.class.SelectedIndex() - 1)
			p.Take()
		}
	})
	f.normalised = fynewidget.NewCheck("normalised (N)", func(on bool) { p.normalise(on); p.Take() })
	return container.NewHBox(f.before, picture.Wide(64, f.entry), picture.Wide(72, f.total), f.after,
		f.random, f.wrong, f.moved, picture.Wide(120, f.class))
}

// anyClass is the menu's first entry.
const anyClass = "any class"

// enlarged is the original beside one transformation, over the curves of the image.
func (f *face) enlarged() fyne.CanvasObject {
	f.original, f.larger = picture.NewFrame(120), picture.NewFrame(120)
	f.originalText, f.largerText = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	f.confidence, f.signal = widget.NewChart(), widget.NewChart()
	for _, chart := range []*widget.Chart{f.confidence, f.signal} {
		chart.OnHover = func(_ float64, text string) { f.p.deps.Host.Status(text) }
	}
	half := func(text *fynewidget.Label, frame *picture.Frame) fyne.CanvasObject {
		text.Alignment, text.Truncation = fyne.TextAlignCenter, fyne.TextTruncateEllipsis
		return container.NewBorder(nil, text, nil, nil, frame)
	}
	pair := container.NewGridWithColumns(2, half(f.originalText, f.original), half(f.largerText, f.larger))
	curves := container.NewGridWithColumns(2, f.confidence, f.signal)
	return container.NewGridWithRows(2, pair, curves)
}

// classes sets the menu of classes.
func (p *Pane) classes(names []string) {
	p.quiet = true
	p.face.class.SetOptions(append([]string{anyClass}, names...))
	p.face.class.SetSelectedIndex(max(0, min(p.class+1, len(names))))
	p.quiet = false
	if len(names) == 0 {
		p.face.class.Disable()
	} else {
		p.face.class.Enable()
	}
}

// fill shows the sheet.
func (p *Pane) fill() {
	p.title.SetText(p.sheet.Title)
	p.note.SetText(p.prepared.Note(p.inNet))
	p.entry.SetText(strconv.Itoa(p.image))
	p.total.SetText(fmt.Sprintf("of %s", strconv.Itoa(p.sheet.Total)))
	p.excluded.SetText(map[bool]string{false: "Exclude (X)", true: "Include again (X)"}[p.sheet.Excluded])
	p.enable()
	p.confidence.SetData(p.sheet.Confidence)
	p.signal.SetData(p.sheet.Signal)
	p.sayMissing()
	p.wall.SetCount(len(p.sheet.Frames), false)
	p.draw()
}

// enable leaves only the buttons that can do something.
func (p *Pane) enable() {
	images := len(p.sheet.Frames) > 0
	predictions := images && p.prepared.subject.Set != nil
	labels := slices.ContainsFunc(p.prepared.subject.Suite.Labels, func(l int) bool { return l >= 0 })
	for button, on := range map[*fynewidget.Button]bool{
		p.before: images, p.after: images, p.face.random: images, p.excluded: images, p.wrong: predictions && labels, p.moved: predictions,
	} {
		if on {
			button.Enable()
		} else {
			button.Disable()
		}
	}
}

func (p *Pane) sayMissing() {
	if p.missing.Show(p.shelf.Problem(), p.sheet.Lens.Suite) {
		p.root.Refresh()
	}
}

// draw puts the pictures that are ready on the strip and the larger frames.
func (p *Pane) draw() {
	p.wall.Update()
	if len(p.sheet.Frames) == 0 {
		p.original.SetPicture(nil)
		p.larger.SetPicture(nil)
		p.originalText.SetText("")
		p.largerText.SetText("")
		return
	}
	p.original.SetPicture(p.shelf.Picture(p.pictureKey(p.sheet.Identity)))
	p.larger.SetPicture(p.shelf.Picture(p.pictureKey(p.chosen)))
	p.originalText.SetText("original")
	f := p.sheet.Frames[p.chosen]
	p.largerText.SetText(f.V + ": " + f.Guess.Text())
}

func (p *Pane) pictureKey(i int) picture.Key {
	return picture.Key{Image: p.image, Transformation: i, Normalised: p.inNet}
}

func (p *Pane) card(i int, c *card) {
	if i < len(p.sheet.Frames) {
		c.show(i, p.sheet.Frames[i], p.shelf.Picture(p.pictureKey(i)), i == p.chosen)
	}
}
