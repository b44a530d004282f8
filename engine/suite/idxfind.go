package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// idxPair finds the images file and the labels file ("" when there is none) for an images file or a
// folder.
func idxPair(path, labels string) (string, string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", "", err
	}
	images := path
	if info.IsDir() {
		if images, err = chooseIDX(path); err != nil {
			return "", "", err
		}
	}
	if labels != "" {
		labels, err = filepath.Abs(labels)
		return images, labels, err
	}
	return images, labelsBeside(images), nil
}

// labelsBeside is the labels file that belongs to an images file by name, in any case of letters:
// images -> labels, idx3 -> idx1, packed or not.
func labelsBeside(images string) string {
	folder, base := filepath.Split(images)
	base = strings.ToLower(base)
	plain := strings.TrimSuffix(base, ".gz")
	name := strings.NewReplacer("images", "labels", "idx3", "idx1").Replace(plain)
	if name == plain {
		return ""
	}
	candidates := []string{name, name + ".gz"}
	if plain != base {
		slices.Reverse(candidates)
	}
	entries, err := os.ReadDir(filepath.Clean(folder))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if info, err := os.Stat(folder + e.Name()); err == nil && info.Mode().IsRegular() {
			names = append(names, e.Name())
		}
	}
	for _, c := range candidates {
		if found := sameName(c, names); found != "" {
			return folder + found
		}
	}
	return ""
}

// idxImages lists the IDX images files of a folder; where one lies there both packed and plain, the
// plain one.
func idxImages(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("test suite: %w", err)
	}
	var names []string
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		if e.IsDir() || strings.HasPrefix(name, ".") || !strings.Contains(name, "idx") &&
			!strings.Contains(name, "ubyte") {
			continue
		}
		if start, err := firstBytes(filepath.Join(folder, e.Name())); err == nil && isIDX(start) && start[3] == 3 {
			names = append(names, e.Name())
		}
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		plain, packed := strings.CutSuffix(strings.ToLower(n), ".gz")
		return packed && sameName(plain, names) != ""
	})
	for i, n := range names {
		names[i] = filepath.Join(folder, n)
	}
	return names, nil
}

// chooseIDX picks the one images file of a folder, or the one for testing among several.
func chooseIDX(folder string) (string, error) {
	images, err := idxImages(folder)
	if err != nil {
		return "", err
	}
	if len(images) == 1 {
		return images[0], nil
	}
	var tests, names []string
	for _, f := range images {
		name := strings.ToLower(filepath.Base(f))
		names = append(names, filepath.Base(f))
		if strings.HasPrefix(name, "t10k") || strings.HasPrefix(name, "test") {
			tests = append(tests, f)
		}
	}
	if len(tests) == 1 {
		return tests[0], nil
	}
	return "", fmt.Errorf("folder %s holds several IDX image files (%s); choose one of them", folder,
		strings.Join(names, ", "))
}
