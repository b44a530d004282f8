package outside

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	small := Kind{"a note", 4}
	for name, text := range map[string]string{"good": "1234", "large": "12345", "empty": ""} {
		testdata.OK(t, os.WriteFile(at(name), []byte(text), 0o644))
	}
	testdata.OK(t, os.Symlink("good", at("link")))
	for name, want := range map[string]string{"good": "1234", "empty": "", "link": "1234"} {
		testdata.Is(t, name, string(testdata.Must(Read(at(name), small))(t)), want)
	}
	for name, want := range map[string]error{"large": ErrTooLarge, ".": ErrNoFile, "absent": fs.ErrNotExist} {
		if _, err := Read(at(name), small); !errors.Is(err, want) || !strings.Contains(Sentence(err), at(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	root := testdata.Must(os.OpenRoot(folder))(t)
	defer root.Close()
	for name, want := range map[string]error{
		"good": nil, "large": ErrTooLarge, ".": ErrNoFile,
		"absent": fs.ErrNotExist,
	} {
		f, err := OpenIn(root, name, small)
		testdata.ErrorIs(t, name, err, want)
		if err == nil {
			f.Close()
		}
	}
}

// TestGrowing: a file that grows behind its size gives no more than its kind allows.
func TestGrowing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grows")
	testdata.OK(t, os.WriteFile(path, []byte("12"), 0o644))
	f := testdata.Must(Open(path, Kind{"a note", 3}))(t)
	defer f.Close()
	testdata.OK(t, os.WriteFile(path, []byte("12345"), 0o644))
	if data, err := io.ReadAll(f); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%q, %v", data, err)
	}
	testdata.Must(f.Seek(3, io.SeekStart))(t)
	if data, err := f.All(); len(data) != 0 || !errors.Is(err, ErrTooLarge) {
		t.Errorf("%q, %v", data, err)
	}
}
