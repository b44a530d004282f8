package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	older "github.com/variscope/variscope/internal/database"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/journal"
)

// noBackups removes the backups.
func (x everything) noBackups(t *testing.T) everything {
	t.Helper()
	must(t, os.RemoveAll(x.File(database.BackupsFolder)))
	return x
}

// eventIDs are the ids of the label events in the database.
func (x everything) eventIDs(t *testing.T) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	for key, value := range x.Dump(t)[database.Events.Name] {
		ev, err := readEvent([]byte(value))
		if err != nil || string(database.KeyOfEvent(ev.Round, ev.ID)) != key {
			t.Errorf("event %s: %v", key, err)
		}
		ids[ev.ID] = true
	}
	return ids
}

// TestGarbagePages: whatever page of a database is overwritten, every label event comes back, and
// all else that the backup has.
func TestGarbagePages(t *testing.T) {
	x := newEverything(t)
	before := x.Dump(t)
	count := x.PagesOf(t)
	random := rand.New(rand.NewPCG(3, 3))
	step := 1 + count/8
	if testing.Short() {
		step = 1 + count/4
	}
	for id := 0; id < count; id += step {
		t.Run(fmt.Sprint("page ", id), func(t *testing.T) {
			ill := x.copied(t)
			ill.Changed(t, func(data []byte) []byte {
				for i := range storetest.PageSize {
					data[id*storetest.PageSize+i] = byte(random.Uint32())
				}
				return data
			})
			r := mustRepair(t, ill.Path)
			testdata.Is(t, "what remains", sentencesOf(r.After.Problems()), "")
			have := ill.eventIDs(t)
			for i, ev := range x.events {
				testdata.Is(t, fmt.Sprint("label ", i), have[ev.ID], true)
			}
			after := ill.Dump(t)
			for _, bucket := range []string{"models", "suites", "rounds", "selections", "masks", "predictions"} {
				testdata.Is(t, bucket, len(after[bucket]), len(before[bucket]))
			}
			checkAndClose(t, reopen(t, ill.Path))
		})
	}
}

// TestNoPageTakesALabel: whatever single page of a database is destroyed, or both meta pages, and
// without any backup, every round and every label event comes back as it was, with the round's last
// state, and the workspace goes on.
func TestNoPageTakesALabel(t *testing.T) {
	x, want := storetest.Labelled(t, fresh(t))
	random := rand.New(rand.NewPCG(5, 5))
	var pages [][]int
	for id := range x.PagesOf(t) {
		pages = append(pages, []int{id})
	}
	for k, ids := range append(pages, []int{0, 1}) {
		ill := x.Copied(t)
		ill.Changed(t, func(data []byte) []byte {
			for _, id := range ids {
				for i := range storetest.PageSize {
					data[id*storetest.PageSize+i] = byte(random.Uint32() * uint32(k%2)) // zeros, or garbage
				}
			}
			return data
		})
		mustRepair(t, ill.Path)
		if got := ill.Labels(t); !maps.Equal(got, want) {
			t.Errorf("pages %d: %d labels and rounds in place of %d, or other ones", ids, len(got), len(want))
		}
		if again := mustExamine(t, ill.Path); slices.Contains(kinds(again.Findings), "journal") {
			t.Errorf("pages %d: %s", ids, sentencesOf(again.Findings))
		}
		w := reopen(t, ill.Path)
		rounds, err := w.Rounds()
		if err != nil || len(rounds) != 3 || !rounds[2].Closed || len(rounds[2].Models) != 2 {
			t.Errorf("pages %d: %+v, %v", ids, rounds, err)
		}
		storetest.Append(t, w, label.Event{
			Round: rounds[1].ID, Model: rounds[1].Models[0], Annotator: "B", Kind: label.Note,
			Note: "on",
		})
		checkAndClose(t, w)
	}
}

// TestRuins: databases that Open refuses are written anew, or left alone where nothing can be read.
func TestRuins(t *testing.T) {
	x := newEverything(t)
	for name, ruin := range map[string]func(data []byte) []byte{
		"half":        func(data []byte) []byte { return data[:len(data)/2] },
		"no length":   func([]byte) []byte { return nil },
		"no database": func([]byte) []byte { return []byte(strings.Repeat("not a database ", 10_000)) },
		"no metas":    func(data []byte) []byte { clear(data[:2*storetest.PageSize]); return data },
		"first meta":  func(data []byte) []byte { clear(data[:storetest.PageSize]); return data },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ill := x.copied(t)
			ill.Changed(t, ruin)
			old := storetest.Read(t, ill.File(database.File))
			r := mustRepair(t, ill.Path)
			testdata.Is(t, "what remains", sentencesOf(r.After.Problems()), "")
			testdata.Is(t, "labels", len(ill.eventIDs(t)), len(x.events))
			if r.Backup != "" && !bytes.Equal(storetest.Read(t, ill.File(filepath.FromSlash(r.Backup))), old) &&
				name != "first meta" {
				t.Error("the damaged database is not kept as it was")
			}
			checkAndClose(t, reopen(t, ill.Path))
		})
	}
	t.Run("gone", func(t *testing.T) {
		ill := x.copied(t)
		storetest.Remove(t, ill.File(database.File))
		if e := mustExamine(t, ill.Path); len(e.Problems()) != 1 || !e.Problems()[0].Repairable {
			t.Error(sentencesOf(e.Findings))
		}
		mustRepair(t, ill.Path)
		checkAndClose(t, reopen(t, ill.Path))
	})
	t.Run("nothing left", func(t *testing.T) {
		ill := x.copied(t).noBackups(t)
		storetest.Remove(t, ill.File(journal.File))
		ill.Changed(t, func([]byte) []byte { return nil })
		before := storetest.Snapshot(t, ill.Path)
		r := mustRepair(t, ill.Path)
		if len(r.Mended) != 0 || len(r.After.Problems()) != 1 || storetest.Snapshot(t, ill.Path) != before {
			t.Errorf("%+v", r)
		}
	})
}

// TestSchemas: a newer workspace is left alone, an older one is examined as it is, and what every
// workspace has is made anew.
func TestSchemas(t *testing.T) {
	x := newEverything(t)
	t.Run("newer", func(t *testing.T) {
		ill := x.copied(t)
		ill.Within(t, func(tx *bbolt.Tx) error { return database.PutSchema(tx, database.SchemaVersion+1) })
		storetest.WriteFile(t, ill.File(database.ThumbsFolder, "0.png"), []byte("no picture"))
		before := storetest.Snapshot(t, ill.Path)
		r := mustRepair(t, ill.Path)
		if len(r.Mended) != 0 || !slices.Equal(kinds(r.After.Problems()), []string{"newer"}) ||
			storetest.Snapshot(t, ill.Path) != before {
			t.Error(sentencesOf(r.After.Findings))
		}
	})
	t.Run("older", func(t *testing.T) {
		ill := x.copied(t)
		ill.Within(t, func(tx *bbolt.Tx) error { return older.Older(tx, 2) })
		e := mustExamine(t, ill.Path)
		if len(e.Problems()) != 0 || !slices.Contains(kinds(e.Findings), "older") {
			t.Error(sentencesOf(e.Findings))
		}
		checkAndClose(t, reopen(t, ill.Path))
	})
	for name, key := range map[string][]byte{"schema": database.KeySchema, "desk": database.KeyDesk} {
		t.Run("no "+name, func(t *testing.T) {
			ill := x.copied(t)
			before := ill.Dump(t)
			ill.Within(t, func(tx *bbolt.Tx) error { return database.Meta.In(tx).Delete(key) })
			r := mustRepair(t, ill.Path)
			if len(r.After.Findings) != 0 || len(r.Mended) != 1 || r.Mended[0].Kind != name {
				t.Errorf("%v%s", r.Mended, sentencesOf(r.After.Findings))
			}
			if name == "schema" && ill.Dump(t)["meta"]["schema"] != before["meta"]["schema"] {
				t.Error("another schema")
			}
			checkAndClose(t, reopen(t, ill.Path))
		})
	}
	t.Run("no bucket", func(t *testing.T) {
		ill := x.copied(t)
		ill.Within(t, func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte(database.Events.Name)) })
		r := mustRepair(t, ill.Path)
		if len(r.After.Findings) != 0 || len(ill.eventIDs(t)) != len(x.events) {
			t.Errorf("%d events%s", len(ill.eventIDs(t)), sentencesOf(r.After.Findings))
		}
	})
}

// TestStrangeJournals: one of a newer program is refused by name; a link or folder in its place is
// not followed.
func TestStrangeJournals(t *testing.T) {
	x, _ := storetest.Labelled(t, fresh(t))
	storetest.WriteFile(t, x.File(journal.File),
		[]byte(strings.Replace(string(storetest.JournalOf(t, x.Path)), `"version":1`, `"version":22`, 1)))
	before := storetest.Snapshot(t, x.Path)
	if _, err := store.Open(x.Path); !errors.Is(err, journal.ErrNewer) || !strings.Contains(err.Error(), journal.File) {
		t.Error(err)
	}
	if r := mustRepair(t, x.Path); len(r.Mended) > 0 || !slices.Equal(kinds(r.After.Problems()), []string{"newer"}) ||
		storetest.Snapshot(t, x.Path) != before {
		t.Error(sentencesOf(r.After.Findings))
	}
	victim := filepath.Join(t.TempDir(), "victim")
	storetest.WriteFile(t, victim, []byte("mine"))
	storetest.Remove(t, x.File(journal.File))
	must(t, os.Symlink(victim, x.File(journal.File)))
	if _, err := store.Open(x.Path); err == nil || !strings.Contains(err.Error(), "a link lies in its place") ||
		string(storetest.Read(t, victim)) != "mine" {
		t.Error(err)
	}
}
