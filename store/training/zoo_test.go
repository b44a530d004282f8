//go:build cgo

package training

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/assess/tables"
	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/job"
)

// The run below probes each model in a child process, which is this test program again.
func init() { onnx.ServeWorker() }

// scenesZoo is a workspace with all models of the scenes world, run on the 40 targets that have
// reference results.
type scenesZoo struct {
	*store.Workspace
	tb        testing.TB
	folder    string
	models    int // in models.csv
	selection store.SelectionRecord
	expected  struct {
		Targets []string           `json:"targets"`
		D       float64            `json:"axis_max"`
		Rule    scenes.Expansion   `json:"expansion"`
		Mining  map[string]any     `json:"mining"`
		Models  map[string]zooMean `json:"models"`
	}
}

type zooMean struct {
	Accuracy  float64              `json:"accuracy_40"`
	WorstCase float64              `json:"worst_case_40"`
	Means     map[string][]float64 `json:"matrix_mean"`
}

// ruleOf is a label that stands in for annotators': what worst-case accuracy says.
func ruleOf(worst float64) label.Value {
	switch {
	case worst >= 0.35:
		return label.Invariant
	case worst >= 0.05:
		return label.Borderline
	}
	return label.Variant
}

func openScenesZoo(t *testing.T, rt engine.Runtime) *scenesZoo {
	t.Helper()
	folder, ok := testdata.Zoo("scenes")
	if !ok {
		t.Fatal("the repository has a copy of the scenes, and it is not there")
	}
	z := &scenesZoo{Workspace: sums.Empty(t), tb: t, folder: folder}
	data := testdata.Must(os.ReadFile(filepath.Join(folder, "expected", "summary.json")))(z.tb)
	must(z.tb, json.Unmarshal(data, &z.expected))
	z.choose()
	z.addModels()
	z.run(rt)
	return z
}

// choose makes the selection of the 40 targets.
func (z *scenesZoo) choose() {
	z.tb.Helper()
	root := z.tb.TempDir()
	for _, name := range z.expected.Targets {
		data := testdata.Must(os.ReadFile(filepath.Join(z.folder, filepath.FromSlash(name))))(z.tb)
		path := filepath.Join(root, filepath.FromSlash(name))
		must(z.tb, os.MkdirAll(filepath.Dir(path), 0o755))
		must(z.tb, os.WriteFile(path, data, 0o644))
	}
	names := testdata.Must(os.ReadFile(filepath.Join(z.folder, "labels", "objects.txt")))(z.tb)
	targets := z.suite(filepath.Join(root, "targets"), strings.Fields(string(names)))
	backgrounds := z.suite(filepath.Join(z.folder, "backgrounds"), nil)
	masks, err := z.AddMasks(z.tb.Context(), targets.Hash, filepath.Join(z.folder, "masks"), false, engine.NoProgress{})
	must(z.tb, err)
	file := testdata.Must(os.Open(filepath.Join(z.folder, "keywords.csv")))(z.tb)
	defer func() { _ = file.Close() }()
	read := testdata.Must(scenes.ReadTable(file))(z.tb)
	table := testdata.Must(z.AddKeywords("keywords.csv", "file", read))(z.tb)
	ontology := testdata.Must(z.PutOntology(store.OntologyRecord{
		Name: "all", Table: table.Hash, Rule: scenes.PaperRule(),
		MinSupport:    z.expected.Mining["min_support"].(float64),
		MinConfidence: z.expected.Mining["min_confidence"].(float64),
	}))(z.tb)
	plan := testdata.Must(background.Select(z.tb.Context(), z.Workspace, background.Ask{
		Targets: targets.Hash, Backgrounds: backgrounds.Hash, Masks: masks.Hash, Ontology: ontology,
		Expansion: z.expected.Rule, Choice: scenes.Choice{Method: scenes.ByKeywords, N: 32, Seed: 1},
	}, engine.NoProgress{}))(z.tb)
	z.selection = testdata.Must(z.AddSelection("32 by keywords", plan.Selection))(z.tb)
}

func (z *scenesZoo) suite(root string, classes []string) suite.Manifest {
	z.tb.Helper()
	m := testdata.Must(suite.Scan(z.tb.Context(), root, suite.Options{Classes: classes}, nil))(z.tb)
	return testdata.Must(z.AddSuite(m))(z.tb)
}

// addModels adds all models, with their worst-case accuracy over all 360 targets and the label that
// it stands for.
func (z *scenesZoo) addModels() {
	z.tb.Helper()
	file := testdata.Must(os.Open(filepath.Join(z.folder, "models.csv")))(z.tb)
	defer func() { _ = file.Close() }()
	rows := testdata.Must(csv.NewReader(file).ReadAll())(z.tb)
	at := slices.Index(rows[0], "worst_case_accuracy")
	z.models = len(rows) - 1
	for _, row := range rows[1:] {
		worst, err := strconv.ParseFloat(row[at], 64)
		must(z.tb, err)
		path := filepath.Join(z.folder, "models", row[0]+".onnx")
		graph := testdata.Must(onnx.Inspect(path))(z.tb)
		content := testdata.Must(os.Open(path))(z.tb)
		_, _, err = z.AddModel(model.Model{
			ID: row[0], File: row[0] + ".onnx", Graph: graph,
			Record: []model.Field{
				{Name: "worst_case_accuracy", Value: row[at]}, {Name: "rule", Value: string(ruleOf(worst))},
			},
		}, content)
		must(z.tb, err)
		must(z.tb, content.Close())
	}
}

func (z *scenesZoo) run(rt engine.Runtime) {
	z.tb.Helper()
	eng := engine.New(rt, z.Workspace, engine.Limits{Workers: 2})
	defer func() { must(z.tb, eng.Close()) }()
	family := testdata.Must(z.selection.Family())(z.tb)
	id, refused, err := job.Start(z.tb.Context(), z.Workspace, eng, rt,
		job.Request{Suite: z.selection.Targets, Family: family}, engine.NoProgress{})
	if err != nil || len(refused) > 0 {
		z.tb.Fatal(err, refused)
	}
	status, err := eng.Wait(z.tb.Context(), id)
	if err != nil || status.Phase != engine.Done || status.Failed > 0 {
		z.tb.Fatalf("%+v, %v", status, err)
	}
}

// TestZooAssessorsOfScenes goes the whole way: 34 models in the scenes of a selection, their
// interpolated matrices, rule labels of three classes, the evaluation per interpolant, and an
// assessor that is trained, saved, read and explained.
func TestZooAssessorsOfScenes(t *testing.T) {
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("zoo scenes: not run, ONNX Runtime is absent; make library brings it")
		return
	}
	rt := testdata.Must(onnx.Load("", ""))(t)
	defer func() { _ = rt.Close() }()
	z := openScenesZoo(t, engine.InProcess{Library: rt})
	layout := feature.DefaultBackgroundLayout()
	layout.Background.Set = feature.AllSet
	measured, left, err := Measure(t.Context(), z.Workspace,
		Ask{Selection: z.selection.Hash, Layout: layout, Images: variance.AllImages()}, nil, nil)
	if err != nil || len(left) != 0 || len(measured) != z.models {
		t.Fatalf("%d models, left out %+v, %v", len(measured), left, err)
	}
	z.compareMeans(measured, layout)
	if testdata.Part(z.folder) {
		fmt.Printf("zoo scenes: left out the evaluation of assessors: the repository's copy has %d models of 34\n",
			z.models)
		return
	}
	if testing.Short() {
		return // evaluating takes minutes under the race detector
	}
	d, left, err := Label(z.Workspace, measured, layout, Labels{Column: "rule"})
	if err != nil || len(left) != 0 {
		t.Fatalf("left out %+v, %v", left, err)
	}
	z.repository(d)
	z.automation(d)
	z.assessor(d)
}

// compareMeans holds accuracies and the means of matrices to the zoo's.
func (z *scenesZoo) compareMeans(measured []Measured, layout feature.Layout) {
	z.tb.Helper()
	names, compared := layout.Names(), 0
	for _, m := range measured {
		want, ok := z.expected.Models[m.Model.ID]
		if !ok {
			continue
		}
		if !closeTo(m.Accuracy, want.Accuracy) || !closeTo(m.Scores.CorrectProduct, want.WorstCase) {
			z.tb.Errorf("%s: accuracy %v and worst case %v, want %v and %v", m.Model.ID, m.Accuracy,
				m.Scores.CorrectProduct, want.Accuracy, want.WorstCase)
		}
		for modality, zoo := range map[string]string{"max@CONF": "conf_max", "max@HEAD": "act_max"} {
			for k, mean := range want.Means[zoo] {
				at := slices.Index(names, fmt.Sprintf("%s.I%d.mean", modality, k+1))
				if d := m.Vector.Values[at] - mean; d > 1e-4 || d < -1e-4 {
					z.tb.Errorf("%s: %s is %v, want %v", m.Model.ID, names[at], m.Vector.Values[at], mean)
				}
				compared++
			}
		}
	}
	if compared != 12 {
		z.tb.Errorf("%d means compared", compared)
	}
}

func (z *scenesZoo) repository(d assess.Data) {
	z.tb.Helper()
	parts, unlabelled := tables.Table5(d)
	var texts []string
	for _, p := range parts {
		texts = append(texts, fmt.Sprintf("%s %d", p.Label, p.Models))
	}
	if got := strings.Join(texts, ", "); got != "invariant 9, borderline 8, variant 17" || unlabelled != 0 {
		z.tb.Errorf("rule labels: %s, %d without", got, unlabelled)
	}
	accuracy, worst := tables.Table6(d)
	fmt.Printf("zoo scenes, 40 targets: %s; accuracy %.3f (%.3f..%.3f, std %.3f), worst case %.3f (%.3f..%.3f, std "+
		"%.3f)\n",
		strings.Join(texts, ", "), accuracy.Mean, accuracy.Min, accuracy.Max, accuracy.Std, worst.Mean, worst.Min,
		worst.Max, worst.Std)
}

// automation evaluates by interpolant. Half of the models are variant: whoever says so of all is
// right about 50 %.
func (z *scenesZoo) automation(d assess.Data) {
	z.tb.Helper()
	seven := feature.DefaultBackgroundLayout()
	for _, layout := range []feature.Layout{seven, d.Layout} {
		part := testdata.Must(d.Select(layout))(z.tb)
		var settings []assess.Settings
		for _, a := range []assess.Algorithm{assess.RandomForest, assess.AdaBoost, assess.Regression, assess.Baseline} {
			settings = append(settings, assess.Usual(a, layout, 1))
		}
		lines, err := tables.Table3(z.tb.Context(), part, settings, assess.UsualScheme(layout, 1), nil)
		must(z.tb, err)
		for _, l := range lines {
			if l.Problem != nil {
				z.tb.Fatalf("%s %s: %v", l.Interpolant, l.Settings.Algorithm, l.Problem)
			}
			fmt.Printf("zoo scenes, set %-7s %2s %-8s accuracy %.1f ± %.1f, kappa %.3f ± %.3f\n",
				layout.Background.Set, l.Interpolant,
				l.Settings.Algorithm, 100*l.Accuracy.Mean, 100*l.Accuracy.Largest, l.Kappa.Mean, l.Kappa.Largest)
			if l.Accuracy.N != 10 || l.Settings.Algorithm == assess.RandomForest &&
				!(l.Accuracy.Mean > 0.7 && l.Kappa.Mean > 0.5) {
				z.tb.Errorf("set %s, %s: %+v, %+v", layout.Background.Set, l.Interpolant, l.Accuracy, l.Kappa)
			}
		}
	}
}

// assessor trains on all models, goes through a file, and explains.
func (z *scenesZoo) assessor(d assess.Data) {
	z.tb.Helper()
	seven := feature.DefaultBackgroundLayout()
	part := testdata.Must(d.Select(seven))(z.tb)
	a, err := assess.Train(z.tb.Context(), part, part.Labelled(), assess.Usual(assess.RandomForest, seven, 1))
	must(z.tb, err)
	family := testdata.Must(z.selection.Family())(z.tb)
	f := saved.File{
		Name: "scenes", Family: family, Images: "all",
		Suite: saved.Suite{Name: "targets", Hash: z.selection.Targets, Images: 40}, Layout: seven,
		Labels: saved.Labels{
			Source: "column rule", Borderline: string(Keep),
			Counts: map[string]int{"invariant": 9, "borderline": 8, "variant": 17},
		},
		TrainingHash: saved.TrainingHash(part, part.Labelled()), Versions: map[string]string{}, Assessor: a,
	}
	for _, r := range part.Rows {
		f.Training = append(f.Training, saved.Example{ID: r.ID, Hash: r.Hash, Label: r.Label})
	}
	data := testdata.Must(f.Encode())(z.tb)
	again := testdata.Must(saved.Decode("scenes.vassessor", data))(z.tb)
	must(z.tb, again.Fits(family, part.Layout))
	summary, err := assess.Summarise(z.tb.Context(), again.Assessor, part, part.Labelled(), again.Assessor.Shown(), nil)
	must(z.tb, err)
	if summary.Class != label.Invariant {
		z.tb.Errorf("explanations begin with %s", summary.Class)
	}
	order := make([]int, len(summary.Names))
	for c := range order {
		order[c] = c
	}
	slices.SortFunc(order, func(x, y int) int {
		switch {
		case summary.Mean[x] > summary.Mean[y]:
			return -1
		case summary.Mean[x] < summary.Mean[y]:
			return 1
		}
		return x - y
	})
	if !strings.HasPrefix(summary.Names[order[0]], "max@CONF.") { // as in the paper: the final predictions carry most
		z.tb.Errorf("%s carries most", summary.Names[order[0]])
	}
	for _, c := range order[:6] {
		fmt.Printf("zoo scenes, invariant: %-24s mean |phi| %.4f\n", summary.Names[c], summary.Mean[c])
	}
}
