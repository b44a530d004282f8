package desk

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// question asks for the matrices that a round shows of one of its models.
func question(tb testing.TB, ws *store.Workspace, r label.Round, item int) store.MatrixRequest {
	tb.Helper()
	m := testdata.Must(ws.Model(r.Models[item]))(tb)
	images := testdata.Must(variance.ParseImages(r.Filter))(tb)
	return store.MatrixRequest{Model: m, Suite: r.Suite, Family: r.Family, Modalities: r.Modalities, Images: images}
}

// What a desk sees of an opened round is what the desk that invited sees.
func TestPackageShowsTheSame(t *testing.T) {
	for name, change := range map[string]func(*label.Round){
		"all images": nil,
		"correct images": func(r *label.Round) {
			r.Filter, r.Modalities = "correct", []string{"max@CONF", "std@CONV-1"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ws, r := home(t, change)
			must(t, ws.PutAnnotator(store.Annotator{ID: "a", Name: "annotator 1"}))
			there := invited(t, ws, r, false)
			r = testdata.Must(ws.Round(r.ID))(t) // with its colour ranges fixed
			testdata.NoDiff(t, "the round", cmp.Diff(r, testdata.Must(there.Round(r.ID))(t)))
			testdata.Is(t, "ranges", len(r.Ranges), len(r.Modalities))
			for item := range r.Models {
				want := testdata.Must(ws.Matrices(t.Context(), question(t, ws, r, item)))(t)
				want.Set = ""
				have := testdata.Must(there.Matrices(t.Context(), question(t, there, r, item)))(t)
				testdata.NoDiff(t, fmt.Sprint("item ", item), cmp.Diff(want, have))
				comparePackaged(t, ws, there, r, item)
			}
			testdata.Is(t, "name", testdata.Must(there.AnnotatorNames())(t)["a"], "annotator 1")
			current := store.Current{Suite: r.Suite, Family: r.Family}
			testdata.Is(t, "current", testdata.Must(there.Current())(t), current)
			testdata.ErrorIs(t, "images", testdata.Err(there.OpenSuite(r.Suite)), store.ErrNoImages)
		})
	}
}

// comparePackaged looks at summary, state and record of one item.
func comparePackaged(t *testing.T, ws, there *store.Workspace, r label.Round, item int) {
	t.Helper()
	mine, theirs := testdata.Must(ws.Model(r.Models[item]))(t), testdata.Must(there.Model(r.Models[item]))(t)
	mine.Probes = nil
	testdata.NoDiff(t, "the model", cmp.Diff(mine, theirs))
	testdata.Is(t, "its file went with the package", there.HasFile(mine.Hash), false)
	testdata.Is(t, "state", testdata.Must(there.State(theirs, r.Suite, r.Family))(t), store.Ready)
	want, _, err := ws.Summary(mine, r.Suite, r.Family)
	must(t, err)
	have, ok, err := there.Summary(theirs, r.Suite, r.Family)
	if !ok || err != nil || have.Package != r.ID || len(have.Key) != 64 || have.Key == want.Key {
		t.Fatalf("summary %v, %v of package %q", ok, err, have.Package)
	}
	have.Key, have.Package = want.Key, ""
	testdata.NoDiff(t, "summary", cmp.Diff(want, have))
}

func TestPackageDoesNotKnowOtherImages(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, false)
	q := question(t, there, r, 0)
	q.Images, _ = variance.ParseImages("wrong")
	testdata.ErrorIs(t, "other images", testdata.Err(there.Matrices(t.Context(), q)), store.ErrNotInPackage)
	q = question(t, there, r, 0)
	q.Modalities = []string{"max@CONF", "std@CONV-1"}
	a, err := there.Matrices(t.Context(), q)
	if err != nil || a.Absent["std@CONV-1"] != store.NotInPackage || a.Matrices["max@CONF"].N != 3 {
		t.Errorf("another modality: %v, %v", a.Absent, err)
	}
}

// Packages of the same round are the same bytes, and opening one again, or at the desk that wrote
// it, changes nothing.
func TestPackageIsDeterministic(t *testing.T) {
	ws, r := home(t, nil)
	folder := t.TempDir()
	var files [2][]byte
	for k := range files {
		path := filepath.Join(folder, string(rune('a'+k))+".vround")
		written, err := Invite(t.Context(), ws, r.ID, path, false, nil)
		must(t, err)
		if files[k], err = os.ReadFile(path); err != nil || written.Models != 3 ||
			written.Size != int64(len(files[k])) || len(written.SHA256) != 64 {
			t.Fatal(err, written)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two packages of one round differ")
	}
	for _, at := range []*store.Workspace{ws, invited(t, ws, r, false)} {
		report, err := Open(t.Context(), at, filepath.Join(folder, "a.vround"), nil)
		if err != nil || report.Created || report.Changed || report.Models != 0 {
			t.Errorf("opened again: %+v, %v", report, err)
		}
	}
	rest, err := os.ReadDir(folder)
	if err != nil || len(rest) != 2 {
		t.Errorf("%d files are left, %v", len(rest), err)
	}
	about, err := Look(filepath.Join(folder, "a.vround"))
	if err != nil || about.RoundName != "first" || about.Models != 3 || about.Full ||
		!slices.Equal(about.Names, []string{"a", "b", "c"}) {
		t.Errorf("about %+v, %v", about, err)
	}
}

func TestPackageOfAChangedRound(t *testing.T) {
	ws, r := home(t, func(r *label.Round) { r.Models = r.Models[:2] })
	there := invited(t, ws, r, false)
	put(t, there, r, "a", 0, label.Variant)
	old := packed(t, ws, r, false)
	models, err := ws.Models()
	must(t, err)
	if r, err = ws.Round(r.ID); err != nil {
		t.Fatal(err)
	}
	r.Models, r.Guideline = append(r.Models, models[2].Hash), "Look twice."
	must(t, ws.UpdateRound(r))
	path := packed(t, ws, r, false)
	for _, p := range []string{path, old, path} {
		must(t, testdata.Err(Open(t.Context(), there, p, nil)))
		got, err := there.Round(r.ID)
		if err != nil || len(got.Models) != 3 || got.Guideline != "Look twice." {
			t.Errorf("after %s: %d models, guideline %q, %v", filepath.Base(p), len(got.Models), got.Guideline, err)
		}
	}
	forged := rewrite(t, path, func(m map[string][]byte) { // what is frozen may not differ
		m["round.json"] = bytes.Replace(m["round.json"], []byte(`"classes":3`), []byte(`"classes":2`), 1)
	})
	testdata.Refused(t, "forged", testdata.Err(Open(t.Context(), there, forged, nil)), "classes cannot change")
	other, _ := home(t, func(r *label.Round) { r.Name = "other" })
	must(t, testdata.Err(Open(t.Context(), other, path, nil))) // a second round in one workspace
}

func TestFullPackage(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, true)
	for _, hash := range r.Models {
		testdata.Equal(t, "model file", storetest.Read(t, there.ModelPath(hash)), storetest.Read(t, ws.ModelPath(hash)))
		if m, err := there.Model(hash); err != nil || len(m.Probes) != 0 || len(m.Curves) != 1 {
			t.Errorf("model %+v, %v", m, err)
		}
	}
	s := testdata.Must(there.OpenSuite(r.Suite))(t)
	sameImages(t, ws, s)
	must(t, s.Close())
	left := testdata.Must(filepath.Glob(filepath.Join(there.Path(), ".package-*")))(t)
	testdata.Equal(t, "left behind", left, nil)
}

func TestInviteNeedsMatrices(t *testing.T) {
	ws, r := home(t, nil)
	r.ID = ""
	r.Family = strings.Replace(family, "15:15:15", "30:30:30", 1)
	other := testdata.Must(ws.CreateRound(t.Context(), r))(t)
	path := filepath.Join(t.TempDir(), "x.vround")
	testdata.ErrorIs(t, "a round without signals", testdata.Err(Invite(t.Context(), ws, other.ID, path, false, nil)),
		store.ErrNoSignals)
	testdata.Refused(t, "half a package was left", testdata.Err(os.Stat(path)))
}

// A file without the model's file joins it when the file is imported.
func TestFileOfAPackagedModel(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, false)
	m := testdata.Must(there.Model(r.Models[0]))(t)
	in := testdata.Must(os.Open(ws.ModelPath(m.Hash)))(t)
	defer in.Close()
	bare := m
	bare.Record, bare.Curves = nil, nil
	if _, added, err := there.AddModel(bare, in); added != store.Merged || err != nil || !there.HasFile(m.Hash) {
		t.Errorf("import of the file: %s, %v", added, err)
	}
	if back, err := there.Model(m.Hash); err != nil || len(back.Record) != 1 || len(back.Curves) != 1 {
		t.Errorf("record %+v, %v", back.Record, err)
	}
}

// TestPackageHoldsTheFieldsThatTheRoundShows: what else a record says does not leave the desk, and
// a package whose round lists its fields is refused by programs that would show all.
func TestPackageHoldsTheFieldsThatTheRoundShows(t *testing.T) {
	for _, c := range []struct {
		fields  []string
		version int
		want    []string
	}{
		{nil, 1, []string{"epochs"}},
		{[]string{"rule_label"}, 2, []string{"rule_label"}},
		{[]string{}, 2, nil},
	} {
		ws, r := home(t, func(r *label.Round) { r.Fields = c.fields })
		err := ws.UpdateModel(r.Models[0], func(m *model.Model) error {
			m.Record = []model.Field{{Name: "epochs", Value: "3"}, {Name: "rule_label", Value: "1"}}
			return nil
		})
		must(t, err)
		path := packed(t, ws, r, false)
		in := testdata.Must(openPackage(path))(t)
		in.close()
		if in.Version != c.version {
			t.Errorf("fields %q: version %d", c.fields, in.Version)
		}
		there := invited(t, ws, r, false)
		m := testdata.Must(there.Model(r.Models[0]))(t)
		var got []string
		for _, f := range m.Record {
			got = append(got, f.Name)
		}
		round, err := there.Round(r.ID)
		if err != nil || !slices.Equal(got, c.want) || !slices.Equal(round.Fields, c.fields) ||
			(round.Fields == nil) != (c.fields == nil) {
			t.Errorf("fields %q: the package has %q, its round lists %q, %v", c.fields, got, round.Fields, err)
		}
	}
}

// TestPackageOfANewRound: what older programs would pass over makes a package of version 3 and
// comes whole, and so do plans of the order.
func TestPackageOfANewRound(t *testing.T) {
	ws, r := home(t, func(r *label.Round) {
		r.Curves, r.Pinned, r.Words = []string{}, []string{"epochs"}, map[label.Value]string{label.Variant: "fragile"}
		r.Order, r.Overlap, r.Known, r.KnownFirst = label.OrderUseful, 2,
			map[string]label.Value{r.Models[1]: label.Variant}, true
	})
	must(t, errors.Join(ws.CloseRound(r.ID, true), ws.CloseRound(r.ID, false)))
	r, err := ws.Round(r.ID)
	must(t, err)
	in := testdata.Must(openPackage(packed(t, ws, r, false)))(t)
	in.close()
	testdata.Is(t, "version", in.Version, 3)
	there := invited(t, ws, r, false)
	got := testdata.Must(there.Round(r.ID))(t)
	testdata.Is(t, "the round", cmp.Diff(r.Closings, got.Closings)+cmp.Diff(r.Words, got.Words)+
		cmp.Diff(r.Known, got.Known)+
		cmp.Diff(r.Assignment(), got.Assignment())+cmp.Diff(r.Pinned, got.Pinned), "")
	testdata.Is(t, "shown and ordered",
		got.Curves != nil && got.KnownFirst && got.Order == r.Order && got.Overlap == 2, true)
	mine := r.Assignment()["a"]
	planned := testdata.Must(there.Append(label.PlanOf(got, "a", nil, mine)))(t)
	path := sent(t, there, got, "a")
	_, labels, err := openFile(path, labelsFormat)
	must(t, err)
	testdata.Is(t, "version of labels", labels.Version, 3)
	testdata.Is(t, "merged", merged(t, ws, path).Added, 1)
	events, err := ws.Events(r.ID)
	if err != nil || len(events) != 1 || !slices.Equal(events[0].Queue, planned.Queue) {
		t.Errorf("%+v, %v", events, err)
	}
}

// TestAnswersStayAtHome: the package of a round that is blind until it is closed says which models
// have a known answer, so that everybody is assigned the same models, and no answer; the labels are
// measured at home. A package that is written after closing brings the answers, also where a later
// one with more models came first.
func TestAnswersStayAtHome(t *testing.T) {
	ws, r := home(t, func(r *label.Round) {
		r.Blind, r.Overlap, r.KnownFirst = true, 1, true
		r.Known = map[string]label.Value{r.Models[1]: label.Borderline, r.Models[2]: label.Variant}
	})
	path := packed(t, ws, r, false)
	in := testdata.Must(openPackage(path))(t)
	data, err := in.bytes("round.json")
	in.close()
	must(t, err)
	if in.Version != 4 || !bytes.Contains(data, []byte(r.Models[1]+`":""`)) ||
		bytes.Contains(data, []byte("borderline\"")) {
		t.Errorf("version %d: %s", in.Version, data)
	}
	there := invited(t, ws, r, false)
	sealed, err := there.Round(r.ID)
	must(t, err)
	testdata.Is(t, "assignment", cmp.Diff(sealed.Assignment(), r.Assignment()), "")
	for _, hash := range sealed.Assignment()["a"] {
		put(t, there, sealed, "a", slices.Index(r.Models, hash), label.Variant)
	}
	must(t, there.CloseRound(r.ID, true))
	sealed, err = there.Round(r.ID)
	must(t, err)
	testdata.Is(t, "whoever closes it there sees the answers", sealed.SeesKnown("a", nil), false)
	merged(t, ws, sent(t, there, r, ""))
	_, err = Open(t.Context(), ws, path, nil)
	must(t, err)
	must(t, ws.CloseRound(r.ID, true))
	closed := testdata.Must(ws.Round(r.ID))(t)
	testdata.Is(t, "answers at home", cmp.Diff(closed.Known, r.Known), "")
	measured := agreement.OfRound(closed, events(t, ws, r), r.Models, r.Annotators, agreement.Options{})
	testdata.Is(t, "right", measured.Known.Against[0].Percent.Value.Value, 0.5)
	path = packed(t, ws, r, false)
	shapes, err := ws.Suite(r.Suite)
	must(t, errors.Join(err, ws.CloseRound(r.ID, false)))
	_, err = ws.AppendModels(r.ID, []string{addModel(t, ws, shapes, 3).Hash})
	must(t, err)
	_, err = Open(t.Context(), there, packed(t, ws, r, false), nil)
	must(t, err)
	report := testdata.Must(Open(t.Context(), there, path, nil))(t)
	testdata.Is(t, "changed", report.Changed && len(report.Round.Models) == 4, true)
	testdata.Is(t, "answers after closing", cmp.Diff(report.Round.Known, r.Known), "")
}
