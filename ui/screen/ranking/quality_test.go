package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
)

func TestQualityColumns(t *testing.T) {
	v := viewOf(t, crowd(12, 200, 1), nil)
	columns := v.qualityColumns()
	if n := len(columns); n != 10+len(v.Board.TopK) {
		t.Fatalf("%d columns", n)
	}
	for k, c := range columns {
		if c.Hint == "" {
			t.Errorf("column %d (%s) has no hint", k, c.Title)
		}
	}
	laf, random, ei := v.Board.Rankings[0], v.Board.Rankings[2], v.Board.Rankings[5]
	if got := columns[4].Cell(laf); len(got) != 5 {
		t.Errorf("LaF's Spearman %q", got)
	}
	if got := columns[4].Cell(random); !strings.Contains(got, " ± ") {
		t.Errorf("random's Spearman %q", got)
	}
	if got := columns[6].Cell(random); !strings.HasPrefix(got, "<0.05 in ") {
		t.Errorf("random's p %q", got)
	}
	if columns[3].Cell(laf) != "" || columns[3].Cell(random) != "30" {
		t.Errorf("labels %q and %q", columns[3].Cell(laf), columns[3].Cell(random))
	}
	if columns[4].Cell(ei) != "-" || columns[1].Cell(ei) == "" {
		t.Errorf("effective invariance, which was not measured: %q, %q", columns[4].Cell(ei), columns[1].Cell(ei))
	}
}

func TestQualityOrder(t *testing.T) {
	v := viewOf(t, crowd(12, 200, 1), nil)
	spearman := func(order []int) []float64 {
		var list []float64
		for _, k := range order {
			if s := v.Board.Rankings[k].Quality.Spearman; s.N > 0 {
				list = append(list, s.Mean)
			} else {
				list = append(list, math.NaN())
			}
		}
		return list
	}
	forth, back := spearman(v.qualityOrder(4, false)), spearman(v.qualityOrder(4, true))
	known := len(forth) - 3 // three were not measured
	for k := 1; k < known; k++ {
		if forth[k] > forth[k-1] || back[k] < back[k-1] {
			t.Errorf("best first %v, worst first %v", forth, back)
		}
	}
	if !math.IsNaN(forth[known]) || !math.IsNaN(back[known]) {
		t.Errorf("what is not known stands before what is: %v, %v", forth, back)
	}
	if order := v.qualityOrder(0, true); order[0] != len(v.Board.Rankings)-1 {
		t.Errorf("rankers in turned order: %v", order)
	}
}

func TestWithoutTruthThereIsNoQuality(t *testing.T) {
	d := crowd(5, 60, 2)
	d.Truth = nil
	v := viewOf(t, d, func(s *Settings) { s.Truth, s.Methods = predictions.NoTruth, []rank.Method{rank.LaFMethod, rank.CRC} })
	if v.first() != 1 || len(v.Board.Compared) != 2 {
		t.Errorf("first ranking in column %d, compared %v", v.first(), v.Board.Compared)
	}
	columns := v.qualityColumns()
	for _, r := range v.Board.Rankings {
		if columns[4].Cell(r) != "-" || !strings.Contains(columns[1].Cell(r), "uality unknown: no image has a true class") {
			t.Errorf("%s: %q, %q", r.Method, columns[4].Cell(r), columns[1].Cell(r))
		}
	}
}

// A ranker that is still working shows nothing but its name and that; one that has scores of a part of the models says of how many.
func TestQualityOfRankersAtWorkAndOfParts(t *testing.T) {
	d := crowd(14, 200, 1)
	scores := slices.Repeat([]float64{math.NaN()}, 14)
	scores[3], scores[7], scores[9] = 0.2, 0.9, 0.4
	d.Given = append(d.Given, rank.Given{Method: rank.EI, Scores: scores, Note: "rot90"})
	v := viewOf(t, d, func(s *Settings) { s.Methods = []rank.Method{rank.LaFMethod, rank.EI} })
	v.Take(v.Answer.waiting([]rank.Method{rank.CES}))
	laf, ces, ei := v.Board.Rankings[0], v.Board.Rankings[1], v.Board.Rankings[2]
	if ces.Method != rank.CES || ei.Method != rank.EI {
		t.Fatalf("%s, %s", ces.Method, ei.Method)
	}
	for k, c := range v.qualityColumns() {
		if got := c.Cell(ces); (got == "") != (k > 1) {
			t.Errorf("column %d (%s) of a ranker at work is %q", k, c.Title, got)
		}
	}
	for row := range v.Len() {
		if got := v.Cell(row, v.first()+1); got != "" {
			t.Errorf("model %d by a ranker at work is %q", row, got)
		}
	}
	columns := v.qualityColumns()
	if got := columns[2].Cell(ei); got != "3 of 14" || columns[2].Cell(laf) != "14" {
		t.Errorf("%q and %q models", got, columns[2].Cell(laf))
	}
	if got := columns[1].Cell(ei); !strings.HasSuffix(got, "3 of 14 models") {
		t.Errorf("rests on %q", got)
	}
	if got := columns[5].Cell(laf); !strings.Contains(got, " .. ") || columns[5].Cell(ei) != "-" {
		t.Errorf("intervals %q and %q", got, columns[5].Cell(ei))
	}
}

// Rankers without true classes wait for the labels that they draw, and rank by exactly these.
func TestRankingWithLabelsByHand(t *testing.T) {
	d := crowd(6, 120, 3)
	truth := d.Truth
	methods := func(s *Settings) {
		s.Truth, s.Methods, s.Budget = predictions.ByHand, []rank.Method{rank.LaFMethod, rank.Random, rank.SDS, rank.CESOracle}, 20
	}
	d.Truth = nil
	v := viewOf(t, d, methods)
	if got := v.wantedMethods(); !slices.Equal(got, []rank.Method{rank.Random, rank.SDS}) {
		t.Fatalf("%v wait for labels", got)
	}
	if text := v.WantedText(); !strings.Contains(text, "random for 20 images, SDS for 20 images") {
		t.Errorf("%q", text)
	}
	ask := v.labelling(rank.Random)
	if len(ask.Images) != 20 || !slices.IsSorted(ask.Images) || len(ask.Classes) != 3 || ask.Suite != "s" {
		t.Errorf("asked for %+v", ask)
	}
	d.Truth = make([]int32, d.Samples)
	for i := range d.Truth {
		d.Truth[i] = -1
	}
	for k, image := range ask.Images[:19] {
		d.Truth[image] = truth[image]
		if k == 18 && !strings.Contains(viewOf(t, d, methods).Board.Rankings[1].Reason, "waits for the labels of 1 of 20 images") {
			t.Errorf("%q", viewOf(t, d, methods).Board.Rankings[1].Reason)
		}
	}
	d.Truth[ask.Images[19]] = truth[ask.Images[19]]
	v = viewOf(t, d, methods)
	random := v.Board.Rankings[1]
	if random.Reason != "" || !strings.Contains(random.Note, "20 images given by hand") {
		t.Fatalf("%+v", random)
	}
	if random.SD != nil {
		t.Errorf("one draw has the deviations %v", random.SD)
	}
	for j := range d.Models {
		right := 0
		for _, image := range ask.Images {
			if d.Labels[image*len(d.Models)+j] == truth[image] {
				right++
			}
		}
		if want := float64(right) / 20; math.Abs(random.Scores[j]-want) > 1e-12 {
			t.Errorf("model %d scores %v, want %v", j, random.Scores[j], want)
		}
	}
	if !slices.Contains(v.Board.Compared, rank.Random) || len(v.Board.Spearman) != len(v.Board.Compared) {
		t.Errorf("compared %v in %d rows", v.Board.Compared, len(v.Board.Spearman))
	}
	if v.Wanted[rank.SDS] == nil || len(v.Wanted[rank.CESOracle]) > 0 {
		t.Errorf("wanted %v", v.Wanted)
	}
}
