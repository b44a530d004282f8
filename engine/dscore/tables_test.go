package dscore

import (
	"errors"
	"fmt"
	"io"
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

// example is a score of 4 regions on images of 28 x 28 pixels, with intervals of the losses alone.
func example(t *testing.T) Diagnosis {
	t.Helper()
	o := Defaults()
	o.N = []int{2}
	d := Diagnosis{
		Model: model.Model{ID: "m1", Hash: "hash of m1", Record: []model.Field{{Name: "fold", Value: "3"}}},
		Suite: "hash of pets", SuiteName: "pets",
		Grid: testdata.Must(o.Grids())(t)[0], Height: 28, Width: 28, Images: 100,
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
	d.Score = testdata.Must(Compute(d.Accuracies))(t)
	return d
}

func said(s *result.Sheet, key string, row int) string { return s.Fields[s.Field(key)].Say(row) }

func TestTablesHoldDiagnoses(t *testing.T) {
	testdata.OK(t, option.Verify(&Options{}))
	testdata.OK(t, errors.Join(featureMaps.Check(), LeftOuts.Check(), Augmentations.Check()))
	d := example(t)
	s := written(t, Scores, []Diagnosis{d})
	for key, want := range map[string]string{
		"baseline_accuracy": "90.0 % (85.0..95.0)", "flags": result.None, "interval_reason": TooFewImages,
		"record.fold": "3", "shifted_height": "33", "layers": result.None, "after_batchnorm": "no",
		"padded_width": result.Count.Say(math.Floor(28*d.Score.P+0.5)+28, 0),
	} {
		testdata.Is(t, key, said(s, key, 0), want)
	}
	regions := written(t, Regions, RegionsOf([]Diagnosis{d}))
	testdata.Is(t, "regions", regions.Len(), 4)
	one := written(t, OfOneScore, RegionsOf([]Diagnosis{d}))
	testdata.Is(t, "loss", said(one, "loss", 2), "+20.0 pp (+10.0..+30.0)")
	d.Intervals, d.Height = Intervals{}, 0
	d.Maps = NewMaps([]model.FeatureMap{{Number: 3}, {Number: 4, Empty: []int{1}}, {Number: 5, Small: true}}, []int{6})
	s = written(t, Scores, []Diagnosis{d})
	for key, want := range map[string]string{
		"baseline_accuracy": "90.0 %", "interval_reason": result.None, "padded_width": result.None, "layers": "3;4",
		"layers_left_alone": "6", "flags": "maps smaller than n",
	} {
		testdata.Is(t, key+" without intervals and sizes", said(s, key, 0), want)
	}
	maps := MapsOf([]Diagnosis{d, d})
	if maps.Len() != 3 || said(maps, "empty_regions", 1) != "1" || said(maps, "left_out", 2) != "yes" ||
		maps.Check() != nil {
		t.Errorf("%d maps", maps.Len())
	}
	models := []Diagnosis{d, example(t)}
	models[1].Model.ID, models[1].Model.Hash = "m2", "hash of m2"
	differ := Differences{
		Original: Interval{Low: 0.01, High: 0.03}, Robust: Interval{Low: 0.1, High: 0.4},
		Fitness: Interval{Low: -0.1, High: 0.1}, DScore: Interval{Reason: TooFewImages},
	}
	written(t, QuantityTable(models), QuantitiesOf(models, &differ))
	// A smaller v_robust is better, and nobody is where the interval holds 0 or is missing.
	contrasts := written(t, Contrasts, ContrastsOf([]Pair{{[2]Diagnosis(models), differ}}))
	for k, want := range []string{"m2", "m1", "-", "-"} {
		testdata.Is(t, "better", said(contrasts, "better", k), want)
	}
}

// written checks a table, fills it and writes it, for people and as a file.
func written[R any](t *testing.T, table result.Table[R], rows []R) *result.Sheet {
	t.Helper()
	testdata.OK(t, table.Check())
	s := table.Sheet(rows)
	testdata.OK(t, errors.Join(s.Check(), s.Text(io.Discard), s.CSV(io.Discard, true)))
	return s
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
		s := written(t, Layers(c.tolerance), []Layer{l})
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
	if s := written(t, LayerRegions, rows); s.Len() != 4 || said(s, "nothing_lost", 1) != "yes" ||
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
