package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
)

// TestJournalOfAnOlderWorkspace: a workspace of an older program gets a journal when it is opened,
// with names for people.
func TestJournalOfAnOlderWorkspace(t *testing.T) {
	x, want := storetest.Labelled(t, unsynced(fresh(t)))
	x.Within(t, func(tx *bbolt.Tx) error {
		return errors.Join(database.PutSchema(tx, 6), database.Meta.In(tx).Delete(database.KeyJournal))
	})
	storetest.Remove(t, x.File(journal.File))
	checkAndClose(t, reopen(t, x.Path))
	text := string(storetest.JournalOf(t, x.Path))
	if got := strings.Count(text, "\n"); got != 1+len(want) {
		t.Errorf("%d lines for %d rounds and labels", got, len(want))
	}
	for _, part := range []string{
		string(journal.Head), `{"round":"first","suite":"s","models":["m","n"],"state":{`,
		`{"round":"first","model":"m","event":{`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not in\n%s", part, text)
		}
	}
	if !maps.Equal(x.Labels(t), want) {
		t.Error("the database has others")
	}
}

// TestJournalAndDatabaseAgree: whatever a killed process, a backup or somebody else has done to one
// of the two, an opening brings every round and label of either back, once, and both agree.
func TestJournalAndDatabaseAgree(t *testing.T) {
	x, want := storetest.Labelled(t, unsynced(fresh(t)))
	text := storetest.JournalOf(t, x.Path)
	for name, change := range map[string]func(ill storetest.Folder) []byte{
		"gone":          func(storetest.Folder) []byte { return nil },
		"cut in a line": func(storetest.Folder) []byte { return text[:len(text)-30] },
		"cut before a line": func(storetest.Folder) []byte {
			return text[:1+bytes.LastIndexByte(text[:len(text)-1],
				'\n')]
		},
		"a torn line more": func(storetest.Folder) []byte { return append(bytes.Clone(text), `{"round":"fir`...) },
		"no last line end": func(storetest.Folder) []byte { return text[:len(text)-1] },
		"a damaged line": func(storetest.Folder) []byte {
			return append(append(bytes.Clone(journal.Head), "{damaged\n"...), text...)
		},
		"no head": func(storetest.Folder) []byte { return text[len(journal.Head):] },
		"an older database": func(ill storetest.Folder) []byte {
			ill.Within(t, func(tx *bbolt.Tx) error {
				events := database.Events.In(tx)
				var r label.Round
				for key, value := range database.Rounds.From(tx, "") {
					must(t, database.Rounds.Decode(key, value, &r))
				}
				last := lastEvent(tx, r.ID).String()
				r.Closed, r.Closings, r.Models = false, nil, r.Models[:1]
				return errors.Join(database.PutEnd(tx, 300), events.Delete([]byte(database.KeyOfEvent(r.ID, last))),
					database.Rounds.Put(tx, r.ID, r))
			})
			return text
		},
		"a new database": func(ill storetest.Folder) []byte {
			ill.Within(t, func(tx *bbolt.Tx) error {
				for _, b := range []*database.RawBucket{database.Rounds.RawBucket, database.Events.RawBucket} {
					_, err := tx.CreateBucket([]byte("x"))
					must(t, errors.Join(err, tx.DeleteBucket([]byte("x")), tx.DeleteBucket([]byte(b.Name))))
					_, err = tx.CreateBucket([]byte(b.Name))
					must(t, err)
				}
				return database.Meta.In(tx).Delete(database.KeyJournal)
			})
			return text
		},
	} {
		ill := x.Copied(t)
		if changed := change(ill); changed == nil {
			storetest.Remove(t, ill.File(journal.File))
		} else {
			storetest.WriteFile(t, ill.File(journal.File), changed)
		}
		w := reopen(t, ill.Path)
		checkJournal(t, w)
		if !w.reaches(w.journalEnd) {
			t.Errorf("%s: the journal is longer than it should be", name)
		}
		r := testdata.Must(w.Rounds())(t)
		storetest.Append(t, w, label.Event{
			Round: r[0].ID, Model: r[0].Models[0], Annotator: "A", Kind: label.Note,
			Note: "on",
		})
		checkAndClose(t, w)
		got := ill.Labels(t)
		maps.DeleteFunc(got, func(key, _ string) bool { return want[key] == "" })
		if !maps.Equal(got, want) {
			t.Errorf("%s: %d labels and rounds in place of %d, or other ones", name, len(got), len(want))
		}
		if aside, _ := filepath.Glob(ill.File(database.AsideFolder, "*",
			journal.File)); (len(aside) == 1) != (name == "a damaged line" || name == "no head") {
			t.Errorf("%s: set aside %v", name, aside)
		}
	}
}

// TestJournalDecidesNothing: a longer journal changes no label of the database, and of a round only
// what may change.
func TestJournalDecidesNothing(t *testing.T) {
	x, want := storetest.Labelled(t, unsynced(fresh(t)))
	text := storetest.JournalOf(t, x.Path)
	forged := bytes.ReplaceAll(text, []byte(`"value":"variant"`), []byte(`"value":"invariant"`))
	forged = bytes.ReplaceAll(forged, []byte(`"guideline":"look","annotators":["A","B"]`),
		[]byte(`"guideline":"look","annotators":["A","B","C"]`))
	if bytes.Equal(forged, text) {
		t.Fatal("nothing is forged")
	}
	storetest.WriteFile(t, x.File(journal.File), forged)
	checkAndClose(t, reopen(t, x.Path))
	got := x.Labels(t)
	for key, value := range want {
		if strings.Contains(value, `"value"`) && got[key] != value {
			t.Errorf("label %s is %s", key, got[key])
		}
	}
	if frozen := 2; strings.Count(fmt.Sprint(got), `"C"`) > len(want)-frozen {
		t.Error("a round with labels has another annotator")
	}
}

// TestLabelsOnAFullDisk: a label that finds no room is one sentence and nowhere, and the next one
// that does is in both.
func TestLabelsOnAFullDisk(t *testing.T) {
	w := fresh(t)
	r := storetest.AddRound(t, w, storetest.AddSuite(t, w, "s", 3), storetest.AddModel(t, w, "m"))
	before := storetest.JournalOf(t, w.path)
	d := faults.Watch(t, w.path)
	for _, op := range []durable.Op{durable.Write, durable.Sync} {
		d.Refuse(op, syscall.ENOSPC)
		_, err := w.Append(storetest.LabelEvent(r, r.Models[0], "A", label.Variant))
		if !errors.Is(err, ErrFull) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), journal.File) {
			t.Errorf("%s: %v", op, err)
		}
		d.Refuse(op, nil)
		if events, err := w.Events(r.ID); len(events) > 0 || err != nil ||
			!bytes.Equal(storetest.JournalOf(t, w.path), before) {
			t.Errorf("%s: %d labels, %v", op, len(events), err)
		}
	}
	storetest.Append(t, w, storetest.LabelEvent(r, r.Models[0], "A", label.Variant))
	checkJournal(t, w)
	storetest.Remove(t, w.journalFile()) // behind its back
	storetest.Append(t, w, storetest.LabelEvent(r, r.Models[0], "B", label.Variant))
}

// TestOpeningOnAFullDisk: a workspace without a journal opens on a full disk, and takes its labels
// once there is room.
func TestOpeningOnAFullDisk(t *testing.T) {
	x, want := storetest.Labelled(t, unsynced(fresh(t)))
	storetest.Remove(t, x.File(journal.File))
	d := faults.Watch(t, x.Path)
	d.Refuse(durable.Write, syscall.ENOSPC)
	w := reopen(t, x.Path)
	rounds := testdata.Must(w.Rounds())(t)
	ev := label.Event{Round: rounds[0].ID, Model: rounds[0].Models[0], Annotator: "A", Kind: label.Note, Note: "on"}
	testdata.ErrorIs(t, "Append", testdata.Err(w.Append(ev)), ErrFull)
	d.Refuse(durable.Write, nil)
	storetest.Append(t, w, ev)
	checkAndClose(t, w)
	if got := x.Labels(t); len(got) != len(want)+1 {
		t.Errorf("%d labels and rounds", len(got))
	}
}

// TestJournalIsBounded: former states of a round go with the next opening once they are most of the
// journal.
func TestJournalIsBounded(t *testing.T) {
	w := fresh(t)
	r := storetest.AddRound(t, w, storetest.AddSuite(t, w, "s", 3), storetest.AddModel(t, w, "m"))
	for k := range 8 {
		r.Guideline = strings.Repeat(fmt.Sprint("look ", k), 50_000)
		must(t, w.UpdateRound(r))
	}
	before := len(storetest.JournalOf(t, w.path))
	again := reopened(t, w)
	if after := len(storetest.JournalOf(t, w.path)); before < 2_000_000 || after > before/4 {
		t.Errorf("%d bytes became %d", before, after)
	}
	checkJournal(t, again)
}
