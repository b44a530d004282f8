package store

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// TestFinishComputesTheSummary of a family, and of sets: with the identity first, and no matrices.
// storetest.Unit predicts image+t/2 and the label is image modulo 3: right for t = 0 and 1 only.
func TestFinishComputesTheSummary(t *testing.T) {
	w, m, s, spec := ran(t, 300)
	set := assembled(t, spec, 3)
	matrices := map[string]variance.Matrix{}
	for _, modality := range signal.DefaultModalities() {
		rows := testdata.Must(set.Signals(modality))(t)
		matrices[modality.String()] = testdata.Must(variance.Scalar(rows, everyImage(300)))(t)
	}
	want := database.Summary{
		Key: spec.Key(), Matrices: matrices, Accuracy: []float64{1, 1, 0}, Robust: 0, Images: 300, Labelled: 300,
		Skipped: 2, Classes: []int{0, 1, 2}, MappedBy: "by index", Model: m.Hash, Suite: s.Hash, Family: spec.Family,
		Chance: &chance.Counts{Labelled: 300, Correct: 300, Classes: 3, Largest: 100, Top: 100, TopLabels: 100},
	}
	check := func(identity int) {
		t.Helper()
		got, ok, err := w.Summary(m, s.Hash, want.Family)
		if diff := cmp.Diff(want, got); diff != "" || !ok || err != nil || got.Identity() != identity {
			t.Errorf("%s: %v, %v, identity %d, %s", want.Family, ok, err, got.Identity(), diff)
		}
		testdata.Is(t, want.Family, testdata.Must(w.State(m, s.Hash, want.Family))(t), Ready)
	}
	check(1)
	best, ok, err := w.BestSet(m, s.Hash, spec.Family)
	if err != nil || !ok || best.Key != spec.Key() || !best.Finished || best.Recorded != 2 ||
		best.MappedBy != "by index" {
		t.Error(best, ok, err)
	}
	want.Matrices, want.Skipped = map[string]variance.Matrix{}, 0
	for name, accuracy := range map[string][]float64{
		transform.Plain: {1}, transform.Grayscale: {1, 1}, transform.Rot90: {1, 1, 0, 0},
		"shift:2:5": {1, 1, 0, 0, 0}, "mask:2;layers=1": {1, 1, 0, 0, 0},
	} {
		want.Key, want.Family = runSet(t, w, m, s, name).Key(), name
		want.Accuracy, want.Robust = accuracy, accuracy[len(accuracy)-1]
		check(0)
	}
}

func TestMatrixOfAnyModalityAndImages(t *testing.T) {
	w, _, _, spec := ran(t, 300)
	set := assembled(t, spec, 3)
	for _, text := range []string{"max_std@CONV-2", "L2@CONV-1"} {
		modality := testdata.Must(signal.ParseModality(text))(t)
		choose := variance.AllImages()
		choose.Which, choose.Class = variance.Correct, 1
		got := testdata.Must(w.Matrix(t.Context(), spec.Key(), modality, choose))(t)
		var images []int
		for k := 1; k < 300; k += 3 {
			images = append(images, k)
		}
		want, err := MatrixOf(set, modality, images)
		if err != nil || !cmp.Equal(want, got) {
			t.Errorf("%s: %v\n%v\n%v", text, err, want, got)
		}
		choose.Which = variance.Wrong
		testdata.ErrorIs(t, "the matrix", testdata.Err(w.Matrix(t.Context(), spec.Key(), modality, choose)),
			variance.ErrNoImages)
	}
	absent := signal.Modality{Position: model.Head}
	testdata.ErrorIs(t, "the matrix", testdata.Err(w.Matrix(t.Context(), spec.Key(), absent, variance.AllImages())),
		signal.ErrAbsent)
}

// A summary of an older program lacks the counts behind the chance level: they are counted from the
// signals once, and kept.
func TestChanceOfAnOlderSummary(t *testing.T) {
	w, _, _, spec := ran(t, 300)
	now, _, err := w.SetSummary(spec.Key())
	must(t, err)
	want, err := w.Chance(t.Context(), now)
	if err != nil || want.Flagged() || want.Correct != 300 {
		t.Fatal(want, err)
	}
	older := now
	older.Chance = nil
	data := testdata.Must(older.Encode())(t)
	must(t, w.Update(func(tx *bbolt.Tx) error { return database.Summaries.PutBytes(tx, spec.Key(), data) }))
	read, _, err := w.SetSummary(spec.Key())
	if err != nil || read.Chance != nil {
		t.Fatal(read.Chance, err)
	}
	if got, err := w.Chance(t.Context(), read); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if kept, _, err := w.SetSummary(spec.Key()); err != nil || !cmp.Equal(kept, now) {
		t.Errorf("kept %+v, %v", kept.Chance, err)
	}
	if got, err := w.Chance(t.Context(), database.Summary{Key: "of an older package", Package: "round"}); err != nil ||
		got.Flagged() {
		t.Errorf("of an older package %+v, %v", got, err)
	}
}

func TestFinishWithoutLabelsOrSuite(t *testing.T) {
	w := fresh(t)
	m := storetest.AddModel(t, w, "m")
	unlabelled := storetest.WriteSuite(t, "u", 10)
	unlabelled.Classes, unlabelled.Counts = nil, nil
	for k := range unlabelled.Labels {
		unlabelled.Labels[k] = -1
	}
	s, err := w.AddSuite(unlabelled)
	must(t, err)
	for _, source := range []string{s.Hash, "composites"} {
		spec := storetest.Spec(t, m, s)
		spec.Source = source
		storetest.RunModel(t, w, m, spec)
		got, ok, err := w.SetSummary(spec.Key())
		if err != nil || !ok || got.Accuracy != nil || got.Labelled != 0 || len(got.Matrices) != 5 {
			t.Error(source, got, ok, err)
		}
	}
}

func TestFinishNamesSignalsThatAreNotFinite(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 10)
	spec := storetest.Spec(t, m, s)
	u := storetest.Unit(spec, 0, 3, 3)
	u.Reduced[1][int(signal.Max)*30+2*10+7] = float32(math.NaN()) // CONV-1, max, transformation 2, image 7
	must(t, w.Record(t.Context(), spec, u))
	err := w.Finish(t.Context(), engine.Task{ID: "m", Spec: spec})
	var notFinite *variance.NotFiniteError
	if !errors.As(err, &notFinite) || notFinite.Transformation != 2 || notFinite.Image != 7 ||
		!strings.Contains(err.Error(), "model m: matrix max@CONV-1") {
		t.Error(err)
	}
	testdata.Is(t, "state", testdata.Must(w.State(m, s.Hash, spec.Family))(t), Partial)
}

func TestFinishAgainWithAnotherClassMapping(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 30)
	spec := storetest.Spec(t, m, s)
	task := storetest.RunModel(t, w, m, spec)
	heard := 0
	defer w.Subscribe(func(Change) { heard++ })()
	if err := w.Finish(t.Context(), task); err != nil || heard != 0 {
		t.Errorf("the same again: %d changes, %v", heard, err)
	}
	task.Classes = []int{1, 2, 0} // now right for t = 2 only
	if err := w.Finish(t.Context(), task); err != nil || heard != 1 {
		t.Errorf("%d changes, %v", heard, err)
	}
	got, _, err := w.Summary(m, s.Hash, spec.Family)
	if err != nil || !slices.Equal(got.Accuracy, []float64{0, 0, 1}) {
		t.Error(got.Accuracy, err)
	}
}

func TestStates(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	spec := storetest.Spec(t, m, s)
	expect := func(want State) {
		t.Helper()
		if got, err := w.State(m, s.Hash, spec.Family); got != want || err != nil {
			t.Errorf("%s in place of %s, %v", got, want, err)
		}
		_, ok, err := w.Summary(m, s.Hash, spec.Family)
		if err != nil || ok != (want == Ready) {
			t.Errorf("summary of %s: %v %v", want, ok, err)
		}
	}
	expect(None)
	must(t, w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3)))
	expect(Partial)
	storetest.RunModel(t, w, m, spec)
	expect(Ready)
	testdata.Is(t, "state", testdata.Must(w.State(m, s.Hash, "brightness:-0.3:0.3:0.02"))(t), None)
	whole := m
	for name, correct := range map[string]model.Correction{
		"kind":     {OutputKind: model.Probabilities},
		"norm":     {Mean: []float64{0.5}, Std: []float64{1}},
		"resize":   {Resize: model.Crop},
		"position": {Positions: map[string]string{"CONV-2": "r1"}},
		"new":      {Positions: map[string]string{"HEAD": "r1"}},
	} {
		m.Correction = correct
		t.Log(name)
		expect(Stale)
	}
	m.Correction = model.Correction{OutputKind: model.Logits, Positions: map[string]string{"CONV-2": "c1"}}
	expect(Ready) // what was assumed is confirmed
	m = whole
	m.Record = []model.Field{{Name: "output_kind", Value: "nonsense"}}
	testdata.Refused(t, "no error for settings that cannot be read", testdata.Err(w.State(m, s.Hash, spec.Family)))
}

// TestSignalsOfAChangedSuiteAreStale: same name or folder, other content.
func TestSignalsOfAChangedSuiteAreStale(t *testing.T) {
	w, m, s, spec := ran(t, 30)
	for name, change := range map[string]func(*suite.Manifest){
		"changed":   func(*suite.Manifest) {},
		"renamed":   func(c *suite.Manifest) { c.Name = "s2" },
		"moved":     func(c *suite.Manifest) { c.Root = "/elsewhere" },
		"unrelated": func(c *suite.Manifest) { c.Name, c.Root = "x", "/elsewhere" },
	} {
		next := s
		next.Hash = storetest.HashOf(name)
		change(&next)
		must(t, testdata.Err(w.AddSuite(next)))
		want := Stale
		if name == "unrelated" {
			want = None
		}
		if got, err := w.State(m, next.Hash, spec.Family); got != want || err != nil {
			t.Errorf("%s: %s %v", name, got, err)
		}
		if list, err := w.Overview(next.Hash, spec.Family); err != nil || list[0].State != want {
			t.Errorf("%s: %v in the list, %v", name, list, err)
		}
	}
}

// TestBestSet: more positions before newer; another library version is as good.
func TestBestSet(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 30)
	full := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, full)
	fewer := full
	fewer.Positions = full.Positions[:1]
	fewer.Vectors = nil
	storetest.RunModel(t, w, m, fewer)
	if best, _, err := w.BestSet(m, s.Hash, full.Family); best.Key != full.Key() || err != nil {
		t.Error("the run with fewer positions hides the other", err)
	}
	newer := full
	newer.Runtime = "2"
	storetest.RunModel(t, w, m, newer)
	if best, _, err := w.BestSet(m, s.Hash, full.Family); best.Key != newer.Key() || err != nil {
		t.Error("not the newest", err)
	}
}
