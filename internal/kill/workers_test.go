//go:build linux

package kill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
)

// TestKillsOfWorkers kills a worker process of a run at a random moment: the run ends as an
// undisturbed one, to the same bits. The process of the run itself loads no library.
func TestKillsOfWorkers(t *testing.T) {
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("kill of workers: not run, ONNX Runtime is absent; make library brings it")
		return
	}
	total, _ := strconv.Atoi(os.Getenv(countVariable))
	random := kill.Random(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name+".variscope") }
	imported := []string{"import", at("calm"), scenes("targets")}
	for _, id := range modelIDs {
		imported = append(imported, scenes("models", id+".onnx"))
	}
	program(t, imported...)
	copied(t, at("calm"), at("imported"))
	run := func(name string) []string { return []string{"run", at(name), "--family", "rotation:-15:15:3"} }
	program(t, run("calm")...)
	want := files(t, filepath.Join(at("calm"), "signals"))
	kills, mapped := 0, 0
	for kills < max(1, total/5) {
		copied(t, at("imported"), at("killed"))
		p := kill.Start(t, "program", run("killed")...)
		ended := make(chan error, 1)
		go func() {
			for p.Lines.Scan() {
			}
			ended <- p.Wait()
		}()
		// One kill in each run: a unit that is killed twice fails its model, as it should.
		for over, next := false, time.Duration(random.IntN(2000))*time.Millisecond; !over; next = time.Hour {
			select {
			case err := <-ended:
				if over = true; err != nil {
					t.Fatalf("after %d kills: %v\n%s", kills, err, p.Errors())
				}
			case <-time.After(next):
				if loaded(p.Process.Pid) {
					t.Error("the process of the run has loaded the library")
				}
				workers := children(p.Process.Pid)
				if len(workers) == 0 {
					kills++ // the run had ended
					continue
				}
				one := workers[random.IntN(len(workers))]
				if loaded(one) {
					mapped++
				}
				if syscall.Kill(one, syscall.SIGKILL) == nil {
					kills++
				}
			}
		}
		if got := files(t, filepath.Join(at("killed"), "signals")); !equal(got, want) {
			t.Fatalf("after %d kills other signals were computed", kills)
		}
	}
	fmt.Printf("kill: %d workers killed, nothing lost\n", kills)
	if mapped == 0 {
		t.Error("no worker had loaded the library: this test looks at nothing")
	}
}

// loaded tells whether a process has the library in its memory.
func loaded(pid int) bool {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	return err == nil && strings.Contains(string(maps), "onnxruntime")
}

func equal(a, b tree) bool {
	if len(a) != len(b) {
		return false
	}
	for name, hash := range a {
		if b[name] != hash {
			return false
		}
	}
	return true
}

// children are the processes that a process has started.
func children(pid int) (list []int) {
	found, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			id, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}
