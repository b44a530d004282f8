package render

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"
)

func coefficients() Coefficients {
	return Coefficients{
		Title: "Spearman between rankers, mnist", Note: "10 models, 200 images",
		Rows: []string{"truth", "LaF without optimising", "CRC"}, Columns: []string{"truth", "LaF without optimising", "CRC"},
		Values: [][]float64{{1, 0.926, -0.31}, {0.926, 1, -0.004}, {-0.31, -0.004, math.NaN()}},
		Scale:  Scale{Low: -1, High: 1, Map: &Diverging}, Decimals: 2,
	}
}

func coefficientsAs(t *testing.T, f Coefficients, format string) []byte {
	t.Helper()
	return drawn(t, format, func(b *bytes.Buffer, format string) error { return f.Write(b, format) })
}

func TestCoefficientsNameEverything(t *testing.T) {
	svg := string(coefficientsAs(t, coefficients(), "svg"))
	for text, times := range map[string]int{
		">Spearman between rankers, mnist<": 1, ">LaF without optimising<": 2, ">truth<": 2, ">10 models, 200 images<": 1,
		">1.00<": 2, ">0.93<": 2, ">-0.31<": 2, ">&gt;-0.01<": 2, ">-0.00<": 0, "NaN": 0,
	} {
		if got := strings.Count(svg, text); got != times {
			t.Errorf("%q is in the figure %d times, want %d", text, got, times)
		}
	}
	for _, format := range Formats() {
		if !bytes.Equal(coefficientsAs(t, coefficients(), format), coefficientsAs(t, coefficients(), format)) {
			t.Errorf("equal figures give different %s files", format)
		}
	}
}

// TestCoefficientsColours: each number has the colour of the scale behind it, in its own place; what has no number is grey.
func TestCoefficientsColours(t *testing.T) {
	f := coefficients()
	f.Values = [][]float64{{1, 0.5, 0}, {-0.5, -1, 0.25}, {0.75, -0.25, math.NaN()}}
	img := decode(t, coefficientsAs(t, f, "png"))
	corner := extent(img, f.Scale.Color(1))
	width, height := corner.Dx(), corner.Dy()
	if width < 60 || height < 30 {
		t.Fatalf("the first cell is %v", corner)
	}
	for r, row := range f.Values {
		for k, v := range row {
			want := f.Scale.Color(v)
			if math.IsNaN(v) {
				want = missingColour
			}
			x := corner.Min.X + int(float64(k)*float64(coefficientWidth.Dots(pngDPI))) + width/8
			y := corner.Min.Y + int(float64(r)*float64(coefficientHeight.Dots(pngDPI))) + height/8
			if got := color.RGBAModel.Convert(img.At(x, y)); got != want {
				t.Errorf("cell %d, %d is %v, want %v", r, k, got, want)
			}
		}
	}
}

func TestCoefficientsRefuse(t *testing.T) {
	for want, spoil := range map[string]func(*Coefficients){
		"no numbers":                      func(f *Coefficients) { f.Rows, f.Values = nil, nil },
		"2 rows of numbers for 3 names":   func(f *Coefficients) { f.Values = f.Values[:2] },
		"has 2 numbers for 3 columns":     func(f *Coefficients) { f.Values[1] = f.Values[1][:2] },
		"draw table \"x\": no numbers to": func(f *Coefficients) { f.Title, f.Columns = "x", nil },
	} {
		f := coefficients()
		spoil(&f)
		if err := f.Write(&bytes.Buffer{}, "svg"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	if err := coefficients().Write(&bytes.Buffer{}, "bmp"); err == nil {
		t.Error("a format that nobody knows")
	}
}

func TestNamesOfColumnsStandWhereTheyFit(t *testing.T) {
	f := coefficients()
	tall := decode(t, coefficientsAs(t, f, "png")).Bounds()
	f.Columns = []string{"truth", "LaF", "CRC"}
	flat := decode(t, coefficientsAs(t, f, "png")).Bounds()
	if f.upright() || !coefficients().upright() || flat.Dy() > tall.Dy()-100 {
		t.Errorf("short names need %v, long ones %v", flat, tall)
	}
}
