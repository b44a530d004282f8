package assess

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// studied is a repository measured on one subset: the labels depend on the model alone, features
// and scores follow them with noise of the subset's own. Every third model is held out.
func studied(models, classes int, subset uint64) Data {
	random := rand.New(rand.NewPCG(subset, 17))
	d := Data{Names: []string{"max@CONF.svm", "max@CONF.mean", "mean@CONV-1.svm"}, Classes: label.Values(classes)}
	for k := range models {
		class := (k / 3) % classes
		row := Row{
			ID: fmt.Sprintf("m%d", k), Hash: fmt.Sprint(k), Label: d.Classes[class], Holdout: k%3 == 0,
			Group: fmt.Sprint(k % 4),
		}
		for range d.Names {
			row.X = append(row.X, float64(class)+1.2*random.NormFloat64())
		}
		row.Scores.CorrectProduct = 0.8 - 0.2*float64(class) + 0.2*random.NormFloat64()
		row.Scores.ConsistencyProduct = row.Scores.CorrectProduct / 2
		d.Rows = append(d.Rows, row)
	}
	return d
}

func studiedTimes(subsets int, of func(subset uint64) Data) []Data {
	list := make([]Data, subsets)
	for k := range list {
		list[k] = of(uint64(k))
	}
	return list
}

func studySettings() []Settings {
	return []Settings{
		{Algorithm: DecisionTree},
		{Algorithm: RandomForest, Trees: 10},
		{Algorithm: AdaBoost, Rounds: 10},
		{Algorithm: Regression},
		{Algorithm: Regression, ZScores: true},
		{Algorithm: Baseline},
	}
}

func TestHalvesPartTheSuite(t *testing.T) {
	for _, images := range []int{2, 3, 101} {
		subsets := testdata.Must(Study{Kind: Halves, Repetitions: 4, Seed: 3}.Subsets(images))(t)
		testdata.Is(t, "subsets", len(subsets), 8)
		for r := range 4 {
			a, b := subsets[2*r], subsets[2*r+1]
			all := slices.Sorted(slices.Values(slices.Concat(a, b)))
			if len(a) != images/2 || !slices.Equal(all, testdata.UpTo(images)) || !slices.IsSorted(a) ||
				!slices.IsSorted(b) {
				t.Fatalf("%d images became %v and %v", images, a, b)
			}
			if images == 101 && r > 0 && slices.Equal(a, subsets[0]) {
				t.Errorf("repetitions 0 and %d have the same halves", r)
			}
		}
		few := testdata.Must(Study{Kind: Halves, Seed: 3}.Subsets(images))(t)
		if !slices.EqualFunc(few[:8], subsets, slices.Equal[[]int]) {
			t.Errorf("%d images: more repetitions draw other images", images)
		}
	}
}

func TestSharesAreDrawnBetweenATenthAndAll(t *testing.T) {
	const images = 1000
	subsets := testdata.Must(Study{Kind: Shares, Repetitions: 200, Seed: 5}.Subsets(images))(t)
	testdata.Is(t, "subsets", len(subsets), 400)
	sum, taken := 0, make([]int, images)
	for s, subset := range subsets {
		if len(subset) < images/10 || !slices.IsSorted(subset) ||
			len(slices.Compact(slices.Clone(subset))) != len(subset) {
			t.Fatalf("subset %d has %d images", s, len(subset))
		}
		if s%2 == 1 && slices.Equal(subset, subsets[s-1]) {
			t.Errorf("both sides of repetition %d have the same images", s/2)
		}
		sum += len(subset)
		for _, image := range subset {
			taken[image]++
		}
	}
	// Three standard deviations of the mean of shares between 0.1 and 1.
	testdata.Near(t, "mean of the shares", float64(sum)/400/images, 0.55, 0.04)
	if least := slices.Min(taken); least < 160 {
		t.Errorf("an image is in only %d of 400 subsets", least)
	}
	other := testdata.Must(Study{Kind: Shares, Repetitions: 1, Seed: 6}.Subsets(images))(t)
	if slices.Equal(other[0], subsets[0]) {
		t.Error("another seed draws the same images")
	}
	tiny := testdata.Must(Study{Kind: Shares}.Subsets(2))(t)
	if len(tiny) != 20 || slices.ContainsFunc(tiny, func(s []int) bool { return len(s) == 0 }) {
		t.Errorf("two images: %v", tiny)
	}
}

func TestSubsetsRefusals(t *testing.T) {
	for want, c := range map[string]struct {
		study  Study
		images int
	}{
		`study "" is not known; use halves or shares`: {Study{}, 10},
		"-1 repetitions; use 0 for 10":                {Study{Kind: Halves, Repetitions: -1}, 10},
		"1001 repetitions":                            {Study{Kind: Halves, Repetitions: 1001}, 10},
		"a suite of 1 images cannot be parted":        {Study{Kind: Halves}, 1},
		"a suite of 0 images":                         {Study{Kind: Shares}, 0},
	} {
		testdata.Refused(t, want, testdata.Err(c.study.Subsets(c.images)), want)
	}
}

// slowStudy trains and judges fold by fold, straight from the words of the protocol.
func slowStudy(
	t *testing.T, measured []Data, s Settings, scheme Scheme,
) (repetitions []float64, verdicts []label.Value) {
	t.Helper()
	folds, _, err := measured[0].Folds(scheme)
	if err != nil {
		t.Fatal(err)
	}
	for r := range len(measured) / 2 {
		total := 0.0
		own := folds[r%len(folds)]
		for f, fold := range own {
			s.Seed = derived(4, r, f)
			a := testdata.Must(Train(t.Context(), measured[2*r], fold.Train, s))(t)
			right := 0
			for _, i := range fold.Test {
				v := testdata.Must(a.Judge(measured[2*r+1].Rows[i]))(t)
				if v.Label == measured[0].Rows[i].Label {
					right++
				}
				verdicts = append(verdicts, v.Label)
			}
			total += float64(right) / float64(len(fold.Test))
		}
		repetitions = append(repetitions, total/float64(len(own)))
	}
	return repetitions, verdicts
}

func TestStudyEqualsSlowVersion(t *testing.T) {
	for _, classes := range []int{2, 3} {
		measured := studiedTimes(8, func(subset uint64) Data { return studied(40, classes, subset) })
		for _, kind := range []SchemeKind{PaperScheme, KFold, LeaveGroupOut} {
			scheme := Scheme{Kind: kind, Repetitions: 4, Seed: 2}
			for _, s := range studySettings() {
				s.Seed = 4
				e := testdata.Must(Study{Kind: Halves, Repetitions: 4}.Evaluate(t.Context(), measured, []Settings{s},
					scheme, nil))(t)[0]
				want, verdicts := slowStudy(t, measured, s, scheme)
				if len(e.Repetitions) != 4 || len(e.Predictions) != len(verdicts) || e.Scheme.Repetitions != 4 {
					t.Fatalf("%s, %s: repetitions %v, want %v", kind, s.Algorithm, e.Repetitions, want)
				}
				testdata.NearAll(t, fmt.Sprintf("%s, %s: repetition", kind, s.Algorithm), e.Repetitions, want, 1e-12)
				for k, p := range e.Predictions {
					if p.Label != verdicts[k] {
						t.Fatalf("%s, %s: prediction %d is %s, want %s", kind, s.Algorithm, k, p.Label, verdicts[k])
					}
				}
				_, mean, largest, sd := spread(accuracies(e.Folds))
				got := []float64{e.Accuracy, e.LargestDeviation, e.SD}
				testdata.Equal(t, "summary", got, []float64{mean, largest, sd})
				testdata.Is(t, "predictions measured", e.Metrics.N, len(e.Predictions))
			}
		}
	}
}

func TestStudySameBitsForAnyWorkers(t *testing.T) {
	measured := studiedTimes(10, func(subset uint64) Data { return studied(30, 2, subset) })
	evaluate := func(workers int) []Evaluation {
		settings := studySettings()
		for k := range settings {
			settings[k].Workers = workers
		}
		var p testdata.Progress
		list, err := Study{Kind: Shares, Repetitions: 5}.Evaluate(t.Context(), measured, settings,
			Scheme{Kind: PaperScheme}, &p)
		if err != nil {
			t.Fatal(err)
		}
		p.Whole(t, int64(len(settings)*5*3))
		return list
	}
	ignoreWorkers := cmpopts.IgnoreFields(Settings{}, "Workers")
	testdata.NoDiff(t, "difference", cmp.Diff(evaluate(1), evaluate(7), cmpopts.EquateNaNs(), ignoreWorkers))
}

// The baseline reads one score in all subsets: where one lacks correct_product, consistency_product
// everywhere.
func TestStudyBaselineReadsOneScore(t *testing.T) {
	measured := studiedTimes(2, func(subset uint64) Data { return studied(24, 2, subset) })
	measured[1].Rows[5].Scores.CorrectProduct = math.NaN()
	list, err := Study{Kind: Halves, Repetitions: 1}.Evaluate(t.Context(), measured, []Settings{{Algorithm: Baseline}},
		Scheme{Kind: KFold}, nil)
	if err != nil || list[0].Settings.Score != ConsistencyProduct {
		t.Errorf("score %v, %v", list, err)
	}
}

func TestStudyRefusals(t *testing.T) {
	good := func() []Data { return studiedTimes(4, func(subset uint64) Data { return studied(24, 2, subset) }) }
	with := func(change func(d []Data)) []Data {
		list := good()
		change(list)
		return list
	}
	study, scheme, linear := Study{Kind: Halves, Repetitions: 2}, Scheme{Kind: PaperScheme},
		[]Settings{{Algorithm: Regression}}
	for _, c := range []struct {
		study    Study
		measured []Data
		settings []Settings
		scheme   Scheme
		want     string
	}{
		{Study{Kind: "thirds"}, good(), linear, scheme, `study "thirds" is not known`},
		{study, good()[:3], linear, scheme, "need the models measured on 4 subsets of the images, not 3"},
		{study, good(), linear, Scheme{Kind: "all"}, `scheme "all" is not known`},
		{study, good(), []Settings{{Algorithm: "svm"}}, scheme, `algorithm "svm" is not known`},
	} {
		testdata.Refused(t, c.want,
			testdata.Err(c.study.Evaluate(t.Context(), c.measured, c.settings, c.scheme, nil)), c.want)
	}
	for want, change := range map[string]func(d []Data){
		"two features are named a":                         func(d []Data) { d[0].Names = []string{"a", "b", "a"} },
		"subset 3 has 24 models with 2 features":           func(d []Data) { d[2].Names = d[2].Names[:2] },
		"subset 2 has 20 models with 3 features":           func(d []Data) { d[1].Rows = d[1].Rows[:20] },
		"row 1 is model m3 in subset 2":                    func(d []Data) { d[1].Rows[0] = d[1].Rows[3] },
		"or its label or part differ":                      func(d []Data) { d[3].Rows[0].Label = label.Variant },
		"subset 4: model m7: feature max@CONF.mean is NaN": func(d []Data) { d[3].Rows[7].X[1] = math.NaN() },
		"model m7 has no correct_mean": func(d []Data) {
			d[3].Rows[7].Scores.CorrectMean = math.NaN()
		},
		"all labels are invariant": func(d []Data) {
			for k := range d {
				for i := range d[k].Rows {
					d[k].Rows[i].Label = label.Invariant
				}
			}
		},
	} {
		settings := []Settings{{Algorithm: Regression}, {Algorithm: Baseline, Score: CorrectMean}}
		testdata.Refused(t, want, testdata.Err(study.Evaluate(t.Context(), with(change), settings, scheme, nil)), want)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	testdata.ErrorIs(t, "cancelled",
		testdata.Err(study.Evaluate(stopped, good(), linear, scheme, nil)), context.Canceled)
}
