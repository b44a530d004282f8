package assessors

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/training"
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
	r = testdata.Must(w.CreateRound(t.Context(), r))(t)
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
	rounds := testdata.Must(w.Rounds())(t)
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

func TestASavedAssessorKeepsToItsKind(t *testing.T) {
	w := scenestest.New(t, 13)
	rateScenes(t, w)
	d := inScenes(t, w, func(o *assess.EvalOptions) { o.Algorithm = []assess.Algorithm{assess.RandomForest} })
	l := testdata.Must(learnScenes(w, d))(t)
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
