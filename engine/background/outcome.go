package background

// Outcome is what a classifier did in the scenes of a selection (spec/background.md section 12). The shares are of targets with a label, NaN without any.
type Outcome struct {
	Targets          int
	Accuracy         float64 // image 0 is classified correctly
	WorstCase        float64 // all images are, image 0 and all composites
	MeanComposite    float64 // share of correct composites
	ChangedShare     float64 // share of composites whose prediction differs from image 0's; of all targets
	ChangedPerTarget []float64
}

// Judge computes an Outcome from predictions, transformation first (image 0 = the target itself): predictions[j][t] is the predicted class of image j of
// target t, labels[t] the true class in the model's numbering, -1 without one.
func Judge(predictions [][]int32, labels []int) Outcome { panic("not built yet") }

// Coverage is the share of neurons that are covered (spec section 12, diversity): neurons holds one row of channel means per testing image; a row is scaled to [0, 1] by its
// own least and largest entry, and a neuron is covered if its scaled value is above threshold in at least one row. It takes rows one by one, so that images are streamed.
type Coverage struct {
	Threshold float64 // 0.5 by default
	covered   []bool
}

// Add takes one testing image's neurons. Rows of another length than the first's panic.
func (c *Coverage) Add(neurons []float32) { panic("not built yet") }

// Share is covered / all, NaN before the first row.
func (c *Coverage) Share() float64 { panic("not built yet") }

// F1 is 2PR / (P + R) of recall (coverage) and precision (kappa); a negative kappa counts as 0.
func F1(coverage, kappa float64) float64 { panic("not built yet") }
