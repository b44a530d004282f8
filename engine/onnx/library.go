package onnx

import (
	"bufio"
	"cmp"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// LibraryError says why there is no usable ONNX Runtime library, and how to get one. Everything but
// inference works without it.
type LibraryError struct {
	Path    string   // the library that was found but cannot be used, "" when none was found
	Problem string   // what is wrong with it
	Tried   []string // where it was looked for, in order
}

// Error is one clear sentence for people.
func (e *LibraryError) Error() string {
	const remedy = "run `make library` (or `make run`) to bring version " + LibraryVersion +
		", or set " + LibraryVariable + " to the path of a library of version 1.24 or newer"
	if e.Path != "" {
		return fmt.Sprintf("the ONNX Runtime library %s cannot be used: %s; %s", e.Path, e.Problem, remedy)
	}
	return "no ONNX Runtime library was found; " + remedy
}

// CacheDir is the folder in the user's cache into which `make library` brings the library.
func CacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the user's cache folder: %w", err)
	}
	return filepath.Join(cache, "variscope", "onnxruntime", LibraryVersion), nil
}

// FindLibrary looks for a usable library: at flag, at the path in VARISCOPE_ONNXRUNTIME, beside the
// executable, in the per-user cache, on the system's library path. flag and variable may name a
// file or the folder that holds it; when one of them is set, only that is looked at, so that an
// explicit choice is never silently replaced. At the other places a library that is too old or
// broken is passed over. tried lists the paths in the order of the search; the error is a
// *LibraryError.
func FindLibrary(flag string) (path string, tried []string, err error) {
	flag = cmp.Or(flag, os.Getenv(LibraryVariable))
	if flag != "" {
		return explicitLibrary(flag)
	}
	var first *LibraryError // the first unusable one, the most useful to hear about
	for _, folder := range libraryFolders() {
		for _, candidate := range inFolder(folder) {
			tried = append(tried, candidate)
			if !isFile(candidate) {
				continue
			}
			problem := checkLibrary(candidate)
			if problem == "" {
				return candidate, tried, nil
			}
			if first == nil {
				first = &LibraryError{Path: candidate, Problem: problem}
			}
		}
	}
	if first == nil {
		first = &LibraryError{}
	}
	first.Tried = tried
	return "", tried, first
}

func explicitLibrary(path string) (found string, tried []string, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", nil, &LibraryError{Path: path, Problem: err.Error()}
	}
	tried = []string{absolute}
	if info, err := os.Stat(absolute); err == nil && info.IsDir() {
		tried = inFolder(absolute)
	}
	for _, candidate := range tried {
		if !isFile(candidate) {
			continue
		}
		if problem := checkLibrary(candidate); problem != "" {
			return "", tried, &LibraryError{Path: candidate, Problem: problem, Tried: tried}
		}
		return candidate, tried, nil
	}
	return "", tried, &LibraryError{Path: absolute, Problem: "there is no such file", Tried: tried}
}

// libraryFolders are the places of the search without flag and variable, in order.
func libraryFolders() []string {
	var folders []string
	if executable, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(executable))
	}
	if cache, err := CacheDir(); err == nil {
		folders = append(folders, cache)
	}
	return append(folders, systemFolders()...)
}

func inFolder(folder string) []string {
	var paths []string
	for _, name := range libraryNames() {
		paths = append(paths, filepath.Join(folder, name))
	}
	return paths
}

func libraryNames() []string {
	switch runtime.GOOS {
	case "windows":
		return []string{"onnxruntime.dll"}
	case "darwin":
		return []string{"libonnxruntime." + LibraryVersion + ".dylib", "libonnxruntime.dylib"}
	}
	return []string{"libonnxruntime.so.1", "libonnxruntime.so." + LibraryVersion, "libonnxruntime.so"}
}

// systemFolders are the loader's: its variable, its configuration, its defaults. A bare name would
// reach the same, but then nobody could tell which file was taken.
func systemFolders() []string {
	variable := map[string]string{"windows": "PATH", "darwin": "DYLD_LIBRARY_PATH"}[runtime.GOOS]
	variable = cmp.Or(variable, "LD_LIBRARY_PATH")
	var folders []string
	for _, folder := range filepath.SplitList(os.Getenv(variable)) {
		if filepath.IsAbs(folder) { // a relative one would depend on where the program was started
			folders = append(folders, folder)
		}
	}
	if runtime.GOOS == "windows" {
		return folders
	}
	configured, _ := filepath.Glob("/etc/ld.so.conf.d/*.conf") // the pattern is valid
	for _, file := range configured {
		folders = append(folders, readFolders(file)...)
	}
	return append(folders, "/usr/local/lib", "/opt/homebrew/lib", "/lib", "/usr/lib", "/lib64", "/usr/lib64")
}

// readFolders reads a file of the loader's configuration: a folder per line, comments, include
// lines (not followed).
func readFolders(file string) []string {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // read only
	var folders []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := strings.TrimSpace(lines.Text()); filepath.IsAbs(line) {
			folders = append(folders, line)
		}
	}
	return folders
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// incomplete says what keeps a file from being opened safely, "" when nothing does: the loader dies
// of a bus error on a library whose segments lie beyond the file's end, as an interrupted download
// leaves it.
func incomplete(path string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return "" // their loaders check for themselves
	}
	info, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	file, err := elf.Open(path)
	if err != nil {
		return "it is no whole shared library (" + err.Error() + ")"
	}
	defer func() { _ = file.Close() }() // read only
	for _, segment := range file.Progs {
		if segment.Off+segment.Filesz > uint64(info.Size()) || segment.Off+segment.Filesz < segment.Off {
			return "it is cut off; bring it again"
		}
	}
	return ""
}

// versionProblem says what is wrong with a library of that version, "" when it can be used.
func versionProblem(version string) string {
	major, rest, ok := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	m, err := strconv.Atoi(minor)
	switch {
	case !ok || err != nil:
		return fmt.Sprintf("its version %q cannot be read", version)
	case major != "1" || m < minimumMinor:
		return fmt.Sprintf("it has version %s, and 1.%d or newer is needed", version, minimumMinor)
	}
	return ""
}
