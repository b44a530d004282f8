package ui

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// wordFiles are the files whose texts can be translated.
var wordFiles = []string{
	"*.go", "dialogs/about.go", "dialogs/annotators.go", "dialogs/diagnostics.go", "dialogs/guide.go", "dialogs/recent.go", "dialogs/room.go",
	"dialogs/relocate.go", "dialogs/settings.go", "dialogs/storage.go", "dialogs/workspaces.go",
}

const baseFile = "words/translations/en.json"

// TestTheBaseFileHasEveryText compares the texts that the code looks up with the keys of the English file. With
// VARISCOPE_WRITE_WORDS the file is written anew.
func TestTheBaseFileHasEveryText(t *testing.T) {
	used := usedWords(t)
	if len(used) < 100 {
		t.Fatalf("only %d texts are looked up", len(used))
	}
	if os.Getenv("VARISCOPE_WRITE_WORDS") != "" {
		writeWords(t, used)
	}
	data, err := os.ReadFile(baseFile)
	if err != nil {
		t.Fatal(err)
	}
	base := map[string]string{}
	if err := json.Unmarshal(data, &base); err != nil {
		t.Fatal(err)
	}
	for _, text := range used {
		if base[text] != text {
			t.Errorf("%q is not in %s, or has another text there", text, baseFile)
		}
		delete(base, text)
	}
	for key := range base {
		t.Errorf("%q is in %s and nowhere else", key, baseFile)
	}
}

// TestEveryLanguageHasOnlyKnownKeys keeps a translation from texts that nothing looks up.
func TestEveryLanguageHasOnlyKnownKeys(t *testing.T) {
	files, err := filepath.Glob("words/translations/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	used := usedWords(t)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		if err := json.Unmarshal(data, &texts); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for key, text := range texts {
			if !slices.Contains(used, key) || text == "" {
				t.Errorf("%s: %q", file, key)
			}
		}
	}
}

// usedWords are the first arguments of all calls of lang.L, which must be constant texts.
func usedWords(t *testing.T) []string {
	t.Helper()
	var used []string
	files := token.NewFileSet()
	for _, pattern := range wordFiles {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			tree, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || !isLookUp(call.Fun) {
					return true
				}
				literal, ok := call.Args[0].(*ast.BasicLit)
				if !ok {
					t.Errorf("%s: the text is no constant", files.Position(call.Pos()))
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Error(err)
				}
				used = append(used, text)
				return true
			})
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}

func isLookUp(f ast.Expr) bool {
	selected, ok := f.(*ast.SelectorExpr)
	if !ok || selected.Sel.Name != "L" {
		return false
	}
	name, ok := selected.X.(*ast.Ident)
	return ok && name.Name == "lang"
}

func writeWords(t *testing.T, used []string) {
	t.Helper()
	base := map[string]string{}
	for _, text := range used {
		base[text] = text
	}
	file, err := os.Create(baseFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := json.NewEncoder(file)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(base); err != nil {
		t.Fatal(err)
	}
}
