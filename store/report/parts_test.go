package report

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/variance"
)

func TestGuideline(t *testing.T) {
	for _, c := range []struct {
		text string
		want Guideline
	}{
		{"", nil},
		{"one\ntwo\n\nthree", Guideline{
			{Runs: []Run{{Text: "one"}, {Text: " "}, {Text: "two"}}}, {Runs: []Run{{Text: "three"}}},
		}},
		{"## Head\r\n1. first\r\n2) second\n   goes on\n* third", Guideline{
			{Heading: true, Runs: []Run{{Text: "Head"}}},
			{Mark: "1.", Runs: []Run{{Text: "first"}}},
			{Mark: "2)", Runs: []Run{{Text: "second"}, {Text: " "}, {Text: "goes on"}}},
			{Mark: "•", Runs: []Run{{Text: "third"}}},
		}},
		{"a **b** *c* __d__ e", Guideline{{Runs: []Run{
			{Text: "a "}, {Text: "b", Bold: true}, {Text: " "}, {Text: "c", Italic: true}, {Text: " "}, {Text: "d", Bold: true}, {Text: " e"},
		}}}},
		{"see ![a calm matrix](file:///x.png)!", Guideline{{Runs: []Run{{Text: "see [picture: a calm matrix]!"}}}}},
		{"2 * 3 * 4 <b>", Guideline{{Runs: []Run{{Text: "2 * 3 * 4 <b>"}}}}},
	} {
		if diff := cmp.Diff(c.want, readGuideline(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// No text is lost or doubled: what is shown is the text without its marks.
func TestGuidelineKeepsLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z0-9 .\n<>&]{0,80}`).Draw(t, "text")
		var shown strings.Builder
		for _, p := range readGuideline(text) {
			shown.WriteString(p.Mark)
			for _, r := range p.Runs {
				shown.WriteString(r.Text)
			}
		}
		if squeezed(shown.String()) != squeezed(text) {
			t.Fatalf("%q became %q", text, shown.String())
		}
	})
}

func TestFold(t *testing.T) {
	table := Table{Caption: "c", Columns: columns("A#", "B")}
	for k := range 7 {
		table.Rows = append(table.Rows, []string{fmt.Sprint(k), "x"})
	}
	want := Table{Caption: "c", Columns: columns("A#", "B", "A#", "B", "A#", "B"), Rows: [][]string{
		{"0", "x", "3", "x", "6", "x"}, {"1", "x", "4", "x", "", ""}, {"2", "x", "5", "x", "", ""},
	}}
	if diff := cmp.Diff(want, table.fold(3)); diff != "" {
		t.Error(diff)
	}
	short := Table{Columns: columns("A"), Rows: [][]string{{"1"}}}
	if diff := cmp.Diff(Table{Columns: columns("A"), Rows: [][]string{{"1"}}}, short.fold(3)); diff != "" {
		t.Error(diff)
	}
	if got := (Table{}).fold(3); len(got.Rows) != 0 {
		t.Errorf("%v", got)
	}
}

func TestNumbersAsText(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.18061: "0.1806", 123456: "123500", 1e9: "1e+09", -2.5: "-2.5", 0.00001234: "1.234e-05", 1.0 / 3: "0.3333", math.Inf(1): "+Inf",
	} {
		if got := number(v); got != want {
			t.Errorf("number(%g) = %q, want %q", v, got, want)
		}
	}
	if number(math.NaN()) != result.None {
		t.Error("NaN is not a dash")
	}
}

func TestEstimateRows(t *testing.T) {
	iv := &stats.Interval{Low: 0.1, High: 0.9}
	missing := &stats.Interval{Reason: "fewer than 5 items"}
	for _, c := range []struct {
		e    agreement.Estimate
		want []string
	}{
		{agreement.Estimate{Value: agreement.Value{Value: 0.5}, N: 1200, Words: "moderate", Interval: iv}, []string{"0.500", "0.100 to 0.900", "1,200", "moderate"}},
		{agreement.Estimate{Value: agreement.Value{Reason: agreement.NoCommonItems}, Interval: missing}, []string{"-", "-", "0", "no common items"}},
		{agreement.Estimate{Value: agreement.Value{Value: 1}, N: 3, Words: "almost perfect", Interval: missing}, []string{"1.000", "-", "3", "almost perfect; no interval: fewer than 5 items"}},
		{agreement.Estimate{Value: agreement.Value{Value: 1}, N: 3, Interval: missing}, []string{"1.000", "-", "3", "no interval: fewer than 5 items"}},
		{agreement.Estimate{Value: agreement.Value{Value: 0.25}, N: 9}, []string{"0.250", "-", "9", ""}},
	} {
		if got := estimate(c.e); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestCurves(t *testing.T) {
	epochs := []model.Epoch{
		{Epoch: 1, Values: map[string]float64{"train_loss": 1, "train_accuracy": 0.5}}, {Epoch: 3, Values: map[string]float64{"train_loss": 0.5, "test_loss": 0.7}},
	}
	list := curves(epochs, "_loss")
	if len(list) != 2 || list[0].name != "test loss" || list[1].name != "train loss" || !slices.Equal(list[1].y, []float64{1, 0.5}) || !slices.Equal(list[1].x, []float64{1, 3}) {
		t.Errorf("%+v", list)
	}
	if !math.IsNaN(list[0].y[0]) || list[0].y[1] != 0.7 {
		t.Errorf("an absent cell is %v", list[0].y)
	}
}

// A line is cut at gaps, a value between two gaps is a dash, and no point leaves the plane.
func TestChartRuns(t *testing.T) {
	nan := math.NaN()
	c := chart{low: 0, high: 1, series: []series{{name: "a", x: []float64{0, 1, 2, 3, 4, 5}, y: []float64{0, 5, nan, 0.5, nan, math.Inf(1)}}}}
	runs := c.series[0].runs(c.plane())
	if len(runs) != 2 || len(runs[0]) != 2 || len(runs[1]) != 2 {
		t.Fatalf("%v", runs)
	}
	if low, high := runs[0][0].Y, runs[0][1].Y; low != chartHeight-chartBottom || high != chartTop {
		t.Errorf("from %g to %g", low, high)
	}
	for _, empty := range []chart{{}, {series: []series{{x: []float64{1}, y: []float64{2}}}}, {series: []series{{x: []float64{nan}, y: []float64{nan}}}}} {
		for _, m := range empty.drawing().Marks {
			for _, v := range []float64{m.X, m.Y, m.X2, m.Y2} {
				if !finite(v) {
					t.Errorf("a mark at %v", m)
				}
			}
		}
	}
}

func TestMatrixDrawing(t *testing.T) {
	axis := render.Axis{Name: "rotation", Unit: "°", Values: []float64{-1, 0, 1}}
	m := measure{modality: "max@CONF", matrix: variance.Matrix{N: 3, Data: []float64{0, 0.5, -1, 0.5, 0, 0.1, 0.2, 0.1, 0}}, scale: render.Scale{High: 0.3}}
	d := matrixDrawing(m, axis)
	var texts []string
	marks := map[Ink]int{}
	pictures := 0
	for _, mark := range d.Marks {
		if mark.Shape == Words {
			texts = append(texts, mark.Text)
		}
		if mark.Shape == Image {
			pictures++
		}
		marks[mark.Ink]++
		if mark.X < 0 || mark.Y < 0 || mark.X > d.Width || mark.Y > d.Height {
			t.Errorf("a mark outside: %+v", mark)
		}
	}
	for _, want := range []string{"V_j: rotation (°)", "V_i: rotation (°)", "max@CONF", "0.3", "-1", "1"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no text %q in %q", want, texts)
		}
	}
	if pictures != 2 || marks["over"] != 1 || marks["under"] != 1 {
		t.Errorf("%d pictures, caps %v", pictures, marks)
	}
	if low, high := markAt(d, "-1", End), markAt(d, "1", End); low.Y <= high.Y || low.Y > matrixTop+matrixSide+tickText {
		t.Errorf("V grows upward: -1 at %g, 1 at %g", low.Y, high.Y)
	}
	if low, high := markAt(d, "-1", Middle), markAt(d, "1", Middle); low.X >= high.X {
		t.Errorf("V grows to the right: -1 at %g, 1 at %g", low.X, high.X)
	}
	if d.Marks[0].Picture.RGBAAt(0, 2) != render.Viridis[0] { // delta_00 lies at the bottom left
		t.Error("the matrix stands on its head")
	}
	absent := matrixDrawing(measure{modality: "max@CONV-2", absent: "no second convolution"}, axis)
	if !strings.Contains(absent.Alt, "no second convolution") || !slices.ContainsFunc(absent.Marks, func(m Mark) bool { return m.Text == "no second convolution" }) {
		t.Errorf("%+v", absent)
	}
}

// markAt is the text of a drawing with that anchor.
func markAt(d Drawing, text string, anchor Anchor) Mark {
	at := slices.IndexFunc(d.Marks, func(m Mark) bool { return m.Shape == Words && m.Text == text && m.Anchor == anchor })
	if at < 0 {
		return Mark{}
	}
	return d.Marks[at]
}

func TestConfusionDrawing(t *testing.T) {
	d := confusionDrawing([][]int{{12, 0}, {3, 4}}, []string{"invariant", "variant"}, "a", strings.Repeat("b", 40))
	var texts []string
	filled := 0
	for _, m := range d.Marks {
		if m.Shape == Words {
			texts = append(texts, m.Text)
		}
		if m.Fill {
			filled++
		}
	}
	if filled != 3 {
		t.Errorf("%d filled cells", filled)
	}
	for _, want := range []string{"12", "0", "3", "4", "a", strings.Repeat("b", 29) + "…"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no %q in %q", want, texts)
		}
	}
}

func TestEnlarge(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 2, 2))
	img.SetRGBA(1, 0, color.RGBA{9, 8, 7, 255})
	big := enlarge(img, 5)
	if big.Rect.Dx() != 6 || big.RGBAAt(3, 2) != img.RGBAAt(1, 0) || big.RGBAAt(2, 2) != img.RGBAAt(0, 0) {
		t.Errorf("%v", big.Rect)
	}
	if enlarge(big, 5) != big {
		t.Error("a large picture was enlarged")
	}
	if bar := image.NewRGBA(image.Rect(0, 0, 1, 3)); enlarge(bar, 9) != bar {
		t.Error("a colour bar was enlarged")
	}
}

func TestImagesNeeded(t *testing.T) {
	for n, want := range map[int]string{0: result.None, 41191: "41,191", math.MaxInt: "too many"} {
		if got := needed(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
