package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Inside are the objects that a container or a widget shows. What a widget draws is known to its
// renderer alone, and Fyne hands renderers out in its package for tests and nowhere else; this file
// is the one place that asks it.
func Inside(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}

// layOut gives what a container or a widget shows its places again.
func layOut(o fyne.CanvasObject) {
	switch o := o.(type) {
	case *fyne.Container:
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
	case fyne.Widget:
		test.WidgetRenderer(o).Layout(o.Size())
	}
}
