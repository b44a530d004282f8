package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
)

// journalOf is a journal of a workspace, whole.
func journalOf(t *testing.T, path string) []byte {
	t.Helper()
	return mustRead(t, filepath.Join(path, journal.File))
}

// TestJournalOfAnOlderWorkspace: a workspace of an older program gets a journal when it is opened,
// with names for people.
func TestJournalOfAnOlderWorkspace(t *testing.T) {
	x, want := labelled(t)
	x.within(t, func(tx *bbolt.Tx) error {
		return errors.Join(database.PutSchema(tx, 6), database.Meta.In(tx).Delete(database.KeyJournal))
	})
	mustRemove(t, x.file(journal.File))
	checkAndClose(t, reopen(t, x.path))
	text := string(journalOf(t, x.path))
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
	if !maps.Equal(x.labels(t), want) {
		t.Error("the database has others")
	}
}

// TestJournalAndDatabaseAgree: whatever a killed process, a backup or somebody else has done to one
// of the two, an opening brings every round and label of either back, once, and both agree.
func TestJournalAndDatabaseAgree(t *testing.T) {
	x, want := labelled(t)
	text := journalOf(t, x.path)
	for name, change := range map[string]func(ill folder) []byte{
		"gone":              func(folder) []byte { return nil },
		"cut in a line":     func(folder) []byte { return text[:len(text)-30] },
		"cut before a line": func(folder) []byte { return text[:1+bytes.LastIndexByte(text[:len(text)-1], '\n')] },
		"a torn line more":  func(folder) []byte { return append(bytes.Clone(text), `{"round":"fir`...) },
		"no last line end":  func(folder) []byte { return text[:len(text)-1] },
		"a damaged line": func(folder) []byte {
			return append(append(bytes.Clone(journal.Head), "{damaged\n"...), text...)
		},
		"no head": func(folder) []byte { return text[len(journal.Head):] },
		"an older database": func(ill folder) []byte {
			ill.within(t, func(tx *bbolt.Tx) error {
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
		"a new database": func(ill folder) []byte {
			ill.within(t, func(tx *bbolt.Tx) error {
				for _, b := range []*database.Form{database.Rounds.Form, database.Events.Form} {
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
		ill := x.copied(t)
		if changed := change(ill); changed == nil {
			mustRemove(t, ill.file(journal.File))
		} else {
			mustWrite(t, ill.file(journal.File), changed)
		}
		w := reopen(t, ill.path)
		checkJournal(t, w)
		if !w.reaches(w.journalEnd) {
			t.Errorf("%s: the journal is longer than it should be", name)
		}
		r, err := w.Rounds()
		must(t, err)
		mustAppend(t, w, label.Event{
			Round: r[0].ID, Model: r[0].Models[0], Annotator: "A", Kind: label.Note,
			Note: "on",
		})
		checkAndClose(t, w)
		got := ill.labels(t)
		maps.DeleteFunc(got, func(key, _ string) bool { return want[key] == "" })
		if !maps.Equal(got, want) {
			t.Errorf("%s: %d labels and rounds in place of %d, or other ones", name, len(got), len(want))
		}
		if aside, _ := filepath.Glob(ill.file(database.AsideFolder, "*", journal.File)); (len(aside) == 1) != (name == "a damaged line" || name == "no head") {
			t.Errorf("%s: set aside %v", name, aside)
		}
	}
}

// TestJournalDecidesNothing: a longer journal changes no label of the database, and of a round only
// what may change.
func TestJournalDecidesNothing(t *testing.T) {
	x, want := labelled(t)
	text := journalOf(t, x.path)
	forged := bytes.ReplaceAll(text, []byte(`"value":"variant"`), []byte(`"value":"invariant"`))
	forged = bytes.ReplaceAll(forged, []byte(`"guideline":"look","annotators":["A","B"]`),
		[]byte(`"guideline":"look","annotators":["A","B","C"]`))
	if bytes.Equal(forged, text) {
		t.Fatal("nothing is forged")
	}
	mustWrite(t, x.file(journal.File), forged)
	checkAndClose(t, reopen(t, x.path))
	got := x.labels(t)
	for key, value := range want {
		if strings.Contains(value, `"value"`) && got[key] != value {
			t.Errorf("label %s is %s", key, got[key])
		}
	}
	if frozen := 2; strings.Count(fmt.Sprint(got), `"C"`) > len(want)-frozen {
		t.Error("a round with labels has another annotator")
	}
}

// TestStrangeJournals: one of a newer program is refused by name; a link or folder in its place is
// not followed.
func TestStrangeJournals(t *testing.T) {
	x, _ := labelled(t)
	mustWrite(t, x.file(journal.File),
		[]byte(strings.Replace(string(journalOf(t, x.path)), `"version":1`, `"version":22`, 1)))
	before := snapshot(t, x.path)
	if _, err := Open(x.path); !errors.Is(err, journal.ErrNewer) || !strings.Contains(err.Error(), journal.File) {
		t.Error(err)
	}
	if r := mustRepair(t, x.path); len(r.Mended) > 0 || !slices.Equal(kinds(r.After.Problems()), []string{"newer"}) ||
		snapshot(t, x.path) != before {
		t.Error(sentencesOf(r.After.Findings))
	}
	victim := filepath.Join(t.TempDir(), "victim")
	mustWrite(t, victim, []byte("mine"))
	mustRemove(t, x.file(journal.File))
	must(t, os.Symlink(victim, x.file(journal.File)))
	if _, err := Open(x.path); err == nil || !strings.Contains(err.Error(), "a link lies in its place") ||
		string(mustRead(t, victim)) != "mine" {
		t.Error(err)
	}
}

// TestLabelsOnAFullDisk: a label that finds no room is one sentence and nowhere, and the next one
// that does is in both.
func TestLabelsOnAFullDisk(t *testing.T) {
	w := fresh(t)
	r := addRound(t, w, addSuite(t, w, "s", 3), addModel(t, w, "m"))
	before := journalOf(t, w.path)
	d := faults.Watch(t, w.path)
	for _, op := range []durable.Op{durable.Write, durable.Sync} {
		d.Refuse(op, syscall.ENOSPC)
		_, err := w.Append(labelEvent(r, r.Models[0], "A", label.Variant))
		if !errors.Is(err, ErrFull) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), journal.File) {
			t.Errorf("%s: %v", op, err)
		}
		d.Refuse(op, nil)
		if events, err := w.Events(r.ID); len(events) > 0 || err != nil || !bytes.Equal(journalOf(t, w.path), before) {
			t.Errorf("%s: %d labels, %v", op, len(events), err)
		}
	}
	mustAppend(t, w, labelEvent(r, r.Models[0], "A", label.Variant))
	checkJournal(t, w)
	mustRemove(t, w.journalFile()) // behind its back
	mustAppend(t, w, labelEvent(r, r.Models[0], "B", label.Variant))
}

// TestOpeningOnAFullDisk: a workspace without a journal opens on a full disk, and takes its labels
// once there is room.
func TestOpeningOnAFullDisk(t *testing.T) {
	x, want := labelled(t)
	mustRemove(t, x.file(journal.File))
	d := faults.Watch(t, x.path)
	d.Refuse(durable.Write, syscall.ENOSPC)
	w := reopen(t, x.path)
	rounds, err := w.Rounds()
	must(t, err)
	ev := label.Event{Round: rounds[0].ID, Model: rounds[0].Models[0], Annotator: "A", Kind: label.Note, Note: "on"}
	if _, err := w.Append(ev); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	d.Refuse(durable.Write, nil)
	mustAppend(t, w, ev)
	checkAndClose(t, w)
	if got := x.labels(t); len(got) != len(want)+1 {
		t.Errorf("%d labels and rounds", len(got))
	}
}

// TestJournalIsBounded: former states of a round go with the next opening once they are most of the
// journal.
func TestJournalIsBounded(t *testing.T) {
	w := fresh(t)
	r := addRound(t, w, addSuite(t, w, "s", 3), addModel(t, w, "m"))
	for k := range 8 {
		r.Guideline = strings.Repeat(fmt.Sprint("look ", k), 50_000)
		must(t, w.UpdateRound(r))
	}
	before := len(journalOf(t, w.path))
	again := reopened(t, w)
	if after := len(journalOf(t, w.path)); before < 2_000_000 || after > before/4 {
		t.Errorf("%d bytes became %d", before, after)
	}
	checkJournal(t, again)
}

// TestRestoreKeepsLabels: labels that were made after the backup that is restored come back from
// the journal.
func TestRestoreKeepsLabels(t *testing.T) {
	x := newEverything(t)
	before := len(x.labels(t))
	_, err := Restore(t.Context(), x.path, "")
	must(t, err)
	if missing := before - len(x.labels(t)); missing != 1 {
		t.Fatalf("the backup lacks %d labels", missing)
	}
	checkAndClose(t, reopen(t, x.path))
	if got := len(x.labels(t)); got != before {
		t.Errorf("%d labels and rounds in place of %d", got, before)
	}
}
