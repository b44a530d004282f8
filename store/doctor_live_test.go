package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/durable"
)

// atStart calls a function when the total is known: the copy of the database is made and the files are listed.
type atStart struct {
	noProgress
	do func()
}

// SetTotal implements engine.Progress.
func (p atStart) SetTotal(int64) { p.do() }

// TestExamineWhileOpen: an open workspace is examined without being closed, finds what the examination of the closed one finds, and leaves nothing behind.
func TestExamineWhileOpen(t *testing.T) {
	x := newEverything(t)
	flip(t, x.unit(1))
	closed := mustExamine(t, x.path)
	w := reopen(t, x.path)
	before := snapshot(t, x.path)
	e, changed, err := w.Examine(t.Context(), noProgress{})
	if err != nil || changed || !slices.Equal(kinds(e.Findings), []string{"signal-file"}) || !slices.Equal(kinds(e.Findings), kinds(closed.Findings)) {
		t.Errorf("changed %v, %v; found%s\nclosed%s", changed, err, sentencesOf(e.Findings), sentencesOf(closed.Findings))
	}
	if snapshot(t, x.path) != before {
		t.Error("examining leaves something")
	}
	for _, c := range closed.Checked {
		if !slices.ContainsFunc(e.Checked, func(o Checked) bool { return o.What == c.What && (o.Count == c.Count || c.What == "database pages") }) {
			t.Errorf("%s: %d are not counted", c.What, c.Count)
		}
	}
	left := filepath.Join(modelsFolder, "01ABC"+partSuffix)
	mustWrite(t, x.file(left), []byte("being written"))
	note := labelEvent(x.round, x.models[0].Hash, "A", label.Variant)
	e, changed, err = w.Examine(t.Context(), atStart{do: func() { mustAppend(t, w, note) }})
	if err != nil || !changed || !slices.Equal(kinds(e.Findings), []string{"signal-file"}) {
		t.Errorf("after a label: changed %v, %v, found%s", changed, err, sentencesOf(e.Findings))
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, _, err := w.Examine(ctx, atStart{do: cancel}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, _, err := w.Examine(ctx, noProgress{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if list, err := filepath.Glob(x.file("*" + partSuffix)); err != nil || len(list) > 0 {
		t.Error("copies are left", list, err)
	}
	checkAndClose(t, w)
}

// TestExamineWhileOpenTellsTheDisk: a copy that cannot be made is no finding but an error.
func TestExamineWhileOpenTellsTheDisk(t *testing.T) {
	w := fresh(t)
	full := errors.New("no room")
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op == durable.Write && strings.HasSuffix(s.Path, partSuffix) {
			return full
		}
		return nil
	})
	_, _, err := w.Examine(t.Context(), noProgress{})
	stop()
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "examine workspace "+w.Name()) {
		t.Error(err)
	}
	if left := parts(t, w.Path()); len(left) > 0 {
		t.Error(left)
	}
}
