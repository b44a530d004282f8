package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"
)

// two are a draft and the file whose place it takes.
func two(t *testing.T) (draft, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	draft = DraftOf(path)
	for _, name := range []string{draft, path} {
		if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return draft, path
}

// TestPlaceOfAnOpenFile: a file that somebody reads is in use, not read-only.
func TestPlaceOfAnOpenFile(t *testing.T) {
	draft, path := two(t)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = Place(draft, path)
	if !errors.Is(err, ErrInUse) || errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestLastIsAskedAgain: while a rename waits for somebody, what speaks against it may come.
func TestLastIsAskedAgain(t *testing.T) {
	draft, path := two(t)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	asked, against := 0, errors.New("against it")
	err = PlaceUnless(draft, path, func() error {
		if asked++; asked < 3 {
			return nil
		}
		return against
	})
	if !errors.Is(err, against) || asked != 3 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestWhyDenied: what a denied rename means depends on what lies in its place.
func TestWhyDenied(t *testing.T) {
	_, path := two(t)
	denied := &os.LinkError{Op: "rename", Old: "a", New: path, Err: windows.ERROR_ACCESS_DENIED}
	if err := Classify(whyDenied(path, denied)); !errors.Is(err, ErrInUse) ||
		!errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		t.Errorf("a file that can be written: %v", err)
	}
	if isRefused(path) {
		t.Error("a file that can be written is refused")
	}
	for _, place := range []string{filepath.Dir(path), path + "-gone"} {
		if err := Classify(whyDenied(place, denied)); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", place, err)
		}
	}
	if !isRefused(filepath.Dir(path)) || isRefused(path+"-gone") {
		t.Error("a folder is not refused, or a free place is")
	}
}

// TestReadOnlyFile: nobody is waited for where a file is marked as read-only.
func TestReadOnlyFile(t *testing.T) {
	_, path := two(t)
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if !isRefused(path) {
		t.Error("it is not refused")
	}
	if err := os.Chmod(path, 0o644); err != nil || isRefused(path) {
		t.Error("it is refused once it may be written", err)
	}
}

// TestFullInWords: bbolt hands a full disk on as text, and other things, too.
func TestFullInWords(t *testing.T) {
	for _, full := range []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL} {
		for _, text := range []string{
			"mmap allocate error: truncate: truncate workspace.db: %s",
			"mmap allocate error: CreateFileMapping: %s", "truncate: truncate workspace.db: %s",
		} {
			if err := fmt.Errorf(text, full); !errors.Is(Classify(err), ErrFull) { // as text only
				t.Error(err)
			}
		}
	}
	for _, other := range []error{
		fmt.Errorf("mmap allocate error: truncate: %s", windows.ERROR_INVALID_PARAMETER),
		fmt.Errorf("a file is called: %s", windows.ERROR_DISK_FULL),
	} {
		if errors.Is(Classify(other), ErrFull) {
			t.Error(other)
		}
	}
}
