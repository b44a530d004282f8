//go:build linux

package kill_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// victims are the processes that a run consists of, which are killed in turn.
var victims = []struct {
	name string
	// alone says that it is a process of the command run; the others are of a window and a machine
	// that has joined it.
	alone bool
	of    func(c *cast) (pids []int)
}{
	{name: "command run", alone: true, of: func(c *cast) []int { return c.main.pid() }},
	{name: "its workers", alone: true, of: func(c *cast) []int { return children(c.main.pid()) }},
	{name: "window and coordinator", of: func(c *cast) []int { return c.main.pid() }},
	{name: "its workers", of: func(c *cast) []int { return children(c.main.pid()) }},
	{name: "joined machine", of: func(c *cast) []int { return c.joined.pid() }},
	{name: "its workers", of: func(c *cast) []int { return children(c.joined.pid()) }},
}

// TestKillsOfProcesses kills every process of a run in turn at random moments: no label and no
// finished unit that was acknowledged is lost, a process that was killed is started again where it
// is one that people start, and the run ends with the bits of an undisturbed one. Processes other
// than workers load no library.
func TestKillsOfProcesses(t *testing.T) {
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("kill of processes: not run, ONNX Runtime is absent; make library brings it")
		return
	}
	total, _ := strconv.Atoi(os.Getenv(countVariable))
	family := family
	if total > 0 {
		family = "rotation:-15:15:5"
	}
	random := kill.Random(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name+".variscope") }
	imported := []string{"import", at("calm"), scenes("targets")}
	for _, id := range modelIDs {
		imported = append(imported, scenes("models", id+".onnx"))
	}
	program(t, imported...)
	program(t, "label", at("calm"), "round", "--name", "R1", "--annotators", "A,B", "--models",
		strings.Join(modelIDs, ","), "--family", family)
	copied(t, at("calm"), at("imported"))
	begun := time.Now()
	program(t, "run", at("calm"), "--family", family)
	took := time.Since(begun)
	c := &cast{
		t: t, workspace: at("killed"), family: family, cache: filepath.Join(folder, "cache"),
		want: files(t, filepath.Join(at("calm"), "signals")),
	}
	counts := make([]struct{ kills, labels, units int }, len(victims))
	var missed, loaded int
	for k := 0; k < max(len(victims), total); {
		v, sum := victims[k%len(victims)], &counts[k%len(victims)]
		copied(t, at("imported"), c.workspace)
		c.begin(v.alone)
		c.wait(time.Duration(random.Int64N(int64(took))))
		pids := v.of(c)
		for len(pids) == 0 && c.wait(10*time.Millisecond) {
			pids = v.of(c)
		}
		hit := len(pids) > 0 && !c.main.over()
		if hit {
			loaded += c.libraries()
			hit = syscall.Kill(pids[random.IntN(len(pids))], syscall.SIGKILL) == nil
		}
		labels, units := c.end()
		if !hit { // the run had ended
			if missed++; missed > 3*max(len(victims), total) {
				t.Fatal("most kills come too late")
			}
			continue
		}
		k++
		sum.kills, sum.labels, sum.units = sum.kills+1, sum.labels+labels, sum.units+units
		if t.Failed() {
			t.Fatalf("after %d kills, the last one of %s", k, v.name)
		}
	}
	fmt.Println("kill: process                 kills  labels before  units before")
	for i, v := range victims {
		fmt.Printf("kill: %-22s %6d %14d %13d\n", v.name, counts[i].kills, counts[i].labels, counts[i].units)
	}
	fmt.Printf("kill: nothing lost; %d more came after the run; joined machines made %d units\n", missed, c.others)
	if loaded == 0 {
		t.Error("no worker had loaded the library: this test looks at nothing")
	}
}

// cast is the processes of a run that is disturbed.
type cast struct {
	t                        *testing.T
	workspace, family, cache string
	want                     tree
	others                   int // units of joined machines
	main, joined             *actor
	args                     []string // of main, its task first
}

// begin starts the command, or a window that another machine has joined.
func (c *cast) begin(alone bool) {
	c.t.Helper()
	c.joined = nil
	if alone {
		c.args = []string{"program", "run", c.workspace, "--family", c.family}
		c.main = begin(c.t, c.args[0], c.args[1:]...)
		return
	}
	c.args = []string{"window", c.workspace, c.family}
	c.main = begin(c.t, c.args[0], c.args[1:]...)
	c.join()
}

func (c *cast) join() {
	c.t.Helper()
	line := ""
	for line == "" {
		if c.main.over() {
			c.t.Fatalf("the window: %v\n%s", c.main.err, c.main.Errors())
		}
		time.Sleep(time.Millisecond)
		for _, said := range c.main.said("join") {
			line = said
		}
	}
	c.joined = begin(c.t, "program", "worker", line, "--cores", "1", "--name", "other", "--cache", c.cache)
}

// wait waits as long as the run goes on; ongoing tells whether it does.
func (c *cast) wait(d time.Duration) (ongoing bool) {
	select {
	case <-c.main.ended:
		return false
	case <-time.After(d):
		return true
	}
}

// libraries counts the workers that have loaded the library, which no other process may.
func (c *cast) libraries() (n int) {
	c.t.Helper()
	for _, a := range []*actor{c.main, c.joined} {
		for _, pid := range a.pid() {
			if loaded(pid) {
				c.t.Errorf("process %v has loaded the library", a.Args[1:])
			}
		}
		for _, pid := range children(a.pid()) {
			if loaded(pid) {
				n++
			}
		}
	}
	return n
}

// end lets the run end, started again where it was killed, and looks for losses. It returns how
// many labels and units were acknowledged before the kill of a process that made them.
func (c *cast) end() (labels, units int) {
	c.t.Helper()
	<-c.main.ended
	first := c.main
	if first.err != nil {
		var exit interface{ Sys() any }
		if !errors.As(first.err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			c.t.Fatalf("%v: %v\n%s", c.args, first.err, first.Errors())
		}
		if err := whole(c.t, c.workspace, nil); err != nil {
			c.t.Error(err)
		}
		c.main = begin(c.t, c.args[0], c.args[1:]...)
		<-c.main.ended
		if c.main.err != nil {
			c.t.Fatalf("%v, started again: %v\n%s", c.args, c.main.err, c.main.Errors())
		}
		labels, units = len(first.said("label")), len(first.said("unit"))
	}
	if c.joined != nil {
		c.joined.Killed()
		<-c.joined.ended
		if _, err := os.Stat(filepath.Join(c.workspace, "queue", "packs")); !errors.Is(err, fs.ErrNotExist) {
			c.t.Errorf("packs of images are left: %v", err)
		}
	}
	again := c.main.said("unit")
	for _, unit := range first.said("unit") {
		if c.main != first && slices.Contains(again, unit) {
			c.t.Errorf("unit %s was kept and is computed again", unit)
		}
	}
	for _, text := range c.main.said("elsewhere") {
		n, _ := strconv.Atoi(text)
		c.others += n
	}
	got := files(c.t, filepath.Join(c.workspace, "signals"))
	if !maps.Equal(got, c.want) {
		c.t.Errorf("%d files of signals in place of %d, or other ones", len(got), len(c.want))
	}
	if err := whole(c.t, c.workspace, func(ws *store.Workspace) error {
		rounds, err := ws.Rounds()
		if err != nil {
			return err
		}
		events, err := ws.Events(rounds[0].ID)
		for _, id := range append(first.said("label"), c.main.said("label")...) {
			if !slices.ContainsFunc(events, func(e label.Event) bool { return e.ID == id }) {
				err = errors.Join(err, fmt.Errorf("label %s was acknowledged and is lost", id))
			}
		}
		return err
	}); err != nil {
		c.t.Error(err)
	}
	return labels, units
}

// actor is a process that writes lines of a word and what it is about.
type actor struct {
	*kill.Child
	ended chan struct{}
	err   error // of the process, when it has ended

	mu    sync.Mutex
	lines map[string][]string
}

func begin(t *testing.T, task string, args ...string) *actor {
	t.Helper()
	a := &actor{Child: kill.Start(t, task, args...), ended: make(chan struct{}), lines: map[string][]string{}}
	t.Cleanup(func() { _ = a.Process.Kill() })
	go func() {
		for a.Lines.Scan() {
			word, about, _ := strings.Cut(a.Lines.Text(), " ")
			a.mu.Lock()
			a.lines[word] = append(a.lines[word], about)
			a.mu.Unlock()
		}
		a.err = a.Wait()
		close(a.ended)
	}()
	return a
}

func (a *actor) Killed() { _ = a.Process.Kill() }

func (a *actor) said(word string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.lines[word])
}

func (a *actor) over() bool {
	select {
	case <-a.ended:
		return true
	default:
		return false
	}
}

// pid is the process as long as it is alive.
func (a *actor) pid() []int {
	if a == nil || a.over() {
		return nil
	}
	return []int{a.Process.Pid}
}

// loaded tells whether a process has the library in its memory.
func loaded(pid int) bool {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	return err == nil && strings.Contains(string(maps), "onnxruntime")
}

// children are the processes that some processes have started.
func children(parents []int) (list []int) {
	found, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1])
			if slices.Contains(parents, parent) {
				id, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
				list = append(list, id)
			}
		}
	}
	slices.Sort(list)
	return list
}
