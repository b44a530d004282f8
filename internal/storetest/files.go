// Package storetest has what tests of the workspace share: files, models, suites, signals, rounds.
package storetest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
	"github.com/variscope/variscope/store/pages"
)

// Changed applies a change to the bytes of the database.
func (x Folder) Changed(t *testing.T, change func(data []byte) []byte) {
	t.Helper()
	WriteFile(t, x.File(database.File), change(Read(t, x.File(database.File))))
}

// PageSize is that of the databases of these tests.
const PageSize = 4096

// PagesOf counts the pages of the database.
func (x Folder) PagesOf(t *testing.T) int {
	t.Helper()
	f := testdata.Must(os.Open(x.File(database.File)))(t)
	defer func() { _ = f.Close() }()
	return pages.Count(f)
}

// Labels are the rounds and label events of the database, by key.
func (x Folder) Labels(t *testing.T) map[string]string {
	t.Helper()
	dump := x.Dump(t)
	maps.Copy(dump[database.Events.Name], dump[database.Rounds.Name])
	return dump[database.Events.Name]
}

// Folder is a closed workspace.
type Folder struct{ Path string }

// File is a file of the workspace.
func (x Folder) File(parts ...string) string {
	return filepath.Join(append([]string{x.Path}, parts...)...)
}

// Copied is the same workspace in a folder of its own; times of files are kept, which tell whether
// images are those of the import.
func (x Folder) Copied(t *testing.T) Folder {
	t.Helper()
	to := filepath.Join(t.TempDir(), "ill"+database.Suffix)
	err := filepath.Walk(x.Path, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(x.Path, path)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return os.Mkdir(filepath.Join(to, name), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
		return os.Chtimes(filepath.Join(to, name), info.ModTime(), info.ModTime())
	})
	testdata.OK(t, err)
	return Folder{to}
}

// Within changes the database behind the store's back.
func (x Folder) Within(t *testing.T, change func(tx *bbolt.Tx) error) {
	t.Helper()
	db := testdata.Must(bbolt.Open(x.File(database.File), 0o644, nil))(t)
	testdata.OK(t, db.Update(change))
	testdata.OK(t, db.Close())
}

// Dump is every record of the database: bucket, key, value.
func (x Folder) Dump(t *testing.T) map[string]map[string]string {
	t.Helper()
	db := testdata.Must(bbolt.Open(x.File(database.File), 0o644, &bbolt.Options{ReadOnly: true}))(t)
	defer func() { _ = db.Close() }()
	records := map[string]map[string]string{}
	testdata.OK(t, db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			records[string(name)] = map[string]string{}
			return b.ForEach(func(key, value []byte) error {
				records[string(name)][string(key)] = string(value)
				return nil
			})
		})
	}))
	return records
}

// Flip changes one byte in the middle of a file.
func Flip(t *testing.T, path string) {
	t.Helper()
	data := Read(t, path)
	data[len(data)/2] ^= 0x55
	WriteFile(t, path, data)
}

// Read reads a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	return testdata.Must(os.ReadFile(path))(t)
}

// WriteFile writes a file and makes its folder.
func WriteFile(t testing.TB, path string, data []byte) {
	t.Helper()
	testdata.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	testdata.OK(t, os.WriteFile(path, data, 0o644))
}

// Remove removes a file.
func Remove(t *testing.T, path string) {
	t.Helper()
	testdata.OK(t, os.Remove(path))
}

// Exists tells whether a file is there.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Ended is the number of a process that is gone.
func Ended(t *testing.T) int {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=^$")
	testdata.OK(t, command.Run())
	return command.Process.Pid
}

// DraftPrefix is what the drafts of a place begin with.
func DraftPrefix(place string) string {
	name := filepath.Base(durable.DraftOf(place))
	return name[:strings.LastIndex(name, fmt.Sprintf("-%d-", os.Getpid()))+1]
}

// JournalOf is a journal of a workspace, whole.
func JournalOf(t *testing.T, path string) []byte {
	t.Helper()
	return Read(t, filepath.Join(path, journal.File))
}

// Snapshot lists every file of a folder with its content's hash, to see that nothing changed.
func Snapshot(tb testing.TB, folder string) string {
	tb.Helper()
	var list strings.Builder
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || info.Mode()&os.ModeSocket != 0 {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&list, "%s %x\n", path, sha256.Sum256(data))
		return err
	})
	testdata.OK(tb, err)
	return list.String()
}

// Parts lists what unfinished writes have left in a folder.
func Parts(tb testing.TB, folder string) []string {
	tb.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, database.PartSuffix) {
			list = append(list, path)
		}
		return err
	})
	testdata.OK(tb, err)
	return list
}
