package studies

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
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

// TestParseRefuses: what is wrong with a study file is one sentence that says where.
func TestParseRefuses(t *testing.T) {
	if _, err := Parse(small); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"study = 1", "study = 2", "begins with study = 2, and this program reads study = 1"},
		{"study = 1", "stdy = 1", "begins with study = 0"},
		{`title = "Small"`, "", "it has no title"},
		{`name = "a"`, `name = "../a"`, `step 1: its name "../a" is not made of`},
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
	if _, err := Parse(twice); err == nil || !strings.Contains(err.Error(), "step 2: the name a is there twice") {
		t.Errorf("a name that is there twice: %v", err)
	}
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
	},
}

func found(t *testing.T) Found {
	study, err := Parse(small)
	if err != nil {
		t.Fatal(err)
	}
	figure := result.Figure{
		Title: "Sizes", X: result.Axis{Name: "name"}, Y: result.Axis{Name: "size"},
		Groups: []result.Group{{Name: "all"}}, Points: []result.Point{{X: 1, Y: 2}, {X: 2, Y: 3}},
	}
	return Found{Study: study, Program: "Variscope", Answers: []Answer{{
		Line: "variscope ei w --each", Sheets: []*result.Sheet{sizes.Sheet([]size{{"x", 0.75}, {"y", 2}})},
		Figures: []result.Drawn{{Name: "plot", Figure: figure}, {Name: "other", Figure: figure}}, Remarks: []string{"nothing was left out"},
	}}}
}

// TestWrite: a study writes what its steps name, twice the same bytes, and says what stands beside
// the numbers of a paper.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	var before map[string]string
	for range 2 {
		if _, err := found(t).Write(t.Context(), folder, Formats()); err != nil {
			t.Fatal(err)
		}
		now := map[string]string{}
		err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(folder, path)
			now[filepath.ToSlash(name)] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name := range before {
			if before[name] != now[name] {
				t.Errorf("%s has other bytes the second time", name)
			}
		}
		before = now
	}
	want := []string{
		"a/sizes.csv", "a/sizes.parquet", "a/sizes.tex", "a/sizes.html", "a/paper.csv", "a/paper.parquet", "a/paper.tex",
		"a/paper.html", "a/plot.svg", "a/plot.pdf", "a/plot.png", "report.html", "report.pdf", "study.json",
	}
	for _, name := range want {
		if before[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
	if len(before) != len(want) {
		t.Errorf("%d files, want %d", len(before), len(want))
	}
	paper := before["a/paper.csv"]
	for _, line := range []string{"a,Table 1,x,size,0.75,,,0.5,0.25,", "a,Table 1,y,size,2,,,2,0,", "the table sizes has no row of z"} {
		if !strings.Contains(paper, line) {
			t.Errorf("beside the paper there is no %q:\n%s", line, paper)
		}
	}
	if !strings.Contains(before["a/sizes.tex"], `\caption{Sizes \& more}`) {
		t.Errorf("the table for LaTeX:\n%s", before["a/sizes.tex"])
	}
	if !bytes.Contains([]byte(before["study.json"]), []byte("variscope ei w --each")) {
		t.Error("the record does not say how the table was made")
	}
}

// TestWriteRefuses: what a command does not have is named.
func TestWriteRefuses(t *testing.T) {
	for want, change := range map[string]func(*Step){
		"ei has no table weights; it has sizes":                            func(s *Step) { s.Tables = []string{"weights"} },
		"ei has no figure map; it has plot, other":                         func(s *Step) { s.Figures = []string{"map"} },
		"ei has no table weights to compare with Table 1":                  func(s *Step) { s.Papers[0].Table = "weights" },
		"table sizes of ei has no column id to compare with Table 1":       func(s *Step) { s.Papers[0].By = []string{"id"} },
		"table sizes of ei has no column weight to compare with Table 1":   func(s *Step) { s.Papers[0].Column = "weight" },
		"column name of table sizes has texts and no numbers to compare w": func(s *Step) { s.Papers[0].Column = "name" },
	} {
		f := found(t)
		change(&f.Steps[0])
		if _, err := f.Write(t.Context(), t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "step 1 (a): "+want) {
			t.Errorf("%v in place of %s", err, want)
		}
	}
}
