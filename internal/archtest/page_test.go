package archtest

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/variscope/variscope/internal/testdata"
)

// pageLines and pageWidth bound docs/architecture.md, which is to be read in one go.
const pageLines, pageWidth = 120, 119

// sought are what a newcomer looks for, by words of the one row of the page that leads there, and
// a file of that row's packages with a text that is there.
var sought = []struct{ words, file, has string }{
	{"kappas", "engine/agreement/interval.go", "Confidence"},
	{"decoders (`jpeg.go`", "engine/suite/jpeg.go", "JPEG"},
	{"colour range", "engine/label/label.go", "type Range struct"},
	{"retry of a unit", "engine/worker/units.go", "tried once more"},
	{"repetitions", "engine/rank/options.go", "Repetitions"},
	{"`features.csv`", "store/export/features.go", "features.csv"},
	{"unsure", "ui/keymap/keymap.go", "Unsure"},
	{"limit on image size", "engine/suite/decode.go", "maxPixels"},
}

// TestArchitecturePageFollowsTheTree: docs/architecture.md is short, names every package, and
// nothing that is not there.
func TestArchitecturePageFollowsTheTree(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	root := testdata.Root()
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	if n := strings.Count(page, "\n"); n > pageLines {
		t.Errorf("the page has %d lines; say it in %d", n, pageLines)
	}
	span := regexp.MustCompile("`([^`]+)`")
	var rows [][]string // packages, words
	covers := map[string]bool{}
	for line := range strings.Lines(page) {
		if utf8.RuneCountInString(line) > pageWidth+1 {
			t.Errorf("longer than %d: %s", pageWidth, line)
		}
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") && len(cells) == 2 {
			rows = append(rows, cells)
			for _, found := range span.FindAllStringSubmatch(cells[0], -1) {
				covers[found[1]] = true
			}
		}
	}

	declared := map[string]bool{} // such as kit.Screen
	eachSource(t, func(_ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				declared[file.Name.Name+"."+n.Name.Name] = true
			case *ast.FuncDecl:
				declared[file.Name.Name+"."+n.Name.Name] = true
				return false
			}
			return true
		})
	})
	for _, found := range span.FindAllStringSubmatch(page, -1) {
		what := found[1]
		for _, name := range regexp.MustCompile(`\b[a-z]+\.[A-Z]\w*`).FindAllString(what, -1) {
			if !declared[name] && name != "fyne.Do" {
				t.Errorf("the page names %s, which is not there", name)
			}
		}
		if _, err := os.Stat(filepath.Join(root, what)); err != nil &&
			regexp.MustCompile(`^[\w.]+/[\w./-]*$`).MatchString(what) {
			t.Errorf("the page names %s, which is not there", what)
		}
	}
	for _, p := range list(t) {
		where := short(p.ImportPath)
		covered := covers[where] || where == module && covers["main.go"]
		for up := where; !covered && up != "."; up = path.Dir(up) {
			covered = covers[up+"/"]
		}
		if !covered {
			t.Errorf("the page does not say what is in %s", where)
		}
	}
	for _, s := range sought {
		var in []string
		for _, cells := range rows {
			if strings.Contains(cells[1], s.words) {
				in = append(in, cells[0])
			}
		}
		if len(in) != 1 || !strings.Contains(in[0], "`"+path.Dir(s.file)+"`") {
			t.Errorf("%q leads to %q; it is to lead to %s alone", s.words, in, s.file)
		}
		if code, err := os.ReadFile(filepath.Join(root, s.file)); err != nil || !strings.Contains(string(code), s.has) {
			t.Errorf("%s does not have %q: %v", s.file, s.has, err)
		}
	}
}
