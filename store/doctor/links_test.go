package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
)

// TestLinksAreFollowed: a workspace that is reached by a link, and one whose signals lie on another
// disk, are healthy, and repair leaves them as they are.
func TestLinksAreFollowed(t *testing.T) {
	x := newEverything(t)
	before := x.Dump(t)
	elsewhere := filepath.Join(t.TempDir(), "signals")
	must(t, os.Rename(x.File(database.SignalsFolder), elsewhere))
	must(t, os.Symlink(elsewhere, x.File(database.SignalsFolder)))
	link := filepath.Join(t.TempDir(), "link.variscope")
	must(t, os.Symlink(x.Path, link))
	r := mustRepair(t, link)
	if len(r.Mended) != 0 || len(r.After.Findings) != 0 {
		t.Errorf("mended %q, left %q", sentencesOf(r.Mended), sentencesOf(r.After.Findings))
	}
	for bucket, records := range x.Dump(t) {
		if len(records) != len(before[bucket]) {
			t.Errorf("%s has %d records in place of %d", bucket, len(records), len(before[bucket]))
		}
	}
}

// TestRepairLooksAgainAfterAChange: findings are not applied to a database that was changed after
// they were made.
func TestRepairLooksAgainAfterAChange(t *testing.T) {
	x := newEverything(t)
	storetest.Flip(t, x.unit(1))
	examined := mustExamine(t, x.Path)
	x.Within(t, func(tx *bbolt.Tx) error { return database.Settings.PutBytes(tx, "a", []byte("b")) })
	before := x.Dump(t)
	r := Repaired{After: examined}
	err := (&repair{path: x.Path, folder: database.AsideFolder + "/now"}).pass(t.Context(), &r, r.mendable())
	if err == nil || !strings.Contains(err.Error(), "repair it again") {
		t.Errorf("got %v", err)
	}
	if after := x.Dump(t); len(after[database.Units.Name]) != len(before[database.Units.Name]) || r.Backup != "" {
		t.Errorf("%d units in place of %d, backup %q", len(after[database.Units.Name]),
			len(before[database.Units.Name]),
			r.Backup)
	}
}

// TestRepairKeepsAllBackups: the oldest one may be the only one in which a record can be read.
func TestRepairKeepsAllBackups(t *testing.T) {
	x := newEverything(t)
	w := reopen(t, x.Path)
	for i := range backup.Kept {
		must(t, w.Update(func(tx *bbolt.Tx) error {
			return database.Settings.PutBytes(tx, "turn", []byte{byte(i)})
		}))
		if _, err := w.Backup(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	checkAndClose(t, w)
	before, err := backup.List(x.Path)
	if err != nil || len(before) < backup.Kept {
		t.Fatalf("%d backups, %v", len(before), err)
	}
	storetest.Flip(t, x.unit(1))
	if _, err := Repair(t.Context(), x.Path, engine.NoProgress{}); err != nil {
		t.Fatal(err)
	}
	after, err := backup.List(x.Path)
	if err != nil || len(after) != len(before) {
		t.Fatalf("%d backups, %v", len(after), err)
	}
	for i := range before {
		if after[i].Name != before[i].Name {
			t.Errorf("backup %s in place of %s", after[i].Name, before[i].Name)
		}
	}
}
