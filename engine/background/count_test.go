package background

import (
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestCount: a hand-made table of four images with two, none, one and two keywords.
func TestCount(t *testing.T) {
	table := Table{Elements: []string{"sky", "sand"}, Scenes: []string{"beach"}, Rows: []Row{
		{File: "a", Kind: TargetKind, Vector: []float64{0.5, 0.2, 0}},
		{File: "b", Kind: BackgroundKind, Vector: []float64{0, 0.01, 0}},
		{File: "c", Kind: BackgroundKind, Vector: []float64{0, 0, 1}},
		{File: "d", Kind: BackgroundKind, Vector: []float64{0.9, 0, 0.2}},
	}}
	found := testdata.Must(table.Keywords(PaperRule()))(t)
	c := found.Count(table)
	want := []ItemCount{{2, 1, 1}, {1, 1, 0}, {2, 0, 2}}
	if !slices.Equal(c.Items, want) || c.Min != 0 || c.Max != 2 || math.Abs(c.Mean-1.25) > 1e-12 ||
		!slices.Equal(c.Without, []int{1}) {
		t.Errorf("counted %+v", c)
	}
	if none := (Keywords{}).Count(Table{}); none.Min != 0 || none.Max != 0 || none.Mean != 0 || none.Without != nil {
		t.Errorf("no images have %+v", none)
	}
}
