package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// hintButton is a button with an icon alone that says in the status line what it does while the
// pointer is on it.
type hintButton struct {
	widget.Button
	hint string
	say  func(hint string) // "" ends it
}

var _ desktop.Hoverable = (*hintButton)(nil)

func newHintButton(icon fyne.Resource, say func(string), tapped func()) *hintButton {
	b := &hintButton{say: say}
	b.Icon, b.OnTapped, b.Importance = icon, tapped, widget.LowImportance
	b.ExtendBaseWidget(b)
	return b
}

// MouseIn implements desktop.Hoverable.
func (b *hintButton) MouseIn(ev *desktop.MouseEvent) {
	b.Button.MouseIn(ev)
	b.say(b.hint)
}

// MouseOut implements desktop.Hoverable.
func (b *hintButton) MouseOut() {
	b.Button.MouseOut()
	b.say("")
}

// AccessibilityLabel says what the icon shows.
func (b *hintButton) AccessibilityLabel() string { return b.hint }

// show changes what the button does and whether it can be used.
func (b *hintButton) show(hint string, enabled bool) {
	b.hint = hint
	if enabled {
		b.Enable()
	} else {
		b.Disable()
	}
}
