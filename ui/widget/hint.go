package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"
)

// HintButton is a button, mostly with an icon alone, that says what it does while the pointer is on
// it.
type HintButton struct {
	fynewidget.Button
	hint string
	say  func(hint string) // "" ends it
}

var _ desktop.Hoverable = (*HintButton)(nil)

// NewHintButton makes a button with a hint for say, which ends it with "".
func NewHintButton(icon fyne.Resource, hint string, say func(hint string), tapped func()) *HintButton {
	b := &HintButton{hint: hint, say: say}
	b.Icon, b.OnTapped = icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// MouseIn implements desktop.Hoverable.
func (b *HintButton) MouseIn(ev *desktop.MouseEvent) {
	b.Button.MouseIn(ev)
	b.say(b.hint)
}

// MouseOut implements desktop.Hoverable.
func (b *HintButton) MouseOut() {
	b.Button.MouseOut()
	b.say("")
}

// AccessibilityLabel says what the icon shows.
func (b *HintButton) AccessibilityLabel() string { return b.hint }

// SetHint changes what the button says that it does.
func (b *HintButton) SetHint(hint string) { b.hint = hint }
