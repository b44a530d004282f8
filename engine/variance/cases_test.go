package variance

import (
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// The cases show what their sentences say, in a range of 0 to 0.3.
func TestCases(t *testing.T) {
	list := testdata.Must(Cases())(t)
	calm, other := list[0].Matrix, list[1].Matrix
	if calm.N != 11 || calm.Max() > 0.03 || other.Max() < 0.3 || other.At(0, 10) > 1e-9 || other.At(0, 5) != other.Max() {
		t.Errorf("largest %v and %v, corner %v", calm.Max(), other.Max(), other.At(0, 10))
	}
	for _, c := range list {
		f := c.Figure(nil)
		if f.X.Values[0] != -15 || f.X.Values[10] != 15 || !strings.HasPrefix(f.Note, "mean 0.") {
			t.Errorf("%v, %q", f.X.Values, f.Note)
		}
	}
}
