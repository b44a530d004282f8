package invariance

import (
	"cmp"
	"context"
	"slices"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
)

// What the points of a study are.
const (
	OverModels = "models" // one study per suite and family
	OverSuites = "suites" // one per model and family
)

// Options of measuring and studying, as the command ei takes them.
type Options struct {
	Suite    []string `help:"Suites: by name or hash in a workspace (default: all with signals), one by path for a model." source:"suites" sep:"none" study:"beside"`
	Family   []string `help:"Transformation sets and families (default: rot90 and grayscale, as far as they are there)." source:"families" placeholder:"F"`
	Models   []string `help:"Models of the workspace, by id (default: all)." source:"models" placeholder:"ID" aliases:"model"`
	Each     bool     `help:"A row per transformation."`
	PerImage bool     `help:"Also write the values of every image; needs --out." aliases:"images"`
	Study    []Score  `help:"Study these scores against accuracy: ei, ei_product, js, l2, kl, consistent, robust_accuracy, correct_mean, consistency_product, consistency_mean." enum:"ei,ei_product,js,l2,kl,consistent,robust_accuracy,correct_mean,consistency_product,consistency_mean" placeholder:"SCORE"`
	Over     string   `help:"Points of a study: models (one study per suite and family) or suites (one per model and family)." enum:",models,suites" default:""`
	Column   string   `help:"Column of the training records whose values colour the points of a study; over models each value of two and more has correlations and a line of its own." source:"columns"`
	Predict  bool     `help:"Predict accuracies of suites without labels from those with labels, by a study over suites."`
	Fit
}

// Fit are the options of a study's line.
type Fit struct {
	Unscaled  bool   `help:"Study accuracies as they are, in place of their logits." label:"No logit scale"`
	Resamples int    `help:"Resamples of a study's band." default:"1000" min:"1" max:"100000"`
	Seed      uint64 `help:"Seed of the resamples." default:"1"`
}

// Check says what does not go together.
func (o *Options) Check() error {
	switch {
	case o.Predict && o.Over == OverModels:
		return option.Errorf("{predict} goes from suite to suite; leave {over} models out")
	case len(o.Study) == 0 && !o.Predict && (o.Over != "" || o.Column != "" || o.Unscaled):
		return option.Errorf("{over}, {column} and {unscaled} go with {study} SCORE")
	}
	return nil
}

// Asked is the study that is asked for, ok is false without one. A prediction is by EI and over
// suites, any other study over models, where nothing else is named.
func (o Options) Asked() (a Asked, ok bool) {
	a = Asked{Column: o.Column, Predict: o.Predict, Fit: o.Fit, Over: cmp.Or(o.Over, OverModels)}
	for _, score := range o.Study {
		if !slices.Contains(a.Scores, score) {
			a.Scores = append(a.Scores, score)
		}
	}
	if a.Scores == nil {
		a.Scores = []Score{ScoreEI}
	}
	if o.Predict {
		a.Over = OverSuites
	}
	return a, len(o.Study) > 0 || o.Predict
}

// Choice are the options of a window's studies over the models of one suite, or over the suites of
// one model: the other one of Suite and Model stays empty. Suite and Model are content hashes,
// Family is a canonical text.
type Choice struct {
	Scores []Score `name:"score" help:"Scores that are studied against accuracy, one after the other." enum:"ei,ei_product,js,l2,kl,consistent,robust_accuracy,correct_mean,consistency_product,consistency_mean" default:"ei" required:"" label:"Scores"`
	Model  string  `help:"Model whose suites are the points." source:"models"`
	Suite  string  `help:"Test suite whose models are the points." source:"suites"`
	Family string  `help:"Transformations under which the scores were measured." source:"families" label:"Under"`
	Column string  `help:"Column of the training records whose values colour the points; each value of two and more has correlations and a line of its own." source:"columns" label:"Colour"`
	Fit
	// HeldBack are suites (hashes) with labels that a prediction's fit does not use, so that their
	// accuracy is predicted as if they had none.
	HeldBack []string `help:"Suites with labels that are predicted as if they had none." source:"suites" hidden:""`
}

// Studies makes the studies of what was measured, or predictions over suites. It is slow: each band
// takes a thousand fits, and a prediction as many for each suite with labels. Progress is that of
// Asked.Studies.
func (c Choice) Studies(
	ctx context.Context, rows []Measured, over string, predict bool, p progress.Progress,
) ([]*Studied, error) {
	a := Asked{Scores: c.Scores, Over: over, Column: c.Column, Fit: c.Fit, Predict: predict}
	if predict {
		a.HeldBack = c.HeldBack
	}
	var list []Measured
	for _, m := range rows {
		of := m.Suite == c.Suite
		if over == OverSuites {
			of = m.Model.Hash == c.Model
		}
		if of && m.Family == c.Family {
			list = append(list, m)
		}
	}
	return a.Studies(ctx, list, p)
}

// Asked is what a study is asked for.
type Asked struct {
	Score  Score   // of one study
	Scores []Score // of Studies, in place of Score
	Over   string  // OverModels or OverSuites
	Column string  // of the training records, for groups of models; "" for none
	Fit
	Predict  bool     // over suites: also predict accuracies
	HeldBack []string // content hashes of suites with labels that the fit does not use
}

// Studies makes a study per score of every suite and family, or of every model and family, in the
// order of the rows. Progress, which may be nil, counts studies; of a single one with a
// prediction it is that of Study.
func (a Asked) Studies(ctx context.Context, rows []Measured, p progress.Progress) ([]*Studied, error) {
	at := map[[2]string]int{}
	var groups [][]Measured
	for _, m := range rows {
		key := [2]string{m.Suite, m.Family}
		if a.Over == OverSuites {
			key[0] = m.Model.Hash
		}
		if _, found := at[key]; !found {
			at[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[key]] = append(groups[at[key]], m)
	}
	var list []*Studied
	each, n := progress.Progress(nil), len(groups)*len(a.Scores)
	if p = progress.Or(p); n == 1 && a.Predict {
		each, p = p, progress.Or(nil)
	}
	p.SetTotal(int64(n))
	for _, group := range groups {
		for _, a.Score = range a.Scores {
			one, err := a.Study(ctx, group, each)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
			p.Add(1)
		}
	}
	return list, nil
}

// Study makes one study; point k is of row k. Over models it also makes one of each group, where
// there are two and more. The errors are those of Examine. Progress, which may be nil, counts the
// suites with labels of a prediction.
func (a Asked) Study(ctx context.Context, rows []Measured, p progress.Progress) (*Studied, error) {
	images := FewestImages(rows)
	s, err := a.study(ctx, rows, images, p)
	if err != nil || a.Column == "" || a.Over == OverSuites {
		return s, err
	}
	var names []string
	for _, point := range s.Points {
		if point.Group != "" && !slices.Contains(names, point.Group) {
			names = append(names, point.Group)
		}
	}
	if len(names) < 2 {
		return s, nil
	}
	slices.SortFunc(names, result.Natural)
	for _, name := range names {
		var some []Measured
		for k, point := range s.Points {
			if point.Group == name {
				some = append(some, rows[k])
			}
		}
		group, err := a.study(ctx, some, images, nil)
		if err != nil {
			return s, err
		}
		group.Group = name
		s.Groups = append(s.Groups, group)
	}
	return s, nil
}

// study makes the study of all rows; images is what accuracies are clipped by.
func (a Asked) study(ctx context.Context, rows []Measured, images int, p progress.Progress) (*Studied, error) {
	s := &Studied{Asked: a, Rows: rows}
	points := Points(rows, a.Score, a.Column, a.Over == OverSuites)
	for k := range points {
		s.True = append(s.True, points[k].Accuracy)
		if slices.Contains(a.HeldBack, rows[k].Suite) {
			points[k].Accuracy = nan
		}
	}
	o := StudyOptions{Unscaled: a.Unscaled, Images: max(1, images), Resamples: a.Resamples, Seed: a.Seed}
	var err error
	if a.Predict {
		var made Prediction
		made, err = Predict(ctx, points, o, progress.Or(p))
		s.Study, s.Forecast, s.Why = made.Fit, &made, made.Reason
	} else {
		s.Study, err = Examine(ctx, points, o)
		s.Why = because(s.Line.Reason)
	}
	if images == 0 && len(rows) > 0 {
		s.Why = result.Because(NoLabels, "no suite has labels, and a study needs accuracies")
	}
	return s, err
}
