// Package archtest holds the rooms to the direction of their imports: app -> ui -> store -> engine.
package archtest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

const module = "github.com/variscope/variscope"

// The heavy dependencies, each with one owner.
const (
	fyne    = "fyne.io/fyne/v2"
	fyneApp = "fyne.io/fyne/v2/app"
	runtime = "github.com/yalue/onnxruntime_go"
	bolt    = "go.etcd.io/bbolt"
	plot    = "gonum.org/v1/plot"
	glfw    = "github.com/go-gl/glfw"
	nats    = "github.com/nats-io"
)

// rule forbids the packages that match From to import the packages that match To. A pattern is an
// import path and everything below it; the module's own packages are written without the module's
// path, main as ".".
type rule struct {
	From   []string
	Except []string
	To     []string
	Why    string
	// Deep also forbids reaching To through other packages.
	Deep bool
}

var rules = []rule{
	{
		From: []string{"."}, Except: []string{"app", "ui", "store", "engine", "assets", "internal"},
		To: []string{"ui", "store", "engine", "assets"}, Why: "main.go only calls app.Run",
	},
	{
		From: []string{"ui", "store", "engine", "assets"}, To: []string{"app"},
		Why: "app wires the others; nothing knows it",
	},
	{
		From: []string{"app/command"}, To: []string{fyne, glfw}, Deep: true,
		Why: "commands run where there is no screen; the window is handed to them",
	},
	{
		From: []string{"store", "engine", "assets"}, To: []string{"ui"},
		Why: "the window knows the workspace and the engine, never the other way round",
	},
	{
		From: []string{"engine", "assets"}, To: []string{"store"},
		Why: "the engine declares the recorder that it needs; the store implements it",
	},
	{From: []string{"assets"}, To: []string{"engine"}, Why: "assets are bytes"},
	{
		From: []string{"app", "ui", "store", "engine", "assets", "internal"}, Except: []string{"engine/onnx"},
		To: []string{runtime}, Why: "only engine/onnx touches ONNX Runtime",
	},
	{
		From: []string{"ui", "store", "engine"}, Except: []string{"engine/onnx"}, To: []string{runtime, "engine/onnx"},
		Deep: true, Why: "ui, store and engine build and test without cgo; app passes the runtime in",
	},
	{
		From:   []string{"app", "ui", "store", "engine", "assets", "internal"},
		Except: []string{"store/database", "internal/database", "internal/storetest"}, To: []string{bolt},
		Why: "only store/database knows how the workspace is kept; tests look into it from outside",
	},
	{
		From: []string{"app", "ui", "assets"}, To: []string{"store/database"},
		Why: "screens and commands read and change the workspace by package store",
	},
	{From: []string{"engine"}, To: []string{bolt}, Deep: true, Why: "the engine knows no database"},
	{
		From: []string{"app", "ui", "store", "engine", "assets", "internal"}, Except: []string{"engine/render"},
		To: []string{plot}, Why: "pictures for files are drawn in engine/render",
	},
	{
		From:   []string{"store", "engine", "assets", "internal"},
		Except: []string{"internal/e2e/probe", "internal/uitest"}, To: []string{fyne}, Deep: true,
		Why: "only ui and app know Fyne; " +
			"the probe is the program itself for the window tests, uitest puts screens before tests",
	},
	{
		From: []string{"ui", "store", "engine", "assets", "internal"}, To: []string{glfw},
		Why: "only app reaches behind Fyne to the window system",
	},
	{
		From: []string{"app", "ui", "store", "engine", "assets", "internal"}, Except: []string{"store/cluster"},
		To: []string{nats}, Why: "only store/cluster knows how units travel over a network",
	},
	{
		From: []string{"engine/option"}, To: []string{
			"github.com", "golang.org", "gonum.org", "google.golang.org", "go.etcd.io", "fyne.io",
		},
		Why: "what is asked is read by methods, commands and forms alike: it knows the standard library alone",
	},
	{
		From: []string{"ui/kit"}, To: []string{"ui/screen", "ui/dialogs"}, Deep: true,
		Why: "screens and dialogs are made from the kit, which knows none of them",
	},
	{From: []string{"ui/present"}, To: []string{fyne}, Deep: true, Why: "presentation is plain values"},
	{
		From: []string{"ui"}, To: []string{fyneApp}, Deep: true,
		Why: "fyne's app package needs a display and cgo; only our app imports it",
	},
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestImportsPointOneWay(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	packages := list(t)
	if len(packages) < 10 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, r := range rules {
		for _, p := range packages {
			if bad := r.broken(p); bad != "" {
				t.Errorf("%s imports %s: %s", short(p.ImportPath), bad, r.Why)
			}
		}
	}
}

// TestRulesBite feeds each rule an import that it forbids: a rule that cannot fail protects
// nothing.
func TestRulesBite(t *testing.T) {
	for i, r := range rules {
		from, to := long(r.From[0]), long(r.To[0])
		if slices.Contains(r.Except, r.From[0]) {
			t.Errorf("rule %d excepts what it is for", i)
		}
		p := listed{ImportPath: from, Imports: []string{to}, Deps: []string{to}}
		if r.broken(p) == "" {
			t.Errorf("rule %d (%s) lets %s import %s", i, r.Why, from, to)
		}
	}
}

func TestMatchingIsByPathElement(t *testing.T) {
	if matches(module+"/engineering", []string{"engine"}) || !matches(module+"/engine/onnx", []string{"engine"}) {
		t.Error("patterns must match whole path elements")
	}
	if matches(module+"/app", []string{"."}) || !matches(module, []string{"."}) {
		t.Error(`"." is the main package alone`)
	}
}

// broken returns the forbidden import of p, or "".
func (r rule) broken(p listed) string {
	if !matches(p.ImportPath, r.From) || matches(p.ImportPath, r.Except) {
		return ""
	}
	imports := p.Imports
	if r.Deep {
		imports = p.Deps
	}
	for _, to := range imports {
		if matches(to, r.To) {
			return short(to)
		}
	}
	return ""
}

func matches(path string, patterns []string) bool {
	for _, pattern := range patterns {
		full := long(pattern)
		if path == full || pattern != "." && strings.HasPrefix(path, full+"/") {
			return true
		}
	}
	return false
}

// long is the import path of a pattern.
func long(pattern string) string {
	switch {
	case pattern == ".":
		return module
	case strings.Contains(strings.SplitN(pattern, "/", 2)[0], "."):
		return pattern
	}
	return module + "/" + pattern
}

func short(path string) string { return strings.TrimPrefix(path, module+"/") }

func list(t *testing.T) []listed {
	t.Helper()
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps", "./...")
	command.Dir = testdata.Root()
	pipe, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(fmt.Errorf("go list: %w", err))
	}
	var all []listed
	for decoder := json.NewDecoder(pipe); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(fmt.Errorf("go list: %w", err))
		}
		all = append(all, p)
	}
	if err := command.Wait(); err != nil {
		t.Fatal(fmt.Errorf("go list: %w", err))
	}
	return all
}

// eachSource visits every Go file of the program that is no test, by its path below the module with
// slashes, and parses it.
func eachSource(t *testing.T, visit func(where string, file *ast.File)) {
	t.Helper()
	eachFile(t, func(where string, source []byte) {
		if strings.HasSuffix(where, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), where, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		visit(where, file)
	})
}

// eachFile visits every Go file, tests too, by its path below the module with slashes.
func eachFile(t *testing.T, visit func(where string, source []byte)) {
	t.Helper()
	root, found := testdata.Root(), 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		where, err := filepath.Rel(root, path)
		if err != nil || entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && where != "." {
			return cmp.Or(err, filepath.SkipDir)
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if found++; err == nil {
			visit(filepath.ToSlash(where), source)
		}
		return err
	})
	if err != nil || found < 100 {
		t.Fatalf("%d files, %v", found, err)
	}
}

// uses visits the things of other packages that a file names, by import path and name.
func uses(file *ast.File, visit func(path, name string)) {
	imports := map[string]string{}
	for _, one := range file.Imports {
		where := strings.Trim(one.Path.Value, `"`)
		name := where[strings.LastIndex(where, "/")+1:]
		if one.Name != nil {
			name = one.Name.Name
		}
		imports[name] = where
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if use, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := use.X.(*ast.Ident); ok && imports[of.Name] != "" {
				visit(imports[of.Name], use.Sel.Name)
			}
		}
		return true
	})
}
