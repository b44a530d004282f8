package widget

import (
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/figuretest"
	"github.com/variscope/variscope/internal/testdata"
)

// TestEveryKindOfFigure holds what people can rely on in all figures, whatever they show.
func TestEveryKindOfFigure(t *testing.T) {
	for name, f := range figuretest.Kinds() {
		t.Run(name, func(t *testing.T) {
			one, other := NewPlot(), NewPlot()
			var link Link
			link.Add(one)
			link.Add(other)
			said, tapped, reports := "", -1, 0
			one.OnHover, one.OnTapped = func(text string) { said = text }, func(item int) { tapped = item }
			other.OnHover = func(string) { reports++ }
			one.Menu = func() []*fyne.MenuItem { return []*fyne.MenuItem{fyne.NewMenuItem("save", nil)} }
			for _, p := range []*Plot{one, other} {
				p.SetFigure(f)
			}
			show(t, container.NewGridWithColumns(2, one, other), fyne.NewSize(900, 400))
			spot, want := pointed(one)
			if name == "absent" {
				spot, want = fyne.NewPos(one.area.left+9, one.area.top+9), ""
			}
			still := test.WidgetRenderer(one).(*plotRenderer).still
			one.MouseMoved(at(spot.X, spot.Y))
			if said != want || name != "absent" && (!standsIn(one, want) || !standsIn(other, want)) || reports > 0 {
				t.Errorf("said %q, beside the pointer %v, in the linked one %v, want %q", said, standsIn(one, want),
					standsIn(other, want), want)
			}
			if now := test.WidgetRenderer(one).(*plotRenderer).still; len(now) != len(still) || now[0] != still[0] {
				t.Error("what lies under the pointer is drawn anew")
			}
			hovered := one.hovered
			if one.tap(spot.X, spot.Y); tapped != hovered || said != want {
				t.Errorf("a click chooses %d and says %q, under the pointer are %d and %q", tapped, said, hovered, want)
			}
			if one.MouseOut(); said != "" || want != "" && (standsIn(one, want) || standsIn(other, want)) {
				t.Errorf("beside the figure %q is read out", said)
			}
			one.MouseMoved(at(spot.X, spot.Y))
			if one.SetFigure(result.Figure{}); said != "" {
				t.Errorf("%q is read out of what was shown before", said)
			}
			one.SetFigure(f)
			zooms(t, one, f, spot)
			one.MouseOut()
			for _, size := range []fyne.Size{
				fyne.NewSize(90, 80), fyne.NewSize(160, 120), fyne.NewSize(300, 180),
				fyne.NewSize(800, 500),
			} {
				one.Resize(size)
				if err := checkTexts(objectsOf(t, one), size); err != nil {
					t.Errorf("in %v: %v", size, err)
				}
			}
			looks(t, name, f)
		})
	}
	p := NewPlot()
	p.SetFigure(result.Figure{Empty: "nothing yet"})
	show(t, p, fyne.NewSize(300, 200))
	if got := texts(objectsOf(t, p)); len(got) != 1 || got[0].Text != "nothing yet" {
		t.Errorf("an empty figure says %d texts", len(got))
	}
}

// pointed is where something is read out, and what.
func pointed(p *Plot) (at fyne.Position, want string) {
	for k := range p.figure.Items() {
		if spot, shown := p.spot(k); shown && p.at(spot) == k && p.figure.Tell(k) != "" {
			return spot, p.figure.Tell(k)
		}
	}
	for _, x := range p.xs {
		return fyne.NewPos(p.area.x(x)+2, p.area.top+5), p.figure.TellAt(x)
	}
	return at, ""
}

// standsIn tells whether a text stands in a plot, in one line or in several.
func standsIn(p *Plot, text string) bool {
	var all []string
	for _, t := range texts(test.WidgetRenderer(p).Objects()) {
		all = append(all, t.Text)
	}
	return strings.HasSuffix(strings.Join(all, " "), text)
}

// zooms: the wheel shows less, as far as the figure has something to zoom, a double click and the
// menu all of it.
func zooms(t *testing.T, p *Plot, f result.Figure, spot fyne.Position) {
	t.Helper()
	p.ShowAll()
	fixed := f.Y.Down || !f.Drawable() || f.X.Names != nil && f.Y.Names != nil
	for _, end := range []func(){
		func() { p.Items()[0].Action() },
		func() {
			corner := fyne.NewPos(p.area.left+2, p.area.top+p.area.height-2)
			p.lastTap = time.Time{}
			p.tap(corner.X, corner.Y)
			if p.tap(corner.X, corner.Y); f.Matrix == nil { // on an item it opens that
				p.ShowAll()
			}
		},
	} {
		for range 3 {
			p.turn(spot.X, spot.Y, wheelUnit)
		}
		if p.Zoomed() == fixed || p.Items()[0].Disabled == p.Zoomed() || len(p.Items()) != 3 && f.Drawable() {
			t.Errorf("the wheel zooms: %v, %d entries of the menu", p.Zoomed(), len(p.Items()))
		}
		if end(); p.Zoomed() {
			t.Error("the zoom goes on")
		}
	}
	if spot, _ = pointed(p); f.NoAxes {
		p.Zoom(2)
		before := p.Part()
		from := fyne.NewPos(p.area.left+p.area.width/2, p.area.top+p.area.height/2)
		p.sweep(from, from.AddXY(20, 0), 0, 0)
		if part := p.Part(); part.X1 >= before.X1 || math.Abs(part.X1-part.X0-before.X1+before.X0) > 1e-9 {
			t.Errorf("dragging moves %+v to %+v", before, part)
		}
		p.ShowAll()
	}
}

// looks: in light and dark, every text that stands on the ground can be read, and drawing twice
// gives the same picture. VARISCOPE_SCREENS keeps pictures.
func looks(t *testing.T, name string, f result.Figure) {
	t.Helper()
	p := NewPlot()
	p.SetFigure(f)
	p.Menu = func() []*fyne.MenuItem { return nil }
	w := show(t, container.NewStack(p), fyne.NewSize(480, 300))
	for look, of := range map[string]variant{"light": lightTheme, "dark": darkTheme} {
		test.ApplyTheme(t, of)
		ground := of.Color(theme.ColorNameBackground, 0)
		for _, text := range texts(allObjects(p)) {
			if f.Matrix != nil && f.Matrix.Text != nil || name == "network" {
				continue // numbers stand on grounds of their own, faint names are faint
			}
			if contrast := distance(text.Color, ground); contrast < 90 {
				t.Errorf("%s: text %q has %v on %v", look, text.Text, text.Color, ground)
			}
		}
		img := w.Canvas().Capture()
		p.Refresh()
		again, drawn := w.Canvas().Capture(), 0
		for y := range 300 {
			for x := range 480 {
				if img.At(x, y) != again.At(x, y) {
					t.Fatalf("%s: pixel %d,%d changes", look, x, y)
				}
				if color.NRGBAModel.Convert(img.At(x, y)) != color.NRGBAModel.Convert(ground) {
					drawn++
				}
			}
		}
		if drawn < 700 {
			t.Errorf("%s: %d pixels are drawn", look, drawn)
		}
		if folder := os.Getenv("VARISCOPE_SCREENS"); folder != "" {
			file := testdata.Must(os.Create(filepath.Join(folder, "plot-"+name+"-"+look+".png")))(t)
			testdata.OK(t, png.Encode(file, img))
			testdata.OK(t, file.Close())
		}
	}
}
