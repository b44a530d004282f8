package assess

import (
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/engine/variance"
)

// DataOptions say which models an assessor learns from or judges, and where their labels come from.
type DataOptions struct {
	Suite       string `help:"Suite of a workspace, by name or hash (default: the workspace's current one)." source:"suites"`
	Family      string `help:"Family (default: that of the assessor, or the workspace's current one)." source:"families"`
	Records     string `help:"Training records of an exported table's models, models.csv." type:"existingfile" placeholder:"FILE" window:"-"`
	Labels      string `help:"Labels: labels_long.csv, labels_wide.csv, or a round of the workspace by name or id." placeholder:"FILE|ROUND" source:"rounds" study:"name"`
	Column      string `label:"Column of labels" help:"Labels: a column of the training records, such as rule_label." source:"columns"`
	Selection   string `label:"Matrices of" help:"Interpolated matrices of a selection of testing scenes, by name or hash, in place of variance matrices of a family." placeholder:"NAME" source:"selections"`
	Borderline  string `label:"Borderline is" help:"Borderline labels: keep (three classes; the default with --selection), leave (out; the default otherwise), or count them as invariant or variant." enum:",leave,keep,invariant,variant" default:""`
	Ties        bool   `help:"Ties of the annotators count as borderline."`
	SkipUnknown bool   `help:"Pass over labels of models that the source does not have." window:"-"`
}

// Check says what does not go together.
func (o *DataOptions) Check() error {
	if o.Labels != "" && o.Column != "" {
		return option.Errorf("labels come either from {labels} or from {column}")
	}
	return nil
}

// BorderlineOf is what becomes of borderline labels with features of a layout: what was asked for,
// else "leave" with variance matrices and "keep" with interpolated ones.
func (o DataOptions) BorderlineOf(layout feature.Layout) string {
	switch {
	case o.Borderline != "":
		return o.Borderline
	case layout.OfBackground():
		return "keep"
	}
	return "leave"
}

// FeatureOptions say which features a new assessor learns from.
type FeatureOptions struct {
	Modalities []string        `label:"Matrices" aliases:"modality" help:"Matrices whose features count, such as max@CONF (default: the five of ${ml4ml})." placeholder:"M"`
	Images     string          `help:"Choice of images: all, correct or wrong, with limits such as correct;share=0.5;seed=1." default:"all"`
	Profile    feature.Profile `label:"Features by the" help:"Formulas of the features: paper (as printed in ${ml4ml}) or refcode (its published code)." enum:"paper,refcode" default:"paper" when:"selection="`
	// The rest is of interpolated matrices; the default is spec/background.md section 13.
	Interpolant  []string    `label:"Interpolants" help:"With --selection: I1, I2, I3, or SIZE,SIGMA,K in pixels of the raster; repeat it (default: the three of ${background})." sep:"none" placeholder:"I" when:"selection"`
	Raster       int         `help:"With --selection: elements along a side of an interpolated matrix (default: 64)." zero:"64" when:"selection"`
	Measurements feature.Set `label:"Measurements of each matrix" help:"With --selection: scene (the seven of interpolated matrices), sixteen (those of variance matrices, but asymm) or all." enum:",scene,sixteen,all" default:"" when:"selection"`
}

// Layout is that of a family's variance matrices or, with scenes, of interpolated ones. The error
// is that of feature.Layout.Validate.
func (o FeatureOptions) Layout(scenes bool) (feature.Layout, error) {
	layout := feature.DefaultLayout()
	layout.Profile = o.Profile
	if scenes {
		layout = feature.DefaultBackgroundLayout()
		if len(o.Interpolant) > 0 {
			layout.Background.Interpolants = o.Interpolant
		}
		if o.Raster != 0 {
			layout.Background.Raster = o.Raster
		}
		if o.Measurements != "" {
			layout.Background.Set = o.Measurements
		}
	}
	if len(o.Modalities) > 0 {
		layout.Modalities = o.Modalities
	}
	return layout.Validate()
}

// LearnOptions are the hyper-parameters; 0 stands for scikit-learn's default.
type LearnOptions struct {
	Seed         uint64        `help:"Seed of everything that is drawn." default:"1"`
	MaxDepth     int           `label:"Largest depth" help:"Splits on the longest path of a tree (default: no limit)." min:"0" zero:"no limit"`
	MinLeaf      int           `label:"Models in a leaf" help:"Least number of models in a leaf (default: 1)." min:"0" zero:"1"`
	Trees        int           `label:"Trees of the forest" help:"Trees of the forest (default: 100)." min:"0" max:"100000" zero:"100"`
	TreeColumns  int           `label:"Features per split" help:"Features that a node of the forest looks at (default: the root of their number)." min:"0" zero:"root of their number"`
	Boosting     tree.Boosting `label:"AdaBoost algorithm" help:"SAMME.R (the default) or SAMME (the default with interpolated matrices)." enum:",SAMME.R,SAMME" default:""`
	Rounds       int           `label:"AdaBoost rounds" help:"Rounds of boosting (default: 50)." min:"0" max:"100000" zero:"50"`
	LearningRate float64       `help:"Of boosting (default: 1)." min:"0" zero:"1"`
	ZScores      bool          `name:"z-scores" label:"regression on z-scores" help:"For the regression: z-scores per feature instead of rows of length 1."`
	Score        Score         `label:"Score of the baseline" help:"Of the baseline: correct_product, correct_mean, consistency_product or consistency_mean." enum:",correct_product,correct_mean,consistency_product,consistency_mean" default:""`
}

// Settings are those of one algorithm on features of a layout; what is for others stays out.
func (o LearnOptions) Settings(algorithm Algorithm, layout feature.Layout) Settings {
	s := Settings{Algorithm: algorithm, Seed: o.Seed}
	switch algorithm {
	case DecisionTree:
		s.MaxDepth, s.MinLeaf = o.MaxDepth, o.MinLeaf
	case RandomForest:
		s.MaxDepth, s.MinLeaf, s.Trees, s.Columns = o.MaxDepth, o.MinLeaf, o.Trees, o.TreeColumns
	case AdaBoost:
		s.Boosting, s.Rounds, s.LearningRate, s.MaxDepth = o.Boosting, o.Rounds, o.LearningRate, o.MaxDepth
		if s.Boosting == "" {
			s.Boosting = tree.SAMMER
			if layout.OfBackground() {
				s.Boosting = tree.SAMME
			}
		}
	case Regression:
		s.ZScores = o.ZScores
	case Baseline:
		s.Score = o.Score
	}
	return s
}

// SchemeOptions say how models are parted into training and test.
type SchemeOptions struct {
	Scheme      SchemeKind `help:"paper (that of ${ml4ml}: hold-out fold and two random halves), kfold (stratified), or group (leave one group out)." enum:"paper,kfold,group" default:"paper"`
	Folds       int        `help:"Folds of kfold (default: 3)." min:"0" zero:"3" when:"scheme=kfold"`
	Repetitions int        `help:"How often the models are shuffled (default: 10)." min:"0" max:"1000" zero:"10"`
	Holdout     string     `label:"Hold-out models (column=value)" help:"Models that --scheme paper holds out, by a column of the records: fold=holdout." placeholder:"COLUMN=VALUE" when:"scheme=paper"`
	Group       string     `label:"Groups by" help:"Column of the records for leave-one-group-out." placeholder:"COLUMN" source:"columns" when:"scheme=group"`
	Tune        bool       `label:"tune (nested cross-validation)" help:"Choose hyper-parameters by nested cross-validation."`
}

// Check refuses options that name nothing.
func (o *SchemeOptions) Check() error {
	switch {
	case o.Folds == 1:
		return option.Errorf("cross-validation needs {folds} of 2 or more")
	case o.Scheme == LeaveGroupOut && o.Group == "":
		return option.Errorf("{scheme} group takes the column whose groups are left out one after the other: " +
			"{group} COLUMN")
	}
	_, _, err := o.HeldOut()
	return err
}

// HeldOut are the column and the value of the models that are held out, both empty for none.
func (o SchemeOptions) HeldOut() (column, value string, err error) {
	column, value, ok := strings.Cut(o.Holdout, "=")
	column, value = strings.TrimSpace(column), strings.TrimSpace(value)
	if o.Holdout != "" && (!ok || column == "" || value == "") {
		return "", "", option.Errorf("{holdout} takes COLUMN=VALUE, such as fold=holdout")
	}
	return column, value, nil
}

// Parting is the scheme with a seed.
func (o SchemeOptions) Parting(seed uint64) Scheme {
	return Scheme{Kind: o.Scheme, Folds: o.Folds, Repetitions: o.Repetitions, Seed: seed}
}

// FeatureCurveStudy is the choice of EvalOptions.Stability that compares no assessors
// (FollowShares).
const FeatureCurveStudy StudyKind = "course"

// EvalOptions are those of comparing algorithms, as the command assess eval takes them.
type EvalOptions struct {
	DataOptions
	Algorithm []Algorithm `label:"Assessors" help:"Algorithms to compare: tree, forest, adaboost, linear, baseline." enum:"tree,forest,adaboost,linear,baseline" default:"tree,forest,adaboost,linear,baseline"`
	SchemeOptions
	FeatureOptions
	LearnOptions
	Stability      StudyKind `help:"Instead: halves or shares train and test on different images, or targets of --selection (Tables VII and VIII of ${ml4ml}), course follows the features over 10 to 100 % of them (its Tables XII to XX)." enum:",halves,shares,course" default:""`
	Transfer       string    `help:"Instead: train on one and judge on another, for all pairs of suites with runs (suite), of families (family), or of groups of models by a column of the records (column=NAME); unseen models of the same one by stratified k-fold." placeholder:"suite|family|column=NAME"`
	Intervals      bool      `help:"95 % intervals of the kappas."`
	PerInterpolant bool      `help:"Instead: automation accuracy and kappa with the majority vote per interpolant, and statistics of the repository (Tables 3, 5 and 6 of ${background}), with --selection."`
	Coverage       bool      `help:"With --per-interpolant: neuron coverage over the selection's composites, which go through the models once more, Fleiss' kappa of a round's labels, and their F1 (its Table 4)."`
}

// Check says what does not go together.
func (o *EvalOptions) Check() error {
	switch {
	case len(o.Algorithm) == 0:
		return option.Errorf("choose at least one assessor to train")
	case o.Transfer != "" && o.Transfer != "suite" && o.Transfer != "family" && o.TransferColumn() == "":
		return option.Errorf("{transfer} takes suite, family or column=NAME, such as column=architecture")
	case o.Transfer != "" && (o.Stability != "" || o.PerInterpolant || o.Tune || o.Intervals):
		return option.Errorf("{transfer} compares the given hyper-parameters; leave {stability}, {per-interpolant}, " +
			"{tune} and {intervals} out")
	case o.Transfer != "" && (o.Scheme == LeaveGroupOut || o.Holdout != ""):
		return option.Errorf("{transfer} parts models by stratified k-fold; leave {scheme} group and {holdout} out")
	case o.Transfer != "" && o.TransferColumn() == "" && o.Selection != "":
		return option.Errorf("{transfer} suite and family are of variance matrices; " +
			"leave {selection} out, or take column=NAME")
	case o.Coverage && (!o.PerInterpolant || o.Selection == ""):
		return option.Errorf("{coverage} goes with {per-interpolant} and {selection}")
	case o.PerInterpolant && (o.Stability != "" || o.Tune || o.Intervals):
		return option.Errorf("{per-interpolant} compares the given hyper-parameters; " +
			"leave {stability}, {tune} and {intervals} out")
	case o.Stability != "" && o.Stability != FeatureCurveStudy && o.Tune:
		return option.Errorf("{stability} compares the given hyper-parameters; leave {tune} out")
	case o.Stability != "" && o.Images != "all":
		return option.Errorf("{stability} chooses the images itself; leave {images} out")
	}
	return nil
}

// TransferColumn is the column whose groups a transfer is between, "" for none.
func (o EvalOptions) TransferColumn() string {
	if by, column, _ := strings.Cut(o.Transfer, "="); by == "column" {
		return strings.TrimSpace(column)
	}
	return ""
}

// AllSettings are those of the algorithms that are asked for, in the order of Algorithms.
func (o EvalOptions) AllSettings(layout feature.Layout) []Settings {
	var list []Settings
	for _, a := range Algorithms() {
		if len(o.Algorithm) == 0 || slices.Contains(o.Algorithm, a) {
			list = append(list, o.Settings(a, layout))
		}
	}
	return list
}

// TrainOptions are those of training one assessor, as the command assess train takes them.
type TrainOptions struct {
	DataOptions
	FeatureOptions
	LearnOptions
	SchemeOptions
	Algorithm Algorithm `help:"tree, forest, adaboost, linear or baseline." enum:"tree,forest,adaboost,linear,baseline" default:"forest"`
	Name      string    `help:"Name of the assessor (default: that of the file or of --save)."`
	Evaluate  bool      `help:"Evaluate the settings by the scheme, too." default:"true" negatable:""`
}

// PredictOptions are those of judging models, as the command assess predict takes them.
type PredictOptions struct {
	DataOptions
	Assessor string `required:"" help:"Assessor: a file, or the name of one that the workspace keeps." placeholder:"FILE|NAME" source:"assessors" study:"name"`
	Unsure   bool   `help:"List the models that the assessor is least sure of first: the suggested order of the next round."`
	ResampleOptions
}

// ResampleOptions say how often models are judged on other images of the same kind.
type ResampleOptions struct {
	variance.Resampling
	Seed uint64 `help:"Seed of the resamples." default:"1" window:"-"`
}

// Bootstrap are the resamples that are asked for.
func (o ResampleOptions) Bootstrap() variance.Bootstrap {
	return variance.Bootstrap{Resamples: o.Resamples, Seed: o.Seed}
}

// ExplainOptions are those of explaining, as the command assess explain takes them.
type ExplainOptions struct {
	DataOptions
	Assessor string `required:"" help:"Assessor: a file, or the name of one that the workspace keeps." placeholder:"FILE|NAME" source:"assessors" study:"name"`
	Model    string `help:"Model to explain, by id (default: the assessor as a whole)." placeholder:"ID" source:"models"`
	Class    string `help:"Class whose output is explained: invariant (the default with interpolated matrices), borderline or variant (the default)." enum:",invariant,borderline,variant" default:""`
	Top      int    `help:"Features to print." default:"10" min:"1"`
	ShuffleOptions
}

// GateOptions are those of judging one model file, as the command gate takes them.
type GateOptions struct {
	Suite       string   `required:"" help:"Test suite: IDX, CIFAR-10 binary, image folder or CSV manifest." type:"path" placeholder:"PATH"`
	Assessor    string   `required:"" help:"Assessor, a NAME.vassessor file." type:"path" placeholder:"FILE"`
	Family      string   `help:"Family that is meant; refused when the assessor was trained on another one."`
	Modalities  []string `aliases:"modality" help:"Matrices that are meant; refused when the assessor was trained on others." placeholder:"M"`
	MaxVariance *float64 `help:"Largest probability of variant that passes (default: pass unless the model is judged variant)." placeholder:"P" min:"0" max:"1"`
	Inside      bool     `help:"Do not pass a model that lies outside of what the assessor has seen (a warning otherwise)."`
	Strict      bool     `help:"Refuse a model of which nothing says how an image becomes its input (a warning otherwise)."`
	ResampleOptions
}
