package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
)

// english are the words of the figure here; the window has its own.
var english = LevelNames{
	Largest: "largest", Mean: "mean", Smallest: "smallest", Level: "level of the expansion", Keywords: "keywords per image",
}

// TestKeywordLevels: the figure names its curves and axes, marks whole levels only, and its curves lie as the numbers do.
func TestKeywordLevels(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws
	}
	counts := []background.LevelCount{{Level: 0, Min: 3, Max: 10, Mean: 6.1}, {Level: 1, Min: 7, Max: 23, Mean: 13.7}, {Level: 2, Min: 13, Max: 32, Mean: 22.5}}
	f := KeywordLevels("scenes", "360 targets", counts, english)
	svg := string(curvesAs(t, f, "svg"))
	for _, text := range []string{
		">scenes<", "360 targets", "largest", "mean", "smallest", "level of the expansion", "keywords per image", ">0<", ">1<", ">2<", ">30<",
	} {
		if !strings.Contains(svg, text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
	if strings.Contains(svg, ">0.5<") || strings.Contains(svg, ">1.0<") {
		t.Error("half levels are marked")
	}
	img := decode(t, curvesAs(t, f, "png"))
	if high, low := extent(img, lineColours[0]), extent(img, lineColours[2]); high.Max.Y >= low.Max.Y {
		t.Errorf("the largest numbers reach down to %d and the smallest to %d", high.Max.Y, low.Max.Y)
	}
	for _, counts := range [][]background.LevelCount{nil, {{}}} { // no images, and one without keywords at level 0 only
		for _, format := range []string{"png", "svg", "pdf"} {
			var out bytes.Buffer
			if err := KeywordLevels("", "", counts, english).Write(&out, format); err != nil || out.Len() == 0 {
				t.Errorf("%d levels as %s: %v", len(counts), format, err)
			}
		}
	}
}
