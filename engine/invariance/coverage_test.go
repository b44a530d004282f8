package invariance

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestCoverage draws studies of models that scatter normally about a line, and counts how often the
// intervals of slope and intercept hold those of the line: what docs/results.md says.
func TestCoverage(t *testing.T) {
	const slope, intercept = 4.0, -1.0
	seed, long := testdata.Coverage()
	models, studies, resamples := []int{5, 20}, 60, 100
	if long {
		models, studies, resamples = []int{5, 7, 10, 20, 40}, 1000, 1000
	}
	for _, n := range models {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		slopes, intercepts := 0, 0
		for study := range studies {
			points := make([]Point, n)
			for k := range points {
				points[k].Score = random.Float64()
				points[k].Accuracy = Expit(intercept + slope*points[k].Score + 0.5*random.NormFloat64())
			}
			s := testdata.Must(Examine(t.Context(), points,
				StudyOptions{Eps: 1e-9, Resamples: resamples, Seed: uint64(study)}))(t)
			if s.Slope.Low <= slope && slope <= s.Slope.High {
				slopes++
			}
			if s.Intercept.Low <= intercept && intercept <= s.Intercept.High {
				intercepts++
			}
		}
		if long {
			fmt.Printf("line through %d models: %d slopes and %d intercepts of %d\n", n, slopes, intercepts, studies)
		}
		least := [2]float64{0.92, 0.88}
		if n > 10 {
			least = [2]float64{0.93, 0.93}
		}
		testdata.Holds(t, fmt.Sprintf("slope of %d models", n), slopes, studies, least[0], 0.95)
		testdata.Holds(t, fmt.Sprintf("intercept of %d models", n), intercepts, studies, least[1], 0.95)
	}
}
