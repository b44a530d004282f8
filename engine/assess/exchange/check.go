package exchange

import (
	"context"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
)

// Runner runs an exported model; engine/onnx implements it with ONNX Runtime.
type Runner interface {
	// Judge gives the outputs Label and Scores for rows of float64; name is for errors.
	Judge(ctx context.Context, name string, model []byte, x [][]float64) (labels []int64, scores [][]float32, err error)
}

// near is how far float32 scores may lie from the assessor's, and so how close to a threshold a
// regression's value may take the other side of it.
const near = 1e-5

// Report says how an exported model compares with its assessor.
type Report struct {
	Rows int `json:"rows"`
	// Near are rows whose regression value is so close to a threshold that float32 may decide
	// either way, and Moved are those of them that it did decide otherwise. Both are 0 for trees,
	// forests and boosting.
	Near  int `json:"near_threshold"`
	Moved int `json:"moved"`
	// Largest is the largest absolute difference of a score.
	Largest float64 `json:"largest_difference"`
}

// Check judges rows with the assessor and with the exported model. It is an error when a verdict
// differs (of a regression: farther from a threshold than float32 rounds), when a score differs by
// more than that rounding, or when there are not as many answers as rows.
func Check(
	ctx context.Context, r Runner, name string, a *assess.Assessor, model []byte, x [][]float64,
) (Report, error) {
	report := Report{Rows: len(x)}
	if len(x) == 0 {
		return report, nil
	}
	labels, scores, err := r.Judge(ctx, name, model, x)
	if err != nil {
		return report, err
	}
	if len(labels) != len(x) || len(scores) != len(x) {
		return report, fmt.Errorf("the exported model %s gives %d labels and %d rows of scores for %d rows", name,
			len(labels), len(scores), len(x))
	}
	for i, row := range x {
		if err := report.compare(a, row, labels[i], scores[i]); err != nil {
			return report, fmt.Errorf("the exported model %s, row %d: %w", name, i+1, err)
		}
	}
	return report, nil
}

// compare counts one row.
func (r *Report) compare(a *assess.Assessor, row []float64, label int64, scores []float32) error {
	verdict, err := a.Judge(assess.Row{X: row})
	if err != nil {
		return err
	}
	want := scoresOf(a, verdict)
	if len(scores) != len(want) {
		return fmt.Errorf("it has %d scores and not %d", len(scores), len(want))
	}
	margin := margin(a, row)
	for k, w := range want {
		difference := math.Abs(w - float64(scores[k]))
		if !(difference <= margin) {
			return fmt.Errorf("score %d is %v and the assessor's %v", k, scores[k], w)
		}
		r.Largest = max(r.Largest, difference)
	}
	undecided := a.Linear != nil && toThreshold(verdict.Score, len(a.Classes)) <= margin
	if undecided {
		r.Near++
	}
	switch {
	case int(label) == verdict.Class:
		return nil
	case !undecided:
		return fmt.Errorf("its verdict is class %d and the assessor's %d", label, verdict.Class)
	}
	r.Moved++
	return nil
}

// margin is how far a score may lie from the assessor's: near, or what a float32 sum of a
// regression's terms rounds.
func margin(a *assess.Assessor, row []float64) float64 {
	if a.Linear == nil {
		return near
	}
	size := math.Abs(a.Linear.Intercept)
	for f, z := range normalised(a.Linear, row) {
		size += math.Abs(z * a.Linear.Coefficients[f])
	}
	const unit = 0x1p-24 // relative rounding of float32
	return max(near, float64(len(row)+3)*unit*size)
}

// toThreshold is the distance of a regression's value to its nearest threshold.
func toThreshold(value float64, classes int) float64 {
	least := math.Inf(1)
	for _, t := range thresholds(classes) {
		least = min(least, math.Abs(value-t))
	}
	return least
}

// normalised is what the regression sees of a row.
func normalised(l *assess.Linear, row []float64) []float64 {
	z := make([]float64, len(row))
	squares := 0.0
	for _, v := range row {
		squares += v * v
	}
	for f, v := range row {
		switch {
		case l.ZScores:
			z[f] = (v - l.Mean[f]) / l.Std[f]
		case squares > 0:
			z[f] = v / math.Sqrt(squares)
		}
	}
	return z
}

// Reports is the table of checks of exported models.
var Reports = result.Table[Report]{
	Name: "onnx", Title: "Exported model", Noun: "check", ID: func(Report) string { return "onnx" },
	Columns: []result.Column[Report]{
		result.Counts("rows", "models", "that ONNX Runtime judged", func(r Report) int { return r.Rows }),
		result.Counts("near_threshold", "near a threshold",
			"values that lie too near to a threshold for 32-bit numbers", func(r Report) int { return r.Near }),
		result.Counts("moved", "moved", "of these, values that fall on the other side",
			func(r Report) int { return r.Moved }),
		{
			Key: "largest_difference", Title: "largest difference", Help: "of a score", Format: result.Number,
			Value: func(r Report) float64 { return r.Largest },
		},
	},
}

// String says how the exported model compares.
func (r Report) String() string {
	text := fmt.Sprintf("%d verdicts through ONNX Runtime are the same, scores differ by at most %s", r.Rows-r.Moved,
		result.Digits(r.Largest, 2))
	if r.Near > 0 {
		text += fmt.Sprintf("; %d values lie too near to a threshold for its 32-bit numbers, %d of them fall on "+
			"the other side", r.Near, r.Moved)
	}
	return text
}
