package app

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/studies"
)

// stepOf makes the step of a study file in a folder, on the workspace that its file names.
func stepOf(t *testing.T, folder, command, options string) (step, error) {
	t.Helper()
	plan, err := studies.Parse(fmt.Sprintf(
		"study = 1\ntitle = \"T\"\nworkspace = \"w.variscope\"\n[[step]]\nname = \"a\"\ncommand = %q\noptions = { %s }\n", command, options))
	if err != nil {
		t.Fatal(err)
	}
	plan.Folder = folder
	c := &studyCommand{Options: studies.Options{Out: filepath.Join(folder, "out")}, others: others{On: "tls://me:secret@host"}}
	steps, err := c.steps(&session{ctx: t.Context(), stdout: io.Discard, stderr: io.Discard, common: &common{}}, plan)
	if err != nil {
		return step{}, err
	}
	return steps[0], nil
}

// TestPathsOfAStep begin at the study file's folder, those that are written at the step's, and the
// command line that is kept has them as the study file does. It never has the password of a queue.
func TestPathsOfAStep(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "labels.csv"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, c := range []struct {
		command, options, line string
		has                    func(command any) (got, want string)
	}{
		{"run", `family = ["rot90"]`, "variscope run w.variscope --family rot90", func(c any) (string, string) {
			return c.(*runCommand).Workspace + " " + c.(*runCommand).On, in("w.variscope") + " tls://me:secret@host"
		}},
		{"import", `path = ["m.onnx"]`, "variscope import w.variscope m.onnx", func(c any) (string, string) { return c.(*importCommand).Path[0], in("m.onnx") }},
		{"assess eval", `labels = "labels.csv"`, "variscope assess eval w.variscope --labels labels.csv", func(c any) (string, string) { return c.(*assessEvalCommand).Labels, in("labels.csv") }},
		{"assess eval", `labels = "R1"`, "variscope assess eval w.variscope --labels R1", func(c any) (string, string) { return c.(*assessEvalCommand).Labels, "R1" }},
		{"ei", `source = "m.onnx", suite = ["labels.csv"]`, "variscope ei m.onnx --suite labels.csv", func(c any) (string, string) { return c.(*eiCommand).Suite[0], in("labels.csv") }},
		{"ei", `suite = ["labels.csv"]`, "variscope ei w.variscope --suite labels.csv", func(c any) (string, string) { return c.(*eiCommand).Suite[0], "labels.csv" }},
		{"background rules", `ontology = "o.json"`, "variscope background rules w.variscope --ontology o.json", func(c any) (string, string) {
			return c.(*backgroundRulesCommand).Ontology, in(filepath.Join("out", "a", "o.json"))
		}},
	} {
		made, err := stepOf(t, folder, c.command, c.options)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if got, want := c.has(made.command); made.line != c.line || got != want {
			t.Errorf("%s and %s, want %s and %s", made.line, got, c.line, want)
		}
	}
}

// TestStepsRefuse what opens the network, leads out of the folder, or is seen to be wrong before
// anything runs.
func TestStepsRefuse(t *testing.T) {
	for _, c := range []struct{ command, options, want string }{
		{"run", `listen = ":0"`, "run takes no option listen in a study"},
		{"run", `on = "nats://localhost:1"`, "takes no option on in a study"},
		{"run", `plan = "p"`, "takes no option plan in a study"},
		{"run", `collect = "p"`, "takes no option collect in a study"},
		{"run", `workspace = "/w"`, "takes no option workspace in a study"},
		{"ei", `out = "o"`, "takes no option out in a study"},
		{"background rules", `ontology = "../o.json"`, "../o.json leads out of it"},
		{"background scenes", `sheet = "/o"`, "/o leads out of it"},
		{"background scenes", `backgrounds = "b", only = ["x"]`, "--only goes with --sheet"},
		{"run", `class_map = "none.csv"`, "option class-map: "},
		{"study", ``, "study is no command of a study"},
		{"walk", ``, "there is no command walk"},
	} {
		if _, err := stepOf(t, t.TempDir(), c.command, c.options); err == nil || !strings.Contains(err.Error(), "step 1 (a): ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want %s", c.command, c.options, err, c.want)
		}
	}
}

// TestStudyTwice: a study of the demo gives the same bytes when what it runs is there already.
func TestStudyTwice(t *testing.T) {
	library, _, err := onnx.FindLibrary("")
	if testing.Short() || err != nil && !testdata.LibraryRequired() {
		fmt.Println("a study twice: not tested, or ONNX Runtime is absent; make library brings it")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(onnx.LibraryVariable, library)
	folder := t.TempDir()
	file, out := filepath.Join(folder, "own.toml"), filepath.Join(folder, "out")
	text := `study = 1
title = "Twice"
[[step]]
name = "signals"
command = "run"
options = { family = ["rot90"], models = ["s11", "s13"] }
[[step]]
name = "suites"
command = "import"
options = { path = ["more"] }
[[step]]
name = "ei"
command = "ei"
`
	more := os.DirFS(filepath.Join(testdata.Root(), "assets", "scenes", "backgrounds"))
	if err := os.CopyFS(filepath.Join(folder, "more"), more); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var before map[string]string
	for range 2 {
		if code, printed := command("study", file, "--out", out); code != exitOK {
			t.Fatalf("%d: %s", code, printed)
		}
		now := map[string]string{}
		err := fs.WalkDir(os.DirFS(out), ".", func(at string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case isWorkspace(at):
				return fs.SkipDir
			case entry.IsDir():
				return nil
			}
			data, err := os.ReadFile(filepath.Join(out, at))
			if now[at] = string(data); strings.Contains(now[at], folder) {
				t.Errorf("%s has a path of this computer", at)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, now); before != nil && diff != "" {
			t.Errorf("other bytes the second time:\n%s", diff)
		}
		before = now
	}
}
