package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
)

func TestHardestImages(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	list, laf := v.hardest(MostHard), v.Board.LaF
	if len(list) != min(MostHard, len(laf.Kept)) {
		t.Fatalf("%d of %d", len(list), len(laf.Kept))
	}
	for k, h := range list {
		at := slices.Index(laf.Kept, h.Image)
		if h.Difficulty != -laf.Easiness[at] || h.Pseudo != laf.Labels[at] || h.Truth != v.Data.Truth[h.Image] {
			t.Fatalf("%+v", h)
		}
		if k > 0 && h.Difficulty > list[k-1].Difficulty {
			t.Errorf("image %d is harder than the one before", h.Image)
		}
		agree := 0
		for j := range v.Data.Models {
			if v.Data.Labels[h.Image*12+j] == h.Pseudo {
				agree++
			}
		}
		if agree != h.Agree {
			t.Errorf("%d models agree, not %d", agree, h.Agree)
		}
	}
}

// A cell says right or wrong by the truth, agreement with LaF's class by that, and columns follow
// LaF's ranks.
func TestMosaicCells(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	list := v.hardest(20)
	order := v.byLaF()
	for k := 1; k < len(order); k++ {
		if v.Board.LaF.Specialty[order[k]] > v.Board.LaF.Specialty[order[k-1]]+rank.Tie {
			t.Fatal("columns are not in the order of specialty")
		}
	}
	for _, byTruth := range []bool{true, false} {
		d := v.Mosaic(list, byTruth)
		if len(d.Y.Names) != 20 || len(d.X.Names) != 12 || len(d.Groups) != 2 || len(d.Boxes) != 240 ||
			d.Check() != nil {
			t.Fatalf("%d rows, %d columns, kinds %v, %v", len(d.Y.Names), len(d.X.Names), d.Groups, d.Check())
		}
		for k, cell := range d.Boxes {
			r, c := k/12, k%12
			wanted, good := list[r].Pseudo, "agrees with LaF's class"
			if byTruth {
				wanted, good = list[r].Truth, "right"
			}
			if got := d.Groups[cell.Group].Name == good; got != (v.predicted(list[r].Image)[order[c]] == wanted) {
				t.Fatalf("cell %d, %d is %q", r, c, d.Groups[cell.Group].Name)
			}
		}
	}
	some := answerOf(t, crowd(12, 200, 1), nil)
	some.Data.Truth = slices.Clone(some.Data.Truth)
	for i := range some.Data.Truth {
		if i%2 == 0 {
			some.Data.Truth[i] = -1
		}
	}
	if d := some.Mosaic(some.hardest(40), true); len(d.Groups) != 4 {
		t.Errorf("kinds with half of the truth: %v", d.Groups)
	}
}

func TestDifficultiesCountEveryKeptImage(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	d := v.Difficulties()
	total, low, high := 0.0, d.Boxes[0].X0, d.Boxes[len(d.Boxes)-1].X1
	for _, b := range d.Boxes {
		total += b.Y1 - b.Y0
	}
	if total != float64(len(v.Board.LaF.Kept)) || d.Check() != nil || d.Groups[0].Look != result.LookInvariant {
		t.Errorf("%v of %d images in %v", total, len(v.Board.LaF.Kept), d.Groups)
	}
	for _, b := range v.Board.LaF.Easiness {
		if -b < low || -b > high {
			t.Fatalf("difficulty %v is outside of %v..%v", -b, low, high)
		}
	}
}

func TestTextsOfHardImages(t *testing.T) {
	v := answerOf(t, crowd(4, 60, 1), nil)
	v.Material.Samples = []string{"bird/00.png"}
	if got := v.Material.Sample(0); got != "#0 00.png" {
		t.Errorf("%q", got)
	}
	if got := v.Material.Sample(59); got != "#59" {
		t.Errorf("%q", got)
	}
	h := v.hardest(1)[0]
	if text := v.HardText(h); !strings.Contains(text, "of 4 models agree; truly "+v.Material.Class(h.Truth)) {
		t.Errorf("%q", text)
	}
	best := v.Board.Models[v.byLaF()[0]].ID
	if text := v.CellText(h, 0); !strings.Contains(text, best+" (1 by LaF): ") ||
		!strings.Contains(text, "LaF's class "+v.Material.Class(h.Pseudo)) {
		t.Errorf("%q", text)
	}
	if v.CellText(h, -1) != v.HardText(h) {
		t.Error("a row without a column has other words")
	}
	named := 0
	for _, vote := range v.votes(h.Image) {
		named += len(vote.Models)
	}
	if named != 4 {
		t.Errorf("%d of 4 models vote", named)
	}
	for _, m := range v.Board.Models {
		if !strings.Contains(v.Predictions(h), m.ID) {
			t.Errorf("%s is not among %q", m.ID, v.Predictions(h))
		}
	}
}

func TestWithoutLaF(t *testing.T) {
	v := answerOf(t, crowd(4, 60, 1), func(s *Settings) { s.Methods = []rank.Method{rank.CRC} })
	if v.hardest(5) != nil || v.Specialty().Empty == "" || v.Difficulties().Empty == "" ||
		v.Mosaic(nil, true).Empty == "" {
		t.Error("something of LaF is shown that was not asked")
	}
	same := crowd(4, 60, 1)
	for i := range same.Samples {
		for j := range 4 {
			same.Labels[i*4+j] = same.Labels[i*4]
		}
	}
	v = answerOf(t, same, nil)
	if v.noLaF() == "" || v.hardest(5) != nil {
		t.Errorf("identical models: %q", v.noLaF())
	}
	for _, r := range v.Board.Rankings {
		if r.Reason.None() {
			t.Errorf("%s ranks identical models", r.Method)
		}
	}
}

func TestSpecialtyBars(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	d := v.Specialty()
	if len(d.Boxes) != 12 || len(d.Y.Names) != 12 || d.Check() != nil {
		t.Fatalf("%d bars, %d names, %v", len(d.Boxes), len(d.Y.Names), d.Check())
	}
	for k, bar := range d.Boxes {
		if bar.X1 != v.Board.LaF.Specialty[v.byLaF()[k]] || k > 0 && bar.X1 > d.Boxes[k-1].X1+1e-9 ||
			bar.ID != keyOf(v.Board.Models[v.byLaF()[k]]) {
			t.Errorf("bar %d is %v", k, bar)
		}
	}
}

func TestAgreementIsSymmetric(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	for _, m := range rank.Measures(v.Board.TopK) {
		names, cells := v.Agreement(m)
		if len(names) != 6 || names[0] != "truth" {
			t.Fatalf("%s of %v", m.Title(), names)
		}
		for r := range names {
			if cells[r][r].Text != "1.000" {
				t.Errorf("%s of %s with itself is %s", m.Title(), names[r], cells[r][r].Text)
			}
			for c := range names {
				if cells[r][c].Text != cells[c][r].Text || cells[r][c].Hint == "" {
					t.Errorf("%s: cells %d, %d", m.Title(), r, c)
				}
			}
		}
	}
	v.Board.Spearman[0][1], v.Board.Spearman[1][0] = -0.5, math.NaN()
	_, cells := v.Agreement(rank.Measure{Key: "spearman"})
	if !cells[0][1].Warm || cells[0][1].Shade != 0.5 || cells[1][0].Text != "-" || cells[1][0].Shade >= 0 {
		t.Errorf("negative %+v, undefined %+v", cells[0][1], cells[1][0])
	}
	if _, cells := v.Agreement(rank.Measure{Key: "jaccard_999", Best: 999}); cells != nil {
		t.Error("a Jaccard that was not measured has cells")
	}
}
