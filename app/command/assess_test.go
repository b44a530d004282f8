package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
)

func TestTrainName(t *testing.T) {
	for want, c := range map[string]assessTrainCommand{
		"mine":   {TrainOptions: assess.TrainOptions{Name: "mine"}, Save: "kept", Out: "a/b.vassessor"},
		"kept":   {Save: "kept", Out: "a/b.vassessor"},
		"b":      {Out: "a/b.vassessor", ONNX: "c.onnx"},
		"c":      {ONNX: "x/c.onnx"},
		"forest": {TrainOptions: assess.TrainOptions{Algorithm: "forest"}},
	} {
		if got := c.name(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// An assessor is a file, or what the workspace keeps under that name.
func TestLoadAssessor(t *testing.T) {
	folder := t.TempDir()
	large := filepath.Join(folder, "large.vassessor")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, saved.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	asked := ""
	kept := func(name string) ([]byte, error) { asked = name; return []byte("{}"), nil }
	for name, want := range map[string]string{
		large:              "is larger than 64 MiB, the most that a document may have",
		"away.vassessor":   "assessor away.vassessor: there is no such file",
		folder:             "is not an assessor file", // a folder is no file, so the workspace is asked
		"one that is kept": "one that is kept is not an assessor file",
	} {
		if _, err := loadAssessor(name, kept); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := loadAssessor("kept", nil); err == nil || err.Error() != "assessor kept: there is no such file" {
		t.Errorf("without a workspace: %v", err)
	}
	if _, err := loadAssessor("first", kept); err == nil || asked != "first" {
		t.Errorf("the workspace was asked for %q, %v", asked, err)
	}
}
