package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// changing are the functions of package os that change files; whoever needs one takes it of
// store/durable.
var changing = []string{
	"Chmod", "Chtimes", "Create", "CreateTemp", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile", "Remove",
	"RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile",
}

// may change files by themselves, by path elements; each with the reason.
var may = map[string]string{
	"store/durable":                 "the layer itself",
	"internal":                      "serves tests",
	"tools":                         "no part of the program",
	"app/logfile.go":                "a log is appended to",
	"store/demo/demo.go":            "models in the system's temporary folder",
	"app/command/bench.go":          "a workspace in the system's temporary folder",
	"engine/outside/open.go":        "opens files for reading",
	"engine/onnx/worker.go":         "the folder in which a GPU's driver keeps what it compiles",
	"engine/worker/rights_linux.go": "an empty folder without a name",
	"engine/suite/records.go":       "a file without a name in the system's temporary folder",
	"store/doctor/doctor.go":        "opens files for reading",
	"store/reading.go":              "a copy for this process alone, in the system's temporary folder",
}

// TestFilesAreChangedInOneLayer holds the program to it: what is written elsewhere would be half
// there after a kill.
func TestFilesAreChangedInOneLayer(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	own := false
	eachSource(t, func(where string, file *ast.File) {
		uses(file, func(path, name string) {
			switch {
			case path != "os" || !slices.Contains(changing, name):
			case where == "store/durable/durable.go":
				own = true
			case !excepted(where):
				t.Errorf("%s calls os.%s; use store/durable", where, name)
			}
		})
	})
	if !own {
		t.Error("store/durable itself changes no files")
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
