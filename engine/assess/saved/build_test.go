package saved

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/internal/testdata"
)

// madeUp is a repository of models whose first features grow with their class.
func madeUp(models, classes int, seed uint64) assess.Data {
	layout := feature.DefaultLayout()
	layout.Modalities = []string{"max@CONF", "mean@CONV-1"}
	d := assess.Data{Layout: layout, Names: layout.Names(), Classes: label.Values(classes)}
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range models {
		class := i % classes
		x := make([]float64, len(d.Names))
		for f := range x {
			x[f] = random.Float64()
		}
		x[0] += 0.4 * float64(class)
		x[17] += 0.3 * float64(class)
		d.Rows = append(d.Rows, assess.Row{
			ID: fmt.Sprint("m", i), Hash: fmt.Sprintf("%064x", i), X: x, Label: d.Classes[class],
			Scores: assess.Scores{CorrectProduct: 1 - 0.3*float64(class) - 0.2*random.Float64()},
		})
	}
	return d
}

// settings are every algorithm, boosting twice.
func settings() []assess.Settings {
	return []assess.Settings{
		{Algorithm: assess.DecisionTree, Seed: 1},
		{Algorithm: assess.RandomForest, Seed: 1, Trees: 12, MinLeaf: 3},
		{Algorithm: assess.AdaBoost, Seed: 1, Rounds: 10},
		{Algorithm: assess.AdaBoost, Seed: 1, Rounds: 10, Boosting: tree.SAMME},
		{Algorithm: assess.Regression, Seed: 1},
		{Algorithm: assess.Regression, Seed: 1, ZScores: true},
		{Algorithm: assess.Baseline, Seed: 1},
	}
}

// trained is a file with an assessor of these settings.
func trained(tb testing.TB, d assess.Data, s assess.Settings) File {
	tb.Helper()
	rows := d.Labelled()
	a := testdata.Must(assess.Train(tb.Context(), d, rows, s))(tb)
	half := 0.5
	f := File{
		Name: "first", Created: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC),
		Family: "rotation:-15:15:1;interpolation=bilinear;border=zero", Images: "all",
		Suite: Suite{Name: "digits", Hash: fmt.Sprintf("%064x", 7), Images: 1000}, Layout: d.Layout,
		Labels:       Labels{Source: "column rule_label", Counts: map[string]int{"invariant": 10, "variant": 10}},
		TrainingHash: TrainingHash(d, rows), Versions: map[string]string{"variscope": "0.1.0"}, Assessor: a,
		Results: []Result{{
			Scheme: assess.Scheme{Kind: assess.PaperScheme}, Models: len(rows), Accuracy: 0.9, AUC: &half,
		}},
	}
	for _, i := range rows {
		f.Training = append(f.Training, Example{ID: d.Rows[i].ID, Hash: d.Rows[i].Hash, Label: d.Rows[i].Label})
	}
	return f
}

// keeping is the file with the features of the models that it learned from.
func keeping(f File, d assess.Data) File {
	f.Training = New("", f.Created, "", Source{}, d).Training
	return f
}

func encoded(tb testing.TB, f File) []byte {
	tb.Helper()
	return testdata.Must(f.Encode())(tb)
}
