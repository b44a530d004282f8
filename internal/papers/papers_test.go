package papers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestTheCitationsStandInReadmeAndGuide: both cite every paper under its number.
func TestTheCitationsStandInReadmeAndGuide(t *testing.T) {
	for _, page := range []string{"README.md", "docs/guide/papers.md"} {
		text := read(t, page)
		for _, p := range All() {
			if !strings.Contains(text, p.Mark()) || !strings.Contains(text, p.Citation()) {
				t.Errorf("%s does not cite %s as %s %s", page, p.Name, p.Mark(), p.Citation())
			}
		}
	}
}

// TestEveryPaperIsNamed: no page and no text of the window says "the paper" without saying which.
func TestEveryPaperIsNamed(t *testing.T) {
	names := regexp.MustCompile(`(?i)\bthe papers?\b`)
	pages, err := filepath.Glob(filepath.Join(testdata.Root(), "docs", "guide", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages of the guide, %v", len(pages), err)
	}
	for _, page := range append(pages, "README.md", "CHANGELOG.md", "docs/commands.md", "docs/results.md",
		"docs/scale.md") {
		for n, line := range strings.Split(read(t, page), "\n") {
			if found := names.FindString(line); found != "" {
				t.Errorf("%s, line %d says %q: name it as internal/papers does", page, n+1, found)
			}
		}
	}
	files := token.NewFileSet()
	err = filepath.WalkDir(filepath.Join(testdata.Root(), "ui"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if found := names.FindString(text.Value); found != "" {
					t.Errorf("%s says %q: name it as internal/papers does", files.Position(text.Pos()), found)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// read reads a file by its path, which may be relative to the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(testdata.Root(), path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
