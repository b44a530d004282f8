package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
)

func TestChoiceFlags(t *testing.T) {
	w, err := newWant(assess.FeatureOptions{Images: "correct;seed=3;share=0.5", Profile: "paper"}, assess.SchemeOptions{Scheme: "group", Group: "optimizer"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if w.chosen || w.images != "correct;share=0.5;seed=3" || w.holdout != "" || w.group != "optimizer" {
		t.Errorf("got %+v", w)
	}
	if !slices.Equal(w.layout.Modalities, feature.DefaultLayout().Modalities) {
		t.Errorf("got %v", w.layout.Modalities)
	}
	w, err = newWant(assess.FeatureOptions{Images: "all", Profile: "refcode", Modalities: []string{"CONF.max"}}, assess.SchemeOptions{Scheme: "paper", Holdout: "fold=holdout"}, false)
	if err != nil || !w.chosen || w.holdout != "fold=holdout" || !slices.Equal(w.layout.Modalities, []string{"max@CONF"}) || w.layout.Profile != feature.Refcode {
		t.Errorf("got %+v, %v", w, err)
	}
	var usage usageError
	if _, err := newWant(assess.FeatureOptions{Images: "few", Profile: "paper"}, assess.SchemeOptions{}, false); !errors.As(err, &usage) {
		t.Errorf("got %v", err)
	}
}

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
