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

// column is a column of the table as text.
func column(v *View, col int) []string {
	var list []string
	for row := range v.Len() {
		list = append(list, v.Cell(row, col))
	}
	return list
}

func TestViewHasAColumnPerRanker(t *testing.T) {
	v := viewOf(t, crowd(12, 200, 1), nil)
	var titles []string
	for col := range v.columns() {
		titles = append(titles, v.Title(col))
		if v.Hint(col) == "" {
			t.Errorf("%s has no hint", v.Title(col))
		}
	}
	want := []string{"model", "true accuracy", "LaF", "CRC", "random", "SDS", "CES", "effective invariance", "D-Score", "robust accuracy", "mean variance"}
	if !slices.Equal(titles, want) {
		t.Fatalf("columns %q", titles)
	}
	if col, _ := v.Order(); col != 2 {
		t.Errorf("it begins in the order of %s", v.Title(col))
	}
	laf := v.Board.Rankings[0]
	for row := range v.Len() {
		j := v.order[row]
		if got, want := v.Cell(row, 2), fmt.Sprintf("%d   %.4f", laf.Rank[j], laf.Scores[j]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if row > 0 && laf.Rank[v.order[row-1]] > laf.Rank[j] {
			t.Errorf("row %d stands above a better one", row)
		}
	}
	if !strings.Contains(v.Cell(0, 4), " ± ") || v.Cell(0, 7) != "-" {
		t.Errorf("random %q, effective invariance %q", v.Cell(0, 4), v.Cell(0, 7))
	}
}

func TestSortingByAnyColumn(t *testing.T) {
	v := viewOf(t, crowd(12, 200, 1), nil)
	for col := range v.columns() {
		v.SortBy(2) // whatever was before
		v.SortBy(col)
		if now, descending := v.Order(); now != col || descending && col != 2 {
			t.Errorf("sorted by %d, descending %v, want %d", now, descending, col)
		}
		_, ranks, _ := v.scores(col)
		if ranks == nil {
			continue
		}
		forth := slices.Clone(v.order)
		v.SortBy(col)
		for k := 1; k < len(forth); k++ {
			if col != 2 && ranks[forth[k-1]] > ranks[forth[k]] || col != 2 && ranks[v.order[k-1]] < ranks[v.order[k]] {
				t.Fatalf("%s: not in order at %d", v.Title(col), k)
			}
		}
	}
	before := slices.Clone(v.order)
	v.SortBy(-1)
	v.SortBy(v.columns())
	if !slices.Equal(before, v.order) {
		t.Error("a column that does not exist sorts")
	}
}

func TestUnscoredModelsStandLast(t *testing.T) {
	d := crowd(5, 60, 2)
	d.Given = []rank.Given{{Method: rank.EI, Note: "rot90", Scores: []float64{0.2, math.NaN(), 0.9, 0.5, math.NaN()}}}
	v := viewOf(t, d, func(s *Settings) { s.Methods = []rank.Method{rank.LaFMethod, rank.EI} })
	v.SortBy(3)
	if got := column(v, 0); !slices.Equal(got, []string{"m02", "m03", "m00", "m01", "m04"}) {
		t.Errorf("best first: %v", got)
	}
	v.SortBy(3)
	if got := column(v, 0); !slices.Equal(got, []string{"m00", "m03", "m02", "m01", "m04"}) {
		t.Errorf("worst first: %v", got)
	}
	if !strings.Contains(v.Hint(3), "rot90, 3 of 5 models") {
		t.Errorf("hint %q", v.Hint(3))
	}
}

func TestARankerMeasuredTwiceHasTwoColumns(t *testing.T) {
	d := crowd(4, 60, 2)
	d.Given = []rank.Given{{Method: rank.EI, Note: "rot90", Scores: []float64{1, 2, 3, 4}}, {Method: rank.EI, Note: "grayscale", Scores: []float64{4, 3, 2, 1}}}
	v := viewOf(t, d, func(s *Settings) { s.Methods = []rank.Method{rank.EI} })
	if v.Title(3) != "EI, rot90" || v.Title(4) != "EI, grayscale" {
		t.Errorf("titles %q and %q", v.Title(3), v.Title(4))
	}
	if names := v.comparedNames(); !slices.Equal(names, []string{"truth", "EI", "EI 2"}) {
		t.Errorf("compared %q", names)
	}
}

func TestTakeKeepsOrderAndSelection(t *testing.T) {
	v := viewOf(t, crowd(8, 90, 3), nil)
	v.SortBy(4)
	v.Select("hash03")
	v.Take(answerOf(t, crowd(8, 90, 4), func(s *Settings) { s.Methods = []rank.Method{rank.Random, rank.CRC} }))
	if col, _ := v.Order(); v.Title(col) != "random" || v.Row() < 0 {
		t.Errorf("sorted by %s, selected row %d", v.Title(col), v.Row())
	}
	v.Take(answerOf(t, crowd(3, 90, 4), func(s *Settings) { s.Methods = []rank.Method{rank.CRC} }))
	if col, _ := v.Order(); v.Title(col) != "CRC" || v.Row() >= 0 {
		t.Errorf("sorted by %s, selected row %d", v.Title(col), v.Row())
	}
}

func TestCaptionAndDetail(t *testing.T) {
	d := crowd(4, 60, 5)
	v := viewOf(t, d, func(s *Settings) { s.Methods = []rank.Method{rank.LaFMethod, rank.CRC} })
	if got := v.Caption(); got != "4 models on 60 images of shapes" {
		t.Errorf("caption %q", got)
	}
	if got := v.Detail(0); !strings.HasPrefix(got, v.Cell(0, 0)+", true accuracy ") || !strings.Contains(got, ", LaF 1") {
		t.Errorf("detail %q", got)
	}
	d.Truth = nil
	v = viewOf(t, d, func(s *Settings) { s.Truth = predictions.NoTruth })
	v.Material.Left = []rank.LeftOut{{ID: "m9", Reason: result.Because("none", "nothing")}}
	if got := v.Caption(); got != "4 models on 60 images of shapes, without true classes, 1 left out" {
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
