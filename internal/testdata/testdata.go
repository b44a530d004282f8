// Package testdata has what tests share: checks of values and errors, and inputs. Inputs are
// golden files and zoos, the repository's own or others of the same form that VARISCOPE_GOLDEN and
// VARISCOPE_ZOO name.
package testdata

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Root is the repository's top folder: the first above the test's that holds go.mod.
func Root() string { return root }

// root is found when the test starts, before it can change its working folder. The source's own
// path would not do: a build with -trimpath does not keep it.
var root = func() string {
	folder, err := os.Getwd()
	for err == nil && folder != filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		folder = filepath.Dir(folder)
	}
	return ""
}()

// Golden reads the golden file of a topic ("variance") from the folder in VARISCOPE_GOLDEN, or from
// testdata/golden.
func Golden(tb testing.TB, topic string) []byte {
	tb.Helper()
	folder := os.Getenv("VARISCOPE_GOLDEN")
	if folder == "" {
		folder = filepath.Join(Root(), "testdata", "golden")
	}
	data, err := os.ReadFile(filepath.Join(folder, topic+".json"))
	if err != nil {
		tb.Fatalf("golden %s: %v", topic, err)
	}
	return data
}

// Further reads the repository's own cases of a topic, in the form of its golden file: answers of
// programs that were written from the specification alone, for inputs that the golden file does not
// reach.
func Further(tb testing.TB, topic string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(Root(), "testdata", "further", topic+".json"))
	if err != nil {
		tb.Fatalf("further cases of %s: %v", topic, err)
	}
	return data
}

// Zoo returns the folder of a zoo ("mnist", "cifar", "scenes"): below VARISCOPE_ZOO where that is
// set, else beside the repository in ../shared/zoo, else, for the scenes, the repository's own
// copy, which holds a part of it (Having). ok is false when there is none.
func Zoo(name string) (folder string, ok bool) {
	for _, folder := range zooFolders(name) {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			return folder, true
		}
	}
	return "", false
}

func zooFolders(name string) []string {
	if zoo := os.Getenv("VARISCOPE_ZOO"); zoo != "" {
		return []string{filepath.Join(zoo, name)}
	}
	folders := []string{filepath.Join(filepath.Dir(Root()), "shared", "zoo", name)}
	if name == "scenes" {
		folders = append(folders, ownScenes())
	}
	return folders
}

// Having keeps the names for which a zoo's folder has every one of the files, * standing for the
// name ("expected/signals_*.csv"). The repository's own copy lacks some, and a line says which
// names were left out. In any other zoo all names are kept, so that a test fails on a file that is
// missing.
func Having(folder string, names []string, files ...string) []string {
	if !Part(folder) {
		return names
	}
	var out []string
	missing := func(name string) bool {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(folder, strings.ReplaceAll(file, "*", name))); err != nil {
				out = append(out, name)
				return true
			}
		}
		return false
	}
	if names = slices.DeleteFunc(slices.Clone(names), missing); len(out) > 0 {
		fmt.Printf("zoo %s: left out %s: the repository's copy has no %s for them\n",
			filepath.Base(folder), strings.Join(out, ", "), strings.Join(files, " or "))
	}
	return names
}

// Part says whether a zoo's folder is the repository's own copy, which holds a part of the models
// and results.
func Part(folder string) bool { return folder == ownScenes() }

func ownScenes() string { return filepath.Join(Root(), "assets", "scenes") }

// LibraryRequired says that a test shall fail where ONNX Runtime is missing, as under make test,
// which brings it. Without it, as under a plain go test on a machine that has no library yet, a
// test says so in one line and returns.
func LibraryRequired() bool { return os.Getenv("VARISCOPE_TEST_LIBRARY") == "required" }
