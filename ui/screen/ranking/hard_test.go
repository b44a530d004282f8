package ranking

import (
	"math"
	"slices"
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

// TestFiguresOfLaF: the bars are the specialties in LaF's order, and the histogram has every image
// that was kept.
func TestFiguresOfLaF(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	bars, counts := v.Specialty(), v.Difficulties()
	if len(bars.Boxes) != 12 || len(bars.Y.Names) != 12 || bars.Check() != nil || counts.Check() != nil ||
		counts.Groups[0].Look != result.LookInvariant {
		t.Fatalf("%d bars, %d names, %v, %v", len(bars.Boxes), len(bars.Y.Names), bars.Check(), counts.Check())
	}
	for k, bar := range bars.Boxes {
		if at := v.byLaF()[k]; bar.X1 != v.Board.LaF.Specialty[at] || k > 0 && bar.X1 > bars.Boxes[k-1].X1+1e-9 ||
			bar.ID != keyOf(v.Board.Models[at]) {
			t.Errorf("bar %d is %v", k, bar)
		}
	}
	total, low, high := 0.0, counts.Boxes[0].X0, counts.Boxes[len(counts.Boxes)-1].X1
	for _, b := range counts.Boxes {
		total += b.Y1 - b.Y0
	}
	hardest, easiest := -slices.Min(v.Board.LaF.Easiness), -slices.Max(v.Board.LaF.Easiness)
	if total != float64(len(v.Board.LaF.Kept)) || easiest < low || hardest > high {
		t.Errorf("%v images of %v..%v in %v..%v", total, easiest, hardest, low, high)
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

func TestAgreementIsSymmetric(t *testing.T) {
	v := answerOf(t, crowd(12, 200, 1), nil)
	for _, m := range rank.Measures(v.Board.TopK) {
		names, cells := v.Agreement(m)
		if len(names) != 6 || names[0] != "truth" || v.coefficients(m).Check() != nil {
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
	none := rank.Measure{Key: "jaccard_999", Best: 999}
	if _, cells := v.Agreement(none); cells != nil || v.coefficients(none).Drawable() {
		t.Error("a Jaccard that was not measured has cells")
	}
}
