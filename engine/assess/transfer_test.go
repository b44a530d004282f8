package assess

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// domain are models whose first feature tells their class, the higher the more variant; flip turns
// that round. Their names are those from first on.
func domain(name string, first, n int, flip bool) Domain {
	d := Data{Names: []string{"f", "noise"}, Classes: label.Values(2)}
	random := rand.New(rand.NewPCG(3, uint64(first)))
	for i := range n {
		class := i % 2
		x := float64(class) + 0.8*random.Float64()
		if flip {
			x = -x
		}
		d.Rows = append(d.Rows, Row{
			ID: fmt.Sprint("m", first+i), Hash: fmt.Sprint(first + i), X: []float64{x, random.Float64()},
			Label: d.Classes[class], Group: name,
		})
	}
	return Domain{name, d}
}

func TestTransferNeverJudgesWhatWasLearnedFrom(t *testing.T) {
	a, b, c := domain("a", 0, 12, false), domain("b", 6, 12, false), domain("c", 100, 11, true)
	scheme := Scheme{Folds: 4, Repetitions: 3, Seed: 2}
	for _, from := range []Domain{a, b, c} {
		for _, to := range []Domain{a, b, c} {
			folds, shared, err := from.Data.transferFolds(to.Data, scheme)
			testdata.OK(t, err)
			rows := append(append([]Row{}, from.Data.Rows...), to.Data.Rows...)
			want := map[string]int{"a/a": 12, "b/b": 12, "c/c": 11, "a/b": 6, "b/a": 6}[from.Name+"/"+to.Name]
			testdata.Is(t, from.Name+" and "+to.Name+" share", shared, want)
			for _, cut := range folds {
				judged := map[string]int{}
				for _, f := range cut {
					learned := map[string]bool{}
					for _, i := range f.Train {
						learned[rows[i].Hash] = true
						if i >= len(from.Data.Rows) {
							t.Errorf("%s to %s: row %d of the other one is learned from", from.Name, to.Name, i)
						}
					}
					for _, i := range f.Test {
						judged[rows[i].Hash]++
						if learned[rows[i].Hash] || i < len(from.Data.Rows) {
							t.Errorf("%s to %s: %s is judged by what learned from it", from.Name, to.Name, rows[i].ID)
						}
					}
					if outside := len(from.Data.Rows) - len(f.Train); outside > len(f.Test) {
						t.Errorf("%d models are left out for %d that are judged", outside, len(f.Test))
					}
				}
				if len(judged) != len(to.Data.Rows) {
					t.Errorf("%s to %s: %d models are judged", from.Name, to.Name, len(judged))
				}
			}
		}
	}
}

// Transfer finds what carries over and what does not, gives the same for any number of workers, and
// says why a pair is missing.
func TestTransfer(t *testing.T) {
	one := domain("one", 300, 4, false)
	for i := range one.Data.Rows {
		one.Data.Rows[i].Label = label.Variant
	}
	domains := []Domain{domain("a", 0, 12, false), domain("b", 100, 14, false), domain("c", 200, 12, true), one}
	run := func(workers int) []Transferred {
		settings := []Settings{{Algorithm: DecisionTree, Seed: 1, Workers: workers}}
		var p testdata.Progress
		list, err := Transfer(t.Context(), domains, settings, Scheme{Repetitions: 2, Seed: 4}, &p)
		testdata.OK(t, err)
		p.Whole(t, 3*6+9) // three of a domain and itself, nine others of which the first three learn
		return list
	}
	list := run(1)
	same := cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	testdata.NoDiff(t, "three workers", cmp.Diff(list, run(3), same, cmpopts.IgnoreFields(Settings{}, "Workers"),
		cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })))
	for _, x := range list {
		v, low, high := x.Accuracy()
		switch name := x.From + "/" + x.To; {
		case x.From == "one":
			testdata.Refused(t, name, x.Problem, "all labels are variant")
		case (x.From == "c") == (x.To == "c") && x.To != "one":
			if v < 0.75 || x.Evaluation.Kappa.Mean < 0.5 || !(low < v && v <= high) || x.Commonest != 0.5 {
				t.Errorf("%s: %g (%g..%g), kappa %g", name, v, low, high, x.Evaluation.Kappa.Mean)
			}
		case x.To != "one" && v > 0.5:
			t.Errorf("%s: %g", name, v)
		}
	}
	if f := TransferFigure(list, DecisionTree, nil); f.Matrix.Size() != 16 || len(f.Matrix.Values) != 16 ||
		f.X.Names[3] != "one" {
		t.Errorf("%+v", f)
	}
	if f := TransferFigure(list, Baseline, nil); f.Drawable() {
		t.Error("nothing is drawn")
	}
	_, err := Transfer(t.Context(), domains[:1], nil, Scheme{}, nil)
	testdata.Refused(t, "one domain", err, "nothing to transfer to")
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = Transfer(ended, domains, []Settings{{Algorithm: DecisionTree}}, Scheme{}, nil)
	testdata.ErrorIs(t, "ended", err, context.Canceled)
	joined := domains[0].Data
	joined.Rows = append(append([]Row{}, joined.Rows...), domains[2].Data.Rows...)
	testdata.NoDiff(t, "parted again", cmp.Diff(DomainsOf(joined), []Domain{domains[0], domains[2]}, same))
}
