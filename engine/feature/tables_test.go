package feature

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// series are features of 8 models: one falls with robust accuracy, one goes up and down, one is
// constant.
func series() (list []Series, robust, accuracy []float64) {
	list = []Series{
		{Key: "max@CONF.svm", Title: "svm"}, {Key: "max@CONF.mean", Title: "mean"}, {Key: "max@CONF.std", Title: "std"},
	}
	for k := range 8 {
		x := float64(k)
		for f, v := range []float64{x / 100, math.Sin(x), 3} {
			list[f].X = append(list[f].X, v)
		}
		robust, accuracy = append(robust, 1-x/100), append(accuracy, 0.5+0.01*float64(k*k%7))
	}
	return list, robust, accuracy
}

func TestCorrelations(t *testing.T) {
	x, robust, accuracy := series()
	list := testdata.Must(Correlate(context.Background(), x, robust, accuracy))(t)
	cell := func(w With, row int, key string) string {
		table := Correlations(w)
		testdata.OK(t, table.Check())
		sheet := table.Sheet(list)
		return sheet.Fields[sheet.Field(key)].Say(row)
	}
	for _, c := range []struct {
		with With
		row  int
		key  string
		want string
	}{
		{WithRobust, 0, "pearson_p", "<0.001"},
		{WithRobust, 0, "n", "8"},
		{WithRobust, 0, "feature", "svm"},
		{WithRobust, 2, "pearson", result.None},
		{WithAccuracy, 2, "spearman_q", result.None},
		{WithAccuracy, 1, "pearson_q", result.P.Say(list[1].Q[2], 0)},
	} {
		testdata.Is(t, fmt.Sprintf("%s of row %d", c.key, c.row), cell(c.with, c.row, c.key), c.want)
	}
	if !strings.HasPrefix(cell(WithRobust, 0, "pearson"), "-1.000") || list[0].By[0].P != 2./40320 {
		t.Errorf("svm: %+v", list[0])
	}
	if list[1].By[2] != stats.Pearson(x[1].X, accuracy) ||
		list[1].By[3] != stats.SpearmanInterval(x[1].X, accuracy, CorrelationSeed) {
		t.Errorf("mean: %+v", list[1].By)
	}
	if !strings.Contains(list[2].Detail(), "Pearson with robust accuracy undefined: the feature is constant") ||
		!math.IsNaN(list[2].Q[0]) {
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
	if q := stats.BenjaminiHochberg(p); list[1].Q[2] != q[6] {
		t.Errorf("q %v, want %v", list[1].Q, q[4:8])
	}
	table := Correlations(WithRobust)
	// the undefined stands last
	if order := table.Sheet(list).Arrange(result.Filter{}, table.First); !slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("order %v", order)
	}
	one := []Series{{Key: "a", X: []float64{1}}}
	if few, err := Correlate(context.Background(), one, []float64{1}, []float64{1}); err != nil ||
		!strings.Contains(few[0].Detail(), "fewer than 3 models") {
		t.Errorf("one model: %v, %v", few, err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	testdata.Refused(t, "it goes on after the end of its context", testdata.Err(Correlate(ended, x, robust, accuracy)))
}

// TestEveryFlagHasWordsAndFeatures: a flag without them would mark nothing.
func TestEveryFlagHasWordsAndFeatures(t *testing.T) {
	for _, flag := range []Flag{
		NoReducedMatrix, NoDiagonalGradient, HGRatioUndefined, VGRatioUndefined,
		DGRatioUndefined, MeanZero, RefcodeUndefined,
	} {
		if flag.because().Text == "" || len(flag.concerned()) == 0 && flag != RefcodeUndefined {
			t.Errorf("%s: %v, %v", flag, flag.because(), flag.concerned())
		}
	}
}

func TestConventionsAreMarked(t *testing.T) {
	layout := Layout{Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: Paper, Tau: 0.15, Share: 0.9, Seed: 1}
	values := make([]float64, layout.Width())
	values[0] = math.NaN()
	table := result.Table[string]{ID: func(id string) string { return id }, Columns: ColumnsOf(layout, "mean@CONV-1",
		func(string) []float64 { return values },
		func(string) map[string][]Flag { return map[string][]Flag{"mean@CONV-1": {HGRatioUndefined, MeanZero}} })}
	sheet, marked := table.Sheet([]string{"m1"}), map[string]string{}
	for k := range sheet.Fields {
		f := &sheet.Fields[k]
		if (f.Show == result.Shown) != (k >= Count) || f.Help == "" {
			t.Errorf("column %s is shown %v, with the help %q", f.Key, f.Show, f.Help)
		}
		if strings.HasSuffix(f.Say(0), "*") {
			marked[f.Title] = f.Tell(0)
		}
	}
	if len(marked) != 3 || !strings.Contains(marked["g_overall"], "horizontal gradient does not vary") ||
		!strings.Contains(marked["asymm"], "all elements") || marked["dctny"] == "" {
		t.Errorf("marked %v", marked)
	}
	testdata.Is(t, "Tell", sheet.Fields[0].Tell(0),
		"max@CONF.svm is missing: undefined in the published code; it counts as 0")
}

func TestScaleFreeColumnsAreOffered(t *testing.T) {
	layout := Layout{Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: Paper}
	m := randomMatrix(9, "rough", rand.New(rand.NewPCG(1, 1)))
	columns := ScaleFreeColumns(layout, "max@CONF", func(string) map[string]variance.Matrix {
		return map[string]variance.Matrix{"max@CONF": m}
	})
	dctny, asymm := ScaleFree(m)
	testdata.Is(t, "columns", len(columns), 4)
	testdata.Is(t, "values", [2]float64{columns[0].Value("m1"), columns[1].Value("m1")}, [2]float64{dctny, asymm})
	testdata.Is(t, "of the shown matrix", columns[0].Title+fmt.Sprint(columns[0].Show == result.Offered),
		"dctny_scale_freetrue")
	testdata.Is(t, "of another matrix", columns[2].Key+
		fmt.Sprint(columns[2].Show == result.FileOnly, math.IsNaN(columns[2].Value("m1"))),
		"mean@CONV-1.dctny_scale_freetrue true")
	layout.Profile = Refcode
	testdata.Is(t, "of the published code",
		len(ScaleFreeColumns(layout, "", func(string) map[string]variance.Matrix { return nil })), 0)
}

func TestMatricesTable(t *testing.T) {
	testdata.OK(t, Matrices.Check())
	var m Measurement
	m.Undefined, m.Flags = []Feature{Asymm}, []Flag{NoReducedMatrix, RefcodeUndefined}
	sheet := Matrices.Sheet([]OfMatrix{{Values: m.Shown(), Flags: m.Flags}})
	for key, want := range map[string]string{
		"model_id": "-", "svm": "0.000", "asymm": "-", "asymm_mean": "-",
		"flags": "no_reduced_matrix refcode_undefined",
	} {
		testdata.Is(t, key, sheet.Fields[sheet.Field(key)].Say(0), want)
	}
}

// TestCorrelationFigure: a cell per feature and matrix holds r, none where it is undefined; Holm is
// never below q, and both rest on the defined tests alone.
func TestCorrelationFigure(t *testing.T) {
	x, robust, accuracy := series()
	x[2].Key = "max@CONV-1.std"
	list := testdata.Must(Correlate(context.Background(), x, robust, accuracy))(t)
	f := CorrelationFigure(list, WithAccuracy, nil)
	testdata.OK(t, f.Check())
	testdata.Is(t, "names", fmt.Sprint(f.Y.Names, f.X.Names), "[svm mean std] [max@CONF max@CONV-1]")
	testdata.Is(t, "r of svm", f.Matrix.Values[0], stats.Pearson(x[0].X, accuracy).Value)
	if v := f.Matrix.Values; !math.IsNaN(v[1]) || !math.IsNaN(v[4]) || !math.IsNaN(v[5]) {
		t.Errorf("%v", v)
	}
	for _, c := range list[:2] {
		for k, by := range c.By {
			if !(c.Holm[k] >= c.Q[k] && c.Q[k] >= by.P && c.Holm[k] <= min(1, 8*by.P)) {
				t.Errorf("%s: p %v, q %v, Holm %v", c.Key, by.P, c.Q[k], c.Holm[k])
			}
		}
	}
	testdata.Is(t, "Holm of a constant", math.IsNaN(list[2].Holm[0]), true)
}

func BenchmarkCorrelations(b *testing.B) {
	x, robust, accuracy := series()
	for len(x) < 80 {
		x = append(x, x...)
	}
	for b.Loop() {
		testdata.Must(Correlate(context.Background(), x, robust, accuracy))(b)
	}
}
