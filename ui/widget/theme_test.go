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
	heat, absent, tile, chart := NewHeatmap(), NewHeatmap(), NewMatrixTile("max@CONF"), NewPlot()
	heat.SetPicture(picture(31))
	absent.SetAbsent("no second convolution")
	tile.SetPicture(scaled(0, 0.3))
	tile.SetBadge("own")
	chart.SetFigure(falling())
	status := NewStatusLine()
	status.Say("ready")
	badge := NewBadge()
	badge.SetText("own")
	points, bars, tree := NewPlot(), NewPlot(), NewDiagram()
	points.SetFigure(threePoints())
	bars.SetFigure(waterfall())
	tree.SetData(someTree())
	regions, nothing := NewRegions(), NewRegions()
	regions.SetPicture(regionsOf(3))
	nothing.SetPicture(RegionPicture{Absent: "no model is chosen"})
	network := NewNetwork()
	network.SetData(fourNodes())
	field, unmade := NewField("I3"), NewField("I1")
	field.SetPicture(previewOf(64))
	unmade.SetAbsent("no run of this selection")
	chips := NewChips(level)
	chips.SetChips(someChips(), 5)
	return map[string]fyne.Widget{
		"chips":   chips,
		"network": network, "field": field, "no-field": unmade,
		"bars": bars, "points": points, "diagram": tree,
		"heatmap": heat, "absent": absent, "tile": tile, "chart": chart, "status": status, "badge": badge,
		"bar": NewColourBar(), "kappas": kappas(), "regions": regions, "no-regions": nothing,
	}
}

// TestEveryTextFollowsTheTheme: after a switch between light and dark, every text stands out from the background.
func TestEveryTextFollowsTheTheme(t *testing.T) {
	for name, w := range everything() {
		if name == "regions" || name == "chips" {
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

// TestObjectsStayFew: a heatmap is one image and a few lines and texts, never an object per element.
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
		"tile": fyne.NewSize(240, 250), "kappas": fyne.NewSize(260, 100), "chart": fyne.NewSize(360, 220), "absent": fyne.NewSquareSize(120),
		"regions": fyne.NewSize(220, 160), "no-regions": fyne.NewSquareSize(120), "network": fyne.NewSize(320, 240),
		"field": fyne.NewSize(300, 280), "no-field": fyne.NewSize(130, 150),
		"chips": fyne.NewSize(240, 180),
	} {
		t.Run(name, func(t *testing.T) {
			w := show(t, everything()[name], size)
			test.AssertRendersToMarkup(t, name+".xml", w.Canvas())
		})
	}
}
