package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func gathered(t *testing.T, d *desk, opts Options) Set {
	t.Helper()
	return testdata.Must(gather(t.Context(), d.Workspace, opts, engine.NoProgress{}))(t)
}

func states(v View) (list []string) {
	for _, it := range v.Items {
		list = append(list, it.name()+" "+it.State)
	}
	return list
}

func TestGatherRound(t *testing.T) {
	d := newDesk(t)
	r := d.addRound("first", "all")
	s := gathered(t, d, Options{Round: r.ID, Version: "1"})
	if len(s.Views) != 1 || s.Views[0].Folder != "" || !slices.Equal(s.Views[0].Rounds, []string{r.ID}) {
		t.Fatalf("views %+v", s.Views)
	}
	v := s.Views[0]
	if want := []string{"s1 ready", "s10 ready", "=s2 none"}; !slices.Equal(states(v), want) {
		t.Errorf("items %v, want those of the round in its order", states(v))
	}
	if v.SuiteName != "pets" || v.Axis.Name != "rotation" || !slices.Equal(v.Axis.Values, []float64{-15, 0, 15}) {
		t.Errorf("view of %s, axis %+v", v.SuiteName, v.Axis)
	}
	stored := testdata.Must(d.Round(r.ID))(t)
	for modality, c := range stored.Ranges {
		if v.Ranges[modality] != c {
			t.Errorf("colour range of %s is %v, the round has %v", modality, v.Ranges[modality], c)
		}
	}
	if it := v.Items[1]; len(it.Matrices) != 3 || it.Absent["max@CONV-2"] != "no second convolution" {
		t.Errorf("a model with one convolution has %d matrices, absent %v", len(it.Matrices), it.Absent)
	}
	if _, it, ok := s.find(r, r.Models[0]); !ok || it.ID != "s1" {
		t.Errorf("find: %v, %v", it.ID, ok)
	}
	if _, _, ok := s.find(r, sums.Hash("gone")); ok {
		t.Error("find finds a model that is not there")
	}
}

// Without a round the current suite and family come first, and what else has signals follows.
func TestGatherAll(t *testing.T) {
	d := newDesk(t)
	s := gathered(t, d, Options{})
	if len(s.Views) != 1 || s.Views[0].Axis.Name != "rotation" || len(s.Rounds) != 0 {
		t.Fatalf("views %+v", s.Views)
	}
	if want := []string{"=s2 none", "s1 ready", "s10 ready"}; !slices.Equal(states(s.Views[0]), want) {
		t.Errorf("items %v, want all models by id", states(s.Views[0]))
	}
	testdata.OK(t, d.SetCurrent(store.Current{Suite: d.suite.Hash, Family: canonical(t, "shear:-10:10:10")}))
	s = gathered(t, d, Options{})
	if len(s.Views) != 2 || s.Views[0].Axis.Name != "shear" || s.Views[1].Folder != "rotation" {
		t.Fatalf("views %+v", s.Views)
	}
	if want := []string{"=s2 none", "s1 none", "s10 none"}; !slices.Equal(states(s.Views[0]), want) {
		t.Errorf("items %v", states(s.Views[0]))
	}
}

// Signals for other preprocessing are stale: they are named, and not exported.
func TestGatherStale(t *testing.T) {
	d := newDesk(t)
	testdata.OK(t, d.UpdateModel(d.models[0].Hash, func(m *model.Model) error {
		m.Correction.Mean, m.Correction.Std = []float64{0.5}, []float64{0.25}
		return nil
	}))
	it := gathered(t, d, Options{}).Views[0].Items[1]
	if it.ID != "s1" || it.State != "stale" || len(it.Matrices) != 0 || it.Accuracy != nil {
		t.Errorf("%s is %s with %d matrices", it.ID, it.State, len(it.Matrices))
	}
	var out bytes.Buffer
	if err := ModelSheet(View{Items: []Item{it}}).CSV(&out, false); err != nil ||
		!strings.Contains(out.String(), ",0.5,0.25,") || !strings.Contains(out.String(), ",stale,,,,,") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// What the run did not compute is absent with its reason, and a filter that leaves no image leaves
// no matrix.
func TestGatherFiltersAndModalities(t *testing.T) {
	d := newDesk(t)
	round := func(name, filter string, modalities ...string) label.Round {
		return testdata.Must(d.CreateRound(t.Context(), label.Round{
			Name: name, Suite: d.suite.Hash, Family: canonical(t, "rotation:-15:15:15"), Classes: 2, Filter: filter,
			Modalities: modalities, Annotators: []string{"r1"}, Models: []string{d.models[0].Hash},
		}))(t)
	}
	odd := gathered(t, d, Options{Round: round("odd", "all;class=1", "std@CONV-1", "L2@CONV-1", "max@HEAD").ID})
	it := odd.Views[0].Items[0]
	if it.Images != 3 || len(it.Matrices) != 1 || it.Matrices["std@CONV-1"].N != 3 {
		t.Errorf("%d images, matrices %v", it.Images, it.Matrices)
	}
	if len(it.Absent) != 2 || it.Absent["L2@CONV-1"] == "" || it.Absent["max@HEAD"] == "" {
		t.Errorf("absent %v", it.Absent)
	}
	none := gathered(t, d, Options{Round: round("none", "wrong", "max@CONF").ID})
	if it := none.Views[0].Items[0]; it.State != "ready" || len(it.Matrices) != 0 {
		t.Errorf("all images are right, yet %s has %d matrices of wrong ones", it.State, len(it.Matrices))
	}
	if c := none.Views[0].Ranges["max@CONF"]; c != (label.Range{High: 0.3}) {
		t.Errorf("colour range %v", c)
	}
}

// A background round has no family: its labels are exported, with what is known of its models.
func TestExportBackgroundRound(t *testing.T) {
	d := newDesk(t)
	r := testdata.Must(d.CreateRound(t.Context(), label.Round{
		Name: "scenes", Kind: label.BackgroundRound, Suite: d.suite.Hash, Selection: "sel", Classes: 3,
		Annotators: []string{"r1"}, Models: []string{d.models[0].Hash},
	}))(t)
	ev := label.Event{Round: r.ID, Model: r.Models[0], Annotator: "r1", Kind: label.Label, Value: label.Borderline}
	testdata.Must(d.Append(ev))(t)
	out := filepath.Join(t.TempDir(), "out")
	files := exported(t, d, Options{Out: out, Round: r.ID})
	if slices.Contains(files, "matrices.npz") || !slices.Contains(files, "models.csv") {
		t.Errorf("files %v", files)
	}
	if !strings.Contains(content(t, out, "labels_wide.csv"), ",borderline,borderline,borderline\n") {
		t.Errorf("labels %s", content(t, out, "labels_wide.csv"))
	}
	var tasks []studioTask
	if err := json.Unmarshal([]byte(content(t, out, "label_studio.json")), &tasks); err != nil || len(tasks) != 1 {
		t.Errorf("%d tasks, %v", len(tasks), err)
	}
}

// Wherever it is cancelled, an export leaves the folder as it was.
func TestExportCancelledOnTheWay(t *testing.T) {
	d := newDesk(t)
	d.addRound("first", "all")
	out := t.TempDir()
	exported(t, d, Options{Out: out, Without: []Part{Pictures}})
	before := listing(t, out)
	card := content(t, out, cardName)
	for _, after := range []int64{1, 3, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Export(ctx, d.Workspace, Options{Out: out}, &testdata.Progress{After: after, Stop: cancel})
		cancel()
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), out) {
			t.Errorf("cancelled after %d: %v", after, err)
		}
		if got := listing(t, out); !slices.Equal(got, before) || content(t, out, cardName) != card {
			t.Errorf("cancelled after %d: %v, before %v", after, got, before)
		}
	}
}

// An export of chosen models holds these alone: rows, matrices, labels, and agreement on them.
func TestGatherChosenModels(t *testing.T) {
	d := newDesk(t)
	r := d.addRound("first", "all")
	for _, m := range d.models[:2] {
		for _, annotator := range r.Annotators {
			testdata.Must(d.Append(label.Event{
				Round: r.ID, Model: m.Hash, Annotator: annotator, Kind: label.Label, Value: label.Variant, Seconds: 1,
			}))(t)
		}
	}
	s := gathered(t, d, Options{Models: []string{d.models[1].Hash}})
	if want := []string{"s10 ready"}; len(s.Views) != 1 || !slices.Equal(states(s.Views[0]), want) {
		t.Errorf("views %+v", s.Views)
	}
	other := func(ev label.Event) bool { return ev.Model != d.models[1].Hash }
	if events := s.Events[r.ID]; len(events) < len(r.Annotators) || slices.ContainsFunc(events, other) {
		t.Errorf("events %+v", events)
	}
	if len(s.Rounds) != 1 || !slices.Equal(s.Rounds[0].Models, []string{d.models[1].Hash}) {
		t.Errorf("rounds %+v", s.Rounds)
	}
	if len(s.Agreement) != 1 || !s.Limited {
		t.Errorf("%d rounds are measured", len(s.Agreement))
	}
	if s := gathered(t, d, Options{Models: []string{}}); len(s.Rounds) != 0 || len(s.Views[0].Items) != 0 {
		t.Errorf("an export of no model has %d rounds", len(s.Rounds))
	}
	stored, err := d.Round(r.ID)
	if err != nil || len(stored.Models) != 3 {
		t.Errorf("the round itself changed: %v %v", stored.Models, err)
	}
}

// The matrices of a suite that lies nowhere say what it is made from, for people and for programs.
func TestGatherADerivedSuite(t *testing.T) {
	for name, change := range map[string]derive.Change{
		"pets, fog 3, seed 7":           corrupt.Setting{Name: "fog", Severity: 3, Seed: 7},
		"pets, shifted 3x3 t5 region 7": derive.Shift{N: 3, T: 5, Region: 7},
	} {
		t.Run(change.String(), func(t *testing.T) { gatheredFromDerived(t, change, name) })
	}
}

func gatheredFromDerived(t *testing.T, by derive.Change, name string) {
	d := newDesk(t)
	made := testdata.Must(d.DeriveSuite(d.suite.Hash, by, ""))(t)
	testdata.OK(t, d.SetCurrent(store.Current{Suite: made.Hash, Family: canonical(t, "rotation:-15:15:15")}))
	s := gathered(t, d, Options{})
	v := s.Views[0]
	if v.SuiteName != name || v.BaseName != "pets" || v.Derived == nil || v.Derived.Of != d.suite.Hash {
		t.Errorf("%q made from %q: %+v", v.SuiteName, v.BaseName, v.Derived)
	}
	change := by.String()
	if text, want := cardText(t, s, nil), "- its images: made from suite pets, content "+d.suite.Hash+", by `"+change+
		"`\n"; !strings.Contains(text, want) {
		t.Errorf("%s\nlacks %s", text, want)
	}
	var out bytes.Buffer
	testdata.OK(t, AxesJSON(&out, v))
	var axes struct{ Derived suite.Derived }
	if err := json.Unmarshal(out.Bytes(), &axes); err != nil ||
		axes.Derived != (suite.Derived{Of: d.suite.Hash, Change: change}) {
		t.Errorf("%+v, %v", axes, err)
	}
}

// Transformation sets have no matrices: an export of all that has signals passes over them.
func TestGatherPassesOverSets(t *testing.T) {
	d := newDesk(t)
	for _, name := range transform.Sets() {
		text, _ := transform.Default(name)
		d.run(d.models[0], text)
	}
	d.run(d.models[0], "scenes:"+strings.Repeat("ab", 32)+":5")
	s := gathered(t, d, Options{})
	if len(s.Views) != 1 || s.Views[0].Axis.Name != "rotation" {
		t.Errorf("views %+v", s.Views)
	}
}
