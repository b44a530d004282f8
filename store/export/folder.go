package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// cardName is the file by which an export's folder is known; its first line is cardMark.
const (
	cardName = "README.md"
	cardMark = "<!-- variscope export -->"
)

// ForeignError says that the export's folder holds files that no export wrote.
type ForeignError struct {
	Folder string
	File   string // one of them
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is not empty and not an export (it holds %s); choose another folder, or ask to write into it", e.Folder, e.File)
}

// written is a file of an export: its path below the folder, with slashes, and its SHA-256.
type written struct{ path, hash string }

// folder collects the files of an export beside their place and moves them there in the end, so that a failed or
// cancelled export changes nothing.
type folder struct {
	out   string // where the files go
	draft string // where they are written
	made  bool   // out was not there: it comes into being by one rename
	mu    sync.Mutex
	files []written
}

// openFolder prepares to write into out. It is a *ForeignError when out holds files of others and force is false.
func openFolder(out string, force bool) (*folder, error) {
	if out == "" {
		return nil, errors.New("name a folder to export to")
	}
	out = filepath.Clean(out)
	entries, err := os.ReadDir(out)
	f := &folder{out: out, made: errors.Is(err, fs.ErrNotExist)}
	switch {
	case f.made:
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return nil, err
		}
		f.draft, err = os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+"-*")
	case err != nil:
		return nil, err
	case len(entries) > 0 && !force && !isExport(out):
		return nil, &ForeignError{Folder: out, File: entries[0].Name()}
	default:
		f.draft, err = os.MkdirTemp(out, ".export-*")
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func isExport(out string) bool {
	_, err := formerFiles(out)
	return err == nil
}

// create writes one file into the draft. It is safe for many goroutines.
func (f *folder) create(path string, fill func(io.Writer) error) (err error) {
	place := filepath.Join(f.draft, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	out, err := os.Create(place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := sha256.New()
	buffered := bufio.NewWriter(io.MultiWriter(out, sum))
	if err := fill(buffered); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files = append(f.files, written{path, hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// listed are the files so far, by path.
func (f *folder) listed() []written {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := slices.Clone(f.files)
	slices.SortFunc(list, func(a, b written) int { return strings.Compare(a.path, b.path) })
	return list
}

// publish moves the files to their place, the card last, and returns their paths. Files of an earlier export that are
// not part of this one are removed when they are as that export wrote them.
func (f *folder) publish() ([]string, error) {
	list := f.listed()
	var paths []string
	for _, w := range list {
		paths = append(paths, filepath.Join(f.out, filepath.FromSlash(w.path)))
	}
	if f.made {
		if err := os.Chmod(f.draft, 0o755); err != nil { // temporary folders are private
			return nil, err
		}
		return paths, os.Rename(f.draft, f.out)
	}
	former, err := formerFiles(f.out)
	if err != nil {
		former = nil // a folder of others, or an empty one
	}
	slices.SortStableFunc(list, func(a, b written) int { return cardLast(a.path) - cardLast(b.path) })
	for _, w := range list {
		to := filepath.Join(f.out, filepath.FromSlash(w.path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, err
		}
		if err := os.Rename(filepath.Join(f.draft, filepath.FromSlash(w.path)), to); err != nil {
			return nil, err
		}
	}
	removeFormer(f.out, former, list)
	return paths, f.discard()
}

func cardLast(path string) int {
	if path == cardName {
		return 1
	}
	return 0
}

// discard removes the draft.
func (f *folder) discard() error { return os.RemoveAll(f.draft) }

var cardLine = regexp.MustCompile("^- `([^`]+)` sha256 ([0-9a-f]{64})$")

// fileLine is how the card lists a file; formerFiles reads it.
func fileLine(w written) string { return fmt.Sprintf("- `%s` sha256 %s", w.path, w.hash) }

// formerFiles reads which files the export in this folder consists of; it fails when there is no export.
func formerFiles(out string) ([]written, error) {
	text, err := os.ReadFile(filepath.Join(out, cardName))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(text), "\n")
	if lines[0] != cardMark {
		return nil, errors.New("not the card of an export")
	}
	var list []written
	for _, line := range lines {
		if m := cardLine.FindStringSubmatch(line); m != nil && filepath.IsLocal(filepath.FromSlash(m[1])) {
			list = append(list, written{m[1], m[2]})
		}
	}
	return list, nil
}

// removeFormer removes what an earlier export wrote and this one did not, unless it was changed since. What cannot be
// removed stays: the new card does not list it.
func removeFormer(out string, former, now []written) {
	for _, w := range former {
		if slices.ContainsFunc(now, func(n written) bool { return n.path == w.path }) {
			continue
		}
		path := filepath.Join(out, filepath.FromSlash(w.path))
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != w.hash {
			continue
		}
		_ = os.Remove(path)
		for dir := filepath.Dir(path); dir != out && os.Remove(dir) == nil; dir = filepath.Dir(dir) { // only empty ones go
		}
	}
}
