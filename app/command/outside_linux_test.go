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

// outsideReaders read a file of each kind that people bring.
func outsideReaders() []struct {
	name, ending string
	kind         outside.Kind
	read         func(path string) error
} {
	scan := func(path string) error {
		_, err := suite.Scan(context.Background(), path, suite.Options{}, nil)
		return err
	}
	guess := func(path string) error {
		_, err := predictions.Read(path, nil, 0)
		return err
	}
	return []struct {
		name, ending string
		kind         outside.Kind
		read         func(path string) error
	}{
		{"model", ".onnx", outside.Model, func(path string) error { _, err := onnx.Inspect(path); return err }},
		{
			"training records", ".csv", outside.Table,
			func(path string) error { _, err := intake.TrainingRecords(path); return err },
		},
		{"package", ".vround", outside.Package, func(path string) error { _, err := desks.Look(path); return err }},
		{"labels", ".csv", outside.Table, func(path string) error { _, err := export.ReadRounds(path, 0); return err }},
		{"ratings", ".csv", outside.Table, func(path string) error { _, err := ratings.Read(path); return err }},
		{"Label Studio", ".json", outside.Table, func(path string) error { _, err := ratings.Read(path); return err }},
		{"features", ".csv", outside.Table, func(path string) error {
			_, err := export.ReadFeatures(path)
			return err
		}},
		{"features", ".parquet", outside.Table, func(path string) error {
			_, err := export.ReadFeatures(path)
			return err
		}},
		{"class map", ".csv", outside.Table, func(path string) error { _, err := job.ReadClassMap(path); return err }},
		{"names", ".txt", outside.Names, func(path string) error { _, err := background.ReadNames(path); return err }},
		{"class names", ".txt", outside.Names, func(path string) error {
			_, err := predictions.ClassNames(path)
			return err
		}},
		{
			"keyword table", ".csv", outside.LargeTable,
			func(path string) error { _, err := background.ReadTable(path); return err },
		},
		{"matrices", ".npz", outside.Array, func(path string) error { _, err := matrixfile.Read(path); return err }},
		{"matrix", ".npy", outside.Array, func(path string) error { _, err := matrixfile.Read(path); return err }},
		{
			"assessor", ".assessor", outside.Document,
			func(path string) error { _, err := loadAssessor(path, nil); return err },
		},
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
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(folder, 0o755))
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
			select {
			case err = <-started(reader.read, path):
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
			must(os.RemoveAll(path))
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

func started(read func(path string) error, path string) <-chan error {
	done := make(chan error, 1)
	go func() { done <- read(path) }()
	return done
}
