package archtest

import (
	"go/ast"
	"slices"
	"testing"
)

// TestCSVIsWrittenInOnePlace: a spreadsheet runs what begins with a sign, and engine/csvfile keeps
// that out of all files.
func TestCSVIsWrittenInOnePlace(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	var writers []string
	eachSource(t, func(where string, file *ast.File) {
		uses(file, func(path, name string) {
			if path == "encoding/csv" && name == "NewWriter" {
				writers = append(writers, where)
			}
		})
	})
	if !slices.Equal(slices.Compact(writers), []string{"engine/csvfile/csvfile.go"}) {
		t.Errorf("CSV is written in %v; use csvfile.NewWriter", writers)
	}
}
