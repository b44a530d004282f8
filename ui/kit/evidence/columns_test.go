package evidence

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
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

// TestFlow: as many columns as have their least width, rows of equal heights that fill the room,
// and nothing over anything else.
func TestFlow(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "objects")
		objects := make([]fyne.CanvasObject, n)
		for k := range objects {
			objects[k] = canvas.NewRectangle(color.Black)
		}
		size := fyne.NewSize(rapid.Float32Range(200, 1500).Draw(t, "width"),
			rapid.Float32Range(200, 900).Draw(t, "height"))
		box := Flow(260, objects...)
		if hidden := rapid.IntRange(-1, n-1).Draw(t, "hidden"); hidden >= 0 && n > 1 {
			objects[hidden].Hide()
			objects = slices.Delete(slices.Clone(objects), hidden, hidden+1)
		}
		box.Resize(size)
		area := float32(0)
		for k, o := range objects {
			area += o.Size().Width * o.Size().Height
			if o.Size().Width < min(260, size.Width)-0.1 || o.Position().X+o.Size().Width > size.Width+0.1 ||
				o.Position().Y+o.Size().Height > size.Height+0.1 {
				t.Fatalf("object %d of %d is %v at %v in %v", k, len(objects), o.Size(), o.Position(), size)
			}
			if last := objects[len(objects)-1]; o.Size().Height != last.Size().Height ||
				o.Position().Y > last.Position().Y {
				t.Fatalf("object %d is %v at %v, the last %v at %v", k, o.Size(), o.Position(), last.Size(),
					last.Position())
			}
		}
		if all := size.Width * size.Height; area < 0.9*all || area > all+1 {
			t.Fatalf("objects fill %v of %v", area, all)
		}
	})
}

// TestATextHasTheHeightOfItsLines, and what is under it the rest, whatever it said before.
func TestATextHasTheHeightOfItsLines(t *testing.T) {
	test.NewTempApp(t)
	below := canvas.NewRectangle(color.Black)
	u := NewUnder(below)
	u.Resize(fyne.NewSize(300, 400))
	last := float32(400)
	for _, words := range []int{5, 40, 80} {
		u.Say(strings.Repeat("word ", words))
		text := u.Objects[0]
		if text.Size().Height < text.MinSize().Height || below.Position().Y != text.Size().Height ||
			below.Size().Height != 400-text.Size().Height || below.Size().Height >= last {
			t.Errorf("%d words: the text is %v high, below it %v at %v", words, text.Size().Height, below.Size().Height,
				below.Position().Y)
		}
		last = below.Size().Height
	}
}
