package widget

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

func counts() HistogramData {
	return HistogramData{
		XName: "dif", YName: "images", High: 0.8, Counts: []int{1200, 30, 0, 2}, MarkedCounts: []int{0, 0, 0, 1},
		Marked: "extreme", Limit: 0.5, LimitName: "flagged from here", Empty: "nothing",
	}
}

// textsOf are the texts of a widget's renderer.
func textsOf(tb testing.TB, w fyne.Widget) (list []string) {
	tb.Helper()
	for _, o := range objectsOf(tb, w) {
		if text, ok := o.(*canvas.Text); ok {
			list = append(list, text.Text)
		}
	}
	return list
}

// bars are the rectangles of a histogram.
func bars(tb testing.TB, h *Histogram) (list []*canvas.Rectangle) {
	tb.Helper()
	for _, o := range objectsOf(tb, h) {
		if bar, ok := o.(*canvas.Rectangle); ok {
			list = append(list, bar)
		}
	}
	return list
}

func TestHistogramDrawsCountsByTheirLogarithm(t *testing.T) {
	h := NewHistogram()
	show(t, h, fyne.NewSize(400, 220))
	h.SetData(counts())
	all := bars(t, h)
	if len(all) != 4 { // three bars and the marked part of one
		t.Fatalf("%d bars", len(all))
	}
	foot := h.plot.top + h.plot.height
	for k, bar := range all {
		if got := bar.Position().Y + bar.Size().Height; math.Abs(float64(got-foot)) > 0.01 {
			t.Errorf("bar %d ends at %v, the axis is at %v", k, got, foot)
		}
	}
	// 30 of 1,200 is a small share but more than half of the height.
	if !(all[1].Size().Height > all[0].Size().Height/2) || !(all[3].Size().Height < all[2].Size().Height) || all[3].Size().Height < 5 {
		t.Errorf("heights %v, %v, %v, %v", all[0].Size().Height, all[1].Size().Height, all[2].Size().Height, all[3].Size().Height)
	}
	got := textsOf(t, h)
	for _, want := range []string{"images", "1", "10", "100", "1000", "dif", "0.2", "flagged from here"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

func TestHistogramReadsOff(t *testing.T) {
	h := NewHistogram()
	var said []string
	h.OnHover = func(text string) { said = append(said, text) }
	show(t, h, fyne.NewSize(400, 220))
	h.SetData(counts())
	h.MouseIn(at(h.plot.left+h.plot.width*0.9, 100))
	h.MouseMoved(at(h.plot.left+h.plot.width*0.91, 100)) // the same bar
	h.MouseMoved(at(h.plot.left+h.plot.width*0.3, 100))
	h.MouseOut()
	want := []string{"0.6..0.8: images 2, extreme 1", "0.2..0.4: images 30", ""}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
	if h.Data().ReadOut(9) != "" {
		t.Error("a bar that is not there is read off")
	}
}

func TestHistogramWithoutData(t *testing.T) {
	h := NewHistogram()
	w := show(t, h, fyne.NewSize(400, 220))
	h.SetData(HistogramData{Empty: "no image differs"})
	if got := textsOf(t, h); !slices.Equal(got, []string{"no image differs"}) || len(bars(t, h)) != 0 {
		t.Errorf("words %q", got)
	}
	h.MouseMoved(at(100, 100))
	d := counts()
	d.Limit = math.NaN()
	h.SetData(d)
	if strings.Contains(strings.Join(textsOf(t, h), "|"), "flagged") {
		t.Error("a limit that is none is drawn")
	}
	w.Resize(fyne.NewSize(120, 60))
	if len(bars(t, h)) != 0 {
		t.Error("bars without room")
	}
	if m := h.MinSize(); m.Width < 100 || m.Height < 80 {
		t.Errorf("least size %v", m)
	}
}
