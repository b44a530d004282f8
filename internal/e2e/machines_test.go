package e2e

import (
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// helper is a worker in a process of its own.
type helper struct {
	*desk
	command *exec.Cmd
	log     *logBuffer
	ended   chan error
}

// joinLine is the line with which workers join a workspace on this computer, made of what its queue
// keeps.
func (d *desk) joinLine(workspace string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(workspace, "queue", "cluster.json"))
	if err != nil {
		d.t.Fatal(err)
	}
	var kept struct {
		Space, Token, Cert string
		Port               int
	}
	d.parse(string(text), &kept)
	block, _ := pem.Decode([]byte(kept.Cert))
	if block == nil {
		d.t.Fatal("the queue has no certificate")
	}
	return fmt.Sprintf("variscope://%s@127.0.0.1:%d/%s?cert=%x", kept.Token, kept.Port, kept.Space,
		sha256.Sum256(block.Bytes))
}

// hires starts a worker with the line that the window shows, as far as there is room for it.
func (w *window) hires(workspace, name string, cores int) *helper {
	w.t.Helper()
	line := w.joinLine(workspace)
	w.until("the line to join with", patience, func() bool {
		return slices.ContainsFunc(w.screen(), func(n node) bool {
			shown := strings.TrimSuffix(n.Text, "…")
			shown = shown[:min(len(shown), 70)] // the address comes behind the token, and may be another one
			return len(shown) > 40 && strings.HasPrefix("variscope worker '"+line+"'", shown)
		})
	})
	h := &helper{desk: w.desk, log: &logBuffer{}, ended: make(chan error, 1)}
	h.command = exec.Command(w.program, "worker", line, "--name", name, "--cores", strconv.Itoa(cores), "--cache",
		filepath.Join(w.home, name))
	h.command.Env, h.command.Stderr = w.environment(), h.log
	if err := h.command.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() { h.ended <- h.command.Wait() }()
	w.t.Cleanup(func() { _ = h.command.Process.Kill() })
	return h
}

// leaves waits for the worker's end.
func (h *helper) leaves() {
	h.t.Helper()
	select {
	case err := <-h.ended:
		h.ended <- err
	case <-time.After(patience):
		h.t.Fatalf("the worker does not end:\n%s", h.log.String())
	}
}

// allows lets other machines in on this computer's own address.
func (w *window) allows(also ...string) {
	w.t.Helper()
	w.goes("ctrl+j", "Allow other machines…")
	w.opens("Allow other machines…", "They connect to")
	w.choose("all addresses of this computer", "127.0.0.1 (this computer only)")
	for _, text := range also {
		w.tick(text)
	}
	w.tapUntil("Allow", "other machines are let in", func() bool { return w.layers() == 0 && w.seen("Join with") })
}

// saysOf is what the list of who computes says of a worker, from left to right, empty cells left
// out.
func (w *window) saysOf(name string) (texts []string) {
	w.t.Helper()
	all := w.screen()
	at, ok := exactly(name)(all)
	for _, n := range all {
		if _, y := n.middle(); ok && n.Text != "" && n.X > at.X && float64(y) > at.Y && float64(y) < at.Y+at.H {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// sharedFamily keeps one worker busy for longer than a window takes to close and to open.
const sharedFamily = "rotation:-15:15:1"

// TestOtherMachinesCompute lets a real worker join a window, which computes nothing itself, closes
// and opens it again in the middle, and sends the worker away when it has done its part; this
// computer ends the run.
func TestOtherMachinesCompute(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.ranModels(5)
	w := d.start(workspace)
	w.allows("compute nothing on this computer")
	h := w.hires(workspace, "helper", 1)
	w.until("the worker in the list", patience, func() bool { return len(w.saysOf("helper")) > 0 })
	w.shows("1 other machine waits for a run")
	w.goes("ctrl+r", "rotation:")
	w.types("rotation:", sharedFamily)
	w.tapUntil("Start", "the start of the run", func() bool { return w.stored("run") > 0 })
	w.until("the worker at work", patience, func() bool {
		return strings.Contains(strings.Join(w.saysOf("helper"), " "), " part ")
	})
	w.until("the first signals", toil, func() bool { return w.stored("signals") > 0 })
	w.shot("machines")
	w.goes("ctrl+q", "Close Variscope?")
	w.stops("Close Variscope?")

	w = d.start(workspace)
	w.until("the worker in the list again", patience,
		func() bool { w.key("ctrl+j"); return w.soon(func() bool { return len(w.saysOf("helper")) > 0 }) })
	w.tap("Resume")
	before := w.stored("signals")
	w.until("signals that the worker has made", toil, func() bool { return w.stored("signals") > before })
	w.removes("helper")
	h.leaves()
	if !strings.Contains(h.log.String(), "removed this worker") {
		t.Errorf("the worker says:\n%s", h.log.String())
	}
	w.until("no worker in the list", patience, func() bool { return len(w.saysOf("helper")) == 0 })
	w.turnsAway()
	w.until("the end of the run", toil, func() bool { return w.stored("run") >= 2 })
	w.close()
	var report ran
	d.sheet(d.run("run", workspace, "--suite", "targets", "--family", sharedFamily, "--json"), "run", &report)
	if computed, reused := report.work(); computed != 0 || reused == 0 {
		t.Errorf("a repeat computes %d and reuses %d", computed, reused)
	}
	w = d.start(workspace)
	w.goes("ctrl+j", "Allow other machines…")
	w.close()
}

// removes sends a worker away, which may be asked about.
func (w *window) removes(name string) {
	w.t.Helper()
	w.tap(name)
	w.tapUntil("Remove worker", "the end of the worker", func() bool {
		if w.layers() > 0 {
			w.tap("Remove")
		}
		return w.seen(name + " was removed.")
	})
}

// turnsAway lets nobody else in any more, which may be asked about.
func (w *window) turnsAway() {
	w.t.Helper()
	w.tapUntil("Disconnect", "other machines are turned away", func() bool {
		if w.layers() > 0 {
			w.tap("Disconnect")
		}
		return w.seen("Allow other machines…")
	})
}

// drawMachines shows two workers at work on a run that is cancelled afterwards.
func (w *window) drawMachines() {
	workspace := filepath.Join(w.home, "demo.variscope")
	w.allows()
	helpers := []*helper{w.hires(workspace, "laboratory", 1), w.hires(workspace, "study", 1)}
	w.until("the workers in the list", patience, func() bool {
		return len(w.saysOf("laboratory")) > 0 && len(w.saysOf("study")) > 0
	})
	w.goes("ctrl+r", "Class table")
	w.choose("Usual ones", inWords("shear"))
	w.tapUntil("Start", "the start of the run", func() bool { return w.seen("running") })
	for _, name := range []string{"laboratory", "study"} {
		w.until("both at work", patience, func() bool {
			return strings.Contains(strings.Join(w.saysOf(name), " "), " part ")
		})
	}
	w.dialog("machines")
	w.tap("Cancel")
	w.shows("The run on scenes was cancelled")
	w.turnsAway()
	for _, h := range helpers {
		_ = h.command.Process.Kill()
	}
}
