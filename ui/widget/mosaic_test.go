package widget

import (
	"fmt"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

func mosaicOf(rows, columns int) MosaicData {
	d := MosaicData{XName: "models by rank", YName: "images", Kinds: []Group{{"right", LookInvariant}, {"wrong", LookVariant}}, Empty: "nothing"}
	for c := range columns {
		d.Columns = append(d.Columns, fmt.Sprintf("m%02d", c))
	}
	for r := range rows {
		d.Rows = append(d.Rows, fmt.Sprintf("#%d", 100*r))
		row := make([]int, columns)
		for c := range row {
			row[c] = (r+c)%3 - 1
		}
		d.Cells = append(d.Cells, row)
	}
	return d
}

func TestMosaicReadsCells(t *testing.T) {
	m := NewMosaic()
	m.SetData(mosaicOf(4, 5))
	w := show(t, m, fyne.NewSize(400, 300))
	var hovered, tapped [][2]int
	m.OnHover = func(row, col int) { hovered = append(hovered, [2]int{row, col}) }
	m.OnTapped = func(row, col int) { tapped = append(tapped, [2]int{row, col}) }
	centre := func(row, col int) (x, y float32) {
		a := m.area
		return a.left + (float32(col)+0.5)*a.width/5, a.top + (float32(row)+0.5)*a.height/4
	}
	m.MouseMoved(at(centre(2, 3)))
	m.MouseMoved(at(0, 0))
	x, y := centre(1, 4)
	m.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, y)})
	if fmt.Sprint(hovered) != "[[2 3] [-1 -1]]" || fmt.Sprint(tapped) != "[[1 4]]" || m.Selected() != 1 {
		t.Errorf("hovered %v, tapped %v, selected %d", hovered, tapped, m.Selected())
	}
	if w.Canvas().Focused() != fyne.Focusable(m) {
		t.Error("a click does not give it the keyboard")
	}
	for _, name := range []fyne.KeyName{fyne.KeyDown, fyne.KeyEnd, fyne.KeyDown, fyne.KeyHome, fyne.KeyUp, fyne.KeyPageDown, fyne.KeyPageUp} {
		m.TypedKey(key(name))
	}
	if got := fmt.Sprint(tapped[1:]); got != "[[2 -1] [3 -1] [3 -1] [0 -1] [0 -1] [3 -1] [0 -1]]" {
		t.Errorf("the keys chose %s", got)
	}
	m.SetData(MosaicData{Empty: "nothing to see"})
	m.TypedKey(key(fyne.KeyDown))
	if list := texts(objectsOf(t, m)); len(list) != 1 || list[0].Text != "nothing to see" || m.Selected() != -1 {
		t.Errorf("empty: %v, selected %d", list, m.Selected())
	}
}

func TestMosaicFollowsTheTheme(t *testing.T) {
	m := NewMosaic()
	m.SetData(mosaicOf(2, 2))
	show(t, m, fyne.NewSize(300, 200))
	corner := func() color.NRGBA {
		for _, o := range objectsOf(t, m) {
			if img, ok := o.(*canvas.Image); ok && img.ScaleMode == canvas.ImageScalePixels {
				return img.Image.At(1, 0).(color.NRGBA) // kind 0
			}
		}
		t.Fatal("no cells")
		return color.NRGBA{}
	}
	if got := corner(); got != appearance(LookInvariant).Light {
		t.Errorf("%v on light", got)
	}
	fyne.CurrentApp().Settings().SetTheme(darkTheme)
	m.Refresh()
	if got := corner(); got != appearance(LookInvariant).Dark {
		t.Errorf("%v on dark", got)
	}
}

func TestMosaicTextsNeverOverlap(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		m := NewMosaic()
		m.SetData(mosaicOf(rapid.IntRange(1, 90).Draw(t, "rows"), rapid.IntRange(1, 170).Draw(t, "columns")))
		size := fyne.NewSize(float32(rapid.IntRange(160, 1000).Draw(t, "width")), float32(rapid.IntRange(120, 700).Draw(t, "height")))
		m.Resize(size)
		if err := checkTexts(test.WidgetRenderer(m).Objects(), size); err != nil {
			t.Error(err)
		}
	})
}
