package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

// looseUnit is the name of a signal file that no database names.
var looseUnit = database.UnitPath(strings.Repeat("0f", 32))

func mustUsage(t *testing.T, w *Workspace) Usage {
	t.Helper()
	u, err := w.Usage(t.Context())
	must(t, err)
	return u
}

// leave puts an old file into the workspace.
func leave(t *testing.T, w *Workspace, name string, size int) {
	t.Helper()
	path := filepath.Join(w.Path(), name)
	storetest.WriteFile(t, path, make([]byte, size))
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path, old, old))
}

func TestUsageAddsUpToTheFolder(t *testing.T) {
	w := filled(t)
	leave(t, w, database.ThumbsFolder+"/x.png", 100)
	leave(t, w, looseUnit, 70)
	leave(t, w, "notes.txt", 11)
	u := mustUsage(t, w)
	var sum int64
	err := filepath.Walk(w.Path(), func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			sum += info.Size()
		}
		return err
	})
	must(t, err)
	if u.Total() != sum {
		t.Errorf("%d bytes counted, the folder has %d: %+v", u.Total(), sum, u)
	}
	if u.Models != int64(len("model m")) || u.Suites == 0 || u.Backups == 0 || u.Thumbnails != 100 ||
		u.Loose != (FileUse{1, 70}) || u.Free <= 0 {
		t.Errorf("%+v", u)
	}
	if len(u.Signals) != 1 || u.Signals[0].Name != "s" || u.Signals[0].Models != 1 || u.Signals[0].Bytes == 0 ||
		len(u.Stale) != 0 {
		t.Errorf("%+v", u.Signals)
	}
}

func TestStaleSignalsAreFoundAndRemoved(t *testing.T) {
	w := filled(t)
	m, err := w.FindModel("m")
	must(t, err)
	s, err := w.FindSuite("s")
	must(t, err)
	err = w.UpdateModel(m.Hash, func(m *model.Model) error {
		m.Correction.OutputKind = model.Probabilities
		return nil
	})
	must(t, err)
	u := mustUsage(t, w)
	if len(u.Stale) != 1 || u.StaleBytes != u.SignalBytes() {
		t.Fatalf("%+v", u)
	}
	must(t, w.RemoveSets(t.Context(), append(u.Stale, "unknown"), engine.NoProgress{}))
	u = mustUsage(t, w)
	if len(u.Signals) != 0 || len(u.Stale) != 0 || u.Loose.Files != 0 {
		t.Errorf("%+v", u)
	}
	if m, err = w.Model(m.Hash); err != nil {
		t.Fatal(err)
	}
	if state, err := w.State(m, s.Hash, storetest.Family(t)); err != nil || state != None {
		t.Error(state, err)
	}
	files, err := filepath.Glob(filepath.Join(w.Path(), database.SignalsFolder, "*", "*"))
	if err != nil || len(files) != 0 {
		t.Error(files, err)
	}
}

func TestBackupsGo(t *testing.T) {
	w := filled(t)
	must(t, w.RemoveBackup(mustList(t, w.Path())[0].Name))
	if err := w.RemoveBackup("../workspace.db"); err == nil {
		t.Error("removed a file that is no backup")
	}
	if u := mustUsage(t, w); u.Backups != 0 {
		t.Errorf("%+v", u)
	}
	same(t, w)
}

func TestSizeText(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 9960: "10.0 kB", 123_456: "123.5 kB",
		999_600: "999.6 kB", 3_400_000: "3.4 MB", 1_234_000_000: "1.2 GB", 5_000_000_000_000: "5.0 TB",
	} {
		if got := SizeText(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
}
