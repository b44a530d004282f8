package assess

import "math"

// Metrics judge predictions. Curves and calibration speak of variant against the rest; what is
// undefined is NaN (an AUC with one class only) or nil (the calibration of the baseline).
type Metrics struct {
	N                     int
	Accuracy, Balanced    float64 // Balanced is the mean recall of the classes that occur
	Precision, Recall, F1 float64 // of variant; NaN when it was never said, never true, neither
	MacroF1               float64 // mean F1 of the classes that were said or true
	Confusion             [][]int // row truth, column verdict
	ROC, PR               []Point // false against true positive rate; recall against precision
	AUC, AveragePrecision float64
	Calibration           []Bin
	Brier                 float64
}

// Measure computes the metrics of predictions over so many classes. Curves order the predictions by
// Verdict.Score.
func Measure(predictions []Prediction, classes int) Metrics {
	m := Metrics{N: len(predictions), Confusion: make([][]int, classes)}
	for k := range m.Confusion {
		m.Confusion[k] = make([]int, classes)
	}
	for _, p := range predictions {
		m.Confusion[p.Truth][p.Class]++
	}
	right := 0
	var recalls, scores []float64
	for k := range m.Confusion {
		actual, said := 0, 0
		for other := range m.Confusion {
			actual += m.Confusion[k][other]
			said += m.Confusion[other][k]
		}
		hit := m.Confusion[k][k]
		right += hit
		m.Precision, m.Recall, m.F1 = share(hit, said), share(hit, actual), share(2*hit, said+actual)
		if actual > 0 {
			recalls = append(recalls, m.Recall)
		}
		if said+actual > 0 {
			scores = append(scores, m.F1)
		}
	}
	m.Accuracy, m.Balanced, m.MacroF1 = share(right, m.N), meanOf(recalls), meanOf(scores)
	steps := descend(predictions, classes-1)
	m.ROC, m.AUC = steps.roc()
	m.PR, m.AveragePrecision = steps.pr()
	m.Calibration, m.Brier = calibrate(predictions, classes-1)
	return m
}

// Bin is a bin of a calibration curve: mean predicted probability of variant, share that is
// variant, and how many.
type Bin struct {
	Predicted, Observed float64
	N                   int
}

// bins is the number of bins of a calibration curve.
const bins = 10

// calibrate sorts the predictions by their probability of variant into ten equal bins, (k/10,
// (k+1)/10] with 0 in the first, and leaves the empty ones out. The Brier score is the mean square
// of that probability less 1 for variant, 0 for others. Without probabilities there is neither.
func calibrate(predictions []Prediction, variant int) ([]Bin, float64) {
	var all [bins]Bin
	brier := 0.0
	for _, p := range predictions {
		probability, truth := p.Variant(), 0.0
		if math.IsNaN(probability) {
			return nil, math.NaN()
		}
		if p.Truth == variant {
			truth = 1
		}
		k := 0
		for k < bins-1 && probability > float64(k+1)/bins {
			k++
		}
		all[k].N++
		all[k].Predicted += probability
		all[k].Observed += truth
		brier += float64((probability - truth) * (probability - truth))
	}
	var list []Bin
	for _, b := range all {
		if b.N > 0 {
			list = append(list, Bin{b.Predicted / float64(b.N), b.Observed / float64(b.N), b.N})
		}
	}
	return list, brier / float64(len(predictions))
}
