package assess

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// Comparison is the table of all algorithms, as the paper's Table IV, with what is behind it.
var Comparison = result.Table[Compared]{
	Name: "eval", Title: "Assessors", Noun: "assessor",
	ID: func(c Compared) string { return string(c.Settings.Algorithm) },
	Columns: slices.Concat(
		[]result.Column[Compared]{
			algorithm(func(c Compared) *Compared { return &c }),
			result.Counts("models", "models", "models with a label",
				func(c Compared) int { return len(c.Data.Labelled()) }).In(result.Offered),
			result.Counts("verdicts", "verdicts", "verdicts on models that were unseen in training, of all repetitions",
				func(c Compared) int { return c.Evaluation.Metrics.N }).In(result.Offered),
			measure("accuracy", "accuracy",
				"share of models, unseen in training, that are judged as they are labelled: "+
					"the mean of the repetitions",
				result.Share, func(e Evaluation) float64 { return e.Accuracy }),
			measure("largest_deviation", "±", "the largest deviation of a repetition's accuracy from the mean",
				result.Share, func(e Evaluation) float64 { return e.LargestDeviation }),
			measure("sd", "SD",
				"standard deviation of the repetitions' accuracy: "+
					"how much depends on which models happened to be trained on",
				result.Share, func(e Evaluation) float64 { return e.SD }),
			result.Texts("chance", "chance",
				"accuracy that is not above chance, or verdicts nearly all of which are one label; "+
					"counted for the mean of the repetitions",
				func(c Compared) string { return string(c.Evaluation.Chance().Code) }).
				Told(func(c Compared) string { return c.Evaluation.Chance().Code.Word() }),
			measure("pooled_accuracy", "pooled accuracy",
				"share of the verdicts of all repetitions together that are right",
				result.Share, func(e Evaluation) float64 { return e.Metrics.Accuracy }).In(result.Offered),
			measure("balanced_accuracy", "balanced",
				"balanced accuracy: the mean over the classes of the share that is judged rightly; "+
					"guessing gives 50 % with two classes", result.Share,
				func(e Evaluation) float64 { return e.Metrics.Balanced }),
			measure("precision", "precision", "share of the verdicts variant that are right", result.Share,
				func(e Evaluation) float64 { return e.Metrics.Precision }).In(result.Offered),
			measure("recall", "recall", "share of the variant models that are judged variant", result.Share,
				func(e Evaluation) float64 { return e.Metrics.Recall }).In(result.Offered),
			measure("f1", "F1", "F1 of variant: the harmonic mean of precision and recall", result.Share,
				func(e Evaluation) float64 { return e.Metrics.F1 }),
			measure("macro_f1", "mean F1", "mean of the classes' F1", result.Share,
				func(e Evaluation) float64 { return e.Metrics.MacroF1 }).In(result.Offered),
			measure("auc", "AUC",
				"area under the ROC curve: how likely a variant model gets a higher probability of variant than an "+
					"invariant one; 0.5 is guessing, 1 is best", result.Number,
				func(e Evaluation) float64 { return e.Metrics.AUC }),
			measure("average_precision", "average precision",
				"area under the curve of precision over recall", result.Number,
				func(e Evaluation) float64 { return e.Metrics.AveragePrecision }).In(result.Offered),
			measure("brier", "Brier",
				"Brier score: mean square of the probability of variant less 1 for variant, 0 for others; "+
					"missing without probabilities",
				result.Number, func(e Evaluation) float64 { return e.Metrics.Brier }).In(result.Offered),
			measure("kappa", "kappa",
				"Cohen's kappa of the verdicts on unseen models against their labels, the mean of the repetitions: "+
					"agreement beyond chance; 0 is chance, 1 is perfect", result.Coefficient,
				func(e Evaluation) float64 { return e.Kappa.Mean }),
			measure("kappa_largest_deviation", "± kappa", "the largest deviation of a repetition's kappa from the mean",
				result.Coefficient, func(e Evaluation) float64 { return e.Kappa.Largest }),
			measure("kappa_sd", "SD of kappa", "standard deviation of the repetitions' kappa", result.Coefficient,
				func(e Evaluation) float64 { return e.Kappa.SD }).In(result.Offered),
		},
		result.Lift(SchemeColumns, func(c Compared) Scheme { return c.Evaluation.Scheme }),
		[]result.Column[Compared]{
			result.Bools("tuned", "tuned", "hyper-parameters were chosen by nested cross-validation",
				func(c Compared) bool { return c.Evaluation.Tuned }).In(result.FileOnly),
			result.Texts("note", "note", "what to know about the scheme",
				func(c Compared) string { return c.Evaluation.Note }).In(result.FileOnly),
		},
		result.Lift(SettingsColumns, func(c Compared) Settings { return c.Settings })),
	More: func(list []Compared) []result.Column[Compared] {
		if !slices.ContainsFunc(list, func(c Compared) bool { return c.Whole != nil }) {
			return nil
		}
		all := func(of func(Evaluation) float64) func(Compared) float64 {
			return func(c Compared) float64 {
				if c.Whole == nil {
					return nan
				}
				return of(*c.Whole)
			}
		}
		return []result.Column[Compared]{
			{
				Key: "whole_accuracy", Title: "on all",
				Help: "accuracy where training and test are over all images or targets", Format: result.Share,
				Decimals: 2, Value: all(func(e Evaluation) float64 { return e.Accuracy }),
			},
			{
				Key: "whole_largest_deviation", Title: "± on all",
				Help: "the largest deviation of a repetition from it", Format: result.Share,
				Decimals: 2, Value: all(func(e Evaluation) float64 { return e.LargestDeviation }),
			},
			{
				Key: "difference", Title: "difference", Help: "accuracy less that on all", Format: result.Points,
				Decimals: 2,
				Value: func(c Compared) float64 {
					return all(func(e Evaluation) float64 { return c.Evaluation.Accuracy - e.Accuracy })(c)
				},
			},
		}
	},
}

// Repetitions is the table of the repetitions of evaluations.
var Repetitions = result.Table[Repetition]{
	Name: "repetitions", Title: "Repetitions", Noun: "repetition", ID: Repetition.id,
	Columns: []result.Column[Repetition]{
		algorithm(func(r Repetition) *Compared { return r.Of }),
		repetition(func(r Repetition) int { return r.R }),
		percent("accuracy", "accuracy", "the mean of the folds",
			func(r Repetition) float64 { return r.Of.Evaluation.Repetitions[r.R] }),
		{
			Key: "kappa", Title: "kappa", Help: "of the verdicts of all folds together with the labels",
			Format: result.Coefficient, Descending: true,
			Value: func(r Repetition) float64 {
				if v := r.Of.Evaluation.Kappa.Repetitions[r.R]; v.Defined() {
					return v.Value
				}
				return nan
			},
			Why: func(r Repetition) result.Reason {
				return result.Because("undefined", "%s", r.Of.Evaluation.Kappa.Repetitions[r.R].Reason)
			},
		},
	},
}

// Folds is the table of the folds of evaluations. The settings are those with which the fold's
// assessor was trained.
var Folds = result.Table[FoldOf]{
	Name: "folds", Title: "Folds", Noun: "fold", ID: func(f FoldOf) string { return f.id() + "/" + f.Name },
	Columns: slices.Concat(
		[]result.Column[FoldOf]{
			algorithm(func(f FoldOf) *Compared { return f.Of }),
			repetition(func(f FoldOf) int { return f.R }),
			result.Texts("fold", "fold", "the models that were tested on", func(f FoldOf) string { return f.Name }),
			result.Counts("tests", "models", "models that were tested on", func(f FoldOf) int { return f.Tests }),
			result.Counts("trained", "learned from", "models that were trained on",
				func(f FoldOf) int { return f.Trained }),
			percent("accuracy", "accuracy", "share of these that are judged as they are labelled",
				func(f FoldOf) float64 { return f.Accuracy }),
		},
		result.Lift(SettingsColumns, func(f FoldOf) Settings { return f.Chosen })),
}

// Predictions is the table of all verdicts on models that an assessor had not seen.
var Predictions = result.Table[PredictionOf]{
	Name: "predictions", Title: "Verdicts on unseen models", Noun: "verdict",
	ID: func(p PredictionOf) string { return fmt.Sprint(p.Of.Settings.Algorithm, "/", p.K) },
	Columns: slices.Concat(
		[]result.Column[PredictionOf]{
			algorithm(func(p PredictionOf) *Compared { return p.Of }),
			repetition(func(p PredictionOf) int { return p.Repetition }),
			result.Texts("fold", "fold", "the models that were tested on",
				func(p PredictionOf) string { return p.Of.Evaluation.Folds[p.Repetition][p.Fold].Name }),
		},
		modelColumns(func(p PredictionOf) (string, string) { r := p.Of.Data.Rows[p.Row]; return r.ID, r.Hash }),
		[]result.Column[PredictionOf]{
			labels("label", "label", "the training label",
				func(p PredictionOf) label.Value { return p.Of.Data.Classes[p.Truth] }),
			labels("verdict", "verdict", "what the assessor says", func(p PredictionOf) label.Value { return p.Label }),
			probability(func(p PredictionOf) Verdict { return p.Verdict }),
			score(func(p PredictionOf) Verdict { return p.Verdict }),
		}),
}

// Curves is the table of the points of ROC and precision-recall curves and of calibrations.
var Curves = result.Table[CurvePoint]{
	Name: "curves", Title: "Curves", Noun: "point",
	ID: func(p CurvePoint) string { return fmt.Sprint(p.Of.Settings.Algorithm, "/", p.Curve, "/", p.K) },
	Columns: []result.Column[CurvePoint]{
		algorithm(func(p CurvePoint) *Compared { return p.Of }),
		result.Texts("curve", "curve",
			"roc: true over false positive rate; pr: precision over recall; calibration: share that is variant over "+
				"the predicted probability", func(p CurvePoint) string { return p.Curve }),
		number("x", "x", "false positive rate, recall, or mean predicted probability of variant",
			func(p CurvePoint) float64 { return p.X }),
		number("y", "y", "true positive rate, precision, or share that is variant",
			func(p CurvePoint) float64 { return p.Y }),
		number("threshold", "threshold", "models with this score or a higher one are called variant",
			func(p CurvePoint) float64 { return p.Threshold }),
		{
			Key: "n", Title: "n", Help: "verdicts in the bin of a calibration", Format: result.Count,
			Value: func(p CurvePoint) float64 {
				if p.N < 0 {
					return nan
				}
				return float64(p.N)
			},
		},
	},
}

// Confusions is the table of the verdicts by label.
var Confusions = result.Table[ConfusionCell]{
	Name: "confusion", Title: "Verdicts by label", Noun: "cell",
	ID: func(c ConfusionCell) string {
		return fmt.Sprint(c.Of.Settings.Algorithm, "/", c.Label, "/", c.Verdict)
	},
	Columns: []result.Column[ConfusionCell]{
		algorithm(func(c ConfusionCell) *Compared { return c.Of }),
		labels("label", "label", "the training label", func(c ConfusionCell) label.Value { return c.Label }),
		labels("verdict", "verdict", "what the assessor says", func(c ConfusionCell) label.Value { return c.Verdict }),
		result.Counts("n", "verdicts", "over all repetitions", func(c ConfusionCell) int { return c.N }),
	},
}

// Kappas is the table of Cohen's kappa between raters.
var Kappas = result.Table[RatersKappa]{
	Name: "kappas", Title: "Kappas of raters", Noun: "pair",
	ID: func(k RatersKappa) string { return k.A + "/" + k.B + "/" + strconv.FormatBool(k.Of != nil) },
	Columns: []result.Column[RatersKappa]{
		result.Texts("a", "rater", "annotator, or assessor by its most frequent verdict on each model",
			func(k RatersKappa) string { return k.A }),
		result.Texts("b", "and", "annotator, their majority, or the training label",
			func(k RatersKappa) string { return k.B }),
		agreement.Estimated("kappa", "kappa",
			"Cohen's kappa, nominal: agreement beyond chance; 0 is chance, 1 is perfect",
			result.Coefficient, func(k RatersKappa) agreement.Estimate { return k.Estimate }),
		result.Counts("n", "models", "models that both rated", func(k RatersKappa) int { return k.N }),
		{
			Key: "remark", Title: "remark", Help: "a word for the kappa, a hint only, and why it has no interval",
			Text: func(k RatersKappa) string { return k.Remark() },
		},
	},
}

// DoubtedLabels is the table of the models whose label an assessor doubts when it has not seen
// them, the most doubtful first; LeastSureModels that of the models that an assessor is least sure
// of.
var (
	DoubtedLabels = doubtTable("doubts", "Labels in doubt", result.Column[Doubted]{
		Key: "own_probability", Title: "own label", Format: result.Share,
		Help:  "the probability that the assessor, unseen, gives to the model's own label",
		Value: func(d Doubted) float64 { return d.Own },
	})
	LeastSureModels = doubtTable("least_sure", "Least sure", result.Column[Doubted]{
		Key: "margin", Title: "margin", Format: result.Number,
		Help:  "what lies between the probabilities of the two likeliest classes; 0 is a coin's toss",
		Value: func(d Doubted) float64 { return d.Margin },
	})
)

func doubtTable(name, title string, last result.Column[Doubted]) result.Table[Doubted] {
	return result.Table[Doubted]{
		Name: name, Title: title, Noun: "model", ID: func(d Doubted) string {
			return d.algorithm() + d.Hash + "/" + d.ID
		},
		Columns: slices.Concat(
			[]result.Column[Doubted]{{
				Key: "algorithm", Title: "assessor", Help: "which assessor", Show: result.FileOnly,
				Text: Doubted.algorithm,
			}},
			modelColumns(func(d Doubted) (string, string) { return d.ID, d.Hash }),
			[]result.Column[Doubted]{
				labels("label", "label", "the training label", func(d Doubted) label.Value { return d.Label }),
				labels("verdict", "verdict", "what the assessor says, most often",
					func(d Doubted) label.Value { return d.Verdict }),
				last,
			}),
	}
}

func (d Doubted) algorithm() string {
	if d.Of == nil {
		return ""
	}
	return string(d.Of.Settings.Algorithm)
}

// Verdicts is the table of an assessor's verdicts beside what people say.
var Verdicts = result.Table[Judgement]{
	Name: "predict", Title: "Verdicts", Noun: "model", ID: func(j Judgement) string { return cmp.Or(j.Hash, j.ID) },
	First: result.Order{Key: "model_id"},
	Columns: slices.Concat(
		modelColumns(func(j Judgement) (string, string) { return j.ID, j.Hash }),
		[]result.Column[Judgement]{
			labels("verdict", "verdict", "what the assessor says of the model",
				func(j Judgement) label.Value { return j.Verdict.Label }).Because(func(j Judgement) result.Reason {
				return j.Why
			}),
			probability(func(j Judgement) Verdict { return j.Verdict }),
			of("probability_borderline", label.Borderline),
			of("probability_invariant", label.Invariant),
			score(func(j Judgement) Verdict { return j.Verdict }),
			labels("label", "label", "the label that the assessor learned from, or that is compared with it",
				func(j Judgement) label.Value { return j.Label }).Because(func(j Judgement) result.Reason {
				return j.NoLabel
			}),
			result.Bools("disagrees", "disagrees", "the label is another one than the verdict", func(j Judgement) bool {
				return j.Label != "" && j.Label != j.Verdict.Label
			}).In(result.FileOnly),
			result.Texts("differs", "differs", "who says otherwise than the assessor: the label, or annotators",
				func(j Judgement) string { return strings.Join(j.Differs, ", ") }),
			result.Bools("in_training_set", "learned from",
				"the assessor learned from the model: it is judged with knowledge",
				func(j Judgement) bool { return j.Learned > 0 }),
		},
		result.Lift(DistanceColumns, func(j Judgement) Distance { return j.Distance })),
	More: func(list []Judgement) (more []result.Column[Judgement]) {
		if slices.ContainsFunc(list, func(j Judgement) bool { return j.Unseen != "" }) {
			more = append(more,
				labels("unseen", "unseen",
					"what assessors that had not seen the model said of it in the test, most often",
					func(j Judgement) label.Value { return j.Unseen }))
		}
		more = append(more, ResampledColumns(list)...)
		if len(list) == 0 {
			return more
		}
		for k, name := range list[0].Raters {
			more = append(more, labels("label."+name, name, fmt.Sprintf("what %s says of the model", name),
				func(j Judgement) label.Value {
					if k < len(j.Ratings) {
						return j.Ratings[k]
					}
					return ""
				}))
		}
		return more
	},
}

// SchemeColumns say how models were parted.
var SchemeColumns = []result.Column[Scheme]{
	result.Texts("scheme", "scheme", "how models are parted", func(s Scheme) string { return string(s.Kind) }).
		Told(func(s Scheme) string { return s.Kind.Title() }).In(result.FileOnly),
	setting("folds", "folds of a repetition", func(s Scheme) float64 { return float64(s.Folds) }),
	setting("repetitions", "how often the models were shuffled",
		func(s Scheme) float64 { return float64(s.Repetitions) }),
	result.Texts("scheme_seed", "seed of the scheme", "",
		func(s Scheme) string { return strconv.FormatUint(s.Seed, 10) }).In(result.FileOnly),
}

// SettingsColumns are hyper-parameters; where one is missing, it is scikit-learn's default or of
// another algorithm.
var SettingsColumns = []result.Column[Settings]{
	result.Texts("seed", "seed", "",
		func(s Settings) string { return strconv.FormatUint(s.Seed, 10) }).In(result.FileOnly),
	setting("max_depth", "splits on the longest path", func(s Settings) float64 { return float64(s.MaxDepth) }),
	setting("min_leaf", "least number of models in a leaf", func(s Settings) float64 { return float64(s.MinLeaf) }),
	setting("trees", "trees of the forest", func(s Settings) float64 { return float64(s.Trees) }),
	setting("tree_columns", "features that a node of the forest looks at",
		func(s Settings) float64 { return float64(s.Columns) }),
	result.Texts("boosting", "boosting", "", func(s Settings) string { return string(s.Boosting) }).In(result.FileOnly),
	setting("rounds", "rounds of boosting", func(s Settings) float64 { return float64(s.Rounds) }),
	setting("learning_rate", "of boosting", func(s Settings) float64 { return s.LearningRate }),
	result.Bools("z_scores", "z-scores", "of the regression",
		func(s Settings) bool { return s.ZScores }).In(result.FileOnly),
	result.Texts("score_name", "score", "of the baseline",
		func(s Settings) string { return string(s.Score) }).In(result.FileOnly),
}

// setting is a column of a number, of which 0 is missing.
func setting[R any](key, help string, value func(R) float64) result.Column[R] {
	return result.Column[R]{
		Key: key, Title: strings.ReplaceAll(key, "_", " "), Help: help, Format: result.Number, Show: result.FileOnly,
		Value: func(r R) float64 {
			if v := value(r); v != 0 {
				return v
			}
			return nan
		},
	}
}

// algorithm is the column of which assessor a record is.
func algorithm[R any](of func(R) *Compared) result.Column[R] {
	return result.Column[R]{
		Key: "algorithm", Title: "assessor", Help: "the algorithm that learned",
		Text: func(r R) string { return string(of(r).Settings.Algorithm) },
		Said: func(r R) string { return of(r).Title() },
	}
}

// measure is a column of an evaluation.
func measure(key, title, help string, format result.Format, value func(Evaluation) float64) result.Column[Compared] {
	c := result.Column[Compared]{
		Key: key, Title: title, Help: help, Format: format, Descending: true, Why: Compared.why,
		Value: func(c Compared) float64 {
			if c.Problem != nil {
				return nan
			}
			return value(c.Evaluation)
		},
	}
	if format == result.Share {
		c.Decimals = 2
	}
	return c
}

func labels[R any](key, title, help string, of func(R) label.Value) result.Column[R] {
	return result.Column[R]{
		Key: key, Title: title, Help: help, Format: result.Label,
		Text: func(r R) string { return string(of(r)) },
	}
}

func number[R any](key, title, help string, of func(R) float64) result.Column[R] {
	return result.Column[R]{
		Key: key, Title: title, Help: help, Format: result.Number, Decimals: 4, Descending: true,
		Value: of,
	}
}

func percent[R any](key, title, help string, of func(R) float64) result.Column[R] {
	return result.Column[R]{
		Key: key, Title: title, Help: help, Format: result.Share, Decimals: 2, Descending: true,
		Value: of,
	}
}

// repetition counts from 1.
func repetition[R any](of func(R) int) result.Column[R] {
	return result.Column[R]{
		Key: "repetition", Title: "repetition", Help: "from 1", Format: result.Count,
		Value: func(r R) float64 { return float64(of(r) + 1) },
	}
}

// probability is the column of how likely a model is variant.
func probability[R any](of func(R) Verdict) result.Column[R] {
	return result.Column[R]{
		Key: "probability_variant", Title: "variant", Help: "the probability that the assessor gives to variant",
		Format: result.Share, Descending: true,
		Value: func(r R) float64 { return of(r).Variant() },
		Why: func(r R) result.Reason {
			if of(r).Label == "" {
				return result.Reason{}
			}
			return result.Because(NoProbability, "the baseline gives no probability")
		},
	}
}

// of is the column of another class's probability.
func of(key string, class label.Value) result.Column[Judgement] {
	return result.Column[Judgement]{
		Key: key, Title: string(class), Help: "the probability that the assessor gives to " + string(class),
		Format: result.Share, Show: result.FileOnly,
		Descending: true, Value: func(j Judgement) float64 {
			if k := slices.Index(j.Classes, class); k >= 0 && k < len(j.Verdict.Probability) {
				return j.Verdict.Probability[k]
			}
			return nan
		},
	}
}

// score is the column of what orders models.
func score[R any](of func(R) Verdict) result.Column[R] {
	return result.Column[R]{
		Key: "score", Title: "score",
		Help:   "what orders models; it grows with variance and is not comparable between algorithms",
		Format: result.Number, Show: result.Offered, Descending: true, Value: func(r R) float64 { return of(r).Score },
	}
}

func (r Repetition) id() string { return fmt.Sprint(r.Of.Settings.Algorithm, "/", r.R) }
