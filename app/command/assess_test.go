package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
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
	testdata.OK(t, os.WriteFile(large, nil, 0o600))
	testdata.OK(t, os.Truncate(large, saved.MaxBytes+1))
	kept := func(string) ([]byte, error) { return []byte("{}"), nil }
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
	_, err := loadAssessor("kept", nil)
	testdata.Refused(t, "without a workspace", err, "assessor kept: there is no such file")
}

// TestLabelsOfARuleInAFile: what is learned from them says that no person has given them.
func TestLabelsOfARuleInAFile(t *testing.T) {
	features, labels := filepath.Join(t.TempDir(), "f.csv"), filepath.Join(t.TempDir(), "l.csv")
	columns := feature.DefaultLayout().Names()
	for path, text := range map[string]string{
		features: "model_id,model_hash," + strings.Join(columns, ",") + "\nm," + strings.Repeat(",1", len(columns)) +
			"\n",
		labels: "round_id,model_id,model_hash,r,majority,final,by_rule\n01HZZZZZZZ0000000000000001,m," +
			strings.Repeat("0", 64) + ",variant,variant,,true\n",
	} {
		testdata.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	a := asked{Source: features}
	a.Labels = labels
	testdata.Is(t, "source", testdata.Must(a.gather(nil))(t).Labels.Source, "file l.csv ("+label.ByRuleNote+")")
}
