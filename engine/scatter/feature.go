package scatter

// Feature is a measurement of an interpolated matrix (spec/background.md section 13).
type Feature int

// The features, in the order of a vector.
const (
	Mean Feature = iota
	Std
	Max
	ErrorRate  // share of elements >= the threshold
	Corner     // mean of the upper right R/4 x R/4 block minus that of the lower left one
	Grad       // mean length of the gradient
	Continuity // weighted standard deviations along the diagonals
	Count      = iota
)

// DefaultThreshold is that of ErrorRate.
const DefaultThreshold = 0.15

// String is the spec's word: "mean", "error_rate", ...
func (f Feature) String() string { panic("not built yet") }

// ParseFeature reads one of the spec's words.
func ParseFeature(text string) (Feature, error) { panic("not built yet") }

// Measure computes the features of a matrix without NaN; with NaN it is an error that says how many elements have no value.
func Measure(m Matrix, threshold float64) ([Count]float64, error) { panic("not built yet") }
