package evidence

import (
	"slices"
	"testing"
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
