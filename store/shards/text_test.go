package shards

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestScript runs job.sh in all ways that it is meant for, with a program that prints its
// arguments.
func TestScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // no shell is there
	}
	b := newFixture(t, 5, "a")
	f := b.plan(b.request(), 3)
	foreign := b.plan(b.request(), 2).dir
	spool := filepath.Join(t.TempDir(), "slurm_script") // Slurm runs a copy
	text, err := os.ReadFile(f.path(scriptFile))
	must(b, err)
	must(b, os.WriteFile(spool, text, 0o755))
	program := filepath.Join(t.TempDir(), "variscope")
	must(b, os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\"\n"), 0o755))
	elsewhere := t.TempDir()
	here := "worker --plan " + f.dir + " --shard 2"
	job, onSlurm := f.path(scriptFile), []string{"SLURM_ARRAY_TASK_ID=2", "SLURM_JOB_ID=9"}
	onPath := []string{"VARISCOPE=", "PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH")}
	for name, test := range map[string]struct {
		folder string // where it is run
		script string
		arg    string
		env    []string
		want   string // "" for an error
	}{
		"inside":         {f.dir, scriptFile, "2", nil, "worker --plan . --shard 2"},
		"from elsewhere": {elsewhere, job, "2", nil, here},
		"on the path":    {elsewhere, job, "2", onPath, here},
		"cores":          {elsewhere, job, "2", []string{"VARISCOPE_CORES=3"}, here + " --cores 3"},
		"slurm":          {f.dir, spool, "", onSlurm, here + " --cores 1"},
		"slurm, cores":   {f.dir, spool, "", append(onSlurm, "SLURM_CPUS_PER_TASK=4"), here + " --cores 4"},
		"submitted":      {elsewhere, spool, "", []string{"SLURM_ARRAY_TASK_ID=2", "SLURM_SUBMIT_DIR=" + f.dir}, here},
		"named":          {elsewhere, spool, "2", []string{"VARISCOPE_PLAN=" + f.dir}, here},
		"beside another": {foreign, job, "2", nil, here},
		"in another":     {foreign, spool, "2", nil, ""},
		"nowhere":        {elsewhere, spool, "2", nil, ""},
		"which":          {f.dir, scriptFile, "", nil, ""},
	} {
		c := exec.Command("sh", test.script)
		if test.arg != "" {
			c.Args = append(c.Args, test.arg)
		}
		c.Dir, c.Env = test.folder, append(append(os.Environ(), "VARISCOPE="+program), test.env...)
		out, err := c.CombinedOutput()
		if test.want == "" {
			if err == nil || c.ProcessState.ExitCode() != 2 || !strings.HasPrefix(string(out), "job.sh: ") {
				t.Errorf("%s: %v, %s", name, err, out)
			}
			continue
		}
		if err != nil || strings.TrimSpace(string(out)) != test.want {
			t.Errorf("%s: %v, %s in place of %s", name, err, out, test.want)
		}
	}
}

// TestTextsNameNoPlace: the folder can be moved to any machine.
func TestTextsNameNoPlace(t *testing.T) {
	b := newFixture(t, 5, "a")
	f := b.plan(b.request(), 3)
	list := files(t, f.dir)
	for name, text := range list {
		for _, place := range []string{filepath.Dir(f.dir), b.ws.Path(), b.root} {
			if strings.Contains(text, place) {
				t.Errorf("%s names %s", name, place)
			}
		}
	}
	if readme := list[readmeFile]; strings.Contains(readme, "{{") ||
		!strings.Contains(readme, "1 units of work of 1 models on suite pets under rotation:-10:10:10") {
		t.Error(readme)
	}
}
