package durable_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

var must = testdata.OK

func text(s string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
}

// TestEveryWriteFails: a file is the former one or the new one, whole, and nothing is left beside
// it.
func TestEveryWriteFails(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "deep", "file.txt")
	d := faults.Watch(t, root)
	d.Every(t, 1, func(start func()) error {
		start()
		return durable.WriteFile(path, text("content"))
	}, func(what string, err error) {
		faults.Told(t, what, err)
		data, readErr := os.ReadFile(path)
		if err == nil && readErr != nil || readErr == nil && string(data) != "content" {
			t.Errorf("%s: %v, %q, %v", what, err, data, readErr)
		}
		if left, _ := filepath.Glob(filepath.Join(root, "deep", ".*")); len(left) > 0 {
			t.Errorf("%s leaves %v", what, left)
		}
		must(t, os.RemoveAll(filepath.Join(root, "deep")))
	})
}

// TestEveryAppendFails: a file has the line behind its first bytes, or after an error those alone.
func TestEveryAppendFails(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "file")
	d := faults.Watch(t, root)
	d.Every(t, 1, func(start func()) error {
		must(t, os.WriteFile(path, []byte("first\ntorn"), 0o644))
		start()
		return durable.Append(path, 6, []byte("second\n"))
	}, func(what string, err error) {
		faults.Told(t, what, err)
		want := map[bool]string{true: "first\nsecond\n", false: "first\n"}[err == nil]
		if data, _ := os.ReadFile(path); string(data) != want {
			t.Errorf("%s: %v, %q", what, err, data)
		}
	})
}

// TestOddPlaces: a folder in the place of a file, a file in the place of a folder, a folder that
// goes meanwhile.
func TestOddPlaces(t *testing.T) {
	root := t.TempDir()
	must(t, durable.Folders(filepath.Join(root, "folder", "in")))
	must(t, durable.WriteFile(filepath.Join(root, "file"), text("x")))
	gone := filepath.Join(root, "gone", "file")
	for path, want := range map[string]string{
		filepath.Join(root, "folder"):       "a folder of this name lies in its place",
		filepath.Join(root, "file", "file"): "a file of this name lies in the place of a folder",
		gone:                                "its folder is gone; bring the folder back",
	} {
		err := durable.WriteFile(path, func(out io.Writer) error {
			if path == gone {
				return os.RemoveAll(filepath.Dir(gone))
			}
			_, err := io.WriteString(out, "y")
			return err
		})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), root) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(root, "file")); string(data) != "x" {
		t.Error(data, err)
	}
}

// TestLastWord: a file is complete beside its place when last is asked, and its error leaves the
// former one and nothing else.
func TestLastWord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	draft := durable.DraftOf(path)
	for _, against := range []error{nil, errors.New("against it")} {
		err := durable.ThroughUnless(draft, path, text(fmt.Sprint(against)), func() error {
			if data, err := os.ReadFile(draft); string(data) != fmt.Sprint(against) {
				t.Errorf("%q, %v", data, err)
			}
			return against
		})
		if !errors.Is(err, against) {
			t.Error(err)
		}
	}
	if data, err := os.ReadFile(path); string(data) != fmt.Sprint(nil) {
		t.Errorf("%q, %v", data, err)
	}
	testdata.Refused(t, "the draft is left", testdata.Err(os.Stat(draft)))
}

// TestDraftsGo: what a killed process has left of a file or folder goes when the place is written
// again, and nothing else does.
func TestDraftsGo(t *testing.T) {
	place := filepath.Join(t.TempDir(), "place")
	ended := exec.Command(os.Args[0], "-test.run=^$")
	must(t, ended.Run())
	mine := durable.DraftOf(place)
	at := strings.LastIndex(mine, fmt.Sprintf("-%d-", os.Getpid())) + 1
	stays := []string{mine, mine[:at] + "1-1.part", mine[:at] + "x.part", place + ".part"}
	goes := []string{
		fmt.Sprintf("%s%d-7.part", mine[:at], ended.Process.Pid),
		fmt.Sprintf("%s%d.part", mine[:at], ended.Process.Pid),
	}
	for _, path := range append(goes, stays...) {
		must(t, os.WriteFile(path, nil, 0o644))
	}
	must(t, durable.WriteFile(place, text("x")))
	for i, path := range append(goes, stays...) {
		if _, err := os.Stat(path); (err == nil) != (i >= len(goes)) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	if !durable.IsDraft(filepath.Base(goes[0]), place) || durable.IsDraft("place", place) {
		t.Error("drafts are not told from other files")
	}
}

// TestDraftFolder: a folder comes into being whole, and a place that is taken stays.
func TestDraftFolder(t *testing.T) {
	place := filepath.Join(t.TempDir(), "set")
	for range 2 {
		d := testdata.Must(durable.NewDraft(place))(t)
		must(t, errors.Join(d.WriteBytes("a/b.txt", []byte("b")), d.WriteBytes("c.txt", []byte("c"))))
		_, there := os.Stat(place)
		if err := d.Place(); (err == nil) != (there != nil) {
			t.Error(err)
		}
		must(t, d.Discard())
	}
	if data, err := os.ReadFile(filepath.Join(place, "a", "b.txt")); string(data) != "b" {
		t.Error(err)
	}
	testdata.Is(t, "ReadDir", len(testdata.Must(os.ReadDir(filepath.Dir(place)))(t)), 1)
	place = filepath.Join(place, "gone", "set")
	if _, err := durable.NewDraft(place); err == nil || !strings.Contains(err.Error(), place) ||
		strings.Contains(err.Error(), durable.PartSuffix) {
		t.Error(err)
	}
}

func TestClassify(t *testing.T) {
	for err, want := range map[error]error{
		syscall.ENOSPC: durable.ErrFull, syscall.EDQUOT: durable.ErrFull, syscall.EFBIG: durable.ErrFull,
		syscall.EROFS: durable.ErrReadOnly, os.ErrPermission: durable.ErrReadOnly, syscall.EIO: durable.ErrDisk,
		io.ErrShortWrite: durable.ErrDisk,
	} {
		got := durable.Classify(fmt.Errorf("write: %w", err))
		if !errors.Is(got, want) || !errors.Is(got, err) || durable.Classify(got) != got {
			t.Errorf("%v: %v", err, got)
		}
	}
	if durable.Classify(nil) != nil || durable.Classify(io.EOF) != io.EOF {
		t.Error("other errors are changed")
	}
}

// TestPrivate takes everything from others and nothing from the owner.
func TestPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, nil, 0o644))
	must(t, durable.Private(path))
	info := testdata.Must(os.Stat(path))(t)
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("mode %v", mode)
	}
	testdata.Refused(t, "Private", durable.Private(path+".gone"), "file.gone")
}

// TestDraftsOfDifferentComputers: two that have the same name, and by chance the same number of a
// process, have different drafts. Drafts of all forms are known as such.
func TestDraftsOfDifferentComputers(t *testing.T) {
	place := filepath.Join(t.TempDir(), "file")
	shape := regexp.MustCompile(fmt.Sprintf(`^(\.file-[0-9a-f]{8}-)%d-[0-9a-f]{16}\.part$`, os.Getpid()))
	seen := map[string]bool{}
	for range 100 {
		name := filepath.Base(durable.DraftOf(place))
		if !shape.MatchString(name) || seen[name] || !durable.IsDraft(name, place) {
			t.Fatalf("%s, %v", name, seen[name])
		}
		seen[name] = true
	}
	prefix := shape.FindStringSubmatch(filepath.Base(durable.DraftOf(place)))[1]
	for name, want := range map[string]bool{
		"5.part": true, "5-17.part": true, "5-00ff.part": true, "5-.part": false, "5-xyz.part": false, "-5.part": false,
		"5-ff": false, "5-ff-1.part": false,
	} {
		testdata.Is(t, prefix+name, durable.IsDraft(prefix+name, place), want)
	}
}
