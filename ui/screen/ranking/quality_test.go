package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
)

// Rankers without true classes wait for the labels that they draw, and rank by exactly these.
func TestRankingWithLabelsByHand(t *testing.T) {
	d := crowd(6, 120, 3)
	truth := d.Truth
	methods := func(s *Settings) {
		s.Truth, s.Methods, s.Budget = predictions.ByHand,
			[]rank.Method{rank.LaFMethod, rank.Random, rank.SDS, rank.CESOracle}, 20
	}
	d.Truth = nil
	v := answerOf(t, d, methods)
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
		if k == 18 && !strings.Contains(answerOf(t, d, methods).Board.Rankings[1].Reason.Text,
			"waits for the labels of 1 of 20 images") {
			t.Errorf("%q", answerOf(t, d, methods).Board.Rankings[1].Reason)
		}
	}
	d.Truth[ask.Images[19]] = truth[ask.Images[19]]
	v = answerOf(t, d, methods)
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
