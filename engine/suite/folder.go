package suite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/progress"
)

// classList is the file inside an image folder that orders its classes.
const classList = "classes.txt"

// listing is an image folder: its class folders and the images that lie directly in it.
type listing struct {
	classes []string            // class folders in byte order
	images  map[string][]string // slash-separated paths below the folder, in byte order, by class folder
	flat    []string
	passed  passing
}

// listFolder lists the images of a folder; images below a class folder belong to it at any depth.
// What is not taken is in passed: files whose ending is not that of an image, hidden ones and what
// systems keep beside images, links that lead nowhere.
func listFolder(path string) (listing, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return listing{}, fmt.Errorf("test suite: %w", err)
	}
	l := listing{images: map[string][]string{}}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(path, e.Name())) // follows links, as a folder of linked classes is usual
		switch reason := notTaken(e.Name(), err == nil && info.IsDir()); {
		case slices.Contains(besideClasses, e.Name()), !e.IsDir() && isSystemFile(e.Name()):
		case err != nil && e.Type()&fs.ModeSymlink != 0:
			l.passed.add(deadLink, e.Name())
		case err != nil:
			return listing{}, fmt.Errorf("test suite: %w", err)
		case reason != "":
			l.passed.add(reason, e.Name())
		case info.IsDir():
			files, err := l.below(path, e.Name())
			if err != nil {
				return listing{}, err
			}
			l.classes, l.images[e.Name()] = append(l.classes, e.Name()), files
		default:
			l.flat = append(l.flat, e.Name())
		}
	}
	switch {
	case l.labelled():
		for _, name := range l.flat {
			l.passed.add("beside the class folders", name)
		}
		return l, nil
	case len(l.flat) > 0:
		return l, nil
	case len(entries) == 0:
		return listing{}, fmt.Errorf("folder %s is empty: %w; %s", path, ErrUnknown, expected)
	case len(l.passed) > 0:
		return listing{}, fmt.Errorf("folder %s and its subfolders hold no images that can be read (%s): %w; %s",
			path, l.passed, ErrUnknown, expected)
	}
	return listing{}, fmt.Errorf("folder %s and its subfolders hold no images: %w; %s", path, ErrUnknown, expected)
}

// labelled tells whether any class folder holds images.
func (l listing) labelled() bool {
	return slices.ContainsFunc(l.classes, func(c string) bool { return len(l.images[c]) > 0 })
}

// below lists the images below root/class, as slash-separated paths relative to root in byte
// order.
func (l *listing) below(root, class string) ([]string, error) {
	var files []string
	start, err := filepath.EvalSymlinks(filepath.Join(root, class))
	if err != nil {
		return nil, fmt.Errorf("test suite: %w", err)
	}
	err = filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == start {
			return err
		}
		relative, err := filepath.Rel(start, path)
		if err != nil {
			return err
		}
		relative = class + "/" + filepath.ToSlash(relative)
		reason := notTaken(d.Name(), d.IsDir())
		if d.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(path); err != nil {
				reason = deadLink
			} else if info.IsDir() {
				reason = "a link to a folder"
			}
		}
		switch {
		case !d.IsDir() && isSystemFile(d.Name()):
		case reason != "":
			l.passed.add(reason, relative)
			if d.IsDir() {
				return filepath.SkipDir
			}
		case !d.IsDir():
			files = append(files, relative)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("test suite: %w", err)
	}
	slices.Sort(files)
	return files, nil
}

// parts are the folders of a data set for training, validation and testing.
var parts = []string{"train", "training", "val", "valid", "validation", "dev", "test", "testing", "eval"}

// PartsError refuses a folder that is a data set in parts, such as train and test: one of them is a
// suite. It wraps ErrUnknown.
type PartsError struct {
	Folder string
	Parts  []string // names of folders in it
	Images []int    // per part
}

func (e *PartsError) Error() string {
	paths := make([]string, len(e.Parts))
	for k, part := range e.Parts {
		paths[k] = filepath.Join(e.Folder, part)
	}
	return fmt.Sprintf("folder %s is %v but a data set in parts (%s); choose one of them: %s",
		e.Folder, ErrUnknown, strings.Join(e.Parts, ", "), strings.Join(paths, ", "))
}

// Unwrap is ErrUnknown.
func (e *PartsError) Unwrap() error { return ErrUnknown }

// whole refuses the parts of a data set as classes with a PartsError, unless classes.txt says that
// they are classes: two of them, or nothing beside one.
func (l listing) whole(path string) error {
	parted := &PartsError{Folder: path}
	full := 0
	for _, class := range l.classes {
		if len(l.images[class]) == 0 {
			continue
		}
		full++
		if slices.Contains(parts, strings.ToLower(class)) {
			parted.Parts, parted.Images = append(parted.Parts, class), append(parted.Images, len(l.images[class]))
		}
	}
	if _, err := os.Stat(filepath.Join(path, classList)); err == nil || len(parted.Parts) == 0 ||
		len(parted.Parts) < min(full, 2) {
		return nil
	}
	return parted
}

func scanFolder(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	l, err := listFolder(path)
	if err != nil {
		return found{}, err
	}
	f := found{format: Folder, root: path, passed: l.passed}
	files, labels := l.flat, unlabelled(len(l.flat))
	if l.labelled() {
		folders, err := l.order(path, opts.Classes)
		if err != nil {
			return found{}, err
		}
		files, labels = nil, nil
		for label, class := range folders {
			for _, file := range l.images[class] {
				files, labels = append(files, file), append(labels, label)
			}
		}
		if err := f.nameSynsets(path, folders); err != nil {
			return found{}, err
		}
	}
	return f, f.examine(ctx, files, labels, opts, p)
}

// order is the order of the classes: as given, else of classes.txt, else the byte order of the
// folders' names. A listed class needs no folder (its index stays), but every folder with images
// must be listed; without a list every folder must hold images, since one that does not would shift
// the numbers of the classes behind it.
func (l listing) order(path string, given []string) ([]string, error) {
	list, where := given, "the class names given"
	if len(list) == 0 {
		where = filepath.Join(path, classList)
		read, err := readNames(where)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		list = read
		if ids, _ := synsets(read); len(ids) > 0 && !slices.Contains(l.classes, read[0]) {
			list = ids
		}
		if list == nil {
			list = l.objects(path)
		}
	}
	for _, class := range l.classes {
		switch n := len(l.images[class]); {
		case len(list) == 0 && n == 0:
			return nil,
				fmt.Errorf("class folder %s holds no images%s; add some, remove the folder, or list the classes in %s",
					filepath.Join(path, class), l.instead(class), classList)
		case len(list) > 0 && n > 0 && !slices.Contains(list, class):
			return nil, fmt.Errorf("class folder %s is not listed in %s", filepath.Join(path, class), where)
		}
	}
	if len(list) == 0 {
		return l.classes, nil
	}
	return slices.Clone(list), nil
}

// instead says what a class folder without images holds.
func (l listing) instead(class string) string {
	var reasons []string
	for _, p := range l.passed {
		if slices.ContainsFunc(p.Paths, func(path string) bool { return strings.HasPrefix(path, class+"/") }) {
			reasons = append(reasons, p.Reason)
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return " that can be read (" + strings.Join(reasons, ", ") + ")"
}

// objects is the class order of the scenes suite, labels/objects.txt beside its folder of targets
// (DESIGN.md section 5). It counts only where it lists exactly the class folders; nil otherwise.
func (l listing) objects(path string) []string {
	names, err := readNames(filepath.Join(filepath.Dir(path), "labels", "objects.txt"))
	if err != nil || !slices.Equal(slices.Sorted(slices.Values(names)), l.classes) {
		return nil
	}
	return names
}
