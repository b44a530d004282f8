package widget

import (
	"fmt"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/internal/testdata"
)

func level(k int) string { return fmt.Sprintf("level %d", k) }

// someChips are three levels of keywords.
func someChips() []Chip {
	return []Chip{
		{"sky 31.1 %", 0, "sky: in the image"},
		{"garden 33.5 %", 0, "garden: the kind of scene"},
		{"tree", 1, "tree: level 1, through sky"},
		{"window", 1, "window: level 1"},
		{"forest", 1, ""},
		{"sand", 3, "sand: level 3"},
	}
}

func newTestChips(tb testing.TB, size fyne.Size) *Chips {
	c := NewChips(level)
	show(tb, c, size)
	c.SetChips(someChips(), 5)
	return c
}

// TestChipsWrap: whatever the width, chips lie in the room, in their order, without touching, and a
// level begins a row.
func TestChipsWrap(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		width := float32(rapid.IntRange(120, 700).Draw(r, "width"))
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,40}`), 1, 30).Draw(r, "words")
		at := 0
		chips := make([]Chip, len(words))
		for k, word := range words {
			if rapid.Bool().Draw(r, "next level") {
				at++
			}
			chips[k] = Chip{Text: word, Level: at}
		}
		c := newTestChips(t, fyne.NewSize(width, 200))
		c.SetChips(chips, 5)
		testdata.OK(r, checkChips(c, width))
	})
}

func checkChips(c *Chips, width float32) error {
	if len(c.boxes) != len(c.chips) {
		return fmt.Errorf("%d boxes for %d chips", len(c.boxes), len(c.chips))
	}
	for k, box := range c.boxes {
		if box.at.X < 0 || box.at.X+box.size.Width > width || box.text == "" {
			return fmt.Errorf("chip %d %q at %v of %v in %v", k, box.text, box.at, box.size, width)
		}
		if k == 0 {
			continue
		}
		last := c.boxes[k-1]
		same := box.at.Y == last.at.Y
		if same && (box.at.X < last.at.X+last.size.Width || c.chips[k].Level != c.chips[k-1].Level) || !same &&
			box.at.Y < last.at.Y+last.size.Height {
			return fmt.Errorf("chip %d at %v after one at %v of %v", k, box.at, last.at, last.size)
		}
	}
	return nil
}

// TestChipsFollowThePointer: the hint of what is under the pointer, once per chip, and clicks.
func TestChipsFollowThePointer(t *testing.T) {
	c := newTestChips(t, fyne.NewSize(300, 200))
	var hints []string
	tapped := -1
	c.OnHover = func(hint string) { hints = append(hints, hint) }
	c.OnTapped = func(k int) { tapped = k }
	inside := func(k int) fyne.Position { return c.boxes[k].at.AddXY(3, 3) }
	for _, k := range []int{2, 2, 5} {
		p := inside(k)
		c.MouseMoved(at(p.X, p.Y))
	}
	c.MouseOut()
	if fmt.Sprint(hints) != "[tree: level 1, through sky sand: level 3 ]" {
		t.Errorf("hints %q", hints)
	}
	c.Tapped(&fyne.PointEvent{Position: inside(3)})
	if tapped != 3 {
		t.Errorf("tapped chip %d", tapped)
	}
	c.Tapped(&fyne.PointEvent{Position: fyne.NewPos(290, 195)})
	if tapped != 3 {
		t.Error("a click beside the chips counts")
	}
}

// TestChipsScroll: more rows than room can be scrolled to, and what lies under the pointer is found
// there.
func TestChipsScroll(t *testing.T) {
	c := newTestChips(t, fyne.NewSize(160, 60))
	if c.scroll.Content.MinSize().Height <= 60 {
		t.Fatalf("all of %v is in sight", c.scroll.Content.MinSize())
	}
	last := len(c.chips) - 1
	c.scroll.ScrollToBottom()
	p := c.boxes[last].at.AddXY(3, 3).Subtract(c.scroll.Offset)
	if found := c.at(p); found != last {
		t.Errorf("chip %d lies where %d should", found, last)
	}
	c.SetChips(nil, 0)
	if c.scroll.Offset.Y != 0 || len(c.sheet.Objects) != 0 {
		t.Error("an empty one still shows something")
	}
}

// TestLevelColours: brighter from level to level, and what is written on it can be read.
func TestLevelColours(t *testing.T) {
	light := func(c color.Color) uint32 {
		r, g, b, _ := c.RGBA()
		return (299*r + 587*g + 114*b) / 1000
	}
	for _, levels := range []int{1, 5, 20} {
		before := uint32(0)
		for k := range levels + 1 {
			ground, ink := LevelColour(k, levels)
			if light(ground) <= before {
				t.Errorf("level %d of %d is not brighter than the last", k, levels)
			}
			before = light(ground)
			if far := max(light(ground), light(ink)) - min(light(ground), light(ink)); far < 0x5000 {
				t.Errorf("the words of level %d of %d differ from their ground by %#x", k, levels, far)
			}
		}
	}
	if ground, _ := LevelColour(0, 0); ground != color.Color(render.Viridis[45]) {
		t.Errorf("a single level is %v", ground)
	}
	if a, _ := LevelColour(9, 5); a != color.Color(render.Viridis[249]) {
		t.Errorf("what is beyond the last level is %v", a)
	}
}
