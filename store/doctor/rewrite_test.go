package doctor

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
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// TestRebuildOnAFullDisk: what was written of the new database does not stay to fill the disk
// further.
func TestRebuildOnAFullDisk(t *testing.T) {
	x := newEverything(t)
	x.Changed(t, func(data []byte) []byte { clear(data[2*storetest.PageSize:]); return data })
	before := storetest.Read(t, x.File(database.File))
	d := faults.Watch(t, x.Path)
	d.Refuse(durable.Write, syscall.ENOSPC)
	testdata.ErrorIs(t, "a full disk", testdata.Err(Repair(t.Context(), x.Path, noProgress{})), store.ErrFull)
	testdata.Equal(t, "left", storetest.Parts(t, x.Path), nil)
	testdata.Equal(t, "the database", storetest.Read(t, x.File(database.File)), before)
	d.Refuse(durable.Write, nil)
	mustRepair(t, x.Path)
	checkAndClose(t, reopen(t, x.Path))
}

// TestRebuildBesideAnother: a database that another repair writes meanwhile, in the place of one
// that was not there, stays.
func TestRebuildBesideAnother(t *testing.T) {
	x := newEverything(t)
	whole := storetest.Read(t, x.File(database.File))
	storetest.Remove(t, x.File(database.File))
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Remove && strings.HasSuffix(s.Path, database.PartSuffix) &&
			!storetest.Exists(x.File(database.File)) {
			storetest.WriteFile(t, x.File(database.File), whole)
		}
		return nil
	})
	_, err := Repair(t.Context(), x.Path, noProgress{})
	stop()
	testdata.Refused(t, "beside another", err, "has changed "+database.File)
	testdata.Equal(t, "left", storetest.Parts(t, x.Path), nil)
	testdata.Equal(t, "the other database", storetest.Read(t, x.File(database.File)), whole)
}

// TestEventsOfAnOddRound: labels of a round whose id is no ULID, which older programs took from
// packages, are not set aside.
func TestEventsOfAnOddRound(t *testing.T) {
	x := newEverything(t)
	odd := x.round
	odd.ID = "round one"
	ev := storetest.LabelEvent(odd, x.models[0].Hash, "A", label.Variant)
	ev.ID, ev.Pass = ulid.Make().String(), 1
	x.Within(t, func(tx *bbolt.Tx) error {
		return errors.Join(database.Rounds.Put(tx, odd.ID, odd),
			database.Events.Put(tx, database.KeyOfEvent(ev.Round, ev.ID), ev))
	})
	if e := mustExamine(t, x.Path); !slices.Equal(kinds(e.Findings), []string{"journal"}) { // which does not have it
		t.Error(sentencesOf(e.Findings))
	}
	mustRepair(t, x.Path)
	if _, there := x.Dump(t)[database.Events.Name][string(database.KeyOfEvent(odd.ID, ev.ID))]; !there {
		t.Error("its label is gone")
	}
}
