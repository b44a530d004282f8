package render

import (
	"math"
	"os"
	"testing"

	"github.com/variscope/variscope/engine/variance"
)

func TestLook(t *testing.T) {
	n := 31
	m := variance.Matrix{N: n, Data: make([]float64, n*n)}
	v := make([]float64, n)
	for i := range n {
		v[i] = float64(i - 15)
		for j := range n {
			m.Data[i*n+j] = math.Abs(float64(i-j)) / 31 * 0.33 * (0.6 + 0.4*float64(i+j)/62)
		}
	}
	f := Figure{Title: "mnist 307: max@CONF", Matrix: m, Axis: Axis{"rotation", "°", v}, Scale: Scale{Low: 0, High: 0.3}, Caption: "max@CONF", Note: "all 10,000 images, 0 skipped; rotation:-15:15:1;interpolation=bilinear;border=zero"}
	for _, format := range Formats() {
		w, _ := os.Create("/tmp/render/fig." + format)
		if err := f.Write(w, format); err != nil {
			t.Fatal(err)
		}
		w.Close()
		g := f
		g.Matrix = variance.Matrix{}
		g.Absent = "no second convolution"
		g.Title = "max@CONV-2"
		h := f
		h.Title, h.Caption, h.Note, h.Scale = "mean@CONV-1", "mean@CONV-1", "", Scale{Low: 0.05, High: 0.15, Map: &Cividis}
		d := f
		d.Scale.Map = &Diverging
		d.Scale.Low = -0.3
		w, _ = os.Create("/tmp/render/sheet." + format)
		if err := Sheet(w, format, []Figure{f, h, g, d, f}, "mnist 307, rotation -15..15°"); err != nil {
			t.Fatal(err)
		}
		w.Close()
		acc := make([]float64, n)
		acc2 := make([]float64, n)
		for i := range acc {
			acc[i] = 0.98 - 0.001*v[i]*v[i]
			acc2[i] = 0.95 - 0.0005*v[i]*v[i] + 0.01*math.Sin(v[i])
		}
		l := Lines{Title: "Accuracy under rotation", Axis: f.Axis, Series: []Series{{"mnist 307", acc}, {"mnist 12", acc2}}, YName: "accuracy", Note: "10,000 images"}
		w, _ = os.Create("/tmp/render/lines." + format)
		if err := l.Write(w, format); err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
}
