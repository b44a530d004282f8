package command

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/background"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/matrixfile"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/store/ratings"
)

// internalWords are those of readers, which nobody should have to understand.
var internalWords = []string{
	" json:", " csv:", " zip:", " gzip:", " flate:", "strconv", "bufio", "unmarshal", "looking for beginning", "EOF",
	"slice bounds", "runtime error", " nats:", " parquet:", "%!", "fread", "lstat ", "stat /", "open /",
}

// sound says what is wrong with a sentence that is to name a file.
func sound(text, name string) string {
	for _, word := range internalWords {
		if strings.Contains(text, word) {
			return "it has the word " + word
		}
	}
	switch {
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }):
		return "it has a letter that hides"
	case len(text) > 2500:
		return "it is too long"
	case !strings.Contains(text, name):
		return "it does not name the file"
	}
	return ""
}

// outsideReader reads a file of a kind that people bring.
type outsideReader struct {
	name, ending string
	kind         outside.Kind
	read         func(path string) error
}

func readerOf[T any](read func(path string) (T, error)) func(path string) error {
	return func(path string) error { return testdata.Err(read(path)) }
}

func outsideReaders() []outsideReader {
	scan := func(path string) error {
		return testdata.Err(suite.Scan(context.Background(), path, suite.Options{}, nil))
	}
	guess := func(path string) error { return testdata.Err(predictions.Read(path, nil, 0)) }
	rounds := func(path string) error { return testdata.Err(export.ReadRounds(path, 0)) }
	assessor := func(path string) error { return testdata.Err(loadAssessor(path, nil)) }
	return []outsideReader{
		{"model", ".onnx", outside.Model, readerOf(onnx.Inspect)},
		{"training records", ".csv", outside.Table, readerOf(intake.TrainingRecords)},
		{"package", ".vround", outside.Package, readerOf(desks.Look)},
		{"labels", ".csv", outside.Table, rounds},
		{"ratings", ".csv", outside.Table, readerOf(ratings.Read)},
		{"Label Studio", ".json", outside.Table, readerOf(ratings.Read)},
		{"features", ".csv", outside.Table, readerOf(export.ReadFeatures)},
		{"features", ".parquet", outside.Table, readerOf(export.ReadFeatures)},
		{"class map", ".csv", outside.Table, readerOf(job.ReadClassMap)},
		{"names", ".txt", outside.Names, readerOf(background.ReadNames)},
		{"class names", ".txt", outside.Names, readerOf(predictions.ClassNames)},
		{"keyword table", ".csv", outside.LargeTable, readerOf(background.ReadTable)},
		{"matrices", ".npz", outside.Array, readerOf(matrixfile.Read)},
		{"matrix", ".npy", outside.Array, readerOf(matrixfile.Read)},
		{"assessor", ".assessor", outside.Document, assessor},
		{"manifest", ".csv", outside.LargeTable, scan},
		{"arrays", ".npz", outside.Images, scan},
		{"array", ".npy", outside.Images, scan},
		{"CIFAR", ".bin", outside.Images, scan},
		{"IDX", "-images-idx3-ubyte", outside.Images, scan},
		{"predictions", ".csv", outside.LargeTable, guess},
		{"predictions", ".npy", outside.Array, guess},
		{"predictions", ".npz", outside.Array, guess},
	}
}

// TestFilesFromOutside puts a pipe, a folder, a device, a file that is too large, one that is
// empty, one without permission and one of random bytes in the place of a file of each kind. Each
// is refused at once, in one sentence that names it.
func TestFilesFromOutside(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "of\x1b[31m\u202eothers")
	testdata.OK(t, os.Mkdir(folder, 0o755))
	random := make([]byte, 4096)
	source := rand.NewChaCha8([32]byte{1})
	_, _ = source.Read(random)
	places := map[string]func(path string, k outside.Kind) error{
		"a pipe":   func(path string, _ outside.Kind) error { return syscall.Mkfifo(path, 0o600) },
		"a folder": func(path string, _ outside.Kind) error { return os.Mkdir(path, 0o755) },
		"a device": func(path string, _ outside.Kind) error { return os.Symlink("/dev/zero", path) },
		"larger than": func(path string, k outside.Kind) error {
			return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, k.Most+1))
		},
		"empty":   func(path string, _ outside.Kind) error { return os.WriteFile(path, nil, 0o644) },
		"random":  func(path string, _ outside.Kind) error { return os.WriteFile(path, random, 0o644) },
		"denied":  func(path string, _ outside.Kind) error { return os.WriteFile(path, random, 0) },
		"missing": func(string, outside.Kind) error { return nil },
		"half": func(path string, _ outside.Kind) error {
			return os.WriteFile(path, []byte("PK\x03\x04{\"a\":tru, \x1b[2J\u202e\"b\nc,d\ne\n"), 0o644)
		},
		"text": func(path string, _ outside.Kind) error {
			return os.WriteFile(path, []byte("{\"a\x1b]0;\u202e\":[1,{\"b\nc,d\n\"e\"f,g\n"), 0o644)
		},
	}
	special := []string{"a pipe", "a folder", "a device", "larger than"}
	for what, put := range places {
		for k, reader := range outsideReaders() {
			name := strings.ReplaceAll(what, " ", "-") + string(rune('a'+k)) + reader.ending
			path := filepath.Join(folder, name)
			if err := put(path, reader.kind); err != nil {
				if what != "larger than" { // the disk may not know files of that size
					t.Fatal(err)
				}
				continue
			}
			var err error
			done := make(chan error, 1)
			go func() { done <- reader.read(path) }()
			select {
			case err = <-done:
			case <-time.After(20 * time.Second):
				t.Fatalf("%s as %s: it waits", what, reader.name)
			}
			switch {
			case err == nil && (what == "missing" || what == "random" || slices.Contains(special, what)):
				t.Errorf("%s as %s is taken", what, reader.name)
			case err == nil:
			case sound(sentence(err), name) != "":
				t.Errorf("%s as %s: %s: %s", what, reader.name, sound(sentence(err), name), sentence(err))
			// some readers take folders
			case slices.Contains(special, what) && what != "a folder" && !strings.Contains(sentence(err), what):
				t.Errorf("%s as %s: %s", what, reader.name, sentence(err))
			default:
				t.Logf("%s as %s: %s", what, reader.name, sentence(err))
			}
			testdata.OK(t, os.RemoveAll(path))
		}
	}
}

// TestTextsFromOutside imports models whose operators, domains and attributes have names that a
// terminal would obey.
func TestTextsFromOutside(t *testing.T) {
	files, err := filepath.Glob("../../engine/onnx/testdata/hostile/*.onnx")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	folder := t.TempDir()
	for _, file := range files {
		for _, flag := range []string{"--json=false", "--json"} {
			_, text := command("import", filepath.Join(folder, filepath.Base(file)+flag+".variscope"), file, flag)
			for line := range strings.Lines(text) {
				if wrong := sound(strings.TrimSuffix(line, "\n"), ""); wrong != "" {
					t.Errorf("%s: %s: %s", file, wrong, line)
				}
			}
			t.Logf("%s", text)
		}
	}
}
