package rank

import (
	"context"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
)

// Asked is what the command rank is asked: predictions, rankers, and what is studied beside them.
type Asked struct {
	Suite  string   `help:"Suite of the workspace, by name or hash, or a table of predictions by name (default: the current suite)." source:"predictions"`
	Models []string `help:"Models, by id (default: all with predictions)." source:"models" placeholder:"ID"`
	Truth  string   `help:"True classes: suite, hand (labels of images given in the window), none, or a CSV file with the columns sample and label." default:"suite" placeholder:"suite|hand|none|FILE.csv"`
	Family string   `help:"Family for robust accuracy and mean variance (default: the workspace's current one)." source:"families"`
	Options
	Curves     bool  `help:"Also quality over the labelling budget, and averages over all budgets; with --shifted on every suite."`
	Budgets    []int `help:"Budgets of the curves (default: from --budget's default to 180 in steps of 5, and 500, 1500, 2500)." placeholder:"N" min:"1"`
	Impact     bool  `help:"Also LaF on shares of the models and of the images."`
	Conditions bool  `help:"Also LaF's quality beside mean, deviation and range of the accuracies, on the suite and all that are derived from it."`
	Shifted    bool  `help:"Also all rankers on every suite that is derived from this one, averaged over them and compared two by two."`
}

// Check says what does not go together.
func (a *Asked) Check() error {
	if len(a.Budgets) > 0 && !a.Curves {
		return option.Errorf("{budgets} goes with {curves}")
	}
	return nil
}

// Options say which rankers are asked and how. What is 0 or nil is its default. The result has the
// same bits for any number of workers.
type Options struct {
	Methods     []Method `help:"Rankers: laf, laf-reference, laf-no-pruning, laf-no-optimising, crc, random, sds, ces, ces-reference, ces-oracle, ei, d-score, robust-accuracy, mean-variance, or all (default: those without variants that the data allow)." source:"rankers" placeholder:"M" aliases:"method"`
	LaF         string   `name:"laf" help:"LaF's M-step: exact, or reference (as in the published code)." enum:"exact,reference" default:"exact"`
	Budget      int      `help:"Labels for the rankers that need some (default: as many as models, at least 30)." min:"0" label:"Labels"`
	Repetitions int      `help:"Draws of the rankers that need labels." default:"50" min:"1" max:"100000"`
	Seed        uint64   `help:"Seed of the draws." default:"1"`
	Top         []int    `help:"Best models that Jaccard compares." default:"1,3,5,10" min:"1"`
	Workers     int      `help:"Goroutines (default: one per processor)." min:"0" window:"-"`
}

// Check refuses rankers that there are not.
func (o *Options) Check() error {
	for _, m := range o.Methods {
		if m != AllMethods && !slices.Contains(Methods(), m) {
			return option.Errorf("there is no ranker %q; {methods} takes %s, or all",
				m, strings.Join(names(Methods()), ", "))
		}
	}
	return nil
}

// AllMethods stands in Options for all rankers that the data allow.
const AllMethods Method = "all"

// The options that stand for 0 and nil.
const (
	minBudget          = 30
	usualRepetitions   = 50
	usualImpactRepeats = 10
)

var usualTopK = []int{1, 3, 5, 10}

// filled replaces what is not set.
func (o Options) filled(d Data) Options {
	list, all := o.Methods, slices.Contains(o.Methods, AllMethods)
	switch {
	case all:
		list = Methods()
	case len(list) == 0:
		list, all = Usual(), true
	}
	var methods []Method
	for _, m := range list {
		if all && !d.Allows(m) {
			continue
		}
		if m == LaFMethod && o.LaF == "reference" {
			m = LaFReference
		}
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	o.Methods = methods
	if o.Budget < 1 {
		o.Budget = min(max(minBudget, len(d.Models)), d.Samples)
	}
	if o.Repetitions < 1 {
		o.Repetitions = usualRepetitions
	}
	if o.Top == nil {
		o.Top = usualTopK
	}
	o.Top = slices.Clone(o.Top)
	return o
}

// Allows tells whether the data have what a ranker needs at all.
func (d Data) Allows(m Method) bool {
	switch {
	case m == CRC:
		return d.Confidence != nil || d.Softmax != nil
	case m.entropy():
		return d.Truth != nil && d.Softmax != nil
	case m.Sampled():
		return d.Truth != nil
	case m.laf():
		return true
	}
	return slices.ContainsFunc(d.Given, func(g Given) bool { return g.Method == m })
}

// laf tells whether the ranker is LaF or one of its ablations.
func (m Method) laf() bool {
	return m == LaFMethod || m == LaFReference || m == LaFUnpruned || m == LaFUnoptimised
}

// lafScores runs LaF or one of its ablations.
func lafScores(ctx context.Context, d Data, m Method, workers int) (scores []float64, answer LaFResult, err error) {
	answer, err = LaF(ctx, d, LaFOptions{
		Reference: m == LaFReference, NoPruning: m == LaFUnpruned, NoOptimising: m == LaFUnoptimised, Workers: workers,
	})
	if err != nil {
		return nil, answer, err
	}
	return answer.Scores(), answer, nil
}

// accuracies are the true accuracies that rankings are compared with. Labels of half of the
// samples or fewer do not make a truth: they may be just those that a ranker asked for, and
// comparing it with its own scores would show nothing.
func (d Data) accuracies() (truth []float64, reason result.Reason) {
	missing := d.unlabelled(nil)
	switch {
	case missing == d.Samples:
		return nil, noTruth
	case 2*missing >= d.Samples:
		return nil, littleTruth
	}
	return d.Accuracy(), reason
}

// unlabelled is the number of samples without a true label, of the given ones or, for nil, of all.
func (d Data) unlabelled(samples []int32) int {
	if samples == nil {
		samples = upTo(d.Samples)
	}
	count := 0
	for _, i := range samples {
		if d.Truth == nil || d.Truth[i] < 0 {
			count++
		}
	}
	return count
}
