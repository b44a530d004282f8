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

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/store/durable"
)

// cardName is the file by which an export's folder is known; its first line is cardMark.
const (
	cardName = "README.md"
	cardMark = "<!-- variscope export -->"
	// cardUnfinished is in the card while files of an export replace those of an earlier one.
	cardUnfinished = "This export is not whole: it is being written, or was interrupted. Export again into this folder."
	// draftName is what the drafts of an export inside its folder are named after.
	draftName = "export"
)

// ForeignError says that the export's folder holds files that no export wrote.
type ForeignError struct {
	Folder string
	File   string // one of them
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s is not empty and not an export (it holds %s); choose another folder", e.Folder, e.File)
}

// written is a file of an export: its path below the folder, with slashes, and its SHA-256.
type written struct{ path, hash string }

// folder collects the files of an export beside their place and moves them there in the end, so
// that a failed or cancelled export changes nothing.
type folder struct {
	out   string // where the files go
	draft *durable.Draft
	made  bool // out was not there: it comes into being by one rename
	mu    sync.Mutex
	files []written
}

// openFolder prepares to write into out. It is a *ForeignError when out holds files of others and
// force is false.
func openFolder(out string, force bool) (*folder, error) {
	if out == "" {
		return nil, errors.New("name a folder to export to")
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	f := &folder{out: out}
	if _, err := os.Stat(out); errors.Is(err, fs.ErrNotExist) {
		f.made = true
		if err := durable.Folders(filepath.Dir(out)); err != nil {
			return nil, err
		}
		f.draft, err = durable.NewDraft(out)
		return f, err
	}
	inside := filepath.Join(out, draftName)
	durable.RemoveDrafts(inside)
	entries, err := os.ReadDir(out)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return durable.IsDraft(e.Name(), inside) })
	if len(entries) > 0 && !force && !isExport(out) {
		return nil, &ForeignError{Folder: out, File: entries[0].Name()}
	}
	f.draft, err = durable.NewDraft(inside)
	return f, err
}

func isExport(out string) bool {
	_, err := formerFiles(out)
	return err == nil
}

// create writes one file into the draft. It is safe for many goroutines.
func (f *folder) create(path string, fill func(io.Writer) error) error {
	sum := sha256.New()
	err := f.draft.Write(path, func(out io.Writer) error {
		buffered := bufio.NewWriter(io.MultiWriter(out, sum))
		return errors.Join(fill(buffered), buffered.Flush())
	})
	if err != nil {
		return err
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

// publish moves the files to their place and returns their paths. Where the folder was not there,
// that is one rename. Else the card says that the export is not whole from the first file on until
// the last one is there, and names the files of the earlier export and of this one: whoever
// exports again finds them. Files of an earlier export that are not part of this one are removed
// when they are as that export wrote them.
func (f *folder) publish() ([]string, error) {
	list := f.listed()
	var paths []string
	for _, w := range list {
		paths = append(paths, filepath.Join(f.out, filepath.FromSlash(w.path)))
	}
	if f.made {
		return paths, f.draft.Place()
	}
	former, err := formerFiles(f.out)
	if err != nil {
		former = nil // a folder of others, or an empty one
	}
	if err := f.draft.Sync(); err != nil {
		return nil, err
	}
	if err := f.unfinished(former, list); err != nil {
		return nil, err
	}
	card := slices.IndexFunc(list, func(w written) bool { return w.path == cardName })
	for i, w := range list {
		if i == card {
			continue
		}
		if err := f.place(w); err != nil {
			return nil, err
		}
	}
	if err := removeFormer(f.out, former, list); err != nil {
		return nil, err
	}
	if card >= 0 {
		if err := f.place(list[card]); err != nil {
			return nil, err
		}
	}
	return paths, f.discard()
}

// place moves one file from the draft to where it belongs.
func (f *folder) place(w written) error {
	to := filepath.Join(f.out, filepath.FromSlash(w.path))
	if err := durable.Folders(filepath.Dir(to)); err != nil {
		return err
	}
	return durable.Place(filepath.Join(f.draft.Path, filepath.FromSlash(w.path)), to)
}

// unfinished puts the card of an export in place that is being written over another one.
func (f *folder) unfinished(former, list []written) error {
	var text strings.Builder
	text.WriteString(cardMark + "\n\n" + cardUnfinished + "\n\n")
	for _, w := range append(slices.Clone(former), list...) {
		text.WriteString(fileLine(w) + "\n")
	}
	return durable.WriteFile(filepath.Join(f.out, cardName), func(out io.Writer) error {
		_, err := io.WriteString(out, text.String())
		return err
	})
}

// discard removes the draft.
func (f *folder) discard() error { return f.draft.Discard() }

var cardLine = regexp.MustCompile("^- `([^`]+)` sha256 ([0-9a-f]{64})$")

// fileLine is how the card lists a file; formerFiles reads it.
func fileLine(w written) string { return fmt.Sprintf("- `%s` sha256 %s", w.path, w.hash) }

// formerFiles reads which files the export in this folder consists of; it fails when there is no
// export.
func formerFiles(out string) ([]written, error) {
	text, err := outside.Read(filepath.Join(out, cardName), outside.Document)
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

// removeFormer removes what an earlier export wrote and this one did not, unless it was changed
// since. Whoever cannot remove a file says so before the new card forgets it.
func removeFormer(out string, former, now []written) error {
	sums := map[string]string{}
	for _, w := range former {
		sums[w.path] = w.hash
	}
	for _, w := range now {
		delete(sums, w.path)
	}
	return durable.RemoveWritten(out, sums)
}
