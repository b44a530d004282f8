// Package tables computes the tables of background invariance (spec/background.md sections 12 to
// 14): how well assessors do the annotators' work per interpolant (the paper's Table 3), what ways
// of choosing scenes are worth (Table 4), and the statistics of a repository of models (Tables 5
// and 6, Fig. 16). It is pure; the same data give the same bits for any number of workers.
package tables

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/progress"
)

// Fit is the baseline with thresholds found on all labelled models, and judged on these: the one
// value that the paper prints. It has seen its models, so it flatters.
type Fit struct {
	Thresholds []float64 // ascending; variant below the first, invariant from the last on
	Accuracy   float64
	Kappa      agreement.Value
}

// Automation is a line of Table 3: an algorithm on the matrices of one interpolant.
type Automation struct {
	Interpolant string // "I2"; empty for the baseline, which looks at no matrix
	Settings    assess.Settings
	// Accuracy is the automation accuracy: the share of models, unseen in training, that are judged
	// as the majority of the annotators did. Kappa is that of the same verdicts with the majority
	// vote (assess.Evaluation).
	Accuracy, Kappa assess.Repeated
	Evaluation      assess.Evaluation
	Fit             *Fit  // of the baseline
	Problem         error // why there are no figures
}

// Table3 evaluates every algorithm on every interpolant of the data's layout, interpolant by
// interpolant, and last the baseline by worst-case accuracy, where the algorithms name it. An
// algorithm that cannot be trained has its problem. The labels of d are the majority votes, ties
// being borderline. Errors: data that are not of interpolated matrices, and ctx's. Progress counts
// lines.
func Table3(
	ctx context.Context, d assess.Data, algorithms []assess.Settings, scheme assess.Scheme, p progress.Progress,
) ([]Automation, error) {
	if !d.Layout.OfBackground() {
		return nil, fmt.Errorf("automation by interpolant is of interpolated matrices; "+
			"these are the variance matrices %v", d.Layout.Modalities)
	}
	list, parts, err := automations(d, algorithms)
	if err != nil {
		return nil, err
	}
	p = progress.Or(p)
	p.SetTotal(int64(len(list)))
	for k := range list {
		list[k].run(ctx, parts[k], scheme)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.Add(1)
	}
	return list, nil
}

// automations are the lines to be computed, with their data.
func automations(d assess.Data, algorithms []assess.Settings) (list []Automation, parts []assess.Data, err error) {
	for _, name := range d.Layout.Background.Interpolants {
		part, err := d.Select(d.Layout.Only(name))
		if err != nil {
			return nil, nil, err
		}
		for _, s := range algorithms {
			if s.Algorithm != assess.Baseline {
				list, parts = append(list, Automation{Interpolant: name, Settings: s}), append(parts, part)
			}
		}
	}
	for _, s := range algorithms {
		if s.Algorithm == assess.Baseline {
			list, parts = append(list, Automation{Settings: s}), append(parts, d)
		}
	}
	return list, parts, nil
}

// run evaluates one line.
func (a *Automation) run(ctx context.Context, d assess.Data, scheme assess.Scheme) {
	if a.Evaluation, a.Problem = assess.Evaluate(ctx, d, a.Settings, scheme, false, nil); a.Problem != nil {
		return
	}
	accuracies := make([]agreement.Value, len(a.Evaluation.Repetitions))
	for r, v := range a.Evaluation.Repetitions {
		accuracies[r] = agreement.Value{Value: v}
	}
	a.Accuracy, a.Kappa = assess.OverRepetitions(accuracies), a.Evaluation.Kappa
	if a.Settings.Algorithm == assess.Baseline {
		a.Fit, a.Problem = fit(ctx, d, a.Settings)
	}
}

// fit finds the baseline's thresholds on all labelled models.
func fit(ctx context.Context, d assess.Data, s assess.Settings) (*Fit, error) {
	rows := d.Labelled()
	a, err := assess.Train(ctx, d, rows, s)
	if err != nil {
		return nil, err
	}
	verdicts, truths, right := make([]int, len(rows)), make([]int, len(rows)), 0
	for k, i := range rows {
		v, err := a.Judge(d.Rows[i])
		if err != nil {
			return nil, err
		}
		verdicts[k] = v.Class
		truths[k], _ = d.Rows[i].Label.Index(len(d.Classes)) // of a labelled row, checked by Train
		if verdicts[k] == truths[k] {
			right++
		}
	}
	return &Fit{
		Thresholds: a.Threshold.Thresholds, Accuracy: float64(right) / float64(len(rows)),
		Kappa: assess.Kappa(verdicts, truths, len(d.Classes)),
	}, nil
}
