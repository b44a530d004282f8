package store

import (
	"bytes"
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
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/journal"
	"github.com/variscope/variscope/store/pages"
)

// changed applies a change to the bytes of the database.
func (x folder) changed(t *testing.T, change func(data []byte) []byte) {
	t.Helper()
	mustWrite(t, x.file(database.File), change(mustRead(t, x.file(database.File))))
}

// noBackups removes the backups.
func (x everything) noBackups(t *testing.T) everything {
	t.Helper()
	must(t, os.RemoveAll(x.file(database.BackupsFolder)))
	return x
}

// eventIDs are the ids of the label events in the database.
func (x everything) eventIDs(t *testing.T) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	for key, value := range x.dump(t)[database.Events.Name] {
		ev, err := readEvent([]byte(value))
		if err != nil || string(database.KeyOfEvent(ev.Round, ev.ID)) != key {
			t.Errorf("event %s: %v", key, err)
		}
		ids[ev.ID] = true
	}
	return ids
}

const pageSize = 4096

// pagesOf counts the pages of the database.
func (x folder) pagesOf(t *testing.T) int {
	t.Helper()
	f, err := os.Open(x.file(database.File))
	must(t, err)
	defer func() { _ = f.Close() }()
	return pages.Count(f)
}

// TestGarbagePages: whatever page of a database is overwritten, every label event comes back, and
// all else that the backup has.
func TestGarbagePages(t *testing.T) {
	x := newEverything(t)
	before := x.dump(t)
	count := x.pagesOf(t)
	random := rand.New(rand.NewPCG(3, 3))
	step := 1 + count/8
	if testing.Short() {
		step = 1 + count/4
	}
	for id := 0; id < count; id += step {
		t.Run(fmt.Sprint("page ", id), func(t *testing.T) {
			ill := x.copied(t)
			ill.changed(t, func(data []byte) []byte {
				for i := range pageSize {
					data[id*pageSize+i] = byte(random.Uint32())
				}
				return data
			})
			r := mustRepair(t, ill.path)
			if problems := r.After.Problems(); len(problems) != 0 {
				t.Error(sentencesOf(problems))
			}
			have := ill.eventIDs(t)
			for i, ev := range x.events {
				if !have[ev.ID] {
					t.Errorf("label %d is lost", i)
				}
			}
			after := ill.dump(t)
			for _, bucket := range []string{"models", "suites", "rounds", "selections", "masks", "predictions"} {
				if len(after[bucket]) != len(before[bucket]) {
					t.Errorf("%s: %d in place of %d", bucket, len(after[bucket]), len(before[bucket]))
				}
			}
			checkAndClose(t, reopen(t, ill.path))
		})
	}
}

// labelled is a small workspace without a backup: a round of one label, one of none, one of
// several, a removed one.
func labelled(t *testing.T) (x folder, want map[string]string) {
	t.Helper()
	w := unsynced(fresh(t))
	m, n, s := addModel(t, w, "m"), addModel(t, w, "n"), addSuite(t, w, "s", 3)
	addRound(t, w, s, m)
	mustAppend(t, w, labelEvent(addRound(t, w, s, m), m.Hash, "A", label.Variant))
	several := addRound(t, w, s, m)
	for k := range 30 {
		mustAppend(t, w, labelEvent(several, m.Hash, []string{"A", "B"}[k%2], label.Invariant))
	}
	_, err := w.AppendModels(several.ID, []string{n.Hash})
	must(t, err)
	mustAppend(t, w, labelEvent(several, n.Hash, "B", label.Variant))
	_, err = w.DeleteRound(addRound(t, w, s, n).ID)
	must(t, err)
	must(t, w.CloseRound(several.ID, true))
	checkAndClose(t, w)
	x = folder{w.Path()}
	return x, x.labels(t)
}

// labels are the rounds and label events of the database, by key.
func (x folder) labels(t *testing.T) map[string]string {
	t.Helper()
	dump := x.dump(t)
	maps.Copy(dump[database.Events.Name], dump[database.Rounds.Name])
	return dump[database.Events.Name]
}

// TestNoPageTakesALabel: whatever single page of a database is destroyed, or both meta pages, and
// without any backup, every round and every label event comes back as it was, with the round's last
// state, and the workspace goes on.
func TestNoPageTakesALabel(t *testing.T) {
	x, want := labelled(t)
	random := rand.New(rand.NewPCG(5, 5))
	var pages [][]int
	for id := range x.pagesOf(t) {
		pages = append(pages, []int{id})
	}
	for k, ids := range append(pages, []int{0, 1}) {
		ill := x.copied(t)
		ill.changed(t, func(data []byte) []byte {
			for _, id := range ids {
				for i := range pageSize {
					data[id*pageSize+i] = byte(random.Uint32() * uint32(k%2)) // zeros, or garbage
				}
			}
			return data
		})
		mustRepair(t, ill.path)
		if got := ill.labels(t); !maps.Equal(got, want) {
			t.Errorf("pages %d: %d labels and rounds in place of %d, or other ones", ids, len(got), len(want))
		}
		if again := mustExamine(t, ill.path); slices.Contains(kinds(again.Findings), "journal") {
			t.Errorf("pages %d: %s", ids, sentencesOf(again.Findings))
		}
		w := reopen(t, ill.path)
		rounds, err := w.Rounds()
		if err != nil || len(rounds) != 3 || !rounds[2].Closed || len(rounds[2].Models) != 2 {
			t.Errorf("pages %d: %+v, %v", ids, rounds, err)
		}
		mustAppend(t, w, label.Event{
			Round: rounds[1].ID, Model: rounds[1].Models[0], Annotator: "B", Kind: label.Note,
			Note: "on",
		})
		checkAndClose(t, w)
	}
}

// TestRuins: databases that Open refuses are written anew, or left alone where nothing can be read.
func TestRuins(t *testing.T) {
	x := newEverything(t)
	for name, c := range map[string]struct {
		ruin    func(data []byte) []byte
		remains []string
	}{
		"half":        {ruin: func(data []byte) []byte { return data[:len(data)/2] }},
		"no length":   {ruin: func([]byte) []byte { return nil }},
		"no database": {ruin: func([]byte) []byte { return []byte(strings.Repeat("not a database ", 10_000)) }},
		"no metas":    {ruin: func(data []byte) []byte { clear(data[:2*pageSize]); return data }},
		"first meta":  {ruin: func(data []byte) []byte { clear(data[:pageSize]); return data }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ill := x.copied(t)
			ill.changed(t, c.ruin)
			old := mustRead(t, ill.file(database.File))
			r := mustRepair(t, ill.path)
			if got := kinds(r.After.Problems()); !slices.Equal(got, c.remains) {
				t.Errorf("%v remain:%s", got, sentencesOf(r.After.Findings))
			}
			if have := len(ill.eventIDs(t)); have != len(x.events) {
				t.Errorf("%d of %d labels", have, len(x.events))
			}
			if r.Backup != "" && !bytes.Equal(mustRead(t, ill.file(filepath.FromSlash(r.Backup))), old) &&
				name != "first meta" {
				t.Error("the damaged database is not kept as it was")
			}
			checkAndClose(t, reopen(t, ill.path))
		})
	}
	t.Run("gone", func(t *testing.T) {
		ill := x.copied(t)
		mustRemove(t, ill.file(database.File))
		if e := mustExamine(t, ill.path); len(e.Problems()) != 1 || !e.Problems()[0].Repairable {
			t.Error(sentencesOf(e.Findings))
		}
		mustRepair(t, ill.path)
		checkAndClose(t, reopen(t, ill.path))
	})
	t.Run("nothing left", func(t *testing.T) {
		ill := x.copied(t).noBackups(t)
		mustRemove(t, ill.file(journal.File))
		ill.changed(t, func([]byte) []byte { return nil })
		before := snapshot(t, ill.path)
		r := mustRepair(t, ill.path)
		if len(r.Mended) != 0 || len(r.After.Problems()) != 1 || snapshot(t, ill.path) != before {
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
		ill.within(t, func(tx *bbolt.Tx) error { return database.PutSchema(tx, database.SchemaVersion+1) })
		mustWrite(t, ill.file(database.ThumbsFolder, "0.png"), []byte("no picture"))
		before := snapshot(t, ill.path)
		r := mustRepair(t, ill.path)
		if len(r.Mended) != 0 || !slices.Equal(kinds(r.After.Problems()), []string{"newer"}) ||
			snapshot(t, ill.path) != before {
			t.Error(sentencesOf(r.After.Findings))
		}
	})
	t.Run("older", func(t *testing.T) {
		ill := x.copied(t)
		ill.within(t, func(tx *bbolt.Tx) error { return makeOlder(tx, 2) })
		e := mustExamine(t, ill.path)
		if len(e.Problems()) != 0 || !slices.Contains(kinds(e.Findings), "older") {
			t.Error(sentencesOf(e.Findings))
		}
		checkAndClose(t, reopen(t, ill.path))
	})
	for name, key := range map[string][]byte{"schema": database.KeySchema, "desk": database.KeyDesk} {
		t.Run("no "+name, func(t *testing.T) {
			ill := x.copied(t)
			before := ill.dump(t)
			ill.within(t, func(tx *bbolt.Tx) error { return database.Meta.In(tx).Delete(key) })
			r := mustRepair(t, ill.path)
			if len(r.After.Findings) != 0 || len(r.Mended) != 1 || r.Mended[0].Kind != name {
				t.Errorf("%v%s", r.Mended, sentencesOf(r.After.Findings))
			}
			if name == "schema" && ill.dump(t)["meta"]["schema"] != before["meta"]["schema"] {
				t.Error("another schema")
			}
			checkAndClose(t, reopen(t, ill.path))
		})
	}
	t.Run("no bucket", func(t *testing.T) {
		ill := x.copied(t)
		ill.within(t, func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte(database.Events.Name)) })
		r := mustRepair(t, ill.path)
		if len(r.After.Findings) != 0 || len(ill.eventIDs(t)) != len(x.events) {
			t.Errorf("%d events%s", len(ill.eventIDs(t)), sentencesOf(r.After.Findings))
		}
	})
}
