package transform

import "testing"

func TestAxisOfFamiliesAndSets(t *testing.T) {
	for text, want := range map[string][2]string{
		Rot90: {"turned by", "°"}, "shift:3:5": {"shifted to region", ""}, Grayscale: {"transformation", ""},
		"rotation:-15:15:1": {"V: rotation", "°"}, "from a newer program": {"transformation", ""},
	} {
		if name, unit := Axis(text); name != want[0] || unit != want[1] {
			t.Errorf("%s: %q in %q, want %q", text, name, unit, want)
		}
	}
}
