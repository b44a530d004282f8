package dscore

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

func TestTablesAreDeclaredWell(t *testing.T) {
	for _, err := range []error{
		Scores.Check(), Regions.Check(), OfOneScore.Check(), featureMaps.Check(), Layers(0.01).Check(),
		LayerRegions.Check(), LeftOuts.Check(),
		Augmentations.Check(), Contrasts.Check(), option.Verify(&Options{}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

// example is a score of 4 regions on images of 28 x 28 pixels, with intervals of the losses alone.
func example(t *testing.T) Diagnosis {
	t.Helper()
	o := Defaults()
	o.N = []int{2}
	grids, err := o.Grids()
	if err != nil {
		t.Fatal(err)
	}
	d := Diagnosis{
		Model: model.Model{ID: "m1", Hash: "hash of m1", Record: []model.Field{{Name: "fold", Value: "3"}}},
		Suite: "hash of pets", SuiteName: "pets",
		Grid: grids[0], Height: 28, Width: 28, Images: 100,
		Accuracies: Accuracies{
			Original: 0.9, Variants: []float64{0.9, 0.8, 0.7, 0.91},
			Shifted: []float64{0.5, 0.4, 0.1, 0}, Classes: 2,
		},
		Intervals: Intervals{
			Samples: 10, Original: Interval{Low: 0.85, High: 0.95}, DScore: Interval{Reason: TooFewImages},
			Robust: Interval{Reason: TooFewImages},
			Loss:   []Interval{{}, {Low: 0.05, High: 0.15}, {Low: 0.1, High: 0.3}, {Low: -0.02, High: 0.005}},
		},
	}
	if d.Score, err = Compute(d.Accuracies); err != nil {
		t.Fatal(err)
	}
	return d
}

func said(s *result.Sheet, key string, row int) string { return s.Fields[s.Field(key)].Say(row) }

func TestScoresAreSaidToPeople(t *testing.T) {
	d := example(t)
	s := Scores.Sheet([]Diagnosis{d})
	for key, want := range map[string]string{
		"model_id": "m1", "n": "2", "t": "5", "images": "100", "baseline_accuracy": "90.0 % (85.0..95.0)",
		"d_score": result.Number.Say(d.Score.DScore, 4),
		"flags":   result.None, "interval_reason": TooFewImages, "record.fold": "3", "shifted_height": "33",
		"layers": result.None, "after_batchnorm": "no",
		"padded_width": result.Count.Say(math.Floor(28*d.Score.P+0.5)+28, 0),
	} {
		testdata.Is(t, fmt.Sprintf("%s is said", key), said(s, key, 0), want)
	}
	d.Intervals, d.Height = Intervals{}, 0
	d.Maps = NewMaps([]model.FeatureMap{{Number: 3}, {Number: 4, Empty: []int{1}}, {Number: 5, Small: true}}, []int{6})
	s = Scores.Sheet([]Diagnosis{d})
	if said(s, "baseline_accuracy", 0) != "90.0 %" || said(s, "interval_reason", 0) != result.None ||
		said(s, "padded_width", 0) != result.None {
		t.Error("intervals or sizes that nobody knows are said")
	}
	if said(s, "layers", 0) != "3;4" || said(s, "layers_left_alone", 0) != "6" ||
		said(s, "flags", 0) != "maps smaller than n" ||
		s.Fields[s.Field("flags")].Write(0) != string(SmallMaps) {
		t.Errorf("layers %q, flags %q", said(s, "layers", 0), said(s, "flags", 0))
	}
	maps := MapsOf([]Diagnosis{d, d})
	if maps.Len() != 3 || said(maps, "empty_regions", 1) != "1" || said(maps, "left_out", 2) != "yes" ||
		maps.Check() != nil {
		t.Errorf("%d maps", maps.Len())
	}
}

func TestRegionsAreSaidToPeople(t *testing.T) {
	s := OfOneScore.Sheet(RegionsOf([]Diagnosis{example(t)}))
	for key, want := range map[string]string{
		"region": "3", "row": "2", "column": "1", "variant_accuracy": "70.0 %", "loss": "+20.0 pp (+10.0..+30.0)",
		"feature":          "66.7 %",
		"shifted_accuracy": "10.0 %", "attention": "10.0 %", "difference": "+56.7 pp", "top": "5", "bottom": "0",
		"left": "0", "right": "5",
	} {
		testdata.Is(t, fmt.Sprintf("%s is said", key), said(s, key, 2), want)
	}
	testdata.Is(t, "an interval of no width is said", said(s, "loss", 0), "0.0 pp (0.0..0.0)")
	if s.Check() != nil || s.Len() != 4 {
		t.Error(s.Check())
	}
}

func TestNothingIsLostWithin(t *testing.T) {
	l := example(t).Layer(model.FeatureMap{Number: 7, Tensor: "c7", Height: 2, Width: 1})
	for tolerance, want := range map[float64][]int{0: {1}, 0.005: {1, 4}, 0.15: {1, 2, 4}, 0.3: {1, 2, 3, 4}} {
		testdata.Equal(t, fmt.Sprintf("within %v nothing is lost without", tolerance), l.Free(tolerance), want)
	}
	for _, c := range []struct {
		tolerance float64
		empty     []int
		words     string
	}{{0.3, nil, "any region"}, {0.15, []int{3}, "1, 2, 4 (empty: 3)"}, {0, []int{1}, "none (empty: 1)"}} {
		l.Empty = c.empty
		s := Layers(c.tolerance).Sheet([]Layer{l})
		testdata.Is(t, fmt.Sprintf("within %v", c.tolerance), said(s, "nothing_lost", 0), c.words)
		if said(s, "smallest_loss", 0) != "-1.0 pp" || said(s, "largest_loss", 0) != "+20.0 pp" ||
			said(s, "largest_region", 0) != "3" {
			t.Error("the largest loss is in another region")
		}
	}
	damaged := Layer{Reason: result.Because("damaged", "gone")}
	if s := Layers(0).Sheet([]Layer{damaged}); s.Fields[s.Field("smallest_loss")].Why(0) != damaged.Reason {
		t.Error("a layer without numbers does not say why")
	}
	rows := LayerRegionsOf([]Layer{l, damaged}, 0.15)
	if s := LayerRegions.Sheet(rows); s.Len() != 4 || said(s, "nothing_lost", 1) != "yes" ||
		said(s, "nothing_lost", 2) != "no" {
		t.Errorf("%d rows", s.Len())
	}
}

// Every flag has words, each empty region and convolution that is left alone is named once,
// whatever t is.
func TestNotes(t *testing.T) {
	one := example(t)
	one.Score.Flags = []Flag{NoRegionMatters, NoAttention, AboveBound}
	one.Maps = NewMaps([]model.FeatureMap{
		{Number: 3, Height: 2, Width: 1, Empty: []int{1, 3}},
		{Number: 4, Height: 2, Width: 2, Empty: []int{1}},
		{Number: 5, Small: true, Height: 1, Width: 1},
	}, []int{2})
	other := one
	other.T, other.Score.Flags, other.Untouched = 99, nil, Untouched{Masks: 90, Shifts: 89, Differ: 1}
	want := []string{
		"m1 on pets, n = 2, t = 5: no region matters", "m1 on pets, n = 2, t = 5: no attention",
		"m1 on pets, n = 2, t = 5: v_robust is above its bound",
		"m1 on pets, n = 2, t = 5: some maps are smaller", "m1 on pets, n = 2, t = 99: some maps are smaller",
		"m1 on pets, n = 2, t = 99: the signals of the masks have 90 images right",
		"m1 on pets, n = 2, t = 99: the sides of 28 x 28 pixels cannot be cut into 99 units: nothing is shifted",
		"m1, n = 2: regions 1, 3 are empty in convolution 3 with its maps of 2 x 1, where nothing is deleted",
		"m1, n = 2: region 1 is empty in convolution 4 with its maps of 2 x 2, where nothing is deleted",
		"m1, n = 2: convolution 5 with its maps of 1 x 1 is left out",
		"m1: the output of convolution 2 is not 4-D and is left alone",
		"m1: no interval: fewer than 500 images",
	}
	got := Notes([]Diagnosis{one, other})
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("%q", got)
	}
	for _, f := range []Flag{NoRegionMatters, NoAttention, AboveBound, SmallMaps} {
		if f.Word() == string(f) || f.Sentence() == string(f) {
			t.Errorf("flag %s has no words", f)
		}
	}
}

func TestModelsLeftOutForOneReasonShareALine(t *testing.T) {
	var left []LeftOut
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "a"} {
		left = append(left, LeftOut{ID: id, SuiteName: "pets", Reason: result.Because(NotRun, "no signals")})
	}
	left = append(left, LeftOut{ID: "a", SuiteName: "pets", Reason: result.Because(NotRun, "damaged")})
	want := []string{"a, b, c, d, e and 2 more on pets: no signals", "a on pets: damaged"}
	testdata.Equal(t, "LeftOutLines", LeftOutLines(left), want)
}

// The form of the window, menus and the command line begin with the same grid.
func TestDefaultsAreTheUsualGrid(t *testing.T) {
	if o := Defaults(); !slices.Equal(o.N, []int{transform.UsualGrid}) || !slices.Equal(o.T, []int{transform.UsualT}) ||
		o.Tolerance != 0.01 {
		t.Errorf("%+v", o)
	}
}

func TestLayersOfOptions(t *testing.T) {
	for text, want := range map[string]string{
		"auto": "mask:2;layers=auto", "all": "mask:2", "3,1,3": "mask:2;layers=1,3",
		"x": "--layers x: give auto, all, or numbers", "0": "convolutions count from 1",
	} {
		o := Defaults()
		o.N, o.T, o.Layers = []int{3, 2, 2}, []int{7, 5}, strings.Split(text, ",")
		if err := option.Check(&o); err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		grids, err := o.Grids()
		if err != nil || len(grids) != 4 || grids[0].T != 5 || grids[1].T != 7 || grids[2].N != 3 {
			t.Fatalf("%s: %v, %v", text, grids, err)
		}
		if mask, err := transform.Mask(o.Masks(2)); err != nil || grids[0].Mask != mask.String() ||
			grids[0].Mask != want {
			t.Errorf("%s: %s, want %s, %v", text, grids[0].Mask, want, err)
		}
		if one := o.Masks(2, 4); one.Auto || !slices.Equal(one.Layers, []int{4}) {
			t.Errorf("%s: a single layer is %+v", text, one)
		}
	}
}

// People read words, and the paper's letters in the explanation; files keep the letters.
func TestColumnsAreInWords(t *testing.T) {
	for _, c := range Scores.Columns {
		want := map[string][2]string{
			"v_robust": {"unevenness", "v_robust"}, "v_fitness": {"fitness", "v_fitness"}, "g": {"most uneven", "g(n)"},
			"p": {"share to pad", "p:"}, "n": {"regions a side", "n:"}, "t": {"units a side", "t:"},
		}[c.Key]
		if want[0] != "" && (c.Title != want[0] || !strings.HasPrefix(c.Help, want[1])) {
			t.Errorf("%s: %q, %q", c.Key, c.Title, c.Help)
		}
	}
	models := someScores(t, 2, 2)
	sheet := QuantityTable(models).Sheet(QuantitiesOf(models, nil))
	if f := sheet.Fields[0]; f.Say(1) != "unevenness" || f.Write(1) != "v_robust" ||
		f.Say(4) != "accuracy shifted to region 1" || f.Write(4) != "a_1" {
		t.Errorf("%s, %s, %s, %s", f.Say(1), f.Write(1), f.Say(4), f.Write(4))
	}
}
