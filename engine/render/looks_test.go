package render

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/result"
)

func TestLooksOfLabelsDiffer(t *testing.T) {
	for a := range Looks[:result.LookVariant+1] {
		for b := range Looks[:a] {
			x, y := Looks[a], Looks[b]
			if x.Shape == y.Shape || x.Light == y.Light || x.Dark == y.Dark {
				t.Errorf("looks %d and %d are alike", a, b)
			}
		}
	}
}

func TestCategoriesDiffer(t *testing.T) {
	seen := map[Appearance]int{}
	for k := range result.Categories {
		look := Looks[result.Category(k)]
		if before, ok := seen[look]; ok {
			t.Errorf("categories %d and %d look alike", before, k)
		}
		seen[look] = k
	}
	if result.Category(result.Categories) != result.Category(0) || result.Category(-1) != result.Category(0) {
		t.Error("a category outside of the looks has none")
	}
}

func TestLevelColours(t *testing.T) {
	if LevelColour(0) == LevelColour(1) || LevelColour(math.NaN()) != LevelColour(0.5) ||
		LevelColour(-3) != LevelColour(0) || LevelColour(7) != LevelColour(1) {
		t.Error("the colours do not run from low to high")
	}
}
