package widget

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

func everything() map[string]fyne.Widget {
	tile, chart := NewMatrixTile("max@CONF"), NewPlot()
	tile.SetPicture(scaled(0, 0.3))
	tile.SetBadge("own")
	chart.SetFigure(falling())
	status := NewStatusLine()
	status.Say("ready")
	badge := NewBadge()
	badge.SetText("own")
	chips := NewChips(level)
	chips.SetChips(someChips(), 5)
	return map[string]fyne.Widget{
		"chips": chips, "tile": tile, "chart": chart, "status": status, "badge": badge, "kappas": kappas(),
	}
}

// TestEveryTextFollowsTheTheme: after a switch between light and dark, every text stands out from
// the background.
func TestEveryTextFollowsTheTheme(t *testing.T) {
	for name, w := range everything() {
		if name == "chips" {
			continue // their words stand on grounds of their own
		}
		show(t, container.NewStack(w), fyne.NewSize(400, 300))
		for _, look := range []variant{darkTheme, lightTheme, darkTheme} {
			test.ApplyTheme(t, look)
			ground := look.Color(theme.ColorNameBackground, 0)
			for _, text := range texts(allObjects(w)) {
				if contrast := distance(text.Color, ground); contrast < 90 {
					t.Errorf("%s: text %q has %v on %v", name, text.Text, text.Color, ground)
				}
			}
		}
	}
}

// allObjects are the objects of a widget and of the widgets in it.
func allObjects(w fyne.Widget) []fyne.CanvasObject {
	var list []fyne.CanvasObject
	for _, o := range test.WidgetRenderer(w).Objects() {
		if inner, ok := o.(fyne.Widget); ok {
			list = append(list, allObjects(inner)...)
		} else {
			list = append(list, o)
		}
	}
	return list
}

func distance(a, b color.Color) int {
	x, y := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	gray := func(c color.NRGBA) int { return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 }
	d := gray(x) - gray(y)
	return max(d, -d)
}

// TestRefreshIsIdempotent: drawing again without a change gives the same picture.
func TestRefreshIsIdempotent(t *testing.T) {
	for name, w := range everything() {
		window := show(t, container.NewStack(w), fyne.NewSize(300, 240))
		before := window.Canvas().Capture()
		w.Refresh()
		after := window.Canvas().Capture()
		b := before.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if before.At(x, y) != after.At(x, y) {
					t.Fatalf("%s: pixel %d,%d changed from %v to %v", name, x, y, before.At(x, y), after.At(x, y))
				}
			}
		}
	}
}

// TestObjectsStayFew: a heatmap is one image and a few lines and texts, never an object per
// element.
func TestObjectsStayFew(t *testing.T) {
	heat := NewHeatmap()
	heat.SetPicture(picture(61))
	show(t, heat, fyne.NewSquareSize(500))
	images := 0
	objects := objectsOf(t, heat)
	for _, o := range objects {
		if _, ok := o.(*canvas.Image); ok {
			images++
		}
	}
	if images != 1 || len(objects) > 60 {
		t.Errorf("%d images, %d objects", images, len(objects))
	}
}

// TestMarkup holds the structure of the widgets that are built of many objects.
func TestMarkup(t *testing.T) {
	for name, size := range map[string]fyne.Size{
		"tile": fyne.NewSize(240, 250), "kappas": fyne.NewSize(260, 100), "chart": fyne.NewSize(360, 220),
		"chips": fyne.NewSize(240, 180),
	} {
		t.Run(name, func(t *testing.T) {
			w := show(t, everything()[name], size)
			test.AssertRendersToMarkup(t, name+".xml", w.Canvas())
		})
	}
}
