package invariance

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/assess"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

const rotation = "rotation:-10:10:10;interpolation=bilinear;border=zero"

// result has an EI of ei and an accuracy, NaN for a suite without labels, under transformations at these values of V.
func resultOf(ei, accuracy float64, values ...float64) measure.Result {
	nan := math.NaN()
	r := measure.Result{Images: 100, Labelled: 100, Accuracy: accuracy, Drop: 0.1, Scores: assess.Scores{
		CorrectProduct: accuracy - 0.2, CorrectMean: accuracy - 0.1, ConsistencyProduct: ei - 0.1, ConsistencyMean: ei,
	}}
	if math.IsNaN(accuracy) {
		r.Labelled, r.Drop = 0, nan
	}
	r.Mean = measure.Values{measure.EI: ei, measure.Product: ei * ei, measure.JS: 1 - ei, measure.L2: 1 - ei, measure.KL: 2 - ei, measure.KLReverse: 3 - ei, measure.Consistent: ei}
	for k, v := range values {
		step := measure.Row{Transformation: k + 1, Name: fmt.Sprintf("step %d", k+1), V: v, Mean: r.Mean, Accuracy: accuracy - 0.1*float64(k), AccuracyDrop: 0.1 * float64(k)}
		step.Mean[measure.EI] = ei - 0.01*float64(k)
		r.Rows = append(r.Rows, step)
	}
	return r
}

// made are models m0.. over suites s0.. under rot90 and a rotation; EI and accuracy grow with the model and fall with the suite, the last
// suite has no labels.
func made(models, suites int) Data {
	d := Data{Current: store.Current{Suite: "hash s0"}}
	for s := range suites {
		manifest := suite.Manifest{Name: fmt.Sprintf("s%d", s), Hash: fmt.Sprintf("hash s%d", s), Images: 100}
		if s > 0 {
			manifest.Derived = &suite.Derived{Of: "hash s0", Change: fmt.Sprintf("corruption:%s:%d;seed=1", []string{"fog", "contrast"}[s%2], 1+s%5)}
		}
		d.Suites = append(d.Suites, manifest)
	}
	for k := range models {
		m := model.Model{ID: fmt.Sprintf("m%d", k), Hash: fmt.Sprintf("hash m%d", k), Record: []model.Field{{Name: "optimizer", Value: []string{"Adam", "SGD"}[k%2]}, {Name: "number", Value: fmt.Sprint(k)}, {Name: "always", Value: "yes"}}}
		m.Graph.Input = model.Input{Channels: 3, Height: 8, Width: 8}
		d.Models = append(d.Models, m)
		for s, manifest := range d.Suites {
			ei := 0.5 + 0.4*float64(k+1)/float64(models+1) - 0.03*float64(s) + 0.003*float64((3*k+5*s)%4)
			accuracy := ei - 0.05
			if s == suites-1 && suites > 1 {
				accuracy = math.NaN()
			}
			change := ""
			if manifest.Derived != nil {
				change = manifest.Derived.Change
			}
			for _, family := range []string{"rot90", rotation} {
				values := []float64{math.NaN(), math.NaN(), math.NaN()}
				if family == rotation {
					values = []float64{-10, 10}
				}
				r := measure.Measured{Model: m, Suite: manifest.Hash, SuiteName: manifest.Name, Change: change, Family: family, Key: "key " + m.ID + manifest.Name + family, Result: resultOf(ei, accuracy, values...)}
				d.Rows = append(d.Rows, Row{Measured: r, FamilyName: familyName(family)})
			}
		}
	}
	return d
}

func viewOf(d Data) *View {
	v := NewView()
	v.Take(d)
	return v
}

// cells is a column of the table as it is shown.
func cells(v *View, key string) (list []string) {
	c := columnOf(key)
	for row := range v.Len() {
		r, _ := v.At(row)
		list = append(list, c.cell(r))
	}
	return list
}

func TestTableHasEveryMeasure(t *testing.T) {
	keys := map[string]bool{}
	for _, c := range Columns() {
		if keys[c.Key] || c.Title == "" || c.Value != nil && c.Hint == "" || (c.Value == nil) == (c.Text == nil) {
			t.Errorf("column %+v", c)
		}
		keys[c.Key] = true
	}
	for m := range measure.Measures {
		if !keys[m.String()] {
			t.Errorf("the table has no %s", m)
		}
	}
	for _, s := range measure.Scores() {
		if !keys[string(s)] {
			t.Errorf("the table has no %s", s)
		}
		if got := columnOf(string(s)); ScoreTitle(s) != got.Title {
			t.Errorf("%s is called %q and %q", s, ScoreTitle(s), got.Title)
		}
	}
	r := made(1, 1).Rows[0]
	for _, s := range measure.Scores() {
		if got := columnOf(string(s)).Value(r); got != s.Of(r.Result) {
			t.Errorf("%s is %v, want %v", s, got, s.Of(r.Result))
		}
	}
}

func TestSortAndFilter(t *testing.T) {
	v := viewOf(made(3, 2))
	if v.Len() != 12 || v.Caption() != "12 rows: 3 models, 2 suites" {
		t.Fatalf("%d rows, %q", v.Len(), v.Caption())
	}
	v.Only("hash s0", "rot90")
	if got := cells(v, keyModel); !slices.Equal(got, []string{"m0", "m1", "m2"}) || v.Caption() != "3 rows: 3 models, 1 suite; 12 in all" {
		t.Errorf("%v, %q", got, v.Caption())
	}
	v.SortBy("ei")
	if got := cells(v, keyModel); !slices.Equal(got, []string{"m2", "m1", "m0"}) {
		t.Errorf("by EI %v", got)
	}
	v.SortBy("ei")
	if got := cells(v, keyModel); !slices.Equal(got, []string{"m0", "m1", "m2"}) {
		t.Errorf("by EI from the smallest %v", got)
	}
	for text, want := range map[string][]string{
		"sgd": {"m1"}, "-sgd": {"m0", "m2"}, "m1": {"m1"}, "nothing": nil, "ei>0.65": {"m1", "m2"}, "accuracy<0.6": {"m0"}, "ei>": nil, "js<0.4 -m2": {"m1"},
	} {
		v.Filter(text)
		if got := cells(v, keyModel); !slices.Equal(got, want) {
			t.Errorf("%q leaves %v, want %v", text, got, want)
		}
	}
}

// TestMissingStandsLast: in both orders, and never meets a comparison.
func TestMissingStandsLast(t *testing.T) {
	v := viewOf(made(2, 2))
	v.Only("", "rot90")
	for range 2 {
		v.SortBy("accuracy")
		if got := cells(v, "accuracy"); got[2] != "-" || got[3] != "-" || got[0] == "-" {
			t.Errorf("accuracies %v", got)
		}
	}
	v.Filter("accuracy<2")
	if v.Len() != 2 {
		t.Errorf("%d rows meet accuracy<2", v.Len())
	}
	v.Filter("")
	at := slices.Index(cells(v, "accuracy"), "-")
	for key, want := range map[string]string{"accuracy": "the suite s1 has no labels", "correct_mean": "the suite s1 has no labels"} {
		col := slices.IndexFunc(Columns(), func(c Column) bool { return c.Key == key })
		if key == "correct_mean" {
			r, _ := v.At(at)
			v.Rows[slices.IndexFunc(v.Rows, func(x Row) bool { return x.id() == r.id() })].Scores.CorrectMean = math.NaN()
		}
		if got := v.Detail(at, col); !strings.Contains(got, want) {
			t.Errorf("%s: %q", key, got)
		}
	}
	if got := v.Detail(at, 0); !strings.Contains(got, "EI 0.") || v.Detail(99, 0) != "" {
		t.Errorf("a row is %q", got)
	}
	many := v.Rows[0]
	many.Mean[measure.JS], many.Missing = math.NaN(), result.Reason{Code: measure.NoSoftmax, Text: "more than 100 classes"}
	if got := columnOf("js").reason(many); got != "more than 100 classes" {
		t.Errorf("no JS because of %q", got)
	}
}

func TestSelectionAndChoicesSurvive(t *testing.T) {
	v := viewOf(made(3, 2))
	r, _ := v.At(5)
	v.Select(r.id())
	v.Only("hash s1", "rot90")
	v.OverModels.Score, v.OverModels.Column = measure.ScoreL2, "optimizer"
	v.Take(made(3, 2))
	if got, ok := v.Selected(); !ok || got.id() != r.id() || v.suite != "hash s1" || v.OverModels.Score != measure.ScoreL2 || v.OverModels.Column != "optimizer" {
		t.Errorf("selected %v, suite %q, %+v", got.id(), v.suite, v.OverModels)
	}
	v.Take(made(1, 1))
	if got, ok := v.Selected(); !ok || got.Model.ID != "m0" || v.suite != "" || v.OverModels.Column != "" {
		t.Errorf("selected %v, suite %q, %+v", got.id(), v.suite, v.OverModels)
	}
	v.Take(Data{})
	if _, ok := v.Selected(); ok || v.Len() != 0 || v.Index() != -1 {
		t.Error("something is left of nothing")
	}
}

func TestWhatIsMissing(t *testing.T) {
	d := made(2, 2)
	d.Models = append(d.Models, model.Model{ID: "m9", Hash: "hash m9"}, model.Model{ID: "wide", Hash: "hash wide"}, model.Model{ID: "gray", Hash: "hash gray"})
	d.Models[3].Graph.Input = model.Input{Channels: 3, Height: 8, Width: 9}
	d.Models[4].Graph.Input = model.Input{Channels: 1, Height: 8, Width: 8}
	v := viewOf(d)
	gaps := v.gaps(v.runSuite())
	if len(gaps) != 2 || !slices.Equal(gaps[0].Models, []string{"hash m9", "hash gray"}) || !slices.Equal(gaps[1].Models, []string{"hash m0", "hash m1", "hash m9", "hash wide"}) {
		t.Errorf("gaps %+v", gaps)
	}
	if got := v.gapText(gaps[0]); got != "rot90 for 2 models on s0" {
		t.Errorf("%q", got)
	}
	v.Only("hash s1", "")
	if v.runSuite() != "hash s1" {
		t.Errorf("runs on %s", v.runSuite())
	}
}

func TestVacancies(t *testing.T) {
	full := made(1, 1)
	for want, d := range map[string]Data{
		"no models yet":     {Suites: full.Suites},
		"no test suite yet": {Models: full.Models},
		"needs these":       {Models: full.Models, Suites: full.Suites, Left: []measure.Lack{{IDs: []string{"m0"}, LeftOut: measure.LeftOut{Reason: result.Because("stale", "stale")}}}},
	} {
		got, ok := viewOf(d).vacancy()
		if !ok || !strings.Contains(got.text, want) {
			t.Errorf("%q does not say %q", got.text, want)
		}
	}
	if _, ok := viewOf(full).vacancy(); ok {
		t.Error("a workspace with results is vacant")
	}
	lots := Data{Models: full.Models, Suites: full.Suites, Left: make([]measure.Lack, 9)}
	if got, _ := viewOf(lots).vacancy(); !strings.HasSuffix(got.text, "and 3 more") || len(got.gaps) != 2 {
		t.Errorf("%q, %d gaps", got.text, len(got.gaps))
	}
}

func TestFilesHoldEverything(t *testing.T) {
	v := viewOf(made(2, 2))
	v.Only("", "rot90")
	head, rows := v.Table()
	if len(rows) != 4 || strings.Join(head[:8], ",") != "model_id,model_hash,suite,suite_hash,family,ei,ei_product,consistent" {
		t.Fatalf("%d rows under %v", len(rows), head)
	}
	for _, row := range rows {
		if len(row) != len(head) {
			t.Fatalf("%d cells under %d names", len(row), len(head))
		}
	}
	if at := slices.Index(head, "accuracy"); rows[1][at] != "" || rows[0][at] == "" || rows[0][4] != "rot90" {
		t.Errorf("rows %v", rows)
	}
	head, rows = v.Steps()
	if len(rows) != 12 || len(rows[0]) != len(head) || rows[1][6] != "step 2" || rows[1][7] != "" {
		t.Errorf("%d steps %v", len(rows), rows[0])
	}
}

func TestLeftOutInWords(t *testing.T) {
	d := made(1, 1)
	gray := measure.OneChannel
	left := []measure.LeftOut{{ID: "m7", Suite: "hash s0", Family: rotation, Reason: gray}, {ID: "m8"}}
	for _, id := range []string{"m9", "m10", "m11"} {
		left = append(left, measure.LeftOut{ID: id, Suite: "hash s0", Family: rotation, Reason: gray})
	}
	d.Left = measure.Lacking(left)
	v := viewOf(d)
	for col, want := range []string{"4 models: m7, m9, m10…", "s0", familyName(rotation), "one channel: grayscale changes nothing"} {
		if got := v.LeftCell(0, col); got != want {
			t.Errorf("column %d is %q, want %q", col, got, want)
		}
	}
	if v.LeftCell(1, 1) != "" || v.LeftCell(2, 0) != "" || v.LeftCell(-1, 0) != "" {
		t.Error("there are names for nothing")
	}
	if v.LeftCell(1, 0) != "m8" || len(v.Left) != 2 {
		t.Errorf("%q of %d", v.LeftCell(1, 0), len(v.Left))
	}
}

// TestArrangedAsASlowSort compares the order with the definition: each row before all that follow it, by the column.
func TestArrangedAsASlowSort(t *testing.T) {
	keys := []string{keyModel, keySuite, "ei", "js", "accuracy"}
	rapid.Check(t, func(t *rapid.T) {
		d := made(rapid.IntRange(1, 4).Draw(t, "models"), rapid.IntRange(1, 4).Draw(t, "suites"))
		for k := range d.Rows {
			d.Rows[k].Mean[measure.EI] = rapid.SampledFrom([]float64{0, 0.5, 1, math.NaN()}).Draw(t, "ei")
		}
		v := viewOf(d)
		for range rapid.IntRange(1, 4).Draw(t, "clicks") {
			v.SortBy(rapid.SampledFrom(keys).Draw(t, "key"))
		}
		key, down := v.Order()
		c := columnOf(key)
		for row := 1; row < v.Len(); row++ {
			a, _ := v.At(row - 1)
			b, _ := v.At(row)
			if c.Value == nil {
				continue
			}
			x, y := c.Value(a), c.Value(b)
			if math.IsNaN(x) && !math.IsNaN(y) || !down && x > y || down && x < y {
				t.Fatalf("%v stands before %v by %s, descending %v", x, y, key, down)
			}
		}
	})
}
