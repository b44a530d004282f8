package dscore

import (
	"math"
	"slices"
	"strings"
	"testing"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/diagnosis"
)

// grid is that of all layers.
func grid(t *testing.T, n, shift int) score.Grid {
	t.Helper()
	return testdata.Must(score.NewGrid(transform.Masks{N: n}, shift))(t)
}

// made is a diagnosis with accuracies by hand.
func made(t *testing.T, id string, g score.Grid, original float64, variants, shifted []float64) Row {
	t.Helper()
	a := score.Accuracies{Original: original, Variants: variants, Shifted: shifted, Classes: 10}
	s := testdata.Must(score.Compute(a))(t)
	r := Row{
		Model: model.Model{Hash: "hash-" + id, ID: id, Graph: model.Graph{Convs: []string{"c1", "c2"}}}, Suite: "suite",
		SuiteName: "digits", Grid: g, Images: 1234, Accuracies: a, Score: s, MaskKey: "mask-" + id,
		ShiftKey: "shift-" + id,
	}
	r.Intervals = score.Intervals{
		Samples: 1000, Level: 0.95,
		DScore: score.Interval{Low: s.DScore - 0.01, High: s.DScore + 0.02},
	}
	for _, v := range variants {
		r.Intervals.Loss = append(r.Intervals.Loss, score.Interval{Low: original - v - 0.01, High: original - v + 0.01})
	}
	return r
}

func TestRegionsOfADiagnosis(t *testing.T) {
	r := made(t, "m", grid(t, 2, 5), 0.9, []float64{0.9, 0.8, 0.5, 0.95}, []float64{0.1, 0.2, 0.3, 0.4})
	list := regionsOf(r)
	third := list[2]
	if len(list) != 4 || third.Row() != 2 || third.Col() != 1 || math.Abs(third.Loss()-0.4) > 1e-12 ||
		third.Of.Score.Features[2] != r.Score.Features[2] {
		t.Fatalf("%+v", third)
	}
	if line := third.Line(); !strings.Contains(line,
		"region 3, row 2, column 1: deleting it costs +40.0 pp (+39.0..+41.0)") {
		t.Errorf("%q", line)
	}
	testdata.OK(t, regionTable(false).Check())
	sheet := regionTable(false).Sheet(list)
	for key, want := range map[string][]int{"loss": {3, 2, 1, 4}, "shifted_accuracy": {4, 3, 2, 1}} {
		var got []int
		for _, row := range sheet.Arrange(result.Filter{}, result.Order{Key: key, Descending: true}) {
			got = append(got, list[row].Number)
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %s %v, want %v", key, got, want)
		}
	}
	lossText := func(list []Region) string {
		sheet := regionTable(false).Sheet(list)
		return sheet.Fields[sheet.Field("loss")].Say(2)
	}
	if got := lossText(list); got != "+40.0 pp (+39.0..+41.0)" {
		t.Errorf("region 3 loses %s", got)
	}
	r.Intervals.Variants = r.Intervals.Loss
	beside := besideMaps(false).Sheet(regionsOf(r))
	for key, has := range map[string]bool{"loss": true, "variant_accuracy": false} {
		if text := beside.Fields[beside.Field(key)].Say(2); strings.Contains(text, "..") != has {
			t.Errorf("%s beside the maps is %s", key, text)
		}
	}
	r.Intervals = score.Intervals{}
	list = regionsOf(r)
	if lossText(list) != "+40.0 pp" || strings.Contains(list[0].Line(), "pp (") {
		t.Error("an interval that was not computed is shown")
	}
}

func TestRegionsOfOneImage(t *testing.T) {
	r := made(t, "m", grid(t, 2, 5), 0.9, []float64{0.9, 0.8, 0.5, 0.95}, []float64{0.1, 0.2, 0.3, 0.4})
	img := diagnosis.Image{
		Index: 7, Class: 2, True: true, Original: 0.9, Variants: []float64{0.1, 0.9, 0.9, 0.9},
		Shifted: []float64{0.5, 0.5, 0, 0}, Predicted: 2, PredictedVariants: []int{1, 2, 2, 2},
		PredictedShifted: []int{2, 2, 0, 0}, Features: []float64{1, 0, 0, 0}, Attention: []float64{0.5, 0.5, 0, 0},
	}
	class := func(c int) string { return []string{"bird", "boat", "bridge"}[c] }
	list := regionsOfImage(r, img, class)
	if !list[0].Single || list[0].WithoutRegion != "boat" || list[2].WhenShifted != "bird" || list[0].Loss() != 0.8 {
		t.Errorf("%+v", list[0])
	}
	if line := list[0].Line(); !strings.Contains(line, "without it the score is 10.0 % in place of 90.0 % (boat)") {
		t.Errorf("%q", line)
	}
	m := model.Model{Graph: model.Graph{Outputs: []model.Output{{Name: "o", Classes: 3}}}}
	named := classNamer(m, suite.Manifest{Classes: []string{"a", "b"}}, []int{2, 0})
	if got := named(2) + named(0) + named(1); got != "ab1" {
		t.Errorf("classes %q", got)
	}
	single, all := regionTable(true).Sheet(list), regionTable(false).Sheet(list)
	for _, f := range single.Fields {
		if f.Show == result.Shown && f.Missing(0) || regionTable(true).Check() != nil {
			t.Errorf("column %s is empty", f.Key)
		}
	}
	if single.Field("variant_accuracy") >= 0 || all.Field("without") >= 0 {
		t.Error("columns of one image and of all are mixed")
	}
	if rows := single.Arrange(result.Filter{}, result.Order{Key: "moved"}); list[rows[0]].WhenShifted != "bird" ||
		list[rows[0]].Number != 3 {
		t.Errorf("by prediction %d first", list[rows[0]].Number)
	}
	one := Single{Row: r, Image: img, Class: class}
	titles := []string{one.Title()}
	one.Image.Predicted = 0
	titles = append(titles, one.Title())
	one.Image.True, one.Image.Class = false, 0
	if titles = append(titles, one.Title()); !slices.Equal(titles, []string{
		"image 7, labelled bridge: m predicts bridge, score 90.0 %",
		"image 7, labelled bridge: m predicts bird; score of bridge 90.0 %", "image 7: m predicts bird, score 90.0 %",
	}) {
		t.Errorf("%q", titles)
	}
}

func TestWalk(t *testing.T) {
	m := suite.Manifest{Images: 6, Labels: []int{0, 1, 1, -1, 0, 1}, Classes: []string{"a", "b", "c"}}
	w := newWalk(m)
	if w.At() != 0 {
		t.Fatalf("it begins at %d", w.At())
	}
	if w.Step(-1).At() != 0 || w.Step(1).At() != 1 {
		t.Error("it leaves the suite, or does not move")
	}
	b := w.Of(1)
	if b.At() != 1 || b.Step(1).Step(1).At() != 5 || b.Step(1).Step(1).Step(1).At() != 5 {
		t.Errorf("class b begins at %d", b.At())
	}
	if last, _ := w.To("5"); last.Of(0).At() != 4 {
		t.Error("the class does not go back to its last image")
	}
	if to, err := b.To(" 4 "); err != nil || to.At() != 4 || to.Class() != anyClass {
		t.Errorf("to 4: %d, class %d, %v", to.At(), to.Class(), err)
	}
	for _, text := range []string{"", "6", "-1", "x", "1.5"} {
		if to, err := w.To(text); err == nil || to.At() != 0 {
			t.Errorf("%q leads to %d", text, to.At())
		}
	}
	if _, err := w.To("3"); err != nil {
		t.Errorf("an image without a label cannot be gone to: %v", err)
	}
	var names []string
	for _, o := range w.classes() {
		names = append(names, o.Name)
	}
	if !slices.Equal(names, []string{"all classes", "a", "b"}) {
		t.Errorf("classes %v", names)
	}
	if none := newWalk(suite.Manifest{}); none.At() != -1 || none.Step(1).At() != -1 {
		t.Error("a suite without images has one")
	}
	if none := w.Of(2); none.At() != 0 {
		t.Errorf("a class without images leads to %d", none.At())
	}
}

func TestLacksAreJoined(t *testing.T) {
	g := grid(t, 3, 5)
	models := []model.Model{
		{Hash: "a", Graph: model.Graph{Convs: []string{"1"}}},
		{Hash: "b", Graph: model.Graph{Convs: []string{"1"}}},
		{Hash: "c"},
	}
	var left []score.LeftOut
	for _, hash := range []string{"a", "b", "c"} {
		left = append(left, score.LeftOut{
			ID: strings.ToUpper(hash), Hash: hash, Grid: g, Sets: []string{"mask:3"},
			Reason: result.Because(signal.NoSignals, "mask:3: r"),
		})
	}
	list := lacks(left, models)
	if len(list) != 2 || list[0].Name() != "A, B" || len(list[0].Runs("s")) != 1 ||
		!slices.Equal(list[0].Runs("s")[0].Models, []string{"a", "b"}) {
		t.Fatalf("%+v", list)
	}
	if len(list[1].Runs("s")) != 0 || !strings.Contains(list[1].Reason.Text, "no convolution") {
		t.Errorf("a model without a convolution: %q", list[1].Reason.Text)
	}
	many := Lack{Models: []string{"a", "b", "c", "d"}}
	if got := many.Name(); got != "4 models: a, b, c…" {
		t.Errorf("%q", got)
	}
}
