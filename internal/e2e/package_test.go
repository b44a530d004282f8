package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPackage starts the program of every package in the folder VARISCOPE_PACKAGES as somebody does
// who has just got it: unpacked into a folder of its own, with a home that is empty and no
// settings, on a display.
func TestPackage(t *testing.T) {
	folder := os.Getenv("VARISCOPE_PACKAGES")
	if folder == "" {
		fmt.Println("packages: not asked for (make package-smoke)")
		return
	}
	checkSums(t, folder)
	for pattern, unpack := range map[string]func(*testing.T, string, string) string{
		"variscope-*-linux-*.tar.gz": unpackTarball,
		"variscope_*.deb":            unpackDebian,
	} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s in %s: %v", pattern, folder, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				runs := strings.HasSuffix(file, ".gz") // the demo's models; once is enough
				into := filepath.Join(t.TempDir(), "a folder with blanks")
				if err := os.Mkdir(into, 0o755); err != nil {
					t.Fatal(err)
				}
				tryPackage(t, into, unpack(t, file, into), runs)
			})
		}
	}
}

func checkSums(t *testing.T, folder string) {
	t.Helper()
	command := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("SHA256SUMS: %v\n%s", err, out)
	}
}

// unpackTarball unpacks into a folder and returns the path of the program in it.
func unpackTarball(t *testing.T, file, into string) string {
	t.Helper()
	must(t, exec.Command("tar", "-xzf", file, "-C", into))
	return filepath.Join(into, strings.TrimSuffix(filepath.Base(file), ".tar.gz"), "variscope")
}

func unpackDebian(t *testing.T, file, into string) string {
	t.Helper()
	must(t, exec.Command("dpkg-deb", "-x", file, into))
	must(t,
		exec.Command("desktop-file-validate", filepath.Join(into, "usr", "share", "applications", "variscope.desktop")))
	checkControl(t, file, into)
	return filepath.Join(into, "usr", "bin", "variscope")
}

// checkControl looks at what the .deb says of itself: it depends on what a window needs, and its
// checksums are right.
func checkControl(t *testing.T, file, root string) {
	t.Helper()
	fields := string(must(t, exec.Command("dpkg-deb", "--field", file)))
	for _, want := range []string{
		"Package: variscope\n", "Depends: libc6 (>= ", "libgl1", "libx11-6", "libstdc++6",
		"Installed-Size: ",
	} {
		if !strings.Contains(fields, want) {
			t.Errorf("the control file lacks %q:\n%s", want, fields)
		}
	}
	sums := must(t, exec.Command("dpkg-deb", "--info", file, "md5sums"))
	check := exec.Command("md5sum", "--check", "--quiet", "--strict")
	check.Dir, check.Stdin = root, bytes.NewReader(sums)
	must(t, check)
}

// must runs a command and returns what it printed.
func must(t *testing.T, command *exec.Cmd) []byte {
	t.Helper()
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(command.Args, " "), err, out, stderr.String())
	}
	return out
}

// tryPackage asks the unpacked program for its versions, opens its window on the demo, lets the
// models run there if that is asked for, and ends it.
func tryPackage(t *testing.T, into, program string, runs bool) {
	t.Helper()
	before := listing(t, into)
	d := &desk{t: t, home: filepath.Join(t.TempDir(), "home"), program: program, shots: t.TempDir()}
	for _, folder := range []string{d.home, filepath.Join(d.home, "tmp"), filepath.Join(d.home, "run")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.screen("1280x800")
	elsewhere := t.TempDir()
	checkVersion(t, d.cleanly(elsewhere, "version", "--json"), into)

	w := &window{desk: d, log: &logBuffer{}, ended: make(chan error, 1)}
	w.command = d.cleanly(elsewhere, "--verbose", "--demo")
	w.command.Stdout, w.command.Stderr = w.log, w.log
	if err := w.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { w.ended <- w.command.Wait() }()
	t.Cleanup(func() { _ = w.command.Process.Kill() })
	w.until("first frame", patience, func() bool { return strings.Contains(w.log.String(), "first frame") })
	if id := strings.Fields(w.tool("search", "--sync", "--onlyvisible", "--name", "^Variscope — demo$")); len(id) != 1 {
		t.Fatalf("windows with the demo's title: %q", id)
	}
	if runs { // one is stored when it starts and when it has ended
		w.until("the end of the demo's first run", toil, func() bool { return w.stored("run") >= 2 })
	}
	w.shot("package")
	if err := w.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends()

	if runs {
		d.checkMatrix(elsewhere)
	}
	if after := listing(t, into); after != before {
		t.Errorf("the program wrote beside itself:\n%s\nbefore it was\n%s", after, before)
	}
	if left := listing(t, elsewhere); left != "" {
		t.Errorf("the program wrote into the folder that it was started in:\n%s", left)
	}
}

// checkMatrix asks the program for the matrix of a model of the demo that has been run.
func (d *desk) checkMatrix(folder string) {
	d.t.Helper()
	demo := filepath.Join(d.home, ".local", "share", "variscope", "demo.variscope")
	if rows := string(must(d.t, d.cleanly(folder, "matrix", demo, "--model", "s01", "--json"))); !strings.Contains(rows,
		"max@CONF") {
		d.t.Errorf("the demo's model has no matrix:\n%s", rows)
	}
}

// cleanly is a call of the program with nothing of the machine's surroundings but the display and
// the system's commands.
func (d *desk) cleanly(folder string, args ...string) *exec.Cmd {
	command := exec.Command(d.program, args...)
	command.Dir = folder
	command.Env = []string{
		"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1", "DISPLAY=" + d.display,
		"HOME=" + d.home, "TMPDIR=" + filepath.Join(d.home, "tmp"), "XDG_RUNTIME_DIR=" + filepath.Join(d.home, "run"),
	}
	return command
}

// stamped tells whether a build of these sources has a commit to name, as scripts/stamp.sh finds
// it: an unpacked archive has none.
func stamped() bool {
	return exec.Command("git", "-c", "safe.directory=*", "rev-parse", "--verify", "--quiet", "HEAD").Run() == nil
}

// checkVersion expects the library of the package and, where the sources are a checkout, the commit
// of the build.
func checkVersion(t *testing.T, command *exec.Cmd, into string) {
	t.Helper()
	var doc struct {
		Sheets []struct {
			Rows []struct{ Part, Version string }
		}
	}
	start := time.Now()
	out := must(t, command)
	if err := json.Unmarshal(out, &doc); err != nil || len(doc.Sheets) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	versions := map[string]string{}
	for _, row := range doc.Sheets[0].Rows {
		versions[row.Part] = row.Version
	}
	if !strings.Contains(versions["ONNX Runtime"], "("+into+string(filepath.Separator)) {
		t.Errorf("the library is not that of the package:\n%s", out)
	}
	if stamped() && (versions["commit"] == "" || versions["committed"] == "") {
		t.Errorf("the build has no commit or no date:\n%s", out)
	}
	fmt.Printf("packages: version %s, build %s, its answer took %s\n", versions["variscope"], versions["commit"],
		time.Since(start).Round(time.Millisecond))
}

// listing is every file below a folder with its size and time.
func listing(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %d %s\n", path, info.Size(), info.ModTime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
