package onnx

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// stub compiles a library that answers like ONNX Runtime of that version but has no API.
func stub(t *testing.T, folder, name, version string) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "stub.c")
	code := `#include <stdint.h>
static const void *api(uint32_t v) { return 0; }
static const char *version(void) { return "` + version + `"; }
static const struct { const void *(*a)(uint32_t); const char *(*v)(void); } base = { api, version };
const void *OrtGetApiBase(void) { return &base; }
`
	if version == "" {
		code = "int something_else(void) { return 1; }\n"
	}
	testdata.OK(t, os.WriteFile(source, []byte(code), 0o600))
	path := filepath.Join(folder, name)
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "gcc" // what cgo takes
	}
	if text, err := exec.Command(compiler, "-shared", "-fPIC", "-o", path, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return path
}

const remedy = "; run `make library` (or `make run`) to bring version 1.27.0, or set VARISCOPE_ONNXRUNTIME to the " +
	"path of a library of version 1.24 or newer"

func TestLoadRefusesLibraries(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text.so")
	testdata.OK(t, os.WriteFile(text, []byte("I am no library"), 0o600))
	whole, _, err := FindLibrary("")
	testdata.OK(t, err)
	content := testdata.Must(os.ReadFile(whole))(t)
	cut := func(name string, n int) string {
		path := filepath.Join(folder, name)
		testdata.OK(t, os.WriteFile(path, content[:n], 0o600))
		return path
	}
	stubbed := testdata.Must(os.ReadFile(stub(t, folder, "cut.so", "1.27.0")))(t)
	// Without the section table at its end, which the loader does not need, a library is cut in its
	// segments.
	binary.LittleEndian.PutUint64(stubbed[40:], 0)
	binary.LittleEndian.PutUint16(stubbed[60:], 0)
	binary.LittleEndian.PutUint16(stubbed[62:], 0)
	segments := filepath.Join(folder, "segments.so")
	testdata.OK(t, os.WriteFile(segments, stubbed[:len(stubbed)/3], 0o600))
	for path, problem := range map[string]string{
		stub(t, folder, "old.so", "1.15.1"):       "it has version 1.15.1, and 1.24 or newer is needed",
		stub(t, folder, "next.so", "2.0.0"):       "it has version 2.0.0, and 1.24 or newer is needed",
		stub(t, folder, "odd.so", "nightly"):      `its version "nightly" cannot be read`,
		stub(t, folder, "other.so", ""):           "it is not ONNX Runtime",
		stub(t, folder, "hollow.so", "1.30.0"):    "it cannot be initialised (Error setting ORT API base: 2)",
		text:                                      "it is no whole shared library (",
		cut("head.so", 4096):                      "it is no whole shared library (",
		cut("half.so", len(content)/2):            "it is no whole shared library (",
		segments:                                  "it is cut off; bring it again",
		filepath.Join(folder, "away.so"):          "there is no such file",
		filepath.Join(folder, "no", "such", "so"): "there is no such file",
	} {
		_, err := Load(path, "")
		var wrong *LibraryError
		if !errors.As(err, &wrong) || wrong.Path != path {
			t.Fatalf("%s: got %v", path, err)
		}
		want := "the ONNX Runtime library " + path + " cannot be used: " + problem
		if !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), remedy) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	r := testdata.Must(Load(whole, ""))(t) // none of these spoils the process
	testdata.OK(t, r.Close())
}

// An explicit choice, by flag or by variable, is taken or refused, never replaced; the flag wins.
func TestFindLibraryExplicit(t *testing.T) {
	whole, _, err := FindLibrary("")
	testdata.OK(t, err)
	missing := filepath.Join(t.TempDir(), "libonnxruntime.so")
	t.Setenv(LibraryVariable, missing)
	if path, tried, err := FindLibrary(""); err == nil || !slices.Equal(tried, []string{missing}) {
		t.Errorf("found %s, tried %q, %v", path, tried, err)
	}
	for _, chosen := range []string{whole, filepath.Dir(whole)} { // the flag
		if path, _, err := FindLibrary(chosen); err != nil || path != whole {
			t.Errorf("by flag: %s, %v", path, err)
		}
	}
	t.Setenv(LibraryVariable, whole)
	if path, _, err := FindLibrary(""); err != nil || path != whole {
		t.Errorf("by variable: %s, %v", path, err)
	}
	if _, _, err := FindLibrary(t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no such file") {
		t.Errorf("an empty folder: %v", err)
	}
}

// Without a choice: beside the executable, the cache, the system; unusable ones are passed over,
// the first of them is reported when there is no other.
func TestFindLibraryOrder(t *testing.T) {
	whole, _, err := FindLibrary("")
	testdata.OK(t, err)
	executable := testdata.Must(os.Executable())(t)
	cache, system := t.TempDir(), t.TempDir()
	t.Setenv(LibraryVariable, "")
	t.Setenv("HOME", cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("LD_LIBRARY_PATH", "relative:"+system)
	cached, err := CacheDir()
	if err != nil || !strings.HasPrefix(cached, cache) ||
		!strings.HasSuffix(cached, filepath.Join("variscope", "onnxruntime", "1.27.0")) {
		t.Fatalf("cache folder %s, %v", cached, err)
	}
	testdata.OK(t, os.MkdirAll(cached, 0o700))
	folders := libraryFolders()
	if want := []string{filepath.Dir(executable), cached, system}; !slices.Equal(folders[:3], want) ||
		!slices.Contains(folders, "/usr/lib") {
		t.Errorf("folders %q", folders)
	}
	old := stub(t, cached, "libonnxruntime.so.1", "1.16.3")
	var wrong *LibraryError
	if path, _, err := FindLibrary(""); err == nil {
		t.Logf("the system has a library of its own at %s", path)
	} else if !errors.As(err, &wrong) || wrong.Path != old || len(wrong.Tried) < 9 {
		t.Errorf("got %v", err)
	}
	testdata.OK(t, os.Symlink(whole, filepath.Join(system, "libonnxruntime.so")))
	if path, _, err := FindLibrary(""); err != nil || path != filepath.Join(system, "libonnxruntime.so") {
		t.Errorf("found %s, %v", path, err)
	}
	testdata.OK(t, os.Remove(old))
	testdata.OK(t, os.Symlink(whole, old))
	// The stub was closed after its check, so the same path is looked at afresh.
	if path, _, err := FindLibrary(""); err != nil || path != old {
		t.Errorf("found %s, %v", path, err)
	}
}

func TestReadFolders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.conf")
	testdata.OK(t, os.WriteFile(file, []byte("# a comment\n/opt/lib\n\ninclude more\n  /srv/lib \n"), 0o600))
	testdata.Equal(t, "folders", readFolders(file), []string{"/opt/lib", "/srv/lib"})
	if got := readFolders(file + ".away"); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestVersionProblem(t *testing.T) {
	for version, good := range map[string]bool{
		"1.24.0": true, "1.100.2": true, "1.24": true, "1.23.9": false, "0.30.0": false, "2.1.0": false, "": false,
		"1": false, "1.x.3": false, "dev": false,
	} {
		if problem := versionProblem(version); (problem == "") != good {
			t.Errorf("%q: %q", version, problem)
		}
	}
}

// Loading twice shares the environment; closing and loading again works, any number of times.
func TestLoadAgain(t *testing.T) {
	feed := feedOf(t, save(t, "tiny.onnx", tiny().file()), 1)
	for range 10 {
		a := testdata.Must(Load("", ""))(t)
		b, err := Load("/somewhere/else.so", "")
		if err != nil || b.LibraryPath() != a.LibraryPath() || b.Version() != LibraryVersion && b.Version() == "" {
			t.Fatalf("%+v, %v", b, err)
		}
		testdata.OK(t, a.Close())
		s := testdata.Must(b.Open(t.Context(), feed))(t)
		testdata.OK(t, errors.Join(s.Close(), b.Close()))
	}
	testdata.Is(t, "the library's telemetry is not switched off", os.Getenv("ORT_DISABLE_TELEMETRY"), "1")
}
