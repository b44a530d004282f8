package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// frame is the plotted area inside a widget and the ends of its axes. Where names run down the Y
// axis, y0, at the bottom, lies above y1.
type frame struct {
	left, top, width, height float32
	x0, x1, y0, y1           float64
}

// extent are the ends of both axes.
type extent struct{ x0, x1, y0, y1 float64 }

func (f frame) extent() extent { return extent{f.x0, f.x1, f.y0, f.y1} }

// over is the frame with other ends.
func (f frame) over(e extent) frame {
	f.x0, f.x1, f.y0, f.y1 = e.x0, e.x1, e.y0, e.y1
	return f
}

func (f frame) x(v float64) float32 { return f.left + f.width*float32((v-f.x0)/(f.x1-f.x0)) }
func (f frame) y(v float64) float32 { return f.top + f.height*float32(1-(v-f.y0)/(f.y1-f.y0)) }

// holds tells whether a position lies in the plotted area, or hardly beside it.
func (f frame) holds(pos fyne.Position) bool {
	return f.width > 0 && pos.X >= f.left-4 && pos.X <= f.left+f.width+4 && pos.Y >= f.top && pos.Y <= f.top+f.height
}

// shows tells whether a point is finite and inside of what is shown.
func (f frame) shows(x, y float64) bool {
	return x >= f.x0 && x <= f.x1 && y >= min(f.y0, f.y1) && y <= max(f.y0, f.y1)
}

// colourOf is a look's colour on a ground.
func colourOf(l result.Look, ground color.Color) color.NRGBA {
	if darkGround(ground) {
		return render.Looks[l].Dark
	}
	return render.Looks[l].Light
}

// darkGround tells whether a colour is nearer to black than to white.
func darkGround(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return 299*r+587*g+114*b < 1000*0x8000
}

// tooSmall stands where a figure has no room.
const tooSmall = "too small to draw"

// readOut is a text beside the pointer, inside of a size, on a ground of its own.
func readOut(text string, pointer fyne.Position, size fyne.Size, st style) []fyne.CanvasObject {
	const widest, away, rim = 300, 14, 4
	var lines []*canvas.Text
	box := fyne.NewSize(0, 2*rim)
	for _, line := range wrap(text, st.caption, min(widest, size.Width-2*rim)) {
		t := newText(line, st.foreground, st.caption)
		least := t.MinSize()
		box = fyne.NewSize(max(box.Width, least.Width+2*rim), box.Height+least.Height)
		lines = append(lines, t)
	}
	left, top := pointer.X+away, pointer.Y+away
	if left+box.Width > size.Width {
		left = max(pointer.X-away-box.Width, 0)
	}
	if top+box.Height > size.Height {
		top = max(pointer.Y-away-box.Height, 0)
	}
	ground := canvas.NewRectangle(faded(st.background, 0.92))
	ground.StrokeColor, ground.StrokeWidth, ground.CornerRadius = st.line, 1, 3
	ground.Move(fyne.NewPos(left, top))
	ground.Resize(box)
	objects := []fyne.CanvasObject{ground}
	for _, t := range lines {
		placeText(t, left+rim, top+rim)
		top += t.MinSize().Height
		objects = append(objects, t)
	}
	return objects
}
