package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// leastReason is the width that a reason gets even where the box is narrower.
const leastReason = 96

// reasonOver writes why something is absent on a plain ground in the middle of a box, inside the
// widget's whole width.
func reasonOver(b box, reason string, whole float32, st style) []fyne.CanvasObject {
	if reason == "" {
		return nil
	}
	room := max(b.width-12, min(leastReason, whole-8))
	lines := wrap(reason, st.caption, room)
	height := measure("X", st.caption, false).Height
	var widest float32
	for _, line := range lines {
		widest = max(widest, measure(line, st.caption, false).Width)
	}
	middle := min(max(b.x+b.width/2, widest/2+4), max(whole-widest/2-4, 0))
	top := b.y + (b.height-height*float32(len(lines)))/2
	ground := canvas.NewRectangle(st.background)
	ground.CornerRadius = 3
	ground.Resize(fyne.NewSize(widest+8, height*float32(len(lines))+4))
	ground.Move(fyne.NewPos(middle-widest/2-4, top-2))
	list := []fyne.CanvasObject{ground}
	for k, line := range lines {
		t := newText(line, st.foreground, st.caption)
		placeText(t, middle-t.MinSize().Width/2, top+height*float32(k))
		list = append(list, t)
	}
	return list
}
