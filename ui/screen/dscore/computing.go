package dscore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
)

// Order is what is to be computed: D-Scores of models with several n and t, and what single
// convolutions contribute.
type Order struct {
	Suite          string // content hash
	Models         []model.Model
	N, T           []int
	All, Each      bool // masks of the convolutions together; of each alone
	Small          bool // together with those whose maps are smaller than n x n
	AfterBatchNorm bool
}

// usualOrder is what a D-Score of models needs.
func usualOrder(suiteHash string, models []model.Model) Order {
	o := score.Defaults()
	return Order{Suite: suiteHash, Models: models, N: o.N, T: o.T, All: true}
}

// Runs are the runs that compute it: for every n the masks, of all convolutions and of each alone,
// then the shifts for every t. A model takes part in the masks of the convolutions that it has.
// The error is a sentence about what was asked for.
func (o Order) Runs() ([]Run, error) {
	switch {
	case len(o.Models) == 0:
		return nil, errors.New("there is no model with a convolution: regions cannot be deleted")
	case len(o.N) == 0:
		return nil, errors.New("choose at least one n, such as 3")
	case !o.All && !o.Each:
		return nil, errors.New("choose what regions are deleted of: of all layers together, of each alone, or both")
	case o.All && len(o.T) == 0:
		return nil, errors.New("choose at least one t, such as 5")
	}
	var runs []Run
	for _, n := range o.N {
		some, err := o.runsOf(n)
		if err != nil {
			return nil, err
		}
		runs = append(runs, some...)
	}
	return runs, nil
}

func (o Order) runsOf(n int) ([]Run, error) {
	var runs []Run
	mask := func(layers ...int) error {
		set, err := transform.Mask(transform.Masks{N: n, Layers: layers, Auto: len(layers) == 0 && !o.Small, AfterBatchNorm: o.AfterBatchNorm})
		if err != nil {
			return err
		}
		runs = append(runs, Run{Models: o.having(slices.Max(append(layers, 1))), Suite: o.Suite, Set: set.String()})
		return nil
	}
	if o.All {
		if err := mask(); err != nil {
			return nil, err
		}
	}
	for layer := 1; o.Each && len(o.having(layer)) > 0; layer++ {
		if err := mask(layer); err != nil {
			return nil, err
		}
	}
	for _, t := range o.T {
		if !o.All {
			break // shifts do not depend on masks: those of single convolutions need none of their own
		}
		set, err := transform.Shift(n, t)
		if err != nil {
			return nil, err
		}
		runs = append(runs, Run{Models: o.having(1), Suite: o.Suite, Set: set.String()})
	}
	return runs, nil
}

// having are the models with so many convolutions.
func (o Order) having(convolutions int) []string {
	var list []string
	for _, m := range o.Models {
		if len(m.Graph.Convs) >= convolutions {
			list = append(list, m.Hash)
		}
	}
	return list
}

// Text says how much there is to compute on a number of images.
func (o Order) Text(images int) string {
	runs, err := o.Runs()
	if err != nil {
		return present.Sentence(err)
	}
	var inferences int64
	for _, r := range runs {
		if f, err := transform.ParseAny(r.Set); err == nil {
			inferences += int64(f.N()) * int64(len(r.Models)) * int64(images)
		}
	}
	return fmt.Sprintf("%s, %s in all; what is there already is not computed again.", present.Counted(int64(len(runs)), "run"), present.Counted(inferences, "inference"))
}

// parseNumbers reads what the option n or t takes, separated by commas or blanks, each number once
// and in order.
func parseNumbers(name, text string) ([]int, error) {
	var o score.Options
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; ", r) })
	for _, f := range option.Fields(&o) {
		if f.Name == name {
			if err := f.Set(strings.Join(parts, ",")); err != nil {
				return nil, errors.New(option.Said(err))
			}
		}
	}
	return score.Ascending(append(o.N, o.T...)), nil
}

// without are the models with a convolution that have no score with the grid that is looked at.
func (d Data) without() []model.Model {
	return slices.DeleteFunc(d.withConvolution(), func(m model.Model) bool {
		return slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Model.Hash == m.Hash && r.Grid == d.Grid })
	})
}
