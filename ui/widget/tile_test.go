package widget

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
)

func scaled(low, high float64) Picture {
	return NewPicture(ramp(31), render.Scale{Low: low, High: high}, axisOf(31, "°"))
}

// placeOf is where the cells of a tile lie in its heatmap.
func placeOf(tile *MatrixTile) box {
	a := tile.heat.area
	return box{a.left, a.top, a.width, a.height}
}

// TestTilesLineUp: squares of neighbours have the same place and size, whatever their range, title
// and badge, and with or without a matrix.
func TestTilesLineUp(t *testing.T) {
	for width := float32(600); width < 3100; width += 131 {
		var tiles []*MatrixTile
		row := container.NewGridWithColumns(4)
		for k, title := range []string{"max@CONF", "mean@CONV-1", "max_mean@CONV-2", "min@CONF"} {
			tile := NewMatrixTile(title)
			if high := []float64{0.3, 5, 0.02, 0}[k]; high > 0 {
				tile.SetPicture(scaled(0, high))
			} else {
				tile.SetAbsent("no second convolution")
			}
			tiles = append(tiles, tile)
			row.Add(tile)
		}
		tiles[1].SetBadge("not shared: 0..0.15; 120 above")
		LineUp(tiles)
		show(t, row, fyne.NewSize(width, max(width/4.2, 220)))
		for k, tile := range tiles[1:] {
			if placeOf(tile) != placeOf(tiles[0]) || tile.heat.Position().Y != tiles[0].heat.Position().Y {
				t.Errorf("width %v: tile %d has its square at %+v in %v, tile 0 at %+v in %v", width, k+1,
					placeOf(tile), tile.heat.Position(), placeOf(tiles[0]), tiles[0].heat.Position())
			}
		}
		if first := placeOf(tiles[0]); width >= 880 && first.width < 0.4*width/4 {
			t.Errorf("width %v: the square is only %v", width, first.width)
		}
	}
}

func TestTileNeverClips(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		tile := NewMatrixTile(rapid.SampledFrom([]string{
			"max@CONF", "mean@CONV-1", "a tensor with a very long name indeed",
		}).Draw(t, "title"))
		tile.SetBadge(rapid.SampledFrom([]string{"", "own", "not shared: 0..0.15"}).Draw(t, "badge"))
		high := rapid.SampledFrom([]float64{0.3, 5, 0.002, 5000, 1e-7}).Draw(t, "high")
		tile.SetPicture(NewPicture(ramp(31), render.Scale{High: high}, axisOf(31, "°")))
		notes := rapid.SampledFrom([][]string{
			nil, {"δ 0.213 ± 0.064"}, {"largest δ 0.213 ± 0.064", "±10 %: 44,120 images"},
		}).Draw(t, "notes")
		tile.SetNotes(notes)
		size := fyne.NewSize(float32(rapid.IntRange(120, 600).Draw(t, "width")),
			float32(rapid.IntRange(160, 600).Draw(t, "height")))
		tile.Resize(size)
		if err := checkTexts(spread(tile), size); err != nil {
			t.Error(err)
		}
		if p := tile.badge.Position(); tile.badge.Text() != "" && p.X+tile.badge.Size().Width > size.Width+0.6 {
			t.Errorf("the badge ends at %v of %v", p.X+tile.badge.Size().Width, size.Width)
		}
	})
}

// spread are the objects of a tile and its parts with positions inside the tile.
func spread(tile *MatrixTile) []fyne.CanvasObject {
	list := texts(test.WidgetRenderer(tile).Objects())
	for _, part := range []fyne.Widget{tile.heat, tile.badge} {
		if !part.Visible() {
			continue
		}
		for _, text := range texts(test.WidgetRenderer(part).Objects()) {
			moved := *text
			moved.Move(text.Position().Add(part.Position()))
			list = append(list, &moved)
		}
	}
	objects := make([]fyne.CanvasObject, len(list))
	for k, text := range list {
		objects[k] = text
	}
	return objects
}

func TestTileReportsAndSwitches(t *testing.T) {
	tile := NewMatrixTile("max@CONF")
	var hovered, tapped Cell
	tile.OnHover = func(c Cell) { hovered = c }
	tile.OnTapped = func(c Cell) { tapped = c }
	tile.SetPicture(scaled(0.2, 0.3))
	w := show(t, tile, fyne.NewSize(300, 320))
	middle := tile.heat.Position().Add(spotOf(&tile.heat.Plot, 15*31+15))
	test.MoveMouse(w.Canvas(), middle)
	test.TapCanvas(w.Canvas(), middle)
	if hovered.I != 15 || hovered.J != 15 || tapped != hovered {
		t.Errorf("hovered %+v, tapped %+v, want element 15, 15", hovered, tapped)
	}
	tile.SetAbsent("no second convolution")
	if tile.Heatmap().Picture().Matrix.N != 0 || tile.Heatmap().Cursor().Inside {
		t.Error("an absent matrix has elements")
	}
	tile.SetPicture(scaled(0, 1))
	tile.SetTitle("mean@CONV-1")
	tile.SetBadge("own")
	if tile.badge.Text() != "own" || texts(objectsOf(t, tile))[0].Text != "mean@CONV-1" {
		t.Error("title or badge did not change")
	}
}

func TestColourBar(t *testing.T) {
	test.NewTempApp(t)
	for _, c := range []struct {
		low, high float64
		height    float32
		first     string
		last      string
	}{
		{0, 0.3, 60, "0.0", "0.2"},
		{0, 0.3, 200, "0.00", "0.30"},
		{0, 5, 500, "0", "5"},
		{-1, 1, 120, "-1.0", "1.0"},
	} {
		bar := NewColourBar()
		bar.SetScale(render.Scale{Low: c.low, High: c.high, Map: &render.Gray})
		size := fyne.NewSize(bar.MinSize().Width, c.height)
		bar.Resize(size)
		objects := test.WidgetRenderer(bar).Objects()
		if err := checkTexts(objects, size); err != nil {
			t.Error(err)
		}
		list := texts(objects)
		if list[0].Text != c.first || list[len(list)-1].Text != c.last {
			t.Errorf("%v..%v in %v: ticks from %q to %q, want %q to %q", c.low, c.high, c.height, list[0].Text,
				list[len(list)-1].Text, c.first, c.last)
		}
		if list[0].Position().Y <= list[len(list)-1].Position().Y {
			t.Error("low values must be at the bottom")
		}
	}
}

func TestColourBarPixels(t *testing.T) {
	bar := NewColourBar()
	bar.SetScale(render.Scale{Low: 0, High: 1, Map: &render.Gray})
	img := show(t, bar, fyne.NewSize(60, 276)).Canvas().Capture()
	over := bar.overhang()
	top, bottom := pixel(img, 5, over+1), pixel(img, 5, 276-over-2)
	if top.R < 0xf0 || bottom.R > 0x10 || top.R != top.G {
		t.Errorf("the ends are %v and %v, want white and black", top, bottom)
	}
}

// A remark tells what it means while the pointer is over it, and takes that back when it leaves or
// means something else.
func TestRemark(t *testing.T) {
	test.NewTempApp(t)
	said := []string{}
	r := NewRemark(func(text string) { said = append(said, text) })
	if size := r.MinSize(); size.Width != 0 {
		t.Errorf("an empty one takes %v", size)
	}
	r.Explain("not above chance", "accuracy 11 % of 400 images")
	r.MouseIn(nil)
	r.Explain("not above chance", "accuracy 11 % of 400 images") // nothing new
	r.MouseOut()
	r.MouseIn(nil)
	r.Explain("", "")
	if want := []string{"accuracy 11 % of 400 images", "", "accuracy 11 % of 400 images", ""}; !slices.Equal(said,
		want) || r.Hint() != "" || r.Text() != "" {
		t.Errorf("said %q, want %q; now %q", said, want, r.Text())
	}
	r.Explain("one class", "of all")
	w := test.NewTempWindow(t, r)
	if r.MinSize().Width < 20 || w.Canvas() == nil {
		t.Errorf("%v", r.MinSize())
	}
}

// Notes stand below the axis, in a room that depends on their number only.
func TestTileNotes(t *testing.T) {
	tile := NewMatrixTile("max@CONF")
	tile.SetPicture(scaled(0, 0.3))
	show(t, tile, fyne.NewSize(340, 260))
	before, bare := tile.heat.area, tile.heat.area.width
	if tile.SetBadge("not shared: 0..0.15"); tile.heat.area != before {
		t.Error("the square moved with the badge")
	}
	tile.SetNotes([]string{"one", "two"})
	with := tile.heat.area
	if with.width >= bare || tile.MinSize().Height != 120+NotesHeight(2) {
		t.Errorf("the square is %v with notes and %v without", with.width, bare)
	}
	r := test.WidgetRenderer(tile).(*tileRenderer)
	if len(r.notes) != 2 || r.notes[1].Text != "two" || r.notes[1].Position().Y <= r.notes[0].Position().Y {
		t.Fatalf("notes %v", r.notes)
	}
	if r.notes[0].Position().Y < tile.heat.Position().Y+with.top+with.height {
		t.Error("the notes lie on the matrix")
	}
	tile.SetNotes([]string{"", "two"})
	if tile.heat.area != with {
		t.Error("the square moved with the text")
	}
	if tile.SetNotes(nil); tile.heat.area.width != bare || len(tile.Notes()) != 0 {
		t.Error("without notes the square has the room")
	}
}

// BenchmarkTileRedraw is what a new matrix costs on the main goroutine: five tiles with their
// notes.
func BenchmarkTileRedraw(b *testing.B) {
	row := container.NewGridWithColumns(5)
	var tiles []*MatrixTile
	for range 5 {
		tile := NewMatrixTile("mean@CONV-1")
		tile.SetNotes([]string{"a", "b"})
		tiles = append(tiles, tile)
		row.Add(tile)
	}
	show(b, row, fyne.NewSize(1180, 260))
	pictures := []Picture{scaled(0, 0.3), scaled(0, 0.3)}
	k := 0
	for b.Loop() {
		k++
		for _, tile := range tiles {
			tile.SetPicture(pictures[k%2])
			tile.SetBadge("")
			tile.SetNotes([]string{pictures[k%2].Axis.Unit, []string{"b", "c"}[k%2]})
		}
	}
}

// TestTheMenuOfATileStandsInItsHead, so that the square has all of the width; it covers no title
// and no badge.
func TestTheMenuOfATileStandsInItsHead(t *testing.T) {
	plain, tile := NewMatrixTile("mean@CONV-1"), NewMatrixTile("mean@CONV-1")
	opened := 0
	tile.Heatmap().Menu = func() []*fyne.MenuItem {
		opened++
		return []*fyne.MenuItem{fyne.NewMenuItem("Save…", func() {})}
	}
	for _, one := range []*MatrixTile{plain, tile} {
		one.SetPicture(scaled(0, 1))
		one.SetBadge("own")
	}
	w := show(t, container.NewGridWithColumns(2, plain, tile), fyne.NewSize(600, 320))
	if placeOf(plain) != placeOf(tile) {
		t.Errorf("squares %+v without a menu, %+v with one", placeOf(plain), placeOf(tile))
	}
	if end := tile.badge.Position().X + tile.badge.Size().Width; end > tile.Size().Width-menuSide {
		t.Errorf("the badge ends at %v of %v", end, tile.Size().Width)
	}
	test.TapCanvas(w.Canvas(),
		fyne.CurrentApp().Driver().AbsolutePositionForObject(tile).Add(fyne.NewPos(tile.Size().Width-8, 8)))
	if opened != 1 || w.Canvas().Overlays().Top() == nil {
		t.Errorf("the menu opened %d times", opened)
	}
}
