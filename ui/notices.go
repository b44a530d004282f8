package ui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// notice is a message that stays until it is dismissed.
type notice struct {
	text    string
	isError bool
}

// notices keeps messages in the order in which they came; the same message is kept once. It knows no widgets.
type notices struct{ list []notice }

// add keeps a message and tells whether it is a new one.
func (n *notices) add(text string, isError bool) bool {
	if text == "" || slices.ContainsFunc(n.list, func(old notice) bool { return old.text == text }) {
		return false
	}
	n.list = append(n.list, notice{text, isError})
	return true
}

// dismiss drops the message shown, the oldest.
func (n *notices) dismiss() {
	if len(n.list) > 0 {
		n.list = n.list[1:]
	}
}

// shown is the oldest message and how many more wait behind it.
func (n *notices) shown() (message notice, more int, ok bool) {
	if len(n.list) == 0 {
		return notice{}, 0, false
	}
	return n.list[0], len(n.list) - 1, true
}

// banner shows the notices as a bar above the screens.
type banner struct {
	notices notices
	ground  *ground
	icon    *widget.Icon
	text    *widget.Label
	next    *widget.Button
	object  *fyne.Container
}

func newBanner() *banner {
	b := &banner{ground: newGround(theme.ColorNameHeaderBackground), icon: widget.NewIcon(nil), text: widget.NewLabel("")}
	b.text.Wrapping = fyne.TextWrapWord
	b.text.Selectable = true
	b.next = widget.NewButton("Dismiss", func() {
		b.notices.dismiss()
		b.refresh()
	})
	b.next.Importance = widget.LowImportance
	b.object = container.New(layout.NewCustomPaddedVBoxLayout(0), container.NewStack(b.ground,
		container.NewBorder(nil, nil, container.NewPadded(b.icon), container.NewCenter(b.next), b.text)), widget.NewSeparator())
	b.refresh()
	return b
}

func (b *banner) add(text string, isError bool) bool {
	added := b.notices.add(text, isError)
	b.refresh()
	return added
}

func (b *banner) refresh() {
	shown, more, ok := b.notices.shown()
	if !ok {
		b.object.Hide()
		return
	}
	b.text.SetText(shown.text)
	b.icon.SetResource(theme.NewWarningThemedResource(theme.InfoIcon()))
	if shown.isError {
		b.icon.SetResource(theme.NewErrorThemedResource(theme.ErrorIcon()))
	}
	b.next.SetText("Dismiss")
	if more > 0 {
		b.next.SetText(fmt.Sprintf("Dismiss (%d more)", more))
	}
	b.object.Show()
	b.object.Refresh()
}
