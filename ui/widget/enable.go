package widget

import "fyne.io/fyne/v2"

// Enable lets something be used or not; it is drawn anew only where that changes.
func Enable(o fyne.Disableable, on bool) {
	switch {
	case on && o.Disabled():
		o.Enable()
	case !on && !o.Disabled():
		o.Disable()
	}
}

// Show shows something or hides it; it is laid out anew only where that changes.
func Show(o fyne.CanvasObject, on bool) {
	switch {
	case on && !o.Visible():
		o.Show()
	case !on && o.Visible():
		o.Hide()
	}
}

// Visible are the objects that are shown.
func Visible(objects []fyne.CanvasObject) (shown []fyne.CanvasObject) {
	for _, o := range objects {
		if o.Visible() {
			shown = append(shown, o)
		}
	}
	return shown
}
