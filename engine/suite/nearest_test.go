package suite

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
)

func TestNearestKnown(t *testing.T) {
	for _, c := range []struct {
		to            Fitting
		height, width int
		rows, columns []int
	}{
		{Fitting{}, 2, 3, []int{0, 1}, []int{0, 1, 2}},
		{Fitting{Height: 4, Width: 2}, 2, 4, []int{0, 0, 1, 1}, []int{1, 3}},
		{Fitting{Height: 1, Width: 5}, 3, 3, []int{1}, []int{0, 0, 1, 2, 2}},
		{Fitting{Height: 2, Width: 2, Resize: model.Crop}, 2, 6, []int{0, 1}, []int{2, 3}},
		{Fitting{Height: 2, Width: 2, Resize: model.Crop}, 4, 12, []int{1, 3}, []int{5, 7}},
	} {
		rows, columns := c.to.Nearest(c.height, c.width)
		if !slices.Equal(rows, c.rows) || !slices.Equal(columns, c.columns) {
			t.Errorf("%+v of %d x %d: %v, %v; want %v, %v", c.to, c.height, c.width, rows, columns, c.rows, c.columns)
		}
	}
}

// TestNearestLiesWhereFitLooks: a ramp that Fit has resized has about the value of the nearest
// pixel everywhere inside, cropped or not.
func TestNearestLiesWhereFitLooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		img := Image{
			Channels: 1, Height: rapid.IntRange(1, 40).Draw(t, "height"), Width: rapid.IntRange(1, 40).Draw(t, "width"),
		}
		for i := range img.Height * img.Width {
			img.Pix = append(img.Pix, float32(i%img.Width))
		}
		to := Fitting{
			Height: rapid.IntRange(1, 40).Draw(t, "to height"), Width: rapid.IntRange(1, 40).Draw(t, "to width"),
		}
		if rapid.Bool().Draw(t, "crop") {
			to.Resize = model.Crop
		}
		rows, columns := to.Nearest(img.Height, img.Width)
		if len(rows) != to.Height || len(columns) != to.Width || slices.Max(rows) >= img.Height || rows[0] < 0 {
			t.Fatalf("rows %v", rows)
		}
		got := Fit(img, to)
		for x, from := range columns {
			// half a pixel, and what the filter loses at the image's edges
			near := 0.5 + float64(img.Width)/float64(to.Width)
			if off := math.Abs(float64(got.Pix[x]) - float64(from)); off > near+1e-5 {
				t.Fatalf("column %d is %g, the nearest pixel %d", x, got.Pix[x], from)
			}
		}
	})
}
