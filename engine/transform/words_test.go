package transform

import (
	"strings"
	"testing"
)

func TestFamiliesInWords(t *testing.T) {
	for text, want := range map[string]string{
		"rotation:-15:15:1": "rotation by -15 to 15 degrees, in steps of 1",
		"rotation:-7.5:7.5:0.5;interpolation=nearest": "rotation by -7.5 to 7.5 degrees, in steps of " +
			"0.5, nearest pixel",
		"rotation:-15:15:1;interpolation=bicubic;border=edge": "rotation by -15 to 15 degrees, in steps of 1, " +
			"bicubic, edge pixels repeated outside",
		"brightness:-0.3:0.3:0.02":      "brightness by -30 to 30 %, in steps of 2 %",
		"scaling:0.7:1.3:0.02":          "scaling by factors of 0.7 to 1.3, in steps of 0.02",
		"translation-x:-0.15:0.15:0.01": "horizontal translation by -15 to 15 % of the width, in steps of 1 %",
		"translation-y:-0.15:0.15:0.01;border=reflect": "vertical translation by -15 to 15 % of the height, " +
			"in steps of 1 %, mirrored outside",
		"shear:-15:15:1":     "shear by -15 to 15 degrees, in steps of 1",
		"plain":              "images as they are",
		"rot90":              "rotation by 90, 180 and 270 degrees",
		"grayscale":          "colours turned into grey",
		"shift:3:5":          "shift to each of 3 × 3 regions, t = 5",
		"mask:2":             "each of 2 × 2 regions deleted from the feature maps",
		"mask:3;layers=auto": "each of 3 × 3 regions deleted from the feature maps that are large enough",
		"mask:3;layers=1,3;after=batchnorm": "each of 3 × 3 regions deleted from the feature maps " +
			"of layers 1, 3, behind batch-norm",
		"mask:3;layers=2": "each of 3 × 3 regions deleted from the feature maps of layer 2",
		"scenes:" + strings.Repeat("0f38", 16) + ":32": "foregrounds on each of 32 scenes of selection 0f380f38",
	} {
		f, err := ParseAny(text)
		if err != nil || f.Words() != want {
			t.Errorf("%s: %q, %v; want %q", text, f.Words(), err, want)
		}
	}
	for _, name := range append(Names(), Sets()...) { // a new one has words
		text, _ := Default(name)
		if f, err := ParseAny(text); err != nil || f.Words() == "" || strings.Contains(f.Words(), "!") {
			t.Errorf("%s: %q, %v", name, f.Words(), err)
		}
	}
	if words := (Family{}).Words(); words != "" {
		t.Errorf("no family: %q", words)
	}
	if Words("shear:-9:9:3") != "shear by -9 to 9 degrees, in steps of 3" || Words("whirl:1") != "whirl:1" {
		t.Errorf("texts: %q, %q", Words("shear:-9:9:3"), Words("whirl:1"))
	}
}
