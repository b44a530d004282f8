package evidence

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/ui/widget"
)

func TestSharesAreEqualUnlessTooNarrow(t *testing.T) {
	for name, tt := range map[string]struct {
		least []float32
		width float32
		want  []float32
	}{
		"room for all":        {[]float32{10, 90, 50}, 300, []float32{100, 100, 100}},
		"one needs more":      {[]float32{10, 200, 50}, 300, []float32{50, 200, 50}},
		"one makes others so": {[]float32{10, 160, 80}, 250, []float32{10, 160, 80}},
		"not enough for all":  {[]float32{200, 200}, 300, []float32{200, 200}},
		"one alone":           {[]float32{20}, 300, []float32{300}},
	} {
		if got := shares(tt.least, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// Columns fill the room in their proportions, but every title can be read.
func TestFittedColumns(t *testing.T) {
	test.NewTempApp(t)
	long := "a title that is longer than its column"
	columns := []widget.Column{{Title: "a", Width: 100}, {Title: long, Width: 50}, {Title: "b", Width: 200}}
	least, a, b := widget.HeadingWidth(long), narrowest*100*widget.Grown(), narrowest*200*widget.Grown()
	for name, tt := range map[string]struct {
		room float32
		want []float32
	}{
		"much room":   {7 * least, []float32{2 * least, least, 4 * least}},
		"less room":   {least + 300, []float32{100, least, 200}},
		"little room": {least + 100, []float32{a, least, b}},
		"none":        {0, nil},
	} {
		if got := fitted(columns, tt.room); !slices.EqualFunc(got, tt.want, func(a, b float32) bool { return a-b < 0.01 && b-a < 0.01 }) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
