package rank

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/internal/testdata"
)

// threeByFour are three models on four samples of three classes; the third sample's truth is not
// known.
func threeByFour() Data {
	return Data{
		Models:  []Model{{ID: "a", Hash: "1"}, {ID: "b"}, {ID: "c", Hash: "3"}},
		Samples: 4,
		Classes: 3,
		Labels: []int32{
			0, 0, 1,
			1, 1, 1,
			2, 0, 2,
			2, 1, 0,
		},
		Truth:      []int32{0, 1, -1, 0},
		Confidence: []float64{0.9, 0.8, math.NaN()},
		Given:      []Given{{Method: EI, Scores: []float64{3, 2, 1}, Note: "rot90"}},
	}
}

func TestCheck(t *testing.T) {
	testdata.OK(t, threeByFour().Check())
	for want, change := range map[string]func(*Data){
		"at least 3 models, there are 2":           func(d *Data) { d.Models = d.Models[:2] },
		"at least 3 models, there are 0":           func(d *Data) { d.Models = nil },
		"at least 2 classes, there are 1":          func(d *Data) { d.Classes = 1 },
		"2097152 classes are too many for ranking": func(d *Data) { d.Classes = 1 << 21 },
		"at least one image":                       func(d *Data) { d.Samples, d.Labels = 0, nil },
		"ranking needs at least one image":         func(d *Data) { d.Samples = -1 },
		"11 predictions are not one for each":      func(d *Data) { d.Labels = d.Labels[1:] },
		"12 predictions":                           func(d *Data) { d.Samples = 5 },
		"3 true classes are not one for each":      func(d *Data) { d.Truth = d.Truth[:3] },
		"4 confidences are not one for each":       func(d *Data) { d.Confidence = make([]float64, 4) },
		"0 scores of effective invariance":         func(d *Data) { d.Given[0].Scores = nil },
		"model b predicts class 3 for image 2":     func(d *Data) { d.Labels[7] = 3 },
		"model a predicts class -1 for image 0":    func(d *Data) { d.Labels[0] = -1 },
		"the true class 3 of image 3":              func(d *Data) { d.Truth[3] = 3 },
		"the true class -2 of image 0":             func(d *Data) { d.Truth[0] = -2 },
	} {
		d := threeByFour()
		change(&d)
		testdata.Refused(t, want, d.Check(), want)
	}
	d := threeByFour()
	d.Truth = nil
	testdata.OK(t, d.Check())
}

func TestAccuracy(t *testing.T) {
	got := threeByFour().Accuracy()
	want := []float64{2.0 / 3, 2.0 / 3, 2.0 / 3}
	testdata.Equal(t, "accuracy", got, want)
	d := threeByFour()
	d.Truth = []int32{-1, -1, 2, -1}
	testdata.Equal(t, "accuracy with one known sample", d.Accuracy(), []float64{1, 0, 1})
	for _, truth := range [][]int32{nil, {-1, -1, -1, -1}} {
		d.Truth = truth
		for _, v := range d.Accuracy() {
			if !math.IsNaN(v) {
				t.Errorf("accuracy without truth %v", v)
			}
		}
	}
}

func TestIdentical(t *testing.T) {
	d := threeByFour()
	testdata.Is(t, "models that differ", d.Identical(), false)
	d.Labels = []int32{0, 0, 0, 2, 2, 2, 1, 1, 1, 1, 1, 1}
	testdata.Is(t, "identical models", d.Identical(), true)
	d.Labels[11] = 0
	testdata.Is(t, "models with another last prediction", d.Identical(), false)
}

func TestSubset(t *testing.T) {
	d := threeByFour()
	d.Softmax = func(_ context.Context, model int) ([]float32, error) {
		if model == 1 {
			return nil, errors.New("no probabilities")
		}
		list := make([]float32, 12)
		for k := range list {
			list[k] = float32(100*model + k)
		}
		return list, nil
	}
	ignore := cmpopts.IgnoreFields(Data{}, "Softmax")
	same := cmp.Options{ignore, cmpopts.EquateNaNs()}
	testdata.NoDiff(t, "everything", cmp.Diff(d, d.Subset(nil, nil), same))
	want := Data{
		Models: []Model{{ID: "c", Hash: "3"}, {ID: "a", Hash: "1"}}, Samples: 4, Classes: 3,
		Labels: []int32{1, 0, 1, 1, 2, 2, 0, 2}, Truth: d.Truth, Confidence: []float64{math.NaN(), 0.9},
		Given: []Given{{Method: EI, Scores: []float64{1, 3}, Note: "rot90"}},
	}
	testdata.NoDiff(t, "models", cmp.Diff(want, d.Subset([]int{2, 0}, nil), same))
	part := d.Subset([]int{2, 1}, []int{3, 1, 1})
	want = Data{
		Models: []Model{{ID: "c", Hash: "3"}, {ID: "b"}}, Samples: 3, Classes: 3,
		Labels: []int32{0, 1, 1, 1, 1, 1}, Truth: []int32{0, 1, 1},
	}
	testdata.NoDiff(t, "models and images", cmp.Diff(want, part, same))
	testdata.Equal(t, "softmax",
		testdata.Must(part.Softmax(context.Background(), 0))(t), []float32{209, 210, 211, 203, 204, 205, 203, 204, 205})
	testdata.Refused(t, "the error of the softmax is lost", testdata.Err(part.Softmax(context.Background(), 1)))
	testdata.Refused(t, "a subset without samples", d.Subset(nil, []int{}).Check())
	if threeByFour().Subset([]int{0}, []int{0}).Softmax != nil {
		t.Error("probabilities appear where there are none")
	}
}
