package command

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/study"
)

// stepOf makes the step of a study file in a folder, on the workspace that its file names.
func stepOf(t *testing.T, folder, command, options string) (step, error) {
	t.Helper()
	plan := testdata.Must(study.Parse(fmt.Sprintf(
		"study = 1\ntitle = \"T\"\nworkspace = \"w.variscope\"\n[[step]]\nname = \"a\"\ncommand = %q\noptions = { %s "+
			"}\n", command, options)))(t)
	plan.Folder = folder
	c := &studyCommand{
		Options: study.Options{Out: filepath.Join(folder, "out")},
		others:  others{On: "tls://me:secret@host"},
	}
	steps, err := c.steps(&Session{ctx: t.Context(), stdout: io.Discard, stderr: io.Discard, common: &Common{}}, plan)
	if err != nil {
		return step{}, err
	}
	return steps[0], nil
}

// TestPathsOfAStep begin at the study file's folder, those that are written at the step's, and the
// command line that is kept has them as the study file does. It never has the password of a queue.
func TestPathsOfAStep(t *testing.T) {
	folder := t.TempDir()
	testdata.OK(t, os.WriteFile(filepath.Join(folder, "labels.csv"), nil, 0o644))
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, c := range []struct {
		command, options, line string
		has                    func(command any) (got, want string)
	}{
		{"run", `family = ["rot90"]`, "variscope run w.variscope --family rot90", func(c any) (string, string) {
			return c.(*runCommand).Workspace + " " + c.(*runCommand).On, in("w.variscope") + " tls://me:secret@host"
		}},
		{
			"import", `path = ["m.onnx"]`, "variscope import w.variscope m.onnx",
			func(c any) (string, string) { return c.(*importCommand).Path[0], in("m.onnx") },
		},
		{
			"assess eval", `labels = "labels.csv"`, "variscope assess eval w.variscope --labels labels.csv",
			func(c any) (string, string) { return c.(*assessEvalCommand).Labels, in("labels.csv") },
		},
		{
			"assess eval", `labels = "R1"`, "variscope assess eval w.variscope --labels R1",
			func(c any) (string, string) { return c.(*assessEvalCommand).Labels, "R1" },
		},
		{
			"assess eval", `labels = "none.csv"`, "variscope assess eval w.variscope --labels none.csv",
			func(c any) (string, string) { return c.(*assessEvalCommand).Labels, in("none.csv") },
		},
		{
			"assess predict", `assessor = "none.vassessor"`,
			"variscope assess predict w.variscope --assessor none.vassessor",
			func(c any) (string, string) { return c.(*assessPredictCommand).Assessor, in("none.vassessor") },
		},
		{
			"ei", `source = "m.onnx", suite = ["labels.csv"]`, "variscope ei m.onnx --suite labels.csv",
			func(c any) (string, string) { return c.(*eiCommand).Suite[0], in("labels.csv") },
		},
		{
			"ei", `suite = ["labels.csv"]`, "variscope ei w.variscope --suite labels.csv",
			func(c any) (string, string) { return c.(*eiCommand).Suite[0], "labels.csv" },
		},
		{
			"background rules", `ontology = "o.json"`, "variscope background rules w.variscope --ontology o.json",
			func(c any) (string, string) {
				return c.(*backgroundRulesCommand).Ontology, in(filepath.Join("out", "a", "o.json"))
			},
		},
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
		{"background rules", `rules = "."`, "names ., where tables and figures of the step may lie"},
		{"background rules", `rules = "rules.csv"`, "names rules.csv, where tables and figures of the step may lie"},
		{"background scenes", `backgrounds = "b", only = ["x"]`, "--only goes with --sheet"},
		{"run", `class_map = "none.csv"`, "option class-map: "},
		{"study", ``, "study is no command of a study"},
		{"walk", ``, "there is no command walk"},
	} {
		if _, err := stepOf(t, t.TempDir(), c.command, c.options); err == nil ||
			!strings.Contains(err.Error(), "step 1 (a): ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want %s", c.command, c.options, err, c.want)
		}
	}
}

// TestTheProgramsStudies have commands that there are, with options that they take.
func TestTheProgramsStudies(t *testing.T) {
	for _, name := range assets.Studies() {
		c := &studyCommand{Options: study.Options{Study: name, Out: filepath.Join(t.TempDir(), "out")}}
		plan, err := study.Read(name)
		if err == nil {
			_, err = c.steps(&Session{ctx: t.Context(), stdout: io.Discard, stderr: io.Discard, common: &Common{}},
				plan)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStudyThatCannotBe: one that is refused leaves no folder, and one whose step does nothing
// ends there.
func TestStudyThatCannotBe(t *testing.T) {
	folder := t.TempDir()
	ws, err := store.Create(filepath.Join(folder, "w"))
	if err == nil {
		err = ws.Close()
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "broken.csv"), []byte("no,suite\n"), 0o644)
	}
	testdata.OK(t, err)
	const begin = "study = 1\ntitle = \"T\"\nworkspace = \"w.variscope\"\n"
	const step = "[[step]]\nname = \"a\"\ncommand = \"import\"\noptions = { path = [\"broken.csv\"] }\n"
	for needs, want := range map[string]string{
		"[needs]\nmodels = [\"m\"]\n": "the study needs the model m, which workspace w lacks", "": "step 1 (a): ",
		"[[step]]\nname = \"b\"\ncommand = \"ei\"\nround = \"Rund 1\"\n": "step b is about round Rund 1, and " +
			"workspace w has no rounds",
	} {
		file, out := filepath.Join(folder, "s.toml"), filepath.Join(t.TempDir(), "out")
		testdata.OK(t, os.WriteFile(file, []byte(begin+needs+step), 0o644))
		if code, printed := command("study", file, "--out", out); code == exitOK || !strings.Contains(printed, want) {
			t.Errorf("%d: %s", code, printed)
		}
		if left, _ := os.ReadDir(out); len(left) > 0 || needs != "" && exists(out) {
			t.Errorf("it leaves %v", left)
		}
	}
}

// TestStudyTwice: a study of the demo gives the same bytes when what it runs is there already, in
// all its tables and whatever fails. Scenes that are there already have a second name.
func TestStudyTwice(t *testing.T) {
	library := libraryFor(t, "a study twice")
	if testing.Short() || library == "" {
		return
	}
	t.Setenv(onnx.LibraryVariable, library)
	folder := t.TempDir()
	file, out := filepath.Join(folder, "own.toml"), filepath.Join(folder, "out")
	text := `study = 1
title = "Twice"
[[step]]
name = "signals"
command = "run"
options = { family = ["rot90", "rotation:-15:15:15"], models = ["s05", "s08", "s11", "s13"] }
tables = ["*"]
[[step]]
name = "suites"
command = "import"
options = { path = ["more", "records.csv", "broken.csv"] }
tables = ["*"]
[[step]]
name = "ei"
command = "ei"
[[step]]
name = "assessor"
command = "assess train"
options = { family = "rotation:-15:15:15", column = "verdict", algorithm = "tree", evaluate = false, onnx = "tree.onnx" }
tables = ["*"]
[[step]]
name = "near"
command = "background scenes"
options = { backgrounds = "more", method = "nearest", n = 4, name = "Near" }
tables = ["*"]
[[step]]
name = "again"
command = "background scenes"
options = { backgrounds = "more", method = "nearest", n = 4, name = "Near again", sheet = "sheets", only = ["bird_00.png"] }
[[step]]
name = "beside"
command = "background scenes"
options = { backgrounds = "more", method = "nearest", n = 5, beside = ["Near again"] }
`
	more := os.DirFS(filepath.Join(testdata.Root(), "assets", "scenes", "backgrounds"))
	testdata.OK(t, os.CopyFS(filepath.Join(folder, "more"), more))
	for name, text := range map[string]string{
		file: text, "records.csv": "id,verdict\ns05,variant\ns08,invariant\ns11,invariant\ns13,variant\n",
		"broken.csv": "no,suite\n",
	} {
		if name != file {
			name = filepath.Join(folder, name)
		}
		testdata.OK(t, os.WriteFile(name, []byte(text), 0o644))
	}
	wrong := filepath.Join(folder, "wrong.toml")
	testdata.OK(t, os.WriteFile(wrong, []byte(text+"round = \"Rund 1\"\n"), 0o644))
	_, printed := command("study", wrong, "--out", out)
	if !strings.Contains(printed, "step beside is about round Rund 1, and workspace demo has Example") ||
		strings.Contains(must(t, "label", filepath.Join(out, "demo.variscope"), "rounds"), "Example") {
		t.Errorf("not refused before the demo is filled: %s", printed)
	}
	var before map[string]string
	for range 2 {
		code, printed := command("study", file, "--out", out)
		if code != exitBadInput || !strings.Contains(printed, "step suites: ") ||
			!strings.Contains(printed, "these scenes are there as Near; Near again is a further name of them") {
			t.Fatalf("%d: %s", code, printed)
		}
		now := map[string]string{}
		testdata.OK(t, fs.WalkDir(os.DirFS(out), ".", func(at string, entry fs.DirEntry, err error) error {
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
		}))
		// An assessor's file says when it was made, so its bytes and their sum are others each
		// time.
		const tree = "assessor/tree.onnx"
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(now[tree])))
		if !strings.Contains(now["study.json"], sum) {
			t.Errorf("the record has another sum of %s", tree)
		}
		now["study.json"], now[tree] = strings.Replace(now["study.json"], sum, "", 1), ""
		if diff := cmp.Diff(before, now); before != nil && diff != "" {
			t.Errorf("other bytes the second time:\n%s", diff)
		}
		before = now
	}
}
