package assessors

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Question is what is asked about stability.
type Question int

// The questions, in the order of the menu.
const (
	OtherHalf    Question = iota // Table VII
	RandomShares                 // Table VIII
	Course                       // Tables XII to XX
	questions                    // their number
)

// name is the question in the menu; scenes tells whether parts of the targets of a selection are
// meant.
func (q Question) name(scenes bool) string {
	if scenes {
		return q.ofTargets()
	}
	switch q {
	case RandomShares:
		return "trained and tested on random shares of the images (Table VIII)"
	case Course:
		return "the features over 10 to 100 % of the images (Tables XII to XX)"
	}
	return "trained on one half of the images, tested on the other (Table VII)"
}

func (q Question) ofTargets() string {
	switch q {
	case RandomShares:
		return "trained and tested on random shares of the targets"
	case Course:
		return "the features over 10 to 100 % of the targets"
	}
	return "trained on one half of the targets, tested on the other"
}

// Stability is the answer to a question: a study of all assessors, or the course of the features.
type Stability struct {
	Question Question
	Studies  []assess.Evaluation
	Course   assess.FeatureCourse
	Scenes   bool // parts of the targets of a selection were measured
}

// AskStability measures the models of a lesson on parts of the images and answers a question.
func AskStability(ctx context.Context, ws *store.Workspace, l Lesson, q Question, p engine.Progress) (Stability, error) {
	s := Stability{Question: q, Scenes: l.Place.Scened()}
	study := assess.Study{Kind: assess.Halves, Repetitions: l.Plan.Scheme.Repetitions, Seed: l.Plan.Scheme.Seed}
	if q == RandomShares {
		study.Kind = assess.Shares
	}
	subsets, err := study.Subsets(l.Place.Suite.Images)
	if q == Course {
		subsets, err = assess.CourseSubsets(l.Place.Suite.Images, l.Plan.Scheme.Seed)
	}
	if err != nil {
		return s, err
	}
	if q == Course {
		l.Plan.Layout = l.Plan.Layout.Apart(l.Plan.Scheme.Seed)
	}
	data, err := onSubsets(ctx, ws, l, subsets, p)
	if err != nil {
		return s, err
	}
	if q == Course {
		s.Course, err = assess.Course(data, assess.CourseShares())
		return s, err
	}
	s.Studies, err = study.Evaluate(ctx, data, l.trainable(), l.Plan.Scheme, p)
	return s, err
}

// onSubsets measures and labels the models of a lesson once per subset of the images.
func onSubsets(ctx context.Context, ws *store.Workspace, l Lesson, subsets [][]int, p engine.Progress) ([]assess.Data, error) {
	ask := l.Place.ask(l.Plan.Layout)
	for _, r := range l.Data.Rows {
		ask.Models = append(ask.Models, r.Hash)
	}
	measured, _, err := training.MeasureSubsets(ctx, ws, ask, subsets, p)
	if err != nil {
		return nil, err
	}
	list := make([]assess.Data, len(measured))
	for k, models := range measured {
		if list[k], _, err = training.Label(ws, models, l.Plan.Layout, l.Plan.Labels); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// trainable are the settings of the assessors that could be trained.
func (l Lesson) trainable() []assess.Settings {
	var list []assess.Settings
	for _, e := range l.Entries {
		if e.Problem == nil {
			list = append(list, e.Settings)
		}
	}
	return list
}

// studied are the studies beside what the assessors of a lesson reach on everything.
func (s Stability) studied(l Lesson) []assess.Compared {
	list := make([]assess.Compared, len(s.Studies))
	for k, e := range s.Studies {
		list[k] = assess.Compared{Settings: e.Settings, Evaluation: e, Data: &l.Data}
		for at := range l.Entries {
			if one := &l.Entries[at]; one.Problem == nil && one.Settings.Algorithm == e.Settings.Algorithm {
				list[k].Whole = &one.Evaluation
			}
		}
	}
	return list
}

// Chart is a feature's deviations over the shares of the images.
func (s Stability) Chart(feature string) widget.ChartData {
	data := widget.ChartData{
		XName: "share of the images", XUnit: "%", YName: "deviation from all images", YUnit: "%",
		Empty: "0 for all models",
	}
	if s.Scenes {
		data.XName, data.YName = "share of the targets", "deviation from all targets"
	}
	at := slices.IndexFunc(s.Course.Deviations, func(d assess.CourseDeviation) bool { return d.Name == feature })
	if s.Question != Course || at < 0 {
		return data
	}
	d := s.Course.Deviations[at]
	data.Title, data.Note = fmt.Sprintf("Deviation of %s", d.Name), present.ByCount(d.N, "%d model", "%d models", d.N)
	if d.N == 0 {
		return data
	}
	times := func(list []float64) []float64 {
		out := make([]float64, len(list))
		for k, v := range list {
			out[k] = 100 * v
		}
		return out
	}
	data.XTicks = times(s.Course.Shares)
	data.Series = []widget.Series{
		{Name: "median of the models", X: data.XTicks, Y: times(d.Median)},
		{Name: "farthest model", X: data.XTicks, Y: times(d.Largest)},
	}
	return data
}
