package features

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// made is a set of n models over two matrices: feature f of model k is (k + f) / 100, robust
// accuracy falls with k.
func made(n int) Set {
	layout := feature.Layout{Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: feature.Paper, Tau: 0.15, Share: 0.9, Seed: 1}
	set := Set{Layout: layout, Names: layout.Names(), Classes: label.Values(2), Suite: "shapes", Family: "rotation"}
	for k := range n {
		r := Row{Model: model.Model{ID: fmt.Sprintf("m%d", k), Hash: fmt.Sprintf("hash%d", k)}, Accuracy: 0.9, Robust: 1 - float64(k)/100}
		r.Model.Record = []model.Field{{Name: "optimizer", Value: []string{"Adam", "SGD"}[k%2]}}
		for f := range layout.Width() {
			r.X = append(r.X, float64(k+f)/100)
		}
		r.Shown = slices.Clone(r.X)
		if k > 0 {
			r.Label = label.Values(2)[k%2]
		} else {
			r.NoLabel = result.Because(assess.Unlabelled, "nobody has labelled it")
		}
		set.Rows = append(set.Rows, r)
	}
	return set
}

func viewOf(s Set) *View {
	v := NewView()
	v.Take(s)
	return v
}

// column is all cells of a column.
func column(v *View, key string) (cells []string) {
	at := slices.IndexFunc(v.Columns(), func(c Column) bool { return c.Key == key })
	for row := range v.Len() {
		cells = append(cells, v.Cell(row, v.Columns()[at]))
	}
	return cells
}

func TestColumnsFollowTheMatrix(t *testing.T) {
	v := viewOf(made(3))
	if got := len(v.Columns()); got != 4+32 || v.Columns()[4].Title != "max@CONF.svm" {
		t.Fatalf("%d columns, the first feature is %q", got, v.Columns()[4].Title)
	}
	v.Choose("max@CONF.hg_mean")
	v.SortBy("max@CONF.std")
	v.ShowMatrix("mean@CONV-1")
	c := v.Columns()
	if len(c) != 4+16 || c[4] != (Column{"mean@CONV-1.svm", "svm", 16}) || v.Chosen() != "mean@CONV-1.hg_mean" {
		t.Errorf("%d columns, %+v, chosen %q", len(c), c[5], v.Chosen())
	}
	if key, down := v.Order(); key != "mean@CONV-1.std" || !down {
		t.Errorf("sorted by %q, %v", key, down)
	}
	if axes := v.Axes(); len(axes) != 18 || axes[17] != keyRobust || v.Picture() != "mean@CONV-1" {
		t.Errorf("axes %v, pictures of %q", axes, v.Picture())
	}
	v.ShowMatrix("max@HEAD") // not of the layout
	if v.Matrix() != "" {
		t.Errorf("matrix %q", v.Matrix())
	}
}

func TestSorting(t *testing.T) {
	set := made(12)
	set.Rows[3].Robust = math.NaN()
	v := viewOf(set)
	if got := column(v, keyModel); !slices.Equal(got[8:], []string{"m8", "m9", "m10", "m11"}) {
		t.Errorf("models %v", got)
	}
	v.SortBy(keyRobust)
	if got := column(v, keyModel); got[0] != "m0" || got[11] != "m3" {
		t.Errorf("by robust accuracy %v", got)
	}
	v.SortBy(keyRobust)
	if got := column(v, keyModel); got[0] != "m11" || got[11] != "m3" { // without a value last, too
		t.Errorf("turned round %v", got)
	}
	v.SortBy(keyLabel)
	got := column(v, keyLabel)
	if got[0] != "invariant" || got[5] != "variant" || got[11] != "" {
		t.Errorf("labels %v", got)
	}
	v.SortBy("max@CONF.asymm")
	if got := column(v, keyModel); got[0] != "m11" {
		t.Errorf("by a feature %v", got)
	}
}

func TestFilter(t *testing.T) {
	v := viewOf(made(10))
	for text, want := range map[string][]string{
		"":                 {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"},
		"sgd":              {"m1", "m3", "m5", "m7", "m9"},
		"-sgd robust<0.95": {"m6", "m8"},
		"svm>0.075":        {"m8", "m9"},
		"Variant adam":     {"m2", "m4", "m6", "m8"}, // invariant has the word in it
		"label<3":          nil,                      // no number
		"svm>x":            nil,                      // a word that nobody has
		"nothing":          nil,
		"-":                nil,
	} {
		v.Filter(text)
		if got := column(v, keyModel); !slices.Equal(got, want) {
			t.Errorf("%q leaves %v, want %v", text, got, want)
		}
	}
	v.Filter("sgd")
	if got := v.Caption(); got != "5 of 10 models, 32 features, 1 without a label" {
		t.Errorf("caption %q", got)
	}
}

func TestFilterNeverFails(t *testing.T) {
	v := viewOf(made(5))
	rapid.Check(t, func(t *rapid.T) {
		v.Filter(rapid.String().Draw(t, "filter"))
		if v.Len() > 5 {
			t.Errorf("%d of 5 models", v.Len())
		}
	})
}

func TestConventionsAreMarked(t *testing.T) {
	set := made(2)
	set.Rows[1].Flags = map[string][]feature.Flag{"mean@CONV-1": {feature.HGRatioUndefined, feature.MeanZero}}
	v := viewOf(set)
	v.ShowMatrix("mean@CONV-1")
	marked := map[string]string{}
	for k, c := range v.Columns() {
		if text := v.Cell(1, c); strings.HasSuffix(text, "*") {
			marked[c.Title] = v.Detail(1, &v.Columns()[k])
		}
	}
	if len(marked) != 3 || !strings.Contains(marked["g_overall"], "horizontal gradient does not vary") || !strings.Contains(marked["asymm"], "all elements") || marked["dctny"] == "" {
		t.Errorf("marked %v", marked)
	}
	if got := v.Detail(0, &v.Columns()[4]); got != "m0: mean@CONV-1.svm 0.160" {
		t.Errorf("detail %q", got)
	}
	if got := v.Detail(0, nil); got != "m0: unlabelled, accuracy 0.900, robust accuracy 1.00; nobody has labelled it" {
		t.Errorf("detail %q", got)
	}
	if v.Detail(7, nil) != "" || v.Cell(7, v.Columns()[0]) != "" {
		t.Error("a row that is not there has texts")
	}
	set.Rows[0].Shown[0] = math.NaN()
	v.Take(set)
	v.ShowMatrix("max@CONF")
	if got := v.Cell(0, v.Columns()[4]); got != "-*" {
		t.Errorf("undefined in the published code: %q", got)
	}
}

// TestEveryFlagHasWordsAndFeatures: a flag of the engine that the screen does not know would mark
// nothing.
func TestEveryFlagHasWordsAndFeatures(t *testing.T) {
	for _, flag := range []feature.Flag{
		feature.NoReducedMatrix, feature.NoDiagonalGradient, feature.HGRatioUndefined, feature.VGRatioUndefined, feature.DGRatioUndefined, feature.MeanZero,
	} {
		if flagText(flag) == string(flag) || len(concerned(flag)) == 0 {
			t.Errorf("%s: %q, %v", flag, flagText(flag), concerned(flag))
		}
	}
}

func TestHistogramCountsEveryModelOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "models")
		set := made(n)
		for k := range set.Rows {
			set.Rows[k].Shown[0] = rapid.Float64Range(-1e3, 1e3).Draw(t, "value")
		}
		v := viewOf(set)
		d := v.Histogram()
		sum := 0
		for g, row := range d.Counts {
			for b, count := range row {
				sum += count
				inside, rim := 0, 1e-9*(d.High-d.Low) // at an edge, rounding decides
				for _, r := range set.Rows {
					if x := r.Shown[0]; v.groupOf(r) == g && x > d.Edge(b)+rim && x < d.Edge(b+1)-rim {
						inside++
					}
				}
				if inside > count {
					t.Errorf("bin %d of group %d has %d of at least %d", b, g, count, inside)
				}
			}
		}
		if sum != n || len(d.Counts) != 3 || len(d.Counts[0]) > 2*mostBins {
			t.Errorf("%d of %d models in %d groups of %d bins", sum, n, len(d.Counts), len(d.Counts[0]))
		}
	})
}

func TestHistogramOfNothingAndOfOneValue(t *testing.T) {
	set := made(3)
	v := viewOf(set)
	v.Choose(keyAccuracy) // all the same
	if d := v.Histogram(); d.Low >= 0.9 || d.High <= 0.9 || !strings.Contains(d.Title, "accuracy") || d.MarkedName != "m0" {
		t.Errorf("%+v", d)
	}
	for k := range set.Rows {
		set.Rows[k].Accuracy = math.NaN()
	}
	v.Take(set)
	if d := v.Histogram(); d.Counts != nil || d.Empty != "no model has a value of accuracy" {
		t.Errorf("%+v", d)
	}
}

func TestScatterHasARowPerPoint(t *testing.T) {
	v := viewOf(made(6))
	v.Filter("sgd")
	v.SortBy("max@CONF.svm")
	v.Choose("max@CONF.mean")
	v.Against("mean@CONV-1.svm")
	d := v.Scatter()
	if len(d.Points) != 3 || d.Points[0].Name != "m5" || d.Points[0].X != 0.06 || d.Points[0].Y != 0.21 || d.Points[0].Group != 1 {
		t.Errorf("points %+v", d.Points)
	}
	if len(d.Groups) != 3 || d.Groups[2].Name != "unlabelled" || d.XName != "max@CONF.mean" {
		t.Errorf("groups %+v over %s", d.Groups, d.XName)
	}
	v.Choose("no such feature")
	v.Against("")
	if v.Chosen() != "max@CONF.mean" || v.Facing() != "mean@CONV-1.svm" {
		t.Errorf("chosen %s, %s", v.Chosen(), v.Facing())
	}
}

func TestAlikes(t *testing.T) {
	v := viewOf(made(9))
	v.Select("hash4")
	list := v.Alikes()
	var ids []string
	for _, a := range list {
		ids = append(ids, a.Model.ID)
	}
	if want := []string{"m4", "m3", "m5", "m2", "m6", "m1"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	if list[0].Title() != "m4" || !strings.HasPrefix(list[1].Title(), "m3  0.") || list[1].Distance != list[2].Distance {
		t.Errorf("titles %q, %q", list[0].Title(), list[1].Title())
	}
	if got := v.alikeText(list, "max@CONF"); !strings.HasPrefix(got, "m4 and the models nearest to it by 32 features: matrices max@CONF") {
		t.Errorf("text %q", got)
	}
	v.Select("")
	if v.Alikes() != nil || !strings.HasPrefix(v.alikeText(nil, ""), "Select a model") {
		t.Error("nobody looks like no model")
	}
	alone := viewOf(made(1))
	if list := alone.Alikes(); len(list) != 1 || !strings.Contains(alone.alikeText(list, ""), "the only model") {
		t.Errorf("one model: %+v", list)
	}
}

func TestTakeKeepsWhatIsStillThere(t *testing.T) {
	v := viewOf(made(5))
	v.Select("hash3")
	v.ShowMatrix("mean@CONV-1")
	v.Choose("mean@CONV-1.asv")
	v.SortBy("mean@CONV-1.asv")
	v.Take(made(4))
	r, _ := v.Selected()
	if key, _ := v.Order(); r.Model.ID != "m3" || v.Chosen() != "mean@CONV-1.asv" || key != "mean@CONV-1.asv" {
		t.Errorf("selected %s, chosen %s, sorted by %s", r.Model.ID, v.Chosen(), key)
	}
	one := made(2)
	one.Layout.Modalities = one.Layout.Modalities[:1]
	one.Names = one.Layout.Names()
	v.Take(one)
	r, _ = v.Selected()
	if key, _ := v.Order(); r.Model.ID != "m0" || v.Matrix() != "" || v.Chosen() != "max@CONF.svm" || key != keyModel {
		t.Errorf("selected %s, matrix %q, chosen %s, sorted by %s", r.Model.ID, v.Matrix(), v.Chosen(), key)
	}
	v.Take(Set{})
	if _, ok := v.Selected(); ok || v.Len() != 0 || v.Alikes() != nil || v.Picture() != "" {
		t.Error("an empty set has a selection")
	}
	v.numbers().correlations()
	v.Scatter()
	v.Histogram()
}

func TestCorrelations(t *testing.T) {
	set := made(8)
	for k := range set.Rows {
		set.Rows[k].Accuracy = 0.5 + 0.01*float64(k*k%7)
		set.Rows[k].Shown[1] = math.Sin(float64(k))
		set.Rows[k].Shown[2] = 3
	}
	v := viewOf(set)
	v.ShowMatrix("max@CONF")
	list := v.numbers().correlations()
	robust, accuracy := correlationTable(WithRobust), correlationTable(WithAccuracy)
	if err := cmp.Or(robust.Check(), accuracy.Check()); err != nil {
		t.Fatal(err)
	}
	cell := func(table result.Table[Correlation], row int, key string) string {
		sheet := table.Sheet(list)
		return sheet.Fields[sheet.Field(key)].Say(row)
	}
	if len(list) != 16 || list[0].By[0].Value != -1 || cell(robust, 0, "pearson") != "-1.000" ||
		cell(robust, 0, "pearson_p") != "<0.001" || cell(robust, 0, "n") != "8" ||
		list[0].By[0].P != 2./40320 {
		t.Errorf("svm: %+v", list[0])
	}
	x, y := make([]float64, 8), make([]float64, 8)
	for k, r := range set.Rows {
		x[k], y[k] = r.Shown[1], r.Accuracy
	}
	if list[1].By[2] != stats.Pearson(x, y) || list[1].By[3] != stats.SpearmanInterval(x, y, correlationSeed) {
		t.Errorf("mean: %+v", list[1].By)
	}
	if cell(robust, 2, "pearson") != "-" || cell(accuracy, 2, "spearman_q") != "-" ||
		!strings.HasSuffix(cell(accuracy, 1, "spearman"),
			"("+strings.ReplaceAll(present.Ends(list[1].By[3]), " ", "")+")") ||
		!strings.Contains(list[2].Detail(), "Pearson with robust accuracy undefined: the feature is constant") {
		t.Errorf("a constant feature: %q", list[2].Detail())
	}
	var p []float64 // of all tests of the table, in its order
	for _, c := range list {
		for _, by := range c.By {
			if p = append(p, by.P); !by.Defined() {
				p[len(p)-1] = math.NaN()
			}
		}
	}
	if q := stats.BenjaminiHochberg(p); list[1].Q[2] != q[6] || cell(accuracy, 1, "pearson_q") != present.PValue(q[6]) ||
		!math.IsNaN(list[2].Q[0]) {
		t.Errorf("q %v, want %v", list[1].Q, q[4:8])
	}
	order := robust.Sheet(list).Arrange(result.Filter{}, robust.First)
	if list[order[15]].Title != "std" || list[order[14]].Title != "mean" { // the undefined stands last
		t.Errorf("the weakest are %s and %s", list[order[14]].Title, list[order[15]].Title)
	}
	v.Filter("m1")
	if few := v.numbers().correlations()[0]; few.By[0].Defined() || !strings.Contains(few.Detail(), "fewer than 3 models") {
		t.Errorf("one model: %+v", few.By[0])
	}
}

// One failed model turns a correlation round: it is crossed out, and the plot says what the others
// have.
func TestScatterWithoutAModelAtChance(t *testing.T) {
	set := made(9)
	for k := range set.Rows {
		set.Rows[k].Shown[0], set.Rows[k].Robust = float64(k), 0.9-0.01*float64(k)
	}
	set.Rows[3].Shown[0], set.Rows[3].Robust = 0, 0
	v := viewOf(set)
	v.Choose("max@CONF.svm")
	if lines := v.Relation(); len(lines) != 1 || !strings.Contains(lines[0], "n 9") {
		t.Errorf("%q", lines)
	}
	set.Rows[3].Chance = chance.Counts{Labelled: 400, Correct: 41, Classes: 10, Largest: 40, Top: 400, TopLabels: 40}.Level()
	v.Take(set)
	lines := v.Relation()
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "without m3 (accuracy not above chance): Pearson r -1.000") || !strings.Contains(lines[1], "n 8") {
		t.Errorf("%q", lines)
	}
	d := v.Scatter()
	for k, p := range d.Points {
		if p.Crossed != (p.Name == "m3") {
			t.Errorf("point %d: %+v", k, p)
		}
	}
	if !strings.Contains(d.Note, lines[1]) || d.Crossed == "" {
		t.Errorf("%q", d.Note)
	}
	if row := v.Index("hash3"); v.Cell(row, v.Columns()[3]) != "not above chance" || !strings.Contains(v.Detail(row, nil), "accuracy 10.3 % of 400 images is not above chance (10 %)") {
		t.Errorf("%q, %q", v.Cell(row, v.Columns()[3]), v.Detail(row, nil))
	}
}

func TestVacancies(t *testing.T) {
	left := []training.LeftOut{}
	for k := range 9 {
		left = append(left, training.LeftOut{ID: fmt.Sprint("m", k), Reason: result.Because(signal.Absent, "max@CONV-2: no second convolution")})
	}
	ready := answer{models: 9}
	ready.current.Suite, ready.current.Family = "s", "f"
	absent, some := ready, ready
	absent.set.Left = left
	some.set = made(1)
	noFamily := ready
	noFamily.current.Family = ""
	for name, c := range map[string]struct {
		a    answer
		text string
		want vacancy
	}{
		"no models": {answer{}, "no models yet", vacancy{imports: true}},
		"no suite":  {answer{models: 1}, "Choose a test suite", vacancy{imports: true}},
		"no family": {noFamily, "Choose a family", vacancy{}},
		"absent":    {absent, "m5: max@CONV-2: no second convolution\nand 3 more", vacancy{runs: true, picks: true}},
	} {
		v, ok := c.a.vacancy()
		text := v.text
		if v.text = ""; !ok || v != c.want || !strings.Contains(text, c.text) {
			t.Errorf("%s: %q %+v", name, text, v)
		}
	}
	if _, ok := some.vacancy(); ok {
		t.Error("a set with a model is empty")
	}
}

func TestTableOfTheRowsShown(t *testing.T) {
	v := viewOf(made(4))
	table := v.Table([]int{1, 3})
	if len(table.Rows) != 2 || table.Rows[1].ModelID != "m3" || table.Rows[1].Final != label.Variant || len(table.Names) != 32 || table.Layout.Seed != 1 {
		t.Errorf("%+v", table)
	}
}

func TestReasonsNameEveryModelOnce(t *testing.T) {
	set := made(1)
	set.Left = []training.LeftOut{{ID: "m8", Hash: "h8", Reason: result.Because(signal.NoSignals, "no signals")}}
	set.Unlabelled = []training.LeftOut{
		{ID: "m8", Hash: "h8", Reason: result.Because(assess.WithoutFeatures, "labelled in round first, but without features here")}, {ID: "m0", Hash: "hash0", Reason: result.Because(assess.Unlabelled, "nobody has labelled it")},
	}
	if got := viewOf(set).Reasons(); !slices.Equal(got,
		[]evidence.LeftOut{
			{ID: "m8", Hash: "h8", Why: "no features: no signals"},
			{ID: "m0", Hash: "hash0", Why: "no label: nobody has labelled it"},
		}) {
		t.Errorf("%v", got)
	}
}

func BenchmarkCorrelations(b *testing.B) {
	v := viewOf(made(600))
	for b.Loop() {
		v.numbers().correlations()
	}
}
