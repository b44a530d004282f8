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
}

// listFolder lists the images of a folder. Names that begin with a dot and __MACOSX are left out, as is every file
// whose ending is not that of an image; images below a class folder belong to it at any depth.
func listFolder(path string) (listing, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return listing{}, fmt.Errorf("test suite: %w", err)
	}
	l := listing{images: map[string][]string{}}
	some := false
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		info, err := os.Stat(filepath.Join(path, e.Name())) // follows links, as a folder of linked classes is usual
		switch {
		case err != nil:
			return listing{}, fmt.Errorf("test suite: %w", err)
		case info.IsDir():
			files, err := imagesBelow(path, e.Name())
			if err != nil {
				return listing{}, err
			}
			l.classes, l.images[e.Name()] = append(l.classes, e.Name()), files
			some = some || len(files) > 0
		case isImageName(e.Name()):
			l.flat = append(l.flat, e.Name())
		}
	}
	switch {
	case some || len(l.flat) > 0:
		return l, nil
	case len(entries) == 0:
		return listing{}, fmt.Errorf("folder %s is empty: %w; %s", path, ErrUnknown, expected)
	}
	return listing{}, fmt.Errorf("folder %s and its subfolders hold no images: %w; %s", path, ErrUnknown, expected)
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || name == "__MACOSX" }

// imagesBelow lists the images below root/class, as slash-separated paths relative to root in byte order.
func imagesBelow(root, class string) ([]string, error) {
	var files []string
	start, err := filepath.EvalSymlinks(filepath.Join(root, class))
	if err != nil {
		return nil, fmt.Errorf("test suite: %w", err)
	}
	err = filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != start && hidden(d.Name()) && d.IsDir():
			return filepath.SkipDir
		case d.IsDir() || hidden(d.Name()) || !isImageName(d.Name()):
			return nil
		}
		below, err := filepath.Rel(start, path)
		files = append(files, class+"/"+filepath.ToSlash(below))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("test suite: %w", err)
	}
	slices.Sort(files)
	return files, nil
}

func scanFolder(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	l, err := listFolder(path)
	if err != nil {
		return found{}, err
	}
	f := found{format: Folder, root: path}
	var files []string
	var labels []int
	if !slices.ContainsFunc(l.classes, func(c string) bool { return len(l.images[c]) > 0 }) {
		files, labels = l.flat, unlabelled(len(l.flat))
	} else {
		if f.classes, err = l.order(path, opts.Classes); err != nil {
			return found{}, err
		}
		for label, class := range f.classes {
			for _, file := range l.images[class] {
				files, labels = append(files, file), append(labels, label)
			}
		}
	}
	return f, f.examine(ctx, files, labels, opts, p)
}

// order is the order of the classes: as given, else of classes.txt, else the byte order of the folders' names. A listed
// class needs no folder (its index stays), but every folder with images must be listed; without a list every folder must
// hold images, since one that does not would shift the numbers of the classes behind it.
func (l listing) order(path string, given []string) ([]string, error) {
	list, where := given, "the class names given"
	if len(list) == 0 {
		where = filepath.Join(path, classList)
		read, err := readNames(where)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		list = read
		if list == nil {
			list = l.objects(path)
		}
	}
	for _, class := range l.classes {
		switch n := len(l.images[class]); {
		case len(list) == 0 && n == 0:
			return nil, fmt.Errorf("class folder %s holds no images; add some, remove the folder, or list the classes in %s", filepath.Join(path, class), classList)
		case len(list) > 0 && n > 0 && !slices.Contains(list, class):
			return nil, fmt.Errorf("class folder %s is not listed in %s", filepath.Join(path, class), where)
		}
	}
	if len(list) == 0 {
		return l.classes, nil
	}
	return slices.Clone(list), nil
}

// objects is the class order of the scenes suite, labels/objects.txt beside its folder of targets (DESIGN.md section 5).
// It counts only where it lists exactly the class folders; nil otherwise.
func (l listing) objects(path string) []string {
	names, err := readNames(filepath.Join(filepath.Dir(path), "labels", "objects.txt"))
	if err != nil || !slices.Equal(slices.Sorted(slices.Values(names)), l.classes) {
		return nil
	}
	return names
}
