package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// Automations is the table of Table3.
var Automations = result.Table[Automation]{
	Name: "automation", Title: "Automation per interpolant", Noun: "assessor",
	ID: func(a Automation) string { return a.Interpolant + "/" + string(a.Settings.Algorithm) },
	Columns: slices.Concat(
		[]result.Column[Automation]{
			result.Texts("interpolant", "interpolant", "of the matrices; none for the baseline",
				func(a Automation) string { return a.Interpolant }),
			{
				Key: "algorithm", Title: "assessor", Help: "the algorithm that learned",
				Text: func(a Automation) string { return string(a.Settings.Algorithm) },
				Said: func(a Automation) string { return a.Settings.Algorithm.Title(true) },
			},
			repeated("accuracy", "accuracy",
				"automation accuracy: share of models, unseen in training, that are judged as the majority of the "+
					"annotators did: the mean of the repetitions",
				result.Share, func(a Automation) float64 { return a.Accuracy.Mean }),
			repeated("largest_deviation", "±",
				"the largest deviation of a repetition's accuracy from the mean", result.Share,
				func(a Automation) float64 { return a.Accuracy.Largest }),
			repeated("sd", "SD", "standard deviation of the repetitions' accuracy", result.Share,
				func(a Automation) float64 { return a.Accuracy.SD }),
			repeated("kappa", "kappa", "Cohen's kappa of the same verdicts with the majority vote",
				result.Coefficient, func(a Automation) float64 { return a.Kappa.Mean }),
			repeated("kappa_largest_deviation", "± kappa",
				"the largest deviation of a repetition's kappa from the mean",
				result.Coefficient, func(a Automation) float64 { return a.Kappa.Largest }),
			repeated("kappa_sd", "SD of kappa", "standard deviation of the repetitions' kappa", result.Coefficient,
				func(a Automation) float64 { return a.Kappa.SD }),
			fitted("fit_accuracy", "accuracy of the fit",
				"of the baseline with thresholds found on all models and judged on these", result.Share,
				func(f *Fit) float64 { return f.Accuracy }),
			fitted("fit_kappa", "kappa of the fit", "of the same verdicts with the majority vote", result.Coefficient,
				func(f *Fit) float64 {
					if !f.Kappa.Defined() {
						return math.NaN()
					}
					return f.Kappa.Value
				}),
			result.Texts("fit_thresholds", "thresholds of the fit", "ascending", func(a Automation) string {
				var list []string
				if a.Fit != nil {
					for _, v := range a.Fit.Thresholds {
						list = append(list, result.Number.Write(v))
					}
				}
				return strings.Join(list, ", ")
			}).In(result.FileOnly),
		},
		result.Lift(assess.SchemeColumns, func(a Automation) assess.Scheme { return a.Evaluation.Scheme }),
		result.Lift(assess.SettingsColumns, func(a Automation) assess.Settings { return a.Settings })),
}

func repeated(key, title, help string, format result.Format, of func(Automation) float64) result.Column[Automation] {
	c := result.Column[Automation]{
		Key: key, Title: title, Help: help, Format: format, Descending: true,
		Value: func(a Automation) float64 {
			if a.Problem != nil {
				return math.NaN()
			}
			return of(a)
		},
		Why: func(a Automation) result.Reason {
			if a.Problem == nil {
				return result.Reason{}
			}
			return result.Because(assess.NotTrained, "%s", a.Problem)
		},
	}
	if format == result.Share {
		c.Decimals = 2
	}
	return c
}

func fitted(key, title, help string, format result.Format, of func(*Fit) float64) result.Column[Automation] {
	return result.Column[Automation]{
		Key: key, Title: title, Help: help, Format: format, Show: result.FileOnly, Value: func(a Automation) float64 {
			if a.Fit == nil {
				return math.NaN()
			}
			return of(a.Fit)
		},
	}
}

// String says how good the fit is.
func (f *Fit) String() string {
	return fmt.Sprintf("worst-case accuracy with thresholds found on all models, and judged on these: %s",
		result.Share.Say(f.Accuracy, 2))
}

// Labels is the table of Table5.
var Labels = result.Table[Part]{
	Name: "labels", Title: "Labels", Noun: "label", ID: func(p Part) string { return string(p.Label) },
	Columns: []result.Column[Part]{
		{
			Key: "label", Title: "label", Help: "none for models without one", Format: result.Label,
			Text: func(p Part) string { return string(p.Label) },
		},
		result.Numbers("models", "models", "", result.Count, func(p Part) float64 { return float64(p.Models) }),
		result.Numbers("share", "share", "of the labelled models", result.Share,
			func(p Part) float64 { return p.Share }),
	},
}

// LabelsOf are the lines of Labels: those of Table5, and one without label for the models that
// have none.
func LabelsOf(d assess.Data) []Part {
	parts, unlabelled := Table5(d)
	if unlabelled > 0 {
		parts = append(parts, Part{Label: label.Value(""), Models: unlabelled, Share: math.NaN()})
	}
	return parts
}

// Named are Figures under their name: a row of Accuracies.
type Named struct {
	Name string
	Figures
	Histogram []int // over [0, 1] in equal bins
}

// bins is how many bins a Named histogram has.
const bins = 10

// AccuraciesIn are the lines of Table6 that some model has, each with its histogram. The error is
// that of Histogram.
func AccuraciesIn(d assess.Data) ([]Named, error) {
	accuracy, worst := Table6(d)
	first, second := AccuraciesOf(d)
	var list []Named
	for _, n := range []struct {
		Named
		values []float64
	}{{Named{"accuracy", accuracy, nil}, first}, {Named{"worst-case accuracy", worst, nil}, second}} {
		if n.N == 0 {
			continue
		}
		var err error
		if n.Histogram, err = Histogram(n.values, bins); err != nil {
			return nil, err
		}
		list = append(list, n.Named)
	}
	return list, nil
}

// String says the figures in a line.
func (n Named) String() string {
	say := func(v float64) string { return result.Share.Say(v, 2) }
	return fmt.Sprintf("%s of %s: mean %s, largest %s, smallest %s, std %s", n.Name, result.Counted(n.N, "model"),
		say(n.Mean), say(n.Max), say(n.Min), say(n.Std))
}

// Accuracies is the table of Table6, with the histograms of Fig. 16.
var Accuracies = result.Table[Named]{
	Name: "accuracies", Title: "Accuracies", Noun: "figure", ID: func(n Named) string { return n.Name },
	Columns: []result.Column[Named]{
		result.Texts("figure", "of", "", func(n Named) string { return n.Name }),
		result.Numbers("models", "models", "that have it", result.Count, func(n Named) float64 { return float64(n.N) }),
		figure("mean", "mean", func(n Named) float64 { return n.Mean }), figure("max", "largest",
			func(n Named) float64 { return n.Max }),
		figure("min", "smallest", func(n Named) float64 { return n.Min }), figure("std", "std",
			func(n Named) float64 { return n.Std }),
	},
	More: func([]Named) []result.Column[Named] {
		list := make([]result.Column[Named], bins)
		for k := range list {
			low, high := float64(k)/bins, float64(k+1)/bins
			list[k] = result.Column[Named]{
				Key: fmt.Sprintf("from_%g", low), Title: fmt.Sprintf("from %g to %g", low, high),
				Help: "models in this bin", Format: result.Count,
				Show: result.FileOnly, Value: func(n Named) float64 { return float64(n.Histogram[k]) },
			}
		}
		return list
	},
}

func figure(key, title string, of func(Named) float64) result.Column[Named] {
	return result.Column[Named]{Key: key, Title: title, Format: result.Share, Decimals: 2, Value: of}
}

// String says the line of Table 4.
func (d Diversity) String() string {
	s := Diversities.Sheet([]Diversity{d})
	say := func(key string) string { return s.Fields[s.Field(key)].Say(0) }
	return fmt.Sprintf("%d scenes per target: neuron coverage %s over %s, Fleiss' kappa %s, F1 %s",
		d.N, say("coverage"), result.Counted(d.Models, "model"), say("fleiss"), say("f1"))
}

// Diversities is the table of Table4.
var Diversities = result.Table[Diversity]{
	Name: "coverage", Title: "Diversity of scenes", Noun: "selection",
	ID: func(d Diversity) string { return fmt.Sprint(d.N) },
	Columns: []result.Column[Diversity]{
		result.Numbers("scenes", "scenes", "per target", result.Count,
			func(d Diversity) float64 { return float64(d.N) }),
		result.Numbers("models", "models", "with a coverage", result.Count,
			func(d Diversity) float64 { return float64(d.Models) }),
		result.Numbers("coverage", "coverage", "neuron coverage, the mean over the models", result.Share,
			func(d Diversity) float64 { return d.Coverage }),
		{
			Key: "fleiss", Title: "Fleiss' kappa", Format: result.Coefficient,
			Value: func(d Diversity) float64 { return d.Fleiss.Number() },
			Why:   func(d Diversity) result.Reason { return d.Fleiss.Reason },
		},
		result.Numbers("f1", "F1", "of coverage and Fleiss' kappa", result.Number,
			func(d Diversity) float64 { return d.F1 }),
	},
}
