package suite

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestZooExportsSuites scans the folders and manifests of the exports zoo. A manifest gives an
// image and, where it has labels, a class for each of its rows; manifests that differ in how they
// write labels are the same suite; a folder's files are all images or counted, and a folder that
// is refused is refused by the names of what it holds.
func TestZooExportsSuites(t *testing.T) {
	zoo, ok := testdata.Zoo("exports")
	if !ok {
		fmt.Println("zoo exports: absent")
		return
	}
	cases := filepath.Join(zoo, "cases")
	var tables, folders []string
	for _, pattern := range []string{"manifest_*/*.csv", "manifest_*/*.tsv", "manifest_*/*.txt"} {
		tables = append(tables, glob(t, cases, pattern)...)
	}
	for _, pattern := range []string{"_imgs*", "folder_*/*"} {
		for _, path := range glob(t, cases, pattern) {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				folders = append(folders, path)
			}
		}
	}
	right := 0
	for _, path := range tables {
		if complaint := zooManifest(t, path); complaint != "" {
			t.Errorf("%s: %s", path, complaint)
			continue
		}
		right++
	}
	for _, path := range folders {
		if complaint := zooFolder(path); complaint != "" {
			t.Errorf("%s: %s", path, complaint)
			continue
		}
		right++
	}
	fmt.Printf("zoo exports: %d suites, %d as expected\n", len(tables)+len(folders), right)
}

func glob(t *testing.T, folder, pattern string) []string {
	t.Helper()
	return testdata.Must(filepath.Glob(filepath.Join(folder, pattern)))(t)
}

// zooManifest scans a manifest beside its images, or where they are not there beside small ones.
func zooManifest(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	image := pngBytes(2, 2, red)
	m, err := Scan(context.Background(), path, Options{}, nil)
	if err != nil {
		root := tree(t, map[string][]byte{
			filepath.Base(path): text, "a.png": image, "b.png": image,
			"sub/b.png": image,
		})
		path = filepath.Join(root, filepath.Base(path))
		if m, err = Scan(context.Background(), path, Options{}, nil); err != nil {
			return err.Error()
		}
	}
	integers, err := os.Stat(filepath.Join(filepath.Dir(path), "i12.csv"))
	if err == nil && strings.HasPrefix(filepath.Base(path), "f") { // the same labels as numbers with and without ".0"
		same, err := Scan(context.Background(), filepath.Join(filepath.Dir(path), integers.Name()), Options{}, nil)
		if err != nil || same.Hash != m.Hash {
			return fmt.Sprintf("is not the suite of %s: %v, %v", integers.Name(), m.Classes, err)
		}
	}
	rows := strings.Count(string(text), ".png")
	switch {
	case m.Images != rows || len(m.Passed) > 0:
		return fmt.Sprintf("%d images of %d rows, left out: %s", m.Images, rows, passing(m.Passed))
	case len(m.Classes) < 2 || count(m.Labels, -1) > 0:
		return fmt.Sprintf("%d classes, %d images without label", len(m.Classes), count(m.Labels, -1))
	case slices.ContainsFunc(m.Classes, func(c string) bool {
		return strings.ToValidUTF8(c, "?") != c || strings.ContainsAny(c, ",;\ufffd")
	}):
		return fmt.Sprintf("classes %q", m.Classes)
	}
	return ""
}

func zooFolder(path string) string {
	files := 0
	var folders []string
	err := filepath.WalkDir(path, func(below string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
		} else if err == nil && filepath.Dir(below) == path {
			folders = append(folders, d.Name())
		}
		return err
	})
	if err != nil {
		return err.Error()
	}
	m, err := Scan(context.Background(), path, Options{SkipCorrupt: true}, nil)
	if err != nil {
		inParts := !slices.ContainsFunc(folders, func(f string) bool {
			return !strings.Contains(err.Error(), filepath.Join(path, f))
		})
		if inParts || strings.Contains(err.Error(), "ending .") || strings.Contains(err.Error(), "none of its") {
			return ""
		}
		return "refused without its names: " + err.Error()
	}
	counted := m.Images + len(m.Skipped)
	for _, p := range m.Passed {
		counted += p.Count
	}
	if counted != files {
		return fmt.Sprintf("%d of %d files counted; left out: %s", counted, files, passing(m.Passed))
	}
	for _, class := range m.Classes {
		if slices.Contains(parts, class) {
			return fmt.Sprintf("class %s", class)
		}
	}
	return ""
}
