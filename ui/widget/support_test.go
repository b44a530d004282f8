package widget

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
)

// variant is Fyne's own theme in one of its variants, whatever the desktop prefers.
type variant struct {
	fyne.Theme
	fyne.ThemeVariant
}

// Color implements fyne.Theme.
func (v variant) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return v.Theme.Color(name, v.ThemeVariant)
}

var (
	lightTheme = variant{theme.DefaultTheme(), theme.VariantLight}
	darkTheme  = variant{theme.DefaultTheme(), theme.VariantDark}
)

// show puts an object of exactly this size into a window of the test driver.
func show(tb testing.TB, object fyne.CanvasObject, size fyne.Size) fyne.Window {
	tb.Helper()
	test.NewTempApp(tb)
	fyne.CurrentApp().Settings().SetTheme(lightTheme)
	w := test.NewTempWindow(tb, object)
	w.SetPadded(false)
	w.Resize(size)
	return w
}

// axisOf is a symmetric axis of n whole values.
func axisOf(n int, unit string) render.Axis {
	axis := render.Axis{Name: "rotation", Unit: unit, Values: make([]float64, n)}
	for i := range n {
		axis.Values[i] = float64(i - n/2)
	}
	return axis
}

// ramp is a matrix whose element (i, j) is (i*n + j) / n^2, so that each has its own value.
func ramp(n int) variance.Matrix {
	m := variance.Matrix{N: n, Data: make([]float64, n*n)}
	for k := range m.Data {
		m.Data[k] = float64(k) / float64(n*n)
	}
	return m
}

func picture(n int) Picture {
	return NewPicture(ramp(n), render.Scale{High: 1, Map: &render.Gray}, axisOf(n, "°"))
}

func at(x, y float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}}
}

func key(name fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: name} }

func pixel(img image.Image, x, y float32) color.RGBA {
	return color.RGBAModel.Convert(img.At(int(x), int(y))).(color.RGBA)
}

// objectsOf are the objects of a widget's renderer.
func objectsOf(tb testing.TB, w fyne.Widget) []fyne.CanvasObject {
	tb.Helper()
	return test.WidgetRenderer(w).Objects()
}

// texts are the visible texts among objects.
func texts(objects []fyne.CanvasObject) []*canvas.Text {
	var list []*canvas.Text
	for _, o := range objects {
		if t, ok := o.(*canvas.Text); ok && t.Visible() && t.Text != "" {
			list = append(list, t)
		}
	}
	return list
}

// typeTo types into whatever has the focus, as a window does.
func typeTo(c fyne.Canvas, text string) {
	for _, r := range text {
		if c.Focused() != nil {
			c.Focused().TypedRune(r)
		}
	}
}

// checkTexts reports texts that stick out of a size, are larger than their box, or touch another
// text. Boxes of lines may overlap by the empty share above and below the letters.
func checkTexts(objects []fyne.CanvasObject, size fyne.Size) error {
	const slack = 0.6 // a box of a text is some pixels larger than its letters
	list := texts(objects)
	for k, t := range list {
		p, s := t.Position(), t.Size()
		if p.X < -slack || p.Y < -slack-2.5 || p.X+s.Width > size.Width+slack || p.Y+s.Height > size.Height+slack+2 {
			return fmt.Errorf("text %q at %v of size %v sticks out of %v", t.Text, p, s, size)
		}
		if need := t.MinSize(); s.Width < need.Width-slack {
			return fmt.Errorf("text %q is %v wide and needs %v", t.Text, s.Width, need.Width)
		}
		for _, other := range list[:k] {
			q, u := other.Position(), other.Size()
			if p.X+slack < q.X+u.Width && q.X+slack < p.X+s.Width && p.Y+0.4*s.Height < q.Y+u.Height &&
				q.Y+0.4*u.Height < p.Y+s.Height {
				return fmt.Errorf("texts %q at %v and %q at %v overlap in %v", t.Text, p, other.Text, q, size)
			}
		}
	}
	return nil
}
