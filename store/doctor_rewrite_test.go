package store

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/oklog/ulid/v2"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/store/durable"
)

// compacted leaves nothing in the database but what its newest state leads to: no record stands
// twice.
func (x everything) compacted(t *testing.T) everything {
	t.Helper()
	old, err := bbolt.Open(x.file(databaseFile), 0o644, &bbolt.Options{ReadOnly: true})
	must(t, err)
	compact := x.file("compact")
	to, err := bbolt.Open(compact, 0o644, nil)
	must(t, err)
	must(t, errors.Join(bbolt.Compact(to, old, 0), to.Close(), old.Close(), os.Rename(compact, x.file(databaseFile))))
	return x
}

// TestOverlongPages: a page whose damaged head says that it runs on into others takes no label
// event with it, of its own or of theirs.
func TestOverlongPages(t *testing.T) {
	x := newEverything(t).noBackups(t).compacted(t)
	_, places := pagesOf(t, x)
	if len(places) < 4 {
		t.Fatalf("label events stand on %d pages", len(places))
	}
	lengths := []uint32{2, 32, 1 << 31}
	if testing.Short() {
		lengths = lengths[2:]
	}
	for id := range places {
		for _, more := range lengths {
			ill := x.copied(t)
			ill.changed(t, func(data []byte) []byte {
				order.PutUint32(data[id*os.Getpagesize()+12:], more)
				return data
			})
			if e := mustExamine(t, ill.path); len(e.Problems()) == 0 {
				t.Errorf("page %d of %d more: nothing is found", id, more)
			}
			mustRepair(t, ill.path)
			if have := ill.eventIDs(t); len(have) != len(x.events) {
				t.Errorf("page %d of %d more: %d of %d labels", id, more, len(have), len(x.events))
			}
		}
	}
}

// TestManyOverlongPages: where every page says that it runs on to the end, the file is not read
// once for each of them.
func TestManyOverlongPages(t *testing.T) {
	const pages = 4000
	data := make([]byte, pages*os.Getpagesize())
	for id := range pages {
		head := data[id*os.Getpagesize():]
		order.PutUint64(head, uint64(id))
		order.PutUint16(head[8:], boltLeaf)
		order.PutUint32(head[12:], 1<<31)
	}
	in := &counted{data: data}
	r := rescued{records: map[string]map[string][]byte{}, lost: map[string]bool{}}
	r.fromPages(t.Context(), in, int64(len(data)))
	if most := int64(spareFiles+3) * int64(len(data)); in.read > most {
		t.Errorf("%d bytes are read of a file of %d", in.read, len(data))
	}
}

// counted counts what is read.
type counted struct {
	data []byte
	read int64
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.read += int64(len(p))
	return copy(p, c.data[at:]), nil
}

// TestSalvageOnAFullDisk: what was written of the new database does not stay to fill the disk
// further.
func TestSalvageOnAFullDisk(t *testing.T) {
	x := newEverything(t)
	x.changed(t, func(data []byte) []byte { clear(data[2*pageSize:]); return data })
	before := mustRead(t, x.file(databaseFile))
	d := faults.Watch(t, x.path)
	d.Refuse(durable.Write, syscall.ENOSPC)
	if _, err := Repair(t.Context(), x.path, noProgress{}); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if left := parts(t, x.path); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	if string(mustRead(t, x.file(databaseFile))) != string(before) {
		t.Error("the database is another one")
	}
	d.Refuse(durable.Write, nil)
	mustRepair(t, x.path)
	checkAndClose(t, reopen(t, x.path))
}

// TestSalvageBesideAnother: a database that another repair writes meanwhile, in the place of one
// that was not there, stays.
func TestSalvageBesideAnother(t *testing.T) {
	x := newEverything(t)
	whole := mustRead(t, x.file(databaseFile))
	mustRemove(t, x.file(databaseFile))
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Remove && strings.HasSuffix(s.Path, partSuffix) && !exists(x.file(databaseFile)) {
			mustWrite(t, x.file(databaseFile), whole)
		}
		return nil
	})
	_, err := Repair(t.Context(), x.path, noProgress{})
	stop()
	if err == nil || !strings.Contains(err.Error(), "has changed "+databaseFile) {
		t.Error(err)
	}
	if left := parts(t, x.path); len(left) > 0 || string(mustRead(t, x.file(databaseFile))) != string(whole) {
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
		return errors.Join(bucketRounds.put(tx, odd.ID, odd), bucketEvents.put(tx, eventKey(ev.Round, ev.ID), ev))
	})
	if e := mustExamine(t, x.path); len(e.Findings) != 0 {
		t.Error(sentencesOf(e.Findings))
	}
	mustRepair(t, x.path)
	if _, there := x.dump(t)[bucketEvents.name][eventKey(odd.ID, ev.ID)]; !there {
		t.Error("its label is gone")
	}
}
