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
		progress.Whole(t, 20)
		once := testdata.Must(Permute(context.Background(), a, d, rows, 1, 9, nil))(t)
		testdata.Is(t, name+": deviation of one repeat", once[0].SD, 0)
	}
}

func BenchmarkPermuteForest(b *testing.B) {
	d := madeUp(150, 80, 2, 1)
	a := trained(b, d, Settings{Algorithm: RandomForest, Seed: 1})
	for b.Loop() {
		testdata.Must(Permute(context.Background(), a, d, d.Labelled(), 10, 1, nil))(b)
	}
}
