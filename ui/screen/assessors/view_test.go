package assessors

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/ui/present"
)

func TestScores(t *testing.T) {
	l := taught(t)
	s := subjectOf(t, l, assess.RandomForest)
	v := BuildScores(s)
	sum := 0
	for _, row := range v.Confusion {
		for _, n := range row {
			sum += n
		}
	}
	if sum != len(s.Evaluation.Predictions) {
		t.Errorf("%d verdicts in the confusion of %d", sum, len(s.Evaluation.Predictions))
	}
	for name, d := range map[string][]float64{"roc": v.ROC.Lines[0].X, "pr": v.PR.Lines[0].X} {
		if !slices.IsSorted(d) {
			t.Errorf("%s: x does not ascend: %v", name, d)
		}
	}
	if !slices.Equal(v.KappaRows, []string{"r1", "r2", "r3", "random forest"}) || v.KappaColumns[4] != "majority" {
		t.Errorf("%v %v", v.KappaRows, v.KappaColumns)
	}
	if v.Kappas[0][1] != v.Kappas[1][0] || v.Kappas[3][3].Text != present.None || v.Kappas[3][4].Text == present.None {
		t.Errorf("%v", v.Kappas)
	}
	if last := v.Facts[len(v.Facts)-1]; last.Name != "tested on fold 3" {
		t.Errorf("%v", last)
	}
	if len(l.Pairs) != 10 || len(l.Ceilings) != 7 || l.Ceilings[0].Judge != assess.PerfectJudge {
		t.Errorf("%d pairs, %d ceilings", len(l.Pairs), len(l.Ceilings))
	}
	baseline := BuildScores(subjectOf(t, l, assess.Baseline))
	if len(baseline.Calibre.Lines) != 0 || baseline.Calibre.Empty == "" {
		t.Error("the baseline has a calibration")
	}
}

func TestInsideOfEach(t *testing.T) {
	l := taught(t)
	tree := subjectOf(t, l, assess.DecisionTree)
	x := tree.Data.Rows[0].X
	d := TreeFigure(tree.Assessor, tree.Assessor.Tree, x)
	testdata.OK(t, d.Check())
	marked := 0
	for k, n := range d.Boxes[:tree.Assessor.Tree.Nodes()] {
		if n.Emphasis == result.Chosen {
			marked++
		}
		if leaf := tree.Assessor.Tree.Left[k] < 0; leaf && n.Emphasis == result.Chosen &&
			k != tree.Assessor.Tree.Leaf(x) {
			t.Errorf("the way ends at %d, not at %d", k, tree.Assessor.Tree.Leaf(x))
		}
	}
	if marked < 2 || !strings.Contains(d.Boxes[0].Lines[0], "@") || !strings.Contains(d.Tell(0), "goes left") {
		t.Errorf("%d marked of %+v", marked, d.Boxes)
	}
	linear := CoefficientBars(subjectOf(t, l, assess.Regression).Assessor)
	if len(linear.Boxes) != mostBars || linear.Check() != nil {
		t.Errorf("%d bars, %v", len(linear.Boxes), linear.Check())
	}
	for k := 1; k < len(linear.Boxes); k++ {
		if math.Abs(linear.Boxes[k].X1) > math.Abs(linear.Boxes[k-1].X1) {
			t.Error("a larger coefficient comes later")
		}
	}
}

func TestSummaryAsSwarm(t *testing.T) {
	l := taught(t)
	s := subjectOf(t, l, assess.RandomForest)
	rows := s.Data.Labelled()
	summary, err := assess.Summarise(context.Background(), s.Assessor, s.Data, rows, 1, engine.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	d := SwarmOf(s.Name, s.Data, summary)
	if len(d.Y.Names) != mostRows || len(d.Points) != mostRows*len(rows) {
		t.Fatalf("%d rows, %d points", len(d.Y.Names), len(d.Points))
	}
	for k := range rows {
		model := s.Data.Rows[rows[k]]
		if line := d.Tell(k); !strings.HasPrefix(line, model.ID+": "+d.Y.Names[0]) || d.ItemID(k) != model.Hash ||
			math.Abs(d.Points[k].Y) > 0.5 {
			t.Errorf("point %d: %q", k, line)
		}
	}
	bars := MeanBars(s.Name, summary)
	if bars.Y.Names[0] != d.Y.Names[0] {
		t.Errorf("bars begin with %s, the swarm with %s", bars.Y.Names[0], d.Y.Names[0])
	}
	if err := render.Draw(&bytes.Buffer{}, d, render.Part{}, "svg"); err != nil {
		t.Error(err)
	}
}

func TestLevelsAreRanks(t *testing.T) {
	x := [][]float64{{3, 1}, {1, 1}, {2, 1}, {2, 1}, {9, 1}}
	if got := levels(x, 0); !slices.Equal(got, []float64{0.75, 0, 0.375, 0.375, 1}) {
		t.Errorf("%v", got)
	}
	for _, level := range levels(x, 1) {
		if !math.IsNaN(level) {
			t.Errorf("a constant column has level %g", level)
		}
	}
}

func TestJudgementsSayWhoDiffers(t *testing.T) {
	l := taught(t)
	s := subjectOf(t, l, assess.RandomForest)
	all := Judgements(s)
	if len(all) != len(s.Data.Rows) {
		t.Fatalf("%d of %d models are judged", len(all), len(s.Data.Rows))
	}
	for _, j := range all {
		if j.Label == "" && (j.Unseen != "" || j.Verdict.Label == "" ||
			!strings.Contains(j.String(), "nobody has labelled it")) {
			t.Errorf("%+v", j)
		}
		says := cmp.Or(j.Unseen, j.Verdict.Label)
		if slices.Contains(j.Differs, "label") != (j.Label != "" && j.Label != says) {
			t.Errorf("%s says %s, labelled %s: %v", j.ID, says, j.Label, j.Differs)
		}
	}
	if err := assess.Verdicts.Check(); err != nil {
		t.Error(err)
	}
}

func TestWaterfallEndsAtTheOutput(t *testing.T) {
	l := taught(t)
	for _, a := range []assess.Algorithm{assess.DecisionTree, assess.RandomForest, assess.AdaBoost, assess.Regression} {
		s := subjectOf(t, l, a)
		e := testdata.Must(s.Assessor.Explain(s.Data.Rows[3].X, 1))(t)
		d := Waterfall("m03", e)
		bars := d.Boxes
		for k := 1; k+1 < len(bars); k++ {
			if math.Abs(bars[k].X0-bars[k-1].X1) > 1e-9 {
				t.Errorf("%s: bar %d begins at %g after %g", a, k, bars[k].X0, bars[k-1].X1)
			}
			if (bars[k].X1 < bars[k].X0) != (d.Groups[bars[k].Group].Name == "lowers it") {
				t.Errorf("%s: bar %d runs from %g to %g in group %d", a, k, bars[k].X0, bars[k].X1, bars[k].Group)
			}
		}
		if last := bars[len(bars)-2].X1; math.Abs(last-e.Output) > 1e-9 || bars[len(bars)-1].X1 != e.Output ||
			bars[0].X1 != e.Base {
			t.Errorf("%s: the steps end at %g, the output is %g", a, last, e.Output)
		}
		if len(bars) > mostParts+3 || len(d.Y.Names) != len(bars) || d.Check() != nil {
			t.Errorf("%s: %d bars, %d names, %v", a, len(bars), len(d.Y.Names), d.Check())
		}
	}
}

// onlyLabelled is a subject without the models that have no label; an evaluation of it is made
// anew.
func onlyLabelled(t *testing.T, s Subject) Subject {
	t.Helper()
	full := s.Data
	full.Rows = nil
	for _, r := range s.Data.Rows {
		if r.Label != "" {
			full.Rows = append(full.Rows, r)
		}
	}
	e, err := assess.Evaluate(context.Background(), full, s.Assessor.Settings,
		assess.Scheme{Kind: assess.KFold, Folds: 3, Repetitions: 2, Seed: 1}, false, engine.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	s.Data, s.Evaluation = full, &e
	return s
}

// Where every model has a label, an assessor that has learned them all cannot say which are hard:
// others have to.
func TestLeastSureWhereAllHaveLabels(t *testing.T) {
	l := taught(t)
	s := onlyLabelled(t, subjectOf(t, l, assess.RandomForest))
	all, about, err := LeastSure(s)
	if err != nil || len(all) != len(s.Data.Rows) || !strings.Contains(about, "had not seen") {
		t.Fatalf("%d of %d models, %q (%v)", len(all), len(s.Data.Rows), about, err)
	}
	want := assess.LeastSureUnseen(s.Data, *s.Evaluation)
	if all[0].Hash != s.Data.Rows[want[0].Row].Hash {
		t.Errorf("%s comes first, not %s", all[0].ID, s.Data.Rows[want[0].Row].ID)
	}
	file := s.saved("first", time.Now(), "test")
	s.File, s.Evaluation = &file, nil
	if list, _, err := LeastSure(s); err == nil || len(list) != 0 {
		t.Errorf("a saved assessor orders %d models that it has learned from", len(list))
	}
	file.Training = file.Training[2:]
	list, about, err := LeastSure(s)
	if err != nil || len(list) != 2 || !strings.Contains(about, "did not learn from") {
		t.Errorf("%d models, %q (%v)", len(list), about, err)
	}
	for k, j := range Judgements(s) {
		if known := strings.Contains(j.String(), "among the"); known != (k >= 2) || known &&
			j.Learned != len(file.Training) {
			t.Errorf("model %d of those that were learned from 2 on: %s", k, j.String())
		}
	}
}
