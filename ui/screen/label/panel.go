package label

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/widget"
)

// flags are the usual flags, chosen by their numbers; another text can be typed.
var flags = []string{"look again", "broken"}

// panel lies over the matrices while the keyboard stays with the screen: the list of keys, or the
// choice of a flag.
type panel struct {
	f      *widgets
	object *fyne.Container
	card   *fyne.Container // the content
	ground *canvas.Rectangle
	help   *fyne.Container
	edit   *fynewidget.Button
	flag   *fyne.Container
	other  *widget.Entry
	now    *fynewidget.Label // the flag in force
}

func (p *panel) init(f *widgets) {
	p.f = f
	p.help, p.flag = container.NewVBox(), p.buildFlag()
	p.card = container.NewStack()
	p.ground = canvas.NewRectangle(nil)
	p.ground.CornerRadius, p.ground.StrokeWidth = theme.Size(theme.SizeNameInputRadius), 1
	p.object = container.NewCenter(container.NewStack(p.ground,
		container.New(layout.NewCustomPaddedLayout(12, 12, 18, 18), p.card)))
	p.object.Hide()
	if f.s.deps.EditKeys != nil {
		p.edit = fynewidget.NewButton("Change keys…", func() {
			p.close()
			f.s.focus() // a dialog gives the focus back to what had it
			f.s.deps.EditKeys()
		})
	}
}

// relabel makes the list of keys anew.
func (p *panel) relabel() {
	p.help.RemoveAll()
	columns := container.New(layout.NewGridLayoutWithColumns(2))
	var lists []*fyne.Container
	group := ""
	for _, a := range keymap.Actions() {
		if a.Group != group {
			group = a.Group
			lists = append(lists, container.New(layout.NewCustomPaddedVBoxLayout(-12), widget.Bold(group)))
		}
		list := lists[len(lists)-1]
		list.Add(keyLine(keyTexts(p.f.s.keys().Keys(a.ID)), a.Title))
		if a.ID == keymap.Variant {
			list.Add(keyLine("1, 2, 3", "The labels in order, number pad too"))
		}
	}
	half := (len(lists) + 1) / 2
	for _, part := range [][]*fyne.Container{lists[:half], lists[half:]} {
		column := container.NewVBox()
		for _, list := range part {
			column.Add(list)
		}
		columns.Add(column)
	}
	p.help.Add(columns)
	foot := container.NewHBox(fynewidget.NewLabel("Any key closes this list."), layout.NewSpacer())
	if p.edit != nil {
		foot.Add(p.edit)
	}
	p.help.Add(foot)
}

func keyLine(keys, title string) fyne.CanvasObject {
	key := widget.Bold(keys)
	key.Alignment = fyne.TextAlignTrailing
	return container.New(keyLineLayout{}, key, fynewidget.NewLabel(title))
}

// keyTexts are the keys of an action as one text.
func keyTexts(keys []keymap.Key) string {
	var texts []string
	for _, k := range keys {
		texts = append(texts, k.Word())
	}
	if len(texts) == 0 {
		return "no key"
	}
	return strings.Join(texts, ", ")
}

// keyLineLayout puts keys, at the right of a fixed column, before what they do.
type keyLineLayout struct{}

// keyColumn is the width of that column in text sizes, since texts may be large.
const keyColumn = 10

func (keyLineLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	column := keyColumn * theme.TextSize()
	objects[0].Resize(fyne.NewSize(column, size.Height))
	objects[0].Move(fyne.NewPos(0, 0))
	objects[1].Resize(fyne.NewSize(size.Width-column, size.Height))
	objects[1].Move(fyne.NewPos(column, 0))
}

func (keyLineLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[1].MinSize().AddWidthHeight(keyColumn*theme.TextSize(), 0)
}

func (p *panel) buildFlag() *fyne.Container {
	p.now = fynewidget.NewLabel("")
	p.other = widget.NewEntry()
	p.other.SetPlaceHolder("another flag, then Enter")
	p.other.OnEscape = func() { p.close(); p.f.s.focus() }
	p.other.OnSubmitted = func(text string) { p.chose(strings.TrimSpace(text)) }
	box := container.NewVBox(widget.Bold("Flag this model"), p.now)
	for k, flag := range flags {
		b := fynewidget.NewButton(fmt.Sprintf("%s (%d)", flag, k+1), func() { p.chose(flag) })
		b.Alignment = fynewidget.ButtonAlignLeading
		box.Add(b)
	}
	none := fynewidget.NewButton("no flag (0)", func() { p.chose("") })
	none.Alignment = fynewidget.ButtonAlignLeading
	other := container.NewBorder(nil, nil, fynewidget.NewLabel(fmt.Sprintf("other (%d)", len(flags)+1)), nil,
		container.NewGridWrap(fyne.NewSize(230, p.other.MinSize().Height), p.other))
	box.Add(other)
	box.Add(none)
	return box
}

func (p *panel) chose(flag string) {
	p.close()
	p.f.touch()
	p.f.s.Flag(flag)
	p.f.s.focus()
}

func (p *panel) open(content fyne.CanvasObject) {
	p.ground.FillColor, p.ground.StrokeColor = theme.Color(theme.ColorNameOverlayBackground),
		theme.Color(theme.ColorNameSeparator)
	p.card.Objects = []fyne.CanvasObject{content}
	p.object.Show()
	p.f.layers.Refresh() // the panel itself does not know its window before it was drawn
	p.f.s.focus()
}

// close hides the panel; it may be hidden already.
func (p *panel) close() {
	if !p.object.Visible() {
		return
	}
	if p.typing() {
		p.f.s.Window.Canvas().Unfocus()
	}
	p.object.Hide()
	p.f.layers.Refresh()
}

// typing tells whether the text of a flag is being typed.
func (p *panel) typing() bool {
	return p.object.Visible() && p.f.s.Window.Canvas().Focused() == fyne.Focusable(p.other)
}

func (f *widgets) panelOpen() bool { return f.panel.object.Visible() }

// panelKey takes a key while the panel is open: a number chooses a flag, every other key closes
// the panel.
func (f *widgets) panelKey(k keymap.Key) {
	p := &f.panel
	choosing := len(p.card.Objects) > 0 && p.card.Objects[0] == fyne.CanvasObject(p.flag)
	at := int(k.Rune - '1')
	switch {
	case choosing && k.Rune == '0':
		p.chose("")
	case choosing && k.Rune != 0 && at >= 0 && at < len(flags):
		p.chose(flags[at])
	case choosing && at == len(flags):
		f.s.Window.Canvas().Focus(p.other)
	default:
		p.close()
	}
}

// openHelp shows all keys.
func (f *widgets) openHelp() { f.panel.open(f.panel.help) }

// openFlag offers the flags for the item shown.
func (f *widgets) openFlag() {
	if _, ok := f.s.currentItem(); !ok {
		return
	}
	now := f.s.session.Flag()
	if now == "" {
		now = "none"
	}
	f.panel.now.SetText(fmt.Sprintf("now: %s", now))
	f.panel.other.SetText("")
	f.panel.open(f.panel.flag)
}
