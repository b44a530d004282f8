package doctor

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
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
	testdata.Is(t, "mended", sentencesOf(r.Mended), "")
	testdata.Is(t, "left", sentencesOf(r.After.Findings), "")
	testdata.NoDiff(t, "records", cmp.Diff(before, x.Dump(t)))
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
	testdata.Refused(t, "the changed one", err, "repair it again")
	testdata.NoDiff(t, "records", cmp.Diff(before, x.Dump(t)))
	testdata.Is(t, "backup", r.Backup, "")
}

// TestRepairKeepsAllBackups: the oldest one may be the only one in which a record can be read.
func TestRepairKeepsAllBackups(t *testing.T) {
	x := newEverything(t)
	w := reopen(t, x.Path)
	for i := range backup.Kept {
		must(t, w.Update(func(tx *bbolt.Tx) error {
			return database.Settings.PutBytes(tx, "turn", []byte{byte(i)})
		}))
		must(t, testdata.Err(w.Backup(t.Context())))
	}
	checkAndClose(t, w)
	before := testdata.Must(backup.List(x.Path))(t)
	testdata.Is(t, "there are enough", len(before) >= backup.Kept, true)
	storetest.Flip(t, x.unit(1))
	mustRepair(t, x.Path)
	testdata.NoDiff(t, "backups", cmp.Diff(before, testdata.Must(backup.List(x.Path))(t)))
}
