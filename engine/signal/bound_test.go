package signal

import (
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestKnownBounds(t *testing.T) {
	for _, c := range []struct {
		modality string
		bound    float64
		known    bool
	}{
		{"max@CONF", 1, true},
		{"std@CONF", 1, true},
		{"L1@CONF", 2, true},
		{"L2@CONF", math.Sqrt2, true},
		{"Linf@CONF", 1, true},
		{"max@CONV-1", 0, false},
		{"L2@HEAD", 0, false},
	} {
		m := testdata.Must(ParseModality(c.modality))(t)
		if bound, known := m.Bound(); math.Abs(bound-c.bound) > 1e-15 || known != c.known {
			t.Errorf("%s: %v %v", c.modality, bound, known)
		}
	}
}
