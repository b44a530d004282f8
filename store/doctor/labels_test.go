package doctor

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
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
	const withoutJournal = "lost, and the journal, too"
	key := func(ev label.Event) []byte { return []byte(database.KeyOfEvent(ev.Round, ev.ID)) }
	for _, c := range []struct {
		name   string
		damage func(b *bbolt.Bucket) error
		// found are kinds, want is how many events there are after the repair, aside a text in
		// records.jsonl.
		found []string
		want  int
		aside string
		stays []string
	}{
		{
			"unreadable, in a backup", func(b *bbolt.Bucket) error { return b.Put(key(one), []byte("{spoilt")) },
			[]string{"record"},
			len(x.events), "e3Nwb2ls", nil,
		},
		{
			"unreadable, in no backup", func(b *bbolt.Bucket) error { return b.Put(key(last), []byte("{spoilt")) },
			[]string{"record"},
			len(x.events), "e3Nwb2ls", nil,
		},
		{
			"lost", func(b *bbolt.Bucket) error { return b.Delete(key(one)) },
			[]string{"journal"},
			len(x.events), "", nil,
		},
		{
			withoutJournal, func(b *bbolt.Bucket) error { return b.Delete(key(one)) },
			[]string{"event-lost", "journal"},
			len(x.events), "", nil,
		},
		{"under another key", func(b *bbolt.Bucket) error {
			value := b.Get(key(last))
			return orErr(b.Delete(key(last)),
				b.Put([]byte(database.KeyOfEvent(last.Round, "01ARZ3NDEKTSV4RRFFQ69G5FAV")),
					slices.Clone(value)))
		}, []string{"journal", "record"}, len(x.events), last.ID, nil},
		{"twice under two keys", func(b *bbolt.Bucket) error {
			return b.Put([]byte(database.KeyOfEvent(last.Round, "01ARZ3NDEKTSV4RRFFQ69G5FAV")),
				slices.Clone(b.Get(key(last))))
		}, []string{"record"}, len(x.events), last.ID, nil},
		{
			"in two rounds", func(b *bbolt.Bucket) error {
				other := one
				other.Round = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
				text, err := json.Marshal(other)
				return orErr(err, b.Put(key(other), text))
			},
			[]string{"event-twice", "journal", "reference"},
			len(x.events) + 1, "",
			[]string{"event-twice", "reference"},
		},
		{"of a model that the round has not", func(b *bbolt.Bucket) error {
			other := one
			other.ID, other.Model = "01ARZ3NDEKTSV4RRFFQ69G5FAV", storetest.HashOf("elsewhere")
			text, err := json.Marshal(other)
			return orErr(err, b.Put(key(other), text))
		}, []string{"event", "journal"}, len(x.events) + 1, "", []string{"event"}},
		{"undo of what is not here", func(b *bbolt.Bucket) error {
			other := one
			other.ID, other.Kind, other.Value, other.Supersedes = "01ARZ3NDEKTSV4RRFFQ69G5FAV", label.Undo, "",
				"01ARZ3NDEKTSV4RRFFQ69G5FAW"
			text, err := json.Marshal(other)
			return orErr(err, b.Put(key(other), text))
		}, []string{"event-target", "journal"}, len(x.events) + 1, "", []string{"event-target"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ill := x.copied(t)
			before := ill.Dump(t)
			ill.Within(t, func(tx *bbolt.Tx) error { return c.damage(database.Events.In(tx)) })
			if c.name == withoutJournal {
				storetest.Remove(t, ill.File(journal.File))
			}
			if got := kinds(mustExamine(t, ill.Path).Findings); !slices.Equal(got, c.found) {
				t.Errorf("found %v", got)
			}
			r := mustRepair(t, ill.Path)
			if got := kinds(r.After.Findings); !slices.Equal(got, c.stays) {
				t.Errorf("%v remain:%s", got, sentencesOf(r.After.Findings))
			}
			after := ill.Dump(t)[database.Events.Name]
			if len(after) != c.want {
				t.Errorf("%d events in place of %d", len(after), c.want)
			}
			for key, value := range before[database.Events.Name] {
				if after[key] != value && (c.want >= len(x.events)) {
					t.Errorf("event %s is not what it was", key)
				}
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

// orErr is the first error.
func orErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestRestoreKeepsLabels: labels that were made after the backup that is restored come back from
// the journal.
func TestRestoreKeepsLabels(t *testing.T) {
	x := newEverything(t)
	before := len(x.Labels(t))
	_, err := backup.Restore(t.Context(), x.Path, "")
	must(t, err)
	if missing := before - len(x.Labels(t)); missing != 1 {
		t.Fatalf("the backup lacks %d labels", missing)
	}
	checkAndClose(t, reopen(t, x.Path))
	if got := len(x.Labels(t)); got != before {
		t.Errorf("%d labels and rounds in place of %d", got, before)
	}
}
