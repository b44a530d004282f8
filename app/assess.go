package app

import (
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/engine/variance"
)

type assessCommand struct {
	Train   assessTrainCommand   `cmd:"" help:"Train an assessor on labelled models and save it."`
	Eval    assessEvalCommand    `cmd:"" help:"Compare algorithms on labelled models, as Table IV of ${ml4ml} does."`
	Predict assessPredictCommand `cmd:"" help:"Judge models with a saved assessor."`
	Explain assessExplainCommand `cmd:"" help:"Say why an assessor judges a model as it does, or what it looks at on the whole."`
}

// choiceFlags say which features a new assessor learns from.
type choiceFlags struct {
	Modality []string `name:"modalities" aliases:"modality" help:"Matrices whose features count, such as max@CONF (default: the five of ${ml4ml})." placeholder:"M"`
	Images   string   `help:"Choice of images: all, correct or wrong, with limits such as correct;share=0.5;seed=1." default:"all"`
	Profile  string   `help:"Formulas of the features: paper (as printed in ${ml4ml}) or refcode (its published code)." enum:"paper,refcode" default:"paper"`
	rasterFlags
}

// layout is that of a family's variance matrices, or of interpolated ones.
func (f choiceFlags) layout(scenes bool) (feature.Layout, error) {
	if scenes {
		return f.rasterFlags.layout(f.Modality)
	}
	if f.given() {
		return feature.Layout{}, usageError("--interpolant, --raster and --measurements go with --selection: interpolated matrices are of testing scenes")
	}
	layout := feature.DefaultLayout()
	layout.Profile = feature.Profile(f.Profile)
	if len(f.Modality) > 0 {
		layout.Modalities = f.Modality
	}
	return layout.Validate()
}

// want is what these features are measured on; scenes for interpolated matrices.
func (f choiceFlags) want(split schemeFlags, scenes bool) (want, error) {
	layout, err := f.layout(scenes)
	if err != nil {
		return want{}, err
	}
	images, err := variance.ParseImages(f.Images)
	if err != nil {
		return want{}, usageError(err.Error())
	}
	return want{layout: layout, chosen: len(f.Modality) > 0, images: images.String(), holdout: split.Holdout, group: split.Group}, nil
}

// learnFlags are the hyper-parameters; 0 stands for scikit-learn's default.
type learnFlags struct {
	Seed         uint64  `help:"Seed of everything that is drawn." default:"1"`
	MaxDepth     int     `help:"Splits on the longest path of a tree (default: no limit)." min:"0"`
	MinLeaf      int     `help:"Least number of models in a leaf (default: 1)." min:"0"`
	Trees        int     `help:"Trees of the forest (default: 100)." min:"0" max:"100000"`
	TreeColumns  int     `help:"Features that a node of the forest looks at (default: the root of their number)." min:"0"`
	Boosting     string  `help:"SAMME.R (the default) or SAMME (the default with interpolated matrices)." enum:",SAMME.R,SAMME" default:""`
	Rounds       int     `help:"Rounds of boosting (default: 50)." min:"0" max:"100000"`
	LearningRate float64 `help:"Of boosting (default: 1)." min:"0"`
	ZScores      bool    `name:"z-scores" help:"For the regression: z-scores per feature instead of rows of length 1."`
	Score        string  `help:"Of the baseline: correct_product, correct_mean, consistency_product or consistency_mean." enum:",correct_product,correct_mean,consistency_product,consistency_mean" default:""`
}

// settings are those of one algorithm; what is for others stays out.
func (f learnFlags) settings(algorithm assess.Algorithm) assess.Settings {
	s := assess.Settings{Algorithm: algorithm, Seed: f.Seed}
	switch algorithm {
	case assess.DecisionTree:
		s.MaxDepth, s.MinLeaf = f.MaxDepth, f.MinLeaf
	case assess.RandomForest:
		s.MaxDepth, s.MinLeaf, s.Trees, s.Columns = f.MaxDepth, f.MinLeaf, f.Trees, f.TreeColumns
	case assess.AdaBoost:
		s.Boosting, s.Rounds, s.LearningRate, s.MaxDepth = tree.Boosting(f.Boosting), f.Rounds, f.LearningRate, f.MaxDepth
	case assess.Regression:
		s.ZScores = f.ZScores
	case assess.Baseline:
		s.Score = assess.Score(f.Score)
	}
	return s
}

// schemeFlags say how models are parted into training and test.
type schemeFlags struct {
	Scheme      string `help:"paper (that of ${ml4ml}: hold-out fold and two random halves), kfold (stratified), or group (leave one group out)." enum:"paper,kfold,group" default:"paper"`
	Folds       int    `help:"Folds of kfold (default: 3)." min:"0"`
	Repetitions int    `help:"How often the models are shuffled (default: 10)." min:"0" max:"1000"`
	Holdout     string `help:"Models that --scheme paper holds out, by a column of the records: fold=holdout." placeholder:"COLUMN=VALUE"`
	Group       string `help:"Column of the records for leave-one-group-out." placeholder:"COLUMN"`
	Tune        bool   `help:"Choose hyper-parameters by nested cross-validation."`
}

// Check refuses options of a scheme that was not asked for.
func (f *schemeFlags) Check() error {
	switch {
	case f.Folds != 0 && f.Scheme != string(assess.KFold):
		return option.Errorf("{folds} goes with {scheme} kfold; {scheme} paper has three folds")
	case f.Group != "" && f.Scheme != string(assess.LeaveGroupOut):
		return option.Errorf("{group} goes with {scheme} group")
	case f.Scheme == string(assess.LeaveGroupOut) && f.Group == "":
		return option.Errorf("{scheme} group takes the column that parts the models: {group} COLUMN")
	case f.Holdout != "" && f.Scheme != string(assess.PaperScheme):
		return option.Errorf("{holdout} goes with {scheme} paper; the others test every model in turn")
	}
	return nil
}

func (f schemeFlags) scheme(seed uint64) assess.Scheme {
	return assess.Scheme{Kind: assess.SchemeKind(f.Scheme), Folds: f.Folds, Repetitions: f.Repetitions, Seed: seed}
}
