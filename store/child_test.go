//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// children are the tasks of child processes: each gets the path of a workspace.
var children = map[string]kill.Task{
	"hold": at(childHolds), "crash-model": at(childCrashesInModel), "crash-unit": at(childCrashesInUnit),
	"limit": at(childIsLimited), "backup": at(childBacksUp), "move": at(childMoves),
	"label-images": at(childLabelsImages),
}

func at(task func(path string) int) kill.Task {
	return func(args []string) int { return task(args[0]) }
}

// childHolds keeps a workspace open until its input ends.
func childHolds(path string) int {
	w, err := Open(path)
	if err != nil {
		return kill.Complain(err)
	}
	fmt.Println("open")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := w.Close(); err != nil {
		return kill.Complain(err)
	}
	return 0
}

func TestOpenElsewhere(t *testing.T) {
	w := fresh(t)
	checkAndClose(t, w)
	for _, killed := range []bool{false, true} {
		command := kill.Start(t, "hold", w.Path())
		if !command.Lines.Scan() {
			t.Fatal("the child did not open the workspace")
		}
		before := storetest.Snapshot(t, w.Path())
		_, err := Open(w.Path())
		var elsewhere *database.OpenElsewhereError
		if !errors.As(err, &elsewhere) || elsewhere.Process != command.Process.Pid ||
			time.Since(elsewhere.Since) > time.Minute {
			t.Error(err)
		}
		if storetest.Snapshot(t, w.Path()) != before {
			t.Error("the second opener changed the workspace")
		}
		if killed {
			_ = command.Process.Kill()
		}
		_ = command.In.Close()
		_ = command.Wait()
		again := reopen(t, w.Path()) // the killed process left its owner file
		checkAndClose(t, again)
	}
}

// crashing ends the process in place of a rename, as a kill between writing a file and naming it.
func crashing(path string) (*Workspace, error) {
	w, err := Open(path)
	if err == nil {
		durable.Watch(func(s durable.Step) error {
			if s.Op == durable.Rename {
				syscall.Exit(9)
			}
			return nil
		})
	}
	return w, err
}

func childCrashesInModel(path string) int {
	w, err := crashing(path)
	if err != nil {
		return kill.Complain(err)
	}
	_, _, err = w.AddModel(model.Model{ID: "crash"}, strings.NewReader("crash"))
	return kill.Complain(err)
}

func childCrashesInUnit(path string) int {
	w, err := crashing(path)
	if err != nil {
		return kill.Complain(err)
	}
	rounds, err := w.Rounds()
	if err != nil {
		return kill.Complain(err)
	}
	spec, err := roundSpec(w, rounds[0])
	if err != nil {
		return kill.Complain(err)
	}
	return kill.Complain(w.Record(context.Background(), spec, storetest.Unit(spec, 0, 3, 3)))
}

func TestCrashBetweenWriteAndRename(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	r := storetest.AddRound(t, w, s, m)
	checkAndClose(t, w)
	for _, task := range []string{"crash-model", "crash-unit"} {
		command := kill.Start(t, task, w.Path())
		for command.Lines.Scan() {
			t.Log(command.Lines.Text())
		}
		var exit *exec.ExitError
		if err := command.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 9 {
			t.Fatalf("%s: %v", task, err)
		}
	}
	w = reopen(t, w.Path())
	testdata.ErrorIs(t, "FindModel", testdata.Err(w.FindModel("crash")), database.ErrNotFound)
	if again, added, err := w.AddModel(model.Model{ID: "crash"}, strings.NewReader("crash")); added != New ||
		again.ID != "crash" || err != nil {
		t.Error(added, again.ID, err)
	}
	spec := testdata.Must(roundSpec(w, r))(t)
	if has, err := w.Has(spec.UnitKey(0)); has || err != nil {
		t.Error(has, err)
	}
	storetest.RunModel(t, w, m, spec)
	testdata.Is(t, "state", testdata.Must(w.State(m, s.Hash, spec.Family))(t), Ready)
	if left := storetest.Parts(t, w.Path()); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

// childIsLimited lowers its file-size limit and labels until the database cannot grow, then tries a
// large model.
func childIsLimited(path string) int {
	w, err := Open(path)
	if err != nil {
		return kill.Complain(err)
	}
	const limit = 1 << 17
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return kill.Complain(err)
	}
	_, _, err = w.AddModel(model.Model{ID: "large"}, io.LimitReader(zeros{}, 2*limit))
	if !errors.Is(err, ErrFull) {
		return kill.Complain(fmt.Errorf("large model: %w", err))
	}
	rounds, err := w.Rounds()
	if err != nil {
		return kill.Complain(err)
	}
	for range 5000 {
		ev := storetest.LabelEvent(rounds[0], rounds[0].Models[0], "A", label.Variant)
		ev.Note = strings.Repeat("n", 300)
		if ev, err = w.Append(ev); err != nil {
			break
		}
		fmt.Println(ev.ID)
	}
	if !errors.Is(err, ErrFull) {
		return kill.Complain(fmt.Errorf("labels: %w", err))
	}
	if _, err := w.Models(); err != nil { // reading goes on
		return kill.Complain(err)
	}
	if err := w.Close(); err != nil {
		return kill.Complain(err)
	}
	return 0
}

func TestFileSizeLimit(t *testing.T) {
	w, _, _, r := labelling(t)
	checkAndClose(t, w)
	acknowledged := kill.Undisturbed(t, "limit", w.Path()).Lines
	w = reopen(t, w.Path())
	events, err := w.Events(r.ID)
	if err != nil || len(events) != len(acknowledged) || len(events) == 0 {
		t.Fatalf("%d of %d labels, %v", len(events), len(acknowledged), err)
	}
	for i, ev := range events {
		if ev.ID != acknowledged[i] {
			t.Fatalf("label %d is %s, not %s", i, ev.ID, acknowledged[i])
		}
	}
	testdata.Is(t, "models", len(testdata.Must(w.Models())(t)), 1)
	if left := storetest.Parts(t, w.Path()); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}
