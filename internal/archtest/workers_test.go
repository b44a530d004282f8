package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// opened are what loads the runtime library or opens a model in the process that calls it, by
// import path.
var opened = map[string][]string{
	module + "/engine/onnx": {"Load", "FindLibrary", "Runtime"},
	module + "/engine":      {"InProcess", "Benches", "Work"},
}

// TestOnlyWorkersOpenModels: the window's process and the commands give models to worker processes
// (DESIGN.md section 11).
func TestOnlyWorkersOpenModels(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	found := 0
	eachSource(t, func(where string, file *ast.File) {
		uses(file, func(path, name string) {
			if !slices.Contains(opened[path], name) {
				return
			}
			if found++; !strings.HasPrefix(where, "engine/worker/") && !strings.HasPrefix(where, "internal/") {
				t.Errorf("%s uses %s.%s; let workers compute (engine.Runtime)", where, path, name)
			}
		})
	})
	if found == 0 {
		t.Error("nobody opens models: this test looks at nothing")
	}
}
