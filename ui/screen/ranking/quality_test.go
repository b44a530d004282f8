package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
)

// cell is a cell of the table of qualities, by the column's key.
func cell(v *View, key string, k int) string {
	s := rank.Qualities.Sheet(rank.RatedOf(v.on()))
	return s.Fields[s.Field(key)].Say(k)
}

func TestQualityColumns(t *testing.T) {
	v := viewOf(t, crowd(12, 200, 1), nil)
	const laf, random, ei = 0, 2, 5
	for _, c := range []struct {
		key  string
		k    int
		want string // in the cell
	}{
		{"spearman", laf, ".."},
		{"spearman", random, " ± "},
		{"significant", random, " %"},
		{"budget", laf, "-"},
		{"budget", random, "30"},
		{"spearman", ei, "-"},
		{"note", ei, "it was not measured for these models"},
		{"models", laf, "12"},
		{"method", ei, "effective invariance"},
	} {
		if got := cell(v, c.key, c.k); !strings.Contains(got, c.want) {
			t.Errorf("%s of ranker %d is %q, not %q", c.key, c.k, got, c.want)
		}
	}
}

func TestWithoutTruthThereIsNoQuality(t *testing.T) {
	d := crowd(5, 60, 2)
	d.Truth = nil
	v := viewOf(t, d, func(s *Settings) { s.Truth, s.Methods = predictions.NoTruth, []rank.Method{rank.LaFMethod, rank.CRC} })
	if v.first() != 1 || len(v.Board.Compared) != 2 {
		t.Errorf("first ranking in column %d, compared %v", v.first(), v.Board.Compared)
	}
	for k, r := range v.Board.Rankings {
		if cell(v, "spearman", k) != "-" || !strings.Contains(cell(v, "note", k), "uality unknown: no image has a true class") {
			t.Errorf("%s: %q, %q", r.Method, cell(v, "spearman", k), cell(v, "note", k))
		}
	}
}

// A ranker that is still working shows nothing but its name and that; one that has scores of a
// part of the models says of how many.
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
	if cell(v, "note", 1) != rank.BeingAsked.Text || cell(v, "spearman", 1) != "-" || cell(v, "models", 1) != "-" {
		t.Errorf("a ranker at work has %q, %q", cell(v, "spearman", 1), cell(v, "note", 1))
	}
	for row := range v.Len() {
		if got := v.Cell(row, v.first()+1); got != "" {
			t.Errorf("model %d by a ranker at work is %q", row, got)
		}
	}
	if got := cell(v, "note", 2); got != "rot90, 3 of 14 models" || cell(v, "models", 2) != "3" || laf.Note == "" || ei.Note != got {
		t.Errorf("rests on %q", got)
	}
	if got := cell(v, "kendall", 0); !strings.Contains(got, "..") || strings.Contains(cell(v, "kendall", 2), "..") {
		t.Errorf("intervals %q and %q", got, cell(v, "kendall", 2))
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
		if k == 18 && !strings.Contains(viewOf(t, d, methods).Board.Rankings[1].Reason.Text, "waits for the labels of 1 of 20 images") {
			t.Errorf("%q", viewOf(t, d, methods).Board.Rankings[1].Reason)
		}
	}
	d.Truth[ask.Images[19]] = truth[ask.Images[19]]
	v = viewOf(t, d, methods)
	random := v.Board.Rankings[1]
	if !random.Reason.None() || !strings.Contains(random.Note, "20 images given by hand") {
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
