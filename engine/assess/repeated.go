package assess

import (
	"math"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// Repeated is a figure over the repetitions of a protocol, as tables print it: mean, the largest
// deviation of a repetition from it (what stands behind the plus-minus sign) and the standard
// deviation with divisor n-1, 0 for one repetition.
type Repeated struct {
	Repetitions []agreement.Value // undefined ones have their reason
	N           int               // repetitions in which it is defined; the figures are of these
	Mean        float64           // NaN where N is 0, and so are the others
	Largest, SD float64
}

// OverRepetitions summarises the values of the repetitions.
func OverRepetitions(repetitions []agreement.Value) Repeated {
	r := Repeated{Repetitions: repetitions, Mean: math.NaN(), Largest: math.NaN(), SD: math.NaN()}
	var defined []float64
	for _, v := range repetitions {
		if v.Defined() {
			defined = append(defined, v.Value)
		}
	}
	if r.N = len(defined); r.N == 0 {
		return r
	}
	r.Mean, r.SD = meanAndSD(defined)
	r.Largest = largestDeviation(defined, r.Mean)
	return r
}

// Kappa is Cohen's kappa, nominal, of verdicts with truths (classes from 0 on).
func Kappa(verdicts, truths []int, classes int) agreement.Value {
	options := agreement.Options{Classes: label.Words(classes)}
	report := agreement.Measure([][]int{verdicts, truths}, classes, []string{"assessor", "label"}, options)
	return report.Cohen[0].Kappa.Value
}

// summarise fills in the figures of an evaluation whose folds and predictions are there.
func (e *Evaluation) summarise(classes int) {
	e.Repetitions, e.Accuracy, e.LargestDeviation, e.SD = spread(accuracies(e.Folds))
	e.Metrics = Measure(e.Predictions, classes)
	verdicts, truths := make([][]int, len(e.Repetitions)), make([][]int, len(e.Repetitions))
	for _, p := range e.Predictions {
		r := p.Repetition
		verdicts[r], truths[r] = append(verdicts[r], p.Class), append(truths[r], p.Truth)
	}
	kappas := make([]agreement.Value, len(e.Repetitions))
	for r := range kappas {
		kappas[r] = Kappa(verdicts[r], truths[r], classes)
	}
	e.Kappa = OverRepetitions(kappas)
}
