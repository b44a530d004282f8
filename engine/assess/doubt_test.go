package assess

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// tested are the predictions of rows by their verdicts and the probability of the row's own label
// (NaN for none).
func tested(d Data, row int, verdicts string, own ...float64) []Prediction {
	classes := map[rune]label.Value{'i': label.Invariant, 'b': label.Borderline, 'v': label.Variant}
	truth, _ := d.Rows[row].Label.Index(len(d.Classes))
	var list []Prediction
	for r, word := range verdicts {
		class, _ := classes[word].Index(len(d.Classes))
		p := Prediction{Repetition: r, Row: row, Truth: truth, Verdict: Verdict{Class: class, Label: d.Classes[class]}}
		if len(own) > 0 {
			p.Probability = make([]float64, len(d.Classes))
			p.Probability[truth] = own[r]
		}
		list = append(list, p)
	}
	return list
}

func TestVotesAndDoubts(t *testing.T) {
	const i, b, v = label.Invariant, label.Borderline, label.Variant
	d := labelled(3, i, v, b, "", v, i)
	var e Evaluation
	e.Predictions = slices.Concat(
		tested(d, 0, "iiv", 0.9, 0.8, 0.1), // right
		tested(d, 1, "iiv", 0.25, 0.25, 0.75),
		tested(d, 2, "ibv", 0.25, 0.5, 0.25), // a tie goes to variant
		tested(d, 4, "bbi", 0.125, 0, 0.0625),
	)
	testdata.Equal(t, "votes", e.Votes(d), []label.Value{i, i, v, "", b, ""})
	testdata.Equal(t, "doubts", Doubts(d, e), []Doubt{{4, v, b, 0.0625}, {2, b, v, 1.0 / 3}, {1, v, i, 1.25 / 3}})
	d = labelled(2, i, v, i) // the baseline has no probabilities, and doubts by its verdicts
	e.Predictions = slices.Concat(tested(d, 0, "vviv"), tested(d, 1, "iiii"), tested(d, 2, "iivi"))
	testdata.Equal(t, "doubts of the baseline", Doubts(d, e), []Doubt{{1, v, i, 0}, {0, i, v, 0.25}})
}

func TestLeastSureFirst(t *testing.T) {
	d := madeUp(24, 3, 3, 5)
	for name, s := range every() {
		a := trained(t, d, s)
		rows := []int{20, 3, 7, 11, 0, 15}
		list := testdata.Must(LeastSure(d, rows, a))(t)
		var got []int
		for k, u := range list {
			got = append(got, u.Row)
			if want := slowMargin(a, u.Verdict); u.Margin != want {
				t.Errorf("%s: margin %v, want %v", name, u.Margin, want)
			}
			if k > 0 && (list[k-1].Margin > u.Margin || list[k-1].Margin == u.Margin && list[k-1].Row > u.Row) {
				t.Errorf("%s: row %d with %v stands before row %d with %v", name, list[k-1].Row, list[k-1].Margin,
					u.Row, u.Margin)
			}
		}
		slices.Sort(got)
		testdata.Equal(t, fmt.Sprintf("%s: rows", name), got, []int{0, 3, 7, 11, 15, 20})
	}
	a := trained(t, d, Settings{Algorithm: DecisionTree})
	testdata.Refused(t, "a row beyond the data", testdata.Err(LeastSure(d, []int{24}, a)))
	hole := changed(d, 3, func(r *Row) { r.X[1] = math.NaN() })
	says(t, testdata.Err(LeastSure(hole, []int{3}, a)), "m3", "max@CONF.f1")
}

func TestLeastSureUnseen(t *testing.T) {
	const i, b, v = label.Invariant, label.Borderline, label.Variant
	d := labelled(3, i, v, b, "", v)
	var e Evaluation
	for _, p := range []struct {
		row, class  int
		probability []float64
	}{
		{4, 2, []float64{0, 0.25, 0.75}},
		{0, 0, []float64{0.75, 0.25, 0}},
		{0, 2, []float64{0.25, 0.25, 0.5}}, // mean 0.5, 0.25, 0.25
		{1, 0, []float64{0.5, 0, 0.5}},     // the more variant one of two
		{2, 0, nil},                        // the baseline: shares of its verdicts
		{2, 1, nil},
		{2, 1, nil},
		{2, 1, nil},
	} {
		e.Predictions = append(e.Predictions, Prediction{
			Row: p.row, Verdict: Verdict{Class: p.class, Probability: p.probability},
		})
	}
	want := []Unsure{
		{1, Verdict{Class: 2, Label: v, Probability: []float64{0.5, 0, 0.5}}, 0},
		{0, Verdict{Class: 0, Label: i, Probability: []float64{0.5, 0.25, 0.25}}, 0.25},
		{2, Verdict{Class: 1, Label: b, Probability: []float64{0.25, 0.75, 0}}, 0.5},
		{4, Verdict{Class: 2, Label: v, Probability: []float64{0, 0.25, 0.75}}, 0.5},
	}
	if got := LeastSureUnseen(d, e); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func slowMargin(a *Assessor, v Verdict) float64 {
	if a.Threshold != nil {
		var distances []float64
		for _, threshold := range a.Threshold.Thresholds {
			distances = append(distances, math.Abs(-v.Score-threshold))
		}
		return slices.Min(distances)
	}
	sorted := slices.Sorted(slices.Values(v.Probability))
	return sorted[len(sorted)-1] - sorted[len(sorted)-2]
}
