package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/variscope/variscope/app"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
)

func TestMain(m *testing.M) {
	onnx.ServeProbe()
	testscript.Main(m, map[string]func(){
		"variscope": func() { os.Exit(app.Run(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// scriptFolder holds the scripts.
const scriptFolder = "testdata/script"

// concurrent are the scripts that show most of what runs in several goroutines at once. A short test, as under the race detector,
// runs only these: starting a program a few hundred times is slow there.
var concurrent = []string{"main_path", "rank_workspace", "dscore_workspace"}

// TestCommandLine runs the scripts in testdata/script: the command line as a person or a CI job uses it. $SCENES is the
// folder of the demo's models and images, $LIBRARY ONNX Runtime.
func TestCommandLine(t *testing.T) {
	library, _, err := onnx.FindLibrary("")
	if err != nil && !testdata.LibraryRequired() {
		fmt.Println("command line: not tested, ONNX Runtime is absent; make library brings it")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	scripts := testscript.Params{
		Dir: scriptFolder,
		Setup: func(env *testscript.Env) error {
			env.Setenv("VARISCOPE_ONNXRUNTIME", library)
			env.Setenv("LIBRARY", library)
			env.Setenv("SCENES", filepath.Join(testdata.Root(), "assets", "scenes"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"scores": scoresCommand, "plain": plainCommand, "mask": maskCommand},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
	if testing.Short() {
		scripts.Dir = ""
		for _, name := range concurrent {
			scripts.Files = append(scripts.Files, filepath.Join(scriptFolder, name+".txtar"))
		}
	}
	testscript.Run(t, scripts)
}
