package assess_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

func TestLeftOutInLines(t *testing.T) {
	left := []assess.LeftOut{
		{ID: "a", Reason: result.Because(assess.Unlabelled, "nobody has labelled it")},
		{ID: "b", Reason: result.Because(assess.NotMeasured, "no second convolution")},
		{ID: "c", Reason: result.Because(assess.Unlabelled, "nobody has labelled it")},
	}
	want := []string{
		"2 of the models take no part: nobody has labelled it (a, c)",
		"1 of the models take no part: no second convolution (b)",
	}
	testdata.Equal(t, "lines", assess.Lines(left), want)
}

// Each algorithm gets the hyper-parameters that are its own.
func TestEachAlgorithmGetsItsOwnSettings(t *testing.T) {
	f := assess.LearnOptions{
		Seed: 4, MaxDepth: 3, MinLeaf: 2, Trees: 7, TreeColumns: 5, Boosting: "SAMME", Rounds: 9, LearningRate: 0.5,
		ZScores: true, Score: "correct_mean",
	}
	for algorithm, want := range map[assess.Algorithm]assess.Settings{
		assess.DecisionTree: {MaxDepth: 3, MinLeaf: 2},
		assess.RandomForest: {MaxDepth: 3, MinLeaf: 2, Trees: 7, Columns: 5},
		assess.AdaBoost:     {MaxDepth: 3, Boosting: tree.SAMME, Rounds: 9, LearningRate: 0.5},
		assess.Regression:   {ZScores: true},
		assess.Baseline:     {Score: assess.CorrectMean},
	} {
		want.Algorithm, want.Seed = algorithm, 4
		testdata.Is(t, string(algorithm), f.Settings(algorithm, feature.DefaultLayout()), want)
		testdata.OK(t, f.Settings(algorithm, feature.DefaultLayout()).Validate())
	}
}

// Flags that would be passed over, and ensembles beyond memory, are refused.
func TestOptionsThatDoNotFit(t *testing.T) {
	for want, options := range map[string]any{
		"--folds goes with --scheme kfold":                  &assess.SchemeOptions{Scheme: "paper", Folds: 3},
		"--group goes with --scheme group":                  &assess.SchemeOptions{Scheme: "kfold", Group: "optimizer"},
		"--scheme group takes the column":                   &assess.SchemeOptions{Scheme: "group"},
		"--holdout takes COLUMN=VALUE":                      &assess.SchemeOptions{Scheme: "paper", Holdout: "fold="},
		"cross-validation needs --folds":                    &assess.SchemeOptions{Scheme: "kfold", Folds: 1},
		"--holdout goes with --scheme paper":                &assess.SchemeOptions{Scheme: "kfold", Holdout: "fold=x"},
		"--rounds takes a whole number from 0 to 100000":    &assess.LearnOptions{Rounds: 100_001},
		"--max-depth takes a whole number from 0":           &assess.LearnOptions{MaxDepth: -1},
		"--learning-rate takes a number from 0":             &assess.LearnOptions{LearningRate: math.Inf(1)},
		"--repeats takes a whole number from 1":             &assess.ShuffleOptions{},
		"--scheme takes paper, kfold or group":              &assess.SchemeOptions{Scheme: "none"},
		"--boosting takes SAMME.R or SAMME":                 &assess.LearnOptions{Boosting: "SAMME.X"},
		"--score takes correct_product, correct_mean, con":  &assess.LearnOptions{Score: "score"},
		"labels come either from --labels or from --column": &assess.DataOptions{Labels: "a", Column: "b"},
		"--raster goes with --selection": withDefaults(func(o *assess.EvalOptions) {
			o.Raster = 16
		}),
		"--profile goes without --selection": withDefaults(func(o *assess.EvalOptions) {
			o.Selection, o.Profile = "places", "refcode"
		}),
		"--coverage goes with --per-interpolant and --selection": withDefaults(func(o *assess.EvalOptions) {
			o.Coverage = true
		}),
		"--per-interpolant compares the given hyper-parameters": withDefaults(func(o *assess.EvalOptions) {
			o.PerInterpolant, o.Tune = true, true
		}),
		"--stability compares the given hyper-parameters": withDefaults(func(o *assess.EvalOptions) {
			o.Stability, o.Tune = assess.Halves, true
		}),
		"--stability chooses the images itself": withDefaults(func(o *assess.EvalOptions) {
			o.Stability, o.Images = assess.Halves, "correct"
		}),
	} {
		if err := option.Check(options); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for _, options := range []any{
		&assess.SchemeOptions{Scheme: "paper", Holdout: "fold=holdout"},
		&assess.SchemeOptions{Scheme: "kfold", Folds: 5}, &assess.SchemeOptions{Scheme: "group", Group: "optimizer"},
		&assess.LearnOptions{Trees: 100_000},
	} {
		testdata.OK(t, option.Check(options))
	}
}

// withDefaults are options with a change.
func withDefaults(change func(*assess.EvalOptions)) *assess.EvalOptions {
	var o assess.EvalOptions
	option.SetDefaults(&o)
	change(&o)
	return &o
}

func TestReasonsInWords(t *testing.T) {
	part := assess.Part{Name: "mean@CONV-1.dctny", Value: 0.934, Phi: 0.123}
	against := assess.Part{Name: "max@CONF.svm", Value: 12, Phi: -0.5}
	for want, got := range map[string]string{
		"mean@CONV-1.dctny = 0.934 speaks for variant: +0.12": saidOf(part, 2),
		"max@CONF.svm = 12 speaks for invariant: -0.5":        saidOf(against, 2),
		"max@CONF.svm = 12 speaks against variant: -0.5":      saidOf(against, 3),
	} {
		testdata.Is(t, "text", got, want)
	}
	row := assess.Row{Scores: assess.Scores{CorrectProduct: 0.5}}
	for want, thresholds := range map[string][]float64{
		" is below 0.75":     {0.75},
		" is not below 0.25": {0.25},
		" is below 0.55":     {0.25, 0.55},
		"; the baseline learned that no score speaks for variant":    {math.Inf(-1)},
		"; the baseline learned that every score speaks for variant": {math.Inf(1)},
	} {
		got := (&assess.Threshold{Score: assess.CorrectProduct, Thresholds: thresholds}).Says(row)
		testdata.Is(t, "Says", got, "robust accuracy (correct, product) = 0.5"+want)
	}
}

func saidOf(p assess.Part, classes int) string {
	return assess.PartOf{
		Of:   &assess.Explained{Judgement: assess.Judgement{Classes: label.Values(classes)}},
		Part: p,
	}.String()
}

// repository has models of two annotators; the first two have no label and the last is judged by
// none.
func repository() assess.Data {
	layout := feature.DefaultLayout()
	layout.Modalities = []string{"max@CONF"}
	d := assess.Data{Layout: layout, Names: layout.Names(), Classes: label.Values(2), Raters: []string{"A", "B"}}
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 14 {
		class := i % 2
		r := assess.Row{
			ID: string(rune('a' + i)), Hash: strings.Repeat(string(rune('a'+i)), 64),
			Scores: assess.Scores{CorrectProduct: random.Float64()},
		}
		for range d.Names {
			r.X = append(r.X, random.Float64()+0.5*float64(class))
		}
		if r.Label = d.Classes[class]; i < 2 {
			r.Label, r.NoLabel = "", result.Because(assess.Unlabelled, "nobody has labelled it")
		}
		r.Ratings = []label.Value{r.Label, d.Classes[random.IntN(2)]}
		d.Rows = append(d.Rows, r)
	}
	return d
}

func comparisons(t *testing.T, d *assess.Data) []assess.Compared {
	t.Helper()
	var list []assess.Compared
	for _, a := range []assess.Algorithm{assess.DecisionTree, assess.Baseline} {
		c := assess.Compared{Settings: assess.Settings{Algorithm: a, Seed: 3}, Data: d}
		c.Evaluation = testdata.Must(assess.Evaluate(t.Context(), *d, c.Settings,
			assess.Scheme{Kind: assess.KFold, Folds: 2, Repetitions: 2}, false, nil))(t)
		list = append(list, c)
	}
	return append(list,
		assess.Compared{
			Settings: assess.Settings{Algorithm: assess.AdaBoost}, Data: d, Problem: context.DeadlineExceeded,
		})
}

// TestTablesOfAssessors fills each table with real records: declarations are sound, rows have IDs
// of their own, and every column can be written.
func TestTablesOfAssessors(t *testing.T) {
	d := repository()
	list := comparisons(t, &d)
	list[0].Whole = &list[1].Evaluation
	a := testdata.Must(assess.Train(t.Context(), d, d.Labelled(),
		assess.Settings{Algorithm: assess.RandomForest, Trees: 5}))(t)
	rows := []int{0, 5, 3}
	judged := assess.Judgements(a, d, rows, list[0].Evaluation.Votes(d), assess.Training{
		Models: 12, Learned: func(row int) bool { return row == 5 }, Seen: assess.SeenOf(d, d.Labelled()),
	})
	explanation := testdata.Must(a.Explain(d.Rows[5].X, 1))(t)
	e := &assess.Explained{Explanation: explanation, Judgement: judged[1]}
	summary := testdata.Must(assess.Summarise(t.Context(), a, d, rows, 1, nil))(t)
	importance := testdata.Must(assess.MeasureImportance(t.Context(), a, d,
		func(int) bool { return true }, assess.ShuffleOptions{Repeats: 2}, nil))(t)
	curves := testdata.Must(assess.FollowShares([]assess.Data{d, d}, []float64{0.5, 1}))(t)
	unsure := testdata.Must(assess.LeastSure(d, rows, a))(t)
	for name, check := range map[string]func() (*result.Sheet, error){
		"comparison":  of(assess.Comparison, list),
		"repetitions": of(assess.Repetitions, assess.RepetitionsOf(list)),
		"folds":       of(assess.Folds, assess.FoldsOf(list)),
		"predictions": of(assess.Predictions, assess.PredictionsOf(list)),
		"curves":      of(assess.Curves, assess.CurvesOf(list)),
		"confusion":   of(assess.Confusions, assess.ConfusionsOf(list)),
		"kappas":      of(assess.Kappas, assess.KappasOf(list, agreement.Options{Intervals: true})),
		"doubts":      of(assess.DoubtedLabels, assess.DoubtsOf(list)),
		"unsure":      of(assess.LeastSureModels, assess.UnsureOf(d, unsure)),
		"verdicts":    of(assess.Verdicts, judged),
		"pairs":       of(assess.Pairs, assess.PairsOf(list)),
		"ceiling":     of(assess.Ceilings, assess.CeilingsOf(list)),
		"transfer":    of(assess.Transfers, []assess.Transferred{{From: "a", To: "b", Compared: list[0]}}),
		"outside":     of(assess.Beyond, []assess.BeyondRange{{ID: "a", Feature: "f"}}),
		"explanation": of(assess.Explanations, []*assess.Explained{e}),
		"parts":       of(assess.Parts, e.Features()),
		"matrices":    of(assess.MatrixParts, e.Matrices()),
		"weights":     of(assess.Weights, assess.Weigh(summary, importance)),
		"summary":     of(assess.Summaries, []assess.Summed{{Summary: summary, Importance: importance}}),
		"medians":     of(assess.Medians, curves.Medians()),
		"deviations":  of(assess.Deviations, curves.Spread()),
		"course":      of(assess.FeaturesOverShares, curves.Rows()),
		"left out":    of(assess.LeftOuts, []assess.LeftOut{{ID: "a", Reason: d.Rows[0].NoLabel}}),
	} {
		sheet, err := check()
		var out bytes.Buffer
		if err == nil {
			err = sheet.CSV(&out, false)
		}
		if lines := strings.Count(out.String(), "\n"); err != nil || sheet.Len() == 0 || lines != sheet.Len()+1 {
			t.Errorf("%s: %v, %d lines", name, err, lines)
		}
	}
	sheet := assess.Comparison.Sheet(list)
	tell := func(key string, row int) string { return sheet.Fields[sheet.Field(key)].Tell(row) }
	if tell("accuracy",
		2) != "accuracy is missing: context deadline exceeded" || sheet.Fields[0].Say(1) != "robust accuracy" {
		t.Errorf("%s, %s", tell("accuracy", 2), sheet.Fields[0].Say(1))
	}
	whole := list[0].Evaluation.Accuracy - list[1].Evaluation.Accuracy
	if at := sheet.Field("difference"); at < 0 || sheet.Fields[at].Number(0) != whole || !sheet.Fields[at].Missing(1) {
		t.Error("accuracy on parts is not set beside that on all")
	}
	verdicts := assess.Verdicts.Sheet(judged)
	if got := verdicts.Fields[verdicts.Field("label")].Tell(0); got != "label is missing: nobody has labelled it" {
		t.Error(got)
	}
	if text := judged[1].String(); !strings.Contains(text,
		"it is among the 12 models that the assessor learned from") || strings.Contains(judged[2].String(), "learned") {
		t.Error(text)
	}
}

// of checks a table and makes its sheet.
func of[R any](table result.Table[R], rows []R) func() (*result.Sheet, error) {
	return func() (*result.Sheet, error) {
		if err := table.Check(); err != nil {
			return nil, err
		}
		sheet := table.Sheet(rows)
		return sheet, sheet.Check()
	}
}
