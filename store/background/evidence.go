package background

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Measure is one of the four signals of spec/background.md section 8: max@CONF, true@CONF,
// max@HEAD, mean@HEAD.
type Measure string

// The measures, the defaults first.
const (
	ConfMax  Measure = "max@CONF"
	HeadMax  Measure = "max@HEAD"
	ConfTrue Measure = "true@CONF"
	HeadMean Measure = "mean@HEAD"
)

// Measures are all measures.
func Measures() []Measure { return []Measure{ConfMax, HeadMax, ConfTrue, HeadMean} }

// ParseMeasure reads a measure: max@CONF, or as the specification writes it CONF.max and CONF/max.
// The error lists all.
func ParseMeasure(text string) (Measure, error) {
	for _, m := range Measures() {
		kind, position := m.parts()
		if text == string(m) || text == position+"."+kind || text == position+"/"+kind {
			return m, nil
		}
	}
	return "", fmt.Errorf("%q is no measure of composites; use %s, %s, %s or %s",
		text, ConfMax, HeadMax, ConfTrue, HeadMean)
}

func (m Measure) parts() (kind, position string) {
	text := string(m)
	for i := range text {
		if text[i] == '@' {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// Evidence is what a run found out about one model in the scenes of a selection.
type Evidence struct {
	Model     model.Model
	Selection store.SelectionRecord
	Set       store.SetInfo // the signals that all of it is made of
	Outcome   background.Outcome
	Clouds    map[Measure]scatter.Cloud // scaled; a measure whose position the model lacks is not there
	Constants map[Measure]float64       // what signals were divided by; 1 for CONF
	Absent    map[Measure]string        // why a measure is not there, in words
	Flags     []string                  // what is unusual about it, in words
	// Labels are the targets' true classes in the model's numbering: -1 without a label, -2 for a
	// class that the model does not have.
	Labels []int
	// Predictions are the predicted classes, image first (0 = the target itself), target second.
	Predictions [][]int32
}

// foreignClass is the label of a target whose class the model does not have: no prediction is
// right about it.
const foreignClass = -2

// Read reads a model's evidence; reason says in words why there is none yet.
func Read(
	ctx context.Context, ws *store.Workspace, m model.Model, selection string,
) (e Evidence, reason string, err error) {
	record, err := ws.Selection(selection)
	if err != nil {
		return e, "", err
	}
	family, err := record.Family()
	if err != nil {
		return e, "", err
	}
	targets, err := ws.Suite(record.Targets)
	if err != nil {
		return e, "", err
	}
	info, why, err := lookup.Set(ws, m, record.Targets, family)
	if err != nil || !why.None() {
		return e, why.Text, err
	}
	r := newReading(m, record, targets, info)
	if err := r.read(ctx, ws); err != nil {
		why, err = lookup.Reason(err)
		return e, why.Text, err
	}
	r.conclude()
	return r.e, "", nil
}

// reading is evidence in the making.
type reading struct {
	e       Evidence
	info    store.SetInfo
	signals map[Measure][][]float64 // targets x images, as they were computed
	means   []float64               // per target: the mean of absolute values of HEAD's tensor for image 0
	early   int                     // targets for which older signals do not tell it
	head    bool                    // whether the signals have HEAD
}

func newReading(m model.Model, record store.SelectionRecord, targets suite.Manifest, info store.SetInfo) *reading {
	r := &reading{info: info, signals: map[Measure][][]float64{}, head: info.Spec.Position(model.Head) >= 0}
	r.e = Evidence{
		Model: m, Selection: record, Set: info, Clouds: map[Measure]scatter.Cloud{}, Constants: map[Measure]float64{},
		Absent: map[Measure]string{}, Predictions: make([][]int32, info.Transformations),
	}
	for j := range r.e.Predictions {
		r.e.Predictions[j] = make([]int32, len(targets.Labels))
	}
	for _, label := range targets.Labels {
		class := variance.ClassOf(label, info.ClassMap)
		if label >= 0 && class < 0 {
			class = foreignClass
		}
		r.e.Labels = append(r.e.Labels, class)
	}
	for _, measure := range Measures() {
		r.signals[measure] = make([][]float64, len(targets.Labels))
	}
	r.means = make([]float64, len(targets.Labels))
	return r
}

// read streams the signals. An error of the signals alone is one that lookup.Reason knows.
func (r *reading) read(ctx context.Context, ws *store.Workspace) error {
	if want := r.e.Selection.N + 1; r.info.Transformations != want {
		return lookup.Unusable(fmt.Errorf("the signals have %d images per target in place of %d",
			r.info.Transformations, want))
	}
	want := store.Want{
		Softmax: true, Predictions: true,
		Modalities: []signal.Modality{{Position: model.CONF, Reducer: signal.Max}},
	}
	if r.head {
		for _, reducer := range []signal.Reducer{signal.Max, signal.Mean, signal.Min, signal.MeanAbs} {
			want.Modalities = append(want.Modalities, signal.Modality{Position: model.Head, Reducer: reducer})
		}
	}
	return lookup.EachChunk(ctx, ws, r.info.Key, want, r.take)
}

// take takes in the targets of one chunk.
func (r *reading) take(first int, part *signal.Set) error {
	for j, row := range part.Predictions() {
		copy(r.e.Predictions[j][first:], row)
	}
	if err := r.column(ConfMax, first, part, signal.Modality{Position: model.CONF, Reducer: signal.Max}); err != nil {
		return err
	}
	for k := range part.Images {
		r.signals[ConfTrue][first+k] = r.trueScores(part, k, first+k)
	}
	if !r.head {
		return nil
	}
	for measure, reducer := range map[Measure]signal.Reducer{HeadMax: signal.Max, HeadMean: signal.Mean} {
		if err := r.column(measure, first, part, signal.Modality{Position: model.Head, Reducer: reducer}); err != nil {
			return err
		}
	}
	return r.absolute(first, part)
}

// absolute takes the means of absolute values. Signals of earlier versions do not have them;
// without entries below 0 the mean is the same.
func (r *reading) absolute(first int, part *signal.Set) error {
	rows, err := part.Signals(signal.Modality{Position: model.Head, Reducer: signal.MeanAbs})
	if err == nil {
		for k, v := range rows[0] {
			r.means[first+k] = float64(v)
		}
		return nil
	}
	if !errors.Is(err, signal.ErrNoMeanAbs) {
		return err
	}
	lowest, err := part.Signals(signal.Modality{Position: model.Head, Reducer: signal.Min})
	if err != nil {
		return err
	}
	for k, least := range lowest[0] {
		if least < 0 {
			r.early++
		}
		r.means[first+k] = r.signals[HeadMean][first+k][0]
	}
	return nil
}

// column turns the signals of a modality around: target first.
func (r *reading) column(measure Measure, first int, part *signal.Set, m signal.Modality) error {
	rows, err := part.Signals(m)
	if err != nil {
		return err
	}
	for k := range part.Images {
		own := make([]float64, len(rows))
		for j, row := range rows {
			own[j] = float64(row[k])
		}
		r.signals[measure][first+k] = own
	}
	return nil
}

// trueScores are the scores of a target's class in all its images; nil for a target without a
// label, 0 for a class that the model does not have.
func (r *reading) trueScores(part *signal.Set, k, target int) []float64 {
	class := r.e.Labels[target]
	if class == -1 {
		return nil
	}
	own := make([]float64, part.Transformations)
	for j := range own {
		cell := j*part.Images + k
		switch {
		case class < 0 || class >= part.Classes:
		case part.Softmax != nil:
			own[j] = float64(part.Softmax[cell*part.Classes+class])
		default:
			own[j] = float64(part.TrueScore[cell])
		}
	}
	return own
}

// conclude makes outcome and clouds of what was read.
func (r *reading) conclude() {
	r.e.Outcome = background.Judge(r.e.Predictions, r.e.outcomeLabels())
	r.cloud(ConfMax, nil)
	if why := r.withoutTruth(); why != "" {
		r.e.Absent[ConfTrue] = why
	} else {
		r.cloud(ConfTrue, nil)
	}
	if !r.head {
		for _, measure := range []Measure{HeadMax, HeadMean} {
			r.e.Absent[measure] = r.withoutHead()
		}
		return
	}
	r.cloud(HeadMax, r.own(HeadMax))
	if r.early > 0 {
		r.e.Absent[HeadMean] = fmt.Sprintf("its signals were computed by an earlier version, without the mean of "+
			"absolute values, and the tensor at %s has "+
			"entries below 0 for %d of %d targets; run it again", model.Head, r.early, len(r.means))
		return
	}
	r.cloud(HeadMean, r.means)
}

// outcomeLabels are Labels with a class that nobody predicts for classes that the model does not
// have.
func (e Evidence) outcomeLabels() []int {
	labels := make([]int, len(e.Labels))
	for t, class := range e.Labels {
		if labels[t] = class; class == foreignClass {
			labels[t] = math.MaxInt32
		}
	}
	return labels
}

// withoutTruth says why there is no true@CONF: it is defined for targets with a label, and a cloud
// holds all targets.
func (r *reading) withoutTruth() string {
	missing := 0
	for _, class := range r.e.Labels {
		if class == -1 {
			missing++
		}
	}
	switch missing {
	case 0:
		return ""
	case len(r.e.Labels):
		return "the targets have no labels"
	}
	return fmt.Sprintf("%d of %d targets have no label", missing, len(r.e.Labels))
}

func (r *reading) withoutHead() string {
	for _, name := range r.info.Absent {
		if name == model.Head {
			return fmt.Sprintf("model %s has no last layer before its head; another tensor can be assigned to %s",
				r.e.Model.ID, model.Head)
		}
	}
	return fmt.Sprintf("its signals were computed without %s; run it again with the positions %s and %s", model.Head,
		model.CONF, model.Head)
}

// own are the signals of image 0.
func (r *reading) own(measure Measure) []float64 {
	list := make([]float64, len(r.signals[measure]))
	for t, row := range r.signals[measure] {
		list[t] = row[0]
	}
	return list
}

// cloud keeps a measure's cloud, or why it is damaged. Its signals are divided by the constant that
// scales the targets' own ones; nil leaves them as they are.
func (r *reading) cloud(measure Measure, own []float64) {
	constant, flagged := 1.0, false
	if own != nil {
		constant, flagged = scatter.Scale(own)
	}
	signals := r.signals[measure]
	for _, row := range signals {
		for j := range row {
			row[j] /= constant
		}
	}
	r.e.Constants[measure] = constant
	chosen := r.e.Selection.Selection
	cloud := scatter.Cloud{Distances: Distances(chosen), Signals: signals, D: chosen.Far()}
	if err := cloud.Check(); err != nil {
		r.e.Absent[measure] = err.Error()
		return
	}
	if flagged {
		r.e.Flags = append(r.e.Flags,
			fmt.Sprintf("%s of the targets themselves is next to 0 on average, so its signals are not scaled", measure))
	}
	r.e.Clouds[measure] = cloud
}

// OverDistance is the accuracy of the model by the distance of its scenes, over the same targets as
// its outcome.
func (e Evidence) OverDistance() []background.DistanceBin {
	chosen := e.Selection.Selection
	return background.OverDistance(e.Predictions, e.outcomeLabels(), Distances(chosen),
		chosen.Far(), background.DistanceIntervals)
}

// Distances are a selection's distances, targets x (1 + N): image 0 is the target itself, at
// distance 0.
func Distances(s background.Selection) [][]float64 {
	list := make([][]float64, len(s.Chosen))
	for t, scenes := range s.Chosen {
		list[t] = make([]float64, 1+len(scenes))
		for j, scene := range scenes {
			list[t][1+j] = scene.Distance
		}
	}
	return list
}
