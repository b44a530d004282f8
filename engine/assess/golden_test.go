package assess

import (
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

func goldenLinear(t *testing.T, raw testdata.Case, tol tolerances) {
	var input struct {
		Kind string
		X    [][]float64
		Y    []int
		Test [][]float64 `json:"x_test"`
	}
	var want struct {
		Coefficients []float64
		Intercept    float64
		RawTrain     []float64 `json:"raw_train"`
		RawTest      []float64 `json:"raw_test"`
		PredictTrain []int     `json:"predict_train"`
		PredictTest  []int     `json:"predict_test"`
		Accuracy     float64   `json:"train_accuracy"`
	}
	raw.Read(t, &input, &want)
	d := goldenData(input.X, input.Y)
	a := trained(t, d, Settings{Algorithm: Regression})
	testdata.NearAll(t, "coefficients", a.Linear.Coefficients, want.Coefficients, tol.Linear)
	testdata.Near(t, "intercept", a.Linear.Intercept, want.Intercept, tol.Linear)
	judge := func(what string, rows []Row, values []float64, classes []int) (accuracy float64) {
		verdicts := judged(t, a, rows)
		for k, v := range verdicts {
			testdata.Near(t, fmt.Sprintf("%s row %d", what, k), v.Score, values[k], tol.Linear)
			testdata.Is(t, fmt.Sprintf("%s row %d is of class", what, k), v.Class, classes[k])
		}
		return share(rightOf(verdicts, input.Y), len(rows))
	}
	accuracy := judge("training", d.Rows, want.RawTrain, want.PredictTrain)
	testdata.Near(t, "training accuracy", accuracy, want.Accuracy, tol.Abs)
	judge("test", goldenData(input.Test, input.Y).Rows, want.RawTest, want.PredictTest)
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

// goldenRobust is Eq. 1 of several models, and the thresholds that follow.
func goldenRobust(t *testing.T, raw testdata.Case, tol tolerances) {
	var input struct {
		Kind, Note  string
		Truth, Y    []int
		Identity    int
		Predictions [][][]int32
	}
	var want struct {
		Phi    map[Score][]float64
		Greedy map[Score]struct {
			Threshold goldenNumber
			Correct   int
			Accuracy  float64
		}
	}
	raw.Read(t, &input, &want)
	d := goldenData(make([][]float64, len(input.Y)), input.Y)
	for s, p := range input.Predictions {
		d.Rows[s].Scores = Robust(p, input.Truth, nil, input.Identity, testdata.UpTo(len(input.Truth)))
	}
	for score, values := range want.Phi {
		for s, value := range values {
			testdata.Near(t, fmt.Sprintf("%s of model %d", score, s), score.Of(d.Rows[s].Scores), value, tol.Abs)
		}
	}
	for score, want := range want.Greedy {
		a := trained(t, d, Settings{Algorithm: Baseline, Score: score})
		testdata.Near(t, string(score)+" threshold", a.Threshold.Thresholds[0], float64(want.Threshold), tol.Abs)
		correct := rightOf(judged(t, a, d.Rows), input.Y)
		testdata.Is(t, fmt.Sprint(score), correct, want.Correct)
		testdata.Near(t, string(score)+" accuracy", share(correct, len(d.Rows)), want.Accuracy, tol.Abs)
	}
}

func goldenProtocol(t *testing.T, raw testdata.Case, tol tolerances) {
	var input struct {
		Kind     string
		Accuracy [][]float64 `json:"fold_accuracy"`
	}
	var want struct {
		Repetitions  []float64 `json:"repetition_mean"`
		Accuracy, SD float64
		PlusMinus    float64 `json:"plus_minus"`
	}
	raw.Read(t, &input, &want)
	repetitions, mean, largest, sd := spread(input.Accuracy)
	testdata.NearAll(t, "repetition", repetitions, want.Repetitions, tol.Abs)
	testdata.Near(t, "accuracy", mean, want.Accuracy, tol.Abs)
	testdata.Near(t, "largest deviation", largest, want.PlusMinus, tol.Abs)
	testdata.Near(t, "standard deviation", sd, want.SD, tol.Abs)
}
