package archtest

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// systems are those that packages are made for.
var systems = []string{"linux", "windows", "darwin"}

// TestEverySystemHasEveryFunction: what is declared in a file for some systems only, and called in
// a file for all, is there for each. The compiler would say so too, but only on that system.
func TestEverySystemHasEveryFunction(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	folders := 0
	err := filepath.WalkDir(testdata.Root(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); name == ".git" || name == "build" || name == "dist" || name == "testdata" ||
			name == "tools" {
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil || len(files) == 0 {
			return err
		}
		missing, divided := missingFunctions(t, files)
		if divided {
			folders++
		}
		for _, m := range missing {
			t.Errorf("%s: %s", path, m)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if folders < 3 {
		t.Errorf("only %d packages have files for some systems", folders)
	}
}

// missingFunctions lists the functions that a system lacks; divided tells whether the package has
// files for some systems only. Files of tests are left out.
func missingFunctions(t *testing.T, files []string) (missing []string, divided bool) {
	t.Helper()
	used, declared, anywhere := map[string]bool{}, map[string]map[string]bool{}, map[string]bool{}
	for _, system := range systems {
		declared[system] = map[string]bool{}
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		on := systemsOf(t, path)
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if len(on) == len(systems) {
			calls(file, used)
		} else {
			divided = true
		}
		for _, name := range functions(file) {
			for _, system := range on {
				declared[system][name] = true
			}
			anywhere[name] = anywhere[name] || len(on) < len(systems)
		}
	}
	for name, some := range anywhere {
		for _, system := range systems {
			if some && used[name] && !declared[system][name] {
				missing = append(missing, name+" is not declared for "+system)
			}
		}
	}
	return missing, divided
}

// systemsOf are the systems that a file is built for, with cgo.
func systemsOf(t *testing.T, path string) (on []string) {
	t.Helper()
	for _, system := range systems {
		context := build.Default
		context.GOOS, context.GOARCH, context.CgoEnabled = system, "amd64", true
		ok, err := context.MatchFile(filepath.Dir(path), filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			on = append(on, system)
		}
	}
	return on
}

// functions are those that a file declares in its package, methods left out.
func functions(file *ast.File) (list []string) {
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
			list = append(list, f.Name.Name)
		}
	}
	return list
}

// calls adds the name of every function that a file calls.
func calls(file *ast.File, to map[string]bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok {
				to[id.Name] = true
			}
		}
		return true
	})
}

// TestMissingFunctionsAreFound: a function that one system lacks is one that the test finds.
func TestMissingFunctionsAreFound(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"all.go":     "package p\n\nfunc use() int { return here() + there() }\n",
		"p_linux.go": "package p\n\nfunc here() int { return 1 }\n\nfunc there() int { return 2 }\n",
		"p_other.go": "//go:build !linux\n\npackage p\n\nfunc here() int { return 1 }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	missing, divided := missingFunctions(t, files)
	if got := strings.Join(missing, "; "); !divided ||
		got != "there is not declared for windows; there is not declared for darwin" {
		t.Errorf("got %q", got)
	}
}
