package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// tolerances are the largest differences that the golden file allows.
type tolerances struct {
	Abs    float64 `json:"abs"`
	Linear float64 `json:"linear_abs"`
	Boost  float64 `json:"adaboost_abs"`
	SHAP   float64 `json:"shap_abs"`
}

// TestGoldenAssessors has also equal rows with different labels, constant columns, XOR, huge and
// tiny numbers, boosting that stops early, repeated columns on a path and an identity at either
// end, computed without rounding or with 60 digits (testdata/exact.json).
func TestGoldenAssessors(t *testing.T) {
	tests := map[string]func(*testing.T, testdata.Case, tolerances){
		"linear": goldenLinear, "robust": goldenRobust, "protocol": goldenProtocol,
		"cart": goldenCART, "adaboost": goldenBoost, "forest": goldenForest, "treeshap": goldenSHAP,
	}
	for _, data := range [][]byte{
		testdata.Golden(t, "assessors"),
		testdata.Must(os.ReadFile("testdata/exact.json"))(t),
	} {
		var tolerance tolerances
		testdata.Cases(t, data, &tolerance, func(t *testing.T, c testdata.Case) {
			test, ok := tests[c.Kind]
			if !ok {
				t.Fatalf("kind %q is not known", c.Kind)
			}
			test(t, c, tolerance)
		})
	}
}

// goldenData are rows of features with classes 0 and 1.
func goldenData(x [][]float64, y []int) Data {
	d := Data{Classes: label.Values(2)}
	for c := range x[0] {
		d.Names = append(d.Names, fmt.Sprintf("f%d", c))
	}
	for s := range x {
		d.Rows = append(d.Rows, Row{ID: fmt.Sprint(s), X: x[s]})
		if s < len(y) {
			d.Rows[s].Label = d.Classes[y[s]]
		}
	}
	return d
}

// linearCase is a regression.
type linearCase struct {
	Input struct {
		Kind string
		X    [][]float64
		Y    []int
		Test [][]float64 `json:"x_test"`
	}
	Expected struct {
		Coefficients []float64
		Intercept    float64
		RawTrain     []float64 `json:"raw_train"`
		RawTest      []float64 `json:"raw_test"`
		PredictTrain []int     `json:"predict_train"`
		PredictTest  []int     `json:"predict_test"`
		Accuracy     float64   `json:"train_accuracy"`
	}
}

func goldenLinear(t *testing.T, raw testdata.Case, tol tolerances) {
	var c linearCase
	raw.Read(t, &c.Input, &c.Expected)
	d := goldenData(c.Input.X, c.Input.Y)
	a := testdata.Must(Train(context.Background(), d, d.Labelled(), Settings{Algorithm: Regression}))(t)
	want := c.Expected
	testdata.NearAll(t, "coefficients", a.Linear.Coefficients, want.Coefficients, tol.Linear)
	testdata.Near(t, "intercept", a.Linear.Intercept, want.Intercept, tol.Linear)
	judge := func(what string, rows []Row, values []float64, classes []int) (accuracy float64) {
		verdicts := judged(t, a, rows)
		for k, v := range verdicts {
			testdata.Near(t, fmt.Sprintf("%s row %d", what, k), v.Score, values[k], tol.Linear)
			testdata.Is(t, fmt.Sprintf("%s row %d is of class", what, k), v.Class, classes[k])
		}
		return share(rightOf(verdicts, c.Input.Y), len(rows))
	}
	accuracy := judge("training", d.Rows, want.RawTrain, want.PredictTrain)
	testdata.Near(t, "training accuracy", accuracy, want.Accuracy, tol.Abs)
	judge("test", goldenData(c.Input.Test, c.Input.Y).Rows, want.RawTest, want.PredictTest)
}

// goldenNumber is a number, or the text "-inf" or "+inf".
type goldenNumber float64

func (n *goldenNumber) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"-inf"`:
		*n = goldenNumber(math.Inf(-1))
		return nil
	case `"+inf"`:
		*n = goldenNumber(math.Inf(1))
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// robustCase is Eq. 1 of several models, and the thresholds that follow.
type robustCase struct {
	Input struct {
		Kind        string
		Truth       []int
		Identity    int
		Predictions [][][]int32
		Y           []int
		Note        string
	}
	Expected struct {
		Phi    map[Score][]float64
		Greedy map[Score]struct {
			Threshold goldenNumber
			Correct   int
			Accuracy  float64
		}
	}
}

func goldenRobust(t *testing.T, raw testdata.Case, tol tolerances) {
	var c robustCase
	raw.Read(t, &c.Input, &c.Expected)
	x := make([][]float64, len(c.Input.Y))
	for s := range x {
		x[s] = []float64{0}
	}
	d := goldenData(x, c.Input.Y)
	for s, p := range c.Input.Predictions {
		d.Rows[s].Scores = Robust(p, c.Input.Truth, nil, c.Input.Identity, testdata.UpTo(len(c.Input.Truth)))
	}
	for score, want := range c.Expected.Phi {
		for s, value := range want {
			testdata.Near(t, fmt.Sprintf("%s of model %d", score, s), score.Of(d.Rows[s].Scores), value, tol.Abs)
		}
	}
	goldenGreedy(t, d, c, tol)
}

func goldenGreedy(t *testing.T, d Data, c robustCase, tol tolerances) {
	t.Helper()
	for score, want := range c.Expected.Greedy {
		a, err := Train(context.Background(), d, d.Labelled(), Settings{Algorithm: Baseline, Score: score})
		if err != nil {
			t.Fatal(err)
		}
		got := a.Threshold.Thresholds[0]
		if got != float64(want.Threshold) {
			testdata.Near(t, string(score)+" threshold", got, float64(want.Threshold), tol.Abs)
		}
		correct := rightOf(judged(t, a, d.Rows), c.Input.Y)
		testdata.Is(t, fmt.Sprint(score), correct, want.Correct)
		testdata.Near(t, string(score)+" accuracy", share(correct, len(d.Rows)), want.Accuracy, tol.Abs)
	}
}

func goldenProtocol(t *testing.T, raw testdata.Case, tol tolerances) {
	var c struct {
		Input struct {
			Kind     string
			Accuracy [][]float64 `json:"fold_accuracy"`
		}
		Expected struct {
			Repetitions []float64 `json:"repetition_mean"`
			Accuracy    float64
			PlusMinus   float64 `json:"plus_minus"`
			SD          float64
		}
	}
	raw.Read(t, &c.Input, &c.Expected)
	repetitions, mean, largest, sd := spread(c.Input.Accuracy)
	testdata.NearAll(t, "repetition", repetitions, c.Expected.Repetitions, tol.Abs)
	testdata.Near(t, "accuracy", mean, c.Expected.Accuracy, tol.Abs)
	testdata.Near(t, "largest deviation", largest, c.Expected.PlusMinus, tol.Abs)
	testdata.Near(t, "standard deviation", sd, c.Expected.SD, tol.Abs)
}
