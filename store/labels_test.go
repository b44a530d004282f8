package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// TestAppendIsNewest: also when another desk's clock is ahead.
func TestAppendIsNewest(t *testing.T) {
	w, m, _, r := labelling(t)
	ahead := storetest.LabelEvent(r, m.Hash, "B", label.Variant)
	ahead.ID, ahead.Desk, ahead.Pass = ulid.MustNew(ulid.Timestamp(time.Now().Add(24*time.Hour)), zeros{}).String(),
		"other", 1
	testdata.Is(t, "added", testdata.Must(w.Merge([]label.Event{ahead}))(t), 1)
	last := ahead.ID
	for range 3 {
		ev := storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "B", label.Invariant))
		if ev.ID <= last {
			t.Errorf("%s is not after %s", ev.ID, last)
		}
		last = ev.ID
	}
	events := testdata.Must(w.Events(r.ID))(t)
	if current := label.Current(events)[label.Key{Model: m.Hash, Annotator: "B"}]; current.ID != last {
		t.Errorf("the current label is %s, not the last %s", current.ID, last)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestMergeInAnyOrder: any split of events of two rounds into files, merged in any order, any
// number of times, gives the same.
func TestMergeInAnyOrder(t *testing.T) {
	w := unsynced(fresh(t))
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	rapid.Check(t, func(rt *rapid.T) {
		rounds := []label.Round{storetest.AddRound(t, w, s, m), storetest.AddRound(t, w, s, m)}
		// an own one
		events := []label.Event{storetest.Append(t, w, storetest.LabelEvent(rounds[0], m.Hash, "A", label.Variant))}
		for i := range rapid.IntRange(1, 12).Draw(rt, "events") {
			ev := storetest.LabelEvent(rounds[i/2%2], m.Hash, []string{"A", "B"}[i%2], label.Variant)
			ev.ID, ev.Desk, ev.Pass, ev.Note = w.NewID(), "other", 1, fmt.Sprint(i)
			events = append(events, ev)
		}
		total := 0
		for range rapid.IntRange(1, 4).Draw(rt, "files") {
			part := rapid.SliceOf(rapid.SampledFrom(events)).Draw(rt, "part")
			added := testdata.Must(w.Merge(part))(rt)
			total += added
		}
		added, err := w.Merge(append(slices.Clone(events), events...))
		first, err1 := w.Events(rounds[0].ID)
		second, err2 := w.Events(rounds[1].ID)
		got := label.Sorted(append(first, second...))
		if err := errors.Join(err, err1, err2); err != nil || total+added != len(events)-1 || !cmp.Equal(got, events) {
			rt.Fatal(err, total+added, len(events), cmp.Diff(events, got))
		}
	})
}

func TestMergeRefusesWhole(t *testing.T) {
	w, m, _, r := labelling(t)
	own := storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	sound := storetest.LabelEvent(r, m.Hash, "B", label.Invariant)
	sound.ID, sound.Pass = w.NewID(), 1
	changed := own
	changed.Value = label.Invariant
	foreign, bad, noID := sound, sound, sound
	foreign.Round, foreign.ID = w.NewID(), w.NewID()
	bad.Value, bad.ID = "good", w.NewID()
	noID.ID = "17"
	merge := func(ev label.Event) error { return testdata.Err(w.Merge([]label.Event{sound, ev})) }
	var conflict *label.ConflictError
	if err := merge(changed); !errors.As(err, &conflict) || conflict.ID != own.ID {
		t.Error(err)
	}
	testdata.ErrorIs(t, "a strange round", merge(foreign), database.ErrNotFound)
	testdata.Refused(t, "a strange label", merge(bad))
	testdata.Refused(t, "no ULID", merge(noID))
	testdata.Is(t, "events", len(testdata.Must(w.Events(r.ID))(t)), 1)
}

// TestMergeBringsRanges: tables of labels do not carry the ranges seen; a desk's own events do.
func TestMergeBringsRanges(t *testing.T) {
	w, m, _, r := labelling(t)
	plain := storetest.LabelEvent(r, m.Hash, "B", label.Variant)
	plain.ID, plain.Pass = w.NewID(), 1
	whole := plain
	whole.Ranges = map[string]label.Range{"max@CONF": {High: 1}}
	for _, c := range []struct {
		ev    label.Event
		added int
	}{{plain, 1}, {whole, 0}, {plain, 0}} {
		testdata.Is(t, "added", testdata.Must(w.Merge([]label.Event{c.ev}))(t), c.added)
	}
	if events, err := w.Events(r.ID); err != nil || !cmp.Equal(events, []label.Event{whole}) {
		t.Error(events, err)
	}
}

func BenchmarkAppend(b *testing.B) {
	w := fresh(b)
	s := storetest.AddSuite(b, w, "s", 3)
	r := storetest.AddRound(b, w, s, storetest.AddModel(b, w, "m"))
	for b.Loop() {
		must(b, testdata.Err(w.Append(storetest.LabelEvent(r, r.Models[0], "A", label.Variant))))
	}
}
