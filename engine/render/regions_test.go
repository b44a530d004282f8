package render

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/suite"
)

// shares are values over n x n regions of an image of black and white columns.
func shares(n, width, height int) Regions {
	r := Regions{Title: "CM", N: n, Scale: Scale{High: 1}, Legend: "share of features", Text: func(float64) string { return "" }}
	for k := range n * n {
		r.Values = append(r.Values, float64(k)/float64(n*n))
	}
	r.Image = suite.Image{Channels: 1, Width: width, Height: height, Pix: make([]float32, width*height)}
	for k := range r.Image.Pix {
		r.Image.Pix[k] = float32(k % width % 2)
	}
	return r
}

// Every pixel of the image lies in its region and is seen through the region's colour, in the image's proportions.
func TestRegionsPicture(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	for _, c := range []struct{ n, width, height int }{{1, 8, 8}, {2, 12, 6}, {3, 7, 9}, {4, 28, 28}, {5, 2, 2}} {
		r := shares(c.n, c.width, c.height)
		img := r.picture()
		if img.Rect.Dx()*c.height != img.Rect.Dy()*c.width || max(img.Rect.Dx(), img.Rect.Dy()) < regionsPixels {
			t.Fatalf("%+v: %v", c, img.Rect)
		}
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				value := r.Scale.Color(r.Values[y*c.n/img.Rect.Dy()*c.n+x*c.n/img.Rect.Dx()])
				gray := float64(255 * (x * c.width / img.Rect.Dx() % 2))
				mix := func(v uint8) uint8 { return uint8(math.Floor(0.6*float64(v) + 0.4*gray + 0.5)) }
				if got, want := img.RGBAAt(x, y), (color.RGBA{mix(value.R), mix(value.G), mix(value.B), 255}); got != want {
					t.Fatalf("%+v: pixel %d,%d is %v, want %v", c, x, y, got, want)
				}
			}
		}
	}
}

func TestRegionsPictureOfColoursIsGray(t *testing.T) {
	r := Regions{N: 1, Values: []float64{math.NaN()}, Image: suite.Image{Channels: 3, Height: 1, Width: 1, Pix: []float32{1, 0.5, 0}}}
	luma := 0.299*255 + 0.587*127.5
	if got, want := r.picture().RGBAAt(0, 0).G, uint8(0.6*255+0.4*luma+0.5); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	r = Regions{N: 1, Values: []float64{0}, Scale: Scale{Low: -1, High: 1, Map: &Gray}}
	if got := r.picture().RGBAAt(5, 5); got != Gray[128] {
		t.Errorf("without an image the colours are those of the scale, not %v", got)
	}
}

func TestRegionsFormats(t *testing.T) {
	r := shares(3, 28, 20)
	r.Values[4], r.Note, r.Text, r.Marked = math.NaN(), "10,000 images", nil, []int{2, 0, 99}
	row := RegionsRow{Title: "D-Score of CM", Maps: []Regions{r, shares(2, 28, 28)}, Note: "n = 3, t = 5"}
	for _, format := range Formats() {
		var first, second bytes.Buffer
		if err := row.Write(&first, format); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if err := row.Write(&second, format); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: equal pictures give different bytes (%v)", format, err)
		}
	}
	var svg bytes.Buffer
	if err := row.Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"D-Score of CM", ">CM<", "share of features", "n = 3, t = 5", "10,000 images", "0.111", "0.889"} {
		if !strings.Contains(svg.String(), text) {
			t.Errorf("%q is not in the figure", text)
		}
	}
	if strings.Contains(svg.String(), "0.444") || strings.Contains(svg.String(), "NaN") {
		t.Error("a region without a value has a number")
	}
}

// Many small cells have no numbers, since nobody could read them.
func TestRegionsNumbersAreLeftOut(t *testing.T) {
	for n, want := range map[int]bool{5: true, 16: false} {
		r := shares(n, 28, 28)
		r.Text = nil
		var svg bytes.Buffer
		if err := r.Write(&svg, "svg"); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(svg.String(), ">0.000<"); got != want {
			t.Errorf("%d x %d: numbers %v", n, n, got)
		}
	}
}

// One value for all leaves a bar with ends.
func TestRegionsOfOneValue(t *testing.T) {
	r := Regions{N: 1, Values: []float64{0.5}, Scale: Scale{Low: 0.5, High: 0.5}}
	if err := r.Write(&bytes.Buffer{}, "svg"); err != nil {
		t.Error(err)
	}
}

func TestRegionsRefuse(t *testing.T) {
	for name, spoil := range map[string]func(*Regions){
		"no regions": func(r *Regions) { r.N, r.Values = 0, nil },
		"too few":    func(r *Regions) { r.Values = r.Values[:3] },
		"too many":   func(r *Regions) { r.Values = append(r.Values, 0) },
		"pixels":     func(r *Regions) { r.Image.Pix = r.Image.Pix[:5] },
		"size":       func(r *Regions) { r.Image.Width, r.Image.Height = -r.Image.Width, -r.Image.Height },
	} {
		r := shares(2, 8, 8)
		spoil(&r)
		if err := r.Write(&bytes.Buffer{}, "svg"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := (RegionsRow{Title: "none"}).Write(&bytes.Buffer{}, "svg"); err == nil {
		t.Error("no maps: no error")
	}
	if err := shares(2, 8, 8).Write(&bytes.Buffer{}, "gif"); err == nil {
		t.Error("an unknown format: no error")
	}
}
