package store

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/oklog/ulid/v2"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// TestRebuildOnAFullDisk: what was written of the new database does not stay to fill the disk
// further.
func TestRebuildOnAFullDisk(t *testing.T) {
	x := newEverything(t)
	x.changed(t, func(data []byte) []byte { clear(data[2*pageSize:]); return data })
	before := mustRead(t, x.file(database.File))
	d := faults.Watch(t, x.path)
	d.Refuse(durable.Write, syscall.ENOSPC)
	if _, err := Repair(t.Context(), x.path, noProgress{}); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if left := parts(t, x.path); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	if string(mustRead(t, x.file(database.File))) != string(before) {
		t.Error("the database is another one")
	}
	d.Refuse(durable.Write, nil)
	mustRepair(t, x.path)
	checkAndClose(t, reopen(t, x.path))
}

// TestRebuildBesideAnother: a database that another repair writes meanwhile, in the place of one
// that was not there, stays.
func TestRebuildBesideAnother(t *testing.T) {
	x := newEverything(t)
	whole := mustRead(t, x.file(database.File))
	mustRemove(t, x.file(database.File))
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Remove && strings.HasSuffix(s.Path, database.PartSuffix) && !exists(x.file(database.File)) {
			mustWrite(t, x.file(database.File), whole)
		}
		return nil
	})
	_, err := Repair(t.Context(), x.path, noProgress{})
	stop()
	if err == nil || !strings.Contains(err.Error(), "has changed "+database.File) {
		t.Error(err)
	}
	if left := parts(t, x.path); len(left) > 0 || string(mustRead(t, x.file(database.File))) != string(whole) {
		t.Errorf("the other database does not stay; %v are left", left)
	}
	if have := x.eventIDs(t); len(have) != len(x.events) {
		t.Errorf("%d of %d labels", len(have), len(x.events))
	}
}

// TestEventsOfAnOddRound: labels of a round whose id is no ULID, which older programs took from
// packages, are not set aside.
func TestEventsOfAnOddRound(t *testing.T) {
	x := newEverything(t)
	odd := x.round
	odd.ID = "round one"
	ev := labelEvent(odd, x.models[0].Hash, "A", label.Variant)
	ev.ID, ev.Pass = ulid.Make().String(), 1
	x.within(t, func(tx *bbolt.Tx) error {
		return errors.Join(database.Rounds.Put(tx, odd.ID, odd), database.Events.Put(tx, database.KeyOfEvent(ev.Round, ev.ID), ev))
	})
	if e := mustExamine(t, x.path); !slices.Equal(kinds(e.Findings), []string{"journal"}) { // which does not have it
		t.Error(sentencesOf(e.Findings))
	}
	mustRepair(t, x.path)
	if _, there := x.dump(t)[database.Events.Name][string(database.KeyOfEvent(odd.ID, ev.ID))]; !there {
		t.Error("its label is gone")
	}
}
