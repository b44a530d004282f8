//go:build unix

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/durable"
)

// children are the tasks of child processes; the result is the exit code.
var children = map[string]func(path string) int{
	"label": childLabels, "hold": childHolds, "crash-model": childCrashesInModel, "crash-unit": childCrashesInUnit, "limit": childIsLimited,
	"backup": childBacksUp, "move": childMoves, "label-images": childLabelsImages, "derive": childDerives,
}

// child starts this test binary as a child with a task. The caller reads its output and waits for it.
func child(t *testing.T, task, path string) (*exec.Cmd, io.WriteCloser, *bufio.Scanner) {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=^$")
	command.Env = append(os.Environ(), childTask+"="+task, childPath+"="+path)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, in, bufio.NewScanner(out)
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// childLabels appends labels until it is killed and prints the id of each that was acknowledged.
func childLabels(path string) int {
	w, err := Open(path)
	if err != nil {
		return complain(err)
	}
	rounds, err := w.Rounds()
	if err != nil {
		return complain(err)
	}
	for i := 0; ; i++ {
		ev, err := w.Append(labelEvent(rounds[0], rounds[0].Models[i%2], []string{"A", "B"}[i%2], label.Variant))
		if err != nil {
			return complain(err)
		}
		fmt.Println(ev.ID)
	}
}

// TestKillWhileLabelling kills a labelling process at random moments until 200 labels were acknowledged: each of them is
// there, and the database is whole every time.
func TestKillWhileLabelling(t *testing.T) {
	w := fresh(t)
	m, n, s := addModel(t, w, "m"), addModel(t, w, "n"), addSuite(t, w, "s", 3)
	r := addRound(t, w, s, m, n)
	checkAndClose(t, w)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	acknowledged := map[string]bool{}
	kills := 0
	for deadline := time.Now().Add(time.Minute); len(acknowledged) < 200 && time.Now().Before(deadline); kills++ {
		command, _, lines := child(t, "label", w.Path())
		kill := func() { _ = command.Process.Kill() }
		timer := time.AfterFunc(time.Duration(random.IntN(60))*time.Millisecond, kill) // also while it opens
		if kills%2 == 0 {
			timer.Reset(10 * time.Second)
		}
		for first := true; lines.Scan(); first = false {
			acknowledged[lines.Text()] = true
			if first && kills%2 == 0 {
				timer.Reset(time.Duration(random.IntN(10000)) * time.Microsecond)
			}
		}
		timer.Stop()
		_ = command.Wait() // it was killed
		again := reopen(t, w.Path())
		events, err := again.Events(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]bool{}
		for _, ev := range events {
			there[ev.ID] = true
		}
		for id := range acknowledged {
			if !there[id] {
				t.Fatalf("kill %d: label %s was acknowledged and is lost", kills, id)
			}
		}
		checkAndClose(t, again)
	}
	if len(acknowledged) < 200 {
		t.Errorf("only %d labels in a minute", len(acknowledged))
	}
	t.Logf("%d labels acknowledged over %d kills", len(acknowledged), kills)
}

// childHolds keeps a workspace open until its input ends.
func childHolds(path string) int {
	w, err := Open(path)
	if err != nil {
		return complain(err)
	}
	fmt.Println("open")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := w.Close(); err != nil {
		return complain(err)
	}
	return 0
}

func TestOpenElsewhere(t *testing.T) {
	w := fresh(t)
	checkAndClose(t, w)
	for _, kill := range []bool{false, true} {
		command, in, lines := child(t, "hold", w.Path())
		if !lines.Scan() {
			t.Fatal("the child did not open the workspace")
		}
		before := snapshot(t, w.Path())
		start := time.Now()
		_, err := Open(w.Path())
		if took := time.Since(start); took > time.Second {
			t.Errorf("told after %v", took)
		}
		var elsewhere *OpenElsewhereError
		if !errors.As(err, &elsewhere) || elsewhere.Process != command.Process.Pid || time.Since(elsewhere.Since) > time.Minute {
			t.Error(err)
		}
		if snapshot(t, w.Path()) != before {
			t.Error("the second opener changed the workspace")
		}
		if kill {
			_ = command.Process.Kill()
		}
		_ = in.Close()
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
		return complain(err)
	}
	_, _, err = w.AddModel(model.Model{ID: "crash"}, strings.NewReader("crash"))
	return complain(err)
}

func childCrashesInUnit(path string) int {
	w, err := crashing(path)
	if err != nil {
		return complain(err)
	}
	rounds, err := w.Rounds()
	if err != nil {
		return complain(err)
	}
	spec, err := roundSpec(w, rounds[0])
	if err != nil {
		return complain(err)
	}
	return complain(w.Record(context.Background(), spec, testUnit(spec, 0, 3, 3)))
}

func TestCrashBetweenWriteAndRename(t *testing.T) {
	w := fresh(t)
	m, s := addModel(t, w, "m"), addSuite(t, w, "s", 300)
	r := addRound(t, w, s, m)
	checkAndClose(t, w)
	for _, task := range []string{"crash-model", "crash-unit"} {
		command, _, lines := child(t, task, w.Path())
		for lines.Scan() {
			t.Log(lines.Text())
		}
		var exit *exec.ExitError
		if err := command.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 9 {
			t.Fatalf("%s: %v", task, err)
		}
	}
	w = reopen(t, w.Path())
	if _, err := w.FindModel("crash"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if again, added, err := w.AddModel(model.Model{ID: "crash"}, strings.NewReader("crash")); added != New || again.ID != "crash" || err != nil {
		t.Error(added, again.ID, err)
	}
	spec, err := roundSpec(w, r)
	if err != nil {
		t.Fatal(err)
	}
	if has, err := w.Has(spec.UnitKey(0)); has || err != nil {
		t.Error(has, err)
	}
	runModel(t, w, m, spec)
	if state, err := w.State(m, s.Hash, spec.Family); state != Ready || err != nil {
		t.Error(state, err)
	}
	if left := parts(t, w.Path()); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

// childIsLimited lowers its file-size limit and labels until the database cannot grow, then tries a large model.
func childIsLimited(path string) int {
	w, err := Open(path)
	if err != nil {
		return complain(err)
	}
	const limit = 1 << 17
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return complain(err)
	}
	_, _, err = w.AddModel(model.Model{ID: "large"}, io.LimitReader(zeros{}, 2*limit))
	if !errors.Is(err, ErrFull) {
		return complain(fmt.Errorf("large model: %w", err))
	}
	rounds, err := w.Rounds()
	if err != nil {
		return complain(err)
	}
	for range 5000 {
		ev := labelEvent(rounds[0], rounds[0].Models[0], "A", label.Variant)
		ev.Note = strings.Repeat("n", 300)
		if ev, err = w.Append(ev); err != nil {
			break
		}
		fmt.Println(ev.ID)
	}
	if !errors.Is(err, ErrFull) {
		return complain(fmt.Errorf("labels: %w", err))
	}
	if _, err := w.Models(); err != nil { // reading goes on
		return complain(err)
	}
	if err := w.Close(); err != nil {
		return complain(err)
	}
	return 0
}

func TestFileSizeLimit(t *testing.T) {
	w := fresh(t)
	m, s := addModel(t, w, "m"), addSuite(t, w, "s", 3)
	r := addRound(t, w, s, m)
	checkAndClose(t, w)
	command, _, lines := child(t, "limit", w.Path())
	var acknowledged []string
	for lines.Scan() {
		acknowledged = append(acknowledged, lines.Text())
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
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
	if list, err := w.Models(); len(list) != 1 || err != nil {
		t.Error(list, err)
	}
	if left := parts(t, w.Path()); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}
