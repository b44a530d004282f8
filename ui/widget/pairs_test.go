package widget

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
)

func butterflies(n int) render.Pairs {
	f := render.Pairs{Before: "image", After: "turned", Classes: []string{"cat", "dog"}}
	for k := range n {
		f.Pairs = append(f.Pairs, render.Pair{Title: string(rune('A' + k)), Before: []float64{0.9, 0.1}, After: []float64{0.25, 0.75}, Lines: []string{"EI 0"}})
	}
	return f
}

// barsOf are the bars of a widget from the top, by their left and right ends.
func barsOf(p *Pairs) (list [][2]float32) {
	for _, o := range test.WidgetRenderer(p).Objects() {
		if box, ok := o.(*canvas.Rectangle); ok {
			list = append(list, [2]float32{box.Position().X, box.Position().X + box.Size().Width})
		}
	}
	return list
}

func TestPairsPointBothWays(t *testing.T) {
	p := NewPairs(butterflies(1))
	show(t, p, fyne.NewSize(600, 260))
	bars := barsOf(p)
	if len(bars) != 4 {
		t.Fatalf("%d bars", len(bars))
	}
	left, right := bars[0], bars[3] // cat before, dog after
	if left[1] >= right[0] || left[1]-left[0] <= right[1]-right[0] || bars[1][0] != right[0] {
		t.Errorf("bars %v", bars)
	}
	for _, want := range []string{"A", "image", "turned", "cat", "dog", "0.90", "0.75", "EI 0"} {
		if !said(p, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestPairsStandInOneColumnWhereItIsNarrow(t *testing.T) {
	if columnsOfPairs(2*pairLeast) != 1 || columnsOfPairs(900) != 2 {
		t.Error("another number of columns")
	}
	p := NewPairs(butterflies(4))
	show(t, p, fyne.NewSize(700, 500))
	if bars := barsOf(p); len(bars) != 16 || bars[0][0] == bars[4][0] || bars[0][0] != bars[8][0] {
		t.Errorf("bars %v", bars)
	}
}

func TestPairsThatCannotBeDrawn(t *testing.T) {
	f := butterflies(1)
	f.Pairs[0].After = []float64{1}
	p := NewPairs(f)
	show(t, p, fyne.NewSize(600, 260))
	if n := len(test.WidgetRenderer(p).Objects()); n != 0 {
		t.Errorf("%d objects of a vector that does not fit", n)
	}
}

func TestPairsNeverClip(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		f := butterflies(rapid.IntRange(1, 4).Draw(t, "pairs"))
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		f.Pairs[0].Before = []float64{share, 1 - share}
		f.Pairs[0].Lines = []string{strings.Repeat("word ", rapid.IntRange(0, 40).Draw(t, "words"))}
		p := NewPairs(f)
		size := fyne.NewSize(float32(rapid.IntRange(2*pairLeast+pairSpace, 1600).Draw(t, "width")), p.MinSize().Height)
		p.Resize(size)
		if err := checkTexts(test.WidgetRenderer(p).Objects(), size); err != nil {
			t.Error(err)
		}
	})
}

// said tells whether a widget shows a text.
func said(w fyne.Widget, text string) bool {
	return slices.ContainsFunc(test.WidgetRenderer(w).Objects(), func(o fyne.CanvasObject) bool {
		t, is := o.(*canvas.Text)
		return is && t.Text == text
	})
}
