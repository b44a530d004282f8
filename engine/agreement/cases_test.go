package agreement

import (
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// TestCases: raters agree as often in both, and kappa is another: (0.9 - 0.5) / 0.5 and (0.9 -
// 0.82) / 0.18.
func TestCases(t *testing.T) {
	list := testdata.Must(Cases(func(float64) result.Colours { return nil }))(t)
	for k, kappa := range []string{"kappa 0.800", "kappa 0.444"} {
		if note := list[k].Note; !strings.HasPrefix(note, "agreement 90.0 %") || !strings.Contains(note, kappa) ||
			strings.Contains(note, "no interval") {
			t.Errorf("%q", note)
		}
	}
}
