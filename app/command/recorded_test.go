package command

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// recordedFolder holds the commands that are recorded, the files that they read, and a record of
// each.
const recordedFolder = "testdata/recorded"

// recordedModels are the demo's models in the workspace; s23 has a single convolution.
var recordedModels = []string{"s01", "s05", "s08", "s09", "s11", "s13", "s15", "s23"}

// recordedLabels are the labels of the workspace's rounds in the order of recordedModels:
// invariant, borderline, variant, or none.
var recordedLabels = []struct{ round, annotator, labels string }{
	{"B1", "a", "vivbiv-i"},
	{"B1", "b", "vbvviv-i"},
	{"R1", "A", "iivviivv"},
	{"R1", "B", "iiviiiv-"},
	{"R1", "C", "ivvv-iiv"},
}

// recordedCase is a line of the section "cases" of commands.txtar, which says what it means.
type recordedCase struct {
	name, kind, line, files string
}

// recordedCommands reads commands.txtar.
func recordedCommands(t *testing.T) (workspace, labelled []string, cases []recordedCase) {
	t.Helper()
	archive := testdata.Must(txtar.ParseFile(filepath.Join(recordedFolder, "commands.txtar")))(t)
	form := regexp.MustCompile(`^(\w+)(?: \((keys|text)\))?: ([^|]+?)(?: \| (.+))?$`)
	for _, section := range archive.Files {
		lines := strings.Split(strings.TrimSpace(string(section.Data)), "\n")
		switch section.Name {
		case "workspace":
			workspace = lines
		case "labelled":
			labelled = lines
		case "cases":
			for _, line := range lines {
				parts := form.FindStringSubmatch(line)
				if parts == nil {
					t.Fatalf("commands.txtar: %q is not NAME: COMMAND LINE | FLAGS", line)
				}
				cases = append(cases, recordedCase{parts[1], parts[2], parts[3], parts[4]})
			}
		default:
			t.Fatalf("commands.txtar: section %q is not known", section.Name)
		}
	}
	return workspace, labelled, cases
}

// TestEveryCommandIsRecorded: each command that the parser knows has a case, and so has each
// action of a command.
func TestEveryCommandIsRecorded(t *testing.T) {
	_, _, cases := recordedCommands(t)
	for _, command := range leaves(grammar(t)) {
		words := strings.Fields(command.FullPath())[1:]
		actions := []string{""}
		for _, p := range command.Positional {
			if p.Tag.Enum != "" {
				actions = p.EnumSlice()
			}
		}
		for _, action := range actions {
			if !slices.ContainsFunc(cases, func(c recordedCase) bool {
				line := split(c.line)
				called := len(line) >= len(words) && slices.Equal(line[:len(words)], words)
				return called && (action == "" || slices.Contains(line, action))
			}) {
				t.Errorf("commands.txtar has no case of %s %s", command.FullPath(), action)
			}
		}
	}
}

// TestRecordedOutputs compares what every command prints and writes on a small workspace with
// what is recorded in testdata/recorded. With VARISCOPE_WRITE_RECORDED it writes the records that
// differ anew.
func TestRecordedOutputs(t *testing.T) {
	if testing.Short() {
		return // the script concurrent.txtar is what a short test runs
	}
	library := libraryFor(t, "recorded outputs")
	if library == "" {
		return
	}
	folder := testdata.Must(filepath.Abs(recordedFolder))(t)
	write := os.Getenv("VARISCOPE_WRITE_RECORDED") != ""
	workspace, labelled, cases := recordedCommands(t)
	refused := string(mustRead(t, "app/command/testdata/refused.txt"))
	bench := newRecordedBench(t, library, workspace, labelled)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(folder, c.name+".txtar")
			got := bench.record(t, c)
			want, err := os.ReadFile(path)
			if err != nil && !write {
				t.Fatal(err)
			}
			if err == nil && len(sameRecord(want, got)) == 0 {
				return // what differs within the tolerance stays as it is recorded
			}
			if !write {
				t.Errorf("%s differs. Where this is meant, say so in CHANGELOG.md and write the record anew: "+
					"VARISCOPE_WRITE_RECORDED=1 go test ./app -run TestRecordedOutputs/%s\n%s",
					path, c.name, strings.Join(sameRecord(want, got), "\n"))
			} else if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	t.Run("refused", func(t *testing.T) {
		bench.refuse(t, refused, filepath.Join(testdata.Root(), "assets", "scenes"))
	})
	t.Run("disturbed", func(t *testing.T) {
		seen := map[string]bool{}
		for _, c := range cases {
			words := strings.Fields(c.line)
			command := strings.Join(words[:min(2, len(words))], " ")
			if words[0] == "label" {
				command = words[2]
			}
			if c.kind != "text" && !seen[command] {
				seen[command] = true
				t.Run(c.name, func(t *testing.T) { bench.disturb(t, c) })
			}
		}
	})
	records := testdata.Must(filepath.Glob(filepath.Join(folder, "*.txtar")))(t)
	for _, path := range records {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		isCase := slices.ContainsFunc(cases, func(c recordedCase) bool { return c.name == name })
		if !isCase && name != "commands" && name != "inputs" {
			t.Errorf("%s is of no case; remove it", path)
		}
	}
}

// begins is how every JSON document begins.
var begins = regexp.MustCompile(`^\{\s*"schema": "variscope\.\w+",\s*"version": \d+,`)

// recordedBench is the working folder of the recorded commands. Each of them finds the inputs and
// a fresh copy of the workspace.
type recordedBench struct {
	folder    string
	ready     string            // the workspaces as they were prepared
	temporary string            // folder of temporary files
	inputs    map[string]bool   // what lies in folder before a command
	hashes    map[string]string // of models and suites, to their names
}

func newRecordedBench(t *testing.T, library string, workspace, labelled []string) *recordedBench {
	t.Helper()
	top := t.TempDir()
	b := &recordedBench{ready: filepath.Join(top, "ready"), hashes: map[string]string{}, inputs: map[string]bool{}}
	b.folder = filepath.Join(top, "work")
	b.folder += strings.Repeat("_", max(0, 120-len(b.folder))) // because tables are as wide as the paths in them
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(top, "home"))
	}
	b.temporary = t.TempDir()
	t.Setenv("TMPDIR", b.temporary)
	t.Setenv(onnx.LibraryVariable, library)
	t.Setenv("COLUMNS", "80") // of the help
	b.bring(t)
	t.Chdir(b.folder)
	lines := slices.Clone(workspace)
	values := map[rune]string{'i': "invariant", 'b': "borderline", 'v': "variant"}
	for _, l := range recordedLabels {
		for i, value := range l.labels {
			if value != '-' {
				const set = "label w.variscope set --round %s --annotator %s --model %s --value %s"
				lines = append(lines, fmt.Sprintf(set, l.round, l.annotator, recordedModels[i], values[value]))
			}
		}
	}
	for _, line := range append(lines, labelled...) {
		if code, stdout, stderr := runLine(line); code != 0 {
			t.Fatalf("variscope %s exits %d: %s%s", line, code, stdout, stderr)
		}
	}
	b.know(t)
	testdata.OK(t, os.Mkdir(b.ready, 0o755))
	for _, name := range listing(t) {
		if b.inputs[name] = !isWorkspace(name); isWorkspace(name) {
			testdata.OK(t, os.Rename(name, filepath.Join(b.ready, name)))
		}
	}
	return b
}

// bring copies models, two images per class with their masks, thirty backgrounds and tables into
// the working folder.
func (b *recordedBench) bring(t *testing.T) {
	t.Helper()
	scenes := filepath.Join(testdata.Root(), "assets", "scenes")
	bring := func(pattern, folder string) {
		list, err := filepath.Glob(filepath.Join(scenes, pattern))
		if err != nil || len(list) == 0 {
			t.Fatalf("no %s in %s: %v", pattern, scenes, err)
		}
		for _, path := range list {
			top, _, _ := strings.Cut(pattern, "/")
			below := testdata.Must(filepath.Rel(filepath.Join(scenes, top), path))(t)
			images.Put(t, filepath.Join(b.folder, folder, below), testdata.Must(os.ReadFile(path))(t))
		}
	}
	for _, id := range recordedModels {
		bring("models/"+id+".onnx", "models")
	}
	bring("targets/*/*_0[01].png", "images")
	bring("masks/*/*_0[01].png", "masks")
	bring("backgrounds/bg_00[0-2]*.png", "backgrounds")
	bring("context/*.onnx", "context")
	rows := regexp.MustCompile(`(?m)^(file,|.*_0[01]\.png,target|.*bg_00[0-2].\.png).*\n`)
	keywords := rows.FindAll(mustRead(t, "assets/scenes/keywords.csv"), -1)
	images.Put(t, filepath.Join(b.folder, "tables/keywords.csv"), bytes.Join(keywords, nil))
	archive := testdata.Must(txtar.ParseFile(filepath.Join(recordedFolder, "inputs.txtar")))(t)
	for _, f := range archive.Files {
		images.Put(t, filepath.Join(b.folder, f.Name), f.Data)
	}
}

// know notes the names of models and suites, which stand for their hashes in the records.
func (b *recordedBench) know(t *testing.T) {
	t.Helper()
	ws := testdata.Must(store.Open("w.variscope"))(t)
	defer ws.Close()
	for _, m := range testdata.Must(ws.Models())(t) {
		b.hashes[m.Hash] = "<model " + m.ID + ">"
	}
	for _, s := range testdata.Must(ws.Suites())(t) {
		b.hashes[s.Hash] = "<suite " + s.Name + ">"
	}
}

// record carries the command lines of a case out, each on fresh copies of the workspaces, and
// returns what they printed and wrote.
func (b *recordedBench) record(t *testing.T, c recordedCase) []byte {
	t.Helper()
	archive := &txtar.Archive{Comment: []byte("variscope " + c.line + "\n")}
	first := map[string]string{} // a text to the part that has it first
	add := func(name, text string) {
		if text = b.steady(text); text == "" {
			return
		}
		if !strings.HasSuffix(text, "\n") {
			text += "\n(no end of line)\n"
		}
		if same, again := first[text]; again {
			text = "(as " + same + ")\n"
		} else {
			first[text] = name
		}
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	call := func(flags string) (stdout string) {
		b.renew(t, c.line)
		code, stdout, stderr := runLine(c.line + flags)
		if code != 0 {
			stderr += fmt.Sprintf("(exit code %d)\n", code)
		}
		if c.kind != "keys" || code != 0 {
			add("stderr"+flags, shares.ReplaceAllString(stderr, ""))
		}
		return stdout
	}
	if c.kind != "keys" {
		add("stdout", call(""))
		if c.files == "" {
			b.written(t, add)
		}
	}
	if c.kind != "text" {
		read := indented
		if c.kind == "keys" {
			read = keysOf
		}
		stdout := call(" --json")
		if !begins.MatchString(stdout) {
			t.Errorf("variscope %s --json begins neither with schema nor version: %.80s", c.line, stdout)
		}
		text, err := read([]byte(stdout))
		if err != nil {
			t.Errorf("variscope %s --json prints no JSON: %v", c.line, err)
		}
		add("json", text)
	}
	if c.files != "" {
		add("stdout "+c.files, call(" "+c.files))
		b.written(t, add)
	}
	return txtar.Format(archive)
}

// renew clears the working folder of what a command wrote, and copies the workspaces that a line
// names into it.
func (b *recordedBench) renew(t *testing.T, line string) {
	t.Helper()
	for _, name := range listing(t) {
		if !b.inputs[name] {
			testdata.OK(t, os.RemoveAll(name))
		}
	}
	for _, word := range split(line) {
		if ready := filepath.Join(b.ready, word); isWorkspace(word) && exists(ready) {
			testdata.OK(t, os.CopyFS(word, os.DirFS(ready)))
		}
	}
}

// written adds the inventory of the files that a command wrote outside of workspaces, and their
// texts.
func (b *recordedBench) written(t *testing.T, add func(name, text string)) {
	t.Helper()
	var inventory strings.Builder
	var names, texts []string
	b.each(t, func(name, line, text string) {
		fmt.Fprintln(&inventory, line)
		names, texts = append(names, name), append(texts, text)
	})
	add("files", inventory.String())
	for i, name := range names {
		add(name, texts[i])
	}
}

// each visits the files that a command wrote outside of workspaces, each with its line in the
// inventory and its text.
func (b *recordedBench) each(t *testing.T, visit func(name, line, text string)) {
	t.Helper()
	for _, name := range listing(t) {
		if b.inputs[name] || isWorkspace(name) {
			continue
		}
		if err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line, text, err := describe(filepath.ToSlash(path), data)
			visit(filepath.ToSlash(path), line, text)
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

// listing lists the names in the working folder.
func listing(t *testing.T) (names []string) {
	t.Helper()
	list := testdata.Must(os.ReadDir("."))(t)
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}

// steady replaces what varies from run to run.
func (b *recordedBench) steady(text string) string {
	text = strings.ReplaceAll(text, b.folder, "<folder>")
	for hash, name := range b.hashes {
		text = strings.ReplaceAll(text, hash, name)
	}
	for _, v := range vary {
		text = v.is.ReplaceAllString(text, v.mark)
	}
	return text
}

// runLine carries a command line out in this process.
func runLine(line string) (code int, stdout, stderr string) { return outputs(split(line)...) }

// split cuts a command line into words; quotes hold words together.
func split(line string) []string {
	words := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1)
	for i := range words {
		words[i] = strings.Trim(words[i], "'")
	}
	return words
}
