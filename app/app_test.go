package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/variscope/variscope/app"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
)

func TestMain(m *testing.M) {
	onnx.ServeWorker()
	kill.Serve(map[string]kill.Task{"program": func(args []string) int { return app.Run(args, os.Stdout, os.Stderr) }})
	testscript.Main(m, map[string]func(){
		"variscope": func() { os.Exit(app.Run(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// scriptFolder holds the scripts.
const scriptFolder = "testdata/script"

// concurrent is the script that goes through all that works in several goroutines at once. A short
// test, as under the race detector, runs only this one: starting a program a few hundred times is
// slow there.
const concurrent = "concurrent.txtar"

// few makes a folder with two of the demo's images per class, named as that of all images.
func few(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "targets")
	from := filepath.Join(testdata.Root(), "assets", "scenes", "targets")
	list, err := filepath.Glob(filepath.Join(from, "*", "*_0[01].png"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no images in %s: %v", from, err)
	}
	for _, path := range list {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		images.Put(t, filepath.Join(folder, strings.TrimPrefix(path, from)), data)
	}
	return folder
}

// TestCommandLine runs the scripts in testdata/script: the command line as a person or a CI job
// uses it. $SCENES is the folder of the demo's models and images, $FEW that of few of the images,
// $LIBRARY ONNX Runtime.
func TestCommandLine(t *testing.T) {
	library, _, err := onnx.FindLibrary("")
	if err != nil && !testdata.LibraryRequired() {
		fmt.Println("command line: not tested, ONNX Runtime is absent; make library brings it")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	fewImages, onWebGPU := few(t), os.Getenv("VARISCOPE_WEBGPU") != "" // make webgpu
	scripts := testscript.Params{
		Dir: scriptFolder,
		Setup: func(env *testscript.Env) error {
			env.Setenv("VARISCOPE_ONNXRUNTIME", library)
			env.Setenv("LIBRARY", library)
			env.Setenv("FEW", fewImages)
			env.Setenv("SCENES", filepath.Join(testdata.Root(), "assets", "scenes"))
			env.Setenv("HOME", env.WorkDir)
			if onWebGPU {
				env.Setenv("VK_DRIVER_FILES", os.Getenv("VK_DRIVER_FILES"))
			}
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"scores": scoresCommand, "plain": plainCommand, "mask": maskCommand},
		Condition: func(cond string) (bool, error) {
			if cond != "webgpu" {
				return false, fmt.Errorf("condition %q is unknown", cond)
			}
			return onWebGPU, nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
	if onWebGPU {
		scripts.Dir, scripts.Files = "", []string{filepath.Join(scriptFolder, "devices.txtar")}
	}
	if testing.Short() {
		scripts.Dir, scripts.Files = "", []string{filepath.Join(scriptFolder, concurrent)}
	}
	testscript.Run(t, scripts)
}
