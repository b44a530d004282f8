package variance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

type tolerance struct{ Abs, Rel float64 }

func (t tolerance) near(got, want float64) bool {
	if got == want || (math.IsNaN(got) && math.IsNaN(want)) {
		return true
	}
	return math.Abs(got-want) <= t.Abs+t.Rel*math.Abs(want)
}

type goldenCase struct {
	Name     string
	Input    json.RawMessage
	Expected json.RawMessage
}

// golden is one case on test.
type golden struct {
	*testing.T
	tolerance
	goldenCase
}

func TestGoldenVariance(t *testing.T) {
	var file struct {
		Tolerance tolerance
		Cases     []goldenCase
	}
	if err := json.Unmarshal(testdata.Golden(t, "variance"), &file); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]func(golden){
		"scalar": goldenScalar, "reduce": goldenReduce, "vector": goldenVector, "offset": goldenOffset,
		"hoeffding": goldenHoeffding, "sampling": goldenSampling,
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			g := golden{t, file.Tolerance, c}
			var input struct{ Kind string }
			g.read(c.Input, &input)
			check, ok := kinds[input.Kind]
			if !ok {
				t.Fatalf("unknown kind %q", input.Kind)
			}
			check(g)
		})
	}
	if len(file.Cases) == 0 {
		t.Error("no cases")
	}
	fmt.Printf("golden variance: %d cases\n", len(file.Cases))
}

func (g golden) read(data json.RawMessage, into any) {
	g.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		g.Fatal(err)
	}
}

func (g golden) matrix(name string, got variance.Matrix, err error, want [][]float64) {
	g.Helper()
	if want == nil { // the file leaves it undefined: no images
		if !errors.Is(err, variance.ErrNoImages) {
			g.Errorf("%s: %v, want %v", name, err, variance.ErrNoImages)
		}
		return
	}
	if err != nil {
		g.Errorf("%s: %v", name, err)
		return
	}
	if got.N != len(want) {
		g.Errorf("%s: %d rows, want %d", name, got.N, len(want))
		return
	}
	for i, row := range want {
		for j, v := range row {
			if !g.near(got.At(i, j), v) {
				g.Errorf("%s: delta %d %d is %v, want %v", name, i, j, got.At(i, j), v)
			}
		}
	}
}

func (g golden) numbers(name string, got, want []float64) {
	g.Helper()
	if len(got) != len(want) {
		g.Errorf("%s: %d numbers, want %d", name, len(got), len(want))
		return
	}
	for i := range want {
		if !g.near(got[i], want[i]) {
			g.Errorf("%s: number %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

func upTo(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
}

func without(images []int, drop int) []int {
	return slices.DeleteFunc(slices.Clone(images), func(k int) bool { return k == drop })
}

func goldenScalar(g golden) {
	var in struct {
		Signals           [][]float64
		Truth             []int
		PredictedIdentity []int32 `json:"predicted_identity"`
		Identity          int
		Subset, Cell      []int
	}
	var want struct {
		All        [][]float64 `json:"matrix_all"`
		Correct    [][]float64 `json:"matrix_correct"`
		Images     []int       `json:"correct_images"`
		Subset     [][]float64 `json:"matrix_subset"`
		Share      []float64   `json:"share"`
		Order      []int       `json:"share_order"`
		CellShare  []float64   `json:"cell_share"`
		WithoutTop [][]float64 `json:"matrix_without_top"`
		Display    [][]float64 `json:"display"`
	}
	g.read(g.Input, &in)
	g.read(g.Expected, &want)
	all := upTo(len(in.Truth))
	matrix, err := variance.ScalarFloat64(in.Signals, all)
	g.matrix("all", matrix, err, want.All)
	prepared, err := variance.PrepareFloat64(in.Signals).Matrix(all, nil)
	g.matrix("prepared", prepared, err, want.All)
	for i, row := range matrix.Display() {
		g.numbers(fmt.Sprintf("display row %d", i), row, want.Display[i])
	}
	goldenCorrect(g, in.Signals, in.Truth, in.PredictedIdentity, want.Images, want.Correct)
	matrix, err = variance.ScalarFloat64(in.Signals, in.Subset)
	g.matrix("subset", matrix, err, want.Subset)

	shares := variance.ContributionsFloat64(in.Signals, all)
	g.numbers("share", shares, want.Share)
	var order []int
	for _, s := range variance.Rank(shares, all) {
		order = append(order, s.Image)
	}
	if !slices.Equal(order, want.Order) {
		g.Errorf("order of shares %v, want %v", order, want.Order)
	}
	g.numbers("cell share", variance.CellContributionsFloat64(in.Signals, all, in.Cell[0], in.Cell[1]), want.CellShare)
	matrix, err = variance.ScalarFloat64(in.Signals, without(all, order[0]))
	g.matrix("without top", matrix, err, want.WithoutTop)
}

// goldenCorrect checks the filter; a matrix that the file leaves undefined has no images.
func goldenCorrect(g golden, signals [][]float64, truth []int, predicted []int32, images []int, want [][]float64) {
	f := variance.AllImages()
	f.Which = variance.Correct
	chosen, err := f.Choose(truth, predicted, nil)
	if want == nil {
		g.matrix("correct", variance.Matrix{}, err, nil)
		return
	}
	if err != nil || !slices.Equal(chosen, images) {
		g.Errorf("correct images %v, %v, want %v", chosen, err, images)
		return
	}
	matrix, err := variance.ScalarFloat64(signals, chosen)
	g.matrix("correct", matrix, err, want)
}

func goldenReduce(g golden) {
	var in struct{ Tensors [][][][]float64 }
	var want struct{ Signals []map[string]float64 }
	g.read(g.Input, &in)
	g.read(g.Expected, &want)
	for i, tensor := range in.Tensors {
		var flat []float64
		for _, channel := range tensor {
			for _, row := range channel {
				flat = append(flat, row...)
			}
		}
		var got [signal.Reducers]float64
		signal.ReduceFloat64(&got, flat, len(tensor), false)
		narrow := make([]float32, len(flat))
		for k, v := range flat {
			narrow[k] = float32(v)
		}
		var rounded [signal.Reducers]float32
		signal.Reduce(&rounded, narrow, len(tensor), false)
		for name, v := range want.Signals[i] {
			r, err := signal.ParseReducer(name)
			if err != nil {
				g.Error(err)
				continue
			}
			if !g.near(got[r], v) {
				g.Errorf("tensor %d: %s is %v, want %v", i, name, got[r], v)
			}
			if math.Abs(float64(rounded[r])-v) > 1e-6*(1+math.Abs(v)) {
				g.Errorf("tensor %d: %s of float32 is %v, want %v", i, name, rounded[r], v)
			}
		}
	}
}

func goldenVector(g golden) {
	var in struct{ Signals [][][]float64 }
	var want struct {
		ByP map[string][][]float64 `json:"matrix_by_p"`
	}
	g.read(g.Input, &in)
	g.read(g.Expected, &want)
	n, m := len(in.Signals), len(in.Signals[0])
	for text, matrix := range want.ByP {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil {
			g.Fatal(err)
		}
		distances := make([][]float64, signal.Pairs(n))
		for i := range n {
			for j := range i {
				for k := range m {
					distances[signal.Pair(i, j)] = append(distances[signal.Pair(i, j)], signal.Distance(in.Signals[i][k], in.Signals[j][k], p))
				}
			}
		}
		got, err := variance.VectorFloat64(distances, n, upTo(m))
		g.matrix("L"+text, got, err, matrix)
	}
}

func goldenOffset(g golden) {
	var in struct{ Signals [][]float64 }
	var want struct {
		All      [][]float64 `json:"matrix_all"`
		Relative float64     `json:"relative_tolerance"`
	}
	g.read(g.Input, &in)
	g.read(g.Expected, &want)
	g.tolerance = tolerance{Rel: want.Relative}
	got, err := variance.ScalarFloat64(in.Signals, upTo(len(in.Signals[0])))
	g.matrix("all", got, err, want.All)
	got, err = variance.PrepareFloat64(in.Signals).Matrix(upTo(len(in.Signals[0])), nil)
	g.matrix("prepared", got, err, want.All)
}

func goldenHoeffding(g golden) {
	var want struct {
		Rows []struct {
			M          int
			Epsilon    float64
			Range      float64 `json:"range_of_square"`
			Confidence float64
			Bound      float64
			HalfWidth  float64 `json:"half_width"`
			Needed     int     `json:"needed_images"`
		}
	}
	g.read(g.Expected, &want)
	for i, r := range want.Rows {
		g.numbers(fmt.Sprintf("row %d", i),
			[]float64{variance.Bound(r.M, r.Epsilon, r.Range), variance.HalfWidth(r.M, r.Range, r.Confidence)},
			[]float64{r.Bound, r.HalfWidth})
		if got := variance.ImagesNeeded(r.Epsilon, r.Range, r.Confidence); got != r.Needed {
			g.Errorf("row %d: %d images needed, want %d", i, got, r.Needed)
		}
	}
}

// goldenSampling compares values of the sampling variable; they must be equal to the last bit.
func goldenSampling(g golden) {
	var want struct {
		Rows []struct {
			Alpha  json.Number
			K      int
			Values []float64
		}
	}
	g.read(g.Expected, &want)
	for _, r := range want.Rows {
		got, err := transform.Sampling(r.Alpha.String(), r.K)
		if err != nil {
			g.Error(err)
			continue
		}
		if !slices.Equal(got, r.Values) {
			g.Errorf("alpha %s, k %d: values %v, want %v", r.Alpha, r.K, got, r.Values)
		}
	}
}
