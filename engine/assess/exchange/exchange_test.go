package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

func madeUp(models, classes int) assess.Data {
	d := assess.Data{Names: []string{"a", "b", "c", "d"}, Classes: label.Values(classes)}
	random := rand.New(rand.NewPCG(4, 4))
	for i := range models {
		class := i % classes
		x := []float64{random.Float64() + 0.5*float64(class), random.Float64(), random.NormFloat64(), random.Float64()}
		d.Rows = append(d.Rows, assess.Row{
			ID: fmt.Sprint(i), X: x, Label: d.Classes[class], Scores: assess.Scores{CorrectProduct: random.Float64()},
		})
	}
	return d
}

func train(t *testing.T, d assess.Data, s assess.Settings) *assess.Assessor {
	t.Helper()
	return testdata.Must(assess.Train(t.Context(), d, d.Labelled(), s))(t)
}

func fileOf(a *assess.Assessor) saved.File {
	return saved.File{
		Name: "first", Family: "rotation:-15:15:1;interpolation=bilinear;border=zero", Images: "all",
		Assessor: a, Versions: map[string]string{"variscope": "1.2.3"},
	}
}

// everySetting are all algorithms that can be exported, with forests and trees whose leaves are not
// pure.
func everySetting() []assess.Settings {
	return append(treeSettings(), assess.Settings{Algorithm: assess.Regression},
		assess.Settings{Algorithm: assess.Regression, ZScores: true})
}

func treeSettings() []assess.Settings {
	return []assess.Settings{
		{Algorithm: assess.DecisionTree},
		{Algorithm: assess.DecisionTree, MinLeaf: 45},
		{Algorithm: assess.RandomForest, Trees: 8, MinLeaf: 3},
		{Algorithm: assess.AdaBoost, Rounds: 12},
		{Algorithm: assess.AdaBoost, Rounds: 12, Boosting: tree.SAMME},
	}
}

// verdictOf is the class that TreeEnsembleClassifier names: by the sign of the second sum of two,
// else the first largest.
func verdictOf(sums []float64) int {
	if len(sums) == 2 {
		if sums[1] > 0 {
			return 1
		}
		return 0
	}
	best := 0
	for k, v := range sums {
		if v > sums[best] {
			best = k
		}
	}
	return best
}

// The ensemble in the file, walked node by node, gives the assessor's verdicts.
func TestExportTrees(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := madeUp(45, classes)
		for _, s := range treeSettings() {
			a := train(t, d, s)
			model := testdata.Must(Export(fileOf(a)))(t)
			ensemble := operators(t, model)[0]
			if ensemble.op != "TreeEnsembleClassifier" || ensemble.domain != "ai.onnx.ml" {
				t.Fatalf("the first operator is %s of %s", ensemble.op, ensemble.domain)
			}
			for _, row := range d.Rows {
				want := testdata.Must(a.Judge(row))(t)
				sums := ensemble.sums(row.X)
				testdata.Is(t, fmt.Sprintf("%d classes, %+v, row %s: class", classes, s, row.ID),
					verdictOf(sums), want.Class)
				if a.Boost != nil && sums[classes-1] != want.Score {
					t.Errorf("%d classes, %+v, row %s: decision %v, not %v",
						classes, s, row.ID, sums[classes-1], want.Score)
				}
			}
		}
	}
}

func TestExportLinear(t *testing.T) {
	for _, z := range []bool{false, true} {
		a := train(t, madeUp(30, 3), assess.Settings{Algorithm: assess.Regression, ZScores: z})
		model := testdata.Must(Export(fileOf(a)))(t)
		var ops []string
		for _, o := range operators(t, model) {
			ops = append(ops, o.op)
			if o.op != "LinearRegressor" {
				continue
			}
			for f, c := range a.Linear.Coefficients {
				if o.floats["coefficients"][f] != float32(c) {
					t.Errorf("coefficient %d is %v, not %v", f, o.floats["coefficients"][f], c)
				}
			}
			if o.floats["intercepts"][0] != float32(a.Linear.Intercept) || o.ints["targets"][0] != 1 {
				t.Errorf("intercept %v, targets %v", o.floats["intercepts"], o.ints["targets"])
			}
		}
		want := "ReduceSumSquare Sqrt Equal Cast Add Div"
		if z {
			want = "Sub Div"
		}
		testdata.Is(t, fmt.Sprintf("z-scores %v", z),
			strings.Join(ops, " "), want+" Cast LinearRegressor GreaterOrEqual Cast ReduceSum")
	}
}

func TestMetadata(t *testing.T) {
	f := fileOf(train(t, madeUp(20, 2), assess.Settings{Algorithm: assess.DecisionTree}))
	model := testdata.Must(Export(f))(t)
	again, err := Export(f)
	if err != nil || !bytes.Equal(model, again) {
		t.Errorf("another export gives other bytes, %v", err)
	}
	hash := testdata.Must(f.Hash())(t)
	m := fields(t, model)
	got := map[string]string{}
	for _, entry := range m[14] {
		e := fields(t, entry)
		got[text(e[1])] = text(e[2])
	}
	for key, want := range map[string]string{
		"name": "first", "algorithm": "tree", "family": f.Family, "images": "all", "features": `["a","b","c","d"]`,
		"classes": `["invariant","variant"]`, "assessor_sha256": hash,
	} {
		testdata.Is(t, key, got[key], want)
	}
	if text(m[2]) != "variscope" || text(m[3]) != "1.2.3" || number(t, m[1][0]) != irVersion {
		t.Errorf("producer %s %s", m[2], m[3])
	}
	opsets := map[string]int64{}
	for _, o := range m[8] {
		f := fields(t, o)
		opsets[text(f[1])] = number(t, f[2][0])
	}
	if opsets[""] != 17 || opsets["ai.onnx.ml"] != 3 {
		t.Errorf("opsets %v", opsets)
	}
}

func TestExportRefuses(t *testing.T) {
	f := fileOf(train(t, madeUp(20, 2), assess.Settings{Algorithm: assess.Baseline}))
	testdata.Refused(t, "baseline", testdata.Err(Export(f)), "first is the baseline", "choose another algorithm")
	f.Assessor = nil
	testdata.Refused(t, "nothing", testdata.Err(Export(f)), "assessor first is empty and cannot be exported")
}

// answers is a Runner with given answers.
type answers struct {
	labels []int64
	scores [][]float32
	err    error
}

func (r answers) Judge(context.Context, string, []byte, [][]float64) ([]int64, [][]float32, error) {
	return r.labels, r.scores, r.err
}

// right are the answers that an assessor gives itself.
func right(t *testing.T, a *assess.Assessor, x [][]float64) answers {
	t.Helper()
	var r answers
	for _, row := range x {
		v := testdata.Must(a.Judge(assess.Row{X: row}))(t)
		var scores []float32
		for _, s := range scoresOf(a, v) {
			scores = append(scores, float32(s))
		}
		r.labels, r.scores = append(r.labels, int64(v.Class)), append(r.scores, scores)
	}
	return r
}

func TestCheck(t *testing.T) {
	d := madeUp(20, 2)
	a := train(t, d, assess.Settings{Algorithm: assess.DecisionTree})
	x := [][]float64{d.Rows[0].X, d.Rows[1].X}
	testdata.Is(t, "report",
		testdata.Must(Check(t.Context(), right(t, a, x), "a.onnx", a, nil, x))(t), (Report{Rows: 2}))
	failed := errors.New("no library")
	for want, spoil := range map[string]func(*answers){
		"no library": func(r *answers) { r.err = failed },
		"gives 1 labels and 2 rows of scores for 2 rows":      func(r *answers) { r.labels = r.labels[:1] },
		"row 2: it has 1 scores and not 2":                    func(r *answers) { r.scores[1] = r.scores[0][:1] },
		"row 2: its verdict is class 0 and the assessor's 1":  func(r *answers) { r.labels[1] = 0 },
		"a.onnx, row 1: score 1 is 0.25 and the assessor's 0": func(r *answers) { r.scores[0][1] = 0.25 },
		"a.onnx, row 1: score 1 is NaN and the assessor's 0": func(r *answers) {
			r.scores[0][1] = float32(math.NaN())
		},
	} {
		r := right(t, a, x)
		spoil(&r)
		testdata.Refused(t, want, testdata.Err(Check(t.Context(), r, "a.onnx", a, nil, x)), want)
	}
	testdata.Refused(t, "rows of another width",
		testdata.Err(Check(t.Context(), right(t, a, x), "a.onnx", a, nil, [][]float64{{1}, {2}})))
	testdata.Is(t, "no rows", testdata.Must(Check(t.Context(), nil, "a.onnx", a, nil, nil))(t).Rows, 0)
}

// A regression's float32 value may decide otherwise only where it lies on a threshold.
func TestCheckNearThreshold(t *testing.T) {
	a := &assess.Assessor{
		Settings: assess.Settings{Algorithm: assess.Regression}, Names: []string{"a", "b"}, Classes: label.Values(2),
		Linear: &assess.Linear{
			Coefficients: []float64{1, 0}, Intercept: 0, ZScores: true, Mean: []float64{0, 0}, Std: []float64{1, 1},
			Centre: []float64{0, 0},
		},
	}
	x := [][]float64{{0.5 - 1e-7, 1}, {0.5 - 1e-3, 1}, {0.9, 1}}
	r := right(t, a, x)
	r.labels[0] = 1
	report, err := Check(t.Context(), r, "a.onnx", a, nil, x)
	if err != nil || report.Near != 1 || report.Moved != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	r.labels[1] = 1
	testdata.Refused(t, "a verdict far from the threshold was moved",
		testdata.Err(Check(t.Context(), r, "a.onnx", a, nil, x)))
}

func BenchmarkExport(b *testing.B) {
	d := madeUp(150, 2)
	a := testdata.Must(assess.Train(b.Context(), d, d.Labelled(), assess.Settings{Algorithm: assess.RandomForest}))(b)
	f := fileOf(a)
	for b.Loop() {
		testdata.Must(Export(f))(b)
	}
}
