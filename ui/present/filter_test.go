package present

import (
	"math"
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	words, numbers := "m12 vgg shapes", map[string]float64{"ei": 0.7, "robust": math.NaN()}
	for text, want := range map[string]bool{
		"": true, "VGG": true, "vgg shapes": true, "vgg boats": false, "-vgg": false, "-boats": true, "-": false,
		"ei>0.5": true, "ei<0.5": false, "EI>0.6 vgg": true, "ei>0.7": false, "ei<0.7": false,
		"robust<1": false, "robust>0": false, "unknown<1": false, "ei<half": false, "<3": false, "ei>": false,
	} {
		got := ParseFilter(text).Meets(func(w string) bool { return strings.Contains(words, w) },
			func(name string) (float64, bool) { v, ok := numbers[name]; return v, ok })
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
