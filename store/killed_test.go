//go:build unix

package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
)

// childBacksUp changes the database and backs it up until it is killed.
func childBacksUp(path string) int {
	w, err := Open(path)
	if err != nil {
		return kill.Complain(err)
	}
	for i := 0; ; i++ {
		if err := w.SetSetting("number", i); err != nil {
			return kill.Complain(err)
		}
		if _, err := w.Backup(context.Background()); err != nil {
			return kill.Complain(err)
		}
		fmt.Println(i)
	}
}

// soon is a moment after the child's first line.
func soon(random *rand.Rand) kill.Moment {
	return kill.Moment{First: true, After: time.Duration(random.IntN(40000)) * time.Microsecond}
}

// lastLine is the number in the last line that a child wrote.
func lastLine(t *testing.T, o kill.Outcome, last int) int {
	t.Helper()
	for _, line := range o.Lines {
		must(t, testdata.Err(fmt.Sscan(line, &last)))
	}
	return last
}

// TestKillWhileBackingUp kills a process that backs up at random moments: every backup is whole
// each time, the newest has what was acknowledged, and restoring it works.
func TestKillWhileBackingUp(t *testing.T) {
	w := filled(t)
	checkAndClose(t, w)
	random := kill.Random(t)
	for range 8 {
		last := lastLine(t, kill.At(t, soon(random), "backup", w.Path()), 0)
		list := mustList(t, w.Path())
		if len(list) == 0 || len(list) > backup.Kept+backup.KeptReplaced+1 {
			t.Fatal(list)
		}
		for _, b := range list {
			must(t, backup.Check(t.Context(), filepath.Join(w.Path(), database.BackupsFolder, b.Name)))
		}
		again := restored(t, w.Path(), "")
		if got := number(t, again); got < last {
			t.Errorf("the newest backup has %d, %d was acknowledged", got, last)
		}
		if left := storetest.Parts(t, filepath.Join(w.Path(), database.BackupsFolder)); len(left) > 0 {
			t.Error(left)
		}
		checkAndClose(t, again)
	}
}

// farAway is where childMoves moves a workspace to.
func farAway(path string) string { return filepath.Join(filepath.Dir(path), "far", "away.variscope") }

// childMoves moves a workspace as between disks and says when it begins.
func childMoves(path string) int {
	fmt.Println("begin")
	defer apart(farAway(path))()
	_, err := Move(context.Background(), path, farAway(path), engine.NoProgress{})
	if err != nil {
		return kill.Complain(err)
	}
	return 0
}

// TestKillWhileMoving kills a move between disks at random moments: the workspace is whole at one
// of its places each time.
func TestKillWhileMoving(t *testing.T) {
	w := filled(t)
	from := w.Path()
	checkAndClose(t, w)
	to := farAway(from)
	must(t, os.Mkdir(filepath.Dir(to), 0o755))
	random := kill.Random(t)
	moved := 0
	for range 12 {
		kill.At(t, soon(random), "move", from)
		whole := 0
		for _, place := range []string{to, from} {
			again, err := Open(place)
			if err != nil {
				continue
			}
			whole++
			same(t, again)
			checkAndClose(t, again)
		}
		if whole == 0 {
			t.Fatal("the workspace is lost")
		}
		if _, err := os.Stat(to); err == nil { // back again for the next round
			moved++
			must(t, os.RemoveAll(from))
			must(t, testdata.Err(Move(t.Context(), to, from, engine.NoProgress{})))
		}
	}
	t.Logf("%d of 12 moves came to their end", moved)
}

// killedImages is how many images the suite has that childLabelsImages labels.
const killedImages = 5000

// childLabelsImages labels images of the only suite, one by one, until it is killed.
func childLabelsImages(path string) int {
	w, err := Open(path)
	if err != nil {
		return kill.Complain(err)
	}
	suites, err := w.Suites()
	if err != nil {
		return kill.Complain(err)
	}
	labels, err := w.ImageLabels(suites[0].Hash)
	if err != nil {
		return kill.Complain(err)
	}
	for i := len(labels); i < killedImages; i++ {
		if err := w.SetImageLabel(suites[0].Hash, database.ImageLabel{Image: i, Class: i % 3}); err != nil {
			return kill.Complain(err)
		}
		fmt.Println(i)
	}
	return 0
}

// TestKillWhileLabellingImages kills a process that labels images at random moments: each label
// that was acknowledged is there.
func TestKillWhileLabellingImages(t *testing.T) {
	w := fresh(t)
	manifest := storetest.WriteSuite(t, "s", 3)
	manifest.Images = killedImages
	s := testdata.Must(w.AddSuite(manifest))(t)
	checkAndClose(t, w)
	random := kill.Random(t)
	for range 4 {
		last := lastLine(t, kill.At(t, soon(random), "label-images", w.Path()), -1)
		w := reopen(t, w.Path())
		labels := mustLabels(t, w, s.Hash)
		for i := range last + 1 {
			if class, ok := labels[i]; !ok || class != i%3 {
				t.Fatalf("label %d of %d is %d, %v", i, last+1, class, ok)
			}
		}
		checkAndClose(t, w)
	}
}
