package widget

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

func byLabel() StackedData {
	return StackedData{
		XName: "max@CONF.svm", YName: "models", High: 0.8, Groups: []Group{{"invariant", LookInvariant}, {"variant", LookVariant}},
		Counts: [][]int{{6, 2, 0, 0}, {0, 2, 0, 4}}, Marked: 0.5, MarkedName: "m07", Empty: "nothing",
	}
}

// coloured are the bars of a group.
func coloured(tb testing.TB, s *Stacked, l Look) (list []*canvas.Rectangle) {
	tb.Helper()
	for _, o := range objectsOf(tb, s) {
		if bar, ok := o.(*canvas.Rectangle); ok && bar.FillColor == colourOf(l, styleOf(s).background) &&
			bar.Position().Y >= s.plot.top {
			list = append(list, bar)
		}
	}
	return list
}

func TestStackedStacksItsGroups(t *testing.T) {
	s := NewStacked()
	show(t, s, fyne.NewSize(420, 260))
	s.SetData(byLabel())
	low, high := coloured(t, s, LookInvariant), coloured(t, s, LookVariant)
	if len(low) != 2 || len(high) != 2 {
		t.Fatalf("%d and %d bars", len(low), len(high))
	}
	if ratio := low[0].Size().Height / low[1].Size().Height; math.Abs(float64(ratio)-3) > 0.01 {
		t.Errorf("6 models are %v times as high as 2", ratio)
	}
	if top, foot := low[1].Position().Y, high[0].Position().Y+high[0].Size().Height; math.Abs(float64(top-foot)) > 0.01 {
		t.Errorf("the second group stands at %v, the first one ends at %v", foot, top)
	}
	got := textsOf(t, s)
	for _, want := range []string{"models", "max@CONF.svm", "invariant", "variant", "m07", "0.2", "6"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	s.SetMark(math.NaN(), "")
	if slices.Contains(textsOf(t, s), "m07") {
		t.Error("a mark that is none is drawn")
	}
}

func TestStackedReadsOff(t *testing.T) {
	s := NewStacked()
	var said []string
	s.OnHover = func(text string) { said = append(said, text) }
	show(t, s, fyne.NewSize(420, 260))
	s.SetData(byLabel())
	for _, share := range []float32{0.3, 0.35, 0.6, 0.9} {
		s.MouseMoved(at(s.plot.left+s.plot.width*share, 100))
	}
	s.MouseOut()
	want := []string{"0.2..0.4: models 4, invariant 2, variant 2", "0.4..0.6: models 0", "0.6..0.8: models 4, variant 4", ""}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

func TestStackedWithoutData(t *testing.T) {
	s := NewStacked()
	w := show(t, s, fyne.NewSize(420, 260))
	for name, d := range map[string]StackedData{
		"no bins": {Empty: "no models"}, "only zeros": {Empty: "no models", High: 1, Groups: labelGroups(), Counts: [][]int{{0, 0}}},
		"no range": {Empty: "no models", Groups: labelGroups(), Counts: [][]int{{1}}}, "no group": {Empty: "no models", High: 1, Counts: [][]int{{1}}},
	} {
		s.SetData(d)
		s.MouseMoved(at(100, 100))
		if got := textsOf(t, s); !slices.Equal(got, []string{"no models"}) {
			t.Errorf("%s: texts %q", name, got)
		}
	}
	opened := 0
	s.Menu = func() []*fyne.MenuItem { opened++; return []*fyne.MenuItem{fyne.NewMenuItem("save", nil)} }
	sign := &fyne.PointEvent{Position: fyne.NewPos(s.Size().Width-8, 8)}
	s.Tapped(sign)
	if opened != 0 {
		t.Error("an empty plot offers to save itself")
	}
	s.SetData(byLabel())
	s.Tapped(&fyne.PointEvent{Position: fyne.NewPos(100, 100)})
	s.Tapped(sign)
	if opened != 1 || w.Canvas().Overlays().Top() == nil {
		t.Errorf("the menu was made %d times", opened)
	}
}

func TestStackedNeverClips(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		d := byLabel()
		d.Low = rapid.Float64Range(-1e4, 1).Draw(t, "low")
		d.High = d.Low + rapid.Float64Range(1e-5, 1e4).Draw(t, "wide")
		d.Marked = d.Low + (d.High-d.Low)*rapid.Float64Range(0, 1).Draw(t, "mark")
		d.Counts = [][]int{make([]int, 20), make([]int, 20)}
		for k := range 20 {
			d.Counts[k%2][k] = rapid.IntRange(0, 500).Draw(t, "count")
		}
		s := NewStacked()
		s.SetData(d)
		size := fyne.NewSize(float32(rapid.IntRange(160, 900).Draw(t, "width")), float32(rapid.IntRange(120, 600).Draw(t, "height")))
		s.Resize(size)
		if err := checkTexts(test.WidgetRenderer(s).Objects(), size); err != nil {
			t.Error(err)
		}
	})
}

func TestStackedReadOutOutside(t *testing.T) {
	d := byLabel()
	if d.ReadOut(-1) != "" || d.ReadOut(4) != "" || !strings.HasPrefix(d.ReadOut(0), "0..0.2: models 6") {
		t.Errorf("%q", d.ReadOut(0))
	}
}
