package variance

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
)

type tolerance struct{ Abs, Rel float64 }

// golden is one case on test.
type golden struct {
	*testing.T
	tolerance
	testdata.Case
}

func TestGoldenVariance(t *testing.T) {
	var allowed tolerance
	kinds := map[string]func(golden){
		"scalar": goldenScalar, "vector": goldenVector, "offset": goldenOffset, "hoeffding": goldenHoeffding,
		"certain": goldenCertain, "extremes": goldenExtremes,
		"reduce": nil, "sampling": nil, // tested by the packages signal and transform
	}
	for _, data := range [][]byte{testdata.Golden(t, "variance"), testdata.Further(t, "variance")} {
		testdata.Cases(t, data, &allowed, func(t *testing.T, c testdata.Case) {
			check, ok := kinds[c.Kind]
			if !ok {
				t.Fatalf("unknown kind %q", c.Kind)
			}
			if check != nil {
				check(golden{t, allowed, c})
			}
		})
	}
}

func (g golden) read(data json.RawMessage, into any) {
	g.Helper()
	testdata.OK(g, json.Unmarshal(data, into))
}

func (g golden) matrix(name string, got Matrix, err error, want [][]float64) {
	g.Helper()
	if want == nil { // the file leaves it undefined: no images
		testdata.ErrorIs(g, name, err, ErrNoImages)
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
			testdata.Near(g, fmt.Sprintf("%s: delta %d %d", name, i, j), got.At(i, j), v, g.Abs+g.Rel*math.Abs(v))
		}
	}
}

func (g golden) numbers(name string, got, want []float64) {
	g.Helper()
	if len(got) != len(want) {
		g.Errorf("%s: %d numbers, want %d", name, len(got), len(want))
		return
	}
	for i, v := range want {
		testdata.Near(g, fmt.Sprintf("%s: number %d", name, i), got[i], v, g.Abs+g.Rel*math.Abs(v))
	}
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
	all := testdata.UpTo(len(in.Truth))
	matrix, err := scalar(in.Signals, all)
	g.matrix("all", matrix, err, want.All)
	prepared, err := prepare(in.Signals).Matrix(all, nil)
	g.matrix("prepared", prepared, err, want.All)
	for i, row := range want.Display { // delta_00 at the bottom left
		g.numbers(fmt.Sprintf("display row %d", i), matrix.Data[(matrix.N-1-i)*matrix.N:][:matrix.N], row)
	}
	goldenCorrect(g, in.Signals, in.Truth, in.PredictedIdentity, want.Images, want.Correct)
	matrix, err = scalar(in.Signals, in.Subset)
	g.matrix("subset", matrix, err, want.Subset)

	narrow := make([][]float32, len(in.Signals))
	for i, row := range in.Signals {
		for _, v := range row {
			narrow[i] = append(narrow[i], float32(v))
		}
	}
	rounded := ScalarDifferences(narrow)
	shares := rounded.Whole(all)
	testdata.NearAll(g, "share", shares, want.Share, 1e-6)
	testdata.NearAll(g, "cell share", rounded.Cell(all, in.Cell[0], in.Cell[1]), want.CellShare, 1e-6)
	var order []int
	for _, s := range Rank(shares, all) {
		order = append(order, s.Image)
	}
	testdata.Equal(g, "order of shares", order, want.Order)
	matrix, err = scalar(in.Signals, without(all, order[0]))
	g.matrix("without top", matrix, err, want.WithoutTop)
}

// goldenCorrect checks the filter; a matrix that the file leaves undefined has no images.
func goldenCorrect(g golden, signals [][]float64, truth []int, predicted []int32, images []int, want [][]float64) {
	f := AllImages()
	f.Which = Correct
	chosen, err := f.Choose(truth, predicted, nil)
	if want == nil {
		g.matrix("correct", Matrix{}, err, nil)
		return
	}
	if err != nil || !slices.Equal(chosen, images) {
		g.Errorf("correct images %v, %v, want %v", chosen, err, images)
		return
	}
	matrix, err := scalar(signals, chosen)
	g.matrix("correct", matrix, err, want)
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
		p := testdata.Must(strconv.ParseFloat(text, 64))(g)
		distances := make([][]float64, signal.Pairs(n))
		for i := range n {
			for j := range i {
				for k := range m {
					distances[signal.Pair(i, j)] = append(distances[signal.Pair(i, j)],
						signal.Distance(in.Signals[i][k], in.Signals[j][k], p))
				}
			}
		}
		got, err := vector(distances, n, testdata.UpTo(m))
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
	got, err := scalar(in.Signals, testdata.UpTo(len(in.Signals[0])))
	g.matrix("all", got, err, want.All)
	got, err = prepare(in.Signals).Matrix(testdata.UpTo(len(in.Signals[0])), nil)
	g.matrix("prepared", got, err, want.All)
}

func goldenHoeffding(g golden) {
	var want struct {
		Rows []struct {
			M          int
			Epsilon    float64
			Range      float64 `json:"range_of_square"`
			Confidence float64
			HalfWidth  float64 `json:"half_width"`
			Needed     int     `json:"needed_images"`
		}
	}
	g.read(g.Expected, &want)
	for i, r := range want.Rows {
		g.numbers(fmt.Sprintf("row %d", i), []float64{HalfWidth(r.M, r.Range, r.Confidence)}, []float64{r.HalfWidth})
		testdata.Is(g, fmt.Sprintf("row %d", i), ImagesNeeded(r.Epsilon, r.Range, r.Confidence), r.Needed)
	}
}

func goldenCertain(g golden) {
	var in struct {
		Kind                              string
		Images                            int
		Delta, Largest, Confidence, Share float64
	}
	var want struct {
		Squares   float64
		HalfWidth float64 `json:"half_width"`
		Needed    int
	}
	g.Read(g, &in, &want)
	c := Certain(in.Images, in.Delta, in.Largest, in.Confidence, in.Share)
	g.numbers("half-widths", []float64{c.EpsSquares, c.HalfWidth}, []float64{want.Squares, want.HalfWidth})
	testdata.Is(g, "images needed", c.Needed, want.Needed)
}

func goldenExtremes(g golden) {
	var in struct {
		Kind               string
		Signals, Distances [][]float32
		Images             []int
	}
	var want struct {
		Flagged, Removed []int
		Shares           []float64
	}
	g.Read(g, &in, &want)
	d := ScalarDifferences(in.Signals)
	if in.Distances != nil {
		d = VectorDifferences(in.Distances, 3)
	}
	split := func(list []Share) (images []int, shares []float64) {
		for _, s := range list {
			images, shares = append(images, s.Image), append(shares, s.Share)
		}
		return images, shares
	}
	flagged, shares := split(d.Flagged(in.Images))
	testdata.Equal(g, "flagged", flagged, want.Flagged)
	g.numbers("shares", shares, want.Shares)
	kept, list := d.Clean(in.Images)
	removed, _ := split(list)
	testdata.Equal(g, "removed", removed, want.Removed)
	testdata.Equal(g, "kept", kept, slices.DeleteFunc(slices.Clone(in.Images),
		func(k int) bool { return slices.Contains(removed, k) }))
}
