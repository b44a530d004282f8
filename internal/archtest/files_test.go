package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// changing are the functions of package os that change files; whoever needs one takes it of store/durable.
var changing = []string{
	"Chmod", "Chtimes", "Create", "CreateTemp", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile", "Remove", "RemoveAll", "Rename",
	"Symlink", "Truncate", "WriteFile",
}

// may change files by themselves, by path elements; each with the reason.
var may = map[string]string{
	"store/durable":           "the layer itself",
	"internal":                "serves tests",
	"tools":                   "no part of the program",
	"app/logfile.go":          "a log is appended to",
	"app/trial.go":            "a workspace in the system's temporary folder",
	"app/demo.go":             "models in the system's temporary folder",
	"app/bench.go":            "a workspace in the system's temporary folder",
	"engine/suite/records.go": "a file without a name in the system's temporary folder",
	"store/speed":             "a cache of this computer's pace",
	"store/doctor.go":         "opens files for reading",
}

// TestFilesAreChangedInOneLayer holds the program to it: what is written elsewhere would be half there after a kill.
func TestFilesAreChangedInOneLayer(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	root, found := testdata.Root(), 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && name != "." {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || excepted(filepath.ToSlash(name)) {
			return nil
		}
		found++
		for _, call := range changes(t, path) {
			t.Errorf("%s calls os.%s; use store/durable", name, call)
		}
		return nil
	})
	if err != nil || found < 100 {
		t.Errorf("%d files, %v", found, err)
	}
	if got := changes(t, filepath.Join(root, "store", "durable", "durable.go")); !slices.Contains(got, "Remove") {
		t.Errorf("of store/durable itself only %v is found", got)
	}
}

func excepted(name string) bool {
	for part := range may {
		if name == part || strings.HasPrefix(name, part+"/") {
			return true
		}
	}
	return false
}

// changes are the calls of functions that change files.
func changes(t *testing.T, path string) (list []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := call.X.(*ast.Ident); ok && of.Name == "os" && slices.Contains(changing, call.Sel.Name) {
				list = append(list, call.Sel.Name)
			}
		}
		return true
	})
	return list
}
