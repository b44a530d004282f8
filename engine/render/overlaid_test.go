package render

import (
	"bytes"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func overlaid() Overlaid {
	f := Overlaid{Title: "distances", X: AxisRange{Name: "distance d"}, YName: "share of scenes", Note: "360 targets"}
	r := rand.New(rand.NewPCG(1, 1))
	for k, method := range []string{"keywords", "nearest", "random"} {
		f.Groups = append(f.Groups, Group{Name: method, Colour: MethodColour(method)})
		var list []float64
		for range 400 {
			list = append(list, math.Abs(0.2+0.3*float64(k)+0.1*r.NormFloat64()))
		}
		f.Values = append(f.Values, list)
	}
	return f
}

func TestOverlaidInEveryFormat(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	f := overlaid()
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<?xml", "pdf": "%PDF"} {
		data := drawn(t, format, func(b *bytes.Buffer, format string) error { return f.Write(b, format) })
		again := drawn(t, format, func(b *bytes.Buffer, format string) error { return f.Write(b, format) })
		if !strings.HasPrefix(string(data), begins) || !bytes.Equal(data, again) {
			t.Errorf("%s begins %q, equal again %v", format, data[:8], bytes.Equal(data, again))
		}
	}
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, format string) error { return f.Write(b, format) }))
	for _, text := range []string{"distances", "distance d", "share of scenes", "360 targets", "keywords", "nearest", "random"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
}

func TestOverlaidShares(t *testing.T) {
	f := Overlaid{
		Groups: make([]Group, 3), Bins: 4, X: AxisRange{Low: 1, High: 3},
		Values: [][]float64{{1, 1.4, 1.5, 3}, {0.9, 3.1, 2.2, math.NaN(), math.Inf(1)}, nil},
	}
	got, low, high := f.Shares()
	if low != 1 || high != 3 {
		t.Errorf("axis %g..%g", low, high)
	}
	for k, want := range [][]float64{{0.5, 0.25, 0, 0.25}, {0, 0, 1.0 / 3, 0}, {0, 0, 0, 0}} {
		for b, share := range want {
			if got[k][b] != share {
				t.Errorf("group %d: %v, want %v", k, got[k], want)
				break
			}
		}
	}
	for _, c := range []struct{ largest, high float64 }{{1.93, 2}, {0.9, 0.9}, {0, 1}, {1034, 1100}} {
		f := Overlaid{Groups: make([]Group, 1), Values: [][]float64{{c.largest}}}
		if shares, low, high := f.Shares(); low != 0 || math.Abs(high-c.high) > 1e-9 || len(shares[0]) != 40 {
			t.Errorf("up to %g: axis %g..%g with %d bins", c.largest, low, high, len(shares[0]))
		}
	}
}

// TestOverlaidCountsEverything: on an axis of its own a group's shares sum to 1, whatever the values.
func TestOverlaidCountsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Overlaid{Groups: make([]Group, 1), Bins: rapid.IntRange(1, 50).Draw(t, "bins")}
		f.Values = [][]float64{rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 30).Draw(t, "values")}
		shares, low, high := f.Shares()
		sum := 0.0
		for _, v := range shares[0] {
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 || !(high > low) {
			t.Fatalf("%g on %g..%g", sum, low, high)
		}
	})
}

// TestOverlaidPicture finds each group's outline where its values are.
func TestOverlaidPicture(t *testing.T) {
	f := overlaid()
	f.Values = [][]float64{{0.2, 0.2}, {0.5}, {0.8, 0.8, 0.8}}
	f.X.High, f.Bins = 1, 10
	img, err := f.Picture(900)
	if err != nil || img.Bounds().Dx() < 880 || img.Bounds().Dx() > 920 {
		t.Fatalf("%v, %v", img.Bounds(), err)
	}
	last := 0.0
	for _, g := range f.Groups {
		sum, n := 0.0, 0.0
		for y := 120; y < 370; y++ { // below the legend, above the foot
			for x := range img.Bounds().Dx() {
				if img.RGBAAt(x, y) == g.Colour {
					sum, n = sum+float64(x), n+1
				}
			}
		}
		if n == 0 || sum/n < last+100 {
			t.Errorf("%s: %g pixels, around %g after %g", g.Name, n, sum/n, last)
		}
		last = sum / n
	}
}

func TestOverlaidRefuses(t *testing.T) {
	none, odd, empty, bins := overlaid(), overlaid(), overlaid(), overlaid()
	none.Groups, none.Values = nil, nil
	odd.Values = odd.Values[:2]
	empty.Values = [][]float64{nil, {math.NaN()}, {math.Inf(-1)}}
	bins.Bins = -1
	for want, f := range map[string]Overlaid{"0 groups for 0": none, "2 groups for 3": odd, "no values to draw": empty, "-1 bins": bins} {
		if err := f.Write(&bytes.Buffer{}, "png"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := overlaid().Picture(0); err == nil || !strings.Contains(err.Error(), "0 pixels wide") {
		t.Errorf("error %v", err)
	}
	if _, err := none.Picture(100); err == nil {
		t.Error("nothing is drawn")
	}
}

func TestMethodColours(t *testing.T) {
	seen := map[color.RGBA]string{}
	for _, method := range []string{"keywords", "intervals", "nearest", "random", "by hand"} {
		c := MethodColour(method)
		if before, there := seen[c]; there {
			t.Errorf("%s looks like %s", method, before)
		}
		seen[c] = method
	}
	if k, n, r := MethodColour("keywords"), MethodColour("nearest"), MethodColour("random"); k.B <= k.R || n.G <= max(n.R, n.B) || r.R <= max(r.G, r.B) {
		t.Errorf("keywords %v, nearest %v, random %v are not blue, green and red", k, n, r)
	}
}
