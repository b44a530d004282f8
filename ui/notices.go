package ui

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// notice is a message that stays until it is dismissed.
type notice struct {
	text    string
	details string // what lies behind it, shown on demand; "" for nothing
	isError bool
	// action is what can be done about it, with the text of its button; the notice goes when it is
	// chosen.
	action      string
	act         func()
	onDismissed func() // may be nil
}

// notices keeps messages in the order in which they came, errors before the others; the same
// message is kept once. It knows no widgets.
type notices struct{ list []notice }

// add keeps a message and tells whether it is a new one.
func (n *notices) add(message notice) bool {
	if message.text == "" || slices.ContainsFunc(n.list, func(old notice) bool { return old.text == message.text }) {
		return false
	}
	at := len(n.list)
	if first := slices.IndexFunc(n.list, func(old notice) bool { return !old.isError }); message.isError && first >= 0 {
		at = first
	}
	n.list = slices.Insert(n.list, at, message)
	return true
}

// dismiss drops the message shown and returns it.
func (n *notices) dismiss() (dropped notice) {
	if len(n.list) > 0 {
		dropped, n.list = n.list[0], n.list[1:]
	}
	return dropped
}

// shown is the first message and how many more wait behind it.
func (n *notices) shown() (message notice, more int, ok bool) {
	if len(n.list) == 0 {
		return notice{}, 0, false
	}
	return n.list[0], len(n.list) - 1, true
}

// highestDetails is the height beyond which details scroll: the screen below stays in sight.
const highestDetails = 170

// banner shows the notices as a bar that lies over the lower end of the screens: nothing below it
// moves when one comes or goes.
type banner struct {
	notices notices
	copy    func(text string) // puts text on the clipboard
	after   func()            // after a click, to give the keyboard back
	changed func()            // after its height changed

	icon    *widget.Icon
	text    *widget.Label
	details *widget.Label
	unfold  *widget.Button
	copying *widget.Button
	action  *widget.Button
	next    *widget.Button
	below   *container.Scroll
	object  *fyne.Container
}

func newBanner(copied func(string), after func()) *banner {
	b := &banner{
		copy: copied, after: after, changed: func() {}, icon: widget.NewIcon(nil), text: widget.NewLabel(""),
		details: widget.NewLabel(""),
	}
	b.text.Wrapping, b.details.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	b.text.Selectable, b.details.Selectable = true, true
	b.details.TextStyle.Monospace = true
	b.unfold = b.button("Details", func() { b.fold(!b.below.Visible()) })
	b.copying = b.button("Copy", func() {
		if shown, _, ok := b.notices.shown(); ok {
			b.copy(shown.text + "\n" + shown.details)
		}
	})
	b.action = b.button("", b.acted)
	b.action.Importance = widget.HighImportance
	b.next = b.button("Dismiss", b.dismissed)
	b.below = container.NewVScroll(b.details)
	buttons := container.NewCenter(container.NewHBox(b.action, b.unfold, b.copying, b.next))
	b.object = container.New(layout.NewCustomPaddedVBoxLayout(0), widget.NewSeparator(),
		container.NewStack(parts.NewCover(theme.ColorNameHeaderBackground, after),
			container.NewVBox(container.NewBorder(nil, nil, container.NewPadded(b.icon), buttons, b.text), b.below)))
	b.refresh()
	return b
}

func (b *banner) button(text string, tapped func()) *widget.Button {
	button := widget.NewButton(text, func() {
		tapped()
		b.after()
	})
	button.Importance = widget.LowImportance
	return button
}

func (b *banner) add(message notice) bool {
	added := b.notices.add(message)
	b.refresh()
	return added
}

func (b *banner) dismissed() {
	dropped := b.notices.dismiss()
	b.refresh()
	if dropped.onDismissed != nil {
		dropped.onDismissed()
	}
}

func (b *banner) acted() {
	dropped := b.notices.dismiss()
	b.refresh()
	if dropped.act != nil {
		dropped.act()
	}
}

// fold shows or hides the details.
func (b *banner) fold(open bool) {
	b.copying.Hidden = !open
	b.unfold.SetText("Details")
	b.below.Hide()
	if open {
		b.below.Show()
		b.unfold.SetText("Hide details")
		lines := 1 + float32(strings.Count(b.details.Text, "\n"))
		b.below.SetMinSize(fyne.NewSize(0, min(30+20*lines, highestDetails)))
	}
	b.object.Refresh()
	b.changed()
}

func (b *banner) refresh() {
	shown, more, ok := b.notices.shown()
	if !ok {
		b.object.Hide()
		b.changed()
		return
	}
	b.text.SetText(shown.text)
	b.details.SetText(shown.details)
	b.unfold.Hidden = shown.details == ""
	b.action.SetText(shown.action)
	b.action.Hidden = shown.action == ""
	b.icon.SetResource(theme.NewWarningThemedResource(theme.InfoIcon()))
	if shown.isError {
		b.icon.SetResource(theme.NewErrorThemedResource(theme.ErrorIcon()))
	}
	b.next.SetText("Dismiss")
	if more > 0 {
		b.next.SetText(fmt.Sprintf("Dismiss (%v more)", more))
	}
	b.object.Show()
	b.fold(false)
}
