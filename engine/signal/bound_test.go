package signal

import (
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestKnownBounds(t *testing.T) {
	for text, want := range map[string]float64{ // 0 where there is none
		"max@CONF": 1, "std@CONF": 1, "L1@CONF": 2, "L2@CONF": math.Sqrt2, "Linf@CONF": 1,
		"max@CONV-1": 0, "L2@HEAD": 0,
	} {
		bound, known := testdata.Must(ParseModality(text))(t).Bound()
		testdata.Near(t, text, bound, want, 1e-15)
		testdata.Is(t, text, known, want > 0)
	}
}
