package suite

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestUprightUndoesItself: the orientations 1 to 5 and 7 are their own inverses, 6 and 8 undo each
// other.
func TestUprightUndoesItself(t *testing.T) {
	inverse := map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6}
	rapid.Check(t, func(t *rapid.T) {
		img := noisy(rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]int{1, 3}).Draw(t, "channels"),
			rapid.IntRange(1, 6).Draw(t, "h"), rapid.IntRange(1, 6).Draw(t, "w"))
		o := rapid.IntRange(1, 8).Draw(t, "orientation")
		back := img.upright(o).upright(inverse[o])
		if back.Height != img.Height || back.Width != img.Width || fmt.Sprint(back.Pix) != fmt.Sprint(img.Pix) {
			t.Fatalf("orientation %d does not come back", o)
		}
	})
}
