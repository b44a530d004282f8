package desk

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestThreeDesks(t *testing.T) {
	ws, r := home(t, nil)
	var files []string
	for k, annotator := range r.Annotators {
		there := invited(t, ws, r, false)
		for item := range r.Models {
			put(t, there, r, annotator, item, label.Values(3)[(k+item)%3])
		}
		undo, ok := label.UndoNewest(r, annotator, events(t, there, r))
		if !ok {
			t.Fatal("nothing to undo")
		}
		must(t, testdata.Err(there.Append(undo)))
		files = append(files, sent(t, there, r, annotator))
	}
	plan := merged(t, ws, files...)
	if plan.Good() != 3 || plan.Added != 12 || len(plan.Conflicts) != 0 {
		t.Fatalf("plan %+v", plan)
	}
	for _, f := range plan.Files {
		if f.New != 4 || f.Known != 0 || f.Round != "first" || len(f.SHA256) != 64 || f.Desk == "" {
			t.Errorf("file %+v", f)
		}
	}
	if got := len(label.Current(events(t, ws, r))); got != 6 {
		t.Errorf("%d labels, want 6: the undone ones do not count", got)
	}
	again := merged(t, ws, files[2], files[0])
	if again.Added != 0 || again.Files[0].Known != 4 {
		t.Errorf("merged again: %+v", again)
	}
}

func events(tb testing.TB, ws *store.Workspace, r label.Round) []label.Event {
	tb.Helper()
	list := testdata.Must(ws.Events(r.ID))(tb)
	return list
}

func TestSend(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, false)
	path := filepath.Join(t.TempDir(), "x.vlabels")
	send := func(annotator string) (Written, error) { return Send(t.Context(), there, r.ID, annotator, path) }
	testdata.Refused(t, "nothing to send", testdata.Err(send("")), "no labels at this desk")
	put(t, there, r, "a", 0, label.Variant)
	put(t, there, r, "b", 0, label.Invariant)
	put(t, ws, r, "c", 1, label.Borderline)
	merged(t, there, sent(t, ws, r, "")) // labels of another desk, which stay here
	testdata.Is(t, "events of all", testdata.Must(send(""))(t).Events, 2)
	first := testdata.Must(send("a"))(t)
	testdata.Is(t, "events of one", first.Events, 1)
	testdata.Is(t, "the same labels", testdata.Must(send("a"))(t), first)
	testdata.Refused(t, "a stranger", testdata.Err(send("z")), `"z" is not in round`)
}

// The table of the export merges with the file of the desk: the same events.
func TestTablesMergeToo(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, false)
	put(t, there, r, "a", 0, label.Variant)
	var rows []label.Row
	for _, ev := range events(t, there, r) {
		rows = append(rows, label.Row{Event: ev, RoundName: r.Name, ModelID: "m0"})
	}
	var table bytes.Buffer
	must(t, label.Labels.Sheet(rows).CSV(&table, false))
	path := filepath.Join(t.TempDir(), "labels_long.csv")
	must(t, os.WriteFile(path, table.Bytes(), 0o644))
	plan := merged(t, ws, path, sent(t, there, r, ""))
	if plan.Added != 1 || plan.Files[1].Known != 1 {
		t.Errorf("plan %+v", plan)
	}
	if got := events(t, ws, r)[0]; got.Ranges["max@CONF"].High != 0.3 {
		t.Errorf("colour ranges %v", got.Ranges)
	}
}

func TestConflictsAreKept(t *testing.T) {
	ws, r := home(t, nil)
	one, two := invited(t, ws, r, false), invited(t, ws, r, false)
	put(t, one, r, "a", 0, label.Variant)
	time.Sleep(2 * time.Millisecond) // ids of one millisecond have no order between desks
	late := put(t, two, r, "a", 0, label.Invariant)
	put(t, one, r, "a", 1, label.Variant)
	put(t, two, r, "a", 1, label.Variant)
	plan := merged(t, ws, sent(t, one, r, ""), sent(t, two, r, ""))
	if len(plan.Conflicts) != 1 {
		t.Fatalf("conflicts %+v", plan.Conflicts)
	}
	c := plan.Conflicts[0]
	if c.Model != "m0" || c.Annotator != "a" || !slices.Equal(c.Labels, []label.Value{label.Variant, label.Invariant}) {
		t.Errorf("conflict %+v", c)
	}
	r.Blind = true
	if hidden, err := Conflicts(ws, r, events(t, ws, r)); err != nil || len(hidden) != 1 || hidden[0].Labels != nil {
		t.Errorf("a blind round shows %+v, %v", hidden, err)
	}
	all := events(t, ws, r)
	if len(all) != 4 || label.Current(all)[label.Key{Model: r.Models[0], Annotator: "a"}].ID != late.ID {
		t.Error("both labels are to be kept, and the newest counts")
	}
}

// TestLabelsThatAreNotAskedFor: whoever labels by a package that was written before the round was
// changed here may give labels that count for nothing; the answer says how many and whose.
func TestLabelsThatAreNotAskedFor(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, false)
	for item := range r.Models {
		put(t, there, r, "b", item, label.Variant)
	}
	file := sent(t, there, r, "")
	r.Overlap = 1
	must(t, ws.UpdateRound(r))
	plan := merged(t, ws, file)
	if f := plan.Files[0]; f.New != 3 || f.Unassigned != 3-len(r.Assignment()["b"]) || f.Unassigned == 0 ||
		!slices.Equal(f.Whom, []string{"b"}) ||
		f.Uncounted() != "2 labels by b, of models that are not assigned to them in the round here: "+
			"kept, and left out of all measures" {
		t.Errorf("%+v: %s", f, f.Uncounted())
	}
	if again, err := Preview(t.Context(), there, []string{file}, Reading{}, nil); err != nil ||
		again.Files[0].Uncounted() != "" {
		t.Errorf("%+v, %v", again.Files, err)
	}
}

func TestDisputedEventsRefuseBothFiles(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, false)
	put(t, there, r, "a", 0, label.Variant)
	path := sent(t, there, r, "")
	forged := rewrite(t, path, func(m map[string][]byte) {
		m[eventsPath] = bytes.Replace(m[eventsPath], []byte(`"variant"`), []byte(`"invariant"`), 1)
	})
	for _, files := range [][]string{{path, forged}, {forged, path}} {
		plan := testdata.Must(Preview(t.Context(), ws, files, Reading{}, nil))(t)
		if plan.Good() != 0 || plan.Added != 0 || !strings.Contains(plan.Files[0].Refuse, "differs in label") {
			t.Errorf("plan %+v", plan)
		}
	}
	merged(t, ws, path)
	plan, err := Preview(t.Context(), ws, []string{path, forged}, Reading{}, nil)
	if err != nil || plan.Files[0].Refuse != "" || plan.Files[1].Refuse == "" {
		t.Errorf("after the true file came: %+v, %v", plan, err)
	}
}

// Whatever the order and however often files are merged, alone or together, the events are the same
// in the end.
func TestMergeOrderAndRepetition(t *testing.T) {
	ws, r := home(t, nil)
	var files []string
	for k, annotator := range []string{"a", "b", "a"} {
		there := invited(t, ws, r, false)
		for item := range r.Models {
			put(t, there, r, annotator, item, label.Values(3)[(k*item)%3])
		}
		files = append(files, sent(t, there, r, ""))
	}
	path := packed(t, ws, r, false)
	merged(t, ws, files...)
	want := events(t, ws, r)
	for seed := range uint64(20) { // each makes a workspace on disk
		rng := rand.New(rand.NewPCG(seed, 0))
		at := sums.Empty(t)
		must(t, testdata.Err(Open(t.Context(), at, path, nil)))
		left, added := slices.Clone(files), 0
		for range rng.IntN(4) {
			left = append(left, files[rng.IntN(len(files))])
		}
		rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for len(left) > 0 {
			n := 1 + rng.IntN(len(left))
			plan := merged(t, at, left[:n]...)
			added, left = added+plan.Added, left[n:]
		}
		if diff := cmp.Diff(want, events(t, at, r)); diff != "" || added != len(want) {
			t.Fatalf("seed %d, %d added: %s", seed, added, diff)
		}
	}
}

// FuzzReadLabels: no file makes the reader panic or take long, and what it accepts is well formed.
func FuzzReadLabels(f *testing.F) {
	ws, r := home(f, nil)
	put(f, ws, r, "a", 0, label.Variant)
	data, err := os.ReadFile(sent(f, ws, r, ""))
	must(f, err)
	f.Add(data)
	f.Add([]byte("PK"))
	f.Add([]byte("event_id,desk\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseLabels(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			l, err = parseTable(bytes.NewReader(data), "fuzz")
		}
		for _, ev := range l.events {
			if err == nil && checkEvent(ev) != nil {
				t.Errorf("accepted %+v", ev)
			}
		}
	})
}

// FuzzOpenPackage: no package makes the reader panic, or change the workspace when it is refused.
func FuzzOpenPackage(f *testing.F) {
	ws, r := home(f, nil)
	path := packed(f, ws, r, false)
	data, err := os.ReadFile(path)
	must(f, err)
	f.Add(data)
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := openArchive(bytes.NewReader(data), int64(len(data)), roundFormat)
		if err != nil {
			return
		}
		o := &opened{archive: a, name: "fuzz"}
		if content, err := o.content(t.Context(), engine.NoProgress{}); err == nil && content.Round.ID != a.Round {
			t.Errorf("accepted round %s in a package of %s", content.Round.ID, a.Round)
		}
	})
}
