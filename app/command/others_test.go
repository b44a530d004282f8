package command

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
)

// TestOtherMachinesGiveTheBitsOfThisOne with real processes: a coordinator that computes nothing
// and two workers. One worker is killed in a unit, then the coordinator, which is started again;
// the other worker finds it again by itself. Signal files and matrices are those of a local run.
func TestOtherMachinesGiveTheBitsOfThisOne(t *testing.T) {
	folder, _, ok := withModels(t, "other machines", "s01", "s05", "s08", "s11")
	if !ok {
		return // the tests of store/cluster go through the same with a runtime of their own
	}
	local, shared := filepath.Join(folder, "local.variscope"), filepath.Join(folder, "shared.variscope")
	testdata.OK(t, os.CopyFS(shared, os.DirFS(local)))
	how := []string{"--suite", "targets", "--family", "rotation:-15:15:1", "--modalities", "L2@CONV-1"}
	must(t, append([]string{"run", local}, how...)...)

	run := append([]string{"run", shared, "--listen", "127.0.0.1:0", "--only-others"}, how...)
	coordinator := kill.Start(t, "program", run...)
	line := joinLine(t, coordinator)
	one, two := helping(t, line, "one"), helping(t, line, "two")
	waitFor(t, "a unit is recorded", func() bool { return len(tree(t, filepath.Join(shared, "signals"))) > 0 })
	one.Killed()
	coordinator.Killed()
	before := tree(t, filepath.Join(shared, "signals"))
	again := kill.Start(t, "program", run...)
	if other := joinLine(t, again); other != line {
		t.Errorf("the coordinator was at %s and is at %s", line, other)
	}
	ends(t, again)
	two.Killed()
	want, got := tree(t, filepath.Join(local, "signals")), tree(t, filepath.Join(shared, "signals"))
	if !maps.Equal(want, got) || len(before) == 0 || len(before) == len(want) {
		t.Errorf("%d signal files in place of %d, or other ones; %d before the coordinator was killed", len(got),
			len(want), len(before))
	}
	for _, ws := range []string{local, shared} {
		must(t, "matrix", ws, "--suite", "targets", "--family", "rotation:-15:15:1", "--format", "npz", "--out",
			ws+".matrices")
	}
	if !maps.Equal(tree(t, local+".matrices"), tree(t, shared+".matrices")) {
		t.Error("other matrices")
	}
	must(t, "doctor", shared)
}

// TestStudyOnOtherMachines: the runs of a study's steps are computed by a worker that stays from
// one to the next, with the bits of local runs; the study again needs no worker, for nothing is
// missing.
func TestStudyOnOtherMachines(t *testing.T) {
	folder, _, ok := withModels(t, "a study on other machines", "s01", "s05")
	if !ok {
		return
	}
	local, shared := filepath.Join(folder, "local.variscope"), filepath.Join(folder, "shared.variscope")
	testdata.OK(t, os.CopyFS(shared, os.DirFS(local)))
	families := []string{"rotation:-4:4:4", "brightness:-0.1:0.1:0.1"}
	must(t, "run", local, "--suite", "targets", "--family", families[0], "--family", families[1])
	file := filepath.Join(folder, "study.toml")
	text := "study = 1\ntitle = \"Runs elsewhere\"\nworkspace = \"shared.variscope\"\n"
	for k, family := range families {
		text += fmt.Sprintf("[[step]]\nname = \"run-%d\"\ncommand = \"run\"\noptions = { suite = [\"targets\"], "+
			"family = [%q] }\n", k, family)
	}
	testdata.OK(t, os.WriteFile(file, []byte(text), 0o600))
	study := []string{
		"study", file, "--out", filepath.Join(folder, "out"), "--format", "csv", "--listen",
		"127.0.0.1:0", "--only-others",
	}
	first := kill.Start(t, "program", study...)
	one := helping(t, joinLine(t, first), "one")
	ends(t, first)
	one.Killed()
	if want, got := tree(t, filepath.Join(local, "signals")),
		tree(t, filepath.Join(shared, "signals")); !maps.Equal(want, got) {
		t.Errorf("%d signal files in place of %d, or other ones", len(got), len(want))
	}
	ends(t, kill.Start(t, "program", study...))
}

// ends waits for the end of a command that other machines compute for.
func ends(t *testing.T, c *kill.Child) {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		for c.Lines.Scan() { // what it says is in the workspace
		}
		ended <- c.Wait()
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%v: %s", err, c.Errors())
		}
	case <-time.After(2 * time.Minute):
		c.Killed()
		t.Fatalf("it does not end: %s", c.Errors())
	}
}

// joinLine waits for the line that a coordinator shows.
func joinLine(t *testing.T, c *kill.Child) (line string) {
	t.Helper()
	shape := regexp.MustCompile(`variscope worker '([^']+)'\n`)
	waitFor(t, "the join line is shown", func() bool {
		found := shape.FindStringSubmatch(c.Errors())
		if found != nil {
			line = found[1]
		}
		return found != nil
	})
	return line
}

// helping is a worker process with a cache of its own.
func helping(t *testing.T, line, name string) *kill.Child {
	t.Helper()
	c := kill.Start(t, "program", "worker", line, "--cores", "1", "--name", name, "--cache",
		filepath.Join(t.TempDir(), "cache"))
	t.Cleanup(c.Killed)
	return c
}

func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not happen within two minutes: %s", what)
		}
	}
}
