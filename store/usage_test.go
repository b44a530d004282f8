package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// looseUnit is the name of a signal file that no database names.
var looseUnit = database.UnitPath(strings.Repeat("0f", 32))

func mustUsage(t *testing.T, w *Workspace) Usage {
	t.Helper()
	u := testdata.Must(w.Usage(t.Context()))(t)
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

func TestStaleSignalsAreFoundAndRemoved(t *testing.T) {
	w := filled(t)
	m := testdata.Must(w.FindModel("m"))(t)
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
	testdata.Is(t, "state", testdata.Must(w.State(m, s.Hash, storetest.Family(t)))(t), None)
	files, err := filepath.Glob(filepath.Join(w.Path(), database.SignalsFolder, "*", "*"))
	if err != nil || len(files) != 0 {
		t.Error(files, err)
	}
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

// TestUsageAndSweep: the usage adds up to the folder and tells what nothing names; that alone goes,
// and files of others stay.
func TestUsageAndSweep(t *testing.T) {
	w := filled(t)
	s := testdata.Must(w.FindSuite("s"))(t)
	masks, err := w.AddMasks(t.Context(), s.Hash, storetest.WriteMasks(t, s), true, noProgress{})
	must(t, err)
	table, removed := mustAdd(t, w, "a", ""), mustAdd(t, w, "bb", "")
	kept := mustUsage(t, w)
	if kept.Models != int64(len("model m")) || kept.Suites == 0 || kept.Backups == 0 || kept.Assessors != 5 ||
		kept.Loose.Files != 0 || kept.Free <= 0 || len(kept.Stale) != 0 || kept.Tables[table.ID] == 0 ||
		kept.Predictions != kept.Tables[table.ID]+kept.Tables[removed.ID] {
		t.Errorf("%+v", kept)
	}
	if s := kept.Signals; len(s) != 1 || s[0].Name != "s" || s[0].Models != 1 || s[0].Bytes == 0 {
		t.Errorf("%+v", s)
	}
	must(t, testdata.Err(w.RemovePredictions(removed.ID)))
	gone := strings.Repeat("a1", 32)
	unused := []string{
		"suites/" + gone + "/cat/1.png", "suites/" + gone + "/cat/2.png.part", "models/" + gone + ".onnx", looseUnit,
		looseUnit + database.PartSuffix, "masks/" + gone + "/cat/0.png", "masks/" + masks.Hash + "/cat/0.png.part",
		database.TablePath(w.NewID()), database.TablePath(table.ID) + database.PartSuffix,
	}
	for _, name := range unused {
		leave(t, w, name, 3)
	}
	strangers := []string{
		"suites/mine/1.png", "suites/notes.txt", "models/readme.txt", "signals/zz/other.npz", "notes.txt",
		"predictions/notes.npz",
	}
	for _, name := range append(strangers, database.ThumbsFolder+"/x.png") {
		leave(t, w, name, 1)
	}
	u := mustUsage(t, w)
	want := FileUse{len(unused) + 1, int64(3*len(unused)) + kept.Tables[removed.ID]}
	if u.Loose != want || u.Thumbnails != 1 || u.Suites != kept.Suites || u.Predictions != kept.Tables[table.ID] ||
		u.Other-kept.Other < int64(len(strangers)) {
		t.Errorf("%+v; unused are %+v", u, want)
	}
	var sum int64
	must(t, filepath.Walk(w.Path(), func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			sum += info.Size()
		}
		return err
	}))
	testdata.Is(t, "bytes of the folder", u.Total(), sum)
	testdata.ErrorIs(t, "cancelled", testdata.Err(w.RemoveUnusedFiles(cancelled(t))), context.Canceled)
	testdata.Is(t, "freed", testdata.Must(w.RemoveUnusedFiles(t.Context()))(t), u.Loose)
	if after := mustUsage(t, w); after.Loose.Files != 0 || after.Total() != sum-want.Bytes || after.Other != u.Other {
		t.Errorf("%+v", after)
	}
	for _, folder := range []string{"suites/" + gone, "masks/" + gone} {
		testdata.ErrorIs(t, folder, testdata.Err(os.Stat(filepath.Join(w.Path(), folder))), os.ErrNotExist)
	}
	same(t, w)
	must(t, testdata.Err(w.MaskFolder(t.Context(), masks)))
	must(t, w.RemoveMasks(masks.Hash))
	testdata.ErrorIs(t, "the masks' folder", testdata.Err(os.Stat(filepath.Join(w.Path(), "masks", masks.Hash))),
		os.ErrNotExist)
	must(t, w.RemoveBackup(mustList(t, w.Path())[0].Name))
	testdata.Refused(t, "a file that is no backup", w.RemoveBackup("../workspace.db"))
	testdata.Is(t, "backups", mustUsage(t, w).Backups, 0)
	same(t, w)
}
