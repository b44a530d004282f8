package assessors

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/present"
)

// rateScenes has three annotators label all models with signals in the workspace's scenes: the
// more scenes move a model, the more call it variant.
func rateScenes(t *testing.T, w *scenestest.Workspace) label.Round {
	t.Helper()
	r := label.Round{
		Name: "places", Kind: label.BackgroundRound, Suite: w.Targets.Hash, Selection: w.Selection.Hash,
		Interpolants: []string{"I1", "I2", "8,2,4"}, Modalities: []string{"max@CONF", "max@HEAD"}, Classes: 3,
		Annotators: []string{"ann", "bea", "col"}, Guideline: "Look.",
	}
	for _, m := range w.Models {
		r.Models = append(r.Models, m.Hash)
	}
	r, err := w.CreateRound(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	values := label.Values(3)
	for k, m := range w.Models[:len(w.Models)-1] {
		for a, who := range r.Annotators {
			class := min(3*k/(len(w.Models)-1), 2)
			if k%5 == 4 && a == 0 {
				class = (class + 1) % 3
			}
			_, err := w.Append(label.Event{
				Round: r.ID, Model: m.Hash, Annotator: who, Kind: label.Label,
				Value: values[class], Sure: true, Guideline: r.GuidelineHash(),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

// inScenes asks for all assessors on the labels of the only round, quickly.
func inScenes(t *testing.T, w *scenestest.Workspace, change func(*assess.EvalOptions)) assess.EvalOptions {
	t.Helper()
	rounds, err := w.Rounds()
	if err != nil {
		t.Fatal(err)
	}
	asked := usual()
	asked.Labels, asked.Selection, asked.Scheme = rounds[0].ID, rounds[0].Selection, assess.KFold
	asked.Repetitions, asked.Trees, asked.Interpolant = 2, 10, []string{"I2"}
	if change != nil {
		change(&asked)
	}
	return asked
}

func learnScenes(w *scenestest.Workspace, asked assess.EvalOptions) (Training, error) {
	plan, err := newPlan(asked)
	if err != nil {
		return Training{}, err
	}
	at, err := whereFor(w.Workspace, plan.Selection)
	if err != nil {
		return Training{}, err
	}
	return Learn(context.Background(), w.Workspace, at, plan, &training.Cache{}, engine.NoProgress{})
}

// TestLearningInScenes trains all assessors on three classes, as the command does.
func TestLearningInScenes(t *testing.T) {
	w := scenestest.New(t, 16)
	rateScenes(t, w)
	l, err := learnScenes(w, inScenes(t, w, nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Data.Classes) != 3 || len(l.Data.Rows) != 15 ||
		len(l.Data.Names) != 2*feature.DefaultBackgroundLayout().Width()/6 {
		t.Fatalf("classes %v, %d models, columns %v", l.Data.Classes, len(l.Data.Rows), l.Data.Names)
	}
	sheet := assess.Comparison.Sheet(l.Entries)
	if sheet.Len() != 5 || sheet.Fields[0].Say(4) != "worst-case accuracy" || l.Entries[1].Problem != nil ||
		l.Entries[4].Problem != nil {
		t.Errorf("%d rows, the last is %s", sheet.Len(), sheet.Fields[0].Say(4))
	}
	if text := l.Heading(); !strings.Contains(text, "scenes of near") || !strings.Contains(text, "5 borderline") {
		t.Error(text)
	}
	if text := l.Note(); !strings.Contains(text, "stratified k-fold") {
		t.Error(text)
	}
	forest := subjectOf(t, l, assess.RandomForest)
	order := explainModel(forest, Judgements(forest)[0]).order
	if len(order) != 2 || !slices.Contains(order, "max@CONF.I2") || !slices.Contains(order, "max@HEAD.I2") {
		t.Errorf("matrices %q", order)
	}
	if bars := explainModel(forest, Judgements(forest)[0]).bars; !strings.Contains(bars.X.Name, "invariant") {
		t.Errorf("explained is %s", bars.X.Name)
	}
	worst := subjectOf(t, l, assess.Baseline)
	if text := worst.Assessor.Threshold.Rule(worst.Assessor.OfScenes()); !strings.Contains(text,
		"worst-case accuracy") && !strings.Contains(text, "as the data allow") {
		t.Error(text)
	}
	if order := explainModel(worst, Judgements(worst)[0]).order; len(order) != 2 {
		t.Errorf("matrices beside the baseline: %q", order)
	}
	if v := BuildScores(worst); len(v.Kappas) != 4 || v.KappaRows[3] != "worst-case accuracy" || len(v.Classes) != 3 {
		t.Errorf("the baseline among the annotators: %v", v.KappaRows)
	}
	if len(SecondLook(forest)) == 0 {
		t.Error("the forest doubts none of the contested labels")
	}
}

func TestASavedAssessorKeepsToItsKind(t *testing.T) {
	w := scenestest.New(t, 13)
	rateScenes(t, w)
	d := inScenes(t, w, func(o *assess.EvalOptions) { o.Algorithm = []assess.Algorithm{assess.RandomForest} })
	l, err := learnScenes(w, d)
	if err != nil {
		t.Fatal(err)
	}
	s := subjectOf(t, l, assess.RandomForest)
	f := s.saved("kept", time.Now(), "test")
	data, err := f.Encode()
	if err != nil || f.Family != l.Place.Family || s.usualName() != "forest scenes" {
		t.Fatalf("%d bytes, %v, family %s, %s", len(data), err, f.Family, s.usualName())
	}
	revive := func(d assess.EvalOptions) (Subject, error) {
		return Revive(context.Background(), w.Workspace, f, d, &training.Cache{}, engine.NoProgress{})
	}
	back, err := revive(d)
	if err != nil || len(Judgements(back)) != 12 ||
		Judgements(back)[0].Verdict.Label != Judgements(s)[0].Verdict.Label {
		t.Errorf("%v, %d verdicts", err, len(Judgements(back)))
	}
	other := w.Choose(t, "nearest", func(a *scenes.Ask) { a.Choice.Method = "nearest" })
	w.Run(t, w.Models[1], 1, other)
	elsewhere := usual()
	elsewhere.Selection = other.Hash
	if back, err = revive(elsewhere); err != nil || len(back.Data.Rows) != 1 {
		t.Errorf("other scenes: %v, %d models", err, len(back.Data.Rows))
	}
	d.Selection = other.Hash
	if _, err = revive(d); err == nil || !strings.Contains(err.Error(),
		"round places is about the scenes of selection near") {
		t.Errorf("labels of other scenes: %v", err)
	}
	if _, err = revive(usual()); err == nil || !strings.Contains(err.Error(),
		"judges interpolated matrices of testing scenes; these are variance matrices") {
		t.Errorf("variance matrices: %v", err)
	}
	taughtTurns := taught(t)
	f = subjectOf(t, taughtTurns, assess.DecisionTree).saved("turns", time.Now(), "test")
	if _, err = revive(inScenes(t, w, nil)); err == nil ||
		!strings.Contains(err.Error(), "judges variance matrices of a family") {
		t.Errorf("an assessor of variance matrices: %v", err)
	}
}

// TestStabilityInScenes: on parts of the targets, all of them at the end of the curves.
func TestStabilityInScenes(t *testing.T) {
	w := scenestest.New(t, 13)
	rateScenes(t, w)
	l, err := learnScenes(w, inScenes(t, w, func(o *assess.EvalOptions) {
		o.Algorithm, o.Modalities = []assess.Algorithm{assess.DecisionTree, assess.Baseline}, []string{"max@CONF"}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []assess.StudyKind{assess.Halves, assess.Shares, assess.FeatureCurveStudy} {
		if testing.Short() && q != assess.Halves {
			continue // the others measure in as many goroutines
		}
		s, err := l.ask(context.Background(), w.Workspace, string(q), nil, engine.NoProgress{})
		if err != nil {
			t.Fatalf("%s: %v", q, present.Sentence(err))
		}
		if q != assess.FeatureCurveStudy {
			sheet := assess.Comparison.Sheet(l.studied(s.Studies))
			if sheet.Len() != 2 || sheet.Fields[0].Say(1) != "worst-case accuracy" ||
				sheet.Field("whole_accuracy") < 0 {
				t.Errorf("%s: %d rows, the last of %s", q, sheet.Len(), sheet.Fields[0].Say(1))
			}
			continue
		}
		last := len(s.Curves.Shares) - 1
		for k, m := range s.Curves.Models {
			for column := range s.Curves.Names {
				if m.Values[column][last] != l.Data.Rows[k].X[column] {
					t.Errorf("model %s, %s: %v of all targets, measured %v", m.ID, s.Curves.Names[column],
						m.Values[column][last], l.Data.Rows[k].X[column])
				}
			}
		}
		if f := s.Curves.Medians()[0].Figure(); f.X.Name != "share of the targets" || len(f.Lines) != 2 {
			t.Errorf("%+v", f)
		}
	}
}

func TestQuestionsAboutVarianceMatricesAreAboutImages(t *testing.T) {
	for k, q := range questions(false, nil)[:3] {
		if scenes := questions(true, nil)[k]; !strings.Contains(q.Name, "images") ||
			!strings.Contains(scenes.Name, "targets") || q.Key != scenes.Key {
			t.Errorf("%q, %q", q.Name, scenes.Name)
		}
	}
}
