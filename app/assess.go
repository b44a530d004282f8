package app

import (
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/variance"
)

type assessCommand struct {
	Train   assessTrainCommand   `cmd:"" help:"Train an assessor on labelled models and save it."`
	Eval    assessEvalCommand    `cmd:"" help:"Compare algorithms on labelled models, as Table IV of ${ml4ml} does."`
	Predict assessPredictCommand `cmd:"" help:"Judge models with a saved assessor."`
	Explain assessExplainCommand `cmd:"" help:"Say why an assessor judges a model as it does, or what it looks at on the whole."`
}

// want says what is measured and how models are marked.
type want struct {
	layout         feature.Layout
	chosen         bool   // the matrices of the layout were asked for; otherwise a table's own count
	images, family string // canonical texts; the family counts where no flag names another one
	holdout, group string // as in assess.SchemeOptions
}

// newWant is what new assessors learn from; scenes for interpolated matrices.
func newWant(f assess.FeatureOptions, split assess.SchemeOptions, scenes bool) (want, error) {
	layout, err := f.Layout(scenes)
	if err != nil {
		return want{}, err
	}
	images, err := variance.ParseImages(f.Images)
	if err != nil {
		return want{}, usageError(err.Error())
	}
	return want{
		layout: layout, chosen: len(f.Modalities) > 0, images: images.String(), holdout: split.Holdout,
		group: split.Group,
	}, nil
}
