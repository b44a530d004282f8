package assess

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// Explanations is the table of what explanations of single verdicts begin with and come to.
var Explanations = result.Table[*Explained]{
	Name: "explanation", Title: "Explanation", Noun: "model",
	ID: func(e *Explained) string { return e.Judgement.Hash + "/" + e.Judgement.ID },
	Columns: slices.Concat(
		result.Lift(Verdicts.Columns, func(e *Explained) Judgement { return e.Judgement }),
		[]result.Column[*Explained]{
			labels("class", "class", "whose output is explained", func(e *Explained) label.Value { return e.Class }),
			result.Texts("unit", "output", "what the output is", func(e *Explained) string { return e.Unit }),
			number("base", "base", "the output without knowing any feature",
				func(e *Explained) float64 { return e.Base }),
			number("value", "value", "the output: base and all parts together",
				func(e *Explained) float64 { return e.Output }),
		}),
}

// Parts is the table of what each feature adds to an output, MatrixParts that of each matrix.
var (
	Parts = result.Table[PartOf]{
		Name: "explain", Title: "Parts of the features", Noun: "feature", ID: func(p PartOf) string { return p.Name },
		Columns: []result.Column[PartOf]{
			partOf, result.Texts("feature", "feature", "of the model", func(p PartOf) string { return p.Name }),
			number("value", "value", "of the feature", func(p PartOf) float64 { return p.Value }), phi,
		},
	}
	MatrixParts = result.Table[PartOf]{
		Name: "explain_matrices", Title: "Parts of the matrices", Noun: "matrix",
		ID: func(p PartOf) string { return p.Name },
		Columns: []result.Column[PartOf]{partOf, result.Texts("matrix", "matrix", "all of whose features are meant",
			func(p PartOf) string { return p.Name }), phi},
	}

	partOf = result.Column[PartOf]{
		Key: "model_id", Title: "model", Show: result.FileOnly,
		Text: func(p PartOf) string { return p.Of.Judgement.ID },
	}
	phi = number("phi", "part", "what it adds to the output: an exact Shapley value (spec/assessors.md)",
		func(p PartOf) float64 { return p.Phi })
)

// Weights is the table of how much each feature matters to an assessor.
var Weights = result.Table[Weighed]{
	Name: "explain", Title: "Features", Noun: "feature", ID: func(w Weighed) string { return w.Name },
	Columns: []result.Column[Weighed]{
		result.Texts("feature", "feature", "", func(w Weighed) string { return w.Name }),
		number("mean_abs_phi", "mean |part|", "mean over the models of the absolute Shapley value",
			func(w Weighed) float64 { return w.Phi }),
		{
			Key: "permutation_importance", Title: "accuracy lost by shuffling",
			Help:   "on models that were not learned from; below 0 is chance",
			Format: result.Points, Decimals: 2, Descending: true, Value: func(w Weighed) float64 { return w.Lost },
			Why: func(w Weighed) result.Reason { return w.Why },
		},
		{
			Key: "permutation_sd", Title: "± SD", Help: "its standard deviation over the shuffles",
			Format: result.Share, Decimals: 2,
			Value: func(w Weighed) float64 { return w.SD },
		},
	},
}

// Summaries is the table of what Weights are of.
var Summaries = result.Table[Summed]{
	Name: "explanation", Title: "Explanation", Noun: "assessor", ID: func(s Summed) string { return string(s.Class) },
	Columns: []result.Column[Summed]{
		labels("class", "class", "whose output is explained", func(s Summed) label.Value { return s.Class }),
		result.Texts("unit", "output", "what the output is", func(s Summed) string { return s.Unit }),
		result.Counts("models", "models", "that were explained", func(s Summed) int { return len(s.Rows) }),
		result.Counts("labelled", "labelled", "of these, models with a label",
			func(s Summed) int { return s.Labelled }),
		result.Counts("permutation_models", "shuffled", "models that the permutation importance was measured on",
			func(s Summed) int { return s.Importance.Models }),
		result.Bools("permutation_refitted", "refitted",
			"it is that of assessors with the same settings that had not seen these models",
			func(s Summed) bool { return s.Importance.Refitted }),
		result.Texts("permutation_note", "note", "on the permutation importance",
			func(s Summed) string { return s.Importance.String() }),
	},
}

// Medians is the table of how far features over shares of the images are from those over all of
// them.
var Medians = result.Table[MedianOf]{
	Name: "medians", Title: "Median deviations", Noun: "feature", ID: func(m MedianOf) string { return m.Name },
	Columns: []result.Column[MedianOf]{
		result.Texts("feature", "feature", "", func(m MedianOf) string { return m.Name }),
		result.Counts("models", "models", "models whose feature is not 0 over the whole",
			func(m MedianOf) int { return m.N }),
	},
	More: func(list []MedianOf) []result.Column[MedianOf] {
		if len(list) == 0 {
			return nil
		}
		return shares(list[0].Of,
			"the models' median deviation from the whole, relative to the value there", result.Share,
			func(m MedianOf, k int) float64 {
				if m.N == 0 {
					return nan
				}
				return m.Median[k]
			})
	},
}

// Deviations is the table of Medians with a row per share.
var Deviations = result.Table[Deviating]{
	Name: "deviations", Title: "Deviations", Noun: "share",
	ID: func(d Deviating) string { return d.Name + "/" + strconv.Itoa(d.K) },
	Columns: []result.Column[Deviating]{
		result.Texts("feature", "feature", "", func(d Deviating) string { return d.Name }),
		{
			Key: "share", Title: "share", Help: "of the images or targets", Format: result.Share,
			Value: func(d Deviating) float64 { return d.Of.Shares[d.K] },
		},
		percent("median", "median", "the models' median deviation from the whole, relative to the value there",
			func(d Deviating) float64 { return d.Median[d.K] }),
		percent("largest", "largest", "the largest deviation of a model",
			func(d Deviating) float64 { return d.Largest[d.K] }),
		result.Texts("farthest", "farthest", "the model with the largest deviation",
			func(d Deviating) string { return d.Of.Models[d.Farthest[d.K]].ID }),
		result.Counts("models", "models", "models whose feature is not 0 over the whole",
			func(d Deviating) int { return d.N }),
	},
}

// FeaturesOverShares is the table of the models' features over shares of the images (the paper's
// Tables XII to XX).
var FeaturesOverShares = result.Table[FeatureCurve]{
	Name: "course", Title: "Features over shares", Noun: "feature",
	ID: func(c FeatureCurve) string { return fmt.Sprint(c.M, "/", c.Of.Names[c.Name]) },
	Columns: append(modelColumns(func(c FeatureCurve) (string, string) { m := c.Of.Models[c.M]; return m.ID, m.Hash }),
		result.Texts("feature", "feature", "", func(c FeatureCurve) string { return c.Of.Names[c.Name] })),
	More: func(list []FeatureCurve) []result.Column[FeatureCurve] {
		if len(list) == 0 {
			return nil
		}
		return shares(list[0].Of, "the feature over this share", result.Number,
			func(c FeatureCurve, k int) float64 { return c.Of.Models[c.M].Values[c.Name][k] })
	},
}

// shares are a column per share of the images.
func shares[R any](c *FeatureCurves, help string, format result.Format,
	value func(r R, k int) float64,
) []result.Column[R] {
	list := make([]result.Column[R], len(c.Shares))
	for k, s := range c.Shares {
		percent := result.Number.Write(math.Round(1e4*s) / 100)
		list[k] = result.Numbers("share_"+percent, percent+" %", help, format, func(r R) float64 { return value(r, k) })
	}
	return list
}
