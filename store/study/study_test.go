package study

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

const small = `study = 1
title = "Small"
note = "Why?"
[[step]]
name = "a"
title = "First"
command = "ei"
options = { family = ["rot90"], each = true, resamples = 10 }
tables = ["sizes"]
figures = ["plot*"]
[[step.paper]]
source = "Table 1"
table = "sizes"
by = ["name"]
column = "size"
rows = [["x", 0.5], ["y", 2], ["z", 1]]
`

// TestRoundsOfSteps: a step may be about a round that is there, that is coming or that an earlier
// step makes.
func TestRoundsOfSteps(t *testing.T) {
	ws := testdata.Must(store.Create(filepath.Join(t.TempDir(), "w")))(t)
	defer ws.Close()
	s := Study{Folder: "here", Steps: []Step{
		{Name: "make", Command: "label", Options: map[string]any{"action": "round", "name": "R"}},
		{Name: "look", Command: "label", Round: "R", Options: map[string]any{"action": "list", "round": "R"}},
		{Name: "demo", Command: "ei", Round: "D"},
	}}
	said := testdata.Must(s.LeaveOut(ws, "D"))(t)
	testdata.Is(t, "steps, and those left out", fmt.Sprint(len(s.Steps), said), "3 []")
	slices.Reverse(s.Steps)
	_, err := s.LeaveOut(ws, "D")
	testdata.Refused(t, "a step before the one that makes its round", err,
		"step look is about round R, and workspace w has D")
}

// TestParseRefuses: what is wrong with a study file is one sentence that says where.
func TestParseRefuses(t *testing.T) {
	testdata.Must(Parse(small))(t)
	for _, c := range []struct{ old, new, want string }{
		{"study = 1", "study = 2", "begins with study = 2, and this program reads study = 1"},
		{"study = 1", "stdy = 1", "begins with study = 0"},
		{`title = "Small"`, "", "it has no title"},
		{`name = "a"`, `name = "../a"`, `step 1: its name "../a" is not made of`},
		{`name = "a"`, `name = "con"`, `Windows keeps "con" for itself`},
		{
			`{ family = ["rot90"], each = true, resamples = 10 }`,
			"{ a = " + strings.Repeat("{a=", 20) + "1" + strings.Repeat("}", 21), "lie in each other",
		},
		{"note =", strings.Repeat("a.", 20) + "a = 1\nnote =", "lie in each other"},
		{`title = "Small"`, "title = \"\"\"Small\"\"\"\"\"\nx = " + strings.Repeat("[", 20), "lie in each other"},
		{
			`title = "Small"`, `title = "` + strings.Repeat("[.", 20) + `" # ` + strings.Repeat("{", 20) + "\nx = 1",
			"no study has the key x",
		},
		{`command = "ei"`, "", "step 1: it names no command"},
		{`command = "ei"`, "command = 3", "command"},
		{`source =`, `sauce =`, "no study has the key step.paper.sauce"},
		{`["x", 0.5]`, `["x"]`, "a row of Table 1 has 1 values"},
		{`["x", 0.5]`, `["x", "half"]`, "half is no number"},
		{`"plot*"`, `"plot["`, "is no name of a table or figure"},
		{"[[step]]", "[[step", "toml"},
	} {
		_, err := Parse(strings.Replace(small, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s in place of %s: %v, want %s", c.new, c.old, err, c.want)
		}
	}
	twice := small + "[[step]]\nname = \"a\"\ncommand = \"ei\"\n"
	testdata.Refused(t, "a name that is there twice", testdata.Err(Parse(twice)), "step 2: the name a is there twice")
}

type size struct {
	name string
	size float64
}

var sizes = result.Table[size]{
	Name: "sizes", Title: "Sizes & more", Noun: "size", ID: func(s size) string { return s.name },
	Columns: []result.Column[size]{
		result.Texts("name", "name", "of it", func(s size) string { return s.name }),
		result.Numbers("size", "size", "in metres", result.Number, func(s size) float64 { return s.size }),
		result.Numbers("now", "now", "of one call", result.Number, func(size) float64 { return rand.Float64() }).Once(),
	},
}

// write writes a study with one step, which a test may change, into a folder.
func write(t *testing.T, folder string, change func(*Step, *Answer)) error {
	study := testdata.Must(Parse(small))(t)
	figure := result.Figure{
		Title: "Sizes", X: result.Axis{Name: "name"}, Y: result.Axis{Name: "size"},
		Groups: []result.Group{{Name: "all"}}, Points: []result.Point{{X: 1, Y: 2}, {X: 2, Y: 3}},
	}
	answer := Answer{
		Line: "variscope ei w --each", Sheets: []*result.Sheet{sizes.Sheet([]size{{"x", 0.75}, {"y", 2}, {"[z]", 3}})},
		Figures: []result.Drawn{{Name: "plot", Figure: figure}, {Name: "other", Figure: figure}},
		Remarks: []string{"nothing was left out"}, Failed: []string{"model m has no images"},
	}
	if change != nil {
		change(&study.Steps[0], &answer)
	}
	w := testdata.Must(Begin(t.Context(), study, "Variscope", folder, Formats()))(t)
	if err := w.Add(answer); err != nil {
		return err
	}
	_, err := w.End()
	return err
}

// filesIn are the contents of the files of a folder by their paths.
func filesIn(t *testing.T, folder string) map[string]string {
	texts := map[string]string{}
	for path, data := range images.Files(t, folder) {
		texts[path] = string(data)
	}
	return texts
}

// TestWrite: a study writes what its steps name, twice the same bytes, and says what stands beside
// the numbers of a paper and what failed. What is of one call is left out.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	testdata.OK(t, write(t, folder, nil))
	before := filesIn(t, folder)
	testdata.OK(t, write(t, folder, nil))
	testdata.NoDiff(t, "other bytes the second time", cmp.Diff(before, filesIn(t, folder)))
	want := strings.Fields(`a/paper.csv a/paper.html a/paper.parquet a/paper.tex a/plot.pdf a/plot.png a/plot.svg
		a/sizes.csv a/sizes.html a/sizes.parquet a/sizes.tex report.html report.pdf study.json`)
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, slices.Sorted(maps.Keys(before))))
	for name, parts := range map[string][]string{
		"a/paper.csv": {
			"a,Table 1,x,size,0.75,,,0.5,0.25,", "a,Table 1,y,size,2,,,2,0,", "the table sizes has no row of z",
		},
		"a/sizes.tex": {`\caption{Sizes \& more}`, `\label{tab:a-sizes}`, "\n{[}z] & 3"},
		"a/paper.tex": {`\label{tab:a-paper}`},
		"a/sizes.csv": {"name,size\nx,0.75\n"},
		"study.json":  {"variscope ei w --each", "model m has no images"},
		"report.html": {"model m has no images"},
	} {
		for _, part := range parts {
			if !strings.Contains(before[name], part) {
				t.Errorf("%s has no %q:\n%s", name, part, before[name])
			}
		}
	}
}

// TestWriteAgain: files of steps that are gone go, unless they were changed since, and a study that
// fails leaves no record beside what it has written.
func TestWriteAgain(t *testing.T) {
	folder := t.TempDir()
	other := func(s *Step, _ *Answer) { s.Name, s.Papers = "b", nil }
	testdata.OK(t, write(t, folder, nil))
	changed := filepath.Join(folder, "a", "plot.svg")
	testdata.OK(t, os.WriteFile(changed, []byte("mine"), 0o644))
	fails := func(s *Step, a *Answer) {
		other(s, a)
		a.Figures = append(a.Figures, result.Drawn{Name: "plot", Figure: a.Figures[0].Figure})
		s.Figures = []string{"*"}
	}
	testdata.Refused(t, "two figures of one name", write(t, folder, fails), "b/plot.svg would be written twice")
	now := filesIn(t, folder)
	if now["study.json"]+now["report.html"]+now["report.pdf"] != "" || now["a/sizes.csv"] == "" ||
		now["b/plot.svg"] == "" {
		t.Error("a study that fails leaves the former record or report, or removes files")
	}
	other = func(s *Step, _ *Answer) {
		s.Name, s.Papers, s.Tables, s.Figures = "c", nil, []string{"siz*"}, []string{}
	}
	testdata.OK(t, write(t, folder, other))
	for name, text := range filesIn(t, folder) {
		if strings.HasPrefix(name, "a/") && text != "mine" || strings.HasPrefix(name, "b/") || name == formerRecord {
			t.Errorf("%s stays", name)
		}
	}
	testdata.OK(t, os.Truncate(filepath.Join(folder, record), outside.Document.Most+1))
	_, err := Begin(t.Context(), Study{}, "Variscope", folder, nil)
	testdata.Refused(t, "a record that is too large to be read", err, "take another folder")
}

// TestWritten: what a command has written itself is in the record, what others put beside it is
// not and stays, and what it wrote the last time and not now goes.
func TestWritten(t *testing.T) {
	folder := t.TempDir()
	mine := filepath.Join(folder, "a", "sheets", "mine.png")
	for k, names := range [][]string{{"1.png", "2.png"}, {"1.png"}} {
		testdata.OK(t, write(t, folder, func(_ *Step, a *Answer) {
			for _, name := range append(names, filepath.Base(mine)) {
				path := filepath.Join(filepath.Dir(mine), name)
				err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(name), 0o644))
				if err != nil {
					t.Fatal(err)
				}
				if path != mine {
					a.Written = append(a.Written, path)
				}
			}
		}))
		now := filesIn(t, folder)
		for _, name := range []string{"1.png", "2.png", "mine.png"} {
			is, listed := now["a/sheets/"+name] != "", strings.Contains(now[record], "a/sheets/"+name)
			if is != (name != "2.png" || k == 0) || listed != slices.Contains(names, name) {
				t.Errorf("%s: there %v, in the record %v", name, is, listed)
			}
		}
	}
	for name, want := range map[string]bool{
		".": true, "sizes.csv": true, "Sizes.HTML": true, "plot2.png": true, "paper.csv": true,
		"other.csv": false, "sizes.png": false, "sheets": false, "sub/sizes.csv": false, "o.json": false,
	} {
		study, err := Parse(small)
		if err != nil || study.Steps[0].Takes(name) != want {
			t.Errorf("%s: %v, %v", name, !want, err)
		}
	}
}

// TestLongTables: the report has their first rows and names a file that has all, where one is
// written.
func TestLongTables(t *testing.T) {
	rows := make([]size, longest+1)
	for k := range rows {
		rows[k].name = fmt.Sprint(k)
	}
	for want, formats := range map[string][]string{
		"all are in a/sizes.tex.":     {"svg", "tex", "csv"},
		"The first 150 of 151 sizes.": {"svg"},
	} {
		study := testdata.Must(Parse(small))(t)
		folder := t.TempDir()
		w, err := Begin(t.Context(), study, "Variscope", folder, formats)
		if err == nil {
			err = w.Add(Answer{Sheets: []*result.Sheet{sizes.Sheet(rows)}})
		}
		if err == nil {
			_, err = w.End()
		}
		if now := filesIn(t, folder); err != nil || !strings.Contains(now["report.html"], want) {
			t.Errorf("%v: %v", formats, err)
		}
	}
}

// TestFolderOfAStudy is none that is, or lies in, a workspace, and no file.
func TestFolderOfAStudy(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "workspace.db")
	testdata.OK(t, os.WriteFile(file, nil, 0o644))
	for out, want := range map[string]string{
		folder: "is a workspace", filepath.Join(folder, "a", "b"): "is a workspace", file: "is a file", t.TempDir(): "",
		filepath.Join(t.TempDir(), "out.csv"): "looks like a file",
	} {
		err := (&Options{Out: out}).Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", out, err, want)
		}
	}
}

// TestWriteRefuses: what a command does not have is named.
func TestWriteRefuses(t *testing.T) {
	for want, change := range map[string]func(*Step){
		"ei has no table weights; it has sizes": func(s *Step) {
			s.Tables = []string{"weights"}
		},
		"ei has no figure map; it has plot, other": func(s *Step) {
			s.Figures = []string{"map"}
		},
		"ei has no table weights to compare with Table 1": func(s *Step) {
			s.Papers[0].Table = "weights"
		},
		"table sizes of ei has no column id to compare with Table 1": func(s *Step) {
			s.Papers[0].By = []string{"id"}
		},
		"table sizes of ei has no column weight to compare with Table 1": func(s *Step) {
			s.Papers[0].Column = "weight"
		},
		"column name of table sizes has texts and no numbers to compare w": func(s *Step) {
			s.Papers[0].Column = "name"
		},
	} {
		err := write(t, t.TempDir(), func(s *Step, _ *Answer) { change(s) })
		testdata.Refused(t, "error", err, want)
	}
}
