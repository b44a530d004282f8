package matrixfile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// TestJudgeFindsTheBound: f+ is the largest difference within the interval of the matrix, counted
// one by one; the image that moves most is removed, and the matrix without it is the mean of the
// others. Of a few images none is ranked out.
func TestJudgeFindsTheBound(t *testing.T) {
	const n, images, wild = 5, 100, 17
	random := rand.New(rand.NewPCG(1, 2))
	set := &signal.Set{
		Spec: signal.Spec{Positions: []signal.Position{{Name: "CONV-1", Tensor: "c"}}}, Transformations: n,
		Images: images, Reduced: make([][signal.Reducers][]float32, 1),
	}
	rows := make([][]float32, n)
	var cells []float32
	for i := range rows {
		for k := range images {
			v := float32(random.Float64())
			if k == wild {
				v *= 100
			}
			rows[i] = append(rows[i], v)
		}
		cells = append(cells, rows[i]...)
	}
	for r := range set.Reduced[0] {
		set.Reduced[0][r] = cells
	}
	on := suite.Manifest{Images: images, Classes: []string{"cat"}, Labels: make([]int, images)}
	for _, count := range []int{30, images} {
		chosen := testdata.UpTo(count)
		m := testdata.Must(variance.Scalar(rows[1:4], chosen))(t)
		items := []variance.Of{{Model: "a", Modality: "max@CONV-1", Matrix: m}, {Model: "a", Modality: "max@CONV-2"}}
		items[1].Absent.Code = "absent"
		judged, extremes, err := Judge(items, set, on, chosen)
		if err != nil || len(judged) != 2 {
			t.Fatalf("%+v, %v", judged, err)
		}
		largest := 0.0
		for i := 1; i < 4; i++ {
			for j := 1; j < i; j++ {
				for _, k := range chosen {
					largest = max(largest, math.Abs(float64(rows[i][k])-float64(rows[j][k])))
				}
			}
		}
		j := judged[0]
		if j.Largest != largest || !j.Estimated || j.Certainty().Images != count ||
			variance.Certainties.Check() != nil || variance.ExtremesOf.Check() != nil {
			t.Errorf("f+ %v, want %v; %+v", j.Largest, largest, j)
		}
		figures := (&Set{
			Axis: render.Axis{Name: "angle", Values: []float64{-1, 0, 1}}, Items: items, Judged: judged,
		}).Figures()
		drawn := figures[len(figures)-1]
		if cells := drawn.Figure.Grid[0]; drawn.Name != "extremes_a_max@CONV-1" || drawn.Figure.Check() != nil ||
			len(cells) != 2+j.Removed ||
			!slices.Equal(cells[0].Matrix.Values, m.Data) || len(cells) > 2 &&
			!slices.Equal(cells[2].Matrix.Values, j.Cleaned.Data) {
			t.Errorf("%d images: %s, %v", count, drawn.Name, drawn.Figure.Check())
		}
		if count == 30 {
			if len(extremes) != 0 || j.Removed != 0 {
				t.Errorf("%v among few images", extremes)
			}
			continue
		}
		without, err := variance.Scalar(rows[1:4], append(append([]int{}, chosen[:wild]...), chosen[wild+1:]...))
		if err != nil {
			t.Fatal(err)
		}
		if len(extremes) != 1 || extremes[0].Image != wild || !extremes[0].Removed || extremes[0].Class != "cat" ||
			j.Flagged != 1 || j.Removed != 1 || j.Cleaned.Mean() != without.Mean() {
			t.Errorf("%+v, %d flagged, %d removed, mean %v, want %v", extremes, j.Flagged, j.Removed, j.Cleaned.Mean(),
				without.Mean())
		}
	}
}
