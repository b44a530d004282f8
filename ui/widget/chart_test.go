package widget

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

func falling() ChartData {
	axis := axisOf(31, "°")
	y := make([]float64, 31)
	for i := range y {
		y[i] = 0.9 - 0.01*float64(i)
	}
	return ChartData{Series: []Series{{Name: "", X: axis.Values, Y: y}}, XName: "rotation", XUnit: "°", YName: "accuracy", XTicks: axis.Values}
}

func TestChartHover(t *testing.T) {
	c := NewChart()
	data := falling()
	data.Series = append(data.Series, Series{Name: "robust", X: data.Series[0].X[10:], Y: data.Series[0].Y[10:]})
	data.Series[0].Name = "accuracy"
	c.SetData(data)
	var got []string
	c.OnHover = func(_ float64, text string) { got = append(got, text) }
	w := show(t, c, fyne.NewSize(500, 300))
	f := c.plot
	test.MoveMouse(w.Canvas(), fyne.NewPos(f.x(-15)+1, f.top+20))
	test.MoveMouse(w.Canvas(), fyne.NewPos(f.x(-15)+2, f.top+30))
	test.MoveMouse(w.Canvas(), fyne.NewPos(f.x(3)-2, f.top+20))
	test.MoveMouse(w.Canvas(), fyne.NewPos(f.x(3), f.top+f.height+8))
	c.MouseOut()
	want := []string{"rotation = -15°: accuracy 0.9", "rotation = 3°: accuracy 0.72, robust 0.72", ""}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for k := range want {
		if got[k] != want[k] {
			t.Errorf("report %d is %q, want %q", k, got[k], want[k])
		}
	}
}

// TestChartPixels: the line is drawn in the theme's primary colour where its points are.
func TestChartPixels(t *testing.T) {
	for name, look := range map[string]variant{"light": lightTheme, "dark": darkTheme} {
		c := NewChart()
		c.SetData(falling())
		w := show(t, c, fyne.NewSize(500, 300))
		test.ApplyTheme(t, look)
		img := w.Canvas().Capture()
		want := styleOf(c).primary
		for _, k := range []int{5, 15, 25} {
			x, y := c.plot.x(c.data.Series[0].X[k]), c.plot.y(c.data.Series[0].Y[k])
			r, g, b, _ := want.RGBA()
			got := pixel(img, x, y)
			if d := max(off(got.R, r), off(got.G, g), off(got.B, b)); d > 40 {
				t.Errorf("%s: point %d is %v, want about %v", name, k, got, color.NRGBAModel.Convert(want))
			}
		}
	}
}

func off(got uint8, want uint32) int {
	d := int(got) - int(want>>8)
	return max(d, -d)
}

func TestChartNeverClips(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Float64Range(-1e4, 1e4), 1, 40).Draw(t, "y")
		xs := make([]float64, len(points))
		for i := range xs {
			xs[i] = float64(i + 1)
		}
		data := ChartData{Series: []Series{{Name: "train loss", X: xs, Y: points}}, XName: "epoch", YName: "loss"}
		for k := range rapid.IntRange(0, 6).Draw(t, "more") {
			data.Series = append(data.Series, Series{Name: "another series " + string(rune('a'+k)), X: xs, Y: points})
		}
		c := NewChart()
		c.SetData(data)
		size := fyne.NewSize(float32(rapid.IntRange(140, 900).Draw(t, "width")), float32(rapid.IntRange(100, 600).Draw(t, "height")))
		c.Resize(size)
		if err := checkTexts(test.WidgetRenderer(c).Objects(), size); err != nil {
			t.Error(err)
		}
	})
}

func TestChartRanges(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		data ChartData
		want frame
		ok   bool
	}{
		{"none", ChartData{}, frame{x1: 1, y1: 1}, false},
		{"only gaps", ChartData{Series: []Series{{Name: "", X: []float64{1, 2}, Y: []float64{nan, math.Inf(1)}}}}, frame{x1: 1, y1: 1}, false},
		{"given", ChartData{Low: 0, High: 1, Series: []Series{{Name: "", X: []float64{1, 3}, Y: []float64{5, 6}}}}, frame{x0: 1, x1: 3, y1: 1}, true},
		{"one point", ChartData{Series: []Series{{Name: "", X: []float64{2}, Y: []float64{10}}}}, frame{x0: 1.5, x1: 2.5, y0: 9.5, y1: 10.5}, true},
		{"data", ChartData{Series: []Series{{Name: "", X: []float64{0, 1, 2}, Y: []float64{0, 1, nan}}}}, frame{x0: 0, x1: 1, y0: -0.06, y1: 1.06}, true},
		{"short y", ChartData{Series: []Series{{Name: "", X: []float64{0, 1, 2}, Y: []float64{0, 1}}}}, frame{x0: 0, x1: 1, y0: -0.06, y1: 1.06}, true},
	} {
		if got, ok := c.data.ranges(); got != c.want || ok != c.ok {
			t.Errorf("%s: got %+v %v, want %+v %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestEmptyChartSaysSo(t *testing.T) {
	c := NewChart()
	c.SetData(ChartData{Empty: "no loss curves"})
	show(t, c, fyne.NewSize(300, 200))
	c.MouseMoved(at(100, 100))
	list := texts(objectsOf(t, c))
	if len(list) != 1 || list[0].Text != "no loss curves" {
		t.Errorf("texts %v", list)
	}
}

func TestSmallChartDoesNotSayItIsEmpty(t *testing.T) {
	c := NewChart()
	data := falling()
	data.Empty = "no loss curves"
	c.SetData(data)
	show(t, c, fyne.NewSize(200, 30))
	if list := texts(objectsOf(t, c)); len(list) != 1 || list[0].Text != tooSmall {
		t.Errorf("texts %v", list)
	}
}

func TestLegendNamesEverySeries(t *testing.T) {
	c := NewChart()
	data := falling()
	for k := range 6 {
		data.Series = append(data.Series, Series{Name: "series " + string(rune('a'+k)), X: data.Series[0].X, Y: data.Series[0].Y})
	}
	c.SetData(data)
	show(t, c, fyne.NewSize(260, 300))
	seen := map[string]bool{}
	for _, text := range texts(objectsOf(t, c)) {
		seen[text.Text] = true
	}
	for _, s := range data.Series[1:] {
		if !seen[s.Name] {
			t.Errorf("the legend lacks %q", s.Name)
		}
	}
}

func TestShortNumbers(t *testing.T) {
	for v, want := range map[float64]string{0.98123: "0.9812", 0: "0", 123456: "123500", -3: "-3", 0.5: "0.5", 1e-7: "1e-07"} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %q, want %q", v, got, want)
		}
	}
}

func BenchmarkChartCurves(b *testing.B) {
	data := falling()
	f, _ := data.ranges()
	f.width, f.height = 600, 300
	lines := []curve{{series: data.Series[0], colour: color.NRGBA{A: 255}}}
	for b.Loop() {
		drawCurves(lines, f, 600, 300)
	}
}

// TestSmallChartKeepsItsCurves: where the room is short, names and legend give way, ticks and curves stay.
func TestSmallChartKeepsItsCurves(t *testing.T) {
	c := NewChart()
	data := falling()
	for k := range 12 {
		data.Series = append(data.Series, Series{Name: "a series with a long name " + string(rune('a'+k)), X: data.Series[0].X, Y: data.Series[0].Y})
	}
	c.SetData(data)
	for _, size := range []fyne.Size{fyne.NewSize(140, 100), fyne.NewSize(200, 150), fyne.NewSize(300, 180)} {
		show(t, c, size)
		if c.plot.height < 0.4*size.Height || c.plot.width < 0.5*size.Width {
			t.Errorf("in %v the curves have only %v x %v", size, c.plot.width, c.plot.height)
		}
		if n := len(texts(objectsOf(t, c))); n < 4 {
			t.Errorf("in %v there are %d texts, want ticks on both axes", size, n)
		}
	}
}

func TestSeriesDifferByDashesToo(t *testing.T) {
	c := NewChart()
	data := falling()
	for range 5 {
		data.Series = append(data.Series, data.Series[0])
	}
	c.SetData(data)
	show(t, c, fyne.NewSize(300, 200))
	lines := test.WidgetRenderer(c).(*chartRenderer).lines
	for k, l := range lines[:len(lines)-1] {
		if l.dash == lines[k+1].dash {
			t.Errorf("series %d and %d have the same dashes, %v", k, k+1, l.dash)
		}
		if l.colour == lines[k+1].colour {
			t.Errorf("series %d and %d have the same colour", k, k+1)
		}
	}
}
