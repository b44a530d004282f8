package assess

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// slowPermute shuffles one column after the other in copies of the rows.
func slowPermute(t *testing.T, a *Assessor, d Data, rows []int, repeats int, seed uint64) []Permuted {
	t.Helper()
	right := func(d Data, rows []int) float64 {
		n := 0.0
		for _, i := range rows {
			v := testdata.Must(a.Judge(d.Rows[i]))(t)
			if v.Label == d.Rows[i].Label {
				n++
			}
		}
		return n / float64(len(rows))
	}
	var list []Permuted
	for c, name := range d.Names {
		var lost []float64
		for r := range repeats {
			from := rand.New(rand.NewPCG(seed, uint64(c)<<32|uint64(r))).Perm(len(rows))
			shuffled := d
			for k, i := range rows {
				shuffled = changed(shuffled, i, func(row *Row) { row.X[c] = d.Rows[rows[from[k]]].X[c] })
			}
			lost = append(lost, right(d, rows)-right(shuffled, rows))
		}
		p := Permuted{Name: name}
		for _, v := range lost {
			p.Mean += v / float64(repeats)
		}
		for _, v := range lost {
			p.SD += (v - p.Mean) * (v - p.Mean) / float64(repeats-1)
		}
		p.SD = math.Sqrt(p.SD)
		list = append(list, p)
	}
	return list
}

func TestPermuteIsTheSlowPermute(t *testing.T) {
	d := madeUp(40, 4, 3, 6)
	rows := []int{3, 1, 8, 20, 22, 23, 30, 31, 36, 39}
	for name, s := range explainables() {
		a := trained(t, d, s)
		var progress testdata.Progress
		got := testdata.Must(Permute(context.Background(), a, d, rows, 5, 9, &progress))(t)
		for c, want := range slowPermute(t, a, d, rows, 5, 9) {
			if got[c].Name != want.Name || math.Abs(got[c].Mean-want.Mean) > 1e-12 ||
				math.Abs(got[c].SD-want.SD) > 1e-12 {
				t.Errorf("%s: %+v, want %+v", name, got[c], want)
			}
		}
		if total, done := progress.Total.Load(), progress.Done.Load(); total != 20 || done != 20 {
			t.Errorf("%s: progress %d of %d", name, done, total)
		}
	}
}

// TestPermuteFindsWhatMatters: the first two columns follow the label, the others are noise that a
// stump never sees.
func TestPermuteFindsWhatMatters(t *testing.T) {
	d := madeUp(200, 5, 2, 8)
	a := trained(t, d, Settings{Algorithm: DecisionTree, MaxDepth: 1})
	got := testdata.Must(Permute(context.Background(), a, d, d.Labelled(), 10, 1, nil))(t)
	for c, p := range got {
		if c == a.Tree.Feature[0] {
			if p.Mean < 0.2 || p.SD <= 0 {
				t.Errorf("the column of the stump: %+v", p)
			}
		} else if p.Mean != 0 || p.SD != 0 {
			t.Errorf("a column that is not used: %+v", p)
		}
	}
}

func TestPermuteOnce(t *testing.T) {
	d := madeUp(30, 3, 2, 1)
	got, err := Permute(context.Background(), trained(t, d, Settings{Algorithm: DecisionTree}), d, d.Labelled(), 1,
		1, nil)
	if err != nil || got[0].SD != 0 {
		t.Errorf("one repeat: %+v, %v", got, err)
	}
}

func TestPermuteRefusals(t *testing.T) {
	d := madeUp(30, 3, 2, 1)
	a := trained(t, d, Settings{Algorithm: DecisionTree})
	other := d
	other.Names = []string{"x", "y", "z"}
	for _, c := range []struct {
		a       *Assessor
		d       Data
		rows    []int
		repeats int
		parts   []string
	}{
		{trained(t, d, Settings{Algorithm: Baseline}), d, []int{1}, 2, []string{"baseline"}},
		{a, d, []int{1}, 0, []string{"0 repeats"}},
		{a, d, nil, 2, []string{"no models"}},
		{a, d, []int{99}, 2, []string{"row 99"}},
		{a, other, []int{1}, 2, []string{"other features"}},
		{a, changed(d, 1, func(r *Row) { r.Label = "" }), []int{0, 1}, 2, []string{"m1", "no label"}},
		{a, changed(d, 1, func(r *Row) { r.X[2] = math.NaN() }), []int{0, 1}, 2, []string{"m1", "max@CONF.f2"}},
	} {
		_, err := Permute(context.Background(), c.a, c.d, c.rows, c.repeats, 1, nil)
		says(t, err, c.parts...)
	}
}

func BenchmarkPermuteForest(b *testing.B) {
	d := madeUp(150, 80, 2, 1)
	a := trained(b, d, Settings{Algorithm: RandomForest, Seed: 1})
	for b.Loop() {
		testdata.Must(Permute(context.Background(), a, d, d.Labelled(), 10, 1, nil))(b)
	}
}
