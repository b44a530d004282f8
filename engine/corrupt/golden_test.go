package corrupt

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

type goldenTolerance struct {
	Abs   float64 `json:"abs"`
	Uint8 float64 `json:"uint8_abs"`
}

func TestGoldenCorruptions(t *testing.T) {
	for _, data := range [][]byte{testdata.Golden(t, "corruptions"), testdata.Further(t, "corruptions")} {
		var tolerance goldenTolerance
		testdata.Cases(t, data, &tolerance, func(t *testing.T, c testdata.Case) {
			g := golden{t, tolerance}
			var want map[string]json.RawMessage
			testdata.Strict(t, c.Expected, &want)
			switch c.Kind {
			case "kernels":
				g.kernels(want)
			case "gray", "rgb":
				g.images(c.Input, want)
			case "motion":
				g.motion(c.Input, want)
			default:
				t.Fatalf("kind %q is not known", c.Kind)
			}
		})
	}
}

type golden struct {
	*testing.T
	tolerance goldenTolerance
}

func (g golden) kernels(want map[string]json.RawMessage) {
	for key, data := range want {
		switch key {
		case "disks":
			g.disks(data)
		case "motion":
			g.motions(data)
		case "gaussian":
			g.gaussians(data)
		default:
			g.Errorf("expected key %q is not known", key)
		}
	}
}

func (g golden) disks(data []byte) {
	var list []struct {
		Radius, Alias, Sum float64
		Size               int
		Centre             []float64 `json:"centre_row"`
		Top                []float64 `json:"top_row"`
	}
	testdata.Strict(g, data, &list)
	for _, d := range list {
		what := fmt.Sprintf("disk %v, %v", d.Radius, d.Alias)
		kernel, side := disk(d.Radius, d.Alias)
		sum := 0.0
		for _, w := range kernel {
			sum += w
		}
		testdata.Is(g, what+" size", side, d.Size)
		testdata.Near(g, what+" sum", sum, d.Sum, g.tolerance.Abs)
		testdata.NearAll(g, what+" centre", kernel[side/2*side:][:side], d.Centre, g.tolerance.Abs)
		testdata.NearAll(g, what+" top", kernel[:side], d.Top, g.tolerance.Abs)
	}
}

func (g golden) motions(data []byte) {
	var list []struct {
		Radius, Sigma, Angle float64
		Weights              []float64
		Offsets              [][2]int `json:"offsets_x_y"`
	}
	testdata.Strict(g, data, &list)
	for _, want := range list {
		m := newMotion(want.Radius, want.Sigma)
		testdata.NearAll(g, "motion weights", m.weights, want.Weights, g.tolerance.Abs)
		for q, offset := range want.Offsets {
			if x, y := m.offset(q, want.Angle); x != offset[0] || y != offset[1] {
				g.Errorf("motion %v, angle %v: tap %d reads (%d, %d), want %v",
					want.Radius, want.Angle, q, x, y, offset)
			}
		}
	}
}

func (g golden) gaussians(data []byte) {
	var list []struct {
		Sigma   float64
		Weights []float64
	}
	testdata.Strict(g, data, &list)
	for _, want := range list {
		what := fmt.Sprintf("gaussian %v", want.Sigma)
		testdata.NearAll(g, what, gaussian(want.Sigma, 4), want.Weights, g.tolerance.Abs)
	}
}

// expectedKey is a corruption's name, whether in 8 bits, and which rows are given.
var expectedKey = regexp.MustCompile(`^([a-z_]+?)(_uint8)?(?:_rows_(\d+)_to_(\d+))?$`)

func (g golden) images(in []byte, want map[string]json.RawMessage) {
	var input struct {
		Kind     string
		Severity int
		Image    json.RawMessage
	}
	testdata.Strict(g, in, &input)
	r := g.raster(input.Image)
	for key, data := range want {
		parts := expectedKey.FindStringSubmatch(key)
		if parts == nil {
			g.Fatalf("expected key %q is not known", key)
		}
		got := corrupted(g.T, Setting{Name: parts[1], Severity: input.Severity, Seed: 1}, r)
		if parts[3] != "" {
			got = rows(g.T, got, parts[3], parts[4])
		}
		want, tolerance := g.numbers(data), g.tolerance.Abs
		if parts[2] != "" {
			tolerance = g.tolerance.Uint8
			for i, v := range got.pix {
				got.pix[i] = eightBits(v)
			}
		}
		testdata.NearAll(g, key, got.pix, want.pix, tolerance)
	}
}

// rows are the rows from one up to another, both included.
func rows(t *testing.T, r raster, from, end string) raster {
	t.Helper()
	lo, hi := testdata.Must(strconv.Atoi(from))(t), testdata.Must(strconv.Atoi(end))(t)
	out := raster{channels: r.channels, height: hi - lo + 1, width: r.width}
	for c := range r.channels {
		out.pix = append(out.pix, r.plane(c)[lo*r.width:(hi+1)*r.width]...)
	}
	return out
}

// corrupted is what a filter makes of an image in float64, clipped.
func corrupted(t testing.TB, s Setting, r raster) raster {
	t.Helper()
	c := testdata.Must(New(s, nil))(t)
	f := testdata.Must(c.filter(r.channels, r.height, r.width))(t)
	work := newCall()
	work.begin(s, 0)
	out := raster{r.channels, r.height, r.width, append([]float64(nil), r.pix...)}
	testdata.OK(t, f(work, out))
	for i, v := range out.pix {
		out.pix[i] = clip(v)
	}
	return out
}

// raster reads rows of pixels of 8 bits.
func (g golden) raster(data []byte) raster {
	r := g.numbers(data)
	for i := range r.pix {
		r.pix[i] /= 255
	}
	return r
}

// numbers reads rows of numbers, or rows of colours.
func (g golden) numbers(data []byte) raster {
	var gray [][]float64
	if json.Unmarshal(data, &gray) == nil {
		r := raster{channels: 1, height: len(gray), width: len(gray[0])}
		for _, row := range gray {
			r.pix = append(r.pix, row...)
		}
		return r
	}
	var rgb [][][3]float64
	testdata.Strict(g, data, &rgb)
	r := raster{channels: 3, height: len(rgb), width: len(rgb[0])}
	for c := range 3 {
		for _, row := range rgb {
			for _, colour := range row {
				r.pix = append(r.pix, colour[c])
			}
		}
	}
	return r
}

func (g golden) motion(in []byte, want map[string]json.RawMessage) {
	var input struct {
		Kind                 string
		Radius, Sigma, Angle float64
		Image                json.RawMessage
	}
	testdata.Strict(g, in, &input)
	for key, data := range want {
		if key != "motion_blur" {
			g.Fatalf("expected key %q is not known", key)
		}
		r := g.raster(input.Image)
		newMotion(input.Radius, input.Sigma).apply(newCall(), r.pix, r.width, input.Angle)
		testdata.NearAll(g, key, r.pix, g.numbers(data).pix, g.tolerance.Abs)
	}
}
