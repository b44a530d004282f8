package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Fitting is what a dialog shows, in a room that is never larger than the window: it takes the size
// that the content needs, and where the window has less the content scrolls, so that the dialog's
// buttons stay in reach at every size of text.
func Fitting(content fyne.CanvasObject, over fyne.Window) fyne.CanvasObject {
	return container.New(bounded{over.Canvas()}, container.NewScroll(content))
}

// Fitted is the content that Fitting was given, nil for any other object.
func Fitted(object fyne.CanvasObject) fyne.CanvasObject {
	if box, ok := object.(*fyne.Container); ok {
		if _, ok := box.Layout.(bounded); ok {
			return box.Objects[0].(*container.Scroll).Content
		}
	}
	return nil
}

// bounded is the layout of one scroll that asks for no more than a canvas has.
type bounded struct{ over fyne.Canvas }

// Layout implements fyne.Layout.
func (bounded) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(size)
}

// MinSize implements fyne.Layout.
func (f bounded) MinSize(objects []fyne.CanvasObject) fyne.Size {
	scroll, room := objects[0].(*container.Scroll), f.over.Size()
	need := scroll.Content.MinSize()
	if room.IsZero() { // the window was never drawn
		return need
	}
	around := dialogFrame()
	// The height of texts that are wrapped follows from their width.
	if wide := max(min(need.Width, room.Width-around.Width), scroll.Size().Width); wide > 0 {
		scroll.Content.Resize(fyne.NewSize(max(wide, need.Width), scroll.Content.Size().Height))
		need = scroll.Content.MinSize()
	}
	return fyne.NewSize(max(min(need.Width, room.Width-around.Width), 0),
		max(min(need.Height, room.Height-around.Height), 0))
}

// dialogFrame is what Fyne's dialogs have around their content: margins, the title and a row of
// buttons. It measures no widgets: a dialog asks at every layout, and Fyne keeps what draws a new
// widget for a minute.
func dialogFrame() fyne.Size {
	line := fyne.MeasureText("X", theme.TextSize(), fyne.TextStyle{Bold: true}).Height
	button := max(line, theme.IconInlineSize()) // also without an icon
	return fyne.NewSize(dialogMargin, dialogMargin+line+button+4*theme.InnerPadding()+theme.Padding())
}

// dialogMargin is the sum of the margins at two opposite sides.
const dialogMargin = 32
