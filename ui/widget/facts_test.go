package widget

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// TestFactsAreShownInFull: every letter of names and values is there, inside the width, and no line
// lies over another; a place keeps the height of the highest value.
func TestFactsAreShownInFull(t *testing.T) {
	f := NewFacts()
	show(t, f, fyne.NewSize(210, 400))
	long := []Fact{
		{"learning rate", "0.002"},
		{"anomaly", "labels of two classes were exchanged in a tenth of the images"},
		{"digest", strings.Repeat("0123456789", 9)},
		{strings.Repeat("a name of many words ", 3), "-"},
	}
	f.Set(long)
	seen, foot, left := "", float32(0), float32(0)
	for _, o := range test.WidgetRenderer(f).Objects() {
		text := o.(*canvas.Text)
		end := text.Position().X + text.MinSize().Width
		if end > 211 || text.Position().X == left && text.Position().Y < foot-0.5 {
			t.Errorf("%q ends at %v, %v from the top, after a line that ends at %v",
				text.Text, end, text.Position().Y, foot)
		}
		seen, foot, left = seen+text.Text, text.Position().Y+text.MinSize().Height, text.Position().X
	}
	want := ""
	for _, fact := range long {
		want += fact.Name + fact.Value
	}
	if got := strings.ReplaceAll(seen, " ", ""); got != strings.ReplaceAll(want, " ", "") {
		t.Errorf("shown is %q, want %q", got, want)
	}
	high := f.MinSize().Height
	for k := range long {
		long[k].Value = "-"
	}
	f.Set(long)
	if got := f.MinSize().Height; got != high {
		t.Errorf("another model's facts are %v high, before %v", got, high)
	}
	none := NewFacts()
	show(t, none, fyne.NewSize(210, 400))
	asked := func(f *Facts) float64 { return testing.AllocsPerRun(10, func() { f.MinSize() }) }
	if got, want := asked(f), asked(none); got > want {
		t.Errorf("a frame takes %v allocations, without facts %v: it measures texts anew", got, want)
	}
}

// TestTrackShowsWhatIsDone: at 0 nothing of it is filled, at the end all.
func TestTrackShowsWhatIsDone(t *testing.T) {
	track := NewTrack()
	show(t, track, fyne.NewSize(80, 8))
	fill := test.WidgetRenderer(track).Objects()[1]
	for _, share := range []float64{0, 0.25, 1} {
		track.SetValue(share)
		if got := fill.Size().Width; got != track.Size().Width*float32(share) {
			t.Errorf("%v is %v wide of %v", share, got, track.Size().Width)
		}
	}
}
