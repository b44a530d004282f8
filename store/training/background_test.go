package training

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	scenes "github.com/variscope/variscope/engine/background"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/lookup"
)

func (s *stage) measure(ask Ask) ([]Measured, []LeftOut) {
	s.tb.Helper()
	measured, left, err := Measure(s.tb.Context(), s.Workspace, ask, nil, nil)
	must(s.tb, err)
	return measured, left
}

// slowScores counts, over some targets, what the scores of the baseline say in words.
func (s *stage) slowScores(hash string, targets []int) (assess.Scores, float64) {
	u := s.units[hash]
	var worst, same, right, cells, kept, changes, first float64
	for _, x := range targets {
		all, still := true, true
		for i := range u.Transformations {
			hit := int(u.Prediction[i*u.Images+x]) == s.targets.Labels[x]
			all = all && hit
			cells++
			if hit {
				right++
			}
			if i == 0 {
				if hit {
					first++
				}
				continue
			}
			changes++
			if u.Prediction[i*u.Images+x] == u.Prediction[x] {
				kept++
			} else {
				still = false
			}
		}
		if all {
			worst++
		}
		if still {
			same++
		}
	}
	n := float64(len(targets))
	return assess.Scores{
		CorrectProduct: worst / n, CorrectMean: right / cells, ConsistencyProduct: same / n,
		ConsistencyMean: kept / changes,
	}, first / n
}

func closeTo(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// checkScenes compares a measured model with its clouds, interpolated and measured one by one.
func (s *stage) checkScenes(got Measured, layout feature.Layout, targets []int) {
	s.tb.Helper()
	e, reason, err := background.Read(s.tb.Context(), s.Workspace, got.Model, s.selection.Hash)
	if err != nil || reason != "" {
		s.tb.Fatal(reason, err)
	}
	at := 0
	for _, modality := range layout.Modalities {
		for _, p := range layout.Interpolants() {
			cloud := e.Clouds[background.Measure(modality)].Of(targets)
			list, err := scatter.Interpolate(s.tb.Context(), cloud, layout.Background.Raster, []scatter.Interpolant{p})
			must(s.tb, err)
			want := testdata.Must(scatter.Measure(list[0], layout.Background.Threshold))(s.tb)
			if !slices.Equal(got.Vector.Values[at:at+len(want)], want[:]) {
				s.tb.Errorf("%s, %s.%s: %v, want %v", got.Model.ID, modality, p.Name(),
					got.Vector.Values[at:at+len(want)], want)
			}
			if m := got.Vector.Matrices[modality+"."+p.Name()]; m.N != layout.Background.Raster ||
				!slices.Equal(m.Data, list[0].Values) {
				s.tb.Errorf("%s: the matrix %s.%s is another", got.Model.ID, modality, p.Name())
			}
			at += len(want)
		}
	}
	scores, accuracy := s.slowScores(got.Model.Hash, targets)
	if !closeTo(got.Scores.CorrectProduct, scores.CorrectProduct) ||
		!closeTo(got.Scores.CorrectMean, scores.CorrectMean) ||
		!closeTo(got.Scores.ConsistencyProduct, scores.ConsistencyProduct) ||
		!closeTo(got.Scores.ConsistencyMean, scores.ConsistencyMean) ||
		!closeTo(got.Accuracy, accuracy) {
		s.tb.Errorf("%s: %+v, accuracy %v; want %+v, %v", got.Model.ID, got.Scores, got.Accuracy, scores, accuracy)
	}
}

func everyTarget() []int {
	return testdata.UpTo(classes * targetsPerClass)
}

func TestMeasureScenes(t *testing.T) {
	s := newStage(t, 6)
	var progress testdata.Progress
	measured, left, err := Measure(t.Context(), s.Workspace, s.ask(), nil, &progress)
	must(t, err)
	var ids []string
	for _, m := range measured {
		ids = append(ids, m.Model.ID)
		s.checkScenes(m, s.ask().Layout, everyTarget())
	}
	if strings.Join(ids, " ") != "m0 m1 m2 m5" || progress.Total.Load() != 6 || progress.Done.Load() != 6 {
		t.Errorf("measured %v, progress %d of %d", ids, progress.Done.Load(), progress.Total.Load())
	}
	if len(left) != 2 || left[0].ID != "m3" || !strings.Contains(left[0].Reason.Text, "max@HEAD: ") ||
		left[1].ID != "m4" || left[1].Reason.Text != store.ErrNoSignals.Error() {
		t.Errorf("left out %+v", left)
	}
	if measured[0].Vector.Values[0] >= measured[3].Vector.Values[0] || measured[0].Scores.CorrectProduct != 1 {
		t.Errorf("the steady model has mean %v and %+v, the shaken one %v", measured[0].Vector.Values[0],
			measured[0].Scores, measured[3].Vector.Values[0])
	}
	// A layout of CONF alone needs no HEAD.
	ask := s.ask()
	ask.Layout.Modalities = []string{"max@CONF"}
	if measured, _ = s.measure(ask); len(measured) != 5 || len(measured[0].Vector.Values) != 21 {
		t.Errorf("%d models by CONF alone", len(measured))
	}
	ask.Models = []string{s.models[2].Hash, sums.Hash("nobody")}
	if measured, left = s.measure(ask); len(measured) != 1 || measured[0].Model.ID != "m2" || len(left) != 1 ||
		left[0].Reason != lookup.NotHere {
		t.Errorf("%d models, left out %+v", len(measured), left)
	}
}

func TestMeasureScenesIsTheSameForAnyWorkers(t *testing.T) {
	s := newStage(t, 6)
	ask := s.ask()
	ask.Layout.Background.Set = feature.AllSet
	ask.Workers = 1
	one, _ := s.measure(ask)
	for _, workers := range []int{2, 5} {
		ask.Workers = workers
		if some, _ := s.measure(ask); !reflect.DeepEqual(one, some) {
			t.Errorf("%d workers measure otherwise", workers)
		}
	}
	// The second time, matrices come from where they were kept.
	fresh := newStage(t, 6)
	if some, _ := fresh.measure(ask); !reflect.DeepEqual(valuesOf(one), valuesOf(some)) {
		t.Error("kept matrices are others")
	}
}

func valuesOf(measured []Measured) (list [][]float64) {
	for _, m := range measured {
		list = append(list, m.Vector.Values)
	}
	return list
}

// ssty compares with the matrix of nine in ten targets, drawn by the layout's seed over all
// targets and before any filter.
func TestMeasureScenesWithSSTY(t *testing.T) {
	s := newStage(t, 3)
	ask := s.ask()
	ask.Layout.Modalities, ask.Layout.Background.Interpolants = []string{"max@HEAD"}, []string{"I2"}
	ask.Layout.Background.Set, ask.Layout.Seed = feature.SixteenSet, 9
	measured, _ := s.measure(ask)
	for _, m := range measured {
		e, _, err := background.Read(t.Context(), s.Workspace, m.Model, s.selection.Hash)
		must(s.tb, err)
		cloud := e.Clouds[background.HeadMax]
		fewer, err := variance.Images{Class: variance.AnyClass, Share: 0.9, Seed: 9}.Choose(make([]int, 15), nil, nil)
		if must(s.tb, err); len(fewer) != 13 {
			t.Fatalf("%d targets in the sub-sample", len(fewer))
		}
		list := testdata.Must(scatter.Interpolate(t.Context(), cloud.Of(fewer), 12, ask.Layout.Interpolants()))(s.tb)
		whole, sum := m.Vector.Matrices["max@HEAD.I2"], 0.0
		for i := range 12 {
			for j := range i {
				sum += math.Pow(whole.At(i, j)-list[0].At(j, i), 2)
			}
		}
		at := slices.Index(ask.Layout.Names(), "max@HEAD.I2.ssty")
		if !closeTo(m.Vector.Values[at], sum/66) || (sum == 0) != (m.Model.ID == "m0") {
			t.Errorf("%s: ssty %v, want %v", m.Model.ID, m.Vector.Values[at], sum/66)
		}
	}
}

func TestMeasureSomeTargets(t *testing.T) {
	s := newStage(t, 3)
	ask := s.ask()
	subsets := [][]int{{0, 3, 4, 9}, {1}, everyTarget()}
	measured, left, err := MeasureSubsets(t.Context(), s.Workspace, ask, subsets, nil)
	if err != nil || len(left) != 0 || len(measured) != 3 {
		t.Fatalf("%d subsets, left out %v, %v", len(measured), left, err)
	}
	for k, targets := range subsets {
		for _, m := range measured[k] {
			s.checkScenes(m, ask.Layout, targets)
		}
	}
	ask.Images.Class = 1
	if list, _ := s.measure(ask); len(list) != 3 {
		t.Errorf("%d models by the targets of one class", len(list))
	} else {
		s.checkScenes(list[2], ask.Layout, []int{5, 6, 7, 8, 9})
	}
	ask.Images = variance.AllImages()
	ask.Images.Which = variance.Wrong
	if list, left := s.measure(ask); len(list) != 0 || len(left) != 3 ||
		!strings.Contains(left[0].Reason.Text, "no image") {
		t.Errorf("no target is predicted wrongly: %d models, %+v", len(list), left)
	}
}

func TestMeasureScenesRefuses(t *testing.T) {
	s := newStage(t, 1)
	for want, change := range map[string]func(*Ask){
		"are of a selection of testing scenes; name one": func(a *Ask) { a.Selection = "" },
		"a selection of testing scenes has interpolated matrices and no ": func(a *Ask) {
			a.Layout = feature.DefaultLayout()
		},
		"a raster of 2 elements": func(a *Ask) {
			a.Layout.Background.Raster = 2
		},
		"selection": func(a *Ask) {
			a.Selection = sums.Hash("gone")
		},
	} {
		ask := s.ask()
		change(&ask)
		_, _, err := Measure(t.Context(), s.Workspace, ask, nil, nil)
		testdata.Refused(t, "error", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Measure(ctx, s.Workspace, s.ask(), nil, nil)
	testdata.ErrorIs(t, "a cancelled context", err, context.Canceled)
}

// What has no value of its own is NaN: the correct scores without labels.
func TestScoresOf(t *testing.T) {
	got := ScoresOf(scenes.Judge([][]int32{{0}, {1}}, []int{-1}), 1)
	if !math.IsNaN(got.CorrectProduct) || !math.IsNaN(got.CorrectMean) || got.ConsistencyMean != 0 ||
		got.ConsistencyProduct != 0 {
		t.Errorf("without labels: %+v", got)
	}
	got = ScoresOf(scenes.Judge(nil, nil), 1)
	if !math.IsNaN(got.ConsistencyMean) || !math.IsNaN(got.ConsistencyProduct) || !math.IsNaN(got.CorrectProduct) {
		t.Errorf("without targets: %+v", got)
	}
}

// Rounds of backgrounds have three classes, and three different labels count as borderline.
func TestLabelByABackgroundRound(t *testing.T) {
	s := newStage(t, 8)
	measured, _ := s.measure(s.ask()) // m0 m1 m2 m5 m6 m7
	r := s.round(nil,
		[]label.Value{label.Invariant, label.Invariant, label.Borderline},
		[]label.Value{label.Invariant, label.Borderline, label.Variant},
		[]label.Value{label.Variant, label.Borderline, label.Borderline}, []label.Value{label.Variant}, nil,
		[]label.Value{label.Variant, label.Variant}, []label.Value{label.Invariant, label.Variant})
	layout := s.ask().Layout
	for _, c := range []struct {
		from    Labels
		want    string
		classes int
	}{
		{Labels{}, "invariant borderline borderline variant borderline -", 3},
		{Labels{Borderline: Keep}, "invariant borderline borderline variant borderline -", 3},
		{Labels{Borderline: Leave}, "invariant - - variant - -", 2},
		{Labels{Borderline: AsVariant}, "invariant variant variant variant variant -", 2},
	} {
		c.from.Round = r.ID
		d, left, err := Label(s.Workspace, measured, layout, c.from)
		must(s.tb, err)
		must(s.tb, d.Validate())
		if got := labels(d); got != c.want || len(d.Classes) != c.classes || !reflect.DeepEqual(d.Layout, layout) ||
			!slices.Equal(d.Names, layout.Names()) {
			t.Errorf("%+v: %s, %v", c.from, got, d.Classes)
		}
		if last := left[len(left)-1]; last.ID != "m3" || !strings.Contains(last.Reason.Text, "without features here") {
			t.Errorf("left out %+v", left)
		}
	}
	d, _, err := Label(s.Workspace, measured, layout, Labels{Column: "three"})
	if must(s.tb, err); labels(d) != "invariant borderline variant variant invariant borderline" ||
		len(d.Classes) != 3 {
		t.Errorf("by a column: %s, %v", labels(d), d.Classes)
	}
}

func TestLabelKeepsTheKindsOfRoundsApart(t *testing.T) {
	s := newStage(t, 2)
	measured, _ := s.measure(s.ask())
	scenesRound := s.round(nil)
	plain := s.round(func(r *label.Round) {
		r.Name, r.Kind, r.Family, r.Selection, r.Interpolants = "plain", label.VarianceRound, "rotation:-15:15:5", "",
			nil
	})
	_, _, err := Label(s.Workspace, measured, s.ask().Layout, Labels{Round: plain.ID})
	want := "round plain is about matrices of a family; its labels say nothing of interpolated matrices"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	_, _, err = Label(s.Workspace, measured, feature.DefaultLayout(), Labels{Round: scenesRound.ID})
	if want := "round scenes is about backgrounds; its labels say nothing of matrices of a family"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	secret := s.round(func(r *label.Round) { r.Name, r.Blind = "blind", true })
	var refused *SecretError
	if _, _, err = Label(s.Workspace, measured, s.ask().Layout, Labels{Round: secret.ID}); !errors.As(err, &refused) {
		t.Errorf("a blind round: %v", err)
	}
}

// Labels that were given to the scenes of one selection say nothing of another.
func TestLabelKeepsSelectionsApart(t *testing.T) {
	s := newStage(t, 3)
	measured, _ := s.measure(s.ask())
	if measured[0].Selection != s.selection.Hash {
		t.Fatalf("measured in %q", measured[0].Selection)
	}
	others := s.selection.Selection
	others.Feather = 1
	far, err := s.AddSelection("far", others)
	must(s.tb, err)
	r := s.round(func(r *label.Round) { r.Selection = far.Hash })
	_, _, err = Label(s.Workspace, measured, s.ask().Layout, Labels{Round: r.ID})
	want := "round scenes is about the scenes of selection far, and its labels say nothing of matrices of selection " +
		"near; measure far, or take labels that were given to near"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if subsets, _, err := MeasureSubsets(t.Context(), s.Workspace, s.ask(), [][]int{{0, 1}, {2}}, nil); err != nil ||
		subsets[1][0].Selection != s.selection.Hash {
		t.Errorf("parts of the targets: %v", err)
	}
}

// An exported table of interpolated matrices trains as the workspace does.
func TestFromATableOfScenes(t *testing.T) {
	s := newStage(t, 4)
	ask := s.ask()
	ask.Layout.Modalities = []string{"max@CONF"}
	measured, _ := s.measure(ask)
	table := export.FeatureTable{Names: ask.Layout.Names(), Layout: &ask.Layout}
	var records strings.Builder
	records.WriteString("id,test_accuracy,worst_case_accuracy\n")
	for k, m := range measured {
		table.Rows = append(table.Rows, export.FeatureRow{
			ModelID: m.Model.ID, ModelHash: m.Model.Hash, Values: m.Vector.Shown(), Final: label.Values(3)[k%3],
		})
		fmt.Fprintf(&records, "%s,%v,%v\n", m.Model.ID, m.Accuracy, m.Scores.CorrectProduct)
	}
	folder := t.TempDir()
	must(s.tb, os.WriteFile(filepath.Join(folder, "models.csv"), []byte(records.String()), 0o644))
	for name, raster := range map[string]int{"features.csv": scatter.DefaultRaster, "features.parquet": 12} {
		path := filepath.Join(folder, name)
		file := testdata.Must(os.Create(path))(s.tb)
		if name == "features.csv" {
			must(s.tb, table.Sheet().CSV(file, false))
		} else {
			must(s.tb, table.Sheet().Parquet(file))
		}
		must(s.tb, file.Close())
		d, left, err := FromFile(path, filepath.Join(folder, "models.csv"), Labels{})
		must(s.tb, err)
		must(s.tb, d.Validate())
		if len(left) != 0 || labels(d) != "invariant borderline variant invariant" || len(d.Classes) != 3 ||
			!d.Layout.OfBackground() {
			t.Fatalf("%s: %s, %v, left out %v", name, labels(d), d.Classes, left)
		}
		if d.Layout.Background.Raster != raster || !slices.Equal(d.Layout.Matrices(), ask.Layout.Matrices()) {
			t.Errorf("%s: layout %+v", name, d.Layout) // a CSV does not say how it was measured
		}
		for k, row := range d.Rows {
			if !slices.Equal(row.X, measured[k].Vector.Values) ||
				row.Scores.CorrectProduct != measured[k].Scores.CorrectProduct || row.Accuracy != measured[k].Accuracy {
				t.Errorf("%s, %s: %+v", name, row.ID, row)
			}
		}
	}
}
