package render

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
)

// forecast is a figure with all that a figure can have.
func forecast() result.Figure {
	return result.Figure{
		Title: "Accuracy without labels", Note: "12 sets of images", Crossed: "at chance",
		X:      result.Axis{Name: "EI", Format: result.Number},
		Y:      result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Groups: []result.Group{{Name: "in the fit", Look: result.LookInvariant}, {Name: "held back", Look: result.LookNone}},
		Points: []result.Point{
			{Name: "m1", ID: "1", X: 0.2, Y: 0.5, Low: 0.4, High: 0.6},
			{Name: "m2", ID: "2", X: 0.9, Y: 0.98, Group: 1, Crossed: true},
			{Name: "m3", X: math.NaN(), Y: 0.5},
		},
		Lines: []result.Line{{Name: "diagonal", X: []float64{0.2, 0.9}, Y: []float64{0.2, 0.9}}},
		Trends: []result.Trend{{
			X: []float64{0.2, 0.9}, Y: []float64{0.5, 0.9}, Low: []float64{0.4, 0.8},
			High: []float64{0.6, 1},
		}},
	}
}

func underRotation() result.Figure {
	x := []float64{-15, -10, -5, 0, 5, 10, 15}
	return result.Figure{
		Title: "Accuracy under rotation", X: result.Axis{Name: "rotation", Unit: "°", Ticks: x},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Lines: []result.Line{
			{Name: "accuracy", X: x, Y: []float64{0.8, 0.9, 0.95, 0.97, math.NaN(), 0.9, 0.8}},
			{Name: "robust", X: []float64{-15, 15}, Y: []float64{0.7, 0.7}},
		},
	}
}

func TestFigureAsDataIsDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		f    result.Figure
		says []string
	}{
		"points": {forecast(), []string{
			"Accuracy without labels", "12 sets", "in the fit", "held back", "at chance",
			"diagonal", "80 %", ">EI<",
		}},
		"lines": {underRotation(), []string{"rotation (°)", "-15", "100 %", "robust"}},
	} {
		for _, format := range Formats() {
			var b bytes.Buffer
			if err := Draw(&b, c.f, Part{}, format); err != nil {
				t.Fatal(err)
			}
			for _, text := range c.says {
				if format == "svg" && !strings.Contains(b.String(), text) {
					t.Errorf("%s: %q is not in the figure", name, text)
				}
			}
			if folder := os.Getenv("VARISCOPE_SHOTS"); folder != "" { // for people
				if err := os.WriteFile(filepath.Join(folder, "figure-"+name+"."+format), b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestFigureThatCannotBeDrawnIsRefused(t *testing.T) {
	wrong := forecast()
	wrong.Points[0].Group = 7
	for part, f := range map[string]result.Figure{"is of group 7": wrong, "nothing to draw": {Title: "none"}} {
		if err := Draw(&bytes.Buffer{}, f, Part{}, "png"); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want %s", err, part)
		}
	}
}

func TestExtentCoversDataAndAxes(t *testing.T) {
	if p := Extent(forecast()); p.Y0 != 0 || p.Y1 != 1 || !(p.X0 < 0.2 && p.X0 > 0.1 && p.X1 > 0.9 && p.X1 < 1) {
		t.Errorf("points: %+v", p)
	}
	if p := Extent(underRotation()); p.X0 != -15 || p.X1 != 15 || p.Y0 != 0 || p.Y1 != 1 {
		t.Errorf("lines: %+v", p)
	}
	one := result.Figure{Lines: []result.Line{{X: []float64{3}, Y: []float64{2}}}}
	if p := Extent(one); !(p.X0 < 3 && p.X1 > 3 && p.Y0 < 2 && p.Y1 > 2) {
		t.Errorf("one point of a line: %+v", p)
	}
	share := result.Figure{
		Y:     result.Axis{Format: result.Share, High: 1},
		Lines: []result.Line{{X: []float64{1, 2}, Y: []float64{0.1, 0.9}, SD: []float64{0.4, 0.4}}},
	}
	if p := Extent(share); p.Y0 != 0 || p.Y1 != 1 {
		t.Errorf("deviations of shares: %+v", p)
	}
	if p := Extent(result.Figure{}); p != (Part{0, 1, 0, 1}) {
		t.Errorf("nothing: %+v", p)
	}
}

func TestAxisTicks(t *testing.T) {
	for name, c := range map[string]struct {
		axis      result.Axis
		low, high float64
		most      int
		want      string
	}{
		"shares":  {result.Axis{Format: result.Share}, 0, 1, 6, "0 % 20 % 40 % 60 % 80 % 100 %"},
		"points":  {result.Axis{Format: result.Points}, -0.1, 0.1, 5, "-10 pp -5 pp 0 pp 5 pp 10 pp"},
		"counts":  {result.Axis{Format: result.Count}, 0, 2, 9, "0 1 2"},
		"numbers": {result.Axis{}, 0, 1, 3, "0.0 0.5 1.0"},
		"logits":  {result.Axis{Logit: true}, -3, 3, 4, "0.1 0.5 0.9"},
		"places":  {result.Axis{Ticks: []float64{-15, -10, -5, 0, 5, 10, 15}}, -15, 15, 3, "-15 0 15"},
		"between": {result.Axis{Ticks: []float64{-15, 0, 15}}, 1, 2, 2, "1 2"},
	} {
		at, texts := AxisTicks(c.axis, c.low, c.high, c.most)
		if got := strings.Join(texts, " "); got != c.want || len(at) != len(texts) {
			t.Errorf("%s: %q at %v, want %q", name, got, at, c.want)
		}
	}
}
