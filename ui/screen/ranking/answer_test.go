package ranking

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/predictions"
)

// shown are the titles of the table of models, and its sheet in the first order.
func shown(a Answer) (titles []string, sheet *result.Sheet) {
	table := standings(a.Board)
	sheet = table.Sheet(rank.RankedOf(a.on()))
	for _, f := range sheet.Fields {
		if f.Show == result.Shown {
			titles = append(titles, f.Title)
		}
	}
	return titles, sheet.Take(sheet.Arrange(result.Filter{}, table.First))
}

func TestTableHasAColumnPerRanker(t *testing.T) {
	a := answerOf(t, crowd(12, 200, 1), nil)
	titles, sheet := shown(a)
	want := []string{
		"model", "true accuracy", "LaF", "CRC", "random", "SDS", "CES", "effective invariance", "D-Score",
		"robust accuracy", "mean variance",
	}
	if !slices.Equal(titles, want) {
		t.Fatalf("columns %q", titles)
	}
	laf, best := a.Board.Rankings[0], -1
	for j := range a.Board.Models {
		if laf.Rank[j] == 1 {
			best = j
		}
	}
	say := func(key string) string { f := sheet.Fields[sheet.Field(key)]; return f.Say(0) }
	if got, want := say("laf"), fmt.Sprintf("1   %.4f", laf.Scores[best]); got != want ||
		say("model_id") != a.Board.Models[best].ID {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.Contains(say("random"), " ± ") || say("ei") != "-" {
		t.Errorf("random %q, effective invariance %q", say("random"), say("ei"))
	}
}

func TestARankerMeasuredTwiceHasTwoColumns(t *testing.T) {
	d := crowd(5, 60, 2)
	d.Given = []rank.Given{
		{Method: rank.EI, Note: "rot90", Scores: []float64{0.2, math.NaN(), 0.9, 0.5, math.NaN()}},
		{Method: rank.EI, Note: "grayscale", Scores: []float64{5, 4, 3, 2, 1}},
	}
	a := answerOf(t, d, func(s *Settings) { s.Methods = []rank.Method{rank.EI} })
	titles, sheet := shown(a)
	if !slices.Equal(titles[len(titles)-2:], []string{"EI, rot90, 3 of 5 models", "EI, grayscale"}) {
		t.Errorf("titles %q", titles)
	}
	if names := a.comparedNames(); !slices.Equal(names, []string{"truth", "EI", "EI 2"}) {
		t.Errorf("compared %q", names)
	}
	if f := sheet.Fields[sheet.Field("ei")]; f.Say(0) != "1   0.9000" || f.Say(3) != "-" ||
		!strings.HasSuffix(f.Help, "rot90, 3 of 5 models") {
		t.Errorf("%q, %q, %q", f.Say(0), f.Say(3), f.Help)
	}
}

// A ranker that is still working shows nothing but its name and that.
func TestRankersAtWork(t *testing.T) {
	a := answerOf(t, crowd(14, 200, 1), func(s *Settings) { s.Methods = []rank.Method{rank.LaFMethod} })
	a = a.waiting([]rank.Method{rank.CES})
	_, sheet := shown(a)
	if f := sheet.Fields[sheet.Field("ces")]; strings.TrimSpace(f.Say(0)) != "" || f.Why(0) != rank.BeingAsked {
		t.Errorf("%q", f.Say(0))
	}
	quality := rank.Qualities.Sheet(rank.RatedOf(a.on()))
	if f := quality.Fields[quality.Field("note")]; f.Say(1) != rank.BeingAsked.Text {
		t.Errorf("%q", f.Say(1))
	}
}

func TestCaption(t *testing.T) {
	d := crowd(4, 60, 5)
	if got := answerOf(t, d, nil).Caption(); got != "4 models on 60 images of shapes" {
		t.Errorf("caption %q", got)
	}
	d.Truth = nil
	a := answerOf(t, d, func(s *Settings) { s.Truth = predictions.NoTruth })
	a.Material.Left = []rank.LeftOut{{ID: "m9", Reason: result.Because("none", "nothing")}}
	if got := a.Caption(); got != "4 models on 60 images of shapes, without true classes, 1 left out" {
		t.Errorf("caption %q", got)
	}
}

func TestModelsThatTakeNoPart(t *testing.T) {
	a := answerOf(t, crowd(6, 60, 6), func(s *Settings) { s.Without = []string{"hash01", "hash04", "gone"} })
	var ids []string
	for _, m := range a.Board.Models {
		ids = append(ids, m.ID)
	}
	if !slices.Equal(ids, []string{"m00", "m02", "m03", "m05"}) {
		t.Errorf("ranked %v", ids)
	}
	if len(a.Material.Data.Models) != 6 {
		t.Error("the gathered predictions were cut")
	}
	all := Material{Data: crowd(3, 9, 1)}.chosen([]string{"hash00", "hash01", "hash02"})
	if len(all.Models) != 0 {
		t.Errorf("%d models without any", len(all.Models))
	}
}
