package assess

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/variance"
)

// curveSteps is the number of shares in the paper's Tables XII to XX.
const curveSteps = 10

// CurveShares are the shares of the suite in the paper's Tables XII to XX: 0.1, 0.2, ... 1.
func CurveShares() []float64 {
	shares := make([]float64, curveSteps)
	for k := range shares {
		shares[k] = float64(k+1) / curveSteps
	}
	return shares
}

// CurveSubsets are the images (ascending) of CurveShares, drawn from the seed. Each subset holds
// the ones before it: they are what variance.Images with that share and seed chooses, so the tables
// agree with the matrices that the slider of the share shows. The paper does not say how its shares
// were drawn. The error says that the suite is too small.
func CurveSubsets(images int, seed uint64) ([][]int, error) {
	if images < curveSteps {
		return nil, fmt.Errorf("a suite of %d images has no tenth; features over shares need %d images or more",
			images, curveSteps)
	}
	shares := CurveShares()
	subsets := make([][]int, len(shares))
	for k, share := range shares {
		choice := variance.AllImages()
		choice.Share, choice.Seed = share, seed
		var err error
		if subsets[k], err = choice.Choose(make([]int, images), nil, nil); err != nil {
			return nil, err
		}
	}
	return subsets, nil
}

// FeatureCurves is how the features of a repository's models change with the share of the suite.
type FeatureCurves struct {
	Shares []float64 // ascending, the last is 1
	Names  []string  // of the columns, "max@CONF.svm"
	Models []ModelCurves
	// Deviations are over all models, in the order of Names.
	Deviations []CurveDeviation
}

// ModelCurves are the features of one model over the shares.
type ModelCurves struct {
	ID, Hash string
	Values   [][]float64 // columns x shares
}

// CurveDeviation is how far a feature is from its value over the whole suite, relative to that: |v
// - v100| / |v100|.
type CurveDeviation struct {
	Name string
	// N is the number of models behind the figures: those whose feature is not 0 over the whole
	// suite.
	N int
	// Median and Largest of the models, by share; nil where N is 0.
	Median, Largest []float64
	// Farthest is the model with the largest deviation, by share: its place among Models, the first
	// among equals.
	Farthest []int
}

// FollowShares follows the features over shares of the suite. measured is the repository measured
// on each share, with the same models in the same order; shares ascend and the last is 1, as those
// of CourseShares. Models need no labels.
func FollowShares(measured []Data, shares []float64) (FeatureCurves, error) {
	if err := checkShares(shares, len(measured)); err != nil {
		return FeatureCurves{}, err
	}
	if err := checkAlike(measured); err != nil {
		return FeatureCurves{}, err
	}
	first := measured[0]
	c := FeatureCurves{Shares: slices.Clone(shares), Names: slices.Clone(first.Names)}
	for i, row := range first.Rows {
		m := ModelCurves{ID: row.ID, Hash: row.Hash, Values: make([][]float64, len(c.Names))}
		for column := range m.Values {
			m.Values[column] = make([]float64, len(shares))
			for k, d := range measured {
				m.Values[column][k] = d.Rows[i].X[column]
			}
		}
		c.Models = append(c.Models, m)
	}
	for column := range c.Names {
		c.Deviations = append(c.Deviations, c.deviation(column))
	}
	return c, nil
}

func checkShares(shares []float64, measured int) error {
	if len(shares) != measured {
		return fmt.Errorf("%d shares of the suite, but the models are measured on %d", len(shares), measured)
	}
	before := 0.0
	for _, share := range shares {
		if !(share > before && share <= 1) {
			return fmt.Errorf("shares %v of the suite do not ascend from above 0 to 1", shares)
		}
		before = share
	}
	if before != 1 {
		return fmt.Errorf("shares %v of the suite do not end with 1, the whole suite "+
			"that they are compared with", shares)
	}
	return nil
}

// deviation compares a column of all models with its value over the whole suite.
func (c FeatureCurves) deviation(column int) CurveDeviation {
	d := CurveDeviation{Name: c.Names[column]}
	last := len(c.Shares) - 1
	var models []int
	for i, m := range c.Models {
		if m.Values[column][last] != 0 {
			models = append(models, i)
		}
	}
	d.N = len(models)
	if d.N == 0 {
		return d
	}
	relative := make([]float64, d.N)
	for k := range c.Shares {
		for x, i := range models {
			values := c.Models[i].Values[column]
			relative[x] = math.Abs(values[k]-values[last]) / math.Abs(values[last])
		}
		largest := slices.Max(relative)
		d.Largest = append(d.Largest, largest)
		d.Farthest = append(d.Farthest, models[slices.Index(relative, largest)])
		slices.Sort(relative)
		d.Median = append(d.Median, stats.Quantile(relative, 0.5))
	}
	return d
}
