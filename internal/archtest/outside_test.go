package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// opening are the functions that open a file by its path without a look at what it is.
var opening = map[string][]string{
	"os":                               {"DirFS", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadFile"},
	"archive/zip":                      {"OpenReader"},
	"github.com/sbinet/npyio/npz":      {"Open"},
	"github.com/parquet-go/parquet-go": {"ReadFile"},
}

// own are the places that open files of the program itself, by path elements; each with the
// reason. All others open what people bring.
var own = map[string]string{
	"engine/outside":                "the one place",
	"engine/onnx/data.go":           "opens the folder of a model, the files in it through outside.OpenIn",
	"engine/onnx/library.go":        "the library",
	"engine/worker/limits_linux.go": "what the system says of this process",
	"app/command/memory_linux.go":   "what the system says of this process",
	"app/logfile.go":                "the log",
	"app/preferences.go":            "the settings",
	"app/window.go":                 "a model of the workspace",
	"app/command/dscore.go":         "a model of the workspace",
	"store/durable":                 "writes",
	"store/assessors.go":            "the workspace's own",
	"store/backup":                  "the workspace's own",
	"store/backup.go":               "the workspace's own",
	"store/doctor":                  "the workspace's own",
	"store/database/lock.go":        "the workspace's own",
	"store/reading.go":              "a copy of the database that its owner has sent",
	"store/share.go":                "the workspace's own",
	"store/load.go":                 "the workspace's own",
	"store/tablefiles.go":           "the workspace's own",
	"store/thumbs.go":               "the workspace's own",
	"store/background/masks.go":     "masks that this process made in the system's temporary folder",
	"store/desk/open.go":            "what was unpacked into the workspace",
	"store/speed":                   "a cache of this computer's pace, and what the system says of the processor",
	"store/cluster":                 "the workspace's queue and models",
	"store/shards/write.go":         "a model of the workspace",
	"internal":                      "serves tests",
	"tools":                         "no part of the program",
}

// TestFilesFromOutsideAreOpenedInOnePlace: a pipe would be waited for, a device read for ever.
func TestFilesFromOutsideAreOpenedInOnePlace(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	used := map[string]bool{}
	eachSource(t, func(where string, file *ast.File) {
		uses(file, func(path, name string) {
			if !slices.Contains(opening[path], name) {
				return
			}
			for part := range own {
				if where == part || strings.HasPrefix(where, part+"/") {
					used[part] = true
					return
				}
			}
			t.Errorf("%s calls %s.%s; use engine/outside, or say here whose file it is", where, path, name)
		})
	})
	for part := range own {
		if !used[part] && part != "tools" {
			t.Errorf("%s opens no file any more; leave it out of the list", part)
		}
	}
}
