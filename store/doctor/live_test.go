package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// atStart calls a function when the total is known: the copy of the database is made and the files
// are listed.
type atStart struct {
	noProgress
	do func()
}

// SetTotal implements engine.Progress.
func (p atStart) SetTotal(int64) { p.do() }

// TestExamineWhileOpen: an open workspace is examined without being closed, finds what the
// examination of the closed one finds, and leaves nothing behind.
func TestExamineWhileOpen(t *testing.T) {
	x := newEverything(t)
	storetest.Flip(t, x.unit(1))
	closed := mustExamine(t, x.Path)
	w := reopen(t, x.Path)
	before := storetest.Snapshot(t, x.Path)
	e, changed, err := ExamineOpen(t.Context(), w, noProgress{})
	if err != nil || changed || !slices.Equal(kinds(e.Findings), []string{"signal-file"}) {
		t.Errorf("changed %v, %v; found%s", changed, err, sentencesOf(e.Findings))
	}
	testdata.Is(t, "found while it was closed", sentencesOf(closed.Findings), sentencesOf(e.Findings))
	testdata.Is(t, "files", storetest.Snapshot(t, x.Path), before)
	for _, c := range closed.Checked {
		if !slices.ContainsFunc(e.Checked, func(o Checked) bool {
			return o.What == c.What && (o.Count == c.Count || c.What == "database pages")
		}) {
			t.Errorf("%s: %d are not counted", c.What, c.Count)
		}
	}
	left := filepath.Join(database.ModelsFolder, "01ABC"+database.PartSuffix)
	storetest.WriteFile(t, x.File(left), []byte("being written"))
	note := storetest.LabelEvent(x.round, x.models[0].Hash, "A", label.Variant)
	e, changed, err = ExamineOpen(t.Context(), w, atStart{do: func() { storetest.Append(t, w, note) }})
	if err != nil || !changed || !slices.Equal(kinds(e.Findings), []string{"signal-file"}) {
		t.Errorf("after a label: changed %v, %v, found%s", changed, err, sentencesOf(e.Findings))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 2 { // while it examines, and before
		_, _, err := ExamineOpen(ctx, w, atStart{do: cancel})
		testdata.ErrorIs(t, "cancelled", err, context.Canceled)
	}
	testdata.Equal(t, "copies", testdata.Must(filepath.Glob(x.File("*"+database.PartSuffix)))(t), nil)
	checkAndClose(t, w)
}

// TestExamineWhileOpenTellsTheDisk: a copy that cannot be made is no finding but an error.
func TestExamineWhileOpenTellsTheDisk(t *testing.T) {
	w := fresh(t)
	full := errors.New("no room")
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Write && strings.HasSuffix(s.Path, database.PartSuffix) {
			return full
		}
		return nil
	})
	_, _, err := ExamineOpen(t.Context(), w, noProgress{})
	stop()
	testdata.ErrorIs(t, "a full disk", err, full)
	testdata.Refused(t, "a full disk", err, "examine workspace "+w.Name())
	testdata.Equal(t, "left", storetest.Parts(t, w.Path()), nil)
}

// TestExamineOfADamagedOpenWorkspace: what the disk has spoiled is found while the workspace is
// open; the copy that is read goes, and so does one that a killed program has left.
func TestExamineOfADamagedOpenWorkspace(t *testing.T) {
	x := newEverything(t)
	w := testdata.Must(store.Open(x.Path))(t)
	defer func() { _ = w.Close() }()
	storetest.WriteFile(t,
		x.File(fmt.Sprintf("%s%d-1%s", storetest.DraftPrefix(x.File(database.File)), storetest.Ended(t),
			database.PartSuffix)),
		[]byte("half a copy"))
	// of the newest state
	page := bytes.Index(storetest.Read(t, x.File(database.File)),
		[]byte(x.events[len(x.events)-1].ID)) / storetest.PageSize
	f, err := os.OpenFile(x.File(database.File), os.O_RDWR, 0)
	must(t, err)
	_, err = f.WriteAt([]byte{0xFF, 0xFF}, int64(page*storetest.PageSize))
	must(t, errors.Join(err, f.Close()))
	e, changed, err := ExamineOpen(t.Context(), w, noProgress{})
	problems := e.Problems()
	if err != nil || changed || len(problems) == 0 || problems[0].Kind != "database" || !problems[0].Repairable {
		t.Errorf("changed %v, %v, found%s", changed, err, sentencesOf(e.Findings))
	}
	if slices.ContainsFunc(e.Findings, func(f Finding) bool { return f.Kind == "loose" }) ||
		len(storetest.Parts(t, x.Path)) > 0 {
		t.Errorf("copies are left: %v, found%s", storetest.Parts(t, x.Path), sentencesOf(e.Findings))
	}
}

// TestBackupThatGoesDuringAnExamination: the program itself makes room for newer backups while it
// has the workspace open. Where it is closed nobody does.
func TestBackupThatGoesDuringAnExamination(t *testing.T) {
	x := newEverything(t)
	file := x.File(database.BackupsFolder, testdata.Must(backup.List(x.Path))(t)[0].Name)
	kept := storetest.Read(t, file)
	w := reopen(t, x.Path)
	e, _, err := ExamineOpen(t.Context(), w, atStart{do: func() { storetest.Remove(t, file) }})
	if err != nil || len(e.Problems()) > 0 {
		t.Errorf("%v, found%s", err, sentencesOf(e.Findings))
	}
	checkAndClose(t, w)
	storetest.WriteFile(t, file, kept)
	e, err = Examine(t.Context(), x.Path, atStart{do: func() { storetest.Remove(t, file) }})
	if err != nil || !slices.Equal(kinds(e.Problems()), []string{"backup"}) {
		t.Errorf("closed: %v, found%s", err, sentencesOf(e.Findings))
	}
}

// TestExaminationOfDamageIsCancelled: what was read until then is no finding.
func TestExaminationOfDamageIsCancelled(t *testing.T) {
	w := fresh(t)
	storetest.AddModel(t, w, "m")
	checkAndClose(t, w)
	must(t, os.Truncate(filepath.Join(w.Path(), database.File), 5*int64(os.Getpagesize())))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, err := Examine(ctx, w.Path(), noProgress{})
	if !errors.Is(err, context.Canceled) || len(e.Findings) > 0 {
		t.Errorf("found%s, %v", sentencesOf(e.Findings), err)
	}
}
