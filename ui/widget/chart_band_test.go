package widget

import (
	"image"
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
)

// banded is a line at 1 whose deviation grows from 0 to 0.5, with one that is not known.
func banded() Series {
	return Series{Name: "random", X: []float64{0, 1, 2, 3}, Y: []float64{1, 1, 1, 1}, Spread: []float64{0, 0.25, 0.5, math.NaN()}}
}

func TestBandWidensTheAxis(t *testing.T) {
	f, ok := ChartData{Series: []Series{banded()}}.ranges()
	if !ok || f.y0 > 0.5 || f.y1 < 1.5 {
		t.Errorf("the axis runs from %v to %v", f.y0, f.y1)
	}
}

func TestBandIsReadOff(t *testing.T) {
	d := ChartData{XName: "labels", Series: []Series{banded()}}
	for x, want := range map[float64]string{0: "labels = 0: random 1", 2: "labels = 2: random 1 ± 0.5", 3: "labels = 3: random 1"} {
		if got := d.readOut(x); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The band is as high as the deviation at every column, and nothing lies outside of it.
func TestBandIsAsHighAsTheDeviation(t *testing.T) {
	blue := color.NRGBA{0x20, 0x40, 0xff, 0xff}
	f := frame{width: 300, height: 200, x1: 3, y1: 2}
	img := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	drawBand(img, curve{series: banded(), colour: blue}, f, 1)
	for x, want := range map[int]int{0: 0, 50: 25, 100: 50, 150: 75, 200: 100} {
		high := 0
		for y := range 200 {
			if c := img.NRGBAAt(x, y); c.A > 0 {
				high++
				if c.R != blue.R || c.B != blue.B || c.A > 0x40 {
					t.Fatalf("colour %v at %d, %d", c, x, y)
				}
			}
		}
		if high < want-2 || high > want+2 {
			t.Errorf("%d pixels high at %d, want %d", high, x, want)
		}
	}
	drawBand(img, curve{series: banded(), colour: blue}, f, 1)
	if c := img.NRGBAAt(150, 100); c.A < 0x40 || c.A > 0x60 {
		t.Errorf("two bands over each other have opacity %d", c.A)
	}
}

func TestBandIsDrawn(t *testing.T) {
	c := NewChart()
	c.SetData(ChartData{XName: "labels", YName: "Spearman", Series: []Series{banded()}})
	w := show(t, c, fyne.NewSize(400, 300))
	img := w.Canvas().Capture()
	line := pixel(img, c.plot.x(1.5), c.plot.y(1.2))
	if ground := pixel(img, c.plot.x(0.1), c.plot.y(1.45)); line == ground {
		t.Errorf("the band has the colour of the ground, %v", line)
	}
}
