package widget

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// Help is a button that ends an empty state.
type Help struct {
	Text string
	Icon fyne.Resource // nil for none
	Do   func()        // nil: it is not offered
	// Busy, which may be nil, says that what the button would start is at work already, such as
	// "queued": the button cannot be pressed then. "" for no.
	Busy func() string
}

// EmptyState stands in the middle of a screen that has nothing to show: why, or what is being done,
// and buttons that help.
type EmptyState struct {
	object  *fyne.Container
	text    *widget.Label
	bar     *Progress
	buttons *fyne.Container
	room    float32 // the width that there is, 0 before the first layout
	said    string
	takes   string // what the buttons would start takes
	help    []Help // by button
}

// NewEmptyState makes a hidden one.
func NewEmptyState() *EmptyState {
	v := &EmptyState{text: widget.NewLabel(""), bar: NewProgress(), buttons: container.NewHBox()}
	v.text.Alignment, v.text.Wrapping = fyne.TextAlignCenter, fyne.TextWrapWord
	column := container.New(layout.NewVBoxLayout(), container.New(paragraph{v}, v.text),
		container.NewCenter(container.New(barRoom{}, v.bar.Object())), container.NewCenter(v.buttons))
	v.object = container.New(middle{v}, column)
	v.object.Hide()
	return v
}

// Object is what the screen shows, where its content would be.
func (v *EmptyState) Object() fyne.CanvasObject { return v.object }

// Say shows a text, which may have several lines, and the buttons that have something to do.
func (v *EmptyState) Say(text string, help ...Help) {
	v.bar.Hide()
	v.said, v.takes, v.help, v.buttons.Objects = text, "", nil, nil
	for _, h := range help {
		if h.Do != nil {
			v.help = append(v.help, h)
			v.buttons.Objects = append(v.buttons.Objects, widget.NewButtonWithIcon(h.Text, h.Icon, h.Do))
		}
	}
	v.object.Show()
	v.Renew()
	v.object.Refresh()
}

// Takes says in a line of its own what the buttons would start takes.
func (v *EmptyState) Takes(text string) {
	v.takes = text
	v.Renew()
}

// Renew asks anew whether what the buttons would start is at work. Then the text says so in place
// of what that takes; the line stays free until then, so that no button moves.
func (v *EmptyState) Renew() {
	text, line, starts := v.said, v.takes, v.takes != ""
	for k, h := range v.help {
		state := ""
		if h.Busy != nil {
			state, starts = h.Busy(), true
		}
		Enable(v.buttons.Objects[k].(*widget.Button), state == "")
		if state != "" {
			line = "This is being computed: " + state + "."
		}
	}
	if starts {
		text += "\n" + line
	}
	if v.text.Text != text {
		v.text.SetText(text)
		v.object.Refresh()
	}
}

// Doing says what is being done, and how far it is where that is known.
func (v *EmptyState) Doing(text string, share float64, known bool) {
	begins := !v.Visible() || !v.bar.Visible() || v.said != text
	if begins {
		v.Say(text)
	}
	if v.bar.Show(share, known); begins {
		v.object.Refresh()
	}
}

// Hide puts it away.
func (v *EmptyState) Hide() {
	v.bar.Hide()
	v.help = nil
	v.object.Hide()
}

// Progress is how far it says that something is.
func (v *EmptyState) Progress() *Progress { return v.bar }

// Visible tells whether it is shown.
func (v *EmptyState) Visible() bool { return v.object.Visible() }

// Text is what it says.
func (v *EmptyState) Text() string { return strings.TrimSuffix(v.text.Text, "\n") }

// Buttons are those that it offers.
func (v *EmptyState) Buttons() []*widget.Button {
	var list []*widget.Button
	for _, o := range v.buttons.Objects {
		list = append(list, o.(*widget.Button))
	}
	return list
}

// barRoom gives its one child, a bar, a third of the width of a paragraph.
type barRoom struct{}

// Layout implements fyne.Layout.
func (barRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
func (barRoom) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if !objects[0].Visible() {
		return fyne.Size{}
	}
	return fyne.NewSize(paragraphWidth/3*Grown(), objects[0].MinSize().Height)
}

// middle lays its one child in the middle. The child learns how much room there is.
type middle struct{ v *EmptyState }

// MinSize implements fyne.Layout.
func (middle) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Layout implements fyne.Layout.
func (m middle) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	m.v.room = size.Width
	least := objects[0].MinSize()
	objects[0].Resize(least)
	objects[0].Move(fyne.NewPos((size.Width-least.Width)/2, (size.Height-least.Height)/2))
}

// paragraph gives its one child, a label that wraps, a width in which lines are easy to read, or
// that there is, and the height of its lines.
type paragraph struct{ v *EmptyState }

const paragraphWidth = 640

// Layout implements fyne.Layout.
func (paragraph) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
func (p paragraph) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := paragraphWidth * Grown()
	if p.v.room > 0 {
		width = min(width, p.v.room)
	}
	objects[0].Resize(fyne.NewSize(width, objects[0].Size().Height))
	// Fyne makes anew what draws a label that was long out of sight, and that has no width then.
	layOut(objects[0])
	return fyne.NewSize(width, objects[0].MinSize().Height)
}
