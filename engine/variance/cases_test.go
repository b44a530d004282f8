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
	if calm.N != 11 || calm.Max() > 0.03 || other.Max() < 0.3 || other.At(0, 10) > 1e-9 ||
		other.At(0, 5) != other.Max() {
		t.Errorf("largest %v and %v, corner %v", calm.Max(), other.Max(), other.At(0, 10))
	}
	for _, c := range list {
		f := c.Figure(nil)
		if f.X.Values[0] != -15 || f.X.Values[10] != 15 || !strings.HasPrefix(f.Note, "mean 0.") {
			t.Errorf("%v, %q", f.X.Values, f.Note)
		}
	}
}

// TestElementCases: both elements are as large; one of them is made by few images.
func TestElementCases(t *testing.T) {
	list := testdata.Must(ElementCases())(t)
	for k, says := range []string{"δ 0.10", "δ 0.10"} {
		if !strings.HasPrefix(list[k].Note, says) || len(list[k].Points) != 40 || list[k].X.Name != "at 0°" {
			t.Errorf("%q, %d points over %s", list[k].Note, len(list[k].Points), list[k].X.Name)
		}
	}
	if !strings.Contains(list[0].Note, "16 of 40 images") || !strings.Contains(list[1].Note, "3 of 40 images") {
		t.Errorf("%q and %q", list[0].Note, list[1].Note)
	}
}
