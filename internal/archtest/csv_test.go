package archtest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestCSVIsWrittenInOnePlace: a spreadsheet runs what begins with a sign, and engine/comma keeps that out of all files.
func TestCSVIsWrittenInOnePlace(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	root, found := testdata.Root(), false
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("csv.NewWriter(")) {
			return err
		}
		if where, _ := filepath.Rel(root, path); where != filepath.Join("engine", "comma", "comma.go") {
			t.Errorf("%s writes CSV by itself; use comma.NewWriter", where)
			return nil
		}
		found = true
		return nil
	})
	if err != nil || !found {
		t.Errorf("engine/comma writes no CSV: %v", err)
	}
}
