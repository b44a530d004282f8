package app

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/store/training"
)

func TestLeftLines(t *testing.T) {
	left := []training.LeftOut{
		{ID: "a", Reason: "nobody has labelled it"},
		{ID: "b", Reason: "no second convolution"},
		{ID: "c", Reason: "nobody has labelled it"},
	}
	want := []string{
		"2 of the models take no part: nobody has labelled it (a, c)",
		"1 of the models take no part: no second convolution (b)",
	}
	if got := leftLines(left); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if err := leftError(nil); err != nil {
		t.Errorf("nobody left out: %v", err)
	}
	if err := leftError(left); err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got %v", err)
	}
}

func TestFew(t *testing.T) {
	for want, names := range map[string][]string{
		"":                         nil,
		"a":                        {"a"},
		"a, b, c, d, e":            {"a", "b", "c", "d", "e"},
		"a, b, c, d, e and 2 more": {"a", "b", "c", "d", "e", "f", "g"},
	} {
		if got := few(names); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Each algorithm gets the hyper-parameters that are its own.
func TestLearnFlags(t *testing.T) {
	f := learnFlags{
		Seed: 4, MaxDepth: 3, MinLeaf: 2, Trees: 7, TreeColumns: 5, Boosting: "SAMME", Rounds: 9, LearningRate: 0.5, ZScores: true, Score: "correct_mean",
	}
	for algorithm, want := range map[assess.Algorithm]assess.Settings{
		assess.DecisionTree: {MaxDepth: 3, MinLeaf: 2},
		assess.RandomForest: {MaxDepth: 3, MinLeaf: 2, Trees: 7, Columns: 5},
		assess.AdaBoost:     {MaxDepth: 3, Boosting: tree.SAMME, Rounds: 9, LearningRate: 0.5},
		assess.Regression:   {ZScores: true},
		assess.Baseline:     {Score: assess.CorrectMean},
	} {
		want.Algorithm, want.Seed = algorithm, 4
		if got := f.settings(algorithm); got != want {
			t.Errorf("%s: got %+v, want %+v", algorithm, got, want)
		}
		if err := f.settings(algorithm).Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestChoiceFlags(t *testing.T) {
	w, err := choiceFlags{Images: "correct;seed=3;share=0.5", Profile: "paper"}.want(schemeFlags{Scheme: "group", Group: "optimizer"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if w.chosen || w.images != "correct;share=0.5;seed=3" || w.holdout != "" || w.group != "optimizer" {
		t.Errorf("got %+v", w)
	}
	if !slices.Equal(w.layout.Modalities, feature.DefaultLayout().Modalities) {
		t.Errorf("got %v", w.layout.Modalities)
	}
	w, err = choiceFlags{Images: "all", Profile: "refcode", Modality: []string{"CONF.max"}}.want(schemeFlags{Scheme: "paper", Holdout: "fold=holdout"}, false)
	if err != nil || !w.chosen || w.holdout != "fold=holdout" || !slices.Equal(w.layout.Modalities, []string{"max@CONF"}) || w.layout.Profile != feature.Refcode {
		t.Errorf("got %+v, %v", w, err)
	}
	var usage usageError
	if _, err := (choiceFlags{Images: "few", Profile: "paper"}).want(schemeFlags{}, false); !errors.As(err, &usage) {
		t.Errorf("got %v", err)
	}
}

// Flags that would be passed over, and ensembles beyond memory, are refused.
func TestFlagsThatDoNotFit(t *testing.T) {
	for want, options := range map[string]any{
		"--folds goes with --scheme kfold":                 &schemeFlags{Scheme: "paper", Folds: 3},
		"--group goes with --scheme group":                 &schemeFlags{Scheme: "kfold", Group: "optimizer"},
		"--scheme group takes the column":                  &schemeFlags{Scheme: "group"},
		"--holdout goes with --scheme paper":               &schemeFlags{Scheme: "kfold", Holdout: "fold=holdout"},
		"--rounds takes a whole number from 0 to 100000":   &learnFlags{Rounds: 100_001},
		"--max-depth takes a whole number from 0":          &learnFlags{MaxDepth: -1},
		"--learning-rate takes a number from 0":            &learnFlags{LearningRate: math.Inf(1)},
		"--repeats takes a whole number from 1":            &assess.ShuffleOptions{},
		"--scheme takes paper, kfold or group":             &schemeFlags{Scheme: "none"},
		"--boosting takes SAMME.R or SAMME":                &learnFlags{Boosting: "SAMME.X"},
		"--score takes correct_product, correct_mean, con": &learnFlags{Score: "score"},
	} {
		if err := option.Check(options); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for _, options := range []any{
		&schemeFlags{Scheme: "paper", Holdout: "fold=holdout"}, &schemeFlags{Scheme: "kfold", Folds: 5},
		&schemeFlags{Scheme: "group", Group: "optimizer"}, &learnFlags{Trees: 100_000},
	} {
		if err := option.Check(options); err != nil {
			t.Error(err)
		}
	}
}

func TestSelectMatrices(t *testing.T) {
	layout := feature.DefaultLayout()
	layout.Modalities = []string{"max@CONF", "mean@CONV-1"}
	d := assess.Data{Layout: layout, Names: layout.Names(), Rows: []assess.Row{{ID: "a"}, {ID: "b"}}}
	for i := range d.Rows {
		for f := range d.Names {
			d.Rows[i].X = append(d.Rows[i].X, float64(100*i+f))
		}
	}
	whole := d.Rows[1].X
	if err := selectMatrices(&d, feature.Layout{Modalities: []string{"mean@CONV-1", "max@CONF"}}); err != nil {
		t.Fatal(err)
	}
	if d.Names[0] != "mean@CONV-1.svm" || d.Rows[1].X[0] != 116 || d.Rows[1].X[16] != 100 || whole[0] != 100 {
		t.Errorf("got %s: %v; the table's own row is %v", d.Names[0], d.Rows[1].X, whole)
	}
	if err := selectMatrices(&d, feature.Layout{Modalities: []string{"max@CONF"}}); err != nil || len(d.Names) != 16 || d.Rows[0].X[15] != 15 {
		t.Errorf("got %d columns, %v", len(d.Names), err)
	}
	if err := selectMatrices(&d, feature.Layout{Modalities: []string{"max@CONV-2"}}); err == nil || !strings.Contains(err.Error(), "no column max@CONV-2.svm") {
		t.Errorf("got %v", err)
	}
}

func TestGateReasons(t *testing.T) {
	part := assess.Part{Name: "mean@CONV-1.dctny", Value: 0.934, Phi: 0.123}
	against := assess.Part{Name: "max@CONF.svm", Value: 12, Phi: -0.5}
	for want, got := range map[string]string{
		"mean@CONV-1.dctny = 0.934 speaks for variant: +0.12": partReason(part, 2),
		"max@CONF.svm = 12 speaks for invariant: -0.5":        partReason(against, 2),
		"max@CONF.svm = 12 speaks against variant: -0.5":      partReason(against, 3),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	row := assess.Row{Scores: assess.Scores{CorrectProduct: 0.5}}
	for want, thresholds := range map[string][]float64{
		"correct_product = 0.5 is below 0.75":                                             {0.75},
		"correct_product = 0.5 is not below 0.25":                                         {0.25},
		"correct_product = 0.5 is below 0.55":                                             {0.25, 0.55},
		"correct_product = 0.5; the baseline learned that no score speaks for variant":    {math.Inf(-1)},
		"correct_product = 0.5; the baseline learned that every score speaks for variant": {math.Inf(1)},
	} {
		if got := scoreReason(&assess.Threshold{Score: assess.CorrectProduct, Thresholds: thresholds}, row); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTrainName(t *testing.T) {
	for want, c := range map[string]assessTrainCommand{
		"mine":   {Name: "mine", Save: "kept", Out: "a/b.vassessor"},
		"kept":   {Save: "kept", Out: "a/b.vassessor"},
		"b":      {Out: "a/b.vassessor", ONNX: "c.onnx"},
		"c":      {ONNX: "x/c.onnx"},
		"forest": {Algorithm: "forest"},
	} {
		if got := c.name(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// An assessor is a file, or what the workspace keeps under that name.
func TestLoadAssessor(t *testing.T) {
	folder := t.TempDir()
	large := filepath.Join(folder, "large.vassessor")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, saved.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	asked := ""
	kept := func(name string) ([]byte, error) { asked = name; return []byte("{}"), nil }
	for name, want := range map[string]string{
		large:              "is larger than 64 MiB and no assessor file",
		"away.vassessor":   "assessor away.vassessor: there is no such file",
		folder:             "is not an assessor file", // a folder is no file, so the workspace is asked
		"one that is kept": "one that is kept is not an assessor file",
	} {
		if _, err := loadAssessor(name, kept); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := loadAssessor("kept", nil); err == nil || err.Error() != "assessor kept: there is no such file" {
		t.Errorf("without a workspace: %v", err)
	}
	if _, err := loadAssessor("first", kept); err == nil || asked != "first" {
		t.Errorf("the workspace was asked for %q, %v", asked, err)
	}
}

// Text that a spreadsheet would take for a formula is guarded, numbers and what is undefined are not.
func TestWriteCSV(t *testing.T) {
	var out bytes.Buffer
	err := writeCSV(&out, [][]string{{"a", "b"}, {"-0.5", "-"}, {"=1+1", "+Inf"}, {"-x", "1e-9"}, {"a remark below"}})
	if want := "a,b\n-0.5,\n'=1+1,'+Inf\n'-x,1e-9\n"; err != nil || out.String() != want {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
