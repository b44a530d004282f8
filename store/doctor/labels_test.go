package doctor

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/journal"
)

// TestLabelsAreNeverLost: whatever is wrong with label events, repair only adds some or sets aside
// what cannot be read.
func TestLabelsAreNeverLost(t *testing.T) {
	x := newEverything(t)
	x.eventIDs(t)
	one, last := x.events[40], x.events[len(x.events)-1]
	const withoutJournal, free = "lost, and the journal, too", "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	key := func(ev label.Event) []byte { return []byte(database.KeyOfEvent(ev.Round, ev.ID)) }
	// one more event, like one of those that are there
	more := func(change func(ev *label.Event)) func(b *bbolt.Bucket) error {
		return func(b *bbolt.Bucket) error {
			other := one
			change(&other)
			text, err := json.Marshal(other)
			return errors.Join(err, b.Put(key(other), text))
		}
	}
	spoil := func(ev label.Event) func(b *bbolt.Bucket) error {
		return func(b *bbolt.Bucket) error { return b.Put(key(ev), []byte("{spoilt")) }
	}
	twice := func(b *bbolt.Bucket) error {
		return b.Put([]byte(database.KeyOfEvent(last.Round, free)), slices.Clone(b.Get(key(last))))
	}
	for _, c := range []struct {
		name   string
		damage func(b *bbolt.Bucket) error
		// found are kinds, more is how many events come on top, aside a text in records.jsonl.
		found []string
		more  int
		aside string
		stays []string
	}{
		{name: "unreadable, in a backup", damage: spoil(one), found: []string{"record"}, aside: "e3Nwb2ls"},
		{name: "unreadable, in no backup", damage: spoil(last), found: []string{"record"}, aside: "e3Nwb2ls"},
		{
			name: "lost", damage: func(b *bbolt.Bucket) error { return b.Delete(key(one)) },
			found: []string{"journal"},
		},
		{
			name: withoutJournal, damage: func(b *bbolt.Bucket) error { return b.Delete(key(one)) },
			found: []string{"event-lost", "journal"},
		},
		{name: "under another key", damage: func(b *bbolt.Bucket) error {
			return errors.Join(twice(b), b.Delete(key(last)))
		}, found: []string{"journal", "record"}, aside: last.ID},
		{name: "twice under two keys", damage: twice, found: []string{"record"}, aside: last.ID},
		{
			name: "in two rounds", damage: more(func(ev *label.Event) { ev.Round = free }), more: 1,
			found: []string{"event-twice", "journal", "reference"}, stays: []string{"event-twice", "reference"},
		},
		{name: "of a model that the round has not", damage: more(func(ev *label.Event) {
			ev.ID, ev.Model = free, storetest.HashOf("elsewhere")
		}), more: 1, found: []string{"event", "journal"}, stays: []string{"event"}},
		{name: "undo of what is not here", damage: more(func(ev *label.Event) {
			ev.ID, ev.Kind, ev.Value, ev.Supersedes = free, label.Undo, "", "01ARZ3NDEKTSV4RRFFQ69G5FAW"
		}), more: 1, found: []string{"event-target", "journal"}, stays: []string{"event-target"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ill := x.copied(t)
			before := ill.Dump(t)
			ill.Within(t, func(tx *bbolt.Tx) error { return c.damage(database.Events.In(tx)) })
			if c.name == withoutJournal {
				storetest.Remove(t, ill.File(journal.File))
			}
			testdata.Equal(t, "found", kinds(mustExamine(t, ill.Path).Findings), c.found)
			r := mustRepair(t, ill.Path)
			testdata.Equal(t, "what remains", kinds(r.After.Findings), c.stays)
			after := ill.Dump(t)[database.Events.Name]
			testdata.Is(t, "events", len(after), len(x.events)+c.more)
			for key, value := range before[database.Events.Name] {
				testdata.Is(t, "event "+key, after[key], value)
			}
			if c.aside != "" {
				text := string(storetest.Read(t, ill.File(filepath.FromSlash(r.Aside), "records.jsonl")))
				if !strings.Contains(text, c.aside) {
					t.Errorf("set aside: %s", text)
				}
			}
		})
	}
}

// TestRestoreKeepsLabels: labels that were made after the backup that is restored come back from
// the journal.
func TestRestoreKeepsLabels(t *testing.T) {
	x := newEverything(t)
	before := x.Labels(t)
	must(t, testdata.Err(backup.Restore(t.Context(), x.Path, "")))
	testdata.Is(t, "labels and rounds of the backup", len(x.Labels(t)), len(before)-1)
	checkAndClose(t, reopen(t, x.Path))
	testdata.NoDiff(t, "labels and rounds", cmp.Diff(before, x.Labels(t)))
}
