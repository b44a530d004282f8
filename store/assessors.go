package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// The limits on assessor files: the length of a name, in bytes, and the size that is read.
const (
	maxAssessorName = 120
	maxAssessorSize = 256 << 20
)

// AssessorFile is a saved assessor in the workspace's folder assessors: its file is
// NAME.vassessor. What is in it is engine/assess/saved's to read.
type AssessorFile struct {
	Name  string
	Size  int64
	Saved time.Time
}

// CheckAssessorName refuses a name that no file can have on some computer to which the workspace
// may be copied.
func CheckAssessorName(name string) error {
	forbidden := func(r rune) bool { return unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) }
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("an assessor needs a name")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, forbidden):
		return fmt.Errorf(`%q is no name for an assessor: leave out / \ : * ? " < > | and control characters`, name)
	case strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.TrimSpace(name) != name:
		return fmt.Errorf("%q is no name for an assessor: it must not begin or end with a dot or a space", name)
	case len(name) > maxAssessorName:
		return fmt.Errorf("%.20q... is no name for an assessor: it is longer than %d bytes", name, maxAssessorName)
	case durable.Reserved(name):
		return fmt.Errorf("%q is no name for an assessor: Windows keeps it for itself", name)
	}
	return nil
}

// Assessors lists the saved assessors in natural order of their names.
func (w *Workspace) Assessors() ([]AssessorFile, error) {
	entries, err := os.ReadDir(filepath.Join(w.path, database.AssessorsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the assessors of workspace %s: %w", w.Name(), err)
	}
	var list []AssessorFile
	for _, e := range entries {
		name, ours := strings.CutSuffix(e.Name(), saved.Extension)
		info, err := e.Info()
		if !ours || err != nil || !info.Mode().IsRegular() || CheckAssessorName(name) != nil {
			continue
		}
		list = append(list, AssessorFile{Name: name, Size: info.Size(), Saved: info.ModTime()})
	}
	slices.SortFunc(list, func(a, b AssessorFile) int { return result.Natural(a.Name, b.Name) })
	return list, nil
}

// SaveAssessor keeps an assessor under a name, in place of the one that has it. It is on disk when
// SaveAssessor returns without an error; after one, the file before it or the new one is there,
// whole. A name that differs from another's in capitals only is ErrExists.
func (w *Workspace) SaveAssessor(name string, data []byte) error {
	w.assessors.Lock()
	err := w.saveAssessor(name, data)
	w.assessors.Unlock()
	if err != nil {
		return fmt.Errorf("save assessor %s: %w", name, err)
	}
	w.changes.tell(AssessorChanged, name)
	return nil
}

func (w *Workspace) saveAssessor(name string, data []byte) error {
	if err := w.needName(name, name); err != nil {
		return err
	}
	if len(data) > maxAssessorSize {
		return fmt.Errorf("it has %s; at most %s can be read again", SizeText(int64(len(data))),
			SizeText(maxAssessorSize))
	}
	if _, err := durable.Below(w.path, database.AssessorsFolder); err != nil {
		return err
	}
	return w.WriteFile(assessorPath(w.path, name), func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}

// AssessorData reads a saved assessor; ErrNotFound when there is none of that name.
func (w *Workspace) AssessorData(name string) ([]byte, error) {
	data, err := ReadAssessor(w.path, name)
	if err != nil {
		return nil, fmt.Errorf("read assessor %s: %w", name, err)
	}
	return data, nil
}

func ReadAssessor(path, name string) ([]byte, error) {
	if err := CheckAssessorName(name); err != nil {
		return nil, err
	}
	file, err := os.Open(assessorPath(path, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, database.NotFound("assessor", name)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxAssessorSize+1))
	if err == nil && len(data) > maxAssessorSize {
		err = fmt.Errorf("its file is larger than %s", SizeText(maxAssessorSize))
	}
	return data, err
}

// RemoveAssessor removes a saved assessor and returns what was in its file, so that it can be
// saved again. That the removal is not on disk yet is no error: it is gone for everybody who looks.
func (w *Workspace) RemoveAssessor(name string) ([]byte, error) {
	w.assessors.Lock()
	data, err := ReadAssessor(w.path, name)
	if err == nil {
		err = durable.Delete(assessorPath(w.path, name))
	}
	if err == nil {
		_ = durable.SyncDir(filepath.Join(w.path, database.AssessorsFolder))
	}
	w.assessors.Unlock()
	if err != nil {
		return nil, fmt.Errorf("remove assessor %s: %w", name, err)
	}
	w.changes.tell(AssessorChanged, name)
	return data, nil
}

// RenameAssessor gives a saved assessor another name, which must be free; another use of capitals
// is free. That the new name is not on disk yet is no error, as in RemoveAssessor.
func (w *Workspace) RenameAssessor(from, to string) error {
	w.assessors.Lock()
	err := w.renameAssessor(from, to)
	w.assessors.Unlock()
	if err != nil {
		return fmt.Errorf("rename assessor %s to %s: %w", from, to, err)
	}
	w.changes.tell(AssessorChanged, from)
	w.changes.tell(AssessorChanged, to)
	return nil
}

func (w *Workspace) renameAssessor(from, to string) error {
	if err := CheckAssessorName(from); err != nil {
		return err
	}
	if _, err := os.Stat(assessorPath(w.path, from)); errors.Is(err, fs.ErrNotExist) {
		return database.NotFound("assessor", from)
	}
	if err := w.needName(to, from); err != nil {
		return err
	}
	if _, err := os.Stat(assessorPath(w.path, to)); err == nil && !strings.EqualFold(from, to) {
		return fmt.Errorf("assessor %s %w", to, ErrExists)
	}
	if err := durable.Move(assessorPath(w.path, from), assessorPath(w.path, to)); err != nil {
		return fmt.Errorf("write %s: %w", assessorPath(w.path, to), database.Classify(err))
	}
	_ = durable.SyncDir(filepath.Join(w.path, database.AssessorsFolder))
	return nil
}

// needName checks a name, and that none but may differs from it in capitals only: on many disks
// these are one file.
func (w *Workspace) needName(name, may string) error {
	if err := CheckAssessorName(name); err != nil {
		return err
	}
	list, err := w.Assessors()
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.Name != name && a.Name != may && strings.EqualFold(a.Name, name) {
			return fmt.Errorf("assessor %s %w; take the same capitals or another name", a.Name, ErrExists)
		}
	}
	return nil
}

func assessorPath(path, name string) string {
	return filepath.Join(path, database.AssessorsFolder, name+saved.Extension)
}
