package tree

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// DefaultTrees is the size of a forest.
const DefaultTrees = 100

// ForestOptions are scikit-learn's defaults when zero.
type ForestOptions struct {
	Options
	Trees   int // 0 for 100
	Columns int // tried per node, 0 for floor(sqrt(F))
	Seed    uint64
	Workers int // 0 for one per processor; the forest is the same for any number
}

// resolved are the options with their defaults for training rows that are so wide.
func (o ForestOptions) resolved(width int) (ForestOptions, error) {
	if err := o.Options.validate(); err != nil {
		return o, err
	}
	if o.Trees < 0 || o.Columns < 0 || o.Workers < 0 {
		return o, fmt.Errorf("forest of %d trees with %d columns per node and %d workers: "+
			"none may be negative; 0 is the default", o.Trees, o.Columns, o.Workers)
	}
	if o.Columns > width {
		return o, fmt.Errorf("forest with %d columns per node: there are only %d", o.Columns, width)
	}
	o.Trees = cmp.Or(o.Trees, DefaultTrees)
	o.Columns = cmp.Or(o.Columns, int(math.Sqrt(float64(width))))
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Workers = min(o.Workers, o.Trees)
	return o, nil
}

// Forest is a random forest.
type Forest struct {
	Trees []*Tree `json:"trees"`
}

// GrowForest grows a forest: every tree from S rows drawn with replacement, every split from the
// best of a few columns that are drawn without (and on, where none of those can split the node;
// spec/assessors.md, random forest). Tree b draws its rows and columns from (Seed, b). The errors
// are those of Sample.Validate, options that are negative or ask for more columns than there are,
// and ctx's.
func GrowForest(ctx context.Context, s Sample, opts ForestOptions) (*Forest, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	opts, err := opts.resolved(len(s.X[0]))
	if err != nil {
		return nil, err
	}
	d := newColumns(s)
	f := &Forest{Trees: make([]*Tree, opts.Trees)}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range opts.Workers {
		wg.Go(func() {
			g := newGrower(d, opts.Options)
			g.tried = opts.Columns
			weights := make([]float64, d.rows)
			for b := int(next.Add(1)) - 1; b < opts.Trees && ctx.Err() == nil; b = int(next.Add(1)) - 1 {
				rng := rand.New(rand.NewPCG(opts.Seed, uint64(b)))
				clear(weights)
				for range weights {
					weights[rng.IntN(len(weights))]++
				}
				f.Trees[b] = g.grow(weights, rng)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("grow a forest of %d trees: %w", opts.Trees, err)
	}
	return f, nil
}

// Votes are the sums of the trees' class shares, in the order of the trees: Shares before they are
// divided. They decide a verdict, since dividing can make unequal sums equal.
func (f *Forest) Votes(x []float64) []float64 {
	votes := make([]float64, f.Trees[0].Classes)
	for _, t := range f.Trees {
		leaf := t.Leaf(x)
		for c, weight := range t.Counts[leaf] {
			votes[c] += weight / t.Cover[leaf]
		}
	}
	return votes
}

// Shares are the means of the trees' class shares.
func (f *Forest) Shares(x []float64) []float64 {
	shares := f.Votes(x)
	for c := range shares {
		shares[c] /= float64(len(f.Trees))
	}
	return shares
}

// Explain is the mean of the trees' Shapley values for the share of a class; base + sum phi =
// Shares(x)[class].
func (f *Forest) Explain(x []float64, class int) (base float64, phi []float64) {
	phi = make([]float64, len(x))
	e := newExplainer(x, phi, f.Trees)
	for _, t := range f.Trees {
		base += e.add(t, func(leaf int) float64 { return t.share(leaf, class) / float64(len(f.Trees)) })
	}
	return base, phi
}
