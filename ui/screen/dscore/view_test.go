package dscore

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// grid is that of all layers.
func grid(t *testing.T, n, shift int) score.Grid {
	t.Helper()
	g, err := score.NewGrid(transform.Masks{N: n}, shift)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// made is a diagnosis with accuracies by hand.
func made(t *testing.T, id string, g score.Grid, original float64, variants, shifted []float64) Row {
	t.Helper()
	a := score.Accuracies{Original: original, Variants: variants, Shifted: shifted, Classes: 10}
	s, err := score.Compute(a)
	if err != nil {
		t.Fatal(err)
	}
	r := Row{
		Model: model.Model{Hash: "hash-" + id, ID: id, Graph: model.Graph{Convs: []string{"c1", "c2"}}}, Suite: "suite", SuiteName: "digits", Grid: g,
		Images: 1234, Accuracies: a, Score: s, MaskKey: "mask-" + id, ShiftKey: "shift-" + id,
	}
	r.Intervals = score.Intervals{Samples: 1000, Level: 0.95, DScore: score.Interval{Low: s.DScore - 0.01, High: s.DScore + 0.02}}
	for _, v := range variants {
		r.Intervals.Loss = append(r.Intervals.Loss, score.Interval{Low: original - v - 0.01, High: original - v + 0.01})
	}
	return r
}

// random are n x n accuracies.
func random(n int, rng *rand.Rand) []float64 {
	list := make([]float64, n*n)
	for k := range list {
		list[k] = float64(rng.IntN(101)) / 100
	}
	return list
}

// crowd is a view of several models on several grids; a model's accuracy falls with its number.
func crowd(t *testing.T, models int, grids ...score.Grid) *View {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	d := Data{Grids: grids, Usual: grids[0], Suite: suite.Manifest{Hash: "suite", Name: "digits", Images: 50, Labels: []int{0}}}
	d.Suites = []suite.Manifest{d.Suite}
	for k := range models {
		for _, g := range grids {
			r := made(t, fmt.Sprintf("m%02d", k), g, 1-float64(k)/20, random(g.N, rng), random(g.N, rng))
			r.Model.Record = []model.Field{{Name: "group", Value: []string{"plain", "padded"}[k%2]}, {Name: "epochs", Value: "12"}, {Name: "seed", Value: fmt.Sprint(k)}}
			d.Rows = append(d.Rows, r)
			if g == grids[0] {
				d.Models = append(d.Models, r.Model)
			}
		}
	}
	v := NewView()
	v.Take(d, nil)
	return v
}

func ids(v *View) []string {
	var list []string
	for k := range v.Len() {
		r, _ := v.At(k)
		list = append(list, r.Model.ID)
	}
	return list
}

func TestTableShowsOneGridBestFirst(t *testing.T) {
	g2, g3 := grid(t, 2, 5), grid(t, 3, 5)
	v := crowd(t, 5, g3, g2)
	if v.Len() != 5 || v.Caption() != "5 models" {
		t.Fatalf("%d rows, %q", v.Len(), v.Caption())
	}
	few := v.Rows[v.shown[0]]
	v.Rows[v.shown[0]].Intervals.DScore.Reason = score.TooFewImages
	if text := v.Caption(); !strings.Contains(text, "no intervals: fewer than 500 images") {
		t.Errorf("the caption of scores without intervals is %q", text)
	}
	v.Rows[v.shown[0]] = few
	for k := 1; k < v.Len(); k++ {
		a, _ := v.At(k - 1)
		b, _ := v.At(k)
		if a.Score.DScore < b.Score.DScore || a.Grid != g3 {
			t.Errorf("%v before %v", a.Score.DScore, b.Score.DScore)
		}
	}
	if first, _ := v.At(0); v.Index() != 0 || !slices.Equal(ids(v)[:1], []string{first.Model.ID}) {
		t.Error("the first row is not selected")
	}
	v.Select("hash-m03")
	if !v.ShowGrid(g2) || v.Len() != 5 {
		t.Fatalf("%d rows with n = 2", v.Len())
	}
	if r, ok := v.Selected(); !ok || r.Grid != g2 || r.Model.ID != "m03" {
		t.Error("another grid loses the selected model")
	}
	if v.ShowGrid(grid(t, 4, 5)) {
		t.Error("a grid that nothing was computed for can be shown")
	}
}

func TestSortAndFilter(t *testing.T) {
	v := crowd(t, 6, grid(t, 3, 5))
	v.SortBy("baseline_accuracy")
	if got := ids(v); !slices.IsSorted(got) {
		t.Errorf("by accuracy %v", got)
	}
	v.SortBy("baseline_accuracy")
	if got := ids(v); got[0] != "m05" {
		t.Errorf("turned round %v", got)
	}
	v.SortBy("v_robust") // the smaller the better: the smallest first
	for k := 1; k < v.Len(); k++ {
		a, _ := v.At(k - 1)
		b, _ := v.At(k)
		if a.Score.Robust > b.Score.Robust {
			t.Errorf("v_robust %v before %v", a.Score.Robust, b.Score.Robust)
		}
	}
	v.SortBy(result.RecordKey("group"))
	if got := ids(v); !slices.Equal(got, []string{"m01", "m03", "m05", "m00", "m02", "m04"}) {
		t.Errorf("by group %v", got)
	}
	for text, want := range map[string]int{"padded": 3, "-padded": 3, "accuracy>0.87": 3, "m02": 1, "d-score<-9": 0, "no region": 0} {
		v.Filter(text)
		if v.Len() != want {
			t.Errorf("%q: %d rows, want %d", text, v.Len(), want)
		}
	}
	v.Filter("m02")
	if text := v.Caption(); !strings.Contains(text, "1 model;") || !strings.Contains(text, "6 in all") {
		t.Errorf("%q", text)
	}
	v.SortBy("no such column")
	if key, _ := v.Order(); key != result.RecordKey("group") {
		t.Errorf("sorted by %s", key)
	}
}

// Models without a value stand last whichever way the table is sorted.
func TestNoNumberStandsLast(t *testing.T) {
	v := crowd(t, 3, grid(t, 2, 5))
	v.Rows[1].Score.P = math.NaN()
	for range 2 {
		v.SortBy("p")
		if got := ids(v); got[2] != "m01" {
			t.Errorf("sorted %v", got)
		}
	}
}

func TestRecordsBecomeColumns(t *testing.T) {
	v := crowd(t, 3, grid(t, 2, 5))
	if got := model.RecordNames(v.Models, 2, math.MaxInt); !slices.Equal(got, []string{"group", "seed"}) {
		t.Errorf("columns of the records %v", got)
	}
	if !slices.Equal(v.Records(), []string{"group"}) {
		t.Errorf("the usual ones are %v", v.Records())
	}
	v.SortBy(result.RecordKey("group"))
	v.SetRecords([]string{"seed", "gone"})
	if key, _ := v.Order(); key != "d_score" || !slices.Equal(v.Records(), []string{"seed"}) {
		t.Errorf("sorted by %s with %v", key, v.Records())
	}
	v.SetRecords([]string{})
	if len(v.Records()) != 0 {
		t.Errorf("none became %v", v.Records())
	}
}

func TestCells(t *testing.T) {
	v := crowd(t, 2, grid(t, 2, 5))
	r, _ := v.At(0)
	cell := func(key string, intervals bool) string {
		at := slices.IndexFunc(v.Columns(), func(c Column) bool { return c.Key == key })
		return v.Cell(0, at, intervals)
	}
	d := fmt.Sprintf("%.4f", r.Score.DScore)
	if got := cell("d_score", false); got != d {
		t.Errorf("D-Score %q, want %q", got, d)
	}
	if got := cell("d_score", true); got != fmt.Sprintf("%s (%.4f..%.4f)", d, r.Score.DScore-0.01, r.Score.DScore+0.02) {
		t.Errorf("with interval %q", got)
	}
	if got := cell("images", true); got != "1,234" {
		t.Errorf("images %q", got)
	}
	if got := cell("g", true); got != fmt.Sprintf("%.4f", r.Score.Bound) {
		t.Errorf("g(n) %q", got)
	}
	if v.Cell(9, 0, true) != "" || v.Cell(0, 99, true) != "" || v.Cell(-1, 0, true) != "" {
		t.Error("cells outside the table have a text")
	}
	v.Rows[0].Intervals, v.Rows[1].Intervals = score.Intervals{}, score.Intervals{}
	if got := cell("d_score", true); got != d {
		t.Errorf("without samples %q", got)
	}
}

func TestFlagsAreWords(t *testing.T) {
	g := grid(t, 2, 5)
	even := []float64{0.5, 0.5, 0.5, 0.5}
	v := NewView()
	none := made(t, "none", g, 0.5, even, []float64{0, 0, 0, 0})
	above := made(t, "above", g, 1, []float64{0, 1, 1, 1}, []float64{1, 0, 0, 0})
	v.Take(Data{
		Grids: []score.Grid{g}, Usual: g, Rows: []Row{none, above},
		Models: []model.Model{none.Model, above.Model},
	}, nil)
	if got := flagWords(none); got != "no region matters, no attention" {
		t.Errorf("%q", got)
	}
	v.Filter("attention")
	if v.Len() != 1 || !strings.Contains(v.Detail(0), "no shifted image is classified correctly") {
		t.Errorf("%d rows, %q", v.Len(), v.Detail(0))
	}
}

func TestMarks(t *testing.T) {
	v := crowd(t, 4, grid(t, 2, 5))
	v.Mark("hash-m02")
	v.Mark("hash-m00")
	if !slices.Equal(v.Marks(), []string{"hash-m02", "hash-m00"}) || !v.Marked("hash-m00") {
		t.Fatalf("marked %v", v.Marks())
	}
	if text := v.Caption(); !strings.Contains(text, "2 marked") {
		t.Errorf("%q", text)
	}
	v.SortBy(keyMark)
	if got := ids(v)[:2]; !slices.Contains(got, "m00") || !slices.Contains(got, "m02") {
		t.Errorf("the marked ones are not first: %v", ids(v))
	}
	v.Mark("hash-m02")
	if got := ids(v); got[0] != "m00" || !slices.Equal(v.Marks(), []string{"hash-m00"}) {
		t.Errorf("marked %v, shown %v", v.Marks(), got)
	}
	d := v.Data
	d.Rows = slices.DeleteFunc(slices.Clone(d.Rows), func(r Row) bool { return r.Model.ID == "m00" })
	v.Take(d, nil)
	if len(v.Marks()) != 0 {
		t.Error("a model that is gone is still marked")
	}
}

func TestTablesForFiles(t *testing.T) {
	v := crowd(t, 3, grid(t, 3, 5), grid(t, 2, 5))
	var models strings.Builder
	if err := scoresCSV(Of(nil, nil), v.rows())(&models); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(models.String())).ReadAll()
	if err != nil || len(rows) != 4 || !slices.Contains(rows[0], "d_score_low") {
		t.Fatalf("%d rows, head %v, %v", len(rows)-1, rows[0], err)
	}
	r, _ := v.At(0)
	at := slices.Index(rows[0], "d_score")
	if rows[1][at] != fmt.Sprintf("%v", r.Score.DScore) || rows[1][slices.Index(rows[0], "masks")] != "mask:3" {
		t.Errorf("row %v", rows[1])
	}
	var out strings.Builder
	if err := regionsCSV(regionsOf(r))(&out); err != nil || strings.Count(out.String(), "\n") != 1+9 ||
		!strings.Contains(out.String(), ",region,row,column,variant_accuracy,variant_accuracy_low,") {
		t.Errorf("%v: %.200s", err, out.String())
	}
}
