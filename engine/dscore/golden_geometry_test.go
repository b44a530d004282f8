package dscore

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/internal/testdata"
)

// sides are [top, bottom, left, right].
func sides(p region.Padding) [4]int { return [4]int{p.Top, p.Bottom, p.Left, p.Right} }

func goldenPadding(t *testing.T, c testdata.Case) {
	var in struct {
		Kind          string
		Height, Width int
	}
	var want struct {
		Grids []struct {
			N, T    int
			Unit    [2]int
			Padded  [2]int `json:"padded_size"`
			Padding [][4]int
		}
	}
	c.Read(t, &in, &want)
	for _, g := range want.Grids {
		height, width := region.PaddedSize(in.Height, in.Width, g.N, g.T)
		if got := [2]int{height, width}; got != g.Padded || len(g.Padding) != g.N*g.N {
			t.Errorf("n = %d, t = %d: padded to %v, want %v with %d regions", g.N, g.T, got, g.Padded, len(g.Padding))
		}
		if unit := [2]int{(height - in.Height) / max(g.N-1, 1), (width - in.Width) / max(g.N-1, 1)}; g.N > 1 &&
			unit != g.Unit {
			t.Errorf("n = %d, t = %d: unit %v, want %v", g.N, g.T, unit, g.Unit)
		}
		for k, padding := range g.Padding {
			testdata.Is(t, fmt.Sprintf("n = %d, t = %d, region %d", g.N, g.T, k+1),
				sides(region.Pad(in.Height, in.Width, g.N, g.T, k+1)), padding)
		}
	}
}

func goldenRegions(t *testing.T, c testdata.Case) {
	var in struct {
		Kind string
	}
	var want struct {
		Maps []struct {
			Height, Width, N int
			Rows             []int `json:"row_edges"`
			Columns          []int `json:"column_edges"`
			Empty            []int `json:"empty_regions"`
		}
	}
	c.Read(t, &in, &want)
	for _, m := range want.Maps {
		testdata.Equal(t, fmt.Sprintf("%d rows, n = %d", m.Height, m.N), region.Edges(m.Height, m.N), m.Rows)
		testdata.Equal(t, fmt.Sprintf("%d columns, n = %d", m.Width, m.N), region.Edges(m.Width, m.N), m.Columns)
		testdata.Equal(t, fmt.Sprintf("%d x %d, n = %d: empty", m.Height, m.Width, m.N),
			region.Empty(m.Height, m.Width, m.N), m.Empty)
	}
}

// goldenShift holds the float64 image to the golden one, and the float32 image to its own exact
// values: with the source's pixels rounded to float32, it is theirs rounded once.
func goldenShift(t *testing.T, c testdata.Case, tolerance float64) {
	var in struct {
		Kind  string
		N, T  int
		Image [][]float64
	}
	var want struct {
		Shifted []struct {
			Region  int
			Padding [4]int
			Image   [][]float64
		}
	}
	c.Read(t, &in, &want)
	height, width, src := len(in.Image), len(in.Image[0]), slices.Concat(in.Image...)
	s := testdata.Must(region.NewShifter(height, width, in.N, in.T))(t)
	narrow, rounded := make([]float32, len(src)), make([]float64, len(src))
	for k, v := range src {
		narrow[k] = float32(v)
		rounded[k] = float64(narrow[k])
	}
	for _, w := range want.Shifted {
		p := region.Pad(height, width, in.N, in.T, w.Region)
		testdata.Is(t, fmt.Sprintf("region %d: padding", w.Region), sides(p), w.Padding)
		exact, applied, ofRounded := make([]float64, len(src)), make([]float32, len(src)), make([]float64, len(src))
		region.Place(exact, src, 1, height, width, p)
		region.Place(ofRounded, rounded, 1, height, width, p)
		s.Apply(applied, narrow, 1, w.Region)
		for k, v := range slices.Concat(w.Image...) {
			if !(math.Abs(exact[k]-v) <= tolerance) {
				t.Errorf("region %d, pixel %d: %v, want %v", w.Region, k, exact[k], v)
			}
			if applied[k] != float32(ofRounded[k]) {
				t.Errorf("region %d, pixel %d: %v, want %v", w.Region, k, applied[k], float32(ofRounded[k]))
			}
		}
	}
}

func goldenAugmentation(t *testing.T, c testdata.Case) {
	var in struct {
		Kind string
	}
	type row struct {
		Size, Total, Left, Right, Up, Down int
		P                                  float64
		DrawX                              float64 `json:"draw_left"`
		DrawY                              float64 `json:"draw_up"`
		Padded                             int     `json:"padded_size"`
	}
	var want struct {
		Rows []row
	}
	c.Read(t, &in, &want)
	for k, w := range want.Rows {
		r := testdata.Must(NewRecipe(w.Size, w.Size, w.P))(t)
		got := row{
			Size: w.Size, P: w.P, DrawX: w.DrawX, DrawY: w.DrawY, Total: r.TotalWidth, Padded: w.Size + r.TotalWidth,
		}
		got.Left, got.Right = Split(r.TotalWidth, w.DrawX)
		got.Up, got.Down = Split(r.TotalHeight, w.DrawY)
		if got != w || r.TotalHeight != r.TotalWidth {
			t.Errorf("row %d: %+v, want %+v", k+1, got, w)
		}
	}
}
